//! The languages, and the messages that the file of each has.

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use fluent_syntax::ast::{CallArguments, Entry, Expression, InlineExpression, Pattern, PatternElement};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// A language that there is a file of messages for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Language(usize);

struct Loaded {
    bundle: FluentBundle<FluentResource>,
    names: Vec<String>,
}

/// The file of a language, parsed when something is first told in it.
fn loaded(language: Language) -> &'static Loaded {
    static LOADED: [OnceLock<Loaded>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];
    LOADED[language.0].get_or_init(|| {
        let names = language.names_in_file();
        let tag = names.first().and_then(|name| name.parse().ok()).unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![tag]);
        // Texts are shown alone or in elements of their own, so nothing has to be isolated from what is around it.
        bundle.set_use_isolating(false);
        // A test parses all files, and knows that no name is there twice.
        let _ = bundle.add_resource(resource(language));
        let _ = bundle.add_function("SIZE", |values, _| match values {
            [FluentValue::Number(bytes)] => size(bytes.value as u64).into(),
            _ => FluentValue::Error,
        });
        Loaded { bundle, names }
    })
}

fn resource(language: Language) -> FluentResource {
    FluentResource::try_new(FILES[language.0].to_owned()).unwrap_or_else(|(resource, _)| resource)
}

impl Language {
    /// English, in which everything can be told.
    pub const ENGLISH: Language = Language(0);

    /// All languages, English first.
    pub fn all() -> impl Iterator<Item = Language> {
        (0..FILES.len()).map(Language)
    }

    /// The language of a name such as `zh`, `zh-CN`, `zh_cn` or `chinese`, in any case.
    pub fn named(name: &str) -> Option<Language> {
        let name = name.replace('_', "-");
        Language::all().find(|language| language.names().any(|known| known.eq_ignore_ascii_case(&name)))
    }

    /// The language of a locale such as `zh_CN.UTF-8`; English unless there is a file for it.
    pub fn of_locale(locale: &str) -> Language {
        let primary = locale.split(['_', '-', '.', '@']).next().unwrap_or_default();
        Language::named(primary).unwrap_or(Language::ENGLISH)
    }

    /// Its tag (BCP 47), as in the `lang` of a page: `en`, `zh-CN`.
    pub fn tag(self) -> &'static str {
        self.names().next().unwrap_or("en")
    }

    /// Its code (ISO 639): `en`, `zh`.
    pub fn code(self) -> &'static str {
        self.tag().split('-').next().unwrap_or("en")
    }

    /// What it can be called, its tag first.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        loaded(self).names.iter().map(String::as_str)
    }

    fn names_in_file(self) -> Vec<String> {
        let line = FILES[self.0].lines().find_map(|line| line.strip_prefix("language-names = "));
        line.unwrap_or_default().split_whitespace().map(str::to_owned).collect()
    }

    /// How many files there are before it.
    #[doc(hidden)]
    pub fn index(self) -> usize {
        self.0
    }

    /// A message without figures.
    pub fn text(self, key: &str) -> Option<String> {
        self.formatted(key, None)
    }

    /// A message with a place, `{}`, for each of its figures: for whoever fills it in elsewhere, such as the script of a page.
    pub fn pattern(self, key: &str) -> Option<String> {
        let mut places = FluentArgs::new();
        self.variables(key).into_iter().for_each(|name| places.set(name, "{}"));
        self.formatted(key, Some(&places))
    }

    /// The message of a value in its serialised form, whose `code` is the key and whose other fields are figures; none if this
    /// language has no message for it.
    pub(crate) fn of_value(self, value: &Value) -> Option<String> {
        let fields = value.as_object()?;
        let figures = fields.iter().map(|(name, value)| Some((name.as_str(), self.figure(value)?)));
        self.formatted(fields.get("code")?.as_str()?, Some(&figures.collect::<Option<FluentArgs>>()?))
    }

    /// A figure; one that is told itself is in this language.
    fn figure(self, value: &Value) -> Option<FluentValue<'static>> {
        Some(match value {
            Value::Null => "none".into(),
            Value::Bool(truth) => truth.to_string().into(),
            Value::Number(number) => number.as_f64()?.into(),
            Value::String(text) => text.clone().into(),
            Value::Array(list) => {
                let texts = list.iter().map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned));
                texts.collect::<Vec<_>>().join(", ").into()
            }
            Value::Object(_) => self.of_value(value)?.into(),
        })
    }

    pub(crate) fn of_figures(self, key: &str, figures: &Map<String, Value>) -> Option<String> {
        let figures = figures.iter().map(|(name, value)| Some((name.as_str(), self.figure(value)?)));
        self.formatted(key, Some(&figures.collect::<Option<FluentArgs>>()?))
    }

    fn formatted(self, key: &str, figures: Option<&FluentArgs>) -> Option<String> {
        let bundle = &loaded(self).bundle;
        let (key, attribute) = key.split_once('.').map_or((key, None), |(key, attribute)| (key, Some(attribute)));
        let message = bundle.get_message(key)?;
        let pattern = match attribute {
            Some(attribute) => message.get_attribute(attribute)?.value(),
            None => message.value()?,
        };
        let mut errors = Vec::new();
        let text = bundle.format_pattern(pattern, figures, &mut errors).into_owned();
        errors.is_empty().then_some(text)
    }

    /// The figures that a message names.
    pub fn variables(self, key: &str) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        if let Some(pattern) = loaded(self).bundle.get_message(key).and_then(|message| message.value()) {
            of_pattern(pattern, &mut names);
        }
        names
    }

    /// The keys of its file, each with the figures that its message names.
    ///
    /// # Errors
    /// What in the file is no message, or a key that is there twice.
    pub fn keys(self) -> Result<BTreeMap<String, BTreeSet<String>>, String> {
        let mut keys = BTreeMap::new();
        for entry in resource(self).entries() {
            match entry {
                Entry::Message(message) => {
                    let key = message.id.name.to_owned();
                    let names = self.variables(&key);
                    if let Some(twice) = keys.insert(key.clone(), names).map(|_| key) {
                        return Err(format!("{twice} is there twice"));
                    }
                }
                Entry::Junk { content } => return Err(format!("not a message: {content}")),
                _ => {}
            }
        }
        Ok(keys)
    }
}

