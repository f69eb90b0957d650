//! What nobody here knows: commands that no table has, environments that a document makes by means that are not followed, and colours
//! without a definition. TeX may show what they hold, show it elsewhere, or not at all, so what is long in them is not judged.

use super::commands::{Command, command, heading_by_name, is_numbered};
use super::declarations::is_worded;
use super::definitions::Macro;
use super::letters::LETTERS_OF_WORD;
use super::search::Search;
use super::sentence::is_sentence;
use super::spelt::{after_length, after_number};
use super::{LONGEST_NAME, LatexReader};
use crate::extract::ExtractError;
use crate::extract::table::has_name;
use crate::extract::unplaced::letters;
use copytrace_text::layout::MarkKind;

/// The fewest letters of an argument that is more than a title, a head or a message; a Han character counts as two and a half. Chosen by hand; not measured apart.
const ABSTRACT: usize = 250;

/// The most bytes of what says on which slides something is seen.
const LONGEST_SLIDES: usize = 40;

/// Environments of LaTeX and its usual packages that show what they hold where they stand, whoever names them in a preamble.
const SHOWING: &str = include_str!("environments.txt");

/// Environments of packages that show what they hold elsewhere, sometimes, or not at all.
const MOVING: &str = "ocg textblock textblock* onlyenv altenv uncoverenv visibleenv invisibleenv actionenv pgflowlevelscope animateinline";

/// Commands that make an environment which shows what it holds in a box where it stands ...
const BOXES: &str = "newtcolorbox newtcolorbox* renewtcolorbox NewTColorBox DeclareTColorBox newmdenv";

/// ... if they are told no more than these things of it.
const LOOKS: &str = include_str!("boxes.txt");

/// The commands that their values may have: fonts and lengths, but no colours and no sizes in figures.
const FONTS: &str = "bfseries mdseries itshape slshape upshape scshape sffamily rmfamily ttfamily normalfont footnotesize small normalsize large \
    Large linewidth textwidth columnwidth baselineskip parindent parskip smallskipamount medskipamount bigskipamount thetcbcounter";

impl Search {
    /// Whether the arguments of a command of [`BOXES`], but for the name, tell the looks of a box alone.
    fn is_plain_box(&mut self, rest: &str) -> bool {
        let mut rest = rest;
        let mut last = None;
        while let Some((argument, after)) = self.option(rest).or_else(|| self.argument(rest)) {
            (last, rest) = (Some(argument), after);
        }
        let is_known = |option: &str| {
            let (key, value) = option.split_once('=').unwrap_or((option, ""));
            let key = key.trim();
            let is_parameter =
                key.strip_prefix('#').is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
            let names = value.split('\\').skip(1).map(|rest| rest.split(|c: char| !c.is_ascii_alphabetic()).next());
            names.flatten().all(|name| has_name(FONTS, name))
                && (key.is_empty() || is_parameter || LOOKS.lines().any(|known| known == key))
        };
        last.is_none_or(|options| options.split(',').all(is_known))
    }
}

/// Whether an argument is prose of several sentences, and no list of keys, words or values.
fn is_abstract(argument: &str) -> bool {
    letters(argument) >= ABSTRACT && is_worded(argument) && argument.contains(['.', '。']) && !argument.contains('=')
}

