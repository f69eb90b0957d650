//! The task that tells platforms scores (AGS) and asks them for members (NRPS).

use super::errands::{self, Errand, What};
use super::launch::has_role;
use super::platforms::{self, Link, Platform, Score};
use super::{keys, members};
use crate::app::{App, repeat};
use crate::fault::Fault;
use crate::rounds::Round;
use crate::store::{now, rows, secret};
use crate::submissions::{Kind, Shown, Verdict, shown_to_student};
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use ureq::http::{Request, Response};

/// How often it is looked whether there is something to do.
const EVERY: Duration = Duration::from_secs(2);
/// Pages of members that are read.
const MOST_PAGES: usize = 100;
/// Seconds for which a token of ours is good by which a platform knows us.
const ASSERTION: i64 = 60;

const SCORES: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/score";
const LINE_ITEMS: &str = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem";
const MEMBERS: &str = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly";
/// What this service asks platforms for.
pub const SCOPES: [&str; 3] = [SCORES, LINE_ITEMS, MEMBERS];

/// Does what waits, for as long as the server runs.
pub async fn watch(app: Arc<App>) {
    repeat(app, "platform", EVERY, run).await;
}

fn run(app: &App) -> Result<(), Fault> {
    while let Some(errand) = app.store.read(errands::next)? {
        let answer = run_one(app, &errand).map_err(|fault| match fault {
            Fault::Failed(why) => why,
            refused => refused.detail(),
        });
        app.store.write(|t| errands::came_to(t, &errand, &answer))?;
    }
    Ok(())
}

fn run_one(app: &App, errand: &Errand) -> Result<String, Fault> {
    let (link, of) = app.read(|c| {
        let link = platforms::link_of(c, &errand.link)?;
        Ok((link.clone(), platforms::get(c, &link.platform)?))
    })?;
    match errand.what {
        What::Score => tell_score(app, &of, &link, &errand.person),
        What::Members => ask_members(app, &of, &link),
    }
}

fn failed(why: impl Into<String>) -> Fault {
    Fault::Failed(why.into())
}

/// A request of a service with a token for it, and what answers.
fn ask(
    app: &App,
    of: &Platform,
    scopes: &str,
    request: ureq::http::request::Builder,
    body: Vec<u8>,
) -> Result<Response<Vec<u8>>, Fault> {
    let token = token(app, of, scopes)?;
    let request = request.header("authorization", format!("Bearer {token}")).body(body);
    let answer =
        app.lti.roads.ask(&app.webhook_hosts, request.map_err(|error| failed(error.to_string()))?).map_err(failed)?;
    if answer.status() == 401 {
        // A token that the platform does not know any more is fetched anew next time.
        app.lti.tokens.lock().unwrap_or_else(PoisonError::into_inner).remove(&format!("{} {scopes}", of.id));
    }
    match answer.status().is_success() {
        true => Ok(answer),
        false => Err(failed(answer.status().to_string())),
    }
}

