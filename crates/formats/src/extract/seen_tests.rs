//! Whether a reader sees a text, by what a format says of it: each row is one step beside a trick that is known by its name, or
//! what honest files say every day. The rows say what is known of the word `trick`, or how `mar`, the markup and `sh` are read.

use super::office_tests::package;
use super::{Extracted, Format};
use crate::limits::ReadLimits;
use copytrace_text::layout::MarkKind;
use copytrace_text::visible::{is_unseen, visible};

const SEEN: &str = "seen";
const UNSEEN: &str = "unseen";
const UNJUDGED: &str = "unjudged";
/// What is between the two halves of a word parts nothing.
const JOINED: &str = "marsh";

fn read(format: Format, bytes: &[u8]) -> Extracted {
    format.extract(bytes, None, &ReadLimits::default()).unwrap()
}

/// What is known of the word.
fn judged(extracted: &Extracted) -> &'static str {
    let Some(at) = extracted.text.find("trick") else { return UNSEEN };
    let at = extracted.text[..at].chars().count() as u32;
    let marks = || extracted.layout.marks().iter().filter(|mark| (mark.start..mark.end).contains(&at));
    if marks().any(|mark| is_unseen(mark.kind)) {
        UNSEEN
    } else if marks().any(|mark| mark.kind == MarkKind::Unjudged) {
        UNJUDGED
    } else {
        SEEN
    }
}

/// The same, or the text as it is seen, if the row tells that.
fn found(extracted: &Extracted, expected: &str) -> String {
    if [SEEN, UNSEEN, UNJUDGED].contains(&expected) {
        return judged(extracted).to_owned();
    }
    let text = visible(&extracted.text, &extracted.layout);
    text.chars().filter(|c| *c != '\u{2060}').collect::<String>().trim_end_matches("the end").trim().to_owned()
}

