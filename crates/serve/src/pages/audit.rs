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

/// What is done, and its key in the files of messages.
const ACTIONS: &[(&str, &str)] = &[
    ("add_harvest", "audit-add-harvest"),
    ("add_deployment", "audit-add-deployment"),
    ("add_template", "audit-add-template"),
    ("agree", "audit-agree"),
    ("allow_checks", "audit-allow-checks"),
    ("appeal", "audit-appeal"),
    ("cancel", "audit-cancel"),
    ("change_password", "audit-change-password"),
    ("change_round", "audit-change-round"),
    ("change_unit", "audit-change-unit"),
    ("check_again", "audit-check-again"),
    ("choose_password", "audit-choose-password"),
    ("correct_student", "audit-correct-student"),
    ("create_collection", "audit-create-collection"),
    ("create_round", "audit-create-round"),
    ("create_unit", "audit-create-unit"),
    ("demo", "audit-demo"),
    ("deposit", "audit-deposit"),
    ("end_session", "audit-end-session"),
    ("enrol", "audit-enrol"),
    ("erase_person", "audit-erase-person"),
    ("erase_submission", "audit-erase-submission"),
    ("exclude", "audit-exclude"),
    ("export_person", "audit-export-person"),
    ("fetch_file", "audit-fetch-file"),
    ("fetch_sheet", "audit-fetch-sheet"),
    ("fill_collection", "audit-fill-collection"),
    ("first_start", "audit-first-start"),
    ("forget_identity", "audit-forget-identity"),
    ("give_file", "audit-give-file"),
    ("give_role", "audit-give-role"),
    ("import_people", "audit-import-people"),
    ("invite", "audit-invite"),
    ("invite_platform", "audit-invite-platform"),
    ("let_in", "audit-let-in"),
    ("link_round", "audit-link-round"),
    ("make_person", "audit-make-person"),
    ("make_platform", "audit-make-platform"),
    ("make_token", "audit-make-token"),
    ("make_viewer", "audit-make-viewer"),
    ("make_webhook", "audit-make-webhook"),
    ("name_reviewer", "audit-name-reviewer"),
    ("remove_collection", "audit-remove-collection"),
    ("remove_documents", "audit-remove-documents"),
    ("remove_harvest", "audit-remove-harvest"),
    ("remove_platform", "audit-remove-platform"),
    ("remove_round", "audit-remove-round"),
    ("remove_second_factor", "audit-remove-second-factor"),
    ("remove_student", "audit-remove-student"),
    ("remove_template", "audit-remove-template"),
    ("remove_unit", "audit-remove-unit"),
    ("remove_webhook", "audit-remove-webhook"),
    ("rename_person", "audit-rename-person"),
    ("reset_password", "audit-reset-password"),
    ("review", "audit-review"),
    ("revoke", "audit-revoke"),
    ("revoke_token", "audit-revoke-token"),
    ("run_harvest", "audit-run-harvest"),
    ("set_mail", "audit-set-mail"),
    ("set_score", "audit-set-score"),
    ("set_second_factor", "audit-set-second-factor"),
    ("shut_out", "audit-shut-out"),
    ("sign_in", "audit-sign-in"),
    ("sign_in_failed", "audit-sign-in-failed"),
    ("submit", "audit-submit"),
    ("take_reviewer_back", "audit-take-reviewer-back"),
    ("take_role", "audit-take-role"),
    ("upload_batch", "audit-upload-batch"),
    ("verdict", "audit-verdict"),
    ("view_report", "audit-view-report"),
    ("write_terms", "audit-write-terms"),
    ("offer_collection", "audit-offer-collection"),
    ("agree_to_share", "audit-agree-to-share"),
    ("end_sharing", "audit-end-sharing"),
    ("ask_wording", "audit-ask-wording"),
    ("grant_wording", "audit-grant-wording"),
    ("refuse_wording", "audit-refuse-wording"),
    ("revoke_wording", "audit-revoke-wording"),
];

/// An action in words.
fn in_words(action: &str, language: Language) -> String {
    let key = ACTIONS.iter().find(|(known, _)| *known == action).map(|(_, key)| *key);
    key.and_then(|key| language.text(key)).unwrap_or_else(|| action.to_owned())
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
    let actions = ACTIONS.iter().map(|(action, _)| *action);
    let actions: Vec<&str> =
        actions.filter(|action| in_words(action, call.language).to_lowercase().contains(&lowered)).collect();
    let (rows, verified, head) = call.app.read(|c| {
        let rows = audit::find(c, before, searched, &actions, supervisor, MOST)?;
        Ok((rows, audit::verify(c, call.app.store.key())?, audit::noted(&audit::head(c)?)))
    })?;
    let rows_shown = html! { @for Named { entry, who, what } in &rows { tr {
        td.n { (entry.n) } td { (time(entry.at)) } td { (named(entry.person.as_deref().unwrap_or("–"), who)) }
        td title=(entry.action) { (in_words(&entry.action, call.language)) @if !entry.detail.is_empty() { " " bdi { (entry.detail) } } }
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

    #[test]
    fn every_action_is_told_in_words_of_every_language() {
        for language in Language::all() {
            for (action, _) in ACTIONS {
                assert_ne!(in_words(action, language), *action);
            }
        }
        assert_eq!(in_words("submit", Language::named("zh").unwrap()), "提交论文");
    }
}
