//! Every address of the service: who may ask for it, what it takes, and what it does. The table in docs/SERVICE.md, the
//! description of the programming interface and the tests of roles are made of this one.

use crate::api::{self, DecisionTold, Description, Document, PersonTold, Reviewed, RoundTold, Told};
use crate::collections::Collection;
use crate::deeds::archives::{GivenTo, HandInMany, Started, Unpacked};
use crate::deeds::collections::{FillFrom, NewAnswer, NewCollection, Offer, Ticked, WorkQueued};
use crate::deeds::elsewhere::{InvitedPlatform, NewDeployment, OfCollection, OfPlatform, PlatformLink};
use crate::deeds::office::{NewTerms, NewWebhook, WebhookSecret};
use crate::deeds::outcome::{Count, Made, Numbered};
use crate::deeds::people::{Invitations, Link, NewAccess, NewInvitations, NewMail, NewName, NewUnit, RoleIn};
use crate::deeds::rounds::{CheckedAgain, Correction, Draw, MoreChecks, NamedReviewer};
use crate::deeds::submissions::{Exclusion, NewRequest, NewVerdict, Objection};
use crate::deeds::{
    self, Cancelled, CheckQueued, DepositInto, DepositQueued, Deposited, EnrolledIn, HandIn, HandedIn, Viewer, ViewerOf,
};
use crate::desk;
use crate::enrolment::Enrolled;
use crate::fault::{Fault, NOT_FOUND};
use crate::harvests::{Harvest, New as NewHarvest};
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::http::route::{Answer, Described, Route, Takes, schema, schema_of_list};
use crate::listing::Listed;
use crate::lti::platforms::{NewPlatform, Platform};
use crate::pages::{
    account, audit, batch, collections, desk as desk_pages, enrolment, files, harvests, health, invitations, letters,
    lti, people, platforms, progress, protection, report, review, round, round_form, sharing as sharing_pages, sheet,
    sign_in, start, submission, units, webhooks,
};
use crate::people::Role::{self, Administrator, Auditor, Reviewer, Student, Supervisor};
use crate::people::Unit;
use crate::people::session::Scope;
use crate::rounds::{NewRound, Round};
use crate::sharing::{Request, Share};
use crate::terms::Terms;
use crate::webhooks::rows::Webhook;
use axum::http::Method;
use utoipa::ToSchema;

/// Everybody, signed in or not.
const EVERYBODY: &[Role] = &[];
const ADMINISTRATOR: &[Role] = &[Administrator];
const REVIEWER: &[Role] = &[Reviewer];
const STUDENT: &[Role] = &[Student];
const OVERSEERS: &[Role] = &[Administrator, Auditor];
const DECIDERS: &[Role] = &[Administrator, Supervisor];
const STAFF: &[Role] = &[Administrator, Supervisor, Auditor];
const SUBMITTERS: &[Role] = &[Administrator, Student];
const CHANGERS: &[Role] = &[Administrator, Supervisor, Student];
const ALL: &[Role] = Role::ALL;

const fn json<T: ToSchema>() -> Answer {
    Answer::Json(schema::<T>)
}

const fn list<T: ToSchema>() -> Answer {
    Answer::Json(schema_of_list::<T>)
}

/// What a program is told of a deed that a page does, too.
macro_rules! deed {
    ($deed:path) => {
        |call| Ok(call.told(&$deed(call)?))
    };
}

/// Where a browser is led once the deed of a form is done: to a place of the service, or to where a function says. `sure` deeds are done
/// only if the form says that the person is sure.
macro_rules! form {
    (sure $deed:path => $place:tt) => {
        |call| {
            call.is_sure()?;
            form!(@done call, $deed, $place)
        }
    };
    ($deed:path => $place:literal) => {
        |call| form!(@done call, $deed, $place)
    };
    ($deed:path => $back:path) => {
        |call| {
            $deed(call)?;
            $back(call)
        }
    };
    (@done $call:ident, $deed:path, $place:tt) => {{
        $deed($call)?;
        $call.leads_to($place)
    }};
}

/// A route: its method, whether one person alone has a use for it too (`'alone`), its path and roles, what it takes, the scope of tokens if they are of use, what it does, and its handler. Routes
/// of the programming interface have the status and content of their answer besides, and the fields that they take.
macro_rules! route {
    ($method:ident $($alone:lifetime)? $path:literal $roles:ident $takes:ident $($scope:ident)? $about:literal $handle:expr
     $(=> $status:literal $answer:expr $(, $fields:ty)?)?) => {
        Route {
            method: Method::$method,
            path: $path,
            alone: route!(@is $($alone)?),
            roles: $roles,
            takes: Takes::$takes,
            scope: route!(@one $(Scope::$scope)?),
            about: $about,
            handle: $handle,
            described: route!(@one $(Described {
                fields: route!(@one $(schema::<$fields>)?),
                status: $status,
                answer: $answer,
            })?),
        }
    };
    (@is) => { false };
    (@is $alone:lifetime) => { true };
    (@one) => { None };
    (@one $value:expr) => { Some($value) };
}

macro_rules! routes {
    ($($method:ident $($alone:lifetime)? $path:literal $roles:ident $takes:ident $($scope:ident)? $about:literal $handle:expr
       $(=> $status:literal $answer:expr $(, $fields:ty)?)?;)*) => {
        &[$(route!($method $($alone)? $path $roles $takes $($scope)? $about $handle $(=> $status $answer $(, $fields)?)?)),*]
    };
}

