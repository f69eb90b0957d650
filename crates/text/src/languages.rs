//! The words of theses in each language: titles of parts, what declarations say, quotation marks, captions and the like.
//!
//! A language is one file, `languages/en.toml` and so on. All files of that folder are built in, and no other place names a
//! language. All languages are known at once, as a thesis may mix them; the fields of [`Language`] say how each list is
//! used. Words are compared in lower case, titles without blanks too.

use super::first_letters::FirstLetters;
use super::phrases::Phrases;
use super::vocabulary::Vocabulary;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::LazyLock;

// The name and the text of each file, in the order of the names.
include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// Words in lower case, with the blanks between them or without.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub struct List<const WITH_BLANKS: bool>(Vec<String>);

/// Words with the blanks between them.
pub type WordList = List<true>;
/// Titles without blanks.
pub type TitleList = List<false>;

impl<const WITH_BLANKS: bool> TryFrom<Vec<String>> for List<WITH_BLANKS> {
    type Error = &'static str;

    fn try_from(words: Vec<String>) -> Result<Self, Self::Error> {
        let kept = |c: &char| WITH_BLANKS || !c.is_whitespace();
        let fold = |word: &String| word.trim().chars().filter(kept).flat_map(char::to_lowercase).collect();
        let words: Vec<String> = words.iter().map(fold).collect();
        if words.iter().any(String::is_empty) { Err("a word is empty") } else { Ok(List(words)) }
    }
}

impl<const WITH_BLANKS: bool> Deref for List<WITH_BLANKS> {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

/// The words of one language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Language {
    /// What the documentation calls it.
    #[serde(rename = "name")]
    _name: String,
    /// Titles of parts.
    pub(crate) titles: Titles,
    /// How chapters are numbered.
    #[serde(default)]
    pub(crate) numbering: Numbering,
    /// Words that stand in some parts.
    #[serde(default)]
    pub(crate) words: Words,
    /// What declarations of authorship, authorisations and forms say.
    #[serde(default)]
    pub(crate) declarations: Declarations,
    /// Quotations and the places they are from.
    #[serde(default)]
    pub(crate) quotations: Quotations,
    /// What stands on pages besides the text.
    #[serde(default)]
    pub pages: Pages,
    /// Names that word processors give to styles of paragraphs.
    #[serde(default)]
    pub styles: Styles,
    /// What LaTeX documents load and print.
    #[serde(default)]
    pub latex: Latex,
}

/// Titles of parts.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Titles {
    /// Abstracts.
    pub(crate) r#abstract: TitleList,
    /// Tables of contents, and lists of figures, tables and the like.
    pub(crate) contents: TitleList,
    /// Words that name a list of references, alone or beside each other; parts of words where a language joins them.
    pub(crate) references: TitleList,
    /// Words that stand beside those in such a title. A title with any other word, such as a review of literature, is none.
    pub(crate) beside_references: TitleList,
    /// Acknowledgements.
    pub(crate) acknowledgements: TitleList,
    /// Declarations of authorship.
    pub(crate) declaration: TitleList,
    /// First words of the titles of appendices.
    pub(crate) appendix: WordList,
    /// Lists of words and signs, which stand beside chapters as appendices do.
    pub(crate) glossary: TitleList,
    /// What stands before or behind the chapters and is none.
    pub(crate) beside_chapters: TitleList,
    /// Beginnings of such titles.
    pub(crate) beside_chapters_begin: TitleList,
}

/// How chapters are numbered: "Chapter 3", "Chapter three", 第三章.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Numbering {
    /// The word for a chapter before its number.
    pub(crate) chapter: WordList,
    /// The word for a part before its number; it is a chapter unless it holds some.
    pub(crate) part: WordList,
    /// The numbers from one on.
    pub(crate) numbers: WordList,
    /// What stands before a number that one of the next words stands behind.
    pub(crate) ordinal: WordList,
    /// Words behind the number of a chapter.
    pub(crate) chapter_behind: WordList,
    /// Words behind the number of a part.
    pub(crate) part_behind: WordList,
    /// Words behind the number of a section.
    pub(crate) section_behind: WordList,
}

/// Words, or their beginnings, that stand in some parts.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Words {
    /// On title pages.
    pub(crate) cover: WordList,
    /// In acknowledgements.
    pub(crate) thanking: WordList,
    /// What declarations of authorship and authorisations are made of: beginnings of words, of East Asian languages any part of them.
    pub(crate) declaring: WordList,
}

