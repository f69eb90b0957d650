//! What a format can do with text: hide it from a reader while it stands in the file, or show it where a program may not
//! look. A new trick is a row of [`TRICKS`].

use super::writers::Markup;

/// What a reader sees of the text in the markup.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sees {
    Nothing,
    /// Nothing; and it stands on lines of its own.
    NothingApart,
    All,
}
use Sees::{All, Nothing, NothingApart};

/// A row: the format, a name, what is seen, and the markup.
pub struct Trick {
    pub format: &'static str,
    pub name: &'static str,
    pub sees: Sees,
    pub markup: Markup,
}

const fn trick(
    format: &'static str,
    name: &'static str,
    sees: Sees,
    head: &'static str,
    open: &'static str,
    close: &'static str,
) -> Trick {
    Trick { format, name, sees, markup: Markup { head, open, close } }
}

/// A run of Word with properties.
macro_rules! run {
    ($name:literal, $properties:literal) => {
        trick(
            "docx",
            $name,
            Nothing,
            "",
            concat!("<w:r><w:rPr>", $properties, "</w:rPr><w:t xml:space='preserve'>"),
            "</w:t></w:r>",
        )
    };
}

/// A span of a page with a style.
macro_rules! span {
    ($name:literal, $style:literal) => {
        trick("html", $name, Nothing, "", concat!("<span style='", $style, "'>"), "</span>")
    };
}

/// A span of an OpenDocument text with properties of letters.
macro_rules! odt {
    ($name:literal, $properties:literal) => {
        trick(
            "odt",
            $name,
            Nothing,
            concat!("<s:style s:name='x' s:family='text'><s:text-properties ", $properties, "/></s:style>"),
            "<t:span t:style-name='x'>",
            "</t:span>",
        )
    };
}

/// A way to write a word in one format, that shows it as it is.
pub type Spelling = fn(&str) -> String;

/// Format, a name, what is declared for it, and how a word is written. A new one is a row.
pub const SPELLINGS: &[(&str, &str, &str, Spelling)] = &[
    ("html", "turned round by a style", "", |word| {
        format!("<span style='unicode-bidi:bidi-override;direction:rtl'>{}</span>", reversed(word))
    }),
    ("html", "turned round by a class", "<style>i{direction:rtl;unicode-bidi:isolate-override}</style>", |word| {
        format!("<i>{}</i>", reversed(word))
    }),
    ("html", "a block in the line", "", |word| {
        format!("{}<div style='display:inline'>{}</div>", &word[..2], &word[2..])
    }),
    ("html", "letters by their numbers", "", |word| format!("{}&#{};{}", &word[..2], word.as_bytes()[2], &word[3..])),
    ("md", "letters by their numbers", "", |word| format!("{}&#{};{}", &word[..2], word.as_bytes()[2], &word[3..])),
    ("tex", "letters by their codes", "", |word| format!("{}^^{:02x}{}", &word[..2], word.as_bytes()[2], &word[3..])),
    ("tex", "letters by numbers", "", |word| format!("{}{{\\char{}}}{}", &word[..2], word.as_bytes()[2], &word[3..])),
    ("tex", "letters as symbols", "", |word| format!("{}\\symbol{{{}}}{}", &word[..2], word.as_bytes()[2], &word[3..])),
    ("tex", "kerns", "", |word| format!("{}\\kern0pt {}", &word[..2], &word[2..])),
    ("tex", "a command by its name", "", |word| format!("{}\\csname relax\\endcsname {}", &word[..2], &word[2..])),
    ("tex", "instructions for a printer", "", |word| format!("{}\\special{{x}}{}", &word[..2], &word[2..])),
    ("tex", "other words for bookmarks", "", |word| format!("\\texorpdfstring{{{word}}}{{lantern}}")),
];

fn reversed(word: &str) -> String {
    word.chars().rev().collect()
}

