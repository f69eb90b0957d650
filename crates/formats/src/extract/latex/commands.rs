//! What the commands and environments of LaTeX and its usual packages mean for the text.

use std::sync::LazyLock;

use ahash::AHashMap;
use serde::Deserialize;

use crate::extract::table::by_name;
use copytrace_text::layout::{LeftOut, MarkKind};

/// What a command does with its arguments.
#[derive(Debug, Clone, Deserialize)]
pub(super) enum Command {
    /// How many arguments are dropped; options always are.
    Drop(usize),
    /// Its argument is a heading of this level.
    Heading(u8),
    /// What follows are appendices.
    Appendix,
    /// Its argument is a note.
    Note,
    /// The same, but options of the command or its package may say that it is not printed.
    Remark,
    /// Its argument is what stands below a figure or a table.
    Caption,
    /// It refers to something or quotes it.
    Referring(Referring),
    /// It changes how letters look.
    Formatting(Formatting),
    /// The main part of a book begins or ends.
    Matter,
    /// Its argument is keys of the literature.
    Citation,
    /// Its argument is the work's title.
    Title,
    /// Its argument is the author.
    Author,
    /// What the command prints.
    Print(String),
    /// It shows a picture.
    Picture,
    /// Its argument names a file that stands here.
    Include,
    /// Its argument names a document whose pages stand here.
    IncludePages,
    /// The line is the last one that is read of the file, or nothing more is read at all.
    EndInput,
    Stop,
    /// Words are parted.
    Blank,
    /// The sign `@` is a letter of names from here on, or no longer.
    AtLetter,
    /// It makes letters.
    Letters(Letters),
    /// It defines a command.
    Define(Definer),
    /// It adds to what a command stands for: before it, or behind it.
    Add(bool),
    /// Its argument is the name of the command that stands here.
    Named,
    /// The name of the command behind it is text.
    Name,
    /// A program makes text of its argument.
    Computed,
    /// An environment begins.
    Begin,
    /// An environment ends.
    End,
    /// A paragraph begins.
    Paragraph,
    /// The content of its second argument is text, the first is none, as in `\href{address}{text}`.
    SecondOnly,
    /// The content of its first argument is text, the second is none, as in `\texorpdfstring{text}{bookmark}`.
    FirstOnly,
    /// A group begins or ends, as by this sign.
    Group(u8),
    /// A length follows.
    Length,
    /// What stands between two equal characters is text as it is.
    Verbatim,
    /// The command goes, its arguments are text.
    Plain,
    /// How many arguments are paragraphs of their own.
    Paragraphs(usize),
    /// How many arguments are dropped; nobody knows what is seen of what follows in the group.
    Steers(usize),
    /// Anything else: the command goes, its arguments are text, of which the long ones are not judged.
    Transparent,
}

/// A command that refers to something or quotes it.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) enum Referring {
    /// Its second argument is what stands below a figure or a table; the first is a kind of float, or the same in another language.
    CaptionOf,
    /// Its argument names this place.
    Label,
    /// Its argument names the place whose number stands here.
    Reference,
    /// Its argument stands in quotation marks.
    Quoted,
    /// So does its second argument; the first is a language or a key of the literature.
    QuotedSecond,
}

/// How the definition of a command is written.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) enum Definer {
    /// With the number of arguments in brackets, as LaTeX has it.
    Latex,
    /// With the arguments as they stand in a call, as TeX has it.
    Tex,
    /// The same, for a command that is named without its backslash.
    Named,
    /// As TeX has it; commands in it are replaced at once.
    Expanded,
    /// With kinds of arguments in braces (the package xparse).
    Document,
}

impl Definer {
    /// Whether the name has no backslash.
    pub(super) fn is_named(self) -> bool {
        matches!(self, Definer::Named)
    }
}

/// A command that makes letters, or keeps and shows them.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) enum Letters {
    /// The letter of a number.
    Number,
    /// The letters of a number in Roman figures.
    Roman,
    /// The letters of a counter, which is not computed.
    Counter,
    /// Its last argument is kept in a box, which may be shown later.
    Kept,
    /// The same, by TeX's own command.
    KeptByNumber,
    /// What a box keeps stands here.
    Shown,
}

/// A command that changes how letters look, and those that take their arguments as these do.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) enum Formatting {
    /// An item of a list begins, perhaps with a label.
    Item,
    /// Its argument is an address, in which a percent sign is one.
    Address,
    /// What follows is in the smallest letters.
    Tiny,
    /// What follows is in letters of a size.
    Size,
    /// What follows is in a colour.
    Colour,
    /// Its second argument is in a colour.
    Coloured,
    /// Its second argument is on a ground.
    Box,
    /// Its last argument is made larger or smaller.
    Scale,
    /// Its argument takes its place and is not seen.
    Hide,
    /// Its second argument is raised by the first.
    Raise,
    /// Its argument says how far to the right what follows stands.
    Space,
    /// How much of the ground is seen through what follows or through the second argument.
    Transparency,
}

