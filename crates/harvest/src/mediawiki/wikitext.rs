//! Wikitext → plain text: what a reader of the article reads in sentences. Templates, tables, references, files and markup are left
//! out, and what is broken stays as it is written, for nothing of an article may vanish because a bracket is missing.
//!
//! One pass over the bytes. What is open (a template, a link, a table, a reference) is a frame whose content was written already;
//! when it closes, what it wrote is replaced by what it stands for. Frames that never close leave their content and their brackets.

use std::collections::BTreeSet;
use std::sync::Arc;

/// An article as it is written, and how its wiki calls what is no text.
pub(crate) struct Wikitext {
    pub(crate) text: String,
    pub(crate) names: Arc<Names>,
}

/// The names of namespaces whose links show no text: files and categories.
pub(crate) struct Names(BTreeSet<String>);

impl Names {
    /// The names that a wiki has besides the English ones.
    pub(crate) fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let always = ["file", "image", "media", "category", "文件", "檔案", "图像", "圖像", "分类", "分類"];
        Names(names.map(str::to_lowercase).chain(always.map(str::to_owned)).collect())
    }
}

impl Default for Names {
    fn default() -> Self {
        Names::new([].into_iter())
    }
}

/// Frames inside each other; a bracket that would open one more is text.
const DEEPEST: usize = 40;

/// Bytes of a tag with its attributes.
const LONGEST_TAG: usize = 4096;

/// Elements whose content is no sentence.
const DROPPED: [&str; 16] = [
    "math",
    "chem",
    "ce",
    "score",
    "timeline",
    "graph",
    "hiero",
    "mapframe",
    "maplink",
    "imagemap",
    "inputbox",
    "syntaxhighlight",
    "source",
    "templatestyles",
    "templatedata",
    "section",
];

/// Elements whose content stays as it is.
const LITERAL: [&str; 2] = ["nowiki", "pre"];

/// Elements that begin a line.
const LINES: [&str; 13] = ["br", "p", "div", "li", "ul", "ol", "dl", "dt", "dd", "blockquote", "hr", "poem", "center"];

/// All other elements that are markup.
const MARKUP: [&str; 24] = [
    "b",
    "i",
    "u",
    "s",
    "em",
    "strong",
    "small",
    "big",
    "sub",
    "sup",
    "span",
    "font",
    "code",
    "tt",
    "del",
    "ins",
    "abbr",
    "cite",
    "q",
    "var",
    "kbd",
    "noinclude",
    "onlyinclude",
    "includeonly",
];

/// Templates that show one of their arguments as part of a sentence, and which one.
const SHOWN: [(&str, usize); 18] = [
    ("lang", 2),
    ("zh", 1),
    ("nowrap", 1),
    ("nobr", 1),
    ("nobold", 1),
    ("small", 1),
    ("big", 1),
    ("em", 1),
    ("strong", 1),
    ("quote", 1),
    ("cquote", 1),
    ("blockquote", 1),
    ("le", 1),
    ("link-en", 1),
    ("tsl", 3),
    ("internal link helper", 1),
    ("translink", 3),
    ("ruby", 1),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Template,
    Parameter,
    Link,
    External,
    Table,
    Reference,
    Gallery,
    Variant,
}

impl Kind {
    /// What opened it.
    fn bracket(self) -> &'static str {
        match self {
            Kind::Template => "{{",
            Kind::Parameter => "{{{",
            Kind::Link => "[[",
            Kind::External => "[",
            Kind::Variant => "-{",
            Kind::Table | Kind::Reference | Kind::Gallery => "",
        }
    }
}

struct Frame {
    kind: Kind,
    /// Where its content begins in what was written.
    start: usize,
    /// Where the bars in it stand.
    bars: Vec<usize>,
}

