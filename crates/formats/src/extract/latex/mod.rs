//! LaTeX sources: the text between the commands.
//!
//! Formulas are text by their letters and signs. The preamble is not text, except for an abstract in it. Comments, drawings and what
//! the document skips or makes invisible are left out with a mark of their size. Sections, quotations, notes and citations are marked. `\input`
//! and `\include` are followed inside the folder of the document only.

mod categories;
mod colours;
mod commands;
mod conditions;
mod declarations;
mod definitions;
mod environments;
mod expansion;
mod files;
mod formatting;
mod glossary;
mod language;
mod letters;
mod mathematics;
mod numbering;
mod referring;
pub(crate) mod search;
mod sentence;
mod spelt;
mod stand_ins;
mod unknown;
mod unread;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use self::categories::Categories;
use self::colours::Colours;
use self::commands::{Command, accent, command};
use self::declarations::of_dropped;
use self::definitions::{Definitions, made_up_name};
use self::files::Files;
use self::glossary::Glossary;
use self::language::DocumentLanguage;
use self::letters::Boxes;
use self::numbering::{Numbering, Place};
use self::search::Search;
use super::builder::{Gap, TextBuilder};
use super::latex_includes::name_of;
use super::style::{LetterFormat, PAPER};
use super::wide::is_wide;
use super::{Excess, ExtractError, Extracted, SourceFolder};
use crate::encoding::decode;
use crate::limits::ReadLimits;
use copytrace_text::Metadata;
use copytrace_text::layout::{LeftOut, MarkKind};

/// Groups inside each other whose formats are kept apart.
const MOST_GROUPS: usize = 10_000;

/// Names between `\csname` and `\endcsname` are shorter, in bytes; a longer one is none.
const LONGEST_NAME: usize = 40;

/// Takes out the text of a document. `folder` is where it lies; without one no other file is read.
pub(super) fn extract(
    bytes: &[u8],
    folder: Option<&SourceFolder>,
    limits: &ReadLimits,
) -> Result<Extracted, ExtractError> {
    let mut known = Known::default();
    loop {
        let mut reader = read(bytes, folder, limits, &known)?;
        // What refers to a later place needs a second reading, as it does in TeX, and so does what is as long as what was read.
        let labels = std::mem::take(&mut reader.numbering).for_another_reading();
        let chapter = reader.files.for_another_reading();
        if labels.is_none() && chapter.is_none() {
            return Ok(reader.finish());
        }
        known.labels = labels.unwrap_or(known.labels);
        known.chapter = chapter.or(known.chapter);
    }
}

/// The files in the folder of a document that it really reads.
pub(crate) fn files_read(
    bytes: &[u8],
    folder: &SourceFolder,
    limits: &ReadLimits,
) -> Result<BTreeSet<PathBuf>, ExtractError> {
    Ok(read(bytes, Some(folder), limits, &Known::default())?.files.read())
}

/// What an earlier reading found.
#[derive(Default)]
struct Known {
    labels: BTreeMap<String, Place>,
    /// The characters of a chapter.
    chapter: Option<u32>,
}

fn read(
    bytes: &[u8],
    folder: Option<&SourceFolder>,
    limits: &ReadLimits,
    known: &Known,
) -> Result<LatexReader, ExtractError> {
    let decoded = decode(bytes)?;
    let mut reader = LatexReader {
        replaced: decoded.replaced,
        files: Files::of(folder, known.chapter),
        numbering: Numbering::new(known.labels.clone()),
        limits: limits.clone(),
        ..LatexReader::default()
    };
    reader.files.sources.push_str(&decoded.text);
    let source: &str = &spelt::out(&decoded.text);
    let body = match search::document(source) {
        Some((preamble, body)) => {
            reader.preamble(preamble, 0)?;
            reader.definitions_as_written(preamble);
            body
        }
        None => source,
    };
    reader.read(body, 0)?;
    reader.unused_boxes()?;
    Ok(reader)
}