/// The stream of a check's progress, which the server answers by itself.
pub static EVENTS: Route =
    route!(GET "/submissions/{id}/events" ALL Nothing Read "progress as server-sent events" not_here);

fn not_here(_: &Call) -> Result<Reply, Fault> {
    Err((&NOT_FOUND).into())
}

/// What a desk has besides, or in the place of the service's own.
#[rustfmt::skip] // a row is a line
pub static DESK: &[Route] = routes! {
    GET "/desk/{secret}" EVERYBODY Nothing "signs in whoever brings the secret" desk::enter;
    GET "/" ADMINISTRATOR Nothing "where theses are put in, and past checks" desk_pages::show;
    POST "/desk/checks" ADMINISTRATOR Files "takes theses in" desk_pages::take;
    POST "/desk/demo" ADMINISTRATOR Fields "makes the demo" desk_pages::show_demo;
    GET "/desk/help" ADMINISTRATOR Nothing "how a desk is used" desk_pages::help;
    GET "/desk/pictures/{name}" ADMINISTRATOR Nothing "a picture for the help" desk_pages::picture;
    POST "/desk/collections" ADMINISTRATOR Archive "makes a collection of a file of a colleague's" collections::open_packed;
    GET "/collections/{id}/collection.copytrace" ADMINISTRATOR Nothing "a collection as one file" collections::pack;
    POST "/desk/end" ADMINISTRATOR Fields "ends the program" desk_pages::end;
    POST "/rounds/{id}/cancel" ADMINISTRATOR Fields "cancels all of a check that is not over" desk_pages::cancel;
    POST "/rounds/{id}/erase" ADMINISTRATOR Fields "erases a check" desk_pages::erase;
    GET "/rounds/{id}/reports.zip" ADMINISTRATOR Nothing "all reports of a check, with its result sheet" report::archive;
    GET "/static/desk.js" EVERYBODY Nothing "the script of a desk" desk_pages::script;
};

