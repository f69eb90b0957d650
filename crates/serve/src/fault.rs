//! Why a request is not done: a status, a stable code, and a sentence for people in each language.

use crate::pages::words::Words;
use copytrace_messages::{Language, Message, Tell, message};

/// A reason that a person or a program can do something about.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal {
    /// A word that programs may rely on.
    pub code: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// Its key in the files of messages.
    key: &'static str,
}

impl Refusal {
    /// What is said to people.
    pub fn message(&self, language: Language) -> String {
        Message::new(self.key).tell(language)
    }

    /// What is said to people who filled a form in, with what it is about.
    pub fn message_about(&self, about: &str, language: Language) -> String {
        let called = FIELDS.iter().find(|(field, _)| *field == about).map_or(about, |(_, word)| word);
        let field = called.replace('_', "-");
        let of_field = language.text(&format!("field-{field}"));
        if let Some(message) = of_field.filter(|_| *self == BAD_FIELD) {
            return message;
        }
        match language.text(&format!("service-{field}")).filter(|_| *self == BAD_FIELD) {
            Some(label) => Message::new("refusal-bad-field-named").with("field", label).tell(language),
            None if about.is_empty() => self.message(language),
            None => {
                let (message, label) = (self.message(language), language.text(&format!("service-{field}")));
                let about = label.unwrap_or_else(|| about.to_owned());
                Message::new("refusal-about").with("refusal", message).with("about", about).tell(language)
            }
        }
    }
}

/// Fields of forms and of the interface that are called by another word than their own.
const FIELDS: &[(&str, &str)] = &[
    ("interval_s", "interval_hours"),
    ("limit_ratio", "limit"),
    ("collections", "compared_with"),
    ("name", "called"),
    ("parent", "part_of"),
    ("from", "folder"),
    ("collection", "collections"),
    ("document", "documents"),
    ("source", "sources"),
    ("authorization_url", "url"),
    ("token_url", "url"),
    ("keys_url", "url"),
    ("frame", "url"),
];

macro_rules! refusals {
    ($($name:ident $code:literal $status:literal $key:literal;)*) => {
        $(#[doc = concat!("The refusal `", $code, "`.")] pub static $name: Refusal =
            Refusal { code: $code, status: $status, key: $key };)*
        /// All of them, for the description of the programming interface.
        pub static REFUSALS: &[&Refusal] = &[$(&$name),*];
    };
}

refusals! {
    BAD_REQUEST "bad_request" 400 "refusal-bad-request";
    BAD_FIELD "bad_field" 422 "refusal-bad-field";
    NOT_SIGNED_IN "not_signed_in" 401 "refusal-not-signed-in";
    WRONG_PASSWORD "wrong_password" 401 "refusal-wrong-password";
    PROVIDER_DOWN "provider_down" 503 "refusal-provider-down";
    PROVIDER_REFUSED "provider_refused" 403 "refusal-provider-refused";
    SIGN_IN_LOST "sign_in_lost" 400 "refusal-sign-in-lost";
    UNKNOWN_PERSON "unknown_person" 403 "refusal-unknown-person";
    IDENTITY_CONFLICT "identity_conflict" 403 "refusal-identity-conflict";
    PASSWORD_ONLY "password_only" 403 "refusal-password-only";
    LINK_USED "link_used" 410 "refusal-link-used";
    WEAK_PASSWORD "weak_password" 422 "refusal-weak-password";
    NOT_ALLOWED "not_allowed" 403 "refusal-not-allowed";
    SECOND_FACTOR_NEEDED "second_factor_needed" 403 "refusal-second-factor-needed";
    NOT_IN_SCOPE "not_in_scope" 403 "refusal-not-in-scope";
    CROSS_SITE "cross_site" 403 "refusal-cross-site";
    WRONG_HOST "wrong_host" 421 "refusal-wrong-host";
    NOT_FOUND "not_found" 404 "refusal-not-found";
    WRONG_METHOD "wrong_method" 405 "refusal-wrong-method";
    CONFLICT "conflict" 409 "refusal-conflict";
    NOT_EMPTY "not_empty" 409 "refusal-not-empty";
    ROUND_CLOSED "round_closed" 409 "refusal-round-closed";
    NOT_ENROLLED "not_enrolled" 404 "refusal-not-enrolled";
    QUOTA_USED "quota_used" 409 "refusal-quota-used";
    DECIDED_ON "decided_on" 409 "refusal-decided-on";
    FILE_GONE "file_gone" 410 "refusal-file-gone";
    TOLD_ONCE "told_once" 409 "refusal-told-once";
    VERDICT_STANDS "verdict_stands" 409 "refusal-verdict-stands";
    SPACE_USED "space_used" 409 "refusal-space-used";
    TERMS_NEEDED "terms_needed" 403 "refusal-terms-needed";
    TOO_SOON "too_soon" 409 "refusal-too-soon";
    STILL_RUNNING "still_running" 409 "refusal-still-running";
    SAME_FILE "same_file" 409 "refusal-same-file";
    NOT_READY "not_ready" 409 "refusal-not-ready";
    NOT_SHOWN "not_shown" 403 "refusal-not-shown";
    NOT_FINAL "not_final" 409 "refusal-not-final";
    WRONG_KIND "wrong_kind" 415 "refusal-wrong-kind";
    EMPTY_FILE "empty_file" 422 "refusal-empty-file";
    TOO_LARGE "too_large" 413 "refusal-too-large";
    BAD_ARCHIVE "bad_archive" 422 "refusal-bad-archive";
    TOO_SLOW "too_slow" 408 "refusal-too-slow";
    TOO_MANY "too_many" 429 "refusal-too-many";
    KEY_REUSED "key_reused" 422 "refusal-key-reused";
    NO_SPACE "no_space" 507 "refusal-no-space";
    BUSY "busy" 503 "refusal-busy";
}