impl Wikitext {
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// The plain text, with an empty line between paragraphs.
    pub(crate) fn plain(&self) -> String {
        let reader = Reader {
            text: &self.text,
            at: 0,
            out: String::with_capacity(self.text.len()),
            frames: Vec::new(),
            heading: false,
            names: &self.names,
            never_closed: BTreeSet::new(),
        };
        tidied(&reader.read())
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    out: String,
    frames: Vec<Frame>,
    heading: bool,
    names: &'a Names,
    /// Ends of elements that do not come any more, so that nobody looks for them again.
    never_closed: BTreeSet<String>,
}

/// Bytes at which something may begin or end.
const SPECIAL: [bool; 256] = {
    let mut special = [false; 256];
    let bytes = b"<{[}]|'&-_\n";
    let mut i = 0;
    while i < bytes.len() {
        special[bytes[i] as usize] = true;
        i += 1;
    }
    special
};

impl Reader<'_> {
    fn read(mut self) -> String {
        self.begin_line();
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            let plain = rest.bytes().position(|byte| SPECIAL[usize::from(byte)]).unwrap_or(rest.len());
            self.out.push_str(&rest[..plain]);
            self.at += plain;
            if plain < rest.len() {
                self.special();
            }
        }
        self.end_heading();
        while let Some(frame) = self.frames.pop() {
            self.out.insert_str(frame.start, frame.kind.bracket());
        }
        self.out
    }

    /// Whether the text goes on like this.
    fn goes_on(&self, with: &str) -> bool {
        self.text[self.at..].starts_with(with)
    }

    fn special(&mut self) {
        match self.text.as_bytes()[self.at] {
            b'\n' => {
                self.end_heading();
                // No external link goes over a line.
                while let Some(frame) = self.frames.pop_if(|frame| frame.kind == Kind::External) {
                    self.out.insert_str(frame.start, frame.kind.bracket());
                }
                self.literal(1);
                self.begin_line();
            }
            b'<' => self.element(),
            b'{' if self.goes_on("{{{") && !self.goes_on("{{{{") => self.open(Kind::Parameter, 3),
            b'{' if self.goes_on("{{") => self.open(Kind::Template, 2),
            b'}' if self.goes_on("}}}") && self.is_within(Kind::Parameter) && self.close(Kind::Parameter, 3) => {}
            b'}' if self.goes_on("}}") && self.close(Kind::Template, 2) => {}
            b'}' if self.goes_on("}-") && self.close(Kind::Variant, 2) => {}
            b'[' if self.goes_on("[[") => self.open(Kind::Link, 2),
            b'[' if ["[http:", "[https:", "[//", "[ftp:", "[mailto:"].iter().any(|start| self.goes_on(start)) => {
                self.open(Kind::External, 1);
            }
            b']' if self.goes_on("]]") && self.close(Kind::Link, 2) => {}
            b']' if self.is_within(Kind::External) => {
                self.close(Kind::External, 1);
            }
            b'|' => {
                let bar = self.out.len();
                self.frames.last_mut().into_iter().for_each(|frame| frame.bars.push(bar));
                self.literal(1);
            }
            b'\'' if self.goes_on("''") => {
                let quotes = self.text[self.at..].bytes().take_while(|byte| *byte == b'\'').count();
                self.at += quotes.min(5);
            }
            b'-' if self.goes_on("-{") && !self.goes_on("-{{") => self.open(Kind::Variant, 2),
            b'&' => self.entity(),
            b'_' if self.goes_on("__") => self.switch(),
            _ => self.literal(1),
        }
    }

    /// Whether what is open innermost is of a kind.
    fn is_within(&self, kind: Kind) -> bool {
        self.frames.last().is_some_and(|frame| frame.kind == kind)
    }

    /// Takes the next `bytes` bytes as they are.
    fn literal(&mut self, bytes: usize) {
        self.out.push_str(&self.text[self.at..self.at + bytes]);
        self.at += bytes;
    }

    fn open(&mut self, kind: Kind, bytes: usize) {
        if self.frames.len() >= DEEPEST {
            return self.literal(bytes);
        }
        self.at += bytes;
        self.frames.push(Frame { kind, start: self.out.len(), bars: Vec::new() });
    }

    /// Closes the nearest frame of a kind, if there is one; those within it that did not close are text.
    fn close(&mut self, kind: Kind, bytes: usize) -> bool {
        let Some(nearest) = self.frames.iter().rposition(|frame| frame.kind == kind) else { return false };
        while self.frames.len() > nearest + 1 {
            if let Some(frame) = self.frames.pop() {
                self.out.insert_str(frame.start, frame.kind.bracket());
            }
        }
        if let Some(Frame { start, bars, .. }) = self.frames.pop() {
            let content = self.out.split_off(start);
            let mut parts = Vec::with_capacity(bars.len() + 1);
            let mut from = 0;
            for bar in bars.iter().map(|bar| bar - start).filter(|bar| *bar < content.len()) {
                parts.push(content.get(from..bar).unwrap_or_default());
                from = bar + 1;
            }
            parts.push(content.get(from..).unwrap_or_default());
            let shown = match kind {
                Kind::Template => of_template(&parts),
                Kind::Link => self.of_link(&parts),
                Kind::External => content.split_once([' ', '\t']).map_or("", |(_, label)| label),
                Kind::Parameter | Kind::Table | Kind::Reference => "",
                Kind::Gallery => {
                    let captions = content.lines().filter_map(|line| line.split_once('|'));
                    let captions: Vec<&str> = captions.map(|(_, caption)| caption.trim()).collect();
                    self.out.push_str(&captions.join("\n"));
                    ""
                }
                Kind::Variant => of_variant(&content),
            };
            self.out.push_str(shown);
        }
        self.at += bytes;
        true
    }

    /// What a link shows.
    fn of_link<'t>(&self, parts: &[&'t str]) -> &'t str {
        let target = parts.first().copied().unwrap_or_default().trim();
        let label = parts.last().copied().unwrap_or_default();
        if let Some((namespace, _)) = target.split_once(':').filter(|(namespace, _)| !namespace.is_empty()) {
            let name = namespace.trim().to_lowercase();
            // A language's code without a label is a link to the same article elsewhere.
            let code = name.split('-').next().unwrap_or_default();
            let elsewhere = parts.len() == 1
                && (2..=3).contains(&code.len())
                && namespace.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
            if elsewhere || self.names.0.contains(&name) {
                return "";
            }
        }
        if parts.len() == 1 { label.trim_start_matches(':') } else { label }
    }

    /// A tag, a comment, or the sign for less.
    fn element(&mut self) {
        let rest = &self.text[self.at..];
        if rest.starts_with("<!--") {
            match self.find("-->") {
                Some(end) => self.at = end,
                None => self.literal(4),
            }
            return;
        }
        let name: String = rest[1..]
            .trim_start_matches('/')
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .take(20)
            .collect::<String>()
            .to_ascii_lowercase();
        let known = |names: &[&'static str]| names.iter().find(|known| **known == name).copied();
        let is_tag = [&DROPPED[..], &LITERAL, &LINES, &MARKUP, &["ref", "references", "gallery"]]
            .into_iter()
            .any(|names| known(names).is_some());
        let end = is_tag.then(|| rest.bytes().take(LONGEST_TAG).position(|byte| byte == b'>')).flatten();
        let Some(end) = end else { return self.literal(1) };
        let (closes, empty) = (rest[1..].starts_with('/'), rest[..end].ends_with('/'));
        if name == "ref" || name == "references" {
            return self.reference(closes, empty || name == "references", end + 1);
        }
        if name == "gallery" {
            match (closes, empty) {
                (true, _) if self.close(Kind::Gallery, end + 1) => {}
                (false, false) => self.open(Kind::Gallery, end + 1),
                _ => self.at += end + 1,
            }
            return;
        }
        let (dropped, literal) = (known(&DROPPED), known(&LITERAL));
        if let Some(name) = dropped.or(literal) {
            let (begins, closing) = (self.at + end + 1, format!("</{name}>"));
            self.at = begins;
            if !closes
                && !empty
                && let Some(ends) = self.find(&closing)
            {
                if literal.is_some() {
                    let content = &self.text[begins..ends - closing.len()];
                    self.out.push_str(&decoded(content));
                }
                self.at = ends;
            }
            return;
        }
        self.at += end + 1;
        if known(&LINES).is_some() {
            self.out.push('\n');
            if !closes && name != "br" {
                self.begin_line();
            }
        }
    }

    fn reference(&mut self, closes: bool, empty: bool, bytes: usize) {
        match (closes, empty) {
            (_, true) => self.at += bytes,
            (true, false) => {
                if !self.close(Kind::Reference, bytes) {
                    self.at += bytes;
                }
            }
            (false, false) => self.open(Kind::Reference, bytes),
        }
    }

    /// Behind the next place where this stands.
    fn find(&mut self, what: &str) -> Option<usize> {
        if self.never_closed.contains(what) {
            return None;
        }
        let bytes = &self.text.as_bytes()[self.at..];
        let exact = memchr::memmem::find(bytes, what.as_bytes());
        let found =
            exact.or_else(|| bytes.windows(what.len()).position(|seen| seen.eq_ignore_ascii_case(what.as_bytes())));
        if found.is_none() {
            self.never_closed.insert(what.to_owned());
        }
        found.map(|found| self.at + found + what.len())
    }

    fn entity(&mut self) {
        match entity(&self.text[self.at..]) {
            Some((character, bytes)) => {
                self.out.push(character);
                self.at += bytes;
            }
            None => self.literal(1),
        }
    }

    /// A word such as `__NOTOC__`.
    fn switch(&mut self) {
        let word = self.text[self.at + 2..].split("__").next().unwrap_or_default();
        let is_one = (3..=30).contains(&word.len()) && word.chars().all(|c| c.is_uppercase() || c > '\u{7f}');
        if is_one && self.text[self.at + 2 + word.len()..].starts_with("__") {
            self.at += word.len() + 4;
        } else {
            self.literal(2);
        }
    }

    /// What a line may begin with.
    fn begin_line(&mut self) {
        let line = &self.text[self.at..];
        let indented = line.trim_start_matches([' ', '\t', ':']);
        if indented.starts_with("{|") {
            return self.open(Kind::Table, line.len() - indented.len() + 2);
        }
        let within_table = self.frames.iter().any(|frame| frame.kind == Kind::Table);
        if within_table && indented.starts_with("|}") && !indented.starts_with("|}}") {
            self.close(Kind::Table, line.len() - indented.len() + 2);
            return;
        }
        if line.starts_with("----") {
            self.at += line.bytes().take_while(|byte| *byte == b'-').count();
        } else if line.starts_with('=') && line.lines().next().is_some_and(is_heading) {
            let level = line.bytes().take_while(|byte| *byte == b'=').count();
            self.at += level;
            self.heading = true;
        } else if self.frames.is_empty() {
            self.at += line.bytes().take_while(|byte| matches!(byte, b'*' | b'#' | b':' | b';')).count();
        }
    }

    /// Takes the signs away that end a heading.
    fn end_heading(&mut self) {
        if std::mem::take(&mut self.heading) {
            let kept = self.out.trim_end_matches([' ', '=']).len();
            self.out.truncate(kept.max(self.frames.last().map_or(0, |frame| frame.start)));
        }
    }
}