/// All of them but [`EVENTS`] and those of a [`DESK`].
#[rustfmt::skip] // a row is a line
pub static ROUTES: &[Route] = routes! {
    GET 'alone "/" ALL Nothing "overview: whom to look at first, rounds" start::show;
    GET "/login" EVERYBODY Nothing "the form to sign in" account::login;
    POST "/login" EVERYBODY Password "signs in" account::sign_in;
    POST "/logout" EVERYBODY Fields "signs out" account::sign_out;
    GET "/sign-in/{provider}" EVERYBODY Nothing "leads to a provider of the institution, to sign in there" sign_in::begin;
    GET "/sign-in/{provider}/back" EVERYBODY Nothing "signs in whom a provider sends back" sign_in::back;
    POST "/sign-in/{provider}/back" EVERYBODY Notice "ends the sessions of whom a provider tells to have signed out" sign_in::notice;
    GET "/sign-in/{provider}/code" EVERYBODY Nothing "the form for the code of the second factor" sign_in::ask_code;
    POST "/sign-in/{provider}/code" EVERYBODY Fields "signs in with that code" sign_in::take_code;
    POST 'alone "/language" EVERYBODY Fields "chooses the language" account::choose_language;
    GET "/invite/{secret}" EVERYBODY Nothing "the form behind a link that is good once" account::invitation;
    POST "/invite/{secret}" EVERYBODY Password "chooses a password" account::accept;
    GET "/lost-password" EVERYBODY Nothing "the form for whoever lost a password" letters::lost;
    POST "/lost-password" EVERYBODY Password "has a link sent, if anybody has that number or mail address" letters::take_lost;
    GET "/account" ALL Nothing "one's sessions, tokens, password" account::show;
    GET "/account/data.zip" ALL Nothing "what is kept of oneself, as an archive" account::data;
    POST "/account/sessions/{id}" ALL Fields "ends a session of one's own" account::end_session;
    POST "/account/tokens" ALL Fields "makes a token" account::make_token;
    POST "/account/tokens/{id}" ALL Fields "revokes a token of one's own" account::revoke_token;
    POST "/account/new-factor" ALL Fields "offers a key for a second factor" account::offer_factor;
    POST "/account/factor" ALL Fields "sets the second factor up, or takes it away" account::change_factor;
    POST "/account/password" ALL Password "changes one's password" account::change_password;
    GET "/people" OVERSEERS Nothing "the list of people" people::show;
    POST "/people" ADMINISTRATOR File "imports people, or shows what that would do" people::import;
    POST "/people/invitations" ADMINISTRATOR Fields "makes links for all of a unit who cannot sign in yet" invitations::of_unit;
    POST "/people/{id}/invite" ADMINISTRATOR Fields "makes a sign-in link" people::invite;
    GET "/people/{id}/tokens" ADMINISTRATOR Nothing "a person's tokens" people::tokens;
    POST "/people/{id}/tokens/{token}" ADMINISTRATOR Fields "revokes a token of a person" form!(deeds::people::revoke_token => "/people/{id}/tokens");
    GET "/people/{id}/data.zip" ADMINISTRATOR Nothing "what is kept of a person, as an archive for that person" people::data;
    POST "/people/{id}/erase" ADMINISTRATOR Fields "erases a person with everything handed in" form!(deeds::people::erase => "/people");
    POST "/people/{id}/name" ADMINISTRATOR Fields "corrects a person's name" form!(deeds::people::rename => "/people");
    POST "/people/{id}/mail" ADMINISTRATOR Fields "changes where letters reach a person" form!(deeds::people::set_mail => "/people");
    POST "/people/{id}/access" ADMINISTRATOR Fields "lets a person in, or no more" form!(deeds::people::set_access => "/people");
    POST "/people/{id}/factor" ADMINISTRATOR Fields "takes a lost second factor away" form!(deeds::people::remove_factor => "/people");
    POST "/people/{id}/identity" ADMINISTRATOR Fields "forgets by whom providers know a person" form!(deeds::people::forget_identity => "/people");
    POST "/people/{id}/grant" ADMINISTRATOR Fields "gives a role" form!(deeds::people::give_role => "/people");
    POST "/people/{id}/role" ADMINISTRATOR Fields "takes a role away" form!(deeds::people::take_role => "/people");
    GET "/units" OVERSEERS Nothing "the units" units::show;
    POST "/units" ADMINISTRATOR Fields "adds a unit" form!(deeds::people::create_unit => "/units");
    POST "/units/{id}" ADMINISTRATOR Fields "changes a unit" form!(deeds::people::change_unit => "/units");
    POST "/units/{id}/remove" ADMINISTRATOR Fields "removes a unit that is empty" form!(deeds::people::remove_unit => "/units");
    GET 'alone "/collections" OVERSEERS Nothing "the collections" collections::show;
    POST 'alone "/collections" ADMINISTRATOR Fields "makes a collection" collections::create;
    GET 'alone "/collections/{id}" OVERSEERS Nothing "a collection's documents" collections::one;
    POST 'alone "/collections/{id}/upload" ADMINISTRATOR Files "adds files" form!(deeds::collections::upload => "/collections/{id}");
    POST "/collections/{id}/fill" ADMINISTRATOR Fields "adds a folder of the server" form!(deeds::collections::fill => "/collections/{id}");
    POST 'alone "/collections/{id}/remove" ADMINISTRATOR Fields "removes documents" form!(deeds::collections::remove => "/collections/{id}");
    POST 'alone "/collections/{id}/erase" ADMINISTRATOR Fields "removes the collection with its index" form!(sure deeds::collections::erase => "/collections");
    GET "/collections/{id}/harvests" ADMINISTRATOR Nothing "what it is harvested from, and what the last runs did" harvests::show;
    POST "/collections/{id}/harvests" ADMINISTRATOR Fields "adds a source, and harvests it" form!(deeds::elsewhere::add_harvest => "/collections/{id}/harvests");
    POST "/harvests/{id}/run" ADMINISTRATOR Fields "harvests a source now" harvests::run;
    POST "/harvests/{id}/remove" ADMINISTRATOR Fields "removes a source; its documents stay" harvests::remove;
    GET 'alone "/collections/{id}/progress" OVERSEERS Nothing "how far the work on it is, as a piece of a page" progress::collection;
    POST "/collections/{id}/shares" ADMINISTRATOR Fields "offers the collection to another unit" form!(deeds::collections::share => "/collections/{id}");
    POST "/shares/{id}/agree" ADMINISTRATOR Fields "agrees to what another unit offers" form!(deeds::collections::agree => "/collections");
    POST "/shares/{id}/remove" ADMINISTRATOR Fields "ends the sharing of a collection" form!(deeds::collections::end_sharing => "/collections");
    GET "/requests" OVERSEERS Nothing "requests for the wording of shared collections" sharing_pages::requests;
    POST "/requests/{id}" ADMINISTRATOR Fields "answers a request for wording" form!(deeds::collections::answer => "/requests");
    GET "/rounds/new" ADMINISTRATOR Nothing "the form of a new round" round_form::new;
    POST 'alone "/rounds" ADMINISTRATOR Fields "makes a round" round_form::create;
    GET 'alone "/rounds/{id}" ALL Nothing "a round: to staff its submissions, to students their own" round::show;
    GET "/rounds/{id}/edit" ADMINISTRATOR Nothing "the form of a round that is there" round_form::edit;
    POST "/rounds/{id}/edit" ADMINISTRATOR Fields "changes a round" round_form::change;
    POST 'alone "/rounds/{id}/remove" ADMINISTRATOR Fields "removes a round into which nothing was handed in" form!(sure deeds::rounds::remove => "/");
    GET "/rounds/{id}/students" STAFF Nothing "its students, and who has handed in nothing" enrolment::show;
    POST "/rounds/{id}/students" ADMINISTRATOR File "enrols students, or shows what that would do" enrolment::enrol;
    POST "/rounds/{id}/students/{student}" ADMINISTRATOR Fields "allows a student more checks" form!(deeds::rounds::allow => "/rounds/{id}/students");
    POST "/rounds/{id}/students/{student}/edit" ADMINISTRATOR Fields
        "corrects a student's supervisor and title" form!(deeds::rounds::correct => "/rounds/{id}/students");
    POST "/rounds/{id}/students/{student}/remove" ADMINISTRATOR Fields
        "takes a student out who has handed in nothing" form!(deeds::rounds::remove_student => "/rounds/{id}/students");
    GET "/rounds/{id}/reviewers" OVERSEERS Nothing "who reviews whose finals, those first on which they differ" review::show;
    POST "/rounds/{id}/reviewers" ADMINISTRATOR File "names reviewers by a list" review::name;
    POST "/rounds/{id}/reviewers/draw" ADMINISTRATOR Fields "draws reviewers within a unit" review::draw;
    POST "/rounds/{id}/reviewers/{student}" ADMINISTRATOR Fields "takes a reviewer back who has said nothing yet" form!(deeds::rounds::take_reviewer_back => "/rounds/{id}/reviewers");
    POST "/rounds/{id}/invitations" ADMINISTRATOR Fields "makes links for those of the round who cannot sign in yet" invitations::of_round;
    POST 'alone "/rounds/{id}/templates" ADMINISTRATOR File "adds a template" form!(deeds::rounds::add_template => "/rounds/{id}");
    POST 'alone "/rounds/{id}/templates/{template}" ADMINISTRATOR Fields "takes a template away" form!(deeds::rounds::remove_template => "/rounds/{id}");
    POST 'alone "/rounds/{id}/submissions" SUBMITTERS Submission "hands in a file" round::submit;
    POST "/rounds/{id}/batch" ADMINISTRATOR Archive "uploads an archive of many" batch::upload;
    POST "/rounds/{id}/deposit" ADMINISTRATOR Fields "deposits all finals that have passed" round::deposit;
    POST 'alone "/rounds/{id}/check" ADMINISTRATOR Fields "checks again what could not be checked" round::check_failed;
    GET 'alone "/rounds/{id}/progress" STAFF Nothing "how far its checks are, as a piece of a page" progress::round;
    GET 'alone "/rounds/{id}/sheet.xlsx" STAFF Nothing "the result sheet as a workbook" sheet::workbook;
    GET 'alone "/rounds/{id}/sheet.pdf" STAFF Nothing "the result sheet for the printer" sheet::paper;
    GET "/batches/{id}" ADMINISTRATOR Nothing "which file of an archive is whose" batch::show;
    POST "/batches/{id}" ADMINISTRATOR Fields "queues the files that match" batch::start;
    POST "/batches/{id}/files/{file}" ADMINISTRATOR Fields "gives a file to a student" form!(deeds::archives::give_file => "/batches/{id}");
    GET 'alone "/submissions/{id}" ALL Nothing "a submission" submission::show;
    GET 'alone "/submissions/{id}/report" ALL Nothing "its report as a page; to its student redacted" report::show;
    GET 'alone "/submissions/{id}/report.json" ALL Nothing "its report as JSON; to its student redacted" report::json;
    GET 'alone "/submissions/{id}/report.pdf" ALL Nothing "its report as PDF; to its student redacted" report::pdf;
    GET 'alone "/submissions/{id}/sheet.pdf" ALL Nothing "its sheet to sign, as PDF" report::signature_sheet;
    GET 'alone "/submissions/{id}/file" ALL Nothing "the file that was handed in" submission::original;
    POST 'alone "/submissions/{id}/check" DECIDERS Fields "checks it again" form!(deeds::check_again => submission::back);
    POST 'alone "/submissions/{id}/cancel" CHANGERS Fields "cancels the check" form!(deeds::cancel => submission::back);
    POST 'alone "/submissions/{id}/decisions" DECIDERS Fields "leaves a source or passage out" form!(deeds::submissions::exclude => submission::back);
    POST 'alone "/submissions/{id}/decisions/{decision}" DECIDERS Fields "revokes that" form!(deeds::submissions::revoke => submission::back);
    POST "/submissions/{id}/appeals" STUDENT Fields "says why a passage should not count" form!(deeds::submissions::appeal => submission::back);
    POST "/submissions/{id}/requests" DECIDERS Fields "asks another unit for the wording of a source" form!(deeds::submissions::ask_for_wording => submission::back);
    POST "/submissions/{id}/verdict" DECIDERS Fields "gives the verdict" form!(deeds::submissions::give_verdict => submission::back);
    POST "/submissions/{id}/review" REVIEWER Fields "gives the verdict of a reviewer" form!(deeds::submissions::review => submission::back);
    POST "/submissions/{id}/deposit" ADMINISTRATOR Fields "deposits a final" form!(deeds::deposit => submission::back);
    POST 'alone "/submissions/{id}/erase" ADMINISTRATOR Fields "erases a submission" submission::erase;
    GET "/letters" OVERSEERS Nothing "the last letters, and what became of each" letters::show;
    POST "/letters/{id}" ADMINISTRATOR Fields "sends a letter again that was refused" form!(deeds::office::send_again => "/letters");
    GET "/webhooks" OVERSEERS Nothing "webhooks, and what became of what they were told" webhooks::show;
    POST "/webhooks" ADMINISTRATOR Fields "makes a webhook" webhooks::make;
    POST "/webhooks/{id}/ping" ADMINISTRATOR Fields "tries a webhook" form!(deeds::office::ping_webhook => "/webhooks");
    POST "/webhooks/{id}/remove" ADMINISTRATOR Fields "removes a webhook" form!(deeds::office::remove_webhook => "/webhooks");
    GET "/platforms" OVERSEERS Nothing "learning platforms from which people come" platforms::show;
    POST "/platforms" ADMINISTRATOR Fields "registers a learning platform" form!(deeds::elsewhere::make_platform => "/platforms");
    POST "/platforms/link" ADMINISTRATOR Fields "makes a link by which a platform registers itself" platforms::invite;
    POST "/platforms/{id}/deployments" ADMINISTRATOR Fields "adds a deployment of a platform" form!(deeds::elsewhere::add_deployment => "/platforms");
    POST "/platforms/{id}/remove" ADMINISTRATOR Fields "removes a learning platform" form!(deeds::elsewhere::remove_platform => "/platforms");
    GET "/rounds/{id}/platform" OVERSEERS Nothing "what goes to the platform of a round, and what became of it" platforms::round;
    POST "/rounds/{id}/platform" ADMINISTRATOR Fields "says what goes to the platform of a round, or fetches its people" form!(deeds::elsewhere::change_platform_of_round => "/rounds/{id}/platform");
    GET "/lti/keys" EVERYBODY Nothing "the keys by which platforms know this service" lti::keys;
    GET "/lti/login" EVERYBODY Nothing "sends whom a platform sends here back to it, to be told who it is" lti::login;
    POST "/lti/login" EVERYBODY Notice "the same, as platforms do it" lti::login;
    POST "/lti/launch" EVERYBODY Notice "signs in whom a platform names, and leads to the round" lti::launch;
    GET "/lti/register/{secret}" EVERYBODY Nothing "registers the platform that brings the secret" lti::register;
    POST "/lti/round" ADMINISTRATOR Fields "chooses or makes the round of an assignment of a platform" lti::choose;
    GET "/static/lti.js" EVERYBODY Nothing "the script of pages in frames of platforms" files::frames;
    GET "/data-protection" OVERSEERS Nothing "what is kept where and how long; what students agree to" protection::show;
    POST "/data-protection/terms" ADMINISTRATOR Fields "writes a new version of what students agree to" form!(deeds::office::write_terms => "/data-protection");
    GET "/terms" EVERYBODY Nothing "what students agree to" protection::terms;
    GET "/audit" OVERSEERS Nothing "the audit log" audit::show;
    GET "/view/{secret}" EVERYBODY Nothing "a report by a short-lived link" report::viewer;
    GET 'alone "/health/live" EVERYBODY Nothing "whether the server answers" health::live;
    GET 'alone "/health/ready" EVERYBODY Nothing "whether it can take work" health::ready;
    GET "/metrics" OVERSEERS Nothing Read "figures for those who watch it" health::metrics;
    GET 'alone "/static/style.css" EVERYBODY Nothing "the look of the pages" files::style;
    GET 'alone "/static/service.js" EVERYBODY Nothing "the script of the pages" files::script;
    GET 'alone "/static/overview.js" EVERYBODY Nothing "the script of a round's overview" files::overview;
    GET 'alone "/favicon.ico" EVERYBODY Nothing "no picture" files::no_picture;
    GET "/api/v1/openapi.json" EVERYBODY Nothing "the description of this interface" api::description
        => 200 json::<Description>();
    GET "/api/v1/rounds" ALL Nothing Read "the rounds that the caller has to do with" api::rounds
        => 200 list::<Round>();
    POST "/api/v1/rounds" ADMINISTRATOR Fields Manage "makes a round" api::create_round
        => 201 json::<Made>(), NewRound;
    GET "/api/v1/rounds/{id}/submissions" ALL Nothing Read "submissions of a round, in pages" api::submissions
        => 200 list::<Listed>();
    POST "/api/v1/rounds/{id}/submissions" SUBMITTERS Submission Submit "hands in a file" deed!(deeds::hand_in)
        => 201 json::<HandedIn>(), HandIn;
    POST "/api/v1/rounds/{id}/students" ADMINISTRATOR File Manage "enrols students" api::enrol
        => 201 json::<EnrolledIn>();
    POST "/api/v1/rounds/{id}/batches" ADMINISTRATOR Archive Submit "uploads an archive of many" deed!(deeds::archives::take)
        => 201 json::<Unpacked>(), HandInMany;
    GET "/api/v1/batches/{id}" ADMINISTRATOR Nothing Read "which file of an archive is whose" api::batch
        => 200 json::<Unpacked>();
    POST "/api/v1/batches/{id}" ADMINISTRATOR Nothing Submit "queues the files that match" deed!(deeds::archives::start)
        => 202 json::<Started>();
    POST "/api/v1/rounds/{id}/deposit" ADMINISTRATOR Fields Manage
        "deposits all finals that have passed" deed!(deeds::deposit_passed)
        => 202 json::<Deposited>(), DepositInto;
    GET "/api/v1/submissions/{id}" ALL Nothing Read "a submission with its state and figures" api::submission
        => 200 json::<Told>();
    DELETE "/api/v1/submissions/{id}" ADMINISTRATOR Nothing Manage "erases a submission" api::erase
        => 204 Answer::Nothing;
    GET "/api/v1/submissions/{id}/report" ALL Nothing Read "the report as JSON; to its student redacted" report::json
        => 200 Answer::Bytes("application/json");
    GET "/api/v1/submissions/{id}/report.html" ALL Nothing Read
        "the report as a page; to its student redacted" report::show
        => 200 Answer::Bytes("text/html");
    GET "/api/v1/submissions/{id}/report.pdf" ALL Nothing Read
        "the report as PDF; to its student redacted" report::pdf
        => 200 Answer::Bytes("application/pdf");
    POST "/api/v1/submissions/{id}/viewer" DECIDERS Fields Read
        "makes a short-lived link to the report" deed!(deeds::make_link)
        => 201 json::<Viewer>(), ViewerOf;
    POST "/api/v1/submissions/{id}/deposit" ADMINISTRATOR Fields Manage "deposits a final" deed!(deeds::deposit)
        => 202 json::<DepositQueued>(), DepositInto;
    POST "/api/v1/submissions/{id}/check" DECIDERS Nothing Submit "checks it again" deed!(deeds::check_again)
        => 202 json::<CheckQueued>();
    POST "/api/v1/submissions/{id}/cancel" CHANGERS Nothing Submit "cancels the check" deed!(deeds::cancel)
        => 200 json::<Cancelled>();
    GET "/api/v1/collections" OVERSEERS Nothing Read "the collections" api::collections => 200 list::<Collection>();
    POST "/api/v1/collections" ADMINISTRATOR Fields Manage "makes a collection" deed!(deeds::collections::create)
        => 201 json::<Numbered>(), NewCollection;
    GET "/api/v1/collections/{id}" OVERSEERS Nothing Read "a collection's documents, in pages" api::documents
        => 200 list::<Document>();
    DELETE "/api/v1/collections/{id}" ADMINISTRATOR Nothing Manage "removes the collection with its index" deed!(deeds::collections::erase)
        => 204 Answer::Nothing;
    POST "/api/v1/collections/{id}/upload" ADMINISTRATOR Files Manage "adds files" deed!(deeds::collections::upload)
        => 202 json::<WorkQueued>();
    POST "/api/v1/collections/{id}/fill" ADMINISTRATOR Fields Manage "adds a folder of the server" deed!(deeds::collections::fill)
        => 202 json::<WorkQueued>(), FillFrom;
    POST "/api/v1/collections/{id}/remove" ADMINISTRATOR Fields Manage "removes documents" deed!(deeds::collections::remove)
        => 202 json::<WorkQueued>(), Ticked;
    POST "/api/v1/collections/{id}/shares" ADMINISTRATOR Fields Manage "offers the collection to another unit" deed!(deeds::collections::share)
        => 201 json::<Numbered>(), Offer;
    GET "/api/v1/shares" OVERSEERS Nothing Read "what the caller's units share, and are offered" api::shares
        => 200 list::<Share>();
    POST "/api/v1/shares/{id}/agree" ADMINISTRATOR Nothing Manage "agrees to what another unit offers" deed!(deeds::collections::agree)
        => 204 Answer::Nothing;
    DELETE "/api/v1/shares/{id}" ADMINISTRATOR Nothing Manage "ends the sharing of a collection" deed!(deeds::collections::end_sharing)
        => 204 Answer::Nothing;
    GET "/api/v1/requests" OVERSEERS Nothing Read "requests for the wording of shared collections" api::requests
        => 200 list::<Request>();
    POST "/api/v1/requests/{id}" ADMINISTRATOR Fields Manage "answers a request for wording" deed!(deeds::collections::answer)
        => 204 Answer::Nothing, NewAnswer;
    GET "/api/v1/people" OVERSEERS Nothing Read "people, in pages" api::people
        => 200 list::<PersonTold>();
    POST "/api/v1/people" ADMINISTRATOR File Manage "imports people" deed!(deeds::people::import)
        => 200 json::<Count>();
    POST "/api/v1/people/invitations" ADMINISTRATOR Fields Manage "makes links for all of a unit who cannot sign in yet" deed!(deeds::people::invite_unit)
        => 201 json::<Invitations>(), NewInvitations;
    POST "/api/v1/people/{id}/invite" ADMINISTRATOR Nothing Manage "makes a sign-in link" deed!(deeds::people::invite)
        => 201 json::<Link>();
    DELETE "/api/v1/people/{id}/tokens/{token}" ADMINISTRATOR Nothing Manage "revokes a token of a person" deed!(deeds::people::revoke_token)
        => 204 Answer::Nothing;
    GET "/api/v1/people/{id}/data.zip" ADMINISTRATOR Nothing Manage "what is kept of a person, as an archive for that person" api::person_data
        => 200 Answer::Bytes("application/zip");
    DELETE "/api/v1/people/{id}" ADMINISTRATOR Nothing Manage "erases a person with everything handed in" deed!(deeds::people::erase)
        => 204 Answer::Nothing;
    POST "/api/v1/people/{id}/name" ADMINISTRATOR Fields Manage "corrects a person's name" deed!(deeds::people::rename)
        => 204 Answer::Nothing, NewName;
    POST "/api/v1/people/{id}/mail" ADMINISTRATOR Fields Manage "changes where letters reach a person" deed!(deeds::people::set_mail)
        => 204 Answer::Nothing, NewMail;
    POST "/api/v1/people/{id}/access" ADMINISTRATOR Fields Manage "lets a person in, or no more" deed!(deeds::people::set_access)
        => 204 Answer::Nothing, NewAccess;
    POST "/api/v1/people/{id}/factor" ADMINISTRATOR Nothing Manage "takes a lost second factor away" deed!(deeds::people::remove_factor)
        => 204 Answer::Nothing;
    POST "/api/v1/people/{id}/identity" ADMINISTRATOR Nothing Manage "forgets by whom providers know a person" deed!(deeds::people::forget_identity)
        => 204 Answer::Nothing;
    POST "/api/v1/people/{id}/grant" ADMINISTRATOR Fields Manage "gives a role" deed!(deeds::people::give_role)
        => 204 Answer::Nothing, RoleIn;
    POST "/api/v1/people/{id}/role" ADMINISTRATOR Fields Manage "takes a role away" deed!(deeds::people::take_role)
        => 204 Answer::Nothing, RoleIn;
    GET "/api/v1/units" OVERSEERS Nothing Read "the units" api::list_units
        => 200 list::<Unit>();
    POST "/api/v1/units" ADMINISTRATOR Fields Manage "adds a unit" deed!(deeds::people::create_unit)
        => 201 json::<Numbered>(), NewUnit;
    POST "/api/v1/units/{id}" ADMINISTRATOR Fields Manage "changes a unit" deed!(deeds::people::change_unit)
        => 204 Answer::Nothing, NewUnit;
    DELETE "/api/v1/units/{id}" ADMINISTRATOR Nothing Manage "removes a unit that is empty" deed!(deeds::people::remove_unit)
        => 204 Answer::Nothing;
    GET "/api/v1/rounds/{id}" ALL Nothing Read "a round" api::round
        => 200 json::<RoundTold>();
    POST "/api/v1/rounds/{id}/edit" ADMINISTRATOR Fields Manage "changes a round" api::change_round
        => 204 Answer::Nothing, NewRound;
    DELETE "/api/v1/rounds/{id}" ADMINISTRATOR Nothing Manage "removes a round into which nothing was handed in" deed!(deeds::rounds::remove)
        => 204 Answer::Nothing;
    GET "/api/v1/rounds/{id}/students" STAFF Nothing Read "its students" api::students
        => 200 list::<Enrolled>();
    POST "/api/v1/rounds/{id}/students/{student}" ADMINISTRATOR Fields Manage "allows a student more checks" deed!(deeds::rounds::allow)
        => 204 Answer::Nothing, MoreChecks;
    POST "/api/v1/rounds/{id}/students/{student}/edit" ADMINISTRATOR Fields Manage "corrects a student's supervisor and title" deed!(deeds::rounds::correct)
        => 204 Answer::Nothing, Correction;
    DELETE "/api/v1/rounds/{id}/students/{student}" ADMINISTRATOR Nothing Manage "takes a student out who has handed in nothing" deed!(deeds::rounds::remove_student)
        => 204 Answer::Nothing;
    GET "/api/v1/rounds/{id}/reviewers" OVERSEERS Nothing Read "who reviews whose finals" api::reviewers
        => 200 list::<Reviewed>();
    POST "/api/v1/rounds/{id}/reviewers" ADMINISTRATOR File Manage "names reviewers by a list" deed!(deeds::rounds::name_reviewers)
        => 200 json::<Count>();
    POST "/api/v1/rounds/{id}/reviewers/draw" ADMINISTRATOR Fields Manage "draws reviewers within a unit" deed!(deeds::rounds::draw)
        => 200 json::<Count>(), Draw;
    POST "/api/v1/rounds/{id}/reviewers/{student}" ADMINISTRATOR Fields Manage "takes a reviewer back who has said nothing yet" deed!(deeds::rounds::take_reviewer_back)
        => 204 Answer::Nothing, NamedReviewer;
    POST "/api/v1/rounds/{id}/invitations" ADMINISTRATOR Fields Manage "makes links for those of the round who cannot sign in yet" deed!(deeds::people::invite_round)
        => 201 json::<Invitations>(), NewInvitations;
    POST "/api/v1/rounds/{id}/templates" ADMINISTRATOR File Manage "adds a template" deed!(deeds::rounds::add_template)
        => 204 Answer::Nothing;
    DELETE "/api/v1/rounds/{id}/templates/{template}" ADMINISTRATOR Nothing Manage "takes a template away" deed!(deeds::rounds::remove_template)
        => 204 Answer::Nothing;
    POST "/api/v1/rounds/{id}/check" ADMINISTRATOR Nothing Submit "checks again what could not be checked" deed!(deeds::rounds::check_failed)
        => 202 json::<CheckedAgain>();
    GET "/api/v1/rounds/{id}/sheet.xlsx" STAFF Nothing Read "the result sheet as a workbook" sheet::workbook
        => 200 Answer::Bytes("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
    POST "/api/v1/batches/{id}/files/{file}" ADMINISTRATOR Fields Submit "gives a file to a student" deed!(deeds::archives::give_file)
        => 204 Answer::Nothing, GivenTo;
    GET "/api/v1/submissions/{id}/file" ALL Nothing Read "the file that was handed in" submission::original
        => 200 Answer::Bytes("application/octet-stream");
    GET "/api/v1/submissions/{id}/decisions" STAFF Nothing Read "what was decided about the report" api::decisions
        => 200 list::<DecisionTold>();
    POST "/api/v1/submissions/{id}/decisions" DECIDERS Fields Manage "leaves a source or passage out" deed!(deeds::submissions::exclude)
        => 204 Answer::Nothing, Exclusion;
    DELETE "/api/v1/submissions/{id}/decisions/{decision}" DECIDERS Nothing Manage "revokes that" deed!(deeds::submissions::revoke)
        => 204 Answer::Nothing;
    POST "/api/v1/submissions/{id}/appeals" STUDENT Fields Submit "says why a passage should not count" deed!(deeds::submissions::appeal)
        => 204 Answer::Nothing, Objection;
    POST "/api/v1/submissions/{id}/requests" DECIDERS Fields Manage "asks another unit for the wording of a source" deed!(deeds::submissions::ask_for_wording)
        => 201 json::<Numbered>(), NewRequest;
    POST "/api/v1/submissions/{id}/verdict" DECIDERS Fields Manage "gives the verdict" deed!(deeds::submissions::give_verdict)
        => 204 Answer::Nothing, NewVerdict;
    POST "/api/v1/submissions/{id}/review" REVIEWER Fields Manage "gives the verdict of a reviewer" deed!(deeds::submissions::review)
        => 204 Answer::Nothing, NewVerdict;
    POST "/api/v1/letters/{id}" ADMINISTRATOR Nothing Manage "sends a letter again that was refused" deed!(deeds::office::send_again)
        => 204 Answer::Nothing;
    GET "/api/v1/webhooks" OVERSEERS Nothing Read "the webhooks" api::list_webhooks
        => 200 list::<Webhook>();
    POST "/api/v1/webhooks" ADMINISTRATOR Fields Manage "makes a webhook" deed!(deeds::office::make_webhook)
        => 201 json::<WebhookSecret>(), NewWebhook;
    POST "/api/v1/webhooks/{id}/ping" ADMINISTRATOR Nothing Manage "tries a webhook" deed!(deeds::office::ping_webhook)
        => 204 Answer::Nothing;
    DELETE "/api/v1/webhooks/{id}" ADMINISTRATOR Nothing Manage "removes a webhook" deed!(deeds::office::remove_webhook)
        => 204 Answer::Nothing;
    GET "/api/v1/collections/{id}/harvests" ADMINISTRATOR Nothing Read "what a collection is harvested from" api::list_harvests
        => 200 list::<Harvest>();
    POST "/api/v1/collections/{id}/harvests" ADMINISTRATOR Fields Manage "adds a source, and harvests it" deed!(deeds::elsewhere::add_harvest)
        => 200 json::<OfCollection>(), NewHarvest;
    POST "/api/v1/harvests/{id}/run" ADMINISTRATOR Nothing Manage "harvests a source now" deed!(deeds::elsewhere::run_harvest)
        => 200 json::<OfCollection>();
    DELETE "/api/v1/harvests/{id}" ADMINISTRATOR Nothing Manage "removes a source; its documents stay" deed!(deeds::elsewhere::remove_harvest)
        => 200 json::<OfCollection>();
    GET "/api/v1/platforms" OVERSEERS Nothing Read "the learning platforms" api::list_platforms
        => 200 list::<Platform>();
    POST "/api/v1/platforms" ADMINISTRATOR Fields Manage "registers a learning platform" deed!(deeds::elsewhere::make_platform)
        => 201 json::<Made>(), NewPlatform;
    POST "/api/v1/platforms/link" ADMINISTRATOR Fields Manage "makes a link by which a platform registers itself" deed!(deeds::elsewhere::invite_platform)
        => 201 json::<PlatformLink>(), InvitedPlatform;
    POST "/api/v1/platforms/{id}/deployments" ADMINISTRATOR Fields Manage "adds a deployment of a platform" deed!(deeds::elsewhere::add_deployment)
        => 204 Answer::Nothing, NewDeployment;
    DELETE "/api/v1/platforms/{id}" ADMINISTRATOR Nothing Manage "removes a learning platform" deed!(deeds::elsewhere::remove_platform)
        => 204 Answer::Nothing;
    POST "/api/v1/rounds/{id}/platform" ADMINISTRATOR Fields Manage "says what goes to the platform of a round, or fetches its people" deed!(deeds::elsewhere::change_platform_of_round)
        => 204 Answer::Nothing, OfPlatform;
    GET "/api/v1/terms" ALL Nothing Read "what students agree to" api::latest_terms
        => 200 json::<Terms>();
    POST "/api/v1/data-protection/terms" ADMINISTRATOR Fields Manage "writes a new version of what students agree to" deed!(deeds::office::write_terms)
        => 204 Answer::Nothing, NewTerms;
};

/// What is served: to an institution all but a desk's own, at a desk that, and what one person has a use for besides.
pub fn served(at_desk: bool) -> impl Iterator<Item = &'static Route> {
    let own = if at_desk { DESK } else { &[] };
    let is_own = |route: &Route| own.iter().any(|own| (&own.method, own.path) == (&route.method, route.path));
    own.iter().chain(ROUTES.iter().filter(move |route| !at_desk || route.alone && !is_own(route)))
}