impl LatexReader {
    /// A command that no table has: what is long in its arguments is not judged. Gives what follows those, or what follows the command if
    /// they are short.
    pub(super) fn unknown<'s>(&mut self, name: &str, after: &'s str, depth: usize) -> Result<&'s str, ExtractError> {
        self.stand_in(name, after);
        let short = self.options(without_size(after), depth)?;
        // Behind a number stands what is put into a register or a file: `\toks0={...}`, `\write-1{...}`.
        let numbered = after_number(short).trim_start_matches([' ', '=']);
        if short.starts_with(|sign: char| sign == '-' || sign.is_ascii_digit())
            && let Some((argument, after)) = numbered.starts_with('{').then(|| self.search.argument(numbered)).flatten()
        {
            self.unjudged(argument, depth)?;
            return Ok(after);
        }
        let mut rest = short;
        let mut arguments = Vec::new();
        while rest.starts_with('{')
            && let Some((argument, after)) = self.search.argument(rest)
        {
            arguments.push(argument);
            rest = self.search.without_options(after);
        }
        if !arguments.iter().any(|argument| is_sentence(argument)) {
            let [key] = arguments[..] else { return Ok(short) };
            let of_entry = self.glossary.has(key).then_some(LETTERS_OF_WORD);
            let Some(letters) = self.definitions.letters_of(key).or(of_entry) else { return Ok(short) };
            self.unknown_word_of(letters);
        }
        for argument in arguments {
            self.unjudged(argument, depth)?;
        }
        Ok(rest)
    }

    /// A command that no table has, by whose name and two short arguments it makes a heading and says it in a second language. The
    /// second is a paragraph behind it. Gives what follows them, if it is one.
    pub(super) fn heading_in_two_languages<'s>(
        &mut self,
        name: &str,
        after: &'s str,
        depth: usize,
    ) -> Result<Option<&'s str>, ExtractError> {
        let Some(level) = heading_by_name(name) else { return Ok(None) };
        let after = self.search.without_options(after);
        let is_title = |argument: &str| argument.contains(char::is_alphabetic) && !is_sentence(argument);
        let mut title = |after: &'s str| {
            let found = after.starts_with('{').then(|| self.search.argument(after)).flatten();
            found.filter(|(argument, _)| is_title(argument))
        };
        let Some((first, after)) = title(after) else { return Ok(None) };
        let Some((second, after)) = title(after) else { return Ok(None) };
        if is_numbered(name) {
            self.numbering.heading(level);
        }
        self.with_argument(&Command::Heading(level), first, after, depth)?;
        self.read_group(second, self.format, depth)?;
        self.builder.end_paragraph();
        Ok(Some(after))
    }

    /// Prose in the arguments of a command of the preamble that no table has and whose name is that of an abstract: the class may show
    /// it, so it is text, and nobody knows whether it is seen. Gives what follows the arguments, if there is some. What other commands of
    /// the preamble hold is told to be left out.
    pub(super) fn abstract_of_preamble<'s>(
        &mut self,
        name: &str,
        after: &'s str,
        depth: usize,
    ) -> Result<Option<&'s str>, ExtractError> {
        let is_named = name.to_ascii_lowercase().contains("abstract");
        if !is_named || !matches!(command(name), Command::Transparent) || self.definitions.get(name).is_some() {
            return Ok(None);
        }
        let mut rest = self.search.without_options(after);
        let mut arguments = Vec::new();
        while rest.starts_with('{')
            && let Some((argument, after)) = self.search.argument(rest)
        {
            arguments.push(argument);
            rest = after;
        }
        arguments.retain(|argument| is_abstract(argument));
        if arguments.is_empty() {
            return Ok(None);
        }
        for argument in arguments {
            self.builder.end_paragraph();
            self.unjudged(argument, depth)?;
        }
        self.builder.end_paragraph();
        Ok(Some(rest))
    }

    /// Reads what nobody knows to be shown.
    pub(super) fn unjudged(&mut self, text: &str, depth: usize) -> Result<(), ExtractError> {
        self.builder.open(MarkKind::Unjudged);
        let read = self.read_group(text, self.format, depth);
        self.builder.close(MarkKind::Unjudged);
        read
    }

    /// A command of the preamble that is not followed names what it makes or changes.
    pub(super) fn named_in_preamble(&mut self, name: &str, after: &str) {
        if !matches!(command(name), Command::Transparent) {
            return;
        }
        self.definitions.name(after, &mut self.search);
        let made = after.trim_start().strip_prefix('{').and_then(|inside| inside.split_once('}'));
        let is_name = |name: &str| {
            !name.is_empty()
                && name.len() <= LONGEST_NAME
                && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"*@-".contains(&byte))
        };
        if let Some((made, rest)) = made.filter(|(made, _)| is_name(made)) {
            if has_name(BOXES, name) && self.search.is_plain_box(rest) {
                return;
            }
            self.definitions.made.insert(made.to_owned());
        }
    }

    /// Whether nobody here knows what becomes of what an environment holds.
    pub(super) fn is_unknown_environment(&self, name: &str) -> bool {
        has_name(MOVING, name) || self.definitions.made.contains(name) && !has_name(SHOWING, name)
    }

    /// What follows a command that ends with another one takes that one's arguments, if they are long.
    pub(super) fn arguments_of_last<'s>(
        &mut self,
        definition: &Macro,
        after: &'s str,
        depth: usize,
    ) -> Result<&'s str, ExtractError> {
        let takes =
            |name: &&str| !matches!(command(name), Command::Formatting(_) | Command::Plain | Command::Paragraphs(_));
        match definition.last_command().filter(|name| after.starts_with('{') && takes(name)) {
            Some(name) => self.unknown(name, after, depth),
            None => Ok(after),
        }
    }
}

/// What follows `to 0pt`, `spread 3pt` or `<2-3>` where a box or a slide is meant.
fn without_size(after: &str) -> &str {
    if let Some((slides, rest)) = after.strip_prefix('<').and_then(|inside| inside.split_once('>')) {
        let is_numbers = slides.bytes().all(|byte| byte.is_ascii_digit() || b"-,+.|".contains(&byte));
        return if is_numbers && slides.len() <= LONGEST_SLIDES { rest } else { after };
    }
    let length = after.strip_prefix("to").or_else(|| after.strip_prefix("spread"));
    length
        .map(|length| (length, after_length(length)))
        .filter(|(length, rest)| rest.len() < length.len())
        .map_or(after, |(_, rest)| rest)
}
