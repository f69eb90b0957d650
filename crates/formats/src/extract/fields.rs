//! Fields: which show their result, and which show what their instruction says.

use super::builder::TextBuilder;
use super::table::has_name;
use copytrace_text::layout::LeftOut;

/// Fields that show the result that stands in the file.
const WITH_RESULT: &str = "= ADDIN ADDRESSBLOCK AUTHOR AUTOTEXT AUTOTEXTLIST BIBLIOGRAPHY CITATION COMMENTS COMPARE CREATEDATE DATABASE \
    DATE DOCPROPERTY DOCVARIABLE EDITTIME EMBED FILENAME FILESIZE FILLIN FORMTEXT FORMCHECKBOX GREETINGLINE HYPERLINK IF INCLUDEPICTURE \
    INCLUDETEXT INDEX INFO KEYWORDS LASTSAVEDBY LINK LISTNUM MERGEFIELD MERGEREC NOTEREF NUMCHARS NUMPAGES NUMWORDS PAGE PAGEREF QUOTE \
    REF REVNUM SAVEDATE SECTION SECTIONPAGES SEQ SHAPE STYLEREF SUBJECT TEMPLATE TIME TITLE TOA TOC USERADDRESS USERINITIALS USERNAME";

/// Fields that show what the document's properties say.
const OF_PROPERTIES: &str = "AUTHOR COMMENTS DOCPROPERTY INFO KEYWORDS LASTSAVEDBY SUBJECT TITLE";

/// Fields that show a building block, whose name follows.
const OF_BLOCKS: &str = "AUTOTEXT AUTOTEXTLIST GLOSSARY";

/// The formats that a field may keep.
const FORMATS: [&str; 2] = ["MERGEFORMAT", "CHARFORMAT"];

/// What an instruction shows behind the switch that keeps its format, as numbers of equations by MathType have it.
fn without_format(shown: &str) -> &str {
    let behind = shown.strip_prefix("\\*").map(str::trim_start).unwrap_or_default();
    let format = FORMATS.into_iter().find_map(|format| behind.strip_prefix(format));
    format.map_or(shown, str::trim_start)
}

/// A field that is open.
#[derive(Default)]
pub(super) struct Field {
    /// What is being read is its instruction.
    pub(super) is_code: bool,
    pub(super) instruction: String,
    /// What of its instruction are letters of the text.
    pub(super) inside: String,
    /// It is not known whether it shows its result.
    pub(super) is_unjudged: bool,
    /// The entries of a list to choose from, and which one is shown.
    pub(super) entries: Vec<String>,
    pub(super) chosen: usize,
}

/// What of a field's instruction is not shown.
pub(super) struct Rest {
    text: String,
    /// It is what another program keeps, and no text.
    is_data: bool,
}

impl Rest {
    pub(super) fn leave_out(self, builder: &mut TextBuilder) {
        match self.is_data {
            true => builder.data(&self.text),
            false => builder.left_out(LeftOut::Instruction, &self.text),
        }
    }
}

/// What a field shows by its instruction.
pub(super) enum Shown {
    /// Its result.
    Result,
    /// Its result, or something else: it is not known.
    Unknown,
    /// A text of its own.
    Text(String),
    /// Such a text, in another order or at another place.
    Moved(String),
}

impl Field {
    /// The instruction, if nothing of it is shown; else as many characters as it has besides that.
    pub(super) fn beside(&self, shown: &str) -> Rest {
        let is_data = self.instruction.trim_start().get(..5).is_some_and(|name| name.eq_ignore_ascii_case("ADDIN"));
        let count = |text: &str| text.chars().filter(|c| !c.is_whitespace()).count();
        let text = match shown.trim().is_empty() {
            true => self.instruction.clone(),
            false => "x".repeat(count(&self.instruction).saturating_sub(count(shown))),
        };
        Rest { text, is_data }
    }

    fn name(&self) -> String {
        self.instruction.split_whitespace().next().unwrap_or_default().to_ascii_uppercase()
    }

    /// Whether it shows a property of the document.
    pub(super) fn shows_property(&self) -> bool {
        has_name(OF_PROPERTIES, &self.name())
    }