pub const TRICKS: &[Trick] = &[
    trick("md", "comment", Nothing, "", "<!-- ", " -->"),
    trick("md", "white span", Nothing, "", "<span style='color:white'>", "</span>"),
    trick("md", "hidden span", Nothing, "", "<span hidden>", "</span>"),
    trick("md", "tiny span", Nothing, "", "<span style='font-size:1px'>", "</span>"),
    trick("md", "target of a link", Nothing, "", "[](<", ">)"),
    trick("md", "title of a link", Nothing, "", "[](x \"", "\")"),
    trick("md", "emphasis", All, "", "***", "***"),
    trick("md", "code", All, "", "`", "`"),
    trick("md", "quotation", All, "", "> ", ""),
    span!("white", "color:white"),
    span!("nearly white", "color:#F2F2F2"),
    span!("rgb", "color:rgb(255 255 255 / 1)"),
    span!("hsl", "color:hsl(0,0%,99%)"),
    span!("lab", "color:lab(100% 0 0)"),
    span!("alpha", "color:rgba(0,0,0,.02)"),
    span!("transparent", "color:transparent"),
    span!("opacity", "opacity:0.01"),
    span!("filter", "filter:opacity(0)"),
    span!("display", "display:none"),
    span!("visibility", "visibility:hidden"),
    span!("collapsed", "visibility:collapse"),
    span!("tiny", "font-size:1px"),
    span!("tiny, short", "font:1px serif"),
    span!("a thousandth", "font-size:.1%"),
    span!("off the page", "position:absolute;left:-9999px"),
    span!("above the page", "position:fixed;top:-200vh"),
    span!("moved", "display:inline-block;transform:translateX(-9999px)"),
    span!("scaled", "display:inline-block;transform:scale(0)"),
    span!("clipped", "position:absolute;clip-path:inset(100%)"),
    span!("clipped, old", "position:absolute;clip:rect(0,0,0,0)"),
    span!("no width", "display:inline-block;width:0;overflow:hidden"),
    span!("no height", "display:inline-block;max-height:0;overflow:hidden"),
    span!("variable", "--x:white;color:var(--x)"),
    span!("content visibility", "content-visibility:hidden"),
    span!("ground of its colour", "background:#123456;color:#123456"),
    span!("letters above each other", "letter-spacing:-2em"),
    span!("made small", "zoom:.01"),
    span!("made small by itself", "display:inline-block;scale:0"),
    span!("seen from its edge", "display:inline-block;transform:rotateY(90deg)"),
    trick("html", "class", Nothing, "<style>.x{color:white}</style>", "<span class='x'>", "</span>"),
    trick("html", "child", Nothing, "<style>span:nth-child(n){color:white}</style>", "<span>", "</span>"),
    trick("html", "attribute", Nothing, "<style>[data-x]{display:none}</style>", "<span data-x='1'>", "</span>"),
    trick(
        "html",
        "inherited",
        Nothing,
        "<style>i{color:#fff}</style>",
        "<i><span style='color:inherit'>",
        "</span></i>",
    ),
    trick("html", "nested rule", Nothing, "<style>body{& i{color:#fff}}</style>", "<i>", "</i>"),
    trick("html", "layer", Nothing, "<style>@layer a{i{color:#fff}}</style>", "<i>", "</i>"),
    trick("html", "supports", Nothing, "<style>@supports (color:red){i{color:#fff}}</style>", "<i>", "</i>"),
    trick("html", "hidden", Nothing, "", "<span hidden>", "</span>"),
    trick("html", "template", Nothing, "", "<template>", "</template>"),
    trick("html", "comment", Nothing, "", "<!--", "-->"),
    trick("html", "noscript", Nothing, "", "<noscript>", "</noscript>"),
    trick("html", "closed details", NothingApart, "", "<details>", "</details>"),
    trick("html", "closed dialog", Nothing, "", "<dialog>", "</dialog>"),
    trick("html", "option", Nothing, "", "<datalist><option>", "</option></datalist>"),
    trick("html", "font", Nothing, "", "<font color='white'>", "</font>"),
    trick("html", "menu", All, "", "<nav>", "</nav>"),
    trick("html", "aside", All, "", "<aside>", "</aside>"),
    trick("html", "text area", All, "", "<textarea>", "</textarea>"),
    trick("html", "drawing", All, "", "<svg><text>", "</text></svg>"),
    trick("html", "foreign object", All, "", "<svg><foreignObject>", "</foreignObject></svg>"),
    trick("html", "formula", All, "", "<math><mtext>", "</mtext></math>"),
    trick("html", "generated", All, "<style>b::after{content:attr(data-x)}</style>", "<b data-x='", "'></b>"),
    trick("html", "value of a field", All, "", "<input value='", "'/>"),
    trick("html", "page in a page", All, "", "<iframe srcdoc='", "'></iframe>"),
    trick("html", "script", All, "", "<script>document.write('", "')</script>"),
    trick("html", "turned by style", All, "", "<span style='direction:ltr;unicode-bidi:normal'>", "</span>"),
    trick("html", "letters in elements", All, "", "<b>", "</b>"),
    trick("epub", "white", Nothing, "<style>.x{color:white}</style>", "<span class='x'>", "</span>"),
    trick("epub", "tiny", Nothing, "", "<span style='font-size:1px'>", "</span>"),
    trick("epub", "hidden", Nothing, "", "<span hidden='hidden'>", "</span>"),
    trick("epub", "formula", All, "", "<math><mtext>", "</mtext></math>"),
    trick("epub", "drawing", All, "", "<svg><text>", "</text></svg>"),
    trick("tex", "white", Nothing, "\\usepackage{xcolor}", "\\textcolor{white}{", "}"),
    trick("tex", "white, defined", Nothing, "\\colorlet{y}{white!99!black}", "\\textcolor{y}{", "}"),
    trick("tex", "phantom", Nothing, "", "\\phantom{", "}"),
    trick("tex", "dropped", Nothing, "\\newcommand{\\x}[1]{}", "\\x{", "}"),
    trick("tex", "dropped, plain", Nothing, "\\def\\x#1{}", "\\x{", "}"),
    trick("tex", "dropped, long", Nothing, "\\long\\def\\x#1{}", "\\x{", "}"),
    trick("tex", "dropped, declared", Nothing, "\\NewDocumentCommand{\\x}{m}{}", "\\x{", "}"),
    trick("tex", "gobbled", Nothing, "", "\\csname @gobble\\endcsname{", "}"),
    trick("tex", "false", Nothing, "", "\\iffalse ", "\\fi{}"),
    trick("tex", "else", Nothing, "", "\\iftrue\\else ", "\\fi{}"),
    trick("tex", "tiny", Nothing, "", "{\\fontsize{1}{1}\\selectfont ", "}"),
    trick("tex", "scaled", Nothing, "", "\\scalebox{0.01}{", "}"),
    trick("tex", "resized", Nothing, "", "\\resizebox{1pt}{!}{", "}"),
    trick("tex", "transparent", Nothing, "", "\\texttransparent{0}{", "}"),
    trick("tex", "in a box", Nothing, "\\newsavebox{\\y}", "\\sbox{\\y}{", "}"),
    trick("tex", "invisible", Nothing, "", "\\invisible{", "}"),
    trick("tex", "off the page", Nothing, "", "\\hspace*{-99cm}\\rlap{", "}"),
    trick(
        "tex",
        "comment of its own",
        NothingApart,
        "\\usepackage{comment}\\excludecomment{x}",
        "\n\\begin{x}\n",
        "\n\\end{x}\n",
    ),
    trick("tex", "in a formula", All, "", "$\\text{", "}$"),
    trick("tex", "in a drawing", All, "", "\\begin{tikzpicture}\\node{", "};\\end{tikzpicture}"),
    trick("tex", "in a macro", All, "\\newcommand{\\x}[1]{#1}", "\\x{", "}"),
    trick("tex", "in letters of a font", All, "", "\\textsc{", "}"),
    trick("tex", "as it stands", All, "", "\\begin{verbatim}", "\\end{verbatim}"),
    trick("tex", "in a box that is shown", All, "", "\\mbox{", "}"),
    trick("tex", "in Lua", All, "", "\\directlua{tex.print('", "')}"),
    trick("rtf", "white", Nothing, "{\\colortbl;\\red255\\green255\\blue255;}", "{\\cf1 ", "}"),
    trick("rtf", "hidden", Nothing, "", "{\\v ", "}"),
    trick("rtf", "tiny", Nothing, "", "{\\fs2 ", "}"),
    trick("rtf", "narrow", Nothing, "", "{\\charscalex1 ", "}"),
    trick("rtf", "pressed together", Nothing, "", "{\\expndtw-240 ", "}"),
    trick("rtf", "deleted", Nothing, "", "{\\deleted ", "}"),
    trick("rtf", "of its ground", Nothing, "{\\colortbl;\\red9\\green9\\blue99;}", "{\\cf1\\chcbpat1 ", "}"),
    trick("rtf", "unknown", Nothing, "", "{\\*\\mine ", "}"),
    trick("rtf", "instruction", Nothing, "", "{\\field{\\*\\fldinst ", "}{\\fldrslt }}"),
    trick("rtf", "web hidden", Nothing, "", "{\\webhidden\\v ", "}"),
    trick("rtf", "raised", All, "", "{\\up6 ", "}"),
    trick("rtf", "result of a field", All, "", "{\\field{\\*\\fldinst QUOTE}{\\fldrslt ", "}}"),
    trick("rtf", "result of an object", All, "", "{\\object\\objemb{\\*\\objdata 00}{\\result ", "}}"),
    trick("rtf", "box", All, "", "{\\shp{\\*\\shpinst{\\shptxt ", "\\par}}}"),
    run!("white", "<w:color w:val='FFFFFF'/>"),
    run!("nearly white", "<w:color w:val='F2F2F2'/>"),
    run!("white by the theme", "<w:color w:val='000000' w:themeColor='background1'/>"),
    run!("hidden", "<w:vanish/>"),
    run!("hidden on the web", "<w:specVanish/><w:vanish/>"),
    run!("tiny", "<w:sz w:val='2'/>"),
    run!("narrow", "<w:w w:val='1'/>"),
    run!("pressed together", "<w:spacing w:val='-400'/>"),
    run!("moved up", "<w:position w:val='3168'/>"),
    run!("no fill", "<w14:textFill><w14:noFill/></w14:textFill>"),
    run!(
        "transparent",
        "<w14:textFill><w14:solidFill><w14:srgbClr w14:val='000000'><w14:alpha w14:val='100000'/></w14:srgbClr></w14:solidFill></w14:textFill>"
    ),
    run!("of its ground", "<w:color w:val='112233'/><w:shd w:val='clear' w:fill='112233'/>"),
    run!("fitted", "<w:fitText w:val='1'/>"),
    trick(
        "docx",
        "white by a style",
        Nothing,
        "<w:style w:type='character' w:styleId='X'><w:rPr><w:color w:val='FFFFFF'/></w:rPr></w:style>",
        "<w:r><w:rPr><w:rStyle w:val='X'/></w:rPr><w:t xml:space='preserve'>",
        "</w:t></w:r>",
    ),
    trick("docx", "deleted", Nothing, "", "<w:del><w:r><w:delText xml:space='preserve'>", "</w:delText></w:r></w:del>"),
    trick(
        "docx",
        "moved away",
        Nothing,
        "",
        "<w:moveFrom><w:r><w:t xml:space='preserve'>",
        "</w:t></w:r></w:moveFrom>",
    ),
    trick("docx", "instruction", Nothing, "", "<w:r><w:instrText xml:space='preserve'>", "</w:instrText></w:r>"),
    trick("docx", "inserted", All, "", "<w:ins><w:r><w:t xml:space='preserve'>", "</w:t></w:r></w:ins>"),
    trick("docx", "smart tag", All, "", "<w:smartTag><w:r><w:t xml:space='preserve'>", "</w:t></w:r></w:smartTag>"),
    trick(
        "docx",
        "content control",
        All,
        "",
        "<w:sdt><w:sdtContent><w:r><w:t xml:space='preserve'>",
        "</w:t></w:r></w:sdtContent></w:sdt>",
    ),
    trick(
        "docx",
        "formula",
        All,
        "",
        "<m:oMath><m:r><m:rPr><m:nor/></m:rPr><m:t xml:space='preserve'>",
        "</m:t></m:r></m:oMath>",
    ),
    trick("docx", "word art", All, "", "<w:r><w:pict><v:shape><v:textpath string=\"", "\"/></v:shape></w:pict></w:r>"),
    trick(
        "docx",
        "box",
        All,
        "",
        "<w:r><w:pict><v:shape><v:textbox><w:txbxContent><w:p><w:r><w:t>",
        "</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r>",
    ),
    trick(
        "docx",
        "ruby",
        All,
        "",
        "<w:r><w:ruby><w:rubyBase><w:r><w:t xml:space='preserve'>",
        "</w:t></w:r></w:rubyBase></w:ruby></w:r>",
    ),
    trick(
        "docx",
        "result of a field",
        All,
        "",
        "<w:fldSimple w:instr='QUOTE'><w:r><w:t xml:space='preserve'>",
        "</w:t></w:r></w:fldSimple>",
    ),
    trick(
        "docx",
        "contents",
        All,
        "",
        "<w:r><w:fldChar w:fldCharType='begin'/><w:instrText>TOC \\o</w:instrText><w:fldChar w:fldCharType='separate'/><w:t xml:space='preserve'>",
        "</w:t><w:fldChar w:fldCharType='end'/></w:r>",
    ),
    odt!("white", "f:color='#ffffff'"),
    odt!("nearly white", "f:color='#f4f4f4'"),
    odt!("hidden", "t:display='none'"),
    odt!("transparent", "l:opacity='0%' f:color='#000000'"),
    odt!("tiny", "f:font-size='1pt'"),
    odt!("narrow", "s:text-scale='1%'"),
    odt!("pressed together", "f:letter-spacing='-1cm'"),
    odt!("of its ground", "f:color='#123456' f:background-color='#123456'"),
    odt!("moved up", "s:text-position='9999% 100%'"),
    odt!("moved up, small", "s:text-position='super 1%'"),
    trick(
        "odt",
        "hidden text",
        Nothing,
        "",
        "<t:hidden-text t:condition='ooow:1' t:is-hidden='true'>",
        "</t:hidden-text>",
    ),
    trick("odt", "remark", Nothing, "", "<o:annotation><t:p>", "</t:p></o:annotation>"),
    trick("odt", "script", Nothing, "", "<t:script>", "</t:script>"),
    trick("odt", "box", All, "", "<d:frame><d:text-box><t:p>", "</t:p></d:text-box></d:frame>"),
    trick("odt", "shape", All, "", "<d:custom-shape><t:p>", "</t:p></d:custom-shape>"),
    trick("odt", "note", All, "", "<t:note><t:note-body><t:p>", "</t:p></t:note-body></t:note>"),
    trick("odt", "link", All, "", "<t:a>", "</t:a>"),
    trick("odt", "conditional text", All, "", "<t:conditional-text>", "</t:conditional-text>"),
    trick("odt", "placeholder", All, "", "<t:placeholder>", "</t:placeholder>"),
    trick("odt", "ruby", All, "", "<t:ruby><t:ruby-base>", "</t:ruby-base></t:ruby>"),
    trick("pdf", "without ink", Nothing, "", "3 Tr", "0 Tr"),
    trick("pdf", "white", Nothing, "", "1 g", "0 g"),
    trick("pdf", "nearly white", Nothing, "", ".95 g", "0 g"),
    trick("pdf", "white ink", Nothing, "", "0 0 0 .03 k", "0 g"),
    trick("pdf", "transparent", Nothing, "/T gs", " ", ""),
    trick("pdf", "clipped", Nothing, "0 0 1 1 re W n", " ", ""),
    trick("pdf", "narrow", Nothing, "", ".5 Tz", "100 Tz"),
    trick("pdf", "lowered from the page", Nothing, "", "-2000 Ts", "0 Ts"),
    trick("pdf", "tiny", Nothing, "", "/F 1 Tf", ""),
    trick("pdf", "only a path", Nothing, "", "7 Tr", "0 Tr"),
    trick("pdf", "said otherwise", All, "", "/Span<</ActualText(other words of mine)>>BDC", "EMC"),
    trick("pdf", "outlined", All, "", "1 Tr", "0 Tr"),
    trick("pdf", "artifact", All, "", "/Artifact BMC", "EMC"),
];
