//! What the commands and environments of LaTeX and its usual packages mean for the text.

use crate::text::layout::MarkKind;

/// What a command does with its arguments.
pub(super) enum Command {
    /// So many arguments are dropped; options always are.
    Drop(usize),
    /// Its argument is a heading of this level.
    Heading(u8),
    /// Its argument is a note.
    Note,
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
    /// The content of its second argument is text, the first is none, as in `\href{address}{text}`.
    SecondOnly,
    /// What stands between two equal characters is text as it is.
    Verbatim,
    /// Anything else: the command goes, its arguments are text.
    Transparent,
}

/// What a command, named without its backslash, stands for.
pub(super) fn command(name: &str) -> Command {
    match name {
        "part" | "part*" | "chapter" | "chapter*" => Command::Heading(1),
        "section" | "section*" => Command::Heading(2),
        "subsection" | "subsection*" => Command::Heading(3),
        "subsubsection" | "subsubsection*" => Command::Heading(4),
        "footnote" | "endnote" | "footnotetext" => Command::Note,
        "title" => Command::Title,
        "author" => Command::Author,
        "input" | "include" | "subfile" => Command::Include,
        "begin" => Command::Begin,
        "end" => Command::End,
        "par" | "maketitle" | "newpage" | "clearpage" | "item" | "bibitem" => Command::Paragraph,
        "includegraphics" => Command::Picture,
        "href" | "textcolor" | "colorbox" | "texorpdfstring" | "foreignlanguage" => Command::SecondOnly,
        "verb" | "verb*" | "lstinline" => Command::Verbatim,
        "label" | "ref" | "eqref" | "pageref" | "autoref" | "cref" | "Cref" | "nameref" | "usepackage"
        | "documentclass" | "bibliographystyle" | "bibliography" | "addbibresource" | "vspace" | "vspace*"
        | "hspace" | "hspace*" | "pagestyle" | "thispagestyle" | "pagenumbering" | "index" | "hypersetup"
        | "graphicspath" | "date" | "phantomsection" | "hypertarget" | "color" | "tag" | "nocite" | "ctexset"
        | "geometry" | "cline" | "cmidrule" | "thanks" | "todo" | "linespread" | "fontsize" => {
            Command::Drop(if name == "fontsize" { 2 } else { 1 })
        }
        "newcommand"
        | "renewcommand"
        | "setlength"
        | "addtolength"
        | "setcounter"
        | "addtocounter"
        | "newenvironment"
        | "providecommand"
        | "newcommand*"
        | "renewcommand*"
        | "definecolor"
        | "newtheorem"
        | "DeclareMathOperator"
        | "titleformat" => Command::Drop(match name {
            "newenvironment" | "definecolor" => 3,
            _ => 2,
        }),
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
        "LaTeX" => Command::Print("LaTeX"),
        "TeX" => Command::Print("TeX"),
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

/// Environments whose content is no text.
pub(super) fn is_skipped(environment: &str) -> bool {
    matches!(
        environment.trim_end_matches('*'),
        "equation"
            | "align"
            | "gather"
            | "multline"
            | "eqnarray"
            | "displaymath"
            | "math"
            | "flalign"
            | "alignat"
            | "tikzpicture"
            | "comment"
            | "filecontents"
            | "picture"
            | "forest"
    )
}

/// What the content of an environment is.
pub(super) fn mark_of(environment: &str) -> Option<MarkKind> {
    match environment {
        "quote" | "quotation" | "displayquote" => Some(MarkKind::Quotation),
        "thebibliography" => Some(MarkKind::Bibliography),
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
