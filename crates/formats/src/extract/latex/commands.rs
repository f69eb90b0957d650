//! What the commands and environments of LaTeX and its usual packages mean for the text.

use crate::extract::latex_includes::COMMANDS;
use copytrace_text::layout::{LeftOut, MarkKind};

/// What a command does with its arguments.
pub(super) enum Command {
    /// So many arguments are dropped; options always are.
    Drop(usize),
    /// Its argument is a heading of this level.
    Heading(u8),
    /// What follows are appendices.
    Appendix,
    /// Its argument is a note.
    Note,
    /// Its argument is what stands below a figure or a table.
    Caption,
    /// So does its second argument; the first is a kind of float, or the same in another language.
    CaptionOf,
    /// Its argument names this place.
    Label,
    /// Its argument names the place whose number stands here.
    Reference,
    /// Its argument stands in quotation marks.
    Quoted,
    /// So does its second argument; the first is a language or a key of the literature.
    QuotedSecond,
    /// The main part of a book begins or ends.
    Matter,
    /// Its argument is keys of the literature.
    Citation,
    /// Its argument is the work's title.
    Title,
    /// Its argument is the author.
    Author,
    /// What the command prints.
    Print(&'static str),
    /// It shows a picture.
    Picture,
    /// Its argument names a file that stands here.
    Include,
    /// An environment begins.
    Begin,
    /// An environment ends.
    End,
    /// A paragraph begins.
    Paragraph,
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
    /// Its last argument is kept in a box, which may be shown later.
    Kept,
    /// Its second argument is raised by the first.
    Raise,
    /// What follows stands so far to the right.
    Space,
    /// How much of the ground is seen through what follows or through the second argument.
    Transparency,
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
    /// Anything else: the command goes, its arguments are text.
    Transparent,
}

/// What a command, named without its backslash, stands for.
pub(super) fn command(name: &str) -> Command {
    match name {
        "part" | "part*" => Command::Heading(0),
        "chapter" | "chapter*" => Command::Heading(1),
        "section" | "section*" => Command::Heading(2),
        "subsection" | "subsection*" => Command::Heading(3),
        "subsubsection" | "subsubsection*" => Command::Heading(4),
        "footnote" | "endnote" | "footnotetext" | "thanks" | "todo" => Command::Note,
        "caption" | "caption*" => Command::Caption,
        "captionof" | "captionof*" | "bicaption" => Command::CaptionOf,
        "label" => Command::Label,
        "ref" | "ref*" | "eqref" | "autoref" | "autoref*" | "cref" | "cref*" | "Cref" | "Cref*" | "labelcref"
        | "vref" | "fref" | "subref" => Command::Reference,
        "enquote" | "enquote*" | "textquote" | "blockquote" | "say" => Command::Quoted,
        "foreignquote" | "foreigntextquote" | "foreignblockquote" | "textcquote" | "blockcquote" => {
            Command::QuotedSecond
        }
        "frontmatter" | "mainmatter" | "backmatter" => Command::Matter,
        "title" => Command::Title,
        "author" => Command::Author,
        name if COMMANDS.contains(&name) => Command::Include,
        "begin" => Command::Begin,
        "end" => Command::End,
        "appendix" => Command::Appendix,
        "par" | "maketitle" | "newpage" | "clearpage" | "bibitem" => Command::Paragraph,
        "item" => Command::Item,
        "url" | "path" | "nolinkurl" => Command::Address,
        "tiny" => Command::Tiny,
        "fontsize" => Command::Size,
        "color" => Command::Colour,
        "textcolor" => Command::Coloured,
        "colorbox" => Command::Box,
        "scalebox" | "resizebox" => Command::Scale,
        "phantom" | "hphantom" | "vphantom" | "setbox" | "invisible" | "@gobble" => Command::Hide,
        "sbox" | "savebox" => Command::Kept,
        "raisebox" => Command::Raise,
        "hspace" | "hspace*" => Command::Space,
        "transparent" | "texttransparent" => Command::Transparency,
        "includegraphics" => Command::Picture,
        "href" | "foreignlanguage" => Command::SecondOnly,
        "texorpdfstring" => Command::FirstOnly,
        "kern" | "hskip" | "vskip" | "mskip" | "mkern" | "unkern" | "penalty" => Command::Length,
        "verb" | "verb*" | "lstinline" => Command::Verbatim,
        "pageref" | "nameref" | "usepackage" | "RequirePackage" | "lstset" | "lstinputlisting" | "setmainfont"
        | "documentclass" | "bibliographystyle" | "bibliography" | "addbibresource" | "vspace" | "vspace*"
        | "pagestyle" | "thispagestyle" | "pagenumbering" | "index" | "hypersetup" | "graphicspath" | "date"
        | "phantomsection" | "hypertarget" | "tag" | "nocite" | "ctexset" | "geometry" | "cline" | "cmidrule"
        | "linespread" | "special" | "pdfliteral" | "hyphenation" | "typeout" | "message" | "wlog" | "errmessage"
        | "markright" | "glossary" | "pdfinfo" | "includeonly" | "AtEndDocument" => Command::Drop(1),
        "begingroup" | "bgroup" => Command::Group(b'{'),
        "endgroup" | "egroup" => Command::Group(b'}'),
        "setlength"
        | "addtolength"
        | "setcounter"
        | "addtocounter"
        | "lstdefinestyle"
        | "inputminted"
        | "DeclareMathOperator"
        | "discretionary"
        | "markboth"
        | "pdfbookmark"
        | "titleformat" => Command::Drop(2),
        "newenvironment" | "renewenvironment" => Command::Drop(3),
        "addcontentsline" => Command::Drop(3),
        "multicolumn" | "multirow" => Command::Drop(2),
        "&" => Command::Print("&"),
        "%" => Command::Print("%"),
        "$" => Command::Print("$"),
        "#" => Command::Print("#"),
        "_" => Command::Print("_"),
        "{" => Command::Print("{"),
        "}" => Command::Print("}"),
        "textbackslash" => Command::Print("\\"),
        "textasciitilde" => Command::Print("~"),
        "textasciicircum" => Command::Print("^"),
        "ldots" | "dots" | "textellipsis" => Command::Print("…"),
        "textendash" => Command::Print("–"),
        "textemdash" => Command::Print("—"),
        "LaTeXe" => Command::Print("LaTeX2ε"),
        "slash" => Command::Print("/"),
        "textunderscore" => Command::Print("_"),
        "textdegree" | "degree" => Command::Print("°"),
        "textmu" | "micro" => Command::Print("µ"),
        "textless" => Command::Print("<"),
        "textgreater" => Command::Print(">"),
        "textbar" => Command::Print("|"),
        "og" | "guillemotleft" | "flqq" => Command::Print("«"),
        "fg" | "guillemotright" | "frqq" => Command::Print("»"),
        "glqq" | "quotedblbase" => Command::Print("„"),
        "grqq" | "textquotedblleft" => Command::Print("“"),
        "textquotedblright" => Command::Print("”"),
        "ss" => Command::Print("ß"),
        "ae" => Command::Print("æ"),
        "AE" => Command::Print("Æ"),
        "oe" => Command::Print("œ"),
        "OE" => Command::Print("Œ"),
        "o" => Command::Print("ø"),
        "O" => Command::Print("Ø"),
        "l" => Command::Print("ł"),
        "L" => Command::Print("Ł"),
        "aa" => Command::Print("å"),
        "AA" => Command::Print("Å"),
        "i" => Command::Print("ı"),
        "S" => Command::Print("§"),
        "copyright" => Command::Print("©"),
        "pounds" => Command::Print("£"),
        "euro" | "texteuro" => Command::Print("€"),
        "quad" | "qquad" | " " | "," | ";" | ":" | "space" | "enspace" | "thinspace" => Command::Print(" "),
        "-" | "/" | "!" => Command::Print(""),
        _ if is_citation(name) => Command::Citation,
        _ => Command::Transparent,
    }
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
        // A box that may be shown later.
        "lrbox" => Some(MarkKind::Unjudged),
        _ => None,
    }
}

/// The combining mark of an accent command.
pub(super) fn accent(name: char) -> Option<char> {
    Some(match name {
        '`' => '\u{300}',
        '\'' => '\u{301}',
        '^' => '\u{302}',
        '~' => '\u{303}',
        '=' => '\u{304}',
        'u' => '\u{306}',
        '.' => '\u{307}',
        '"' => '\u{308}',
        'r' => '\u{30A}',
        'H' => '\u{30B}',
        'v' => '\u{30C}',
        'c' => '\u{327}',
        'k' => '\u{328}',
        _ => return None,
    })
}

/// The combining mark that the first fonts of TeX have at a place (The TeXbook, appendix F).
pub(super) fn accent_of_number(number: u32) -> Option<char> {
    let name = match number {
        18 => '`',
        19 => '\'',
        20 => 'v',
        21 => 'u',
        22 => '=',
        23 => 'r',
        24 => 'c',
        94 => '^',
        95 => '.',
        125 => 'H',
        126 => '~',
        127 => '"',
        _ => return None,
    };
    accent(name)
}
