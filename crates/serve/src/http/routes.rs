//! Every address of the service: who may ask for it, what it takes, and what it does. The table in docs/SERVICE.md, the
//! description of the programming interface and the tests of roles are made of this one.

use super::call::Call;
use super::reply::Reply;
use crate::api;
use crate::fault::{Fault, NOT_FOUND};
use crate::pages::{
    account, audit, batch, collections, enrolment, people, round, round_form, sheet, start, submission, units,
};
use crate::people::Role;
use axum::routing::MethodFilter;

/// A set of roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Roles(u8);

impl Roles {
    /// Everybody, signed in or not.
    pub const EVERYBODY: Roles = Roles(0);
    const ADMINISTRATOR: Roles = Roles(1);
    const SUPERVISOR: Roles = Roles(2);
    const STUDENT: Roles = Roles(4);
    const AUDITOR: Roles = Roles(8);
    const OVERSEERS: Roles = Roles(1 | 8);
    const DECIDERS: Roles = Roles(1 | 2);
    const STAFF: Roles = Roles(1 | 2 | 8);
    const SUBMITTERS: Roles = Roles(1 | 4);
    const CHANGERS: Roles = Roles(1 | 2 | 4);
    const ALL: Roles = Roles(15);

    /// Whether a role is one of them.
    pub fn holds(self, role: Role) -> bool {
        let bit = match role {
            Role::Administrator => Roles::ADMINISTRATOR,
            Role::Supervisor => Roles::SUPERVISOR,
            Role::Student => Roles::STUDENT,
            Role::Auditor => Roles::AUDITOR,
        };
        self.0 & bit.0 != 0
    }
}

/// The method of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// Reads.
    Get,
    /// Changes.
    Post,
    /// Erases.
    Delete,
}

impl Verb {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Verb::Get => "GET",
            Verb::Post => "POST",
            Verb::Delete => "DELETE",
        }
    }

    /// The requests that have it.
    pub fn filter(self) -> MethodFilter {
        match self {
            Verb::Get => MethodFilter::GET,
            Verb::Post => MethodFilter::POST,
            Verb::Delete => MethodFilter::DELETE,
        }
    }
}

/// What a request may bring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// Fields of a form, or a JSON object.
    Fields,
    /// Fields and files of up to 100 MiB.
    File,
    /// Fields and an archive of up to 2 GiB.
    Archive,
}

/// An address with a method.
pub struct Route {
    /// The method.
    pub method: Verb,
    /// The path; what stands in braces varies.
    pub path: &'static str,
    /// Who may ask for it. Of most objects people see only those that are their business: others do not exist for them.
    pub roles: Roles,
    /// The scope that a token needs; without one tokens are of no use here.
    pub scope: Option<&'static str>,
    /// What it takes.
    pub takes: Takes,
    /// What it does.
    pub about: &'static str,
    /// Does it.
    pub handle: fn(&Call) -> Result<Reply, Fault>,
}

const fn get(
    path: &'static str,
    roles: Roles,
    about: &'static str,
    handle: fn(&Call) -> Result<Reply, Fault>,
) -> Route {
    Route { method: Verb::Get, path, roles, scope: None, takes: Takes::Nothing, about, handle }
}

const fn post(
    path: &'static str,
    roles: Roles,
    takes: Takes,
    about: &'static str,
    handle: fn(&Call) -> Result<Reply, Fault>,
) -> Route {
    Route { method: Verb::Post, path, roles, scope: None, takes, about, handle }
}

impl Route {
    /// The same, for tokens of this scope too.
    const fn scope(self, scope: &'static str) -> Route {
        Route { scope: Some(scope), ..self }
    }

    const fn delete(
        path: &'static str,
        roles: Roles,
        about: &'static str,
        handle: fn(&Call) -> Result<Reply, Fault>,
    ) -> Route {
        Route { method: Verb::Delete, path, roles, scope: None, takes: Takes::Nothing, about, handle }
    }
}

/// The stream of a check's progress, which the server answers by itself.
pub static EVENTS: Route = get("/submissions/{id}/events", Roles::ALL, "progress as server-sent events", |_| {
    Err(Fault::Refused(&NOT_FOUND, String::new()))
})
.scope("read");

use Takes::{Archive, Fields, File, Nothing};

