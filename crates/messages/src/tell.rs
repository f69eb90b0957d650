//! Values that are told: their code, their English sentence, and the sentence in any language.

use super::Language;
use serde::Serialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

/// Something that is told to people: an error, a remark or a notice. In English it is what it displays.
///
/// Every value is told that can be serialised with its `code` and figures (`#[serde(tag = "code")]`) and displayed.
pub trait Tell: fmt::Display {
    /// A stable name for what is told, which programs may rely on. Of something that has a reason it is the reason's.
    fn code(&self) -> Option<String>;

    /// The sentence in a language; in English where that language has none.
    fn tell(&self, language: Language) -> String;
}

impl<T: Serialize + fmt::Display> Tell for T {
    fn code(&self) -> Option<String> {
        code_of(&serde_json::to_value(self).ok()?)
    }

    fn tell(&self, language: Language) -> String {
        if language == Language::ENGLISH {
            return self.to_string();
        }
        let told = serde_json::to_value(self).ok().and_then(|value| language.of_value(&value));
        told.unwrap_or_else(|| self.to_string())
    }
}

/// A message of a program: a code, whose sentence every language's file has, and figures.
#[derive(Debug)]
pub struct Message {
    code: &'static str,
    figures: BTreeMap<&'static str, Figure>,
    source: Option<Box<dyn Error + Send + Sync>>,
}

/// A figure of a [`Message`].
#[derive(Debug)]
pub enum Figure {
    /// A number or a text.
    Plain(Value),
    /// Something that is told itself: its serialised form, and its English sentence.
    Told(Value, String),
    /// A message.
    Message(Box<Message>),
}

impl From<Message> for Figure {
    fn from(message: Message) -> Self {
        Figure::Message(Box::new(message))
    }
}

impl<T: Into<Value>> From<T> for Figure {
    fn from(value: T) -> Self {
        Figure::Plain(value.into())
    }
}

impl Figure {
    /// Something that is told itself.
    pub fn told(value: &(impl Serialize + fmt::Display)) -> Self {
        Figure::Told(serde_json::to_value(value).unwrap_or_default(), value.to_string())
    }

    fn value(&self, language: Language) -> Value {
        match self {
            Figure::Plain(value) => value.clone(),
            Figure::Told(value, english) => {
                let told = (language != Language::ENGLISH).then(|| language.of_value(value)).flatten();
                told.unwrap_or_else(|| english.clone()).into()
            }
            Figure::Message(message) => message.tell(language).into(),
        }
    }
}

impl Message {
    /// A message without figures.
    pub fn new(code: &'static str) -> Self {
        Message { code, figures: BTreeMap::new(), source: None }
    }

    /// The same with a figure.
    #[must_use]
    pub fn with(mut self, name: &'static str, figure: impl Into<Figure>) -> Self {
        self.figures.insert(name, figure.into());
        self
    }

    /// The same with the error that led to it.
    #[must_use]
    pub fn because(self, source: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Message { source: Some(source.into()), ..self }
    }
}

impl Tell for Message {
    fn code(&self) -> Option<String> {
        match self.figures.get("reason") {
            Some(Figure::Message(reason)) => reason.code(),
            Some(Figure::Told(reason, _)) => code_of(reason),
            _ => Some(self.code.to_owned()),
        }
    }

    fn tell(&self, language: Language) -> String {
        let figures: Map<String, Value> =
            self.figures.iter().map(|(name, figure)| ((*name).to_owned(), figure.value(language))).collect();
        // A test looks every code up in every language.
        language.of_figures(self.code, &figures).unwrap_or_else(|| self.code.to_owned())
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.tell(Language::ENGLISH))
    }
}

impl Error for Message {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &(dyn Error + 'static))
    }
}

/// A [`Message`] of a code with figures: `message!("row-too-long", row = 3)`.
#[macro_export]
macro_rules! message {
    ($code:literal $(, $name:ident = $figure:expr)* $(,)?) => {
        $crate::Message::new($code)$(.with(stringify!($name), $figure))*
    };
}

fn code_of(value: &Value) -> Option<String> {
    let code = value.get("reason").and_then(|reason| reason.get("code")).or(value.get("code"))?;
    code.as_str().map(str::to_owned)
}

/// Whether every language but English has a message for each of these values, with no figure that they have not: for the
/// tests of whoever has them.
///
/// # Errors
/// What is missing.
pub fn told_everywhere<T: Serialize + fmt::Debug>(values: impl IntoIterator<Item = T>) -> Result<(), String> {
    for value in values {
        let serialised = serde_json::to_value(&value).map_err(|error| error.to_string())?;
        for language in Language::all().filter(|language| *language != Language::ENGLISH) {
            if language.of_value(&serialised).is_none() {
                return Err(format!("{} has no message for {value:?}: {serialised}", language.tag()));
            }
        }
    }
    Ok(())
}
