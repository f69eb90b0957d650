//! CAS 3: a ticket, which the provider confirms once, and its word that somebody has signed out there.

use super::claims::Told;
use super::client::Client;
use super::jws::Claims;
use super::{Settings, Trouble, with_query};
use quick_xml::events::Event;
use quick_xml::{Reader, escape::resolve_xml_entity};
use serde_json::Value;

/// Elements within each other; an answer has four.
const DEEPEST: usize = 16;
/// Characters of a ticket; the standard asks for 256.
const LONGEST_TICKET: usize = 1024;

/// Where a browser is sent to sign in, and to come back from.
pub fn begin(of: &Settings, back: &str) -> String {
    with_query(&at(of, "login"), &[("service", back)])
}

/// Where a browser signs out at the provider.
pub fn sign_out_at(of: &Settings, back: &str) -> String {
    with_query(&at(of, "logout"), &[("service", back)])
}

fn at(of: &Settings, word: &str) -> String {
    format!("{}/{word}", of.address.trim_end_matches('/'))
}

/// Who came back with a ticket, as the provider says.
///
/// # Errors
/// When it does not answer, or does not confirm the ticket for the address that the browser came back to.
pub fn finish(of: &Settings, client: &Client, ticket: &str, back: &str) -> Result<Told, Trouble> {
    if ticket.is_empty() || ticket.len() > LONGEST_TICKET {
        return Err(Trouble::Refused("no ticket".to_owned()));
    }
    let place = with_query(&at(of, "p3/serviceValidate"), &[("service", back), ("ticket", ticket)]);
    let answer = client.get(&place, None)?;
    let confirmed = std::str::from_utf8(&answer).ok().and_then(confirmed);
    let told = confirmed.ok_or_else(|| Trouble::Refused("the ticket was not confirmed".to_owned()))?;
    // By its ticket a provider tells of the end of the session.
    Ok(Told { session: Some(ticket.to_owned()), ..told })
}

/// Whom an answer confirms; nobody if it does not.
fn confirmed(xml: &str) -> Option<Told> {
    let (mut subjects, mut claims) = (Vec::new(), Claims::new());
    texts(xml, |path, text| match path {
        ["serviceResponse", "authenticationSuccess", "user"] => subjects.push(text.to_owned()),
        ["serviceResponse", "authenticationSuccess", "attributes", name] => {
            let values = claims.entry((*name).to_owned()).or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(values) = values {
                values.push(Value::String(text.to_owned()));
            }
        }
        _ => {}
    })?;
    let [subject] = &subjects[..] else { return None };
    // What the provider says itself goes before an attribute of this name.
    claims.insert("user".to_owned(), Value::String(subject.clone()));
    (!subject.is_empty()).then(|| Told { subject: subject.clone(), session: None, claims })
}

/// The ticket of the session that has ended at the provider.
pub fn signed_out(xml: &str) -> Option<String> {
    let mut tickets = Vec::new();
    texts(xml, |path, text| {
        if path == ["LogoutRequest", "SessionIndex"] {
            tickets.push(text.to_owned());
        }
    })?;
    tickets.pop().filter(|ticket| !ticket.is_empty())
}

/// Calls `visit` with the text of each element that has no others in it, and with the names of those it is in. None if it is no XML of one element,
/// or declares entities of its own, which are looked up nowhere.
fn texts(xml: &str, mut visit: impl FnMut(&[&str], &str)) -> Option<()> {
    let mut reader = Reader::from_str(xml.trim_start_matches('\u{FEFF}'));
    let (mut path, mut text, mut is_leaf, mut roots) = (Vec::<String>::new(), String::new(), false, 0);
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) => {
                roots += usize::from(path.is_empty());
                path.push(start.local_name().into_inner().to_owned());
                text.clear();
                is_leaf = true;
                if path.len() > DEEPEST || roots > 1 {
                    return None;
                }
            }
            Event::End(_) => {
                if std::mem::take(&mut is_leaf) {
                    let names: Vec<&str> = path.iter().map(String::as_str).collect();
                    visit(&names, text.trim());
                }
                path.pop()?;
            }
            Event::Text(part) => text.push_str(&part.xml10_content()),
            Event::CData(part) => text.push_str(&part.xml10_content()),
            Event::GeneralRef(reference) => match reference.resolve_char_ref().ok()? {
                Some(character) => text.push(character),
                None => text.push_str(resolve_xml_entity(&reference)?),
            },
            Event::DocType(_) => return None,
            Event::Eof => return (path.is_empty() && roots == 1).then_some(()),
            Event::Empty(_) | Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(within: &str) -> String {
        format!("<cas:serviceResponse xmlns:cas=\"http://www.yale.edu/tp/cas\">{within}</cas:serviceResponse>")
    }

    fn success(within: &str) -> String {
        answer(&format!("<cas:authenticationSuccess>{within}</cas:authenticationSuccess>"))
    }

    #[test]
    fn an_answer_names_whom_it_confirms_with_what_else_the_provider_says() {
        let told = confirmed(&success(
            "\n <cas:user>u&amp;1 </cas:user>\n <cas:attributes><cas:no>2026001</cas:no><cas:group>a</cas:group>\
             <cas:group><![CDATA[b]]></cas:group><cas:user>other</cas:user></cas:attributes>",
        ))
        .unwrap();
        assert_eq!((told.subject.as_str(), told.one("no").as_deref()), ("u&1", Some("2026001")));
        assert_eq!(
            (told.values("group"), told.one("user").as_deref()),
            (vec!["a".to_owned(), "b".to_owned()], Some("u&1"))
        );
    }

    #[test]
    fn what_does_not_confirm_one_person_confirms_nobody() {
        let user = "<cas:user>u1</cas:user>";
        for xml in [
            answer("<cas:authenticationFailure code=\"INVALID_TICKET\">no</cas:authenticationFailure>"),
            answer(&format!("<cas:authenticationFailure code=\"X\">{user}</cas:authenticationFailure>")),
            answer(user),
            success(""),
            success("<cas:user></cas:user>"),
            success("<cas:user/>"),
            success(&format!("{user}{user}")),
            success("<cas:user><cas:user>u1</cas:user></cas:user>"),
            success(&format!("<cas:attributes>{user}</cas:attributes>")),
            format!("{}{}", answer(""), success(user)),
            format!("<!DOCTYPE x [<!ENTITY u \"u1\">]>{}", success("<cas:user>&u;</cas:user>")),
            success("<cas:user>&u;</cas:user>"),
            success(user).replace("</cas:serviceResponse>", ""),
            success(&format!("{}{user}{}", "<x>".repeat(20), "</x>".repeat(20))),
            format!("<html>{}</html>", success(user)),
            "no\n".to_owned(),
            String::new(),
        ] {
            assert!(confirmed(&xml).is_none(), "{xml}");
        }
    }

    #[test]
    fn a_sign_out_names_the_ticket_by_which_somebody_signed_in() {
        let of = |within: &str| {
            signed_out(&format!(
                "<samlp:LogoutRequest xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\" ID=\"1\">\
                 <saml:NameID xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\">@NOT_USED@</saml:NameID>{within}</samlp:LogoutRequest>"
            ))
        };
        assert_eq!(of("<samlp:SessionIndex>ST-1-abc</samlp:SessionIndex>").as_deref(), Some("ST-1-abc"));
        assert_eq!(of(""), None);
        assert_eq!(signed_out("<SessionIndex>ST-1</SessionIndex>"), None);
    }
}