/// All of them but [`EVENTS`].
pub static ROUTES: &[Route] = &[
    get("/", Roles::ALL, "overview: whom to look at first, rounds", start::show),
    get("/login", Roles::EVERYBODY, "the form to sign in", account::login),
    post("/login", Roles::EVERYBODY, Fields, "signs in", account::sign_in),
    post("/logout", Roles::EVERYBODY, Fields, "signs out", account::sign_out),
    post("/language", Roles::EVERYBODY, Fields, "chooses the language", account::choose_language),
    get("/invite/{secret}", Roles::EVERYBODY, "the form behind a link that is good once", account::invitation),
    post("/invite/{secret}", Roles::EVERYBODY, Fields, "chooses a password", account::accept),
    get("/account", Roles::ALL, "one's sessions, tokens, password", account::show),
    post("/account/sessions/{id}", Roles::ALL, Fields, "ends a session of one's own", account::end_session),
    post("/account/tokens", Roles::ALL, Fields, "makes a token", account::make_token),
    post("/account/tokens/{id}", Roles::ALL, Fields, "revokes a token of one's own", account::revoke_token),
    post("/account/password", Roles::ALL, Fields, "changes one's password", account::change_password),
    get("/people", Roles::OVERSEERS, "the list of people", people::show),
    post("/people", Roles::ADMINISTRATOR, File, "imports people", people::import),
    post("/people/{id}/invite", Roles::ADMINISTRATOR, Fields, "makes a sign-in link", people::invite),
    post(
        "/people/{id}/erase",
        Roles::ADMINISTRATOR,
        Fields,
        "erases a person with everything handed in",
        people::erase,
    ),
    post("/people/{id}/access", Roles::ADMINISTRATOR, Fields, "lets a person in, or no more", people::access),
    post("/people/{id}/role", Roles::ADMINISTRATOR, Fields, "takes a role away", people::take_role),
    get("/units", Roles::OVERSEERS, "the units", units::show),
    post("/units", Roles::ADMINISTRATOR, Fields, "adds a unit", units::create),
    post("/units/{id}", Roles::ADMINISTRATOR, Fields, "changes a unit", units::change),
    get("/collections", Roles::OVERSEERS, "the collections", collections::show),
    post("/collections", Roles::ADMINISTRATOR, Fields, "makes a collection", collections::create),
    get("/collections/{id}", Roles::OVERSEERS, "a collection's documents", collections::one),
    post("/collections/{id}/upload", Roles::ADMINISTRATOR, Archive, "adds files", collections::upload),
    post("/collections/{id}/fill", Roles::ADMINISTRATOR, Fields, "adds a folder of the server", collections::fill),
    post("/collections/{id}/remove", Roles::ADMINISTRATOR, Fields, "removes documents", collections::remove),
    get("/rounds/new", Roles::ADMINISTRATOR, "the form of a new round", round_form::new),
    post("/rounds", Roles::ADMINISTRATOR, Fields, "makes a round", round_form::create),
    get("/rounds/{id}", Roles::ALL, "a round: to staff its submissions, to a student his own", round::show),
    get("/rounds/{id}/edit", Roles::ADMINISTRATOR, "the form of a round that is there", round_form::edit),
    post("/rounds/{id}/edit", Roles::ADMINISTRATOR, Fields, "changes a round", round_form::change),
    get("/rounds/{id}/students", Roles::STAFF, "its students, and who has handed in nothing", enrolment::show),
    post("/rounds/{id}/students", Roles::ADMINISTRATOR, File, "enrols students", enrolment::enrol),
    post(
        "/rounds/{id}/students/{student}",
        Roles::ADMINISTRATOR,
        Fields,
        "allows a student more checks",
        enrolment::allow,
    ),
    post(
        "/rounds/{id}/students/{student}/remove",
        Roles::ADMINISTRATOR,
        Fields,
        "takes a student out who has handed in nothing",
        enrolment::remove,
    ),
    post("/rounds/{id}/templates", Roles::ADMINISTRATOR, File, "adds a template", round::add_template),
    post(
        "/rounds/{id}/templates/{template}",
        Roles::ADMINISTRATOR,
        Fields,
        "takes a template away",
        round::remove_template,
    ),
    post("/rounds/{id}/submissions", Roles::SUBMITTERS, File, "hands in a file", round::submit),
    post("/rounds/{id}/batch", Roles::ADMINISTRATOR, Archive, "uploads an archive of many", batch::upload),
    post("/rounds/{id}/deposit", Roles::ADMINISTRATOR, Fields, "deposits all finals that have passed", round::deposit),
    get("/rounds/{id}/sheet.xlsx", Roles::STAFF, "the result sheet as a workbook", sheet::workbook),
    get("/rounds/{id}/sheet.pdf", Roles::STAFF, "the result sheet for the printer", sheet::paper),
    get("/batches/{id}", Roles::ADMINISTRATOR, "which file of an archive is whose", batch::show),
    post("/batches/{id}", Roles::ADMINISTRATOR, Fields, "queues the files that match", batch::start),
    get("/submissions/{id}", Roles::ALL, "a submission", submission::show),
    get("/submissions/{id}/report", Roles::ALL, "its report as a page; to its student redacted", submission::report),
    get(
        "/submissions/{id}/report.json",
        Roles::ALL,
        "its report as JSON; to its student redacted",
        submission::report_json,
    ),
    get(
        "/submissions/{id}/report.pdf",
        Roles::ALL,
        "its report as PDF; to its student redacted",
        submission::report_pdf,
    ),
    post("/submissions/{id}/cancel", Roles::CHANGERS, Fields, "cancels the check", submission::cancel),
    post("/submissions/{id}/decisions", Roles::DECIDERS, Fields, "leaves a source or passage out", submission::exclude),
    post("/submissions/{id}/decisions/{decision}", Roles::DECIDERS, Fields, "revokes that", submission::revoke),
    post("/submissions/{id}/verdict", Roles::DECIDERS, Fields, "gives the verdict", submission::give_verdict),
    post("/submissions/{id}/deposit", Roles::ADMINISTRATOR, Fields, "deposits a final", submission::deposit),
    post("/submissions/{id}/erase", Roles::ADMINISTRATOR, Fields, "erases a submission", submission::erase),
    get("/audit", Roles::OVERSEERS, "the audit log", audit::show),
    get("/view/{secret}", Roles::EVERYBODY, "a report by a short-lived link", api::viewer),
    get("/health/live", Roles::EVERYBODY, "whether the server answers", api::live),
    get("/health/ready", Roles::EVERYBODY, "whether it can take work", api::ready),
    get("/metrics", Roles::OVERSEERS, "figures for those who watch it", api::metrics).scope("read"),
    get("/static/style.css", Roles::EVERYBODY, "the look of the pages", api::style),
    get("/static/service.js", Roles::EVERYBODY, "the script of the pages", api::script),
    get("/favicon.ico", Roles::EVERYBODY, "no picture", api::no_picture),
    get("/api/v1/openapi.json", Roles::EVERYBODY, "the description of this interface", api::description),
    get("/api/v1/rounds", Roles::ALL, "the rounds that are the caller's business", api::rounds).scope("read"),
    post("/api/v1/rounds", Roles::ADMINISTRATOR, Fields, "makes a round", api::create_round).scope("manage"),
    get("/api/v1/rounds/{id}/submissions", Roles::ALL, "submissions of a round, in pages", api::submissions)
        .scope("read"),
    post("/api/v1/rounds/{id}/submissions", Roles::SUBMITTERS, File, "hands in a file", api::submit).scope("submit"),
    post("/api/v1/rounds/{id}/students", Roles::ADMINISTRATOR, File, "enrols students", api::enrol).scope("manage"),
    post(
        "/api/v1/rounds/{id}/batches",
        Roles::ADMINISTRATOR,
        Archive,
        "uploads an archive of many",
        api::batches::take,
    )
    .scope("submit"),
    get("/api/v1/batches/{id}", Roles::ADMINISTRATOR, "which file of an archive is whose", api::batches::show)
        .scope("read"),
    post("/api/v1/batches/{id}", Roles::ADMINISTRATOR, Nothing, "queues the files that match", api::batches::start)
        .scope("submit"),
    post(
        "/api/v1/rounds/{id}/deposit",
        Roles::ADMINISTRATOR,
        Fields,
        "deposits all finals that have passed",
        api::deposit_passed,
    )
    .scope("manage"),
    get("/api/v1/submissions/{id}", Roles::ALL, "a submission with its state and figures", api::submission)
        .scope("read"),
    Route::delete("/api/v1/submissions/{id}", Roles::ADMINISTRATOR, "erases a submission", api::erase).scope("manage"),
    get(
        "/api/v1/submissions/{id}/report",
        Roles::ALL,
        "the report as JSON; to its student redacted",
        submission::report_json,
    )
    .scope("read"),
    get(
        "/api/v1/submissions/{id}/report.html",
        Roles::ALL,
        "the report as a page; to its student redacted",
        submission::report,
    )
    .scope("read"),
    get(
        "/api/v1/submissions/{id}/report.pdf",
        Roles::ALL,
        "the report as PDF; to its student redacted",
        submission::report_pdf,
    )
    .scope("read"),
    post(
        "/api/v1/submissions/{id}/viewer",
        Roles::DECIDERS,
        Fields,
        "makes a short-lived link to the report",
        api::make_viewer,
    )
    .scope("read"),
    post("/api/v1/submissions/{id}/deposit", Roles::ADMINISTRATOR, Fields, "deposits a final", api::deposit)
        .scope("manage"),
    post("/api/v1/submissions/{id}/cancel", Roles::CHANGERS, Nothing, "cancels the check", api::cancel).scope("submit"),
    get("/api/v1/collections", Roles::OVERSEERS, "the collections", api::collections).scope("read"),
];

/// The table of routes and roles for docs/SERVICE.md, in Markdown.
pub fn table() -> String {
    let mut rows = String::from(
        "| address | what it does | administrator | supervisor | student | auditor | signed out | token scope |\n|---|---|---|---|---|---|---|---|\n",
    );
    for route in ROUTES.iter().chain([&EVENTS]) {
        let may = |role| if route.roles == Roles::EVERYBODY || route.roles.holds(role) { "yes" } else { "no" };
        let [administrator, supervisor, student, auditor] = Role::ALL.map(may);
        let signed_out = if route.roles == Roles::EVERYBODY { "yes" } else { "no" };
        rows.push_str(&format!(
            "| `{} {}` | {} | {administrator} | {supervisor} | {student} | {auditor} | {signed_out} | {} |\n",
            route.method.as_str(),
            route.path,
            route.about,
            route.scope.unwrap_or("–")
        ));
    }
    rows
}
