//! What depends on the language that a document loads.

use copytrace_text::languages::{Latex, languages};

/// What depends on the document's language.
pub(super) struct DocumentLanguage {
    /// Quotation marks before letters make others, as "a does ä.
    pub(super) has_shorthands: bool,
    /// The words of the document's main language; none if it is not known.
    pub(super) words: Option<&'static Latex>,
}

impl Default for DocumentLanguage {
    fn default() -> Self {
        // What says nothing of its language is in English.
        DocumentLanguage { has_shorthands: false, words: named("english") }
    }
}

impl DocumentLanguage {
    /// Reads what a package or a class is loaded with.
    pub(super) fn read(&mut self, package: &str, options: &str) {
        let mut loaded: Vec<&str> = options.split(',').map(str::trim).filter(|option| !option.is_empty()).collect();
        match package {
            "babel" => loaded.retain(|option| option.starts_with("main=") || !option.contains('=')),
            // The argument of a command that sets the language.
            _ if named(package).is_some() => loaded = vec![package],
            _ => loaded.retain(|option| named(option).is_some()),
        }
        let main = loaded.iter().find_map(|option| option.strip_prefix("main=")).or(loaded.last().copied());
        if let Some(main) = main {
            self.words = named(main);
        }
        if ["ctex", "xeCJK", "CJK"].iter().any(|name| package.starts_with(name)) {
            self.words = None;
        }
        let has_shorthands =
            |option: &&str| named(option.trim_start_matches("main=")).is_some_and(|l| l.has_shorthands);
        self.has_shorthands |= loaded.iter().any(has_shorthands);
    }
}

/// The language that documents load by a name.
fn named(name: &str) -> Option<&'static Latex> {
    let has_name = |latex: &&Latex| latex.names.iter().any(|known| known == name);
    languages().all().iter().map(|language| &language.latex).find(has_name)
}
