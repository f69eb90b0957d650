//! LaTeX sources: the text between the commands.
//!
//! Formulas are text by their letters and signs. The preamble is none; comments, drawings and what the document skips or
//! makes invisible are left out with a mark of its size. Sections, quotations, notes and citations are marked. `\input`
//! and `\include` are followed inside the folder of the document only.

mod categories;
mod colours;
mod commands;
mod conditions;
mod declarations;
mod definitions;
mod formatting;
mod mathematics;
mod search;
mod spelt;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use self::categories::Categories;
use self::colours::Colours;
use self::commands::{Command, accent, accent_of_number, command, is_formula, mark_of, skipped};
use self::declarations::of_dropped;
use self::definitions::{Definitions, Macro};
use self::search::Search;
use super::builder::{Gap, TextBuilder, is_wide};
use super::latex_includes::{name_of, resolve};
use super::style::{LetterFormat, PAPER};
use super::{ExtractError, Extracted};
use crate::text::Metadata;
use crate::text::encoding::decode;
use crate::text::layout::{LeftOut, MarkKind};
use crate::text::limits::ReadLimits;

/// Groups inside each other whose formats are kept apart.
const MOST_GROUPS: usize = 10_000;

/// Bytes that a document's own commands may stand for, and how deep inside each other.
const MOST_EXPANDED: usize = 16 << 20;
const MOST_EXPANSIONS: usize = 100;

/// Takes out the text of a document. `folder` is where it lies; without one no other file is read.
pub(super) fn extract(bytes: &[u8], folder: Option<&Path>, limits: &ReadLimits) -> Result<Extracted, ExtractError> {
    let decoded = decode(bytes)?;
    let mut reader = LatexReader {
        builder: TextBuilder::default(),
        metadata: Metadata::default(),
        replaced: decoded.replaced,
        folder: folder.and_then(|folder| folder.canonicalize().ok()),
        included: BTreeSet::new(),
        search: Search::default(),
        environments: Vec::new(),
        categories: Categories::default(),
        colours: Colours::default(),
        definitions: Definitions::default(),
        format: LetterFormat::default(),
        groups: Vec::new(),
        expanded: 0,
        limits,
    };
    let source: &str = &spelt::out(&decoded.text);
    let mut beyond = "";
    let body = match search::split_at_command(source, "\\begin{document}") {
        Some((preamble, body)) => {
            reader.preamble(preamble);
            match search::split_at_command(body, "\\end{document}") {
                Some((body, after)) => {
                    beyond = after;
                    body
                }
                None => body,
            }
        }
        None => source,
    };
    reader.read(body, 0)?;
    reader.builder.left_out(LeftOut::Comment, beyond);
    let mut extracted = reader.builder.finish(reader.metadata);
    extracted.replaced = reader.replaced;
    Ok(extracted)
}

struct LatexReader<'a> {
    builder: TextBuilder,
    metadata: Metadata,
    replaced: usize,
    /// The folder of the document with all links resolved.
    folder: Option<PathBuf>,
    /// Files read so far; none is read twice.
    included: BTreeSet<PathBuf>,
    search: Search,
    /// Open environments that left a mark.
    environments: Vec<(String, MarkKind)>,
    categories: Categories,
    colours: Colours,
    definitions: Definitions,
    /// How letters look here, and around the groups that are open.
    format: LetterFormat,
    groups: Vec<LetterFormat>,
    /// Bytes that commands of the document stood for so far.
    expanded: usize,
    limits: &'a ReadLimits,
}

