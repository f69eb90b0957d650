//! The page of a form whose fields were refused: as it was sent, with the reason above, so that nothing is typed twice. It needs no script.

use crate::access;
use crate::fault::Fault;
use crate::http::call::{Call, Fields};
use crate::http::guard;
use crate::http::reply::Reply;
use crate::http::route::Route;
use crate::server::routes::served;
use axum::http::{HeaderMap, Method, header};
use maud::html;
use std::collections::HashMap;
use std::sync::Arc;

/// The address, with its query, of our page that a request came from. Our pages tell it to ourselves only.
pub fn came_from(headers: &HeaderMap) -> Option<String> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let (_, rest) = text(header::REFERER)?.split_once("://")?;
    let (authority, path) = rest.split_once('/')?;
    let place = format!("/{path}");
    (Some(authority) == text(header::HOST)).then_some(place).filter(|place| is_ours(place))
}

/// Whether an address leads to a page of this server, and to nowhere else.
pub fn is_ours(place: &str) -> bool {
    let plain = place.chars().all(|c| c.is_ascii_graphic() && c != '\\');
    plain
        && place.starts_with('/')
        && !place.starts_with("//")
        && [false, true].iter().any(|at_desk| page_of(place, *at_desk).is_some())
}

/// Where to sign in, and be led to a page of ours then.
pub fn sign_in_for(place: &str, was_sent: bool) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    if is_ours(place) && !["/", "/login"].contains(&place) {
        query.append_pair("to", place);
    }
    if was_sent {
        query.append_pair("ended", "1");
    }
    let query = query.finish();
    if query.is_empty() { "/login".to_owned() } else { format!("/login?{query}") }
}

/// The page of a route without anything to send, with the parts of its path that vary.
fn page_of(place: &str, at_desk: bool) -> Option<(&'static Route, HashMap<String, String>)> {
    let path = place.split(['?', '#']).next().unwrap_or_default();
    // Whole parts come before those that vary, as in `/rounds/new`.
    let mut found: Vec<_> = served(at_desk)
        .filter(|route| route.method == Method::GET && !route.path.starts_with("/api/"))
        .filter_map(|route| Some((route, parts(route.path, path)?)))
        .collect();
    found.sort_by_key(|(_, parts)| parts.len());
    found.into_iter().next()
}

fn parts(pattern: &str, path: &str) -> Option<HashMap<String, String>> {
    let (pattern, path): (Vec<&str>, Vec<&str>) = (pattern.split('/').collect(), path.split('/').collect());
    let mut varying = HashMap::new();
    for (known, given) in pattern.iter().zip(&path) {
        match known.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            Some(name) if !given.is_empty() => drop(varying.insert(name.to_owned(), (*given).to_owned())),
            _ if known == given => {}
            _ => return None,
        }
    }
    (pattern.len() == path.len()).then_some(varying)
}

/// The page that a form was sent from, with its fields as they were sent; none if nobody sent one from a page.
fn page(call: &Call, action: &str, fault: &Fault) -> Option<Reply> {
    let refusal = fault.refusal()?;
    let about = if let Fault::Refused(_, about) = fault { about.as_str() } else { "" };
    if action.starts_with("/api/") {
        return None;
    }
    let place = came_from(&call.headers)?;
    let (route, path) = page_of(&place, call.app.desk.is_some())?;
    let caller = guard::admit(&call.app, route, &call.headers, &call.address).ok()?;
    if let Some(caller) = &caller {
        access::admit(&call.app, caller, route, &path).ok()?;
    }
    let query = place.split_once('?').map_or("", |(_, query)| query);
    // What was done before is not told again.
    let told = ["done", "papers", "erased", "ended"];
    let query =
        form_urlencoded::parse(query.as_bytes()).into_owned().filter(|(name, _)| !told.contains(&name.as_str()));
    let again = Call {
        route,
        app: Arc::clone(&call.app),
        caller,
        address: call.address.clone(),
        headers: call.headers.clone(),
        path,
        query: query.collect(),
        fields: Fields::default(),
        files: Vec::new(),
        language: call.language,
        key: None,
    };
    let shown = (route.handle)(&again).ok().filter(|shown| shown.status == 200 && !shown.is_secret)?;
    let shown = String::from_utf8(shown.body).ok()?;
    let alert = html! { p.alert role="alert" { (fault.told(call.language)) } }.into_string();
    let filled = filled(&shown, action, &call.fields, about)?;
    let (head, body) = filled.split_once(CONTENT)?;
    Some(Reply::page(maud::PreEscaped(format!("{head}{CONTENT}{alert}{body}"))).status(refusal.status))
}

/// How the content of our pages begins.
const CONTENT: &str = "<main id=\"content\">";

/// A refusal as the page of its form, if there is one.
///
/// # Errors
/// When there is none: the refusal.
pub fn or_refused(done: Result<Reply, Fault>, call: &Call, action: &str) -> Result<Reply, Fault> {
    let done = if call.app.desk.is_some() { done.map_err(Fault::at_desk) } else { done };
    let shown = done.as_ref().err().and_then(|fault| page(call, action, fault));
    shown.map_or(done, Ok)
}