/// What declarations of authorship, authorisations and the forms of universities say, word for word.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Declarations {
    /// Who declares.
    pub(crate) speakers: WordList,
    /// What the speaker does.
    pub(crate) acts: WordList,
    /// Where somebody declares, whoever it is. One of these stands in every declaration, or a speaker and an act.
    pub(crate) oaths: WordList,
    /// Set phrases.
    pub(crate) formulas: WordList,
    /// What stands before a signature or its date.
    pub(crate) signatures: WordList,
    /// What stands behind the numbers of a date.
    pub(crate) date_signs: WordList,
    /// Fields of the forms that stand beside a thesis: reviews, marks, records.
    pub(crate) form_fields: WordList,
    /// What the title of a form has that names none of its fields.
    pub(crate) form_titles: WordList,
}

/// Quotations and the places they are from.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Quotations {
    /// An opening mark and the one that closes it.
    pub(crate) marks: Vec<(char, char)>,
    /// Words before the number of a page, an act or a line.
    pub(crate) places: WordList,
    /// Signs behind it.
    pub(crate) behind_places: WordList,
}

/// What stands on pages besides the text.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Pages {
    /// Words that captions begin with, before their number.
    pub captions: WordList,
    /// Page numbers with the words around them, as they are written but without blanks; each number is `#`.
    pub numbers: Vec<String>,
    /// Signs of the line along which pages are bound.
    pub binding: WordList,
}

/// Names that word processors give to styles of paragraphs.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Styles {
    /// Of headings, before their level.
    pub heading: WordList,
    /// Of the title of the work.
    pub title: WordList,
    /// Of block quotations.
    pub quotation: WordList,
    /// Of lists of references.
    pub bibliography: WordList,
    /// Of the heading of a table of contents.
    pub contents_title: WordList,
    /// Of its entries, before their level.
    pub contents: WordList,
    /// Of captions.
    pub caption: WordList,
    /// Of listings of programs.
    pub code: WordList,
}

/// What LaTeX documents load and print.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Latex {
    /// Names of the language among the options of a document.
    pub names: Vec<String>,
    /// Whether a quotation mark and a letter are another letter.
    pub has_shorthands: bool,
    /// What `\autoref` prints before the number of a kind of place, where that is not the kind itself. A language without
    /// prints nothing.
    pub autoref: BTreeMap<String, String>,
    /// The same of `\cref`.
    pub cref: BTreeMap<String, String>,
    /// What makes several of one.
    pub plural: String,
}

/// What a title names. Where a word is in several lists, the first of these counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Title {
    /// [`Titles::abstract`].
    Abstract,
    /// [`Titles::contents`].
    Contents,
    /// [`Titles::acknowledgements`].
    Acknowledgements,
    /// [`Titles::declaration`].
    Declaration,
    /// [`Titles::glossary`].
    Glossary,
}

/// All languages, and what is made of their words together.
#[derive(Debug)]
pub struct Languages {
    all: Vec<Language>,
    /// Titles of parts, but for lists of references.
    pub(crate) titles: FirstLetters<Title>,
    /// [`Titles::references`] (true) and [`Titles::beside_references`].
    pub(crate) references: FirstLetters<bool>,
    /// [`Titles::appendix`].
    pub(crate) appendix: FirstLetters<()>,
    /// [`Numbering::chapter`] and [`Numbering::part`].
    pub(crate) chapter: FirstLetters<()>,
    /// [`Numbering::ordinal`].
    pub(crate) ordinal: FirstLetters<()>,
    /// [`Numbering::numbers`] with their values.
    pub(crate) numbers: FirstLetters<u32>,
    /// Opening quotation marks, each with those that close it in some language.
    pub(crate) quotation_marks: Vec<(char, Vec<char>)>,
    /// [`Words::cover`].
    pub(crate) cover: Phrases,
    /// [`Words::thanking`].
    pub(crate) thanking: Phrases,
    /// [`Words::declaring`], and what [`Declarations`] say.
    pub(crate) vocabulary: Vocabulary,
    /// [`Declarations::speakers`].
    pub(crate) speakers: Phrases,
    /// [`Declarations::acts`].
    pub(crate) acts: Phrases,
    /// [`Declarations::oaths`].
    pub(crate) oaths: Phrases,
    /// [`Declarations::formulas`].
    pub(crate) formulas: Phrases,
    /// What makes a line worth reading as the first of a declaration: acts, oaths and formulas.
    pub(crate) opening: Phrases,
    /// [`Declarations::form_fields`].
    pub(crate) form_fields: Phrases,
}