/// What commands without their backslashes stand for.
static COMMANDS: LazyLock<AHashMap<String, Command>> = LazyLock::new(|| by_name(include_str!("commands.json")));

/// What a command, named without its backslash, stands for.
pub(super) fn command(name: &str) -> Command {
    match COMMANDS.get(name) {
        Some(command) => command.clone(),
        // A blank parts the names in the table.
        None if name == " " => Command::Print(" ".to_owned()),
        None if is_citation(name) => Command::Citation,
        None => Command::Transparent,
    }
}

/// The level of headings that a command makes by its name: a `\chapter` or a `\subsection` of a class of its own ends in it. Words
/// that end in `part` are too many.
pub(super) fn heading_by_name(name: &str) -> Option<u8> {
    let name = name.trim_end_matches('*').to_ascii_lowercase();
    let ends = (0..name.len()).filter_map(|at| COMMANDS.get(name.get(at..)?));
    // The longest name is the command's: a subsection is no section.
    let level = |command: &Command| if let Command::Heading(level @ 1..) = command { Some(*level) } else { None };
    ends.filter_map(level).next()
}

/// Whether the headings that a command makes have numbers: those of KOMA-Script that are only added to the contents have none.
pub(super) fn is_numbered(name: &str) -> bool {
    !name.ends_with('*') && !name.starts_with("add")
}

/// Whether a command refers to the literature, by any of the packages for it.
fn is_citation(name: &str) -> bool {
    let name = name.trim_end_matches('*').to_ascii_lowercase();
    name.starts_with("cite") || name.ends_with("cite") || matches!(name.as_str(), "supercite" | "upcite" | "citet")
}

/// Environments that are one formula.
pub(super) fn is_formula(environment: &str) -> bool {
    matches!(
        environment.trim_end_matches('*'),
        "equation" | "align" | "gather" | "multline" | "eqnarray" | "displaymath" | "math" | "flalign" | "alignat"
    )
}

/// Of what kind the number of a float is.
pub(super) fn float(environment: &str) -> Option<&'static str> {
    Some(match environment.trim_end_matches('*') {
        "figure" | "wrapfigure" | "sidewaysfigure" | "SCfigure" | "floatingfigure" => "figure",
        "table" | "longtable" | "sidewaystable" | "SCtable" | "wraptable" => "table",
        _ => return None,
    })
}

/// Environments whose content is no text, and why.
pub(super) fn skipped(environment: &str) -> Option<LeftOut> {
    Some(match environment.trim_end_matches('*') {
        "comment" => LeftOut::Comment,
        "filecontents" => LeftOut::Instruction,
        "tikzpicture" | "picture" | "pspicture" | "forest" | "tikzcd" | "circuitikz" | "pgfpicture" | "axis"
        | "asy" | "xy" | "overpic" => LeftOut::Formula,
        _ => return None,
    })
}

/// What the content of an environment is.
pub(super) fn mark_of(environment: &str) -> Option<MarkKind> {
    match environment {
        "quote" | "quotation" | "displayquote" | "quoting" | "verse" => Some(MarkKind::Quotation),
        "thebibliography" => Some(MarkKind::Bibliography),
        "tabular" | "tabular*" | "tabularx" | "longtable" => Some(MarkKind::Table),
        _ => None,
    }
}

/// Accents: the command, the combining mark, and the place that the first fonts of TeX have it at (The TeXbook, appendix F).
const ACCENTS: [(char, char, u32); 13] = [
    ('`', '\u{300}', 18),
    ('\'', '\u{301}', 19),
    ('^', '\u{302}', 94),
    ('~', '\u{303}', 126),
    ('=', '\u{304}', 22),
    ('u', '\u{306}', 21),
    ('.', '\u{307}', 95),
    ('"', '\u{308}', 127),
    ('r', '\u{30A}', 23),
    ('H', '\u{30B}', 125),
    ('v', '\u{30C}', 20),
    ('c', '\u{327}', 24),
    // None of those fonts has it.
    ('k', '\u{328}', u32::MAX),
];

/// The combining mark of an accent command.
pub(super) fn accent(name: char) -> Option<char> {
    ACCENTS.iter().find(|(command, ..)| *command == name).map(|(_, mark, _)| *mark)
}

/// The combining mark at a place of a font.
pub(super) fn accent_of_number(number: u32) -> Option<char> {
    ACCENTS.iter().find(|(.., place)| *place == number).map(|(_, mark, _)| *mark)
}
