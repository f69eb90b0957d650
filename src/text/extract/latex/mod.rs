//! LaTeX sources: the text between the commands.
//!
//! Comments, the preamble and displayed or inline mathematics are left out; sections, quotations, notes and citations
//! are marked. `\input` and `\include` are followed inside the folder of the document only.

mod commands;
mod search;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use self::commands::{Command, accent, command, is_skipped, mark_of};
use self::search::Search;
use super::builder::{Gap, TextBuilder, is_wide};
use super::{ExtractError, Extracted};
use crate::text::Metadata;
use crate::text::encoding::decode;
use crate::text::layout::MarkKind;
use crate::text::limits::ReadLimits;

/// Takes out the text of a document. `folder` is where it lies; without one no other file is read.
pub(super) fn extract(bytes: &[u8], folder: Option<&Path>, limits: &ReadLimits) -> Result<Extracted, ExtractError> {
    let decoded = decode(bytes)?;
    let mut reader = Reader {
        builder: TextBuilder::default(),
        metadata: Metadata::default(),
        replaced: decoded.replaced,
        folder: folder.and_then(|folder| folder.canonicalize().ok()),
        included: BTreeSet::new(),
        search: Search::default(),
        environments: Vec::new(),
        limits,
    };
    let source = &decoded.text;
    let body = match source.split_once("\\begin{document}") {
        Some((preamble, body)) => {
            reader.preamble(preamble);
            body.split("\\end{document}").next().unwrap_or_default()
        }
        None => source.as_str(),
    };
    reader.read(body, 0)?;
    let mut extracted = reader.builder.finish(reader.metadata);
    extracted.replaced = reader.replaced;
    Ok(extracted)
}

struct Reader<'a> {
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
    limits: &'a ReadLimits,
}