/// The table of routes and roles for docs/SERVICE.md, in Markdown.
pub fn table() -> String {
    let mut rows = String::from("| address | what it does |");
    Role::ALL.iter().for_each(|role| rows.push_str(&format!(" {} |", role.as_str())));
    rows.push_str(" signed out | token scope |\n|---|---|---|---|---|---|---|---|---|\n");
    for route in ROUTES.iter().chain([&EVENTS]) {
        rows.push_str(&format!("| `{} {}` | {} |", route.method, route.path, route.about));
        let may = Role::ALL.iter().map(|role| route.is_for(*role)).chain([route.is_for_everybody()]);
        may.for_each(|may| rows.push_str(if may { " yes |" } else { " no |" }));
        rows.push_str(&format!(" {} |\n", route.scope.map_or("–", Scope::as_str)));
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_desk_serves_checks_reports_and_collections_and_nothing_that_its_one_person_may_not_ask_for() {
        let served: Vec<&Route> = served(true).collect();
        for path in ["/", "/rounds/{id}", "/submissions/{id}/report", "/collections/{id}/upload", "/static/style.css"] {
            assert!(served.iter().any(|route| route.path == path), "{path}");
        }
        for path in
            ["/people", "/login", "/account", "/audit", "/rounds/new", "/submissions/{id}/verdict", "/api/v1/rounds"]
        {
            assert!(!served.iter().any(|route| route.path == path), "{path}");
        }
        for route in served {
            assert!(route.is_for_everybody() || route.roles.contains(&Role::Administrator), "{}", route.path);
        }
    }
}