/// A page with the fields of the form that sends to `action` as they were sent, the wrong one marked. None without such a form.
fn filled(page: &str, action: &str, fields: &Fields, wrong: &str) -> Option<String> {
    let (begin, end) = forms(page).find(|(begin, end)| {
        let form = &page[*begin..*end];
        let tag = &form[..=form.find('>').unwrap_or(0)];
        // Of forms in rows the one with the same hidden fields was sent.
        let hidden = tags(form).filter(|tag| attribute(tag, "type").as_deref() == Some("hidden"));
        let mut same = hidden.map(|tag| (attribute(tag, "name"), attribute(tag, "value")));
        attribute(tag, "action").as_deref() == Some(action)
            && same.all(|(name, value)| {
                value.is_some_and(|value| fields.values(&name.unwrap_or_default()).contains(&value))
            })
    })?;
    let mut before = page[..begin].to_owned();
    // A form that folds away is open.
    if let Some(fold) = before.rfind("<details").filter(|fold| !before[*fold..].contains("</details>")) {
        let tag_end = fold + before[fold..].find('>')?;
        if !before[fold..tag_end].contains(" open") {
            before.insert_str(tag_end, " open");
        }
    }
    Some(before + &sent(&page[begin..end], fields, wrong) + &page[end..])
}

fn forms(page: &str) -> impl Iterator<Item = (usize, usize)> {
    page.match_indices("<form").filter_map(|(begin, _)| Some((begin, begin + page[begin..].find("</form>")?)))
}

/// The tags of HTML of ours, in which no attribute has an angle bracket.
fn tags(html: &str) -> impl Iterator<Item = &str> {
    html.match_indices('<').filter_map(|(at, _)| Some(&html[at..=at + html[at..].find('>')?]))
}

/// An attribute of a tag of ours, unescaped.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let value = tag.split_once(&format!(" {name}=\""))?.1.split('"').next()?;
    Some(value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&"))
}

fn escaped(text: &str) -> String {
    html! { (text) }.into_string()
}

/// A form with these fields.
fn sent(form: &str, fields: &Fields, wrong: &str) -> String {
    let (mut filled, mut rest, mut choice) = (String::new(), form, String::new());
    while let Some(at) = rest.find('<') {
        let end = rest[at..].find('>').map_or(rest.len(), |end| at + end + 1);
        let (tag, kind) = (&rest[at..end], rest[at + 1..end].split([' ', '>']).next().unwrap_or_default());
        filled.push_str(&rest[..at]);
        rest = &rest[end..];
        let name = attribute(tag, "name").unwrap_or_default();
        let marked = if !name.is_empty() && name == wrong { " aria-invalid=\"true\"" } else { "" };
        let with = |tag: &str, more: &str| format!("{}{marked}{more}>", tag.trim_end_matches('>'));
        let values = fields.values(&name);
        let value = attribute(tag, "value").unwrap_or_default();
        match (kind, attribute(tag, "type").as_deref().unwrap_or("text")) {
            ("input", "hidden" | "password" | "file") => filled.push_str(&with(tag, "")),
            ("input", "checkbox" | "radio") => {
                let ticked = if values.contains(&value) { " checked" } else { "" };
                filled.push_str(&with(&tag.replace(" checked", ""), ticked));
            }
            ("input", _) => {
                let typed = escaped(values.first().map_or("", String::as_str));
                let plain = tag.replace(&format!(" value=\"{}\"", escaped(&value)), "");
                filled.push_str(&with(&plain, &format!(" value=\"{typed}\"")));
            }
            ("textarea", _) => {
                // What is between the tags was there before.
                rest = &rest[rest.find("</textarea>").unwrap_or(0)..];
                filled.push_str(&with(tag, ""));
                filled.push_str(&escaped(values.first().map_or("", String::as_str)));
            }
            ("select", _) => {
                filled.push_str(&with(tag, ""));
                choice = name;
            }
            ("option", _) => {
                let chosen = fields.values(&choice).contains(&value);
                filled.push_str(&with(&tag.replace(" selected", ""), if chosen { " selected" } else { "" }));
            }
            _ => filled.push_str(tag),
        }
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_that_was_sent_has_its_fields_again_and_no_other() {
        let page = "<details class=\"fold\"><form action=\"/a\"><input type=\"text\" name=\"t\" value=\"old\" required>\
                    <input type=\"checkbox\" name=\"x\" value=\"1\" checked><input type=\"password\" name=\"p\"><textarea name=\"c\">was</textarea>\
                    <select name=\"s\"><option value=\"1\" selected>1</option><option value=\"2\">2</option></select></form></details>\
                    <form action=\"/b\"><input name=\"t\" value=\"old\"></form>";
        let pairs = [("t", "a \"b\" <c>"), ("c", "one\ntwo"), ("s", "2"), ("p", "secret")];
        let fields = Fields::of_form(pairs.map(|(name, value)| (name.to_owned(), value.to_owned()))).unwrap();
        let expected = "<details class=\"fold\" open><form action=\"/a\"><input type=\"text\" name=\"t\" required aria-invalid=\"true\" \
                        value=\"a &quot;b&quot; &lt;c&gt;\"><input type=\"checkbox\" name=\"x\" value=\"1\"><input type=\"password\" name=\"p\">\
                        <textarea name=\"c\">one\ntwo</textarea><select name=\"s\"><option value=\"1\">1</option>\
                        <option value=\"2\" selected>2</option></select></form></details><form action=\"/b\"><input name=\"t\" value=\"old\"></form>";
        assert_eq!(filled(page, "/a", &fields, "t").as_deref(), Some(expected));
        assert_eq!(filled(page, "/c", &fields, "t"), None);
    }

    #[test]
    fn sign_in_leads_to_pages_of_ours_only() {
        for place in ["/rounds/new", "/submissions/abc/report?at=3", "/people?q=x"] {
            assert!(is_ours(place), "{place}");
        }
        for place in [
            "//evil.example",
            "/\\evil.example",
            "https://evil.example/",
            "/nowhere",
            "/rounds/x/deposit",
            "/people?\r\nx: y",
        ] {
            assert!(!is_ours(place), "{place:?}");
            assert_eq!(sign_in_for(place, false), "/login");
        }
        assert_eq!(page_of("/rounds/new", false).unwrap().0.path, "/rounds/new");
    }
}