impl Reader<'_> {
    /// Looks for title and author only.
    fn preamble(&mut self, preamble: &str) {
        for (name, field) in [("\\title", &mut self.metadata.title), ("\\author", &mut self.metadata.author)] {
            let after = preamble.split_once(name).map(|(_, after)| after);
            if let Some((argument, _)) = after.and_then(|after| self.search.argument(after)) {
                *field = Some(argument.split_whitespace().collect::<Vec<_>>().join(" "));
            }
        }
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
            self.builder.push_collapsed(&rest[..at]);
            let special = rest.as_bytes()[at];
            rest = &rest[at + 1..];
            match special {
                b'\\' => rest = self.command(rest, depth)?,
                // A comment takes the line's end and the next line's indentation along.
                b'%' => rest = rest.split_once('\n').map_or("", |(_, after)| after.trim_start_matches([' ', '\t'])),
                b'$' => {
                    let (double, inside) = rest.strip_prefix('$').map_or((false, rest), |inside| (true, inside));
                    rest = self.search.after_mathematics(inside, if double { "$$" } else { "$" });
                }
                b'~' => self.builder.push("\u{A0}"),
                b'&' => self.builder.gap(Gap::Cell),
                b'`' => rest = self.replaced(rest, '`', "“", "‘"),
                b'\'' => rest = self.replaced(rest, '\'', "”", "’"),
                b'-' => rest = self.dashes(rest),
                b'\n' => {
                    let blank = rest.len() - rest.trim_start().len();
                    if rest[..blank].contains('\n') {
                        self.builder.end_paragraph();
                    } else {
                        self.line_end(&rest[blank..]);
                    }
                    rest = &rest[blank..];
                }
                _ => {}
            }
        }
        self.builder.push_collapsed(rest);
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
                self.builder.push(double);
                after
            }
            None => {
                self.builder.push(single);
                rest
            }
        }
    }

    fn dashes<'s>(&mut self, rest: &'s str) -> &'s str {
        for (more, dash) in [("--", "—"), ("-", "–")] {
            if let Some(after) = rest.strip_prefix(more) {
                self.builder.push(dash);
                return after;
            }
        }
        self.builder.push("-");
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
        let after = after.trim_start_matches([' ', '\t']);
        if let ([letter], Some((text, after))) = (name.as_bytes(), self.search.argument(after))
            && let Some(mark) = accent(char::from(*letter))
        {
            self.accented(text, mark);
            return Ok(after);
        }
        match command(name) {
            Command::Print(text) => {
                self.builder.push(text);
                Ok(after.strip_prefix("{}").unwrap_or(after))
            }
            Command::Transparent => Ok(self.search.without_options(after)),
            Command::Paragraph => {
                let after = self.search.without_options(after);
                self.builder.end_paragraph();
                Ok(if name == "bibitem" {
                    self.search.argument(after).map_or(after, |(_, after)| after)
                } else {
                    after
                })
            }
            Command::Drop(count) => Ok(self.search.without_arguments(after, count)),
            Command::SecondOnly => Ok(self.search.without_arguments(after, 1)),
            Command::Verbatim => {
                let mut characters = after.chars();
                let Some(mark) = characters.next() else { return Ok("") };
                let (text, after) = characters.as_str().split_once(mark).unwrap_or((characters.as_str(), ""));
                self.builder.push(text);
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
                self.read(text, depth + 1)?;
                self.builder.close(MarkKind::Heading(*level));
                self.builder.end_paragraph();
            }
            Command::Note => {
                self.builder.point(MarkKind::NoteReference);
                let outside = std::mem::take(&mut self.builder);
                self.builder.open(MarkKind::Note);
                let read = self.read(text, depth + 1);
                self.builder.close(MarkKind::Note);
                let note = std::mem::replace(&mut self.builder, outside);
                self.builder.put_aside(note);
                read?;
            }
            Command::Citation => {
                self.builder.open(MarkKind::Citation);
                self.builder.push(&format!("[{}]", text.trim()));
                self.builder.close(MarkKind::Citation);
            }
            Command::Title => self.metadata.title = Some(text.split_whitespace().collect::<Vec<_>>().join(" ")),
            Command::Author => self.metadata.author = Some(text.split_whitespace().collect::<Vec<_>>().join(" ")),
            Command::Include => self.include(text.trim(), depth)?,
            Command::Begin => return self.begin(text, after),
            Command::End => {
                if let Some(at) = self.environments.iter().rposition(|(name, _)| name == text) {
                    let (_, mark) = self.environments.remove(at);
                    self.builder.close(mark);
                }
                self.builder.end_paragraph();
            }
            _ => self.read(text, depth + 1)?,
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
            '(' => return self.search.after_mathematics(after, "\\)"),
            '[' => return self.search.after_mathematics(after, "\\]"),
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
            self.builder.push(text);
        }
        after
    }

    fn accented(&mut self, text: &str, mark: char) {
        let mut characters = text.trim_start_matches('\\').chars();
        if let Some(letter) = characters.next() {
            use unicode_normalization::UnicodeNormalization;
            let composed: String = [letter, mark].into_iter().nfc().collect();
            self.builder.push(&composed);
            self.builder.push(characters.as_str());
        }
    }

    fn begin<'s>(&mut self, name: &str, after: &'s str) -> Result<&'s str, ExtractError> {
        self.builder.end_paragraph();
        let end = format!("\\end{{{name}}}");
        if is_skipped(name) {
            return Ok(after.split_once(end.as_str()).map_or("", |(_, after)| after));
        }
        if matches!(name, "verbatim" | "lstlisting" | "minted") {
            let (text, after) = after.split_once(end.as_str()).unwrap_or((after, ""));
            self.builder.push(text.trim_matches('\n'));
            self.builder.end_paragraph();
            return Ok(after);
        }
        if let Some(mark) = mark_of(name) {
            if self.environments.len() >= self.limits.nesting {
                return Err(ExtractError::TooDeep(self.limits.nesting));
            }
            self.builder.open(mark);
            self.environments.push((name.to_owned(), mark));
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
        let path = [format!("{name}.tex"), name.to_owned()]
            .into_iter()
            .filter_map(|name| folder.join(name).canonicalize().ok())
            .find(|path| path.is_file());
        let Some(path) = path.filter(|path| path.starts_with(&folder)) else { return Ok(()) };
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
        self.read(&decoded.text, depth + 1)?;
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
            ("a $x^2$ b \\(y\\) c \\[z\\] d $$w$$ e", "a b c d e"),
            ("a \\begin{equation}x\\end{equation} b", "a\n\nb"),
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
            ("$never ends\n\nnext", "next"),
        ];
        for (source, expected) in cases {
            let found = text(source);
            let collapsed = found.split(' ').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
            assert_eq!(collapsed, expected, "{source}");
        }
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