/// A token for these scopes, for which this service tells by a token of its own who it is (RFC 7523).
fn token(app: &App, of: &Platform, scopes: &str) -> Result<String, Fault> {
    let tokens = || app.lti.tokens.lock().unwrap_or_else(PoisonError::into_inner);
    let (name, now) = (format!("{} {scopes}", of.id), now());
    if let Some((token, _)) = tokens().get(&name).filter(|(_, until)| *until > now) {
        return Ok(token.clone());
    }
    let claims = json!({
        "iss": of.client, "sub": of.client, "aud": of.token_url, "iat": now, "exp": now + ASSERTION, "jti": secret::new_id()
    });
    let assertion = app.read(|c| keys::signed(c, app.store.key(), &claims, now))?;
    let form = form_urlencoded::Serializer::new(String::new())
        .append_pair("grant_type", "client_credentials")
        .append_pair("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
        .append_pair("client_assertion", &assertion)
        .append_pair("scope", scopes)
        .finish();
    let request = Request::post(&of.token_url)
        .header("content-type", "application/x-www-form-urlencoded")
        .header("accept", "application/json")
        .body(form.into_bytes());
    let answer =
        app.lti.roads.ask(&app.webhook_hosts, request.map_err(|error| failed(error.to_string()))?).map_err(failed)?;
    let told: Value = serde_json::from_slice(answer.body()).unwrap_or_default();
    let token = told["access_token"].as_str().filter(|_| answer.status().is_success());
    let token = token.ok_or_else(|| failed(format!("{}: no token, {}", of.token_url, answer.status())))?.to_owned();
    let lasts = told["expires_in"].as_i64().unwrap_or(0).clamp(0, 86_400);
    tokens().insert(name, (token.clone(), now + lasts - ASSERTION));
    Ok(token)
}

/// An address with something behind its path.
fn below(address: &str, more: &str) -> String {
    match address.split_once('?') {
        Some((path, query)) => format!("{path}{more}?{query}"),
        None => format!("{address}{more}"),
    }
}

/// A score as platforms read it; none if there is nothing that the student may see.
fn score(c: &Connection, round: &Round, student: &str) -> Result<Option<Value>, Fault> {
    let sql = "SELECT s.kind, r.decided_ratio, v.verdict FROM submission s JOIN report r ON r.submission = s.id \
               LEFT JOIN verdict v ON v.submission = s.id WHERE s.round = ?1 AND s.student = ?2 AND s.kind != 'self' AND s.state = 'kept' \
               ORDER BY s.received DESC, s.attempt DESC LIMIT 1";
    let found: Option<(Kind, f64, Option<Verdict>)> = rows::first(c, sql, [&round.id, student])?;
    let (Some((kind, ratio, verdict)), Some(what)) = (found, platforms::score(c, &round.id)?) else { return Ok(None) };
    let given = match (what, verdict) {
        // Platforms show students their scores: none says more than the round does.
        (Score::Ratio, verdict) if shown_to_student(round, kind, verdict.is_some()) == Shown::Nothing => {
            return Ok(None);
        }
        (Score::Ratio, _) => Some((ratio * 1000.0).round() / 10.0),
        (Score::Verdict, None) => return Ok(None),
        (Score::Verdict, Some(Verdict::Pass)) => Some(100.0),
        (Score::Verdict, Some(Verdict::Fail)) => Some(0.0),
        (Score::Verdict, Some(Verdict::Revise)) => None,
    };
    Ok(Some(match given {
        Some(given) => {
            json!({ "scoreGiven": given, "scoreMaximum": 100, "activityProgress": "Completed", "gradingProgress": "FullyGraded" })
        }
        None => json!({ "activityProgress": "InProgress", "gradingProgress": "PendingManual" }),
    }))
}

fn tell_score(app: &App, of: &Platform, link: &Link, person: &str) -> Result<String, Fault> {
    let (found, subject, title) = app.read(|c| {
        let round = Round::get(c, &link.round)?;
        let sql = "SELECT subject FROM platform_member WHERE link = ?1 AND person = ?2";
        let subject: Option<String> = rows::first(c, sql, params![link.id, person])?;
        Ok((score(c, &round, person)?, subject, round.title))
    })?;
    let (Some(mut told), Some(subject)) = (found, subject) else { return Ok(String::new()) };
    let item = match (&link.line_item, &link.line_items) {
        (Some(item), _) => item.clone(),
        (None, Some(items)) => make_item(app, of, link, items, &title)?,
        (None, None) => return Err(failed("the platform takes no scores for this assignment")),
    };
    let at = jiff::Timestamp::now().round(jiff::Unit::Millisecond).map_or(String::new(), |at| at.to_string());
    told["userId"] = json!(subject);
    told["timestamp"] = json!(at);
    let request =
        Request::post(below(&item, "/scores")).header("content-type", "application/vnd.ims.lis.v1.score+json");
    Ok(ask(app, of, SCORES, request, told.to_string().into_bytes())?.status().to_string())
}

/// Makes the place where the scores of an assignment go.
fn make_item(app: &App, of: &Platform, link: &Link, items: &str, title: &str) -> Result<String, Fault> {
    let item = json!({ "label": title, "scoreMaximum": 100, "resourceLinkId": link.link, "resourceId": link.round });
    let request = Request::post(items).header("content-type", "application/vnd.ims.lis.v2.lineitem+json");
    let answer = ask(app, of, LINE_ITEMS, request, item.to_string().into_bytes())?;
    let made: Value = serde_json::from_slice(answer.body()).unwrap_or_default();
    let id = made["id"].as_str().ok_or_else(|| failed("a place for scores without an address"))?.to_owned();
    app.write(|t| Ok(t.execute("UPDATE resource_link SET line_item = ?2 WHERE id = ?1", [&link.id, &id])?))?;
    Ok(id)
}

/// Puts the students of a course into the round. Who cannot be told from another is left out.
fn ask_members(app: &App, of: &Platform, link: &Link) -> Result<String, Fault> {
    let mut place = link.memberships.clone().ok_or_else(|| failed("the platform tells no members"))?;
    let (mut joined, mut refused) = (0, 0);
    for _ in 0..MOST_PAGES {
        let request = Request::get(&place).header("accept", "application/vnd.ims.lti-nrps.v2.membershipcontainer+json");
        let answer = ask(app, of, MEMBERS, request, Vec::new())?;
        let told: Value = serde_json::from_slice(answer.body())?;
        let all = told["members"].as_array().cloned().unwrap_or_default();
        let students = all.iter().filter(|member| {
            has_role(&member["roles"], "Learner") && member["status"].as_str().is_none_or(|status| status == "Active")
        });
        for member in students {
            let text = |name: &str| member[name].as_str().map(str::trim).filter(|text| !text.is_empty());
            let Some(subject) = text("user_id").filter(|subject| subject.len() <= 255) else { continue };
            let done =
                app.write(|t| match members::admit(t, of, subject, text("lis_person_sourcedid"), text("name"))? {
                    Ok(person) => Ok(Some(members::joins(t, of, link, &person.id, subject)?)),
                    Err(_) => Ok(None),
                })?;
            joined += usize::from(done == Some(true));
            refused += usize::from(done.is_none());
        }
        match answer.headers().get_all("link").iter().filter_map(|value| value.to_str().ok()).find_map(next_page) {
            Some(next) => place = next,
            None => return Ok(format!("+{joined} −{refused}")),
        }
    }
    Err(failed("the list of members has no end"))
}

/// The address of the next page, as the head of an answer tells it (RFC 8288).
fn next_page(links: &str) -> Option<String> {
    let next = links.split(',').find(|link| link.contains("rel=\"next\"") || link.contains("rel=next"))?;
    Some(next.split_once('<')?.1.split_once('>')?.0.to_owned())
}