/// The refusal of a page that stayed open after its desk had ended. No program meets it.
static DESK_LEFT: Refusal = Refusal { code: "desk_left", status: 401, key: "refusal-desk-left" };
/// The refusal of whatever comes to a desk whose disk is nearly full.
pub static DESK_FULL: Refusal = Refusal { code: "no_space", status: 507, key: "refusal-desk-full" };

/// Why a request is not done.
#[derive(Debug)]
pub enum Fault {
    /// For a reason that is told, with what it is about.
    Refused(&'static Refusal, String),
    /// For reasons that are told in the reader's language, in the place of the refusal's own sentence.
    Told(&'static Refusal, Vec<Message>),
    /// Something failed that should not; the log has it.
    Failed(String),
}

impl Fault {
    /// The refusal; none if something failed.
    pub fn refusal(&self) -> Option<&'static Refusal> {
        match self {
            Fault::Refused(refusal, _) | Fault::Told(refusal, _) => Some(refusal),
            Fault::Failed(_) => None,
        }
    }

    /// What is said to people.
    pub fn told(&self, language: Language) -> String {
        match self {
            Fault::Refused(refusal, about) => refusal.message_about(about, language),
            Fault::Told(_, messages) => sentences(messages, language),
            Fault::Failed(_) => Words::of(language).internal.to_owned(),
        }
    }

    /// The same as a desk tells it, where nobody is to be asked and nobody signs in.
    pub fn at_desk(self) -> Fault {
        match self {
            Fault::Refused(refusal, _) if *refusal == NOT_SIGNED_IN => (&DESK_LEFT).into(),
            Fault::Refused(refusal, _) if *refusal == NO_SPACE => (&DESK_FULL).into(),
            fault => fault,
        }
    }

    /// What a program is told beside the refusal, in English.
    pub fn detail(&self) -> String {
        match self {
            Fault::Refused(_, about) => about.clone(),
            Fault::Told(_, messages) => sentences(messages, Language::ENGLISH),
            Fault::Failed(_) => String::new(),
        }
    }
}

/// Messages one behind the other, each on its line.
fn sentences(messages: &[Message], language: Language) -> String {
    messages.iter().map(|message| message.tell(language)).collect::<Vec<_>>().join("\n")
}

impl From<&'static Refusal> for Fault {
    fn from(refusal: &'static Refusal) -> Self {
        Fault::Refused(refusal, String::new())
    }
}

macro_rules! failures {
    ($($error:ty),*) => { $(impl From<$error> for Fault {
        fn from(error: $error) -> Self {
            Fault::Failed(error.to_string())
        }
    })* };
}

failures!(serde_json::Error, copytrace::index::IndexError, rust_xlsxwriter::XlsxError);

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => (&NO_SPACE).into(),
            Some(rusqlite::ErrorCode::DatabaseBusy) => (&BUSY).into(),
            _ => Fault::Failed(error.to_string()),
        }
    }
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            std::io::ErrorKind::StorageFull => (&NO_SPACE).into(),
            _ => Fault::Failed(error.to_string()),
        }
    }
}

/// The refusal of what is larger than this many bytes.
pub fn too_large(most: u64) -> Fault {
    let most = if most >= 1 << 20 { format!("{} MiB", most >> 20) } else { format!("{} KiB", most >> 10) };
    Fault::Told(&TOO_LARGE, vec![message!("refusal-too-large-limit", most = most)])
}

/// A refusal with what it is about.
pub fn refused<T>(refusal: &'static Refusal, about: impl Into<String>) -> Result<T, Fault> {
    Err(Fault::Refused(refusal, about.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_has_its_message_in_every_language() {
        for language in Language::all() {
            for refusal in REFUSALS.iter().chain(&[&DESK_LEFT, &DESK_FULL]) {
                assert_ne!(refusal.message(language), refusal.key);
            }
        }
    }

    #[test]
    fn a_desk_tells_what_to_do_about_a_full_disk_and_sends_nobody_to_an_administrator() {
        let full = || Fault::from(std::io::Error::from(std::io::ErrorKind::StorageFull));
        for (language, at_office, at_desk) in [("en", "administrator", "recycle bin"), ("zh", "管理员", "回收站")]
        {
            let language = Language::named(language).unwrap();
            assert!(full().told(language).contains(at_office));
            let told = full().at_desk().told(language);
            assert!(told.contains(at_desk) && !told.contains(at_office), "{told}");
        }
        assert_eq!(full().at_desk().refusal().map(|refusal| refusal.status), Some(507));
    }

    #[test]
    fn a_field_that_is_wrong_is_called_as_the_form_calls_it() {
        let chinese = Language::named("zh").unwrap();
        assert_eq!(BAD_FIELD.message_about("closes", chinese), "“截止”未填写，或早于开始时间。");
        assert_eq!(BAD_FIELD.message_about("quota", chinese), "“每生检测次数”未填写，或填写有误。");
        assert!(BAD_FIELD.message_about("Idempotency-Key", Language::ENGLISH).ends_with("(Idempotency-Key)"));
    }
}