/// The file that is being read.
#[derive(Default)]
struct InputFile {
    /// How many arguments and files are around its text.
    depth: usize,
    /// Its last line was reached, by a command that says so.
    ended: bool,
    /// The folder from which it names others, besides the document's; of imported files.
    here: Option<PathBuf>,
}

#[derive(Default)]
struct LatexReader {
    builder: TextBuilder,
    metadata: Metadata,
    replaced: usize,
    files: Files,
    file: InputFile,
    /// The document ended.
    ended: bool,
    boxes: Boxes,
    /// Whether `@` is a letter of names.
    at_is_letter: bool,
    search: Search,
    /// Open environments that left a mark.
    environments: Vec<(String, MarkKind)>,
    /// The names of all environments that are open, as far as they are not too many.
    open: Vec<String>,
    categories: Categories,
    colours: Colours,
    definitions: Definitions,
    glossary: Glossary,
    numbering: Numbering,
    language: DocumentLanguage,
    /// How letters look here, and around the groups that are open.
    format: LetterFormat,
    groups: Vec<LetterFormat>,
    /// Bytes that commands of the document stood for so far.
    expanded: usize,
    limits: ReadLimits,
}

impl LatexReader {
    /// What was read, and what was not.
    fn finish(mut self) -> Extracted {
        self.unread_files();
        self.builder.unplaced(&self.definitions.unused());
        std::mem::take(&mut self.search.passed).iter().for_each(|passed| self.builder.unplaced(passed));
        let mut extracted = self.builder.finish(self.metadata);
        extracted.replaced = self.replaced;
        extracted
    }

    /// Appends text as it looks here.
    fn push(&mut self, text: &str) {
        self.formatted(text, TextBuilder::push);
    }

    fn push_collapsed(&mut self, text: &str) {
        self.formatted(text, TextBuilder::push_collapsed);
    }

    fn formatted(&mut self, text: &str, push: fn(&mut TextBuilder, &str)) {
        if self.format.hidden == Some(true) {
            self.builder.hidden(text);
        } else {
            let unjudged = self.categories.are_odd().then_some(MarkKind::Unjudged);
            self.builder.push_marked(self.format.unseen(PAPER).or(unjudged), text, push);
        }
    }

    /// A group begins or ends by this sign, and with it formats and meanings of characters.
    fn group(&mut self, sign: u8) {
        match sign {
            b'{' if self.groups.len() < MOST_GROUPS => self.groups.push(self.format),
            b'}' => {
                self.format = self.groups.pop().unwrap_or(self.format);
                self.categories.end_group(self.groups.len());
            }
            _ => {}
        }
    }

    fn formula(&mut self, source: &str) {
        self.builder.open(MarkKind::Formula);
        self.push(&mathematics::text(&self.definitions.expanded(source)));
        self.builder.close(MarkKind::Formula);
    }

    /// Reads an argument, whose changes of format end with it.
    fn read_group(&mut self, text: &str, format: LetterFormat, depth: usize) -> Result<(), ExtractError> {
        let outside = std::mem::replace(&mut self.format, format);
        let read = self.read(text, depth + 1);
        self.format = outside;
        read
    }