fn is_heading(line: &str) -> bool {
    let line = line.split("<!--").next().unwrap_or_default().trim_end();
    line.len() > 2 && line.ends_with('=')
}

/// What a template shows as part of a sentence; most show nothing that was written for the article.
fn of_template<'t>(parts: &[&'t str]) -> &'t str {
    let name = parts.first().copied().unwrap_or_default().trim().to_lowercase();
    let Some((_, wanted)) = SHOWN.iter().find(|(known, _)| *known == name) else { return "" };
    let mut number = 0;
    for part in &parts[1..] {
        let (key, value) = match part.split_once('=') {
            Some((key, value)) if key.trim().chars().all(char::is_alphanumeric) => (key.trim(), value),
            _ => {
                number += 1;
                ("", *part)
            }
        };
        if (key.is_empty() && number == *wanted) || key == wanted.to_string() || (key == "text" && *wanted == 1) {
            return value.trim();
        }
    }
    ""
}

/// What `-{…}-` shows: the simplified form where several are given.
fn of_variant(content: &str) -> &str {
    let content = match content.split_once('|') {
        Some((flags, _)) if flags.contains(['H', 'T', '-']) => return "",
        Some((_, content)) => content,
        None => content,
    };
    let mut first = None;
    for rule in content.split(';') {
        let Some((variant, text)) = rule.split_once(':').filter(|(name, _)| name.trim().starts_with("zh")) else {
            continue;
        };
        if matches!(variant.trim(), "zh-hans" | "zh-cn") {
            return text.trim();
        }
        first.get_or_insert(text.trim());
    }
    first.unwrap_or(content)
}