/// Why the languages cannot be read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LanguageError {
    /// A file is not what it should be.
    #[error("languages/{file}: {source}")]
    File {
        /// Its name.
        file: String,
        /// What is wrong.
        source: toml::de::Error,
    },
    /// There are more phrases than can be sought together.
    #[error("the phrases of all languages: {0}")]
    Phrases(#[from] aho_corasick::BuildError),
}

impl Languages {
    /// Reads files, each given by its name and its text.
    pub(crate) fn read<'a>(files: impl IntoIterator<Item = &'a (&'a str, &'a str)>) -> Result<Self, LanguageError> {
        let read = |&(file, text): &(&str, &str)| {
            toml::from_str(text).map_err(|source| LanguageError::File { file: file.to_owned(), source })
        };
        let all: Vec<Language> = files.into_iter().map(read).collect::<Result<_, _>>()?;
        let each = |of: fn(&Language) -> &[String]| words_of(&all, of).map(|word| (word, ()));
        let titled = |title: Title, of: fn(&Language) -> &[String]| words_of(&all, of).map(move |word| (word, title));
        let titles = titled(Title::Abstract, |language| &language.titles.r#abstract)
            .chain(titled(Title::Contents, |language| &language.titles.contents))
            .chain(titled(Title::Acknowledgements, |language| &language.titles.acknowledgements))
            .chain(titled(Title::Declaration, |language| &language.titles.declaration))
            .chain(titled(Title::Glossary, |language| &language.titles.glossary));
        let references = words_of(&all, |language| &language.titles.references).map(|word| (word, true));
        let beside = words_of(&all, |language| &language.titles.beside_references).map(|word| (word, false));
        let numbers = all.iter().flat_map(|language| language.numbering.numbers.iter().map(String::as_str).zip(1..));
        let phrases = |of: fn(&Language) -> &[String]| Phrases::new(words_of(&all, of));
        let mut quotation_marks: Vec<(char, Vec<char>)> = Vec::new();
        for &(opening, closing) in all.iter().flat_map(|language| &language.quotations.marks) {
            match quotation_marks.iter_mut().find(|(known, _)| *known == opening) {
                Some((_, known)) => known.push(closing),
                None => quotation_marks.push((opening, vec![closing])),
            }
        }
        Ok(Languages {
            titles: FirstLetters::new(titles),
            references: FirstLetters::new(references.chain(beside)),
            appendix: FirstLetters::new(each(|language| &language.titles.appendix)),
            chapter: FirstLetters::new(
                each(|language| &language.numbering.chapter).chain(each(|language| &language.numbering.part)),
            ),
            ordinal: FirstLetters::new(each(|language| &language.numbering.ordinal)),
            numbers: FirstLetters::new(numbers),
            quotation_marks,
            cover: phrases(|language| &language.words.cover)?,
            thanking: phrases(|language| &language.words.thanking)?,
            vocabulary: Vocabulary::new(all.iter().map(|language| {
                let Language { words, declarations, .. } = language;
                [&words.declaring, &declarations.oaths, &declarations.formulas, &declarations.acts]
                    .into_iter()
                    .flat_map(|list| list.iter())
                    .map(String::as_str)
            }))?,
            speakers: phrases(|language| &language.declarations.speakers)?,
            acts: phrases(|language| &language.declarations.acts)?,
            oaths: phrases(|language| &language.declarations.oaths)?,
            formulas: phrases(|language| &language.declarations.formulas)?,
            opening: Phrases::new(
                words_of(&all, |language| &language.declarations.acts)
                    .chain(words_of(&all, |language| &language.declarations.oaths))
                    .chain(words_of(&all, |language| &language.declarations.formulas)),
            )?,
            form_fields: phrases(|language| &language.declarations.form_fields)?,
            all,
        })
    }

    /// The languages in the order of their files' names.
    pub fn all(&self) -> &[Language] {
        &self.all
    }

    /// The words of one list in all languages.
    pub fn words(&self, of: fn(&Language) -> &[String]) -> impl Iterator<Item = &str> {
        words_of(&self.all, of)
    }

    /// Whether a word is in one list of some language.
    pub fn has(&self, word: &str, of: fn(&Language) -> &[String]) -> bool {
        self.words(of).any(|known| known == word)
    }

    /// Whether a word of one list is anywhere in a text.
    pub(crate) fn is_any_in(&self, text: &str, of: fn(&Language) -> &[String]) -> bool {
        self.words(of).any(|known| text.contains(known))
    }

    /// What stands behind a word of one list that a text starts with.
    pub fn after<'t>(&self, text: &'t str, of: fn(&Language) -> &[String]) -> Option<&'t str> {
        self.words(of).find_map(|word| text.strip_prefix(word))
    }
}