fn of_pattern(pattern: &Pattern<&str>, names: &mut BTreeSet<String>) {
    for element in &pattern.elements {
        if let PatternElement::Placeable { expression } = element {
            of_expression(expression, names);
        }
    }
}

fn of_expression(expression: &Expression<&str>, names: &mut BTreeSet<String>) {
    match expression {
        Expression::Inline(inline) => of_inline(inline, names),
        Expression::Select { selector, variants } => {
            of_inline(selector, names);
            variants.iter().for_each(|variant| of_pattern(&variant.value, names));
        }
    }
}

fn of_inline(inline: &InlineExpression<&str>, names: &mut BTreeSet<String>) {
    match inline {
        InlineExpression::VariableReference { id } => {
            names.insert(id.name.to_owned());
        }
        InlineExpression::Placeable { expression } => of_expression(expression, names),
        InlineExpression::FunctionReference { arguments: CallArguments { positional, .. }, .. } => {
            positional.iter().for_each(|argument| of_inline(argument, names));
        }
        _ => {}
    }
}

/// Bytes as people say them.
fn size(bytes: u64) -> String {
    match bytes {
        0..0x400 => format!("{bytes} B"),
        0x400..0x10_0000 => format!("{} KiB", bytes >> 10),
        0x10_0000..0x4000_0000 => format!("{} MiB", bytes >> 20),
        _ => format!("{} GiB", bytes >> 30),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_locale_gives_its_language() {
        let chinese = Language::named("zh").unwrap();
        for (locale, language) in
            [("zh_CN.UTF-8", chinese), ("ZH", chinese), ("C", Language::ENGLISH), ("", Language::ENGLISH)]
        {
            assert_eq!(Language::of_locale(locale), language, "{locale}");
        }
        assert_eq!((chinese.tag(), chinese.code(), Language::ENGLISH.tag()), ("zh-CN", "zh", "en"));
        assert_eq!(Language::named("Zh_cn"), Some(chinese));
    }

    #[test]
    fn every_language_has_all_messages_of_english_with_the_same_figures() {
        let english = Language::ENGLISH.keys().unwrap();
        assert!(english.len() > 100);
        for language in Language::all() {
            let keys = language.keys().unwrap_or_else(|error| panic!("{}: {error}", language.tag()));
            for (key, figures) in &english {
                let of_key = keys.get(key).unwrap_or_else(|| panic!("{} has no {key}", language.tag()));
                assert_eq!(of_key, figures, "{}: {key}", language.tag());
            }
            for key in keys.keys() {
                assert!(language.pattern(key).is_some(), "{}: {key}", language.tag());
            }
        }
    }

    #[test]
    fn no_word_of_a_message_accuses() {
        for file in FILES {
            for line in file.lines().filter(|line| !line.starts_with("service-measures")) {
                for word in ["plagiar", "cheat", "guilt", "fraud", "抄袭", "剽窃", "作弊"] {
                    assert!(!line.to_lowercase().contains(word), "{line}");
                }
            }
        }
    }
}