    /// Reads a piece of source. `depth` counts arguments and files inside each other.
    fn read(&mut self, source: &str, depth: usize) -> Result<(), ExtractError> {
        if depth > self.limits.nesting {
            return Err(ExtractError::TooDeep { levels: self.limits.nesting });
        }
        if self.builder.bytes() as u64 > self.limits.file_bytes {
            return Err(Excess::Text.into());
        }
        let mut rest = source;
        while let Some(at) = rest.find(['\\', '%', '$', '{', '}', '~', '&', '`', '\'', '"', '-', '\n']) {
            self.plain(&rest[..at]);
            let special = rest.as_bytes()[at];
            rest = &rest[at + 1..];
            match special {
                b'\\' => {
                    rest = self.command(rest, depth)?;
                    if self.ended {
                        self.builder.left_out(LeftOut::Comment, rest);
                        return Ok(());
                    }
                }
                // A comment takes the line's end and the next line's indentation along.
                b'%' if self.categories.percent_is_text() => self.push("%"),
                b'%' => {
                    let (comment, after) = rest.split_once('\n').unwrap_or((rest, ""));
                    self.builder.left_out(LeftOut::Comment, comment);
                    rest = after.trim_start_matches([' ', '\t']);
                }
                b'{' | b'}' => self.group(special),
                b'$' => {
                    let (double, inside) = rest.strip_prefix('$').map_or((false, rest), |inside| (true, inside));
                    let (formula, after) = self.search.mathematics(inside, if double { "$$" } else { "$" });
                    self.formula(formula);
                    rest = after;
                }
                b'~' => self.push("\u{A0}"),
                b'&' => self.builder.gap(Gap::Cell),
                b'`' => rest = self.replaced(rest, '`', "“", "‘"),
                b'\'' => rest = self.replaced(rest, '\'', "”", "’"),
                b'"' => rest = self.shorthand(rest),
                b'-' => rest = self.dashes(rest),
                b'\n' if self.file.ended && self.file.depth == depth => {
                    self.builder.left_out(LeftOut::Comment, rest);
                    return Ok(());
                }
                b'\n' => {
                    let blank = rest.len() - rest.trim_start().len();
                    if rest[..blank].contains('\n') {
                        self.format.away = None;
                        self.builder.end_paragraph();
                    } else {
                        self.line_end(&rest[blank..]);
                    }
                    rest = &rest[blank..];
                }
                _ => {}
            }
        }
        self.plain(rest);
        Ok(())
    }

    /// A single line end is a blank, except between two Han characters.
    fn line_end(&mut self, next: &str) {
        let (last, next) = (self.builder.text().chars().next_back(), next.chars().next());
        if !(last.is_some_and(is_wide) && next.is_some_and(is_wide)) {
            self.builder.blank();
        }
    }

