//! What depends on the language that a document loads.

/// Names of English among the options of a document.
const ENGLISH: [&str; 7] = ["english", "american", "british", "UKenglish", "USenglish", "canadian", "australian"];

/// Names of German, in which a quotation mark and a letter are another letter.
const GERMAN: [&str; 6] = ["german", "ngerman", "austrian", "naustrian", "swissgerman", "nswissgerman"];

/// What depends on the document's language.
#[derive(Default)]
pub(super) struct Language {
    /// Quotation marks before letters make others, as "a does ä.
    pub(super) has_shorthands: bool,
    /// Names of what is referred to are printed in another language than English.
    pub(super) is_foreign: bool,
}

impl Language {
    /// Reads what a package or a class is loaded with.
    pub(super) fn read(&mut self, package: &str, options: &str) {
        let mut languages: Vec<&str> = options.split(',').map(str::trim).filter(|option| !option.is_empty()).collect();
        match package {
            "babel" => languages.retain(|option| option.starts_with("main=") || !option.contains('=')),
            // The argument of a command that sets the language.
            _ if ENGLISH.contains(&package) || GERMAN.contains(&package) => languages = vec![package],
            _ => languages.retain(|option| ENGLISH.contains(option) || GERMAN.contains(option)),
        }
        let main = languages.iter().find_map(|option| option.strip_prefix("main=")).or(languages.last().copied());
        if let Some(main) = main {
            self.is_foreign = !ENGLISH.contains(&main);
        }
        self.is_foreign |= ["ctex", "xeCJK", "CJK"].iter().any(|name| package.starts_with(name));
        self.has_shorthands |= languages.iter().any(|option| GERMAN.contains(&option.trim_start_matches("main=")));
    }
}