fn words_of(all: &[Language], of: fn(&Language) -> &[String]) -> impl Iterator<Item = &str> {
    all.iter().flat_map(of).map(String::as_str)
}

/// The languages whose files are built in.
///
/// # Panics
/// If one of the files is wrong; a test reads them all.
pub fn languages() -> &'static Languages {
    static BUILT_IN: LazyLock<Languages> =
        LazyLock::new(|| Languages::read(FILES).unwrap_or_else(|error| panic!("{error}")));
    #[cfg(test)]
    if let Some(others) = tests::OTHERS.get() {
        return others;
    }
    &BUILT_IN
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::cell::Cell;
    use std::path::Path;

    thread_local! {
        /// What a test reads in place of the languages that are built in.
        pub(super) static OTHERS: Cell<Option<&'static Languages>> = const { Cell::new(None) };
    }

    /// Calls `test` with one language more than are built in.
    pub(crate) fn with_another_language<T>(text: &str, test: impl FnOnce() -> T) -> T {
        let files: Vec<(&str, &str)> = FILES.iter().copied().chain([("another.toml", text)]).collect();
        with_files(&files, test)
    }

    /// Calls `test` without the language of a file: "de".
    pub(crate) fn without_language<T>(file: &str, test: impl FnOnce() -> T) -> T {
        let files: Vec<(&str, &str)> =
            FILES.iter().copied().filter(|(name, _)| name.strip_suffix(".toml") != Some(file)).collect();
        assert_eq!(files.len() + 1, FILES.len(), "{file}");
        with_files(&files, test)
    }

    fn with_files<T>(files: &[(&str, &str)], test: impl FnOnce() -> T) -> T {
        OTHERS.set(Some(Box::leak(Box::new(Languages::read(files).unwrap()))));
        let result = test();
        OTHERS.set(None);
        result
    }

    #[test]
    fn every_file_of_a_language_is_read_and_a_wrong_one_is_named() {
        assert_eq!(Languages::read(FILES).unwrap().all().len(), FILES.len());
        for wrong in
            ["", "name = \"X\"", "name = \"X\"\n[titles]\nabstracts = []", "name = \"X\"\n[titles]\nabstract = [\" \"]"]
        {
            let error = Languages::read(&[("xx.toml", wrong)]).unwrap_err().to_string();
            assert!(error.starts_with("languages/xx.toml: "), "{error}");
        }
    }

    #[test]
    fn every_word_of_titles_and_phrases_is_found() {
        for language in languages().all() {
            assert!(languages().has(&language.titles.r#abstract[0], |language| &language.titles.r#abstract));
            for formula in language.declarations.formulas.iter() {
                for text in [formula.clone(), format!("says 说{formula}"), format!("{formula}说 so")] {
                    assert!(languages().formulas.different(&text) > 0, "{formula}");
                }
            }
        }
        assert_eq!(languages().formulas.different("the tide is not what it was 声明"), 0);
    }

    /// Between these lines of `docs/RATIOS.md` is the table of languages.
    const TABLE: [&str; 2] = ["<!-- languages: made from crates/text/languages -->\n", "<!-- end of languages -->"];

    /// The table of languages, with the first title of each part as its file has it.
    fn table() -> String {
        let parts = ["abstract", "contents", "references", "acknowledgements", "declaration", "appendix"];
        let mut rows: Vec<String> = Vec::new();
        for (_, text) in FILES {
            let language: toml::Table = text.parse().unwrap();
            let first = |part: &str| language["titles"][part][0].as_str().unwrap().to_owned();
            rows.push(format!("| {} | {} |\n", language["name"].as_str().unwrap(), parts.map(first).join(" | ")));
        }
        rows.sort();
        format!("| language | {} |\n|{}\n{}", parts.join(" | "), "---|".repeat(parts.len() + 1), rows.concat())
    }

    #[test]
    fn the_documentation_has_the_table_of_languages_that_the_files_give() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/RATIOS.md");
        let document = std::fs::read_to_string(&path).unwrap();
        let start = document.find(TABLE[0]).unwrap() + TABLE[0].len();
        let end = document.find(TABLE[1]).unwrap();
        if std::env::var_os("COPYTRACE_WRITE_TABLES").is_some() {
            std::fs::write(&path, format!("{}{}{}", &document[..start], table(), &document[end..])).unwrap();
        } else {
            assert_eq!(
                &document[start..end],
                table(),
                "write it anew: COPYTRACE_WRITE_TABLES=1 cargo test the_documentation_has"
            );
        }
    }
}