/// The character of the entity that a text begins with, and how many bytes it takes.
fn entity(text: &str) -> Option<(char, usize)> {
    const LONGEST: usize = 10;
    let end = text.bytes().take(LONGEST).position(|byte| byte == b';')?;
    Some((character(&text[1..end])?, end + 1))
}

/// The character that an entity stands for, without its signs.
fn character(name: &str) -> Option<char> {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix(['x', 'X']) {
            Some(hexadecimal) => u32::from_str_radix(hexadecimal, 16),
            None => number.parse(),
        };
        return code.ok().and_then(char::from_u32).filter(|c| !c.is_control());
    }
    Some(match name {
        "nbsp" | "thinsp" | "ensp" | "emsp" => ' ',
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "ndash" => '–',
        "mdash" => '—',
        "hellip" => '…',
        "minus" => '−',
        "times" => '×',
        "middot" => '·',
        "deg" => '°',
        "lsquo" => '‘',
        "rsquo" => '’',
        "ldquo" => '“',
        "rdquo" => '”',
        _ => return None,
    })
}

/// A text without markup, its entities decoded.
fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let (character, bytes) = entity(&rest[at..]).unwrap_or(('&', 1));
        out.push(character);
        rest = &rest[at + bytes..];
    }
    out + rest
}

/// Without what is left of a template or a list: empty brackets, blanks at ends of lines, more than one empty line.
fn tidied(text: &str) -> String {
    let text = text.replace("（）", "").replace(" ()", "");
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let line = line.trim();
        if line.is_empty() && (out.is_empty() || out.ends_with("\n\n")) {
            continue;
        }
        out.push_str(line);
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out
}