/// Reads every row, and lists those that are not as expected.
fn check(rows: &[(&str, &str)], read: impl Fn(&str) -> Extracted) {
    let differs = |&(markup, expected): &(&str, &str)| {
        let found = found(&read(markup), expected);
        (found != expected).then(|| format!("{markup}\n    {found} in place of {expected}"))
    };
    let wrong: Vec<String> = rows.iter().filter_map(differs).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_style_sheets_say_of_a_text_is_known_or_the_text_is_unjudged() {
    let rows = [
        // Honest.
        ("<link rel=stylesheet href='data:text/css,p%7Bmargin:0%7D'><p>trick", SEEN),
        ("<p style='font:700 12px/1.5 serif;margin:0 auto 1em;padding:.5em 2%;text-align:justify'>trick", SEEN),
        ("<style>body{color:#222;background:#fdfdfd url(paper.png) repeat}</style><body><p>trick", SEEN),
        (
            "<style>sup{font-size:75%;line-height:0;position:relative;top:-.5em;vertical-align:baseline}</style>a<sup>trick</sup>",
            SEEN,
        ),
        ("<style>h1{font-size:calc(1rem + 1.5vw);letter-spacing:.02em}</style><h1>trick</h1>", SEEN),
        ("<style>p{font-size:clamp(.9rem,2vw,1.1rem)}</style><p>trick", SEEN),
        ("<style>h1 + p{display:block;text-indent:0}</style><h1>a</h1><p>trick", SEEN),
        ("<style>:root{--ink:#123}.dark{--ink:#eee}</style><html><p style='color:var(--ink)'>trick", SEEN),
        ("<style>p{color:var(--nothing)}</style><p>trick", SEEN),
        ("<style>a:not(.x):hover{opacity:0}</style><a>trick</a>", SEEN),
        ("<style>p::-webkit-scrollbar,::selection{display:none}</style><p>trick", SEEN),
        ("<style>div{float:left;width:60%;overflow:hidden;z-index:3}</style><div>trick and more</div>", SEEN),
        ("<style>@media print{p{color:#111}} @supports (display:grid){p{display:grid}}</style><p>trick", SEEN),
        ("<style>.a{display:none} .b{display:block}</style><p class='b a'>trick", SEEN),
        ("<p style='display:flex;gap:1em;align-items:center;transition:opacity 1s;filter:grayscale(1)'>trick", SEEN),
        (
            "<p style='transform:translate(-50%,-50%) rotate(90deg);left:50%;position:relative'>trick and what stands beside it, as a line does",
            SEEN,
        ),
        ("<style>div > p{display:none}</style><div><section><p>trick</section></div>", SEEN),
        ("<style>@layer x{p{display:none}} p{display:block}</style><p>trick", SEEN),
        ("<p style='color:white;color:black'>trick", SEEN),
        ("<style media='screen'>p{color:#222}</style><p style='font-family:\"Segoe UI Symbol\",serif'>trick", SEEN),
        ("<style type='text/x'>p{display:none}</style><p>trick", SEEN),
        ("<p style='contain:layout paint;container-type:inline-size;container:x / inline-size'>trick", SEEN),
        (
            "<style>@media (max-width:600px){p{display:none}} @media (min-width:800px){p{display:block}}</style><p>trick",
            SEEN,
        ),
        ("<style>*{display:block} @counter-style x{symbols:'*' '+'}</style><p>trick", SEEN),
        // What is in there is no text of a page, unless a style says that it is.
        ("<p style='contain:strict'>trick", UNJUDGED),
        ("<p style='container:x / size'>trick", UNJUDGED),
        ("<style>:root{--k:size}</style><p style='contain:var(--k)'>trick", UNJUDGED),
        ("<p style='font-size-adjust:0'>trick", UNJUDGED),
        ("<style>@media (min-width:1280px){p{display:none}}</style><p>trick", UNJUDGED),
        ("<style>p{display:none} @media (max-width:1900px){p{display:block}}</style><p>trick", UNJUDGED),
        ("<style style='display:block'>trick</style>", UNJUDGED),
        ("<style>script{display:inline!important}</style><script>trick</script>", UNJUDGED),
        ("<style>datalist{display:block}</style><datalist><option>trick</datalist>", UNJUDGED),
        ("<style>p:hover script{display:block}</style><p>a<script>trick</script>", UNJUDGED),
        ("<script>trick</script>", UNSEEN),
        // Not seen.
        (
            "<style>.x{display:none}</style><style media='(max-width:9px)'>.x{display:block}</style><p class=x>trick",
            UNSEEN,
        ),
        ("<p style='color:#FFFFC8'>trick", UNSEEN),
        ("<p style='color:#e9fdff'>trick", UNSEEN),
        ("<p style='color:rgba(0,0,0,.09)'>trick", UNSEEN),
        ("<p style='color:#000;opacity:.08'>trick", UNSEEN),
        ("<style>html{font-size:1px} p{font-size:1rem}</style><html><p>trick", UNSEEN),
        ("<p style='font-size:calc(10px - 9.5px)'>trick", UNSEEN),
        ("<p style='color:#999;font-size:4.5pt;letter-spacing:-1.2pt'>trick", UNSEEN),
        ("<p style='zoom:.4;font-size:50%'>trick", UNSEEN),
        ("<p style='transform:scale(.2)'>trick", UNSEEN),
        ("<p style='margin:0 0 0 -9999px'>trick", UNSEEN),
        ("<p style='padding-left:99999px'>trick", UNSEEN),
        ("<p style='position:absolute;inset:0 auto auto -5000px'>trick", UNSEEN),
        ("<style>section > p{display:none}</style><section><p>trick</section>", UNSEEN),
        ("<style>:root{--x:black} i{--x:white}</style><html><i><b style='color:var(--x)'>trick</b></i>", UNSEEN),
        ("<font color=ffffff>trick</font>", UNSEEN),
        ("<p style='color:Canvas'>trick", UNSEEN),
        ("<math><mphantom><mtext>trick</mtext></mphantom></math>", UNSEEN),
        ("<progress>trick</progress>", UNSEEN),
        ("<link rel=stylesheet href='data:text/css,i%7Bdisplay:none%7D'>a<i>trick", UNSEEN),
        ("<link rel=stylesheet href='data:text/css;base64,aXtkaXNwbGF5Om5vbmV9'>a<i>trick", UNSEEN),
        // Not known.
        ("<link rel=stylesheet title=a href='data:text/css,i%7Bdisplay:none%7D'><i>trick", UNJUDGED),
        ("<link rel=stylesheet href='data:text/css;charset=utf-7,p%7B%7D'><p>trick", UNJUDGED),
        ("<style>h1 + p{display:none}</style><h1>a</h1><p>trick", UNJUDGED),
        ("<style>h1 ~ p{color:#fff}</style><h1>a</h1><p>trick", UNJUDGED),
        ("<style>:is(p,i){display:none}</style><p>trick", UNJUDGED),
        ("<style>p:where(.x){font-size:0}</style><p class=x>trick", UNJUDGED),
        ("<style>p::first-line{font-size:0}</style><p>trick", UNJUDGED),
        ("<style>p:nth-child(n){--c:#fff} p{color:var(--c,#000)}</style><p>trick", UNJUDGED),
        ("<style>@supports not (color:rebeccapurple){p{display:none}}</style><p>trick", UNJUDGED),
        ("<p popover>trick", UNJUDGED),
        ("<p hidden=until-found>trick", UNJUDGED),
        ("<p style='background:linear-gradient(#000,#000);color:#000'>trick", UNJUDGED),
        ("<p style='background:url(data:image/png;base64,AA);color:#000'>trick", UNJUDGED),
        ("<p style='color:color-mix(in srgb,white,white)'>trick", UNJUDGED),
        ("<p style='color:transparent;text-shadow:0 0 0 #000'>trick", UNJUDGED),
        ("<p style='background:#000;background-clip:text;color:transparent'>trick", UNJUDGED),
        ("<p style='clip-path:polygon(0 0)'>trick", UNJUDGED),
        ("<p style='mask:linear-gradient(transparent,transparent)'>trick", UNJUDGED),
        ("<p style='transform:matrix(0,0,0,0,0,0)'>trick", UNJUDGED),
        ("<p style='transform:perspective(1px) rotateY(89deg)'>trick", UNJUDGED),
        ("<p style='scale:-1'>trick", UNJUDGED),
        ("<p style='offset-path:path(\"M9999 0\")'>trick", UNJUDGED),
        ("<p style='filter:brightness(9)'>trick", UNJUDGED),
        ("<p style='animation:fade 1s forwards'>trick", UNJUDGED),
        ("<p style='text-indent:100%;white-space:nowrap;overflow:hidden'>trick", UNJUDGED),
        ("<p style='height:1em;overflow:hidden'><br><br>trick", UNJUDGED),
        ("<p style='z-index:-1;position:relative'>trick", UNJUDGED),
        ("<p style='line-height:0'>trick", UNJUDGED),
        ("<p style='-webkit-text-security:disc'>trick", UNJUDGED),
        ("<p style='font-size-adjust:.001'>trick", UNJUDGED),
        ("<p style='some-new-property:hide'>trick", UNJUDGED),
        ("<p style='display:table-column'>trick", UNJUDGED),
        ("<p style='text-decoration:line-through #fff 1em'>trick", UNJUDGED),
        ("<p style='outline:2em solid #fff;outline-offset:-1em'>trick", UNJUDGED),
        ("<p style='all:var(--x)'>trick", SEEN),
        ("<div><template shadowrootmode=open>a</template>trick</div>", UNJUDGED),
        ("<object data=x.png>trick</object>", UNJUDGED),
        ("<svg><text clip-path='url(#x)'>trick</text></svg>", UNJUDGED),
        (
            "<div style='position:relative'>trick<b style='position:absolute;inset:0;background:#fff'></b></div>",
            UNJUDGED,
        ),
        (
            "<div style='position:relative'>trick<b style='position:absolute;width:9px;height:9px;background:#f00'></b></div>",
            SEEN,
        ),
        ("<font face=Wingdings>trick</font>", UNJUDGED),
        ("<p style='font-family:symbol'>trick", UNJUDGED),
        // In another order.
        ("<p style='display:flex;flex-direction:row-reverse'><b>a</b><b>trick</b>", UNJUDGED),
        ("<p style='display:flex'><b>a</b><b style='order:-1'>trick</b>", UNJUDGED),
        ("<p><b style='float:right'>trick</b><b>a</b>", UNJUDGED),
        ("<p><b style='position:relative;left:-3em'>trick</b>", UNJUDGED),
        ("<p style='display:grid'><b style='grid-column:1'>trick</b>", UNJUDGED),
        ("<p dir=rtl><b style='display:inline-block'>trick</b>", UNJUDGED),
        // Parts nothing.
        ("mar<span style='font-size:0'> </span>sh", JOINED),
        ("mar<span style='font-size:1pt'>&nbsp;</span>sh", JOINED),
        ("mar<span style='letter-spacing:-1em'> </span>sh", JOINED),
        ("mar<span style='display:none'> </span>sh", JOINED),
        ("mar<span style='color:#fffffa'>x</span>sh", JOINED),
        ("mar<span> </span>sh", "mar sh"),
    ];
    check(&rows, |page| read(Format::Html, format!("{page}</p></div></section><p><em>the end</em>").as_bytes()));
    // The style sheets of a book, and the pictures that it has with it.
    let book = [
        ("<p class='a'>trick</p>", UNSEEN),
        ("<p class='b'>trick</p>", UNJUDGED),
        ("<p class='c'>trick</p>", SEEN),
        ("<p>mar<b class='d'> </b>sh</p>", JOINED),
    ];
    check(&book, |page| {
        let page = format!("<?xml version='1.0'?><html><body>{page}<p>the end</p></body></html>");
        let styles =
            ".a{color:#fefee0} .b{background:url(black.png)} .c{font-family:x;text-align:left} .d{font-size:.01em}";
        let parts = [
            ("META-INF/container.xml", "<c><rootfile full-path='b.opf'/></c>"),
            ("b.opf", "<p><item id='one' href='1.xhtml'/><itemref idref='one'/></p>"),
            ("s.css", styles),
            ("1.xhtml", &page),
        ];
        read(Format::Epub, &package(&parts))
    });
}

#[test]
fn what_a_word_document_says_of_a_text_is_known_or_the_text_is_unjudged() {
    let run = |properties: &str| format!("<w:p><w:r><w:rPr>{properties}</w:rPr><w:t>trick</w:t></w:r></w:p>");
    let between = |blank: &str| format!("<w:p><w:r><w:t>mar</w:t></w:r>{blank}<w:r><w:t>sh</w:t></w:r></w:p>");
    let field = |code: &str, result: &str| {
        format!(
            "<w:p><w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>{code}</w:instrText></w:r>{result}<w:r><w:fldChar w:fldCharType='end'/></w:r></w:p>"
        )
    };
    let result = "<w:r><w:fldChar w:fldCharType='separate'/></w:r><w:r><w:t>trick</w:t></w:r>";
    let long = format!("<w:r><w:t>{}trick</w:t></w:r></w:p>", "the tide leaves silt ".repeat(40));
    let lined = |properties: &str| format!("<w:p><w:pPr>{properties}</w:pPr>{long}");
    let boxed = |size: &str| {
        format!(
            "<w:p><w:r><wps:wsp><wps:spPr><a:xfrm>{size}</a:xfrm></wps:spPr><w:txbxContent><w:p>{long}</w:txbxContent></wps:wsp></w:r></w:p>"
        )
    };
    let table = |table: &str, row: &str, cell: &str| {
        format!(
            "<w:tbl><w:tblPr>{table}</w:tblPr><w:tr><w:trPr>{row}</w:trPr><w:tc><w:p><w:r><w:t>sh</w:t></w:r></w:p></w:tc><w:tc><w:tcPr>{cell}</w:tcPr><w:p><w:r><w:t>trick</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
        )
    };
    let rows = [
        (run("<w:rFonts w:ascii='Times New Roman'/><w:b/><w:kern w:val='2'/><w:lang w:val='en-US'/><w:szCs w:val='24'/><w:noProof/>"), SEEN),
        (run("<w14:textFill><w14:solidFill><w14:schemeClr w14:val='tx1'><w14:lumMod w14:val='65000'/><w14:lumOff w14:val='35000'/></w14:schemeClr></w14:solidFill></w14:textFill>"), SEEN),
        (field(" REF _Ref1 \\h ", result), SEEN),
        (field(" ADDIN ZOTERO_ITEM CSL ", result), SEEN),
        (table("<w:tblW w:w='0'/><w:tblLook w:val='04A0'/>", "<w:cantSplit/>", "<w:tcW w:w='4000'/><w:vMerge w:val='restart'/>"), SEEN),
        ("<w:p><w:pPr><w:keepNext/><w:tabs><w:tab w:val='left' w:pos='9'/></w:tabs><w:jc w:val='both'/><w:rPr><w:b/></w:rPr></w:pPr><w:r><w:t>trick</w:t></w:r></w:p>".to_owned(), SEEN),
        (lined("<w:framePr w:w='9000' w:h='2400' w:hRule='exact'/><w:ind w:left='5600' w:right='-300'/>"), SEEN),
        (boxed("<a:ext cx='4000000' cy='2000000'/>"), SEEN),
        // Not seen.
        ("<w:p><w:r><wp:anchor><wp:positionH><wp:posOffset>12000000</wp:posOffset></wp:positionH><wps:wsp><w:txbxContent><w:p><w:r><w:t>trick</w:t></w:r></w:p></w:txbxContent></wps:wsp></wp:anchor></w:r></w:p>".to_owned(), UNSEEN),
        (run("<w:color w:val='FFFFCF'/>"), UNSEEN),
        (run("<w:color w:val='A0A0A0'/><w:sz w:val='9'/><w:w w:val='33'/>"), UNSEEN),
        (run("<w14:textFill><w14:solidFill><w14:schemeClr w14:val='tx1'><w14:lumOff w14:val='100000'/></w14:schemeClr></w14:solidFill></w14:textFill>"), UNSEEN),
        ("<w:p><w:r><wp:anchor><wp:posOffset>99999999</wp:posOffset><wps:wsp><w:txbxContent><w:p><w:r><w:t>trick</w:t></w:r></w:p></w:txbxContent></wps:wsp></wp:anchor></w:r></w:p>".to_owned(), UNSEEN),
        ("<w:p><w:r><wps:wsp><wps:spPr><a:xfrm><a:ext cx='9000' cy='12700'/></a:xfrm></wps:spPr><w:txbxContent><w:p><w:r><w:t>trick</w:t></w:r></w:p></w:txbxContent></wps:wsp></w:r></w:p>".to_owned(), UNSEEN),
        // Not known.
        (run("<w14:textFill><w14:gradFill><w14:gsLst><w14:gs><w14:srgbClr w14:val='FFFFFF'/></w14:gs></w14:gsLst></w14:gradFill></w14:textFill>"), UNJUDGED),
        (run("<w:color w:val='FFFF00'/>"), UNJUDGED),
        (run("<w:cs/><w:szCs w:val='2'/>"), UNJUDGED),
        (run("<w:rFonts w:ascii='Wingdings' w:hAnsi='Wingdings'/>"), UNJUDGED),
        (run("<w16x:disappear/>"), UNJUDGED),
        ("<w:p><w:pPr><w:ind w:left='-4000' w:right='9000'/></w:pPr><w:r><w:t>trick</w:t></w:r></w:p>".to_owned(), UNJUDGED),
        (lined("<w:framePr w:w='4000' w:h='240' w:hRule='exact'/>"), UNJUDGED),
        (boxed("<a:ext cx='2000000' cy='200000'/>"), UNJUDGED),
        (field(" SOMETHING new ", result), UNJUDGED),
        (field(" ADVANCE \\l 40 ", "").replace("</w:p>", "<w:r><w:t>trick</w:t></w:r></w:p>"), UNJUDGED),
        (table("", "", "<w:vMerge/>"), UNJUDGED),
        (table("", "", "<w:foldAway/>"), UNJUDGED),
        (table("<w:tblInd w:w='20000'/>", "", ""), UNJUDGED),
        ("<odd:x><w:p><w:r><w:t>trick</w:t></w:r></w:p></odd:x>".to_owned(), UNJUDGED),
        ("<w:p><w:pPr><w:framePr w:w='900' w:x='300' w:y='200'/></w:pPr><w:r><w:t>trick</w:t></w:r></w:p>".to_owned(), UNJUDGED),
        ("<w:p><w:r><v:rect fillcolor='white'><v:fill type='frame'/><w:txbxContent><w:p><w:r><w:t>trick and what stands beside it, as a line does</w:t></w:r></w:p></w:txbxContent></v:rect></w:r></w:p>".to_owned(), UNJUDGED),
        // Read from where they are shown.
        (field(" MACROBUTTON NoMacro salt marsh ", ""), "salt marsh"),
        (field(" GOTOBUTTON here salt marsh ", ""), "salt marsh"),
        ("<w:p><w:fldSimple w:instr=' MACROBUTTON X salt marsh '/></w:p>".to_owned(), "salt marsh"),
        (
            "<w:p><w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:ddList><w:result w:val='1'/><w:listEntry w:val='dune'/><w:listEntry w:val='salt marsh'/></w:ddList></w:ffData></w:fldChar></w:r><w:r><w:instrText>FORMDROPDOWN</w:instrText></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r></w:p>".to_owned(),
            "salt marsh",
        ),
        (table("<w:bidiVisual/>", "", ""), "trick\tsh"),
        (
            table("<w:bidiVisual/>", "", "").replace("</w:tbl>", "<w:tr><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"),
            "trick\tsh\na\tb",
        ),
        // Parts nothing.
        (between("<w:r><w:t> </w:t></w:r>"), JOINED),
        ("<w:p><w:r><w:t>mar </w:t></w:r><w:r><w:t> sh</w:t></w:r></w:p>".to_owned(), JOINED),
        (between("<w:r><w:rPr><w:sz w:val='2'/></w:rPr><w:t xml:space='preserve'> </w:t></w:r>"), JOINED),
        (between("<w:r><w:rPr><w:spacing w:val='-60'/></w:rPr><w:t xml:space='preserve'> </w:t></w:r>"), JOINED),
        (between("<w:r><w:rPr><w:w w:val='5'/></w:rPr><w:t xml:space='preserve'> </w:t></w:r>"), JOINED),
        (between("<w:r><w:rPr><w:vanish/></w:rPr><w:t xml:space='preserve'> </w:t><w:br/></w:r>"), JOINED),
        (between("<w:r><w:sym w:font='Symbol' w:char='F020'/></w:r>"), JOINED),
        ("<w:p><w:pPr><w:rPr><w:vanish/></w:rPr></w:pPr><w:r><w:t>mar</w:t></w:r></w:p><w:p><w:r><w:t>sh</w:t></w:r></w:p>".to_owned(), JOINED),
        (between("<w:r><w:t xml:space='preserve'> </w:t></w:r>"), "mar sh"),
    ];
    let rows: Vec<(&str, &str)> = rows.iter().map(|(body, expected)| (body.as_str(), *expected)).collect();
    check(&rows, |body| {
        let document = format!(
            "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main' xmlns:odd='urn:odd' xmlns:mc='mc' mc:Ignorable='odd w14'>\
             <w:body>{body}<w:p><w:r><w:t>the end</w:t></w:r></w:p></w:body></w:document>"
        );
        read(Format::Docx, &package(&[("word/document.xml", &document)]))
    });
}

#[test]
fn what_an_opendocument_text_says_of_a_text_is_known_or_the_text_is_unjudged() {
    let letters = |properties: &str| {
        format!(
            "<s:style s:name='x' s:family='text'><s:text-properties {properties}/></s:style>|<t:p><t:span t:style-name='x'>trick</t:span></t:p>"
        )
    };
    let lines = |properties: &str| {
        format!(
            "<s:style s:name='x' s:family='paragraph'><s:paragraph-properties {properties}/></s:style>|<t:p t:style-name='x'>trick</t:p>"
        )
    };
    let table = |styles: &str, columns: &str, cell: &str| {
        format!(
            "{styles}|<b:table b:style-name='x'>{columns}<b:table-row><b:{cell}><t:p>trick</t:p></b:{cell}></b:table-row></b:table>"
        )
    };
    let rows = [
        (letters("f:font-size='12pt' s:font-size-asian='12pt' f:language='en' s:font-name='X' o:rsid='1' f:text-transform='none'"), SEEN),
        (lines("f:margin-left='1cm' f:line-height='150%' s:writing-mode='lr-tb' f:hyphenation-ladder-count='no-limit'"), SEEN),
        (table("", "<b:table-column/>", "table-cell"), SEEN),
        ("|<t:p><t:drop-down><t:label t:value='dune'/>trick</t:drop-down></t:p>".to_owned(), SEEN),
        // Not seen.
        (letters("f:color='#ffffc8'"), UNSEEN),
        (letters("f:color='#a0a0a0' f:font-size='4.5pt' s:text-scale='33%'"), UNSEEN),
        (table("", "", "covered-table-cell"), UNSEEN),
        (
            "<s:style s:name='x' s:family='text'><s:text-properties f:color='#ffffff'/></s:style><s:style s:name='y' s:family='graphic'><s:graphic-properties d:fill='solid' d:fill-color='#000000' d:opacity='0%'/></s:style>|<t:p><d:frame d:style-name='y'><d:text-box><t:p><t:span t:style-name='x'>trick</t:span></t:p></d:text-box></d:frame></t:p>".to_owned(),
            UNSEEN,
        ),
        // Not known.
        (letters("s:font-size-asian='1pt'"), UNJUDGED),
        (letters("s:font-size-rel='-11pt'"), UNJUDGED),
        (letters("t:display='condition'"), UNJUDGED),
        (letters("x:vanish='true'"), UNJUDGED),
        (lines("f:line-height='5%'"), UNJUDGED),
        (lines("f:margin-left='-20cm' f:margin-right='20cm'"), UNJUDGED),
        (lines("x:fold='true'"), UNJUDGED),
        (
            "<s:style s:name='x' s:family='paragraph'><s:map s:condition='true' s:apply-style-name='y'/></s:style>|<t:p t:style-name='x'>trick</t:p>".to_owned(),
            UNJUDGED,
        ),
        (table("<s:style s:name='x' s:family='table'><s:table-properties s:writing-mode='rl-tb'/></s:style>", "", "table-cell"), UNJUDGED),
        (table("", "<b:table-column b:visibility='collapse'/>", "table-cell"), UNJUDGED),
        ("|<t:p><d:frame d:transform='scale (0.01 0.01)'><d:text-box><t:p>trick</t:p></d:text-box></d:frame></t:p>".to_owned(), UNJUDGED),
        ("|<t:p><d:frame g:x='3cm'><d:text-box><t:p>trick</t:p></d:text-box></d:frame></t:p>".to_owned(), UNJUDGED),
        // Parts nothing.
        ("<s:style s:name='x' s:family='text'><s:text-properties f:font-size='1pt'/></s:style>|<t:p>mar<t:span t:style-name='x'> </t:span>sh</t:p>".to_owned(), JOINED),
        ("<s:style s:name='x' s:family='text'><s:text-properties f:font-size='1pt'/></s:style>|<t:p>mar<t:span t:style-name='x'><t:s/></t:span>sh</t:p>".to_owned(), JOINED),
        ("<s:style s:name='x' s:family='text'><s:text-properties f:letter-spacing='-3pt'/></s:style>|<t:p>mar<t:span t:style-name='x'> </t:span>sh</t:p>".to_owned(), JOINED),
        ("|<t:p>mar<t:s/>sh</t:p>".to_owned(), "mar sh"),
    ];
    let rows: Vec<(&str, &str)> = rows.iter().map(|(body, expected)| (body.as_str(), *expected)).collect();
    check(&rows, |row| {
        let (styles, body) = row.split_once('|').unwrap();
        let content = format!(
            "<o:d><o:automatic-styles>{styles}</o:automatic-styles><o:text>{body}<t:p>the end</t:p></o:text></o:d>"
        );
        read(Format::Odt, &package(&[("content.xml", &content)]))
    });
}

#[test]
fn what_rich_text_says_of_a_text_is_known_or_the_text_is_unjudged() {
    let rows = [
        (r"\pard\qj\sl360\slmult1\li720{\b\f1\lang1033\kerning0 trick}", SEEN),
        (r"\pard\s2 trick\par\pard", SEEN),
        (r"\trowd\clvmgf\cellx100\cellx200\intbl trick\cell x\cell\row\pard", SEEN),
        (r"{\field{\*\fldinst HYPERLINK x}{\fldrslt trick}}", SEEN),
        // Not seen.
        (r"{\cf2 trick}", UNSEEN),
        (r"{\cf3\fs9\charscalex33 trick}", UNSEEN),
        (r"{\expnd-48 trick}", UNSEEN),
        (r"{\title trick}", UNSEEN),
        (r"{\nonesttables trick}", UNSEEN),
        (r"\pard\absh-20 trick\par\pard", UNSEEN),
        (r"{\fittext20 trick}", UNSEEN),
        (r"{\shp{\*\shpinst\shpleft99999{\shptxt trick}}}", UNSEEN),
        // Not known.
        (r"{\cf4 trick}", UNJUDGED),
        (r"\pard\s1 trick\par\pard", UNJUDGED),
        (r"{\cs3 trick}", UNJUDGED),
        (r"\pard\li-8000\ri9000 trick\par\pard", UNJUDGED),
        (r"{\rtlch\afs2 trick}", UNJUDGED),
        (r"{\cf1\chshdng10000\chcfpat3 trick}", UNJUDGED),
        (r"\trowd\rtlrow\cellx100\cellx200\intbl x\cell trick\cell\row\pard", UNJUDGED),
        (r"\trowd\cellx100\clvmrg\cellx200\intbl x\cell trick\cell\row\pard", UNJUDGED),
        (r"{\shp{\*\shpinst{\shptxt trick}}}", UNJUDGED),
        // Read from where they are shown.
        (r"{\field{\*\fldinst MACROBUTTON X salt marsh}{\fldrslt }}", "salt marsh"),
        (r"{\field{\*\fldinst { GOTOBUTTON x salt}{ marsh}}}", "salt marsh"),
        // Parts nothing.
        (r"mar{\fs2  }sh", JOINED),
        (r"mar{\fs2\~}sh", JOINED),
        (r"mar{\expndtw-60  }sh", JOINED),
        (r"mar{\v\par}sh", JOINED),
        (r"mar{\b  }sh", "mar sh"),
    ];
    check(&rows, |body| {
        let head = r"\ansi{\colortbl;\red0\green0\blue0;\red255\green255\blue200;\red160\green160\blue160;\red255\green255\blue0;}{\stylesheet{\s1\v hid;}{\s2\b bold;}{\*\cs3\cf2 pale;}}";
        read(Format::Rtf, format!(r"{{\rtf1{head}{body}\par the end}}").as_bytes())
    });
}
