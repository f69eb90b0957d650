//! The task that sends letters.

use super::outbox::{self, Fate, Letter, Row};
use super::{Encryption, Settings, notices, text};
use crate::app::App;
use crate::fault::Fault;
use crate::log;
use crate::people::{Person, invitations, session};
use copytrace_messages::Language;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{Tls, TlsParameters};
use lettre::{SmtpTransport, Transport};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// How often it is looked whether there is something to send.
const EVERY: Duration = Duration::from_secs(2);
/// The longest pause after a mail server did not answer.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);
/// How long a mail server may take for an answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// Connections to the mail server at once: it answers a letter after some time, in which others can be sent.
const CONNECTIONS: usize = 6;
/// Letters that are looked up at once.
const BATCH: usize = 200;
/// Seconds for which a link for a lost password is good.
const RESET_LASTS: i64 = 3600;

/// Sends what is in the outbox, for as long as the server runs.
pub async fn watch(app: Arc<App>) {
    let mut pause = EVERY;
    loop {
        let shared = Arc::clone(&app);
        let sent = tokio::task::spawn_blocking(move || send(&shared)).await;
        let trouble = match sent.unwrap_or_else(|error| Err(Fault::Failed(error.to_string()))) {
            Ok(()) => String::new(),
            Err(Fault::Failed(why)) => why,
            Err(fault) => format!("{fault:?}"),
        };
        pause = match trouble.is_empty() {
            true => EVERY,
            false => {
                log::failed("mail", &trouble);
                (pause * 2).min(LONGEST_PAUSE)
            }
        };
        *app.mail_trouble.lock().unwrap_or_else(PoisonError::into_inner) = trouble;
        tokio::time::sleep(pause).await;
    }
}

/// Sends what is due. An error means that the mail server takes nothing from us now; no letter is to blame.
fn send(app: &App) -> Result<(), Fault> {
    let Some(settings) = &app.mail else { return Ok(()) };
    let gathered = i64::from(settings.gather_minutes) * 60;
    // Before each batch: a lost password does not wait for thousands of invitations.
    let next = || {
        if app.store.read(|c| outbox::has_news(c, gathered))? {
            app.store.write(|t| outbox::gather(t, gathered))?;
        }
        Ok::<_, Fault>(app.store.read(|c| outbox::next(c, BATCH))?)
    };
    let mut letters = next()?;
    if letters.is_empty() {
        return Ok(());
    }
    let failed =
        |error: lettre::transport::smtp::Error| Fault::Failed(format!("{}: {}", settings.server, told(&error)));
    let transport = transport(settings).map_err(failed)?;
    // Whether it knows us is told before the first letter, so that no letter counts as refused for a wrong password of ours.
    if !transport.test_connection().map_err(failed)? {
        return Err(Fault::Failed(format!("{}: does not answer", settings.server)));
    }
    while !letters.is_empty() {
        let taken = AtomicUsize::new(0);
        let one_after_the_other = || {
            while let Some(letter) = letters.get(taken.fetch_add(1, Ordering::Relaxed)) {
                send_one(app, settings, &transport, letter)?;
            }
            Ok::<_, Fault>(())
        };
        std::thread::scope(|scope| {
            let senders = [(); CONNECTIONS].map(|()| scope.spawn(one_after_the_other));
            senders.into_iter().try_for_each(|sender| {
                sender.join().unwrap_or_else(|_| Err(Fault::Failed("a sender of letters panicked".to_owned())))
            })
        })?;
        letters = next()?;
    }
    Ok(())
}

fn transport(settings: &Settings) -> Result<SmtpTransport, lettre::transport::smtp::Error> {
    let tls = || TlsParameters::new_rustls(settings.server.clone());
    let (tls, port) = match settings.encryption {
        Encryption::Tls => (Tls::Wrapper(tls()?), 465),
        Encryption::StartTls => (Tls::Required(tls()?), 587),
        Encryption::None => (Tls::None, 25),
    };
    let mut builder = SmtpTransport::builder_dangerous(&settings.server).tls(tls).timeout(Some(PATIENCE));
    if let Some(user) = &settings.user {
        builder = builder.credentials(Credentials::new(user.clone(), settings.password.clone()));
    }
    Ok(builder.port(settings.port.unwrap_or(port)).build())
}

/// What a mail server said, in one line.
fn told(error: &lettre::transport::smtp::Error) -> String {
    let mut told = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(because) = cause {
        if !told.contains(&because.to_string()) {
            told.push_str(&format!(": {because}"));
        }
        cause = because.source();
    }
    told.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect()
}

fn send_one(app: &App, settings: &Settings, transport: &SmtpTransport, letter: &Row) -> Result<(), Fault> {
    let person = app.store.read(|c| Person::active(c, &letter.person))?;
    let address = person.as_ref().and_then(|person| person.mail.as_deref()).and_then(|mail| mail.parse().ok());
    let (Some(person), Some(address)) = (person, address) else {
        // Shut out, or the address was taken away meanwhile.
        return Ok(app.store.write(|t| outbox::ended(t, letter, Fate::Refused, "no address"))?);
    };
    let news = app.store.read(|c| notices::waiting(c, &person.id))?;
    let is_needless = match letter.kind {
        Letter::Digest => news.is_empty(),
        // By another link the person has chosen a password meanwhile.
        Letter::Invitation => app.store.read(|c| session::has_password(c, &person.id))?,
        Letter::Reset => false,
    };
    if is_needless {
        return Ok(app.store.write(|t| t.execute("DELETE FROM letter WHERE id = ?1", [letter.id]).map(drop))?);
    }
    let secret = match letter.kind {
        Letter::Digest => None,
        Letter::Invitation => Some(invitations::LASTS),
        Letter::Reset => Some(RESET_LASTS),
    };
    let secret = secret.map(|lasts| app.store.write(|t| session::invite_for(t, &person.id, lasts))).transpose()?;
    let link = secret.map_or(format!("{}/", app.base), |secret| format!("{}/invite/{secret}", app.base));
    let language = person.language.as_deref().and_then(Language::named).or(Language::named(&settings.language));
    let (subject, body) = text::of(app, letter.kind, &person, language.unwrap_or(Language::ENGLISH), &link, &news);
    let message = message(settings, letter, Mailbox::new(None, address), subject, body)?;
    let sent = transport.send(&message);
    Ok(app.store.write(|t| match &sent {
        Ok(_) => outbox::ended(t, letter, Fate::Sent, ""),
        Err(error) if error.is_permanent() => outbox::ended(t, letter, Fate::Refused, &told(error)),
        Err(error) => outbox::put_off(t, letter, &told(error)),
    })?)
}

fn message(settings: &Settings, letter: &Row, to: Mailbox, subject: String, body: String) -> Result<Message, Fault> {
    let failed = |error: &dyn std::error::Error| Fault::Failed(error.to_string());
    let from: Mailbox = settings.from.parse().map_err(|error| failed(&error as &lettre::address::AddressError))?;
    // A letter that is sent twice, because the server ended before it was noted, is known again by its number.
    let id = format!("<{}.{}.copytrace@{}>", letter.id, letter.made, from.email.domain());
    // So that no holiday answers (RFC 3834).
    let automatic = HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".to_owned());
    let message = Message::builder().from(from).to(to).subject(subject).message_id(Some(id)).raw_header(automatic);
    message.header(ContentType::TEXT_PLAIN).body(body).map_err(|error| failed(&error))
}
