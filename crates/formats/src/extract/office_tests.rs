//! Office formats: what is text, what is not, and what is marked, on documents small enough to be read here.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{Extracted, Format};
use crate::limits::ReadLimits;
use copytrace_text::layout::{LeftOut, MarkKind};

/// A compound file of these streams.
pub(super) fn compound(streams: &[(&str, &[u8])]) -> Vec<u8> {
    let mut file = cfb::CompoundFile::create(Cursor::new(Vec::new())).unwrap();
    for (name, content) in streams {
        file.create_stream(name).unwrap().write_all(content).unwrap();
    }
    file.flush().unwrap();
    file.into_inner().into_inner()
}

pub(super) fn package<Part: AsRef<[u8]>>(parts: &[(&str, Part)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, part) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(part.as_ref()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn extract(format: Format, parts: &[(&str, &str)]) -> Extracted {
    format.extract(&package(parts), None, &ReadLimits::default()).unwrap()
}

/// A mark as its kind and the text in it.
fn marks(extracted: &Extracted) -> Vec<(MarkKind, String)> {
    let characters: Vec<char> = extracted.text.chars().collect();
    let marks = extracted.layout.marks().iter();
    marks.map(|mark| (mark.kind, characters[mark.start as usize..mark.end as usize].iter().collect())).collect()
}

const STYLES: &str = r#"<w:styles xmlns:w="w"><w:style w:styleId="h1"><w:name w:val="heading 1"/></w:style>
    <w:style w:styleId="own"><w:name w:val="Mine"/><w:basedOn w:val="h1"/></w:style>
    <w:style w:styleId="ring"><w:name w:val="Ring"/><w:basedOn w:val="ring"/></w:style>
    <w:style w:styleId="q"><w:name w:val="Quote"/></w:style></w:styles>"#;

fn word(body: &str) -> Extracted {
    let document = format!(r#"<w:document xmlns:w="w" xmlns:mc="mc"><w:body>{body}</w:body></w:document>"#);
    let notes = r#"<w:footnotes xmlns:w="w"><w:footnote w:type="separator" w:id="0"><w:p/></w:footnote>
        <w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>The note.</w:t></w:r></w:p></w:footnote></w:footnotes>"#;
    let core = r#"<c:p xmlns:c="c" xmlns:d="d"><d:title>T &amp; U</d:title><d:creator>A B</d:creator></c:p>"#;
    let parts = [
        ("word/document.xml", document.as_str()),
        ("word/styles.xml", STYLES),
        ("word/footnotes.xml", notes),
        ("docProps/core.xml", core),
    ];
    extract(Format::Docx, &parts)
}

#[test]
fn word_documents_are_read_as_a_person_sees_them() {
    let run = |text: &str| format!("<w:r><w:t xml:space='preserve'>{text}</w:t></w:r>");
    let paragraph = |text: &str| format!("<w:p>{}</w:p>", run(text));
    let cell = |text: &str| format!("<w:tc>{}</w:tc>", paragraph(text));
    let cases = [
        (format!("{}{}", paragraph("one"), paragraph("two &lt;3")), "one\n\ntwo <3"),
        (format!("<w:p>{}<w:r><w:tab/><w:t>b</w:t><w:br/></w:r>{}</w:p>", run("a"), run("c")), "a\tb\nc"),
        (format!("<w:p>{}<w:del>{}</w:del><w:ins>{}</w:ins></w:p>", run("a"), run("gone"), run("b")), "ab"),
        (
            format!(
                "<w:p><w:r><w:ruby><w:rt>{}</w:rt><w:rubyBase>{}</w:rubyBase></w:ruby></w:r></w:p>",
                run("kan"),
                run("漢")
            ),
            "漢",
        ),
        (format!("<w:p><w:r><w:instrText>PAGE</w:instrText></w:r>{}</w:p>", run("a")), "a"),
        (
            format!(
                "<w:tbl><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>{}",
                cell("a"),
                cell("b"),
                cell("c"),
                cell("d"),
                paragraph("e")
            ),
            "a\tb\nc\td\n\ne",
        ),
        (
            format!(
                "<w:p>{}<w:r><mc:AlternateContent><mc:Choice><w:txbxContent>{}</w:txbxContent></mc:Choice><mc:Fallback>\
                 <w:txbxContent>{}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r>{}</w:p>{}",
                run("before "),
                paragraph("boxed"),
                paragraph("boxed"),
                run("after"),
                paragraph("next")
            ),
            "before after\n\nboxed\n\nnext",
        ),
        (
            format!(
                "<w:p>{}<w:r><w:footnoteReference w:id=\"2\"/></w:r>{}</w:p>{}",
                run("a"),
                run(" b"),
                paragraph("c")
            ),
            "a b\n\nThe note.\n\nc",
        ),
    ];
    for (body, expected) in cases {
        assert_eq!(word(&body).text, expected, "{body}");
    }
}

#[test]
fn headings_quotations_notes_and_unseen_text_of_word_are_marked() {
    let body = r#"<w:p><w:pPr><w:pStyle w:val="own"/></w:pPr><w:r><w:t>Head</w:t></w:r><w:r><w:t>ing</w:t></w:r></w:p>
        <w:p><w:pPr><w:pStyle w:val="q"/></w:pPr><w:r><w:t>Quoted.</w:t></w:r></w:p>
        <w:p><w:pPr><w:pStyle w:val="ring"/></w:pPr><w:r><w:t>Seen</w:t></w:r>
        <w:r><w:rPr><w:color w:val="FFFFFF"/></w:rPr><w:t>white</w:t></w:r>
        <w:r><w:rPr><w:color w:val="FFFFFF"/><w:shd w:fill="000000"/></w:rPr><w:t>on black</w:t></w:r>
        <w:r><w:rPr><w:sz w:val="4"/></w:rPr><w:t>tiny</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>gone</w:t></w:r>
        <w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>[3]</w:t></w:r>
        <w:r><w:footnoteReference w:id="2"/></w:r></w:p>"#;
    let extracted = word(body);
    assert_eq!(extracted.text, "Heading\n\nQuoted.\n\nSeenwhiteon blacktiny[3]\n\nThe note.");
    let text = |text: &str| text.to_owned();
    assert_eq!(
        marks(&extracted),
        [
            (MarkKind::Heading(1), text("Heading")),
            (MarkKind::Quotation, text("Quoted.")),
            (MarkKind::White, text("white")),
            (MarkKind::Tiny, text("tiny")),
            (MarkKind::Citation, text("[3]")),
            (MarkKind::Hidden(4), text("")),
            (MarkKind::NoteReference, text("")),
            (MarkKind::Note, text("The note.")),
        ]
    );
    assert_eq!(extracted.metadata.title.as_deref(), Some("T & U"));
    assert_eq!(extracted.metadata.author.as_deref(), Some("A B"));
}

#[test]
fn opendocument_texts_are_read_as_a_person_sees_them() {
    let content = r#"<o:document xmlns:o="o" xmlns:t="t" xmlns:s="s" xmlns:b="b" xmlns:f="f">
        <o:automatic-styles><s:style s:name="w" s:family="text"><s:text-properties f:color='#ffffff'/></s:style></o:automatic-styles>
        <o:text><t:tracked-changes><t:p>gone</t:p></t:tracked-changes>
        <t:table-of-content><t:index-body><t:p>One 1</t:p></t:index-body></t:table-of-content>
        <t:h t:outline-level="2">Head<t:s t:c="2"/>ing</t:h>
        <t:p>a<t:note><t:note-citation>1</t:note-citation><t:note-body><t:p>The note.</t:p></t:note-body></t:note>
        b<t:tab/>c<t:line-break/>d <t:span t:style-name="w">white</t:span></t:p>
        <b:table><b:table-row><b:table-cell><t:p>x</t:p></b:table-cell><b:table-cell><t:p>y</t:p></b:table-cell></b:table-row>
        </b:table></o:text></o:document>"#;
    let extracted = extract(Format::Odt, &[("content.xml", content)]);
    assert_eq!(extracted.text, "One 1\n\nHead  ing\n\na b\tc\nd white\n\nThe note.\n\nx\ty");
    let kinds: Vec<_> = marks(&extracted);
    for expected in [
        (MarkKind::Contents, "One 1"),
        (MarkKind::Heading(2), "Head  ing"),
        (MarkKind::White, "white"),
        (MarkKind::Note, "The note."),
    ] {
        assert!(kinds.contains(&(expected.0, expected.1.to_owned())), "{expected:?} in {kinds:?}");
    }
}

#[test]
fn a_formula_of_opendocument_is_text_where_it_is_shown_and_one_that_nothing_shows_is_not_read() {
    let content = r##"<o:document xmlns:o="o" xmlns:t="t" xmlns:d="d" xmlns:x="x"><o:text><t:p>So <d:frame><d:object x:href="./Object 1"/></d:frame>
        holds.</t:p></o:text></o:document>"##;
    let formula = "<?xml version='1.0'?><math xmlns='m'><semantics><mrow><mi>a</mi><mo>=</mo><mi>b</mi></mrow><annotation>a = b</annotation></semantics></math>";
    let extracted = extract(
        Format::Odt,
        &[("content.xml", content), ("Object 1/content.xml", formula), ("Object 2/content.xml", formula)],
    );
    assert_eq!(extracted.text, "So a=b holds.");
    assert!(marks(&extracted).contains(&(MarkKind::Formula, "a=b".to_owned())));
    let left_out: Vec<MarkKind> = extracted.layout.marks().iter().map(|mark| mark.kind).collect();
    assert!(left_out.contains(&MarkKind::LeftOut(LeftOut::Unread, 3)), "{left_out:?}");
}

#[test]
fn books_are_read_in_the_order_of_their_spine() {
    let container = r#"<container><rootfiles><rootfile full-path="book/b.opf"/></rootfiles></container>"#;
    let book = r#"<package xmlns:d="d"><metadata><d:title>B</d:title></metadata><manifest>
        <item id="two" href="t/2.xhtml"/><item id="one" href="1.xhtml"/><item id="nav" href="n.xhtml" properties="nav"/>
        <item id="out" href="../../etc/passwd"/></manifest>
        <spine><itemref idref="nav"/><itemref idref="one"/><itemref idref="two"/><itemref idref="out"/></spine></package>"#;
    let first = "<html><body><h1>一</h1><p>Text<sup><a epub:type='noteref' href='#n'>1</a></sup>.</p></body></html>";
    let second =
        "<html><body><h2>Two</h2><aside epub:type='footnote'><p><sup>1</sup>The note.</p></aside></body></html>";
    let parts = [
        ("META-INF/container.xml", container),
        ("book/b.opf", book),
        ("book/t/2.xhtml", second),
        ("book/1.xhtml", first),
        ("book/n.xhtml", "<p>contents</p>"),
    ];
    let extracted = extract(Format::Epub, &parts);
    assert_eq!(extracted.text, "contents\n\n一\n\nText.\n\nTwo\n\nThe note.");
    assert_eq!(extracted.metadata.title.as_deref(), Some("B"));
    let kinds = marks(&extracted);
    assert!(kinds.contains(&(MarkKind::Contents, "contents".to_owned())), "{kinds:?}");
    assert!(kinds.contains(&(MarkKind::Heading(1), "一".to_owned())), "{kinds:?}");
    assert!(kinds.contains(&(MarkKind::Heading(2), "Two".to_owned())), "{kinds:?}");
    assert!(kinds.contains(&(MarkKind::Note, "The note.".to_owned())), "{kinds:?}");
}

#[test]
fn a_document_with_a_part_missing_is_refused_by_name() {
    let limits = ReadLimits::default();
    for (format, part, missing) in [
        (Format::Docx, "word/other.xml", "damaged: word/document.xml is missing"),
        (Format::Odt, "other.xml", "damaged: content.xml is missing"),
        (Format::Epub, "other.xml", "damaged: META-INF/container.xml is missing"),
    ] {
        let error = format.extract(&package(&[(part, "<a/>")]), None, &limits).unwrap_err();
        assert_eq!(error.to_string(), missing);
    }
}

#[test]
fn endnotes_stand_where_they_are_printed_behind_the_text() {
    let reference = |id: u32| format!("<w:r><w:endnoteReference w:id='{id}'/></w:r>");
    let text = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    let body = format!("<w:p>{}{}{}</w:p><w:p>{}</w:p>", text("One."), reference(3), reference(2), text("Last."));
    let document = format!(r#"<w:document xmlns:w="w"><w:body>{body}</w:body></w:document>"#);
    let note = |id: u32, said: &str| format!("<w:endnote w:id='{id}'><w:p>{}</w:p></w:endnote>", text(said));
    let notes = format!("<w:endnotes xmlns:w='w'>{}{}</w:endnotes>", note(2, "Second note."), note(3, "First note."));
    let found = extract(Format::Docx, &[("word/document.xml", &document), ("word/endnotes.xml", &notes)]);
    assert_eq!(found.text, "One.\n\nLast.\n\nFirst note.\n\nSecond note.");
    assert!(marks(&found).contains(&(MarkKind::Note, "First note.".to_owned())));
    let odt = r#"<o:document-content xmlns:o="o" xmlns:text="t"><o:body><o:text><text:p>One.<text:note text:note-class="endnote"
        ><text:note-body><text:p>The note.</text:p></text:note-body></text:note></text:p><text:p>Last.</text:p></o:text></o:body></o:document-content>"#;
    assert_eq!(extract(Format::Odt, &[("content.xml", odt)]).text, "One.\n\nLast.\n\nThe note.");
}
