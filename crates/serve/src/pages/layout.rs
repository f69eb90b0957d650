//! What all pages have: the bar with the menu, the language, and who is signed in.

use super::words::Words;
use crate::app::App;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::{Person, Role};
use crate::store::now;
use copytrace_messages::{Language, Tell, message};
use jiff::tz::TimeZone;
use maud::{DOCTYPE, Markup, html};

/// A place in the menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The overview.
    Overview,
    /// People.
    People,
    /// Collections.
    Collections,
    /// The audit log.
    Audit,
    /// The help of a desk.
    Help,
    /// The caller's own account.
    Account,
    /// None of them.
    Elsewhere,
}

/// A page for whoever calls.
pub fn page(call: &Call, place: Place, title: &str, body: &Markup) -> Reply {
    let person = call.caller.as_ref().map(|caller| &caller.person);
    // With how many people or papers a form did something: told on the page that it leads to.
    let count = |name: &str| call.parameter(name).parse::<u32>().ok();
    let people = count("done").map(|people| message!("imported", people = people));
    let done = people.or_else(|| count("papers").map(|papers| message!("taken", papers = papers)));
    let erased =
        Some(call.parameter("erased")).filter(|id| !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric()));
    let done = done.or_else(|| (call.parameter("ended") == "1").then(|| message!("session-ended")));
    let done = done.or_else(|| erased.map(|id| message!("erased", id = id, at = time(now()))));
    let body = html! { @if let Some(done) = done { p.box role="status" { (done.tell(call.language)) } } (body) };
    Reply::page(whole(&call.app, call.words(), person, place, title, &body))
}

/// The last page of a program that ends: without the menu, for nothing answers behind it any more.
pub fn last_page(call: &Call, title: &str, body: &Markup) -> Reply {
    Reply::page(whole(&call.app, call.words(), None, Place::Elsewhere, title, body))
}

/// A page that says what went wrong, with the menu of whoever is signed in, and the way back to the form that was sent.
pub fn fault(app: &App, words: &Words, message: &str, person: Option<&Person>, back: Option<&str>) -> Reply {
    let body = html! {
        h1 { (words.error) }
        p.alert role="alert" { (message) }
        p {
            @if let Some(back) = back { a href=(back) { (words.back) } " · " }
            @if person.is_some() { a href="/" { (words.overview) } } @else if app.is_for_several() { a href="/login" { (words.sign_in) } }
        }
    };
    Reply::page(whole(app, words, person, Place::Elsewhere, words.error, &body))
}

fn whole(app: &App, words: &Words, person: Option<&Person>, place: Place, title: &str, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(words.language) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) " – " (words.product) }
                link rel="stylesheet" href="/static/style.css";
                script src="/static/service.js" defer {}
            }
            body {
                a.skip href="#content" { (words.skip) }
                header.top-bar {
                    a.product href="/" { (words.product) }
                    @if let Some(person) = person { (menu(app, words, person, place)) }
                    div.end {
                        form method="post" action="/language" {
                            @for other in Language::all().filter(|other| *other != words.in_language) {
                                button.link name="language" value=(other.code()) lang=(other.tag()) { (Words::of(other).own_name) }
                            }
                        }
                        @if let (Some(_), Some(_)) = (person, &app.desk) {
                            form method="post" action="/desk/end" { button { (words.end_desk) } }
                        } @else if let Some(person) = person {
                            a href="/account" aria-current=[current(place, Place::Account)] title=(words.account) { bdi { (person.label()) } }
                            form method="post" action="/logout" { button.link { (words.sign_out) } }
                        }
                    }
                }
                main #content { (body) }
                footer { p { (words.measures) } @if app.desk.is_none() { p { (zone(words)) } } }
            }
        }
    }
}

fn current(place: Place, here: Place) -> Option<&'static str> {
    (place == here).then_some("page")
}

fn menu(app: &App, words: &Words, person: &Person, place: Place) -> Markup {
    let staff = [Role::Administrator, Role::Auditor].into_iter().any(|role| person.has_everywhere(role));
    let has_collections = staff || person.is(Role::Administrator) || person.is(Role::Auditor);
    let several = app.is_for_several();
    let entries = [
        (Place::Overview, "/", words.overview, true),
        (Place::Collections, "/collections", words.collections, has_collections),
        (Place::People, "/people", words.people, staff && several),
        (Place::Audit, "/audit", words.audit, staff && several),
        (Place::Help, "/desk/help", words.help_desk, !several),
    ];
    html! {
        nav aria-label=(words.main_menu) {
            ul {
                @for (here, address, name, _) in entries.into_iter().filter(|entry| entry.3) {
                    li { a href=(address) aria-current=[current(place, here)] { (name) } }
                }
            }
        }
    }
}

/// A time to the minute, in the time zone of the server (`TZ`, else the system's).
pub fn time(seconds: i64) -> String {
    formatted(seconds, "%Y-%m-%d %H:%M")
}

/// Seconds as minutes and seconds, in figures.
pub fn duration(seconds: i64) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// The day of a time.
pub fn day(seconds: i64) -> String {
    formatted(seconds, "%Y-%m-%d")
}

/// The same as a field of a form has it.
pub fn field_time(seconds: i64) -> String {
    formatted(seconds, "%Y-%m-%dT%H:%M")
}

fn formatted(seconds: i64, format: &str) -> String {
    let at = jiff::Timestamp::from_second(seconds);
    at.map_or_else(|_| "–".to_owned(), |at| at.to_zoned(TimeZone::system()).strftime(format).to_string())
}

/// What the times are those of: the server's time zone, by its offset now.
pub fn zone(words: &Words) -> String {
    format!("{} UTC{}", words.times, formatted(now(), "%:z"))
}

/// What such a field says; none for a time that there never was or will be.
pub fn time_of_field(given: jiff::civil::DateTime) -> Option<i64> {
    Some(given.to_zoned(TimeZone::system()).ok()?.timestamp().as_second())
}

/// A ratio in per cent with one decimal.
pub fn percent(ratio: f64) -> String {
    format!("{:.1}%", ratio * 100.0)
}