    fn replaced<'s>(&mut self, rest: &'s str, again: char, double: &str, single: &str) -> &'s str {
        match rest.strip_prefix(again) {
            Some(after) => {
                self.push(double);
                after
            }
            None => {
                self.push(single);
                rest
            }
        }
    }

    /// What a quotation mark makes of the sign behind it in German sources.
    fn shorthand<'s>(&mut self, rest: &'s str) -> &'s str {
        let sign = rest.chars().next().filter(|_| self.language.has_shorthands);
        let text = match sign {
            Some('a') => "ä",
            Some('o') => "ö",
            Some('u') => "ü",
            Some('A') => "Ä",
            Some('O') => "Ö",
            Some('U') => "Ü",
            Some('s' | 'z') => "ß",
            Some('`') => "„",
            Some('\'') => "“",
            Some('<') => "«",
            Some('>') => "»",
            Some('=' | '~') => "-",
            Some('-' | '|' | '"' | '/') => "",
            _ => {
                self.push("\"");
                return rest;
            }
        };
        self.push(text);
        &rest[1..]
    }

    fn dashes<'s>(&mut self, rest: &'s str) -> &'s str {
        for (more, dash) in [("--", "—"), ("-", "–")] {
            if let Some(after) = rest.strip_prefix(more) {
                self.push(dash);
                return after;
            }
        }
        self.push("-");
        rest
    }

    /// Other characters are letters of names from here on, or no longer.
    fn letters_of_names(&mut self, command: &str) {
        match command {
            "ExplSyntaxOn" | "ExplSyntaxOff" => self.definitions.is_expl = command == "ExplSyntaxOn",
            _ => self.at_is_letter = command == "makeatletter",
        }
    }

    /// A backslash was read; gives what follows the command and the arguments it takes.
    fn command<'s>(&mut self, rest: &'s str, depth: usize) -> Result<&'s str, ExtractError> {
        let is_letter = |c: char| self.definitions.is_letter(c) && (c != '@' || self.at_is_letter);
        let letters = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
        if letters == 0 {
            let name = &rest[..rest.chars().next().map_or(0, char::len_utf8)];
            // Signs that begin and end formulas and lines stay what they are.
            return match self.definitions.get(name).filter(|_| !"\\()[]".contains(name)) {
                Some(definition) => self.expand(&definition, &rest[name.len()..], depth),
                None => Ok(self.symbol(rest)),
            };
        }
        let name = &rest[..letters];
        let is_own = matches!(command(name), Command::Transparent) && self.definitions.has(name);
        let starred = usize::from(!is_own && rest[letters..].starts_with('*'));
        let (name, after) = rest.split_at(letters + starred);
        self.named(name, after.trim_start_matches([' ', '\t']), depth)
    }

    /// A command by its name, without backslash, that consists of letters.
    fn named<'s>(&mut self, name: &str, after: &'s str, depth: usize) -> Result<&'s str, ExtractError> {
        if let ([letter], Some((text, after))) = (name.as_bytes(), self.search.argument(after))
            && let Some(mark) = accent(char::from(*letter))
            && !self.definitions.has(name)
        {
            self.accented(text, mark);
            return Ok(after);
        }
        if let Some(rest) = self.defined(name, after) {
            // Those of the preamble are told with its lines.
            if matches!(command(name), Command::Define(_)) || name.contains("newenvironment") {
                self.builder.left_out(LeftOut::Instruction, &after[..after.len() - rest.len()]);
            }
            return Ok(rest);
        }
        if name.starts_with("if") {
            return self.condition(name, after, false, depth);
        }
        if name == "unless"
            && let Some(condition) = after.strip_prefix("\\if")
        {
            let length = condition.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(condition.len());
            return self.condition(&after[1..length + 3], &condition[length..], true, depth);
        }
        if name == "accent"
            && let Some((number, after)) = spelt::constant(after)
        {
            return Ok(self.accent_by_number(number, after.trim_start_matches(' ')));
        }
        if name == "csname"
            && let Some((name, after)) = made_up_name(after)
        {
            return self.by_made_up_name(name, after, depth);
        }
        if name == "else" {
            // The branch before was typeset.
            let (skipped, _, after) = self.search.branches(after);
            self.builder.left_out(LeftOut::Comment, skipped);
            return Ok(after.trim_start_matches(' '));
        }
        self.known_command(name, after, depth)
    }

    /// A command by its name, without backslash; gives what follows the arguments it takes.
    fn known_command<'s>(&mut self, name: &str, after: &'s str, depth: usize) -> Result<&'s str, ExtractError> {
        let known = command(name);
        if let Some(definition) = self.definitions.get(name)
            && (matches!(
                known,
                Command::Transparent | Command::Plain | Command::Paragraphs(_) | Command::Print(_) | Command::Blank
            ) || definition.shows_nothing()
                || definition.is_plain())
        {
            if self.definitions.used.insert(name.to_owned())
                && let Some(letters) = self.definitions.letters_of(name)
            {
                self.unknown_word_of(letters);
            }
            return self.expand(&definition, after, depth);
        }
        if matches!(known, Command::Transparent)
            && let Some(after) = self.glossary_command(name, after, depth)?
        {
            return Ok(after);
        }
        match known {
            Command::Print(text) => {
                self.push(&text);
                Ok(after.strip_prefix("{}").unwrap_or(after))
            }
            Command::Transparent => {
                // A program by its name, such as \BibTeX.
                if name.ends_with("TeX") {
                    self.push(name);
                }
                match self.heading_in_two_languages(name, after, depth)? {
                    Some(after) => Ok(after),
                    None => self.unknown(name, after, depth),
                }
            }
            Command::Plain => Ok(self.search.without_options(after)),
            Command::Paragraphs(count) => self.paragraphs(count, after, depth),
            Command::Formatting(formatting) => self.formatting(formatting, name, after, depth),
            Command::Referring(referring) => self.referring(referring, name, after, depth),
            Command::Matter => {
                self.builder.end_paragraph();
                self.numbering.matter(name == "mainmatter");
                Ok(after)
            }
            Command::Heading(level) if commands::is_numbered(name) => {
                self.numbering.heading(level);
                self.argument_of(&known, after, depth)
            }
            Command::Caption if !name.ends_with('*') => {
                self.numbering.caption();
                self.argument_of(&known, after, depth)
            }
            Command::Include => {
                let after = if name == "includestandalone" { self.search.without_options(after) } else { after };
                let Some((file, after)) = name_of(name, after) else {
                    self.missing();
                    return Ok(after);
                };
                self.include(name, &file, depth)?;
                // What is read if the file is there, and if it is not.
                Ok(if name == "InputIfFileExists" { self.search.without_arguments(after, 2) } else { after })
            }
            Command::IncludePages => {
                let options = self.search.option(after);
                let (options, after) = options.unwrap_or((if name == "includepdf" { "" } else { "pages=-" }, after));
                if name == "includepdfset" {
                    let Some((options, after)) = self.search.argument(after) else { return Ok(after) };
                    self.files.pages = options.to_owned();
                    return Ok(after);
                }
                self.include_pages(options);
                Ok(self.search.without_arguments(after, 1))
            }
            Command::EndInput => {
                self.file.ended = true;
                Ok(after)
            }
            Command::Stop => {
                self.ended = true;
                Ok(after)
            }
            Command::Blank => {
                self.builder.blank();
                Ok(self.search.without_options(after))
            }
            Command::AtLetter => {
                self.letters_of_names(name);
                Ok(after)
            }
            Command::Letters(made) => self.letters(made, name, after, depth),
            Command::Named => {
                let Some((name, after)) = self.search.argument(after) else { return Ok(after) };
                self.by_name(&self.definitions.expanded(name), after, depth)
            }
            Command::Computed => {
                let after = self.search.without_options(after);
                let Some((program, after)) = self.search.argument(after) else { return Ok(after) };
                self.unknown_word();
                self.unjudged(program, depth)?;
                Ok(after)
            }
            Command::Name => {
                let (name, after) = self.search.token(after).unwrap_or(("", after));
                self.push(name.trim_start_matches('\\'));
                Ok(after)
            }
            // They stand where they define nothing.
            Command::Define(_) | Command::Add(_) => Ok(after),
            Command::Paragraph if name == "bibitem" => Ok(self.entry_of_literature(after)),
            Command::Paragraph => {
                let after = self.search.without_options(after);
                self.builder.end_paragraph();
                Ok(after)
            }
            Command::Appendix => {
                self.builder.end_paragraph();
                self.builder.point(MarkKind::Appendix);
                self.numbering.appendix();
                Ok(after)
            }
            Command::Drop(_) if name == "documentclass" => Ok(match self.listing("\\documentclass", after) {
                Some(after) => after,
                None => self.search.without_arguments(after, 1),
            }),
            Command::Drop(count) | Command::Steers(count) => {
                if matches!(known, Command::Steers(_)) {
                    self.format.unjudged = Some(true);
                }
                let known = self.search.passed.len();
                let rest = self.search.without_arguments(after, count);
                self.search.passed.truncate(known);
                let dropped = &after[..after.len() - rest.len()];
                self.builder.left_out(of_dropped(dropped), dropped);
                Ok(rest)
            }
            Command::Group(sign) => {
                self.group(sign);
                Ok(after)
            }
            Command::SecondOnly => Ok(self.search.without_arguments(after, 1)),
            Command::FirstOnly => {
                let Some((text, after)) = self.search.argument(after) else { return Ok(after) };
                self.read_group(text, self.format, depth)?;
                Ok(self.search.without_arguments(after, 1))
            }
            Command::Length if matches!(name, "penalty" | "escapechar") => Ok(spelt::after_number(after)),
            Command::Length => {
                let rest = spelt::after_length(after);
                match (name, after.len() - rest.len()) {
                    (_, 0) => {}
                    ("vskip", _) => self.builder.end_paragraph(),
                    (_, length) => self.space(&after[..length]),
                }
                self.leads_out(&after[..after.len() - rest.len()]);
                Ok(rest)
            }
            Command::Verbatim => {
                let mut characters = after.chars();
                let Some(mark) = characters.next() else { return Ok("") };
                let (text, after) = characters.as_str().split_once(mark).unwrap_or((characters.as_str(), ""));
                self.push(text);
                Ok(after)
            }
            Command::Picture => {
                self.builder.point(MarkKind::Picture);
                let options = self.search.option(after).map_or("", |(options, _)| options);
                if self.numbering.float.is_none() && options.split(',').any(|option| option.trim().starts_with("page="))
                {
                    self.missing_page();
                }
                let after = self.search.without_options(after);
                let Some((name, after)) = self.search.argument(after) else { return Ok(after) };
                self.search.pass(name);
                self.lettering(name.trim());
                Ok(self.search.without_options(after))
            }
            with_argument => self.argument_of(&with_argument, after, depth),
        }
    }

    /// Reads the argument of a command that has one.
    fn argument_of<'s>(&mut self, command: &Command, after: &'s str, depth: usize) -> Result<&'s str, ExtractError> {
        let after = self.search.without_options(after);
        let Some((text, after)) = self.search.argument(after) else { return Ok(after) };
        self.with_argument(command, text, after, depth)
    }

    /// Reads `count` arguments as paragraphs of their own.
    fn paragraphs<'s>(&mut self, count: usize, after: &'s str, depth: usize) -> Result<&'s str, ExtractError> {
        let mut rest = self.search.without_options(after);
        self.builder.end_paragraph();
        for _ in 0..count {
            let Some((argument, after)) = self.search.argument(rest) else { break };
            self.read_group(argument, self.format, depth)?;
            self.builder.end_paragraph();
            rest = after;
        }
        Ok(rest)
    }

    fn with_argument<'s>(
        &mut self,
        command: &Command,
        text: &str,
        after: &'s str,
        depth: usize,
    ) -> Result<&'s str, ExtractError> {
        match command {
            Command::Heading(level) => {
                self.builder.end_paragraph();
                self.builder.open(MarkKind::Heading(*level));
                self.read_group(text, self.format, depth)?;
                self.builder.close(MarkKind::Heading(*level));
                self.builder.end_paragraph();
            }
            Command::Caption => {
                self.builder.end_paragraph();
                self.builder.open(MarkKind::Caption);
                self.read_group(text, self.format, depth)?;
                self.builder.close(MarkKind::Caption);
                self.builder.end_paragraph();
            }
            Command::Note | Command::Remark => {
                self.builder.point(MarkKind::NoteReference);
                let outside = std::mem::take(&mut self.builder);
                let kinds = match command {
                    Command::Remark => &[MarkKind::Note, MarkKind::Unjudged][..],
                    _ => &[MarkKind::Note],
                };
                kinds.iter().for_each(|kind| self.builder.open(*kind));
                let read = self.read_group(text, self.format, depth);
                kinds.iter().rev().for_each(|kind| self.builder.close(*kind));
                let note = std::mem::replace(&mut self.builder, outside);
                self.builder.put_aside(note);
                read?;
            }
            Command::Citation if let Some(label) = self.numbering.at(text) => self.push(&label.number),
            Command::Citation => {
                self.builder.open(MarkKind::Citation);
                self.push(&format!("[{}]", text.trim()));
                self.builder.close(MarkKind::Citation);
            }
            Command::Title | Command::Author => {
                let line = Some(text.split_whitespace().collect::<Vec<_>>().join(" "));
                match command {
                    Command::Title => self.metadata.title = line,
                    _ => self.metadata.author = line,
                }
                self.builder.left_out(of_dropped(text), text);
            }
            Command::Begin if text == "document" => {
                if let Some(after) = self.listing("\\begin{document}", after) {
                    return Ok(after);
                }
            }
            Command::Begin => return self.begin(text, after, depth),
            Command::End if text == "document" => match self.listing("\\end{document}", after) {
                Some(after) => return Ok(after),
                None => self.ended = true,
            },
            Command::End => self.end(text),
            _ => self.read_group(text, self.format, depth)?,
        }
        Ok(after)
    }
}

#[cfg(test)]
mod tests;