impl LatexReader<'_> {
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
        self.push(&mathematics::text(source));
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
            return Err(ExtractError::TooDeep(self.limits.nesting));
        }
        if self.builder.bytes() as u64 > self.limits.file_bytes {
            return Err(ExtractError::TooLarge("the text".to_owned()));
        }
        let mut rest = source;
        while let Some(at) = rest.find(['\\', '%', '$', '{', '}', '~', '&', '`', '\'', '-', '\n']) {
            self.push_collapsed(&rest[..at]);
            let special = rest.as_bytes()[at];
            rest = &rest[at + 1..];
            match special {
                b'\\' => rest = self.command(rest, depth)?,
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
                b'-' => rest = self.dashes(rest),
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
        self.push_collapsed(rest);
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

    /// A backslash was read; gives what follows the command and the arguments it takes.
    fn command<'s>(&mut self, rest: &'s str, depth: usize) -> Result<&'s str, ExtractError> {
        let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        if letters == 0 {
            return Ok(self.symbol(rest));
        }
        let starred = usize::from(rest[letters..].starts_with('*'));
        let (name, after) = rest.split_at(letters + starred);
        self.named(name, after.trim_start_matches([' ', '\t']), depth)
    }

    /// A command by its name, without backslash, that consists of letters.
    fn named<'s>(&mut self, name: &str, after: &'s str, depth: usize) -> Result<&'s str, ExtractError> {
        if let ([letter], Some((text, after))) = (name.as_bytes(), self.search.argument(after))
            && let Some(mark) = accent(char::from(*letter))
        {
            self.accented(text, mark);
            return Ok(after);
        }
        if let Some(after) = self.defined(name, after) {
            return Ok(after);
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
            && let Some((name, after)) = after.split_once("\\endcsname").filter(|(name, _)| name.len() < 40)
            && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'@')
        {
            return self.known_command(name, after.trim_start_matches([' ', '\t']), depth);
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
            && (matches!(known, Command::Transparent) || definition.shows_nothing())
        {
            return self.expand(&definition, after, depth);
        }
        match known {
            Command::Print(text) => {
                self.push(text);
                Ok(after.strip_prefix("{}").unwrap_or(after))
            }
            Command::Transparent => Ok(self.search.without_options(after)),
            Command::Item
            | Command::Address
            | Command::Tiny
            | Command::Size
            | Command::Colour
            | Command::Coloured
            | Command::Box
            | Command::Scale
            | Command::Hide
            | Command::Kept
            | Command::Raise
            | Command::Space
            | Command::Transparency => self.formatting(&known, name, after, depth),
            Command::Include => {
                let Some((name, after)) = name_of(after) else { return Ok(after) };
                self.include(name, depth)?;
                Ok(after)
            }
            Command::Paragraph => {
                let after = self.search.without_options(after);
                self.builder.end_paragraph();
                Ok(if name == "bibitem" {
                    self.search.argument(after).map_or(after, |(_, after)| after)
                } else {
                    after
                })
            }
            Command::Appendix => {
                self.builder.end_paragraph();
                self.builder.point(MarkKind::Appendix);
                Ok(after)
            }
            Command::Drop(count) => {
                let rest = self.search.without_arguments(after, count);
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
            Command::Length => Ok(spelt::after_length(after)),
            Command::Verbatim => {
                let mut characters = after.chars();
                let Some(mark) = characters.next() else { return Ok("") };
                let (text, after) = characters.as_str().split_once(mark).unwrap_or((characters.as_str(), ""));
                self.push(text);
                Ok(after)
            }
            Command::Picture => {
                self.builder.point(MarkKind::Picture);
                Ok(self.search.without_arguments(after, 1))
            }
            with_argument => {
                let after = self.search.without_options(after);
                let Some((text, after)) = self.search.argument(after) else { return Ok(after) };
                self.with_argument(&with_argument, text, after, depth)
            }
        }
    }

    /// Reads what a command of the document stands for.
    fn expand<'s>(&mut self, definition: &Macro, after: &'s str, depth: usize) -> Result<&'s str, ExtractError> {
        if let Some(name) = definition.other_name()
            && depth < MOST_EXPANSIONS
        {
            return self.named(name, after, depth + 1);
        }
        let (text, dropped, after) = definition.expand(after, &mut self.search);
        dropped.into_iter().for_each(|argument| self.builder.hidden(argument));
        self.expanded += text.len();
        if self.expanded > MOST_EXPANDED || depth > MOST_EXPANSIONS {
            return Err(ExtractError::TooLarge("what its commands stand for".to_owned()));
        }
        self.read_group(&text, self.format, depth)?;
        Ok(after)
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
            Command::Note => {
                self.builder.point(MarkKind::NoteReference);
                let outside = std::mem::take(&mut self.builder);
                self.builder.open(MarkKind::Note);
                let read = self.read_group(text, self.format, depth);
                self.builder.close(MarkKind::Note);
                let note = std::mem::replace(&mut self.builder, outside);
                self.builder.put_aside(note);
                read?;
            }
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
            Command::Begin => return self.begin(text, after, depth),
            Command::End => {
                if let Some(at) = self.environments.iter().rposition(|(name, _)| name == text) {
                    let (_, mark) = self.environments.remove(at);
                    self.builder.close(mark);
                }
                self.group(b'}');
                self.builder.end_paragraph();
            }
            _ => self.read_group(text, self.format, depth)?,
        }
        Ok(after)
    }

    /// A command of one character that is no letter.
    fn symbol<'s>(&mut self, rest: &'s str) -> &'s str {
        let mut characters = rest.chars();
        let Some(symbol) = characters.next() else { return "" };
        let after = characters.as_str();
        match symbol {
            '\\' => {
                self.builder.gap(Gap::Line);
                return self.search.without_options(after.trim_start_matches('*'));
            }
            '(' | '[' => {
                let (formula, after) = self.search.mathematics(after, if symbol == '(' { "\\)" } else { "\\]" });
                self.formula(formula);
                return after;
            }
            _ => {}
        }
        if let Some(mark) = accent(symbol) {
            if let Some((text, after)) = self.search.argument(after) {
                self.accented(text, mark);
                return after;
            }
            let length = after.chars().next().map_or(0, char::len_utf8);
            self.accented(&after[..length], mark);
            return &after[length..];
        }
        if let Command::Print(text) = command(symbol.encode_utf8(&mut [0; 4])) {
            self.push(text);
        }
        after
    }

    /// The letter that follows, with the mark that a font has at a place.
    fn accent_by_number<'s>(&mut self, number: u32, after: &'s str) -> &'s str {
        let Some(letter) = after.chars().next().filter(|c| !matches!(c, '\\' | '{' | '}')) else { return after };
        let (text, after) = after.split_at(letter.len_utf8());
        match accent_of_number(number) {
            Some(mark) => self.accented(text, mark),
            None => self.push(text),
        }
        after
    }

    fn accented(&mut self, text: &str, mark: char) {
        let mut characters = text.trim_start_matches('\\').chars();
        if let Some(letter) = characters.next() {
            use unicode_normalization::UnicodeNormalization;
            let composed: String = [letter, mark].into_iter().nfc().collect();
            self.push(&composed);
            self.push(characters.as_str());
        }
    }

    fn begin<'s>(&mut self, name: &str, after: &'s str, depth: usize) -> Result<&'s str, ExtractError> {
        self.builder.end_paragraph();
        let end = format!("\\end{{{name}}}");
        let reason = self.definitions.comments.iter().any(|comment| comment == name).then_some(LeftOut::Comment);
        if let Some(reason) = reason.or_else(|| skipped(name)) {
            let (inside, after) = after.split_once(end.as_str()).unwrap_or((after, ""));
            if reason == LeftOut::Formula {
                self.drawing(inside);
            } else {
                self.builder.left_out(reason, inside);
            }
            return Ok(after);
        }
        if is_formula(name) {
            let (formula, after) = after.split_once(end.as_str()).unwrap_or((after, ""));
            self.formula(formula);
            self.builder.end_paragraph();
            return Ok(after);
        }
        if matches!(name, "verbatim" | "lstlisting" | "minted") {
            let (text, after) = after.split_once(end.as_str()).unwrap_or((after, ""));
            self.builder.open(MarkKind::Code);
            self.push(text.trim_matches('\n'));
            self.builder.close(MarkKind::Code);
            self.builder.end_paragraph();
            return Ok(after);
        }
        self.group(b'{');
        if let Some(mark) = mark_of(name) {
            if self.environments.len() >= self.limits.nesting {
                return Err(ExtractError::TooDeep(self.limits.nesting));
            }
            self.builder.open(mark);
            self.environments.push((name.to_owned(), mark));
        }
        if let Some(begins) = self.definitions.environments.get(name).cloned() {
            self.expanded += begins.len();
            if self.expanded > MOST_EXPANDED || depth > MOST_EXPANSIONS {
                return Err(ExtractError::TooLarge("what its commands stand for".to_owned()));
            }
            self.read(&begins, depth + 1)?;
        }
        // The environments that take arguments of their own: columns, widths.
        Ok(match name {
            "tabular" | "longtable" | "minipage" | "thebibliography" | "multicols" | "array" => {
                self.search.without_arguments(after, 1)
            }
            "tabularx" | "tabular*" | "wrapfigure" => self.search.without_arguments(after, 2),
            _ => self.search.without_options(after),
        })
    }

    /// Reads another file of the document, if it lies in the document's folder.
    fn include(&mut self, name: &str, depth: usize) -> Result<(), ExtractError> {
        let Some(folder) = self.folder.clone() else { return Ok(()) };
        let Some(path) = resolve(&folder, name) else { return Ok(()) };
        if !self.included.insert(path.clone()) {
            return Ok(());
        }
        if self.included.len() > self.limits.included_files {
            return Err(ExtractError::TooLarge(format!("{} included files", self.included.len())));
        }
        let mut bytes = Vec::new();
        let read = File::open(&path).and_then(|file| file.take(self.limits.file_bytes + 1).read_to_end(&mut bytes));
        if read.is_err() {
            return Ok(());
        }
        if bytes.len() as u64 > self.limits.file_bytes {
            return Err(ExtractError::TooLarge(format!("the included file {name}")));
        }
        let decoded = decode(&bytes)?;
        self.replaced += decoded.replaced;
        self.builder.end_paragraph();
        // What stands behind this command is not read.
        let (source, beyond) = decoded.text.split_once("\\endinput").unwrap_or((&decoded.text, ""));
        self.read(&spelt::out(source), depth + 1)?;
        self.builder.left_out(LeftOut::Comment, beyond);
        self.builder.end_paragraph();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> String {
        extract(source.as_bytes(), None, &ReadLimits::default()).unwrap().text
    }

    #[test]
    fn text_is_read_and_commands_go() {
        let cases = [
            ("\\documentclass{a}\\begin{document}text\\end{document} no", "text"),
            ("one\ntwo\n\nthree % no\n four", "one two\n\nthree four"),
            ("潮汐\n沼泽", "潮汐沼泽"),
            ("a $x^2$ b \\(y\\) c \\[z\\] d $$w$$ e", "a x2 b y c z d w e"),
            ("a \\begin{equation}x\\end{equation} b", "a\n\nx\n\nb"),
            ("a \\iffalse no \\iftrue no \\fi no \\else b\\fi{} c", "a b c"),
            ("\\newif\\ifdraft a\\ifdraft no\\else b\\fi \\drafttrue\\ifdraft c\\else no\\fi", "abc"),
            ("\\newcommand{\\x}[1]{}a\\x{no}b \\newcommand\\y[2]{<#2>}\\y{no}{c}", "ab <c>"),
            ("\\begin{pspicture}(0,0)\\psline(1,2)\\end{pspicture}a\\phantom{no}b", "ab"),
            ("see \\url{http://x/a%20b} there", "see http://x/a%20b there"),
            ("\\begin{description}\\item[Tide] flows\\end{description}", "Tide flows"),
            ("a {\\color{white} b} c", "a b c"),
            ("a \\begin{comment}no\\end{comment}b", "a\n\nb"),
            ("\\textbf{bold} and \\emph{slanted \\textit{deep}}", "bold and slanted deep"),
            ("\\section{Head}\\label{s}Text", "Head\n\nText"),
            ("``so'' it's 1--2---three", "“so” it’s 1–2—three"),
            ("caf\\'e na\\\"{i}ve \\c{c}a \\&c. 5\\,\\%", "café naïve ça &c. 5 %"),
            ("a\\footnote{note text} b\n\nc", "a b\n\nnote text\n\nc"),
            ("as \\cite{key} says \\citep[p.~3]{two}", "as [key] says [two]"),
            ("\\begin{itemize}\\item one \\item two\\end{itemize}", "one\n\ntwo"),
            ("\\begin{tabular}{ll}a & b \\\\ c & d\\end{tabular}", "a\tb\nc\td"),
            ("\\href{http://x}{link} \\verb|a{b| \\includegraphics[w]{f}c", "link a{b c"),
            ("\\input{other} stays", "stays"),
            ("\\newcommand{\\x}[1]{no}yes", "yes"),
            ("un{closed \\textbf{brace", "unclosed brace"),
            ("\\begin{document}a % \\end{document}\nb\\end{document} no", "a b"),
            ("na\\accent127 ive caf\\accent19 e, ma\\accent32 rsh", "naïve café, marsh"),
            ("\\def\\x#1\\y{}a\\x no\\y b \\def\\z(#1)#2{<#2>}\\z(no){c}", "ab <c>"),
            ("\\let\\x=\\phantom a\\x{no}b \\newcommand{\\y}{\\iffalse}a\\y no\\fi{} b", "ab a b"),
            ("\\let\\x\\y\\let\\y\\x\\newcommand{\\z}[1]{[#1]}\\let\\w\\z\\renewcommand{\\z}{}\\w{a}\\z\\x b", "[a]b"),
            ("\\newcommand{\\x}[1]{}ma\\x qrsh, a\\unless\\iftrue no\\fi b", "marsh, ab"),
            ("ma\\discretionary{q-}{}{r}sh \\hyphenation{no none}\\begingroup a\\endgroup\\todo{b}", "marsh a\n\nb"),
            ("\\catcode`\\%=12 a%b {\\catcode`\\%=14 c}", "a%b c"),
            ("$never ends\n\nnext", "never ends\n\nnext"),
        ];
        for (source, expected) in cases {
            let found = text(source);
            let collapsed = found.split(' ').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
            assert_eq!(collapsed, expected, "{source}");
        }
    }

    #[test]
    fn parts_are_above_chapters_and_appendices_are_told() {
        let source = "\\part{Water}\\chapter{Tides}Text.\\appendix\\chapter{Maps}More.";
        let layout = extract(source.as_bytes(), None, &ReadLimits::default()).unwrap().layout;
        let kinds: Vec<MarkKind> = layout.marks().iter().map(|mark| mark.kind).collect();
        use MarkKind::{Appendix, Heading};
        assert_eq!(kinds, [Heading(0), Heading(1), Appendix, Heading(1)]);
    }

    #[test]
    fn files_are_included_from_inside_the_folder_only() {
        let folder = tempfile::tempdir().unwrap();
        let inside = folder.path().join("thesis");
        std::fs::create_dir_all(inside.join("parts")).unwrap();
        std::fs::write(folder.path().join("secret.tex"), "secret").unwrap();
        std::fs::write(inside.join("parts/one.tex"), "first \\input{main}").unwrap();
        std::fs::write(inside.join("main.tex"), "ring \\input{parts/one}").unwrap();
        let source = b"\\input{parts/one} \\input{../secret} \\include{/etc/hostname} end";
        let extracted = extract(source, Some(&inside), &ReadLimits::default()).unwrap();
        assert_eq!(extracted.text, "first\n\nring\n\nend");
    }

    #[test]
    fn brackets_without_end_are_refused_by_name() {
        let deep = format!("{}x{}", "\\textbf{\\section{".repeat(400), "}}".repeat(400));
        assert_eq!(
            extract(deep.as_bytes(), None, &ReadLimits::default()).unwrap_err().to_string(),
            "more than 256 levels inside each other"
        );
    }
}
