//! Words that are looked up once, as fields of a struct: the compiler knows their names.

/// Makes a struct of words, a field for each message without figures whose key begins with a prefix. Figures of the others
/// stand as `{}` in them, for the script of a page that fills them in.
///
/// ```
/// copytrace_messages::words! {
///     /// Some words of the reports.
///     pub struct Words, "report": sources sources_off
/// }
/// let words = Words::of(copytrace_messages::Language::ENGLISH);
/// assert_eq!((words.language, words.sources, words.sources_off), ("en", "Sources", "sources: {}"));
/// ```
#[doc(hidden)] // its words stand in the files of this crate
#[macro_export]
macro_rules! words {
    ($(#[$attribute:meta])* $visibility:vis struct $Words:ident, $prefix:literal: $($name:ident)*) => {
        $(#[$attribute])*
        #[derive(Debug, $crate::serde::Serialize)]
        #[serde(crate = "copytrace_messages::serde")]
        #[allow(missing_docs)] // the file of English messages tells what each is
        $visibility struct $Words {
            #[serde(skip)]
            pub in_language: $crate::Language,
            pub language: &'static str,
            $(pub $name: &'static str,)*
        }

        impl $Words {
            /// The words of a language.
            pub fn of(language: $crate::Language) -> &'static $Words {
                static ALL: ::std::sync::OnceLock<Vec<$Words>> = ::std::sync::OnceLock::new();
                let of = |of: $crate::Language| $Words {
                    in_language: of,
                    language: of.tag(),
                    $($name: of.word(concat!($prefix, "-", stringify!($name))),)*
                };
                &ALL.get_or_init(|| $crate::Language::all().map(of).collect())[language.index()]
            }
        }
    };
}

impl crate::Language {
    /// A word for [`words!`], kept for good: there are a few hundred.
    #[doc(hidden)]
    pub fn word(self, key: &str) -> &'static str {
        let key = key.replace('_', "-");
        let word = self.pattern(&key).or_else(|| crate::Language::ENGLISH.pattern(&key));
        word.unwrap_or(key).leak()
    }
}
