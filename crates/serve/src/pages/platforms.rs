//! The learning platforms from which people come, and what goes back to them from a round.

use super::forms::{choice, folded, line, optional_value, table, tick_of};
use super::layout::{Place, page, time};
use super::words::Words;
use crate::deeds::elsewhere as deeds;
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::lti::errands::{self, What};
use crate::lti::platforms::{self, Score};
use crate::people::{Role, units};
use crate::rounds::Round;
use crate::webhooks::rows::State;
use maud::{Markup, html};

/// Errands on the page of a round.
const MOST: i64 = 500;

/// The platforms, and what they need to know of this service.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    show_with(call, None)
}

fn show_with(call: &Call, link: Option<&str>) -> Result<Reply, Fault> {
    let (words, caller) = (call.words(), call.caller()?);
    caller.oversees()?;
    let manages = caller.administrator().is_ok();
    let (all, units) = call.app.read(|c| Ok((platforms::all(c)?, units(c)?)))?;
    let unit = |id: i64| units.iter().find(|unit| unit.id == id).map_or("", |unit| unit.name.as_str());
    let pick_unit =
        || choice(words.unit, "unit", units.iter().map(|unit| (unit.id.to_string(), unit.name.as_str())), "");
    let base = call.base();
    let ours = [(words.our_login, "login"), (words.our_launch, "launch"), (words.our_keys, "keys")];
    let body = html! {
        h1 { (words.platforms) }
        @if let Some(link) = link { p.alert role="status" { (words.register_link_made) br; code { (link) } } }
        @if all.is_empty() { p.empty { (words.no_platforms) } }
        @for platform in &all { section.box aria-label=(platform.name) {
            h2 { bdi { (platform.name) } }
            p { (words.issuer) (words.colon) code { (platform.issuer) } " · " (words.client) (words.colon) code { (platform.client) }
                " · " (words.deployments) (words.colon) code { (platform.deployments) } }
            p { (words.unit) (words.colon) bdi { (unit(platform.unit)) } @if platform.takes_new { " · " (words.takes_new) } " · " (words.frame_url) (words.colon) code { (platform.frame) } }
            @if manages {
                form method="post" action={ "/platforms/" (platform.id) "/deployments" } { (line(words.deployment, "deployment", "text", "")) button { (words.save) } }
                form method="post" action={ "/platforms/" (platform.id) "/remove" } { button aria-label={ (words.remove) " " (platform.name) } { (words.remove) } }
            }
        } }
        h2 { (words.our_addresses) }
        p.hint { (words.platforms_hint) }
        dl { @for (name, path) in ours { dt { (name) } dd { code { (base) "/lti/" (path) } } } }
        @if manages {
            (folded("link", words.register_link, all.is_empty(), &html! {
                form.box method="post" action="/platforms/link" {
                    p.hint { (words.register_link_hint) }
                    (pick_unit()) (tick_of(words.takes_new, "takes_new", "true", true)) button.main { (words.register_link) }
                }
            }))
            (folded("hand", words.register_platform, false, &html! {
                form.box method="post" action="/platforms" {
                    (line(words.called, "name", "text", ""))
                    (line(words.issuer, "issuer", "text", ""))
                    (line(words.client, "client", "text", ""))
                    (optional_value(words.deployments, "deployments", "text", ""))
                    (line(words.authorization_url, "authorization_url", "url", ""))
                    (line(words.token_url, "token_url", "url", ""))
                    (line(words.keys_url, "keys_url", "url", ""))
                    (line(words.frame_url, "frame", "url", ""))
                    (pick_unit()) (tick_of(words.takes_new, "takes_new", "true", true))
                    button.main { (words.register_platform) }
                }
            }))
        }
    };
    Ok(page(call, Place::People, words.platforms, &body))
}

/// Makes a link by which a platform registers itself, and shows it once.
pub fn invite(call: &Call) -> Result<Reply, Fault> {
    let made = deeds::invite_platform(call)?;
    Ok(show_with(call, Some(&made.link))?.secret())
}

/// The choice of what goes to the platform's grades.
pub fn choose_score(words: &Words, chosen: Option<Score>) -> Markup {
    let named = [
        (String::new(), words.score_none),
        ("ratio".to_owned(), words.score_ratio),
        ("verdict".to_owned(), words.score_verdict),
    ];
    html! { (choice(words.score, "score", named, chosen.map_or("", Score::as_str))) p.hint { (words.score_hint) } }
}

/// What goes to the platform of a round, and what became of it.
pub fn round(call: &Call) -> Result<Reply, Fault> {
    let (words, caller, id) = (call.words(), call.caller()?, call.part("id")?);
    let (round, links, score, done, manages) = call.app.read(|c| {
        let (round, standing) = Round::of(c, caller, id)?;
        let manages = standing.role() == Role::Administrator;
        Ok((round, platforms::links(c, id)?, platforms::score(c, id)?, errands::of_round(c, id, MOST)?, manages))
    })?;
    let state = |state| match state {
        State::Waiting => words.waiting,
        State::Done => words.done,
        State::Failed => words.failed,
    };
    let address = format!("/rounds/{id}/platform");
    let rows = html! { @for errand in &done { tr {
        td { (time(errand.made)) } td { (if errand.what == What::Score { words.what_score } else { words.what_members }) } td { bdi { (errand.called) } }
        td.n { (errand.attempts) } td { @if errand.state == State::Failed { span.above { (state(errand.state)) } } @else { (state(errand.state)) } " " bdi { (errand.answer) } }
    } } };
    let body = html! {
        h1 { (words.platform) }
        p { a href={ "/rounds/" (id) } { bdi { (round.title) } } }
        @if manages {
            form.box method="post" action=(address) { (choose_score(words, score)) button.main { (words.save) } }
            @if links.iter().any(|link| link.memberships.is_some()) {
                form method="post" action=(address) { input type="hidden" name="members" value="true"; button { (words.fetch_members) } }
            }
        }
        h2 { (words.errands) }
        @if done.is_empty() { p.empty { (words.no_errands) } }
        @else { (table(&[words.at, words.action, words.student, words.attempts, words.state], &[words.attempts], &rows)) }
    };
    Ok(page(call, Place::Overview, words.platform, &body))
}
