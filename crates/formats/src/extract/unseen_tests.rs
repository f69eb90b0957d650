//! What a reader does not see, format by format: each trick leaves its mark, and its honest twin leaves none. And all that a
//! file holds is either in the text or counted as left out.

use proptest::prelude::*;

use super::office_tests::{compound, package};
use super::{Extracted, Format};
use crate::limits::ReadLimits;
use copytrace_text::layout::{LeftOut, Mark, MarkKind};

const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/// A Word document of a body and a style sheet, and more parts.
fn docx(body: &str, styles: &str, more: &[(&str, &str)]) -> Extracted {
    let document = format!(
        r#"<w:document xmlns:w="{WORD}" xmlns:r="r" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"
        xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:odd="urn:odd"><w:body>{body}</w:body></w:document>"#
    );
    let styles = format!("<w:styles xmlns:w='w'>{styles}</w:styles>");
    let mut parts = vec![("word/document.xml", document.as_str()), ("word/styles.xml", styles.as_str())];
    parts.extend(more);
    read(Format::Docx, &package(&parts))
}

fn read(format: Format, bytes: &[u8]) -> Extracted {
    format.extract(bytes, None, &ReadLimits::default()).unwrap()
}

/// The marks of what is not seen, each once: the kind of what is marked in the text, or `Hidden`.
fn unseen(extracted: &Extracted) -> String {
    let mut kinds: Vec<&str> = Vec::new();
    for mark in extracted.layout.marks() {
        let kind = match mark.kind {
            MarkKind::White => "White",
            MarkKind::Tiny => "Tiny",
            MarkKind::Unseen => "Unseen",
            MarkKind::Hidden(_) => "Hidden",
            _ => continue,
        };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds.join(" ")
}

#[test]
fn text_that_nobody_sees_in_word_documents_is_known_and_text_that_is_seen_is_not_taken_for_it() {
    let run = |properties: &str| {
        format!(
            "<w:p><w:r><w:rPr>{properties}</w:rPr><w:t>trick</w:t></w:r></w:p><w:p><w:r><w:t>seen</w:t></w:r></w:p>"
        )
    };
    let paragraph = |properties: &str| {
        format!(
            "<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>trick</w:t></w:r></w:p><w:p><w:r><w:t>seen</w:t></w:r></w:p>"
        )
    };
    let row = |properties: &str, text: &str| {
        format!(
            "<w:tbl><w:tr><w:trPr>{properties}</w:trPr><w:tc><w:p>{text}</w:p></w:tc></w:tr></w:tbl><w:p><w:r><w:t>seen</w:t></w:r></w:p>"
        )
    };
    let plain = "<w:r><w:t>trick</w:t></w:r>";
    let white = r#"<w:color w:val="FFFFFF"/>"#;
    let pale = "<w:r><w:rPr><w:color w:val='FFFFFF'/></w:rPr><w:t>trick</w:t></w:r>";
    let cases: &[(String, &str, &str)] = &[
        (run(white), "", "White"),
        (run(r#"<w:color w:val="F7F7F7"/>"#), "", "White"),
        (run(r#"<w:color w:val="000000" w:themeColor="background1"/>"#), "", "White"),
        (run(r#"<w:color w:val="FFFFFF" w:themeColor="text1"/>"#), "", ""),
        (run(r#"<w:color w:val="D9D9D9"/>"#), "", ""),
        (run(r#"<w:color w:val="112233"/><w:shd w:val="clear" w:fill="112233"/>"#), "", "White"),
        (run(r#"<w:color w:val="FFFFFF"/><w:shd w:val="clear" w:fill="auto" w:themeFill="text1"/>"#), "", ""),
        (run(r#"<w:color w:val="FFFFFF"/><w:shd w:val="pct75" w:color="000000" w:fill="FFFFFF"/>"#), "", ""),
        (run(r#"<w:color w:val="FFFFFF"/><w:shd w:val="solid" w:color="000000" w:fill="FFFFFF"/>"#), "", ""),
        (run(r#"<w:color w:val="FFFFFF"/><w:highlight w:val="darkBlue"/>"#), "", ""),
        (run(r#"<w:sz w:val="8"/>"#), "", "Tiny"),
        (run(r#"<w:sz w:val="10"/>"#), "", ""),
        (run(r#"<w:w w:val="1"/>"#), "", "Unseen"),
        (run(r#"<w:spacing w:val="-240"/>"#), "", "Unseen"),
        (run("<w14:textFill><w14:noFill/></w14:textFill>"), "", "Unseen"),
        (run(r#"<w14:textOutline><w14:solidFill><w14:srgbClr w14:val="000000"/></w14:solidFill></w14:textOutline><w14:textFill><w14:noFill/></w14:textFill>"#), "", ""),
        (run(r#"<w14:textFill><w14:solidFill><w14:srgbClr w14:val="FFFFFF"/></w14:solidFill></w14:textFill>"#), "", "White"),
        (run("<w:vanish/>"), "", "Hidden"),
        (run("<w:vanish w:val='0'/>"), "", ""),
        (paragraph(r#"<w:spacing w:line="1" w:lineRule="exact"/>"#), "", "Tiny"),
        (paragraph(r#"<w:spacing w:line="1" w:lineRule="atLeast"/>"#), "", ""),
        (paragraph(r#"<w:ind w:left="31680"/>"#), "", "Unseen"),
        (paragraph("<w:rPr><w:vanish/></w:rPr>"), "", ""),
        (row("<w:hidden/>", plain), "", "Hidden"),
        (row(r#"<w:trHeight w:val="1" w:hRule="exact"/>"#, plain), "", "Hidden"),
        (row(r#"<w:trHeight w:val="1"/>"#, plain), "", ""),
        (
            format!("<w:tbl><w:tr><w:tc><w:tcPr><w:shd w:val='clear' w:fill='203050'/></w:tcPr><w:p>{pale}</w:p></w:tc></w:tr></w:tbl>"),
            "",
            "",
        ),
        (format!("<w:p><w:pPr><w:shd w:val='clear' w:fill='203050'/></w:pPr>{pale}</w:p>"), "", ""),
        // By styles.
        (paragraph(""), "<w:docDefaults><w:rPrDefault><w:rPr><w:color w:val='FFFFFF'/></w:rPr></w:rPrDefault></w:docDefaults>", "White"),
        (paragraph(""), "<w:style w:type='paragraph' w:default='1' w:styleId='N'><w:rPr><w:color w:val='FFFFFF'/></w:rPr></w:style>", "White"),
        (
            format!("<w:tbl><w:tblPr><w:tblStyle w:val='T'/></w:tblPr><w:tr><w:tc><w:p>{plain}</w:p></w:tc></w:tr></w:tbl>"),
            "<w:style w:type='table' w:styleId='T'><w:rPr><w:color w:val='FFFFFF'/></w:rPr></w:style>",
            "White",
        ),
        (
            format!("<w:tbl><w:tblPr><w:tblStyle w:val='T'/><w:tblLook w:firstRow='1'/></w:tblPr><w:tr><w:tc><w:p>{plain}</w:p></w:tc></w:tr></w:tbl>"),
            "<w:style w:type='table' w:styleId='T'><w:tblStylePr w:type='firstRow'><w:rPr><w:color w:val='FFFFFF'/></w:rPr><w:tcPr><w:shd w:val='clear' w:fill='4472C4'/></w:tcPr></w:tblStylePr></w:style>",
            "",
        ),
        (
            format!("<w:p><w:r><w:t>seen</w:t></w:r></w:p><w:tbl><w:tblPr><w:tblStyle w:val='T'/><w:tblLook w:firstRow='1'/></w:tblPr><w:tr><w:tc><w:p>{plain}</w:p></w:tc></w:tr></w:tbl>"),
            "<w:style w:type='table' w:styleId='T'><w:tblStylePr w:type='firstRow'><w:rPr><w:vanish/></w:rPr></w:tblStylePr></w:style>",
            "Hidden",
        ),
        (paragraph("<w:pStyle w:val='V'/>"), "<w:style w:type='paragraph' w:styleId='V'><w:rPr><w:vanish/></w:rPr></w:style>", "Hidden"),
        (
            "<w:p><w:pPr><w:pStyle w:val='V'/></w:pPr><w:r><w:rPr><w:rStyle w:val='C'/></w:rPr><w:t>both</w:t></w:r></w:p>".to_owned(),
            "<w:style w:type='paragraph' w:styleId='V'><w:rPr><w:vanish/></w:rPr></w:style><w:style w:type='character' w:styleId='C'><w:rPr><w:vanish/></w:rPr></w:style>",
            "",
        ),
        // In a box of its own colour.
        (
            format!("<w:p><w:r><wps:wsp><wps:spPr><a:solidFill><a:srgbClr val='203050'/></a:solidFill></wps:spPr><wps:txbx><w:txbxContent><w:p>{pale}</w:p></w:txbxContent></wps:txbx></wps:wsp></w:r></w:p>"),
            "",
            "",
        ),
    ];
    for (body, styles, expected) in cases {
        assert_eq!(unseen(&docx(body, styles, &[])), *expected, "{body} {styles}");
    }
}

#[test]
fn the_parts_of_a_word_document_are_found_by_their_relationships() {
    let relationships = |entries: &[(&str, &str)]| {
        let entry = |(kind, target): &(&str, &str)| {
            format!("<Relationship Id='{kind}' Type='http://x/relationships/{kind}' Target='{target}'/>")
        };
        format!("<Relationships>{}</Relationships>", entries.iter().map(entry).collect::<String>())
    };
    let text = |text: &str| format!("<w:d xmlns:w='{WORD}' xmlns:r='r'><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:d>");
    let prose = "A salt marsh is filled from two directions. ".repeat(8);
    let real = format!(
        "<w:d xmlns:w='{WORD}' xmlns:r='r'><w:p><w:r><w:t>real</w:t><w:footnoteReference w:id='5'/></w:r></w:p><w:altChunk r:id='aFChunk'/>\
         <w:p><w:bdo w:val='rtl'><w:r><w:t>dne</w:t></w:r></w:bdo><w:r><w:sym w:font='Arial' w:char='0041'/></w:r></w:p>\
         <w:sectPr><w:headerReference r:id='header'/><w:footerReference r:id='footer'/></w:sectPr></w:d>"
    );
    let parts = [
        ("_rels/.rels", relationships(&[("officeDocument", "word/document2.xml")])),
        (
            "word/_rels/document2.xml.rels",
            relationships(&[
                ("footnotes", "fn.xml"),
                ("aFChunk", "chunk.html"),
                ("header", "h.xml"),
                ("footer", "f.xml"),
            ]),
        ),
        ("word/document2.xml", real),
        ("word/document.xml", text("decoy")),
        (
            "word/fn.xml",
            format!(
                "<w:d xmlns:w='{WORD}'><w:footnote w:type='normal' w:id='5'><w:p><w:r><w:t>noted</w:t></w:r></w:p></w:footnote></w:d>"
            ),
        ),
        ("word/chunk.html", "<p>chunk</p>".to_owned()),
        ("word/h.xml", text(&prose)),
        ("word/f.xml", text("page")),
        ("word/comments.xml", text("hm")),
    ];
    let parts: Vec<(&str, &str)> = parts.iter().map(|(name, part)| (*name, part.as_str())).collect();
    let extracted = read(Format::Docx, &package(&parts));
    let expected = format!("real\n\nnoted\n\nchunk\n\n\u{202E}dne\u{202C}A\n\n{}", prose.trim_end());
    assert_eq!(extracted.text, expected);
    let dropped: Vec<String> = extracted
        .layout
        .marks()
        .iter()
        .filter(|mark| mark.kind.dropped().is_some())
        .map(|mark| format!("{:?}", mark.kind))
        .collect();
    assert_eq!(dropped, ["LeftOut(Comment, 2)", "LeftOut(RunningHead, 4)", "LeftOut(Unread, 5)"]);
}

#[test]
fn a_document_inside_of_one_inside_of_a_word_document_is_told_as_not_read() {
    let relations = |kind: &str, target: &str| {
        let kind = format!("http://x/relationships/{kind}");
        format!("<Relationships><Relationship Id='{target}' Type='{kind}' Target='{target}'/></Relationships>")
            .into_bytes()
    };
    let around = |inner: Vec<u8>| {
        let body = format!(
            "<w:d xmlns:w='{WORD}' xmlns:r='r'><w:p><w:r><w:t>around</w:t></w:r></w:p><w:altChunk r:id='inner.docx'/></w:d>"
        );
        package(&[
            ("_rels/.rels", relations("officeDocument", "word/document.xml")),
            ("word/_rels/document.xml.rels", relations("aFChunk", "inner.docx")),
            ("word/document.xml", body.into_bytes()),
            ("word/inner.docx", inner),
        ])
    };
    let innermost = around(b"<p>no document</p>".to_vec());
    let size = innermost.len() as u32;
    let extracted = read(Format::Docx, &around(around(innermost)));
    assert_eq!(extracted.text, "around\n\naround");
    let is_told = |mark: &Mark| matches!(mark.kind, MarkKind::LeftOut(LeftOut::Unread, told) if told > size / 2);
    assert!(extracted.layout.marks().iter().any(is_told), "{:?}", extracted.layout.marks());
}

#[test]
fn white_on_dark_pages_is_seen_if_the_settings_show_their_colour() {
    let body =
        "<w:background w:color='101010'/><w:p><w:r><w:rPr><w:color w:val='FFFFFF'/></w:rPr><w:t>pale</w:t></w:r></w:p>";
    let settings = |show: &str| unseen(&docx(body, "", &[("word/settings.xml", &format!("<w:s>{show}</w:s>"))]));
    assert_eq!(settings("<w:displayBackgroundShape/>"), "");
    assert_eq!(settings(""), "White");
}

#[test]
fn of_two_forms_of_one_content_the_one_that_is_shown_is_read() {
    let forms = |requires: &str| {
        format!(
            "<w:p><w:r><mc:AlternateContent><mc:Choice Requires='{requires}'><w:t>new</w:t></mc:Choice><mc:Fallback><w:t>old</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>"
        )
    };
    assert_eq!(docx(&forms("wps"), "", &[]).text, "new");
    assert_eq!(docx(&forms("odd"), "", &[]).text, "old");
}

#[test]
fn text_that_nobody_sees_in_opendocument_texts_is_known() {
    let cases = [
        ("", "<t:section t:display='none'><t:p>trick</t:p></t:section>", "Hidden"),
        ("", "<t:section t:display='true'><t:p>trick</t:p></t:section>", ""),
        (
            "<s:style s:name='x' s:family='text'><s:text-properties l:opacity='0%'/></s:style>",
            "<t:p><t:span t:style-name='x'>trick</t:span></t:p>",
            "Unseen",
        ),
        (
            "<s:style s:name='x' s:family='text'><s:text-properties s:use-window-font-color='true' l:opacity='0%'/></s:style>",
            "<t:p><t:span t:style-name='x'>trick</t:span></t:p>",
            "",
        ),
        (
            "<s:style s:name='x' s:family='text'><s:text-properties s:text-scale='1%'/></s:style>",
            "<t:p><t:span t:style-name='x'>trick</t:span></t:p>",
            "Unseen",
        ),
        (
            "<s:style s:name='x' s:family='text'><s:text-properties f:font-size='1mm'/></s:style>",
            "<t:p><t:span t:style-name='x'>trick</t:span></t:p>",
            "Tiny",
        ),
        (
            "<s:default-style s:family='paragraph'><s:text-properties f:color='#fefefe'/></s:default-style>",
            "<t:p>trick</t:p>",
            "White",
        ),
        (
            "<s:style s:name='x' s:family='paragraph'><s:paragraph-properties f:line-height='0.02mm'/></s:style>",
            "<t:p t:style-name='x'>trick</t:p>",
            "Tiny",
        ),
        (
            "<s:style s:name='x' s:family='table-row'><s:table-row-properties s:row-height='0.01cm'/></s:style>",
            "<b:table><b:table-row b:style-name='x'><b:table-cell><t:p>trick</t:p></b:table-cell></b:table-row></b:table>",
            "Hidden",
        ),
        (
            "<s:style s:name='x' s:family='text'><s:text-properties f:color='#ffffff'/></s:style><s:style s:name='y' s:family='paragraph'><s:paragraph-properties f:background-color='#102030'/></s:style>",
            "<t:p t:style-name='y'><t:span t:style-name='x'>seen</t:span></t:p>",
            "",
        ),
        ("", "<d:frame g:x='-200cm'><d:text-box><t:p>trick</t:p></d:text-box></d:frame>", "Unseen"),
    ];
    for (styles, body, expected) in cases {
        let content = format!(
            "<o:d><o:automatic-styles>{styles}</o:automatic-styles><o:text>{body}<t:p>seen</t:p></o:text></o:d>"
        );
        assert_eq!(unseen(&read(Format::Odt, &package(&[("content.xml", &content)]))), expected, "{styles} {body}");
    }
}

#[test]
fn text_that_nobody_sees_in_rich_text_is_known() {
    let colours = r"{\colortbl;\red255\green255\blue255;\red10\green20\blue30;}";
    let cases = [
        (r"{\v trick}", "Hidden"),
        (r"{\cf1 trick}", "White"),
        (r"{\cf1\highlight2 seen}", ""),
        (r"{\cf1\chcbpat2 seen}", ""),
        (r"\pard\cbpat2{\cf1 seen}\par\pard", ""),
        (r"{\fs8 trick}", "Tiny"),
        (r"{\charscalex1 trick}", "Unseen"),
        (r"{\expndtw-240 trick}", "Unseen"),
        (r"\pard\sl-1 trick\par\pard", "Tiny"),
        (r"\pard\sl360\slmult1 seen\par\pard", ""),
        (r"\trowd\trrh-1\cellx100\intbl trick\cell\row\pard", "Hidden"),
        (r"\trowd\clcbpat2\cellx100\intbl{\cf1 seen}\cell\row\pard", ""),
    ];
    for (body, expected) in cases {
        let rtf = format!(r"{{\rtf1{colours}{body} seen}}");
        assert_eq!(unseen(&read(Format::Rtf, rtf.as_bytes())), expected, "{body}");
    }
}

#[test]
fn rich_text_is_read_without_what_describes_it() {
    let cases = [
        (r"{\rtf1{\info{\title T}{\operator no}{\*\company no}{\nextfile no}}yes}", "yes"),
        (
            r"{\rtf1 a{\shp{\*\shpinst\shpleft0{\sp{\sn shapeType}{\sv 202}}{\shptxt boxed}}{\shprslt no}}b\par c}",
            "ab\n\nboxed\n\nc",
        ),
        (
            r"{\rtf1\ansicpg1251{\fonttbl{\f0\fcharset134 x;}{\f1\fcharset1 y;}}{\f0 \'d6\'d0}{\f1 \'ec\'e8\'f0}}",
            "中мир",
        ),
    ];
    for (rtf, expected) in cases {
        assert_eq!(read(Format::Rtf, rtf.as_bytes()).text, expected, "{rtf}");
    }
}

#[test]
fn text_that_nobody_sees_on_pages_is_known() {
    let cases = [
        ("<style>.z{color:white}</style><p class=z>trick", "White"),
        ("<style>.z{color:white} body{background:#123}</style><body><p class=z>seen", ""),
        ("<style>p .z{display:none}</style><p><b class='y z'>trick</b>", "Hidden"),
        ("<style>div .z{display:none}</style><p><b class=z>seen</b>", ""),
        (
            "<style>p:hover{display:none} @media print{p{display:none}} @media (max-width:600px){p{display:none}}</style><p>seen",
            "",
        ),
        ("<style>/* p{display:none} */ #x{visibility:hidden}</style><p id=x>trick", "Hidden"),
        ("<p style='color:rgb(255, 255, 255)'>trick", "White"),
        ("<p style='color:hsl(0, 0%, 99%)'>trick", "White"),
        ("<p style='color:#fff;background-color:navy'>seen", ""),
        ("<table bgcolor=black><tr><td><font color=white>seen</font></table>", ""),
        ("<font color=white>trick</font>", "White"),
        ("<p style='opacity:0'><b style='opacity:1'>trick</b>", "Unseen"),
        ("<p style='position:absolute;left:-9999px'>trick", "Unseen"),
        ("<p style='text-indent:-9999px'>trick", "Unseen"),
        ("<p style='font-size:0'>trick", "Tiny"),
        ("<p style='font-size:4px'>trick", "Tiny"),
        ("<p style='font-size:.8em'>seen", ""),
        ("<p style='height:0;overflow:hidden'>trick", "Unseen"),
        ("<p style='display:none!important;display:block'>trick", "Hidden"),
        ("<template>trick</template>", "Hidden"),
        ("<details><summary>a</summary>seen</details>", ""),
    ];
    for (page, expected) in cases {
        assert_eq!(unseen(&read(Format::Html, format!("{page}</p></div> <i>seen").as_bytes())), expected, "{page}");
    }
}

#[test]
fn prose_is_text_wherever_a_page_has_it_and_menus_are_counted() {
    let prose = "Tidal marshes trap the silt that every flood carries over the banks. ".repeat(6);
    let main = "The main text is longer than all that. ".repeat(40);
    let page = read(
        Format::Html,
        format!("<nav>{prose}</nav><main>{main}</main><nav><a>one</a> <a>two</a></nav><bdo dir=rtl>x</bdo>").as_bytes(),
    );
    assert!(page.text.starts_with("Tidal marshes"), "{}", page.text);
    let left_out: u32 = page.layout.marks().iter().filter_map(|mark| mark.kind.dropped()).sum();
    assert!(left_out >= 6, "{left_out}");
}

#[test]
fn text_that_nobody_sees_in_latex_is_known() {
    let cases = [
        ("\\textcolor{white}{trick}", "White"),
        ("\\textcolor[rgb]{1,1,1}{trick}", "White"),
        ("{\\color{white!98!black}trick}", "White"),
        ("\\definecolor{paper}{HTML}{FEFEFE}\\textcolor{paper}{trick}", "White"),
        ("\\colorbox{black}{\\textcolor{white}{seen}}", ""),
        ("\\textcolor{red}{seen}", ""),
        ("\\phantom{trick}", "Hidden"),
        ("\\setbox0=\\hbox{trick}", "Hidden"),
        ("\\newcommand{\\gone}[1]{}\\gone{trick}", "Hidden"),
        ("{\\fontsize{1}{1}\\selectfont trick}", "Tiny"),
        ("\\scalebox{0.01}{trick}", "Tiny"),
        ("{\\tiny trick}", "Tiny"),
        ("\\texttransparent{0}{trick}", "Unseen"),
    ];
    for (source, expected) in cases {
        assert_eq!(unseen(&read(Format::Latex, format!("{source} seen").as_bytes())), expected, "{source}");
    }
}

/// A page with text that is seen and text that is not, in the ways that a page can have it.
const PDF: &str = "%PDF-1.5\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n\
    3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/ExtGState<</T<</ca 0>>>>>>>>endobj\n\
    5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>endobj\n\
    4 0 obj<</Length 0>>stream\nBT /F 12 Tf 72 700 Td (Visible words of a @) Tj ET BT /F 12 Tf 72 660 Td (a@) Tj ET\n\
    1 g BT /F 12 Tf 72 600 Td (white @) Tj ET 0 g BT /F 12 Tf 3 Tr 72 560 Td (without ink @) Tj ET\n\
    q /T gs BT /F 12 Tf 72 520 Td (transparent @) Tj ET Q q 0 0 1 1 re W n BT /F 12 Tf 72 480 Td (clipped @) Tj ET Q\n\
    BT /F 12 Tf 72 440 Td (covered @) Tj ET 1 g 60 430 500 30 re f 0 g BT /F 12 Tf 72 900 Td (outside @) Tj ET\n\
    BT /F 12 Tf 1 Tz 72 400 Td (narrow @) Tj 100 Tz ET BT /F 12 Tf 72 360 Td (set @) Tj 200 0 Td (beside @) Tj ET\nendstream endobj\n\
    trailer<</Root 1 0 R>>\n%%EOF\n";

/// Files with `@` at every place where a file of the format may have text.
fn templates() -> Vec<(Format, Vec<(&'static str, &'static str)>)> {
    let docx_body = r#"<w:d xmlns:w="w" xmlns:r="r"><w:p><w:pPr><w:pStyle w:val="h"/></w:pPr><w:r><w:t>a @ b</w:t></w:r></w:p>
        <w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>@</w:t></w:r><w:del><w:r><w:delText>@</w:delText></w:r></w:del>
        <w:r><w:fldChar w:fldCharType="begin"/><w:instrText>@</w:instrText><w:t>@</w:t><w:fldChar w:fldCharType="separate"/><w:t>@</w:t></w:r>
        <w:r><w:fldChar w:fldCharType="end"/><w:footnoteReference w:id="1"/></w:r><m:oMath><m:r><m:t>@</m:t></m:r></m:oMath></w:p>
        <w:tbl><w:tr><w:tc><w:p><w:r><w:t>@</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:trPr><w:hidden/></w:trPr><w:tc><w:p><w:r><w:t>@</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
        <w:p><w:r><mc:AlternateContent><mc:Choice Requires="odd"><w:t>@</w:t></mc:Choice><mc:Fallback><w:txbxContent><w:p><w:r><w:t>@</w:t></w:r></w:p></w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>
        <w:sectPr><w:headerReference r:id="h"/></w:sectPr></w:d>"#;
    let notes = r#"<w:d xmlns:w="w"><w:footnote w:id="1"><w:p><w:r><w:t>@</w:t></w:r></w:p></w:footnote><w:footnote w:id="2"><w:p><w:r><w:t>@</w:t></w:r></w:p></w:footnote></w:d>"#;
    let part = r#"<w:d xmlns:w="w"><w:p><w:r><w:t>@</w:t></w:r></w:p></w:d>"#;
    let odt = "<o:d><o:text><t:h>a @</t:h><t:p>@<t:note><t:note-citation>@</t:note-citation><t:note-body><t:p>@</t:p></t:note-body></t:note>\
        <t:hidden-text>@</t:hidden-text><t:ruby><t:ruby-text>@</t:ruby-text></t:ruby></t:p><t:section t:display='none'><t:p>@</t:p></t:section>\
        <t:tracked-changes><t:p>@</t:p></t:tracked-changes><b:table><b:table-row><b:table-cell><t:p>@</t:p></b:table-cell></b:table-row></b:table></o:text></o:d>";
    let html = "<html><head><style>.x{display:none} /*@*/</style><script>@</script></head><body><nav>@</nav><main><h1>a @</h1><p>@<b>@</b><p class=x>@</p>\
        <template>@</template><noscript>@</noscript><textarea>@</textarea><ruby>a<rt>@</rt></ruby><!-- @ --><bdo dir=rtl>@</bdo><sup>@</sup></main>\
        <aside>@</aside><table><tr><td>@<td>@</table><footer>@</footer></body></html>";
    let rtf = r"{\rtf1{\info{\subject @}}{\header @}a @ b\par {\v @}{\deleted @}{\footnote @}{\*\other @}{\field{\*\fldinst @}{\fldrslt @}}{\*\annotation @}\trowd\intbl @\cell\row\pard{\shp{\*\shpinst{\shptxt @}}{\shprslt @}}}";
    let latex = "a @ b % @\n\\section{@}\\footnote{@}\\phantom{@}\\iffalse @\\fi\n\n\\begin{comment}@\\end{comment}\\begin{verbatim}@\\end{verbatim}$x@$ \\textbf{@} \
        \\begin{tikzpicture}@\\end{tikzpicture}\\begin{quote}@\\end{quote}\\newcommand{\\x}[1]{}\\x{@}\\item[@] \\end{document}@";
    let container = "<c><rootfile full-path='b.opf'/></c>";
    let book =
        "<p><item id='one' href='1.xhtml'/><item id='nav' href='n.xhtml' properties='nav'/><itemref idref='one'/></p>";
    vec![
        (
            Format::Docx,
            vec![
                ("word/document.xml", docx_body),
                ("word/footnotes.xml", notes),
                (
                    "word/_rels/document.xml.rels",
                    "<R><Relationship Id='h' Type='x/header' Target='h.xml'/><Relationship Id='f' Type='x/footnotes' Target='footnotes.xml'/></R>",
                ),
                ("word/h.xml", part),
                ("word/comments.xml", part),
                ("word/decoy.xml", part),
            ],
        ),
        (Format::Odt, vec![("content.xml", odt)]),
        (
            Format::Epub,
            vec![
                ("META-INF/container.xml", container),
                ("b.opf", book),
                ("1.xhtml", html),
                ("n.xhtml", "<p>@</p>"),
                ("lost.xhtml", "<p>@</p>"),
            ],
        ),
        (Format::Html, vec![("", html)]),
        (Format::Rtf, vec![("", rtf)]),
        (Format::Latex, vec![("", latex)]),
        (Format::Pdf, vec![("", PDF)]),
        // Body, note, header, comment, box, and what is in no story.
        (Format::Doc, vec![("doc", "a @ b\r\u{13}@\u{14}@\u{15} @\u{7}\u{2}@\r|@\r@\r|@\r|@\r|@\r|@\r")]),
        (Format::Markdown, vec![("", "# a @\n\n@ <!-- @ --> **@**\n\n> @\n\n`@`\n")]),
    ]
}

/// The characters of a file that its text holds or its marks count, white space aside.
fn held(format: Format, parts: &[(&str, String)]) -> usize {
    let bytes = match parts {
        [("", text)] => text.clone().into_bytes(),
        [("doc", stories)] => doc(stories, &[]),
        parts => package(&parts.iter().map(|(name, part)| (*name, part.as_str())).collect::<Vec<_>>()),
    };
    let extracted = read(format, &bytes);
    let kept = extracted.text.chars().filter(|c| !c.is_whitespace()).count();
    kept + extracted.layout.marks().iter().filter_map(|mark| mark.kind.dropped()).sum::<u32>() as usize
}

/// A Word file of these stories between bars: body, footnotes, headers, comments, boxes, and what no story has; and the stream of its
/// pictures.
pub(super) fn doc(stories: &str, data: &[u8]) -> Vec<u8> {
    let stories: Vec<&str> = stories.split('|').collect();
    let (mut main, mut table) = (vec![0_u8; 1024], Vec::new());
    let number = |main: &mut Vec<u8>, at: usize, value: u32| main[at..at + 4].copy_from_slice(&value.to_le_bytes());
    main[2] = 193;
    main[11] = 2;
    let length = |story: &str| story.chars().count() as u32;
    for (at, story) in [76, 80, 84, 92, 100].into_iter().zip(&stories) {
        number(&mut main, at, length(story));
    }
    let mut part = |main: &mut Vec<u8>, entry: usize, numbers: &[u32], tail: &[u8]| {
        let start = table.len() as u32;
        table.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        table.extend(tail);
        number(main, 154 + entry * 8, start);
        number(main, 154 + entry * 8 + 4, table.len() as u32 - start);
    };
    // One note, which has the first paragraph of its story.
    let reference = stories[0].chars().position(|c| c == '\u{2}').unwrap_or(0) as u32;
    part(&mut main, 2, &[reference, length(stories[0])], &[0, 0]);
    let note = stories.get(1).and_then(|story| story.chars().position(|c| c == '\r')).map_or(0, |at| at as u32 + 1);
    part(&mut main, 3, &[0, note], &[]);
    let text = stories.concat();
    // The table of pieces: one, of 16-bit units, at byte 1,024.
    let pieces =
        [&[2_u8, 16, 0, 0, 0][..], &0_u32.to_le_bytes(), &length(&text).to_le_bytes(), &[0, 0, 0, 4, 0, 0, 0, 0]];
    part(&mut main, 33, &[], &pieces.concat());
    main.extend(text.encode_utf16().flat_map(u16::to_le_bytes));
    compound(&[("/WordDocument", &main), ("/1Table", &table), ("/Data", data)])
}

/// The parts with a word at each place; `lengths` are the letters of these words.
fn filled<'a>(parts: &[(&'a str, &str)], lengths: &mut impl Iterator<Item = usize>) -> Vec<(&'a str, String)> {
    let mut fill = |part: &str| {
        let mut pieces = part.split('@');
        let mut text = pieces.next().unwrap_or_default().to_owned();
        for piece in pieces {
            text += &"q".repeat(lengths.next().unwrap_or(0));
            text += piece;
        }
        text
    };
    parts.iter().map(|(name, part)| (*name, fill(part))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(std::env::var("COPYTRACE_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(64)))]
    #[test]
    fn what_is_kept_and_what_is_left_out_is_what_the_file_holds(lengths in proptest::collection::vec(0_usize..40, 30)) {
        for (format, parts) in templates() {
            let places = parts.iter().map(|(_, part)| part.matches('@').count()).sum::<usize>();
            let empty = held(format, &filled(&parts, &mut std::iter::empty()));
            let full = held(format, &filled(&parts, &mut lengths.iter().copied()));
            let put_in: usize = lengths.iter().take(places).sum();
            prop_assert_eq!(full, empty + put_in, "{:?}", format);
        }
    }

    #[test]
    fn a_word_file_with_any_byte_changed_holds_as_much_as_its_pieces_or_is_refused(
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let original = doc("a body\r\u{13}code\u{14}result\u{15} more\u{7}\u{2} end\r|note\rstray\r|head\r|comment\r|box\r|beyond\r", &[]);
        let mut bytes = original.clone();
        changes.iter().for_each(|(at, byte)| bytes[at.index(original.len())] = *byte);
        let Ok(found) = Format::Doc.extract(&bytes, None, &ReadLimits::default()) else { return Ok(()) };
        let Ok(units) = super::doc::units(&bytes, &ReadLimits::default()) else { return Ok(()) };
        let text = String::from_utf16_lossy(&units);
        // A hyphen is a sign in a Word file; a pair of units is one character, or two if a run ends between them.
        let shown = |c: &char| !c.is_whitespace() && (!c.is_control() || matches!(c, '\u{1E}' | '\u{1F}' | '\u{7F}'..'\u{A0}'));
        let pairs = units.iter().filter(|unit| (0xD800..0xE000).contains(*unit)).count();
        let kept = found.text.chars().filter(|c| !c.is_whitespace()).count();
        let held = kept + found.layout.marks().iter().filter_map(|mark| mark.kind.dropped()).sum::<u32>() as usize;
        let all = text.chars().filter(shown).count();
        prop_assert!(held.abs_diff(all) <= pairs, "{held} of {all}: {:?}", found.text);
    }
}