    /// The building block that it shows.
    pub(super) fn block(&self) -> Option<String> {
        let (_, rest) = self.instruction.trim().split_once(char::is_whitespace)?;
        let name = match rest.trim().strip_prefix('"') {
            Some(quoted) => quoted.split('"').next()?,
            None => rest.split('\\').next()?.trim(),
        };
        has_name(OF_BLOCKS, &self.name()).then(|| name.to_lowercase())
    }

    pub(super) fn shown(&self) -> Shown {
        let instruction = self.instruction.trim();
        let mut words = instruction.splitn(3, |c: char| c.is_whitespace());
        let name = words.next().unwrap_or_default().to_ascii_uppercase();
        match name.as_str() {
            "FORMDROPDOWN" => Shown::Text(self.entries.get(self.chosen).cloned().unwrap_or_default()),
            // The word behind the name is that of a macro or of a bookmark.
            "MACROBUTTON" | "GOTOBUTTON" => Shown::Text(without_format(words.nth(1).unwrap_or_default()).to_owned()),
            // Letters above, beside and over each other, by switches.
            "EQ" => {
                let mut rest = instruction[2..].split('\\');
                let first = rest.next().unwrap_or_default().to_owned();
                let without_switch =
                    |part: &str| part.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).replace(['(', ')'], "");
                Shown::Moved(rest.fold(first, |all, part| all + &without_switch(part)))
            }
            "SYMBOL" => symbol(&instruction["SYMBOL".len()..]),
            "ADVANCE" => Shown::Moved(String::new()),
            _ if name.starts_with('=') || has_name(WITH_RESULT, &name) => Shown::Result,
            _ => Shown::Unknown,
        }
    }
}

/// What SYMBOL shows: the character of a number, unless a font of signs draws another one.
fn symbol(switches: &str) -> Shown {
    let number = switches.split_whitespace().next().unwrap_or_default();
    let code = match number.strip_prefix("0x").or(number.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => number.parse().ok(),
    };
    let is_of_signs = ["symbol", "dings"].iter().any(|font| switches.to_ascii_lowercase().contains(font));
    match code.and_then(char::from_u32).filter(|character| !is_of_signs && !character.is_control()) {
        Some(character) => Shown::Text(character.to_string()),
        None => Shown::Moved(String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_names_the_building_block_that_it_shows_and_shows_a_property() {
        let field = |instruction: &str| Field { instruction: instruction.to_owned(), ..Field::default() };
        assert_eq!(field(" AUTOTEXT Tide \\* MERGEFORMAT").block().as_deref(), Some("tide"));
        assert_eq!(field("glossary \"The tide\"").block().as_deref(), Some("the tide"));
        assert_eq!(field("REF tide").block(), None);
        assert!(field(" docproperty tide").shows_property() && !field("PAGE").shows_property());
    }

    #[test]
    fn a_button_shows_what_stands_behind_its_macro_and_the_format_it_keeps() {
        for (instruction, expected) in [
            (r" MACROBUTTON MTPlaceRef \* MERGEFORMAT (6.1)", "(6.1)"),
            ("MACROBUTTON NoMacro words of a student", "words of a student"),
            (r"MACROBUTTON NoMacro \* words", r"\* words"),
        ] {
            let field = Field { instruction: instruction.to_owned(), ..Field::default() };
            let Shown::Text(shown) = field.shown() else { panic!("{instruction}") };
            assert_eq!(shown, expected);
        }
    }

    #[test]
    fn a_character_by_its_number_is_shown_unless_a_font_of_signs_draws_it() {
        for (instruction, expected) in [
            (r"SYMBOL 109 \f Times \s 12", Some("m")),
            (r"SYMBOL 28526 \u", Some("潮")),
            ("symbol 0x61", Some("a")),
            (r"SYMBOL 97 \f Symbol", None),
            (r"SYMBOL 97 \f Wingdings", None),
            ("SYMBOL", None),
            ("SYMBOL 4294967295", None),
        ] {
            let field = Field { instruction: instruction.to_owned(), ..Field::default() };
            let shown = match field.shown() {
                Shown::Text(shown) => Some(shown),
                _ => None,
            };
            assert_eq!(shown.as_deref(), expected, "{instruction}");
        }
    }
}
