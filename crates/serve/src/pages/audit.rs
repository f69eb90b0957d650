//! The audit log in words and names, and whether it is whole.

use super::forms::table;
use super::layout::{Place, page, time};
use crate::audit::{self, Named};
use crate::fault::Fault;
use crate::http::call::Call;
use crate::http::reply::Reply;
use copytrace_messages::Language;
use maud::{Markup, html};

/// Rows on a page.
const MOST: usize = 100;

/// An action in words, which the files of messages have under its name.
fn in_words(action: &str, language: Language) -> Option<String> {
    language.text(&format!("audit-{}", action.replace('_', "-")))
}

/// The log, the latest row first, or those rows that hold what is looked for.
pub fn show(call: &Call) -> Result<Reply, Fault> {
    let caller = call.caller()?;
    caller.oversees()?;
    // Who marks without names learns none here either; administrators see all names everywhere.
    let supervisor = caller.administrator().is_err().then_some(caller.person.id.as_str());
    let words = call.words();
    let (before, searched) = (call.parameter("before").parse().unwrap_or(i64::MAX), call.parameter("q").trim());
    let lowered = searched.to_lowercase();
    let (rows, verified, head) = call.app.read(|c| {
        let mut actions = audit::kinds(c)?;
        actions.retain(|action| {
            in_words(action, call.language).is_some_and(|words| words.to_lowercase().contains(&lowered))
        });
        let rows = audit::find(c, before, searched, &actions, supervisor, MOST)?;
        Ok((rows, audit::verify(c, call.app.store.key())?, audit::noted(&audit::head(c)?)))
    })?;
    let rows_shown = html! { @for Named { entry, who, what } in &rows { tr {
        td.n { (entry.n) } td { (time(entry.at)) } td { (named(entry.person.as_deref().unwrap_or("–"), who)) }
        td title=(entry.action) { (in_words(&entry.action, call.language).unwrap_or(entry.action.clone())) @if !entry.detail.is_empty() { " " bdi { (entry.detail) } } }
        td { (named(&entry.object, what)) }
    } } };
    let more = rows.last().map(|last| {
        let before = last.entry.n.to_string();
        form_urlencoded::Serializer::new(String::new())
            .append_pair("q", searched)
            .append_pair("before", &before)
            .finish()
    });
    let body = html! {
        h1 { (words.audit) }
        p { a href="/data-protection" { (words.protection) } }
        @match verified {
            Ok(rows) => p role="status" { (words.chain_whole) " " (rows) },
            Err(row) => p.alert role="alert" { (words.chain_broken) " " (row) },
        }
        p.hint { (words.chain_head) " " code data-head=(head) { (head) } }
        form.controls method="get" action="/audit" { label { (words.search) input type="search" name="q" value=(searched); } button { (words.find) } }
        (table(&[words.attempt, words.at, words.who, words.action, words.object], &[words.attempt], &rows_shown))
        @if let (MOST, Some(more)) = (rows.len(), more) { p { a href={ "/audit?" (more) } { (words.more) } } }
    };
    Ok(page(call, Place::Audit, words.audit, &body))
}

/// An id with the name beside it, if there is one still.
fn named(id: &str, name: &str) -> Markup {
    html! { @if !name.is_empty() { bdi { (name) } " " } code { (id) } }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::Action;

    #[test]
    fn each_action_is_told_in_words_of_every_language() {
        for language in Language::all() {
            for action in Action::ALL {
                assert!(in_words(action.as_str(), language).is_some(), "{action:?}");
            }
            assert_eq!(in_words("of_an_earlier_version", language), None);
        }
    }
}
