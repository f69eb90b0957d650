//! What all pages have: the bar with the menu, the language, and who is signed in.

use super::words::Words;
use crate::http::call::Call;
use crate::http::reply::Reply;
use crate::people::{Person, Role};
use crate::store::now;
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
    /// The caller's own account.
    Account,
    /// None of them.
    Elsewhere,
}

/// A page for whoever calls.
pub fn page(call: &Call, place: Place, title: &str, body: &Markup) -> Reply {
    let person = call.caller.as_ref().map(|caller| &caller.person);
    // With how many a form did something: told on the page that it leads to.
    let done = call.parameter("done").parse::<u32>().ok();
    let body = html! { @if let Some(done) = done { p.box role="status" { (call.words().done_count) (call.words().colon) b { (done) } } } (body) };
    Reply::page(whole(call.words(), person, place, title, &body))
}

/// What forms call a field, of those that are easily filled in wrongly.
fn label<'a>(words: &Words, field: &'a str) -> &'a str {
    let labels = [
        ("title", words.title),
        ("opens", words.opens),
        ("closes", words.closes),
        ("quota", words.quota),
        ("interval_hours", words.interval_hours),
        ("interval_s", words.interval_hours),
        ("self_checks", words.self_checks),
        ("limit", words.limit),
        ("limit_ratio", words.limit),
        ("keep_days", words.keep_days),
        ("previous", words.previous),
        ("collections", words.compared_with),
        ("name", words.called),
        ("code", words.code),
        ("parent", words.part_of),
        ("extra_checks", words.extra_checks),
        ("scopes", words.scopes),
        ("from", words.folder),
        ("reason", words.reason),
        ("file", words.file),
    ];
    labels.iter().find(|(name, _)| *name == field).map_or(field, |(_, label)| label)
}

/// A page that says what went wrong.
pub fn fault(words: &Words, message: &str, about: &str, signed_in: bool) -> Reply {
    let body = html! {
        h1 { (words.error) }
        p.alert role="alert" { (message) @if !about.is_empty() { " (" bdi { (label(words, about)) } ")" } }
        p { a href=(if signed_in { "/" } else { "/login" }) { (if signed_in { words.overview } else { words.sign_in }) } }
    };
    Reply::page(whole(words, None, Place::Elsewhere, words.error, &body))
}

fn whole(words: &Words, person: Option<&Person>, place: Place, title: &str, body: &Markup) -> Markup {
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
                    @if let Some(person) = person { (menu(words, person, place)) }
                    div.end {
                        form method="post" action="/language" {
                            button.link name="language" value=(words.other_code) lang=(if words.other_code == "zh" { "zh-CN" } else { "en" }) { (words.other_language) }
                        }
                        @if let Some(person) = person {
                            a href="/account" aria-current=[current(place, Place::Account)] title=(words.account) { bdi { (person.label()) } }
                            form method="post" action="/logout" { button.link { (words.sign_out) } }
                        }
                    }
                }
                main #content { (body) }
                footer { p { (words.measures) } p { (zone(words)) } }
            }
        }
    }
}

fn current(place: Place, here: Place) -> Option<&'static str> {
    (place == here).then_some("page")
}

fn menu(words: &Words, person: &Person, place: Place) -> Markup {
    let staff = [Role::Administrator, Role::Auditor].into_iter().any(|role| person.has_everywhere(role));
    let entries = [
        (Place::Overview, "/", words.overview, true),
        (Place::Collections, "/collections", words.collections, staff),
        (Place::People, "/people", words.people, staff),
        (Place::Audit, "/audit", words.audit, staff),
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
