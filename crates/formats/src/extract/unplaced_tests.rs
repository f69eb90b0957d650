//! Prose that a file holds and nobody reads is told in every format, and what honest files hold beside their text is not.

use super::office_tests::package;
use super::{Extracted, Format};
use crate::limits::ReadLimits;
use copytrace_text::layout::{LeftOut, MarkKind};

fn prose() -> [String; 2] {
    let english = "The tide leaves a thin layer of silt between the stems, and the plants hold it there until the next flood comes over the bank. ";
    let chinese = "潮水退去的时候，植物的茎之间留下一层薄薄的淤泥，等到下一次涨潮，这些泥沙就会留在岸边。";
    [english.repeat(6), chinese.repeat(10)]
}

fn read(format: Format, bytes: &[u8]) -> Extracted {
    format.extract(bytes, None, &ReadLimits::default()).unwrap()
}

/// The characters that are told as not read or missing.
fn told(extracted: &Extracted) -> u32 {
    let count = |kind| match kind {
        MarkKind::LeftOut(LeftOut::Unread | LeftOut::Missing, count) => count,
        _ => 0,
    };
    extracted.layout.marks().iter().map(|mark| count(mark.kind)).sum()
}

const END: &str = "the end of the text";

fn docx(body: &str, more: &[(&str, &str)]) -> Extracted {
    read(Format::Docx, &docx_package(body, more))
}

fn docx_package(body: &str, more: &[(&str, &str)]) -> Vec<u8> {
    let document = format!(
        "<w:document xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'><w:body>{body}<w:p><w:r><w:t>{END}</w:t></w:r></w:p></w:body></w:document>"
    );
    let mut parts = vec![("word/document.xml", document.as_str())];
    parts.extend(more);
    package(&parts)
}

fn field(instruction: &str, result: &str) -> String {
    format!(
        "<w:p><w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>{instruction}</w:instrText></w:r>{result}<w:r><w:fldChar w:fldCharType='end'/></w:r></w:p>"
    )
}

const RESULT: &str = "<w:r><w:fldChar w:fldCharType='separate'/></w:r><w:r><w:t>[1]</w:t></w:r>";

fn odt(body: &str) -> Extracted {
    let content = format!(
        "<o:document-content xmlns:o='urn:oasis:names:tc:opendocument:xmlns:office:1.0' xmlns:t='urn:oasis:names:tc:opendocument:xmlns:text:1.0'><o:body><o:text>{body}<t:p>{END}</t:p></o:text></o:body></o:document-content>"
    );
    read(Format::Odt, &package(&[("content.xml", &content)]))
}

fn rtf(body: &str) -> Extracted {
    let escaped: String = body
        .chars()
        .map(|c| if c.is_ascii() { c.to_string() } else { format!("\\u{}?", u32::from(c) as u16 as i16) })
        .collect();
    read(Format::Rtf, format!("{{\\rtf1\\uc1 {escaped}\\par {END}}}").as_bytes())
}

fn html(body: &str) -> Extracted {
    read(Format::Html, format!("<meta charset=utf-8>{body}<p>{END}</p>").as_bytes())
}

fn latex(preamble: &str, body: &str) -> Extracted {
    read(Format::Latex, format!("{preamble}\n\\begin{{document}}{body} {END}\\end{{document}}").as_bytes())
}

#[test]
fn prose_that_stands_where_a_format_has_no_text_is_told() {
    for prose in prose() {
        let settings = format!(
            "<w:settings xmlns:w='w'><w:docVars><w:docVar w:name='a' w:val='{prose}'/></w:docVars></w:settings>"
        );
        let data = format!("<x><p>{prose}</p></x>");
        let bound = "<w:sdt><w:sdtPr><w:dataBinding w:xpath='/x/p'/></w:sdtPr><w:sdtContent><w:p><w:r><w:t>x</w:t></w:r></w:p></w:sdtContent></w:sdt>";
        let encoded: String = {
            use base64::Engine;
            base64::engine::general_purpose::STANDARD.encode(&prose)
        };
        let backwards: String = prose.chars().rev().collect();
        let numbers: Vec<String> = prose.chars().map(|letter| u32::from(letter).to_string()).collect();
        let letters: Vec<String> = prose.chars().map(|letter| format!("'{letter}'")).collect();
        let words: String = prose.split_inclusive(' ').map(|word| format!("<t:script>{word}</t:script>")).collect();
        let cases = [
            docx(&field(&format!(" QUOTE \"{prose}\" "), ""), &[]),
            docx(&field(&format!(" QUOTE \"{prose}\" "), RESULT), &[]),
            docx(&field(&format!(" IF 1 = 1 \"{prose}\" "), ""), &[]),
            docx(&field(&format!(" TA \\l \"{prose}\" "), ""), &[]),
            docx(&format!("<w:p><w:r><w:odd w:say='{prose}'/></w:r></w:p>"), &[]),
            docx(&format!("<w:p><w:odd>{prose}</w:odd></w:p>"), &[]),
            docx("", &[("word/settings.xml", &settings)]),
            docx(bound, &[("customXml/item1.xml", &data)]),
            odt(&format!("<t:p><t:script>{prose}</t:script></t:p>")),
            odt(&format!("<t:p>{words}</t:p>")),
            odt(&format!("<t:p><t:odd t:say='{prose}'/></t:p>")),
            odt(&format!("<t:p><t:odd t:name='{prose}'/></t:p>")),
            odt(&format!("<t:section>{prose}</t:section>")),
            odt(&format!("<t:p><t:frame><svg:title>{prose}</svg:title></t:frame></t:p>")),
            docx("", &[("word/charts/chart1.xml", &format!("<c:ser xmlns:c='c'><c:v>{prose}</c:v></c:ser>"))]),
            docx("", &[("word/diagrams/drawing1.xml", &format!("<a:p xmlns:a='a'><a:t>{prose}</a:t></a:p>"))]),
            rtf(&format!("{{\\*\\zzz {prose}}}")),
            rtf(&format!("{{\\listtext {prose}}}")),
            rtf(&format!("{{\\field{{\\*\\fldinst QUOTE \"{prose}\"}}}}")),
            html(&format!("<canvas>{prose}</canvas>")),
            html(&format!("<img alt='{prose}'>")),
            html(&format!("<p data-say='{prose}'></p>")),
            html(&format!("<title>{prose}</title>")),
            html(&format!("<style>li{{list-style-type:'{prose}'}}</style>")),
            html(&format!(
                "<style>@counter-style x{{symbols:'{prose}'}} @property --x{{initial-value:'{prose}'}}</style>"
            )),
            html(&format!("<style>p::after{{content:var(--x)}}</style><p style=\"--x:'{prose}'\">")),
            html(&format!("<script>document.write('{prose}')</script>")),
            html(&format!("<script>document.write(atob('{encoded}'))</script>")),
            html(&format!("<script>document.write([...'{backwards}'].reverse().join(''))</script>")),
            html(&format!("<script>document.write(String.fromCharCode({}))</script>", numbers.join(","))),
            html(&format!("<script>document.write([{}].join(''))</script>", letters.join(", "))),
            html(&format!("<p data-back='{backwards}'></p>")),
            html(&format!("<img src=x onerror=\"this.outerHTML='{prose}'\">")),
            html(&format!("<select><optgroup label='{prose}'></optgroup></select>")),
            html(&format!("<iframe src='data:text/plain;base64,{encoded}'></iframe>")),
            latex(&format!("\\AtBeginDocument{{{prose}}}"), ""),
            latex(&format!("\\expandafter\\def\\csname p1\\endcsname{{{prose}}}"), ""),
            latex("", &format!("\\special{{{prose}}}")),
            // Options and arguments of what is known.
            latex("", &format!("\\begin{{itemize}}[label={{\\parbox{{9cm}}{{{prose}}}}}]\\item~\\end{{itemize}}")),
            latex("", &format!("\\begin{{lstlisting}}[caption={{{prose}}}]\nx\n\\end{{lstlisting}}")),
            latex("", &format!("\\footcite[{prose}][]{{marsh}}")),
        ];
        for (at, extracted) in cases.iter().enumerate() {
            assert!(told(extracted) >= 250, "{at}: {} of {prose}", told(extracted));
            assert!(extracted.text.len() < 100, "{at}: {}", extracted.text);
        }
        // A definition that nothing uses is told once.
        let unused = told(&latex(&format!("\\newcommand{{\\unused}}{{{prose}}}"), ""));
        assert!((250..=prose.chars().count() as u32 + 25).contains(&unused), "{unused}");
        // What may be seen there is text, and nobody judges that it is.
        for shown in [
            format!("\\begin{{tcolorbox}}[title={{{prose}}}]\\end{{tcolorbox}}"),
            format!("\\begin{{mdframed}}[frametitle={{{prose}}}]~\\end{{mdframed}}"),
            format!("\\begin{{tabular}}{{>{{{prose}}}p{{12cm}}}}~\\end{{tabular}}"),
            format!("\\TextField[default={{{prose}}}]{{}}"),
        ] {
            let extracted = latex("", &shown);
            let unjudged: u32 = extracted.layout.of(MarkKind::Unjudged).map(|mark| mark.end - mark.start).sum();
            assert!(unjudged as usize + 1 >= prose.trim().chars().count(), "{shown}: {}", extracted.text);
        }
    }
}

#[test]
fn a_document_in_a_document_is_told_unless_its_words_are_those_of_the_text() {
    let [prose, _] = prose();
    let paragraph = format!("<w:p><w:r><w:t>{prose}</w:t></w:r></w:p>");
    let inner = docx_package(&paragraph, &[]);
    let outer = |body: &str| {
        let bytes = docx_package(body, &[]);
        let mut archive = zip::ZipWriter::new_append(std::io::Cursor::new(bytes)).unwrap();
        archive.start_file("word/embeddings/a.docx", zip::write::SimpleFileOptions::default()).unwrap();
        std::io::Write::write_all(&mut archive, &inner).unwrap();
        read(Format::Docx, &archive.finish().unwrap().into_inner())
    };
    assert!(told(&outer("")) >= 250);
    assert_eq!(told(&outer(&paragraph)), 0);
    assert!(told(&docx("<w:subDoc/>", &[])) > 1000);
}

#[test]
fn what_a_reader_sees_by_other_means_is_read() {
    let [prose, _] = prose();
    let letters: String =
        prose.chars().map(|c| format!("<w:fldSimple w:instr=' SYMBOL {} \\u '/>", u32::from(c))).collect();
    let in_field = format!("<w:p><w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:t>{prose}</w:t></w:r></w:p>");
    let pictures: String =
        prose.chars().map(|c| if c == ' ' { " ".into() } else { format!("<img alt='{c}'>") }).collect();
    for extracted in [
        docx(&format!("<w:p>{letters}</w:p>"), &[]),
        docx(&in_field, &[]),
        odt(&format!("<t:p><t:meta>{prose}</t:meta></t:p>")),
        rtf(&format!("{{\\upr{{x}}{{\\*\\ud {prose}}}}}")),
        rtf(&format!("{{\\*\\do\\dobxpage{{\\dptxbx{{\\dptxbxtext \\pard {prose}\\par}}}}}}")),
        html(&pictures),
    ] {
        let text = extracted.text.replace(['.', ','], "");
        assert!(text.contains("tide leaves a thin layer of silt between the stems"), "{text}");
    }
}

#[test]
fn what_honest_files_hold_beside_their_text_is_not_told() {
    let [prose, _] = prose();
    let [short, keys] =
        ["Figure 3 shows the layer of silt.", &"colorlinks=true,linkcolor=blue,pdfborder={0 0 0},".repeat(20)];
    let shown = format!("<w:p><w:r><w:t>{prose}</w:t></w:r></w:p>");
    let settings =
        format!("<w:settings xmlns:w='w'><w:docVars><w:docVar w:name='a' w:val='{prose}'/></w:docVars></w:settings>");
    let sources = format!("<b:Sources xmlns:b='b'><b:Source><b:Comments>{prose}</b:Comments></b:Source></b:Sources>");
    let bound = "<w:sdt><w:sdtPr><w:dataBinding w:xpath='/x/p'/></w:sdtPr><w:sdtContent><w:p/></w:sdtContent></w:sdt>";
    let cases = [
        // What programs of references keep of an article.
        docx(&field(&format!(" ADDIN ZOTERO_ITEM CSL_CITATION {{\"abstract\":\"{prose}\"}} "), RESULT), &[]),
        docx(bound, &[("customXml/item1.xml", &sources)]),
        docx("", &[("customXml/item1.xml", &format!("<x>{prose}</x>"))]),
        docx("", &[("word/glossary/document.xml", &format!("<w:p xmlns:w='w'><w:r><w:t>{prose}</w:t></w:r></w:p>"))]),
        odt(&format!(
            "<t:p><t:reference-mark-start t:name='ZOTERO_ITEM CSL_CITATION {{\"id\":\"1\",\"abstract\":\"{prose}\"}}'/>a</t:p>"
        )),
        odt(&format!("<t:p><t:bibliography-mark t:note='{prose}'>[1]</t:bibliography-mark></t:p>")),
        rtf(&format!("{{\\field{{\\*\\fldinst ADDIN ZOTERO_ITEM {prose}}}{{\\fldrslt [1]}}}}")),
        // What stands in the text as well.
        docx(&shown, &[("word/settings.xml", &settings)]),
        html(&format!("<p>{prose}</p><script type='application/ld+json'>{{\"articleBody\": \"{prose}\"}}</script>")),
        html(&format!("<p>{prose}</p><noscript>{prose}</noscript>")),
        latex(&format!("\\newcommand{{\\silt}}{{{prose}}}"), "\\silt"),
        // Labels, comments, deleted text, programs, keys.
        docx(
            &format!(
                "<w:p><w:del><w:r><w:delText>{prose}</w:delText></w:r></w:del></w:p>{}",
                field(" REF nowhere ", "")
            ),
            &[],
        ),
        odt(&format!(
            "<t:p><o:annotation><t:p>{prose}</t:p></o:annotation>{}</t:p>",
            format!("<t:odd t:say='{short}'/>").repeat(3)
        )),
        html(&format!("<!-- {prose} --><img alt='{short}'><script>/* {prose} */ f('a', {{b: 'c'}});</script>")),
        // What a library of scripts says of many things by the same words.
        html(&format!(
            "<script>{}</script>",
            "f('display none', 'none'); g('block', 'inline block', 'none');".repeat(90)
        )),
        html(&format!(
            "<script>let widths = [{}];</script>",
            (0..600).map(|i| (i * 37 % 900).to_string()).collect::<Vec<_>>().join(",")
        )),
        html(&format!("<meta name=description content='{prose}'>")),
        latex(&format!("% {prose}\n\\hypersetup{{{keys}}}\\lstset{{{keys}}}\\title{{The silt of a tide}}"), ""),
    ];
    for (at, extracted) in cases.iter().enumerate() {
        assert_eq!(told(extracted), 0, "{at}: {:?}", extracted.layout.marks());
    }
}

/// Pieces of a text that are shorter than the shortest prose.
fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(16).map(|piece| piece.iter().collect()).collect()
}

#[test]
fn prose_in_many_short_pieces_is_told() {
    for prose in prose() {
        let pieces = pieces(&prose);
        let of = |piece: &dyn Fn(usize, &String) -> String| -> String {
            pieces.iter().enumerate().map(|(at, text)| piece(at, text)).collect()
        };
        let labels = format!(
            "<w:numbering xmlns:w='w'>{}{}</w:numbering>",
            of(&|at, text| format!(
                "<w:abstractNum w:abstractNumId='{at}'><w:lvl w:ilvl='0'><w:lvlText w:val='{text}'/></w:lvl></w:abstractNum>"
            )),
            of(&|at, _| format!("<w:num w:numId='{at}'><w:abstractNumId w:val='{at}'/></w:num>")),
        );
        let numbered = of(&|at, _| {
            format!(
                "<w:p><w:pPr><w:numPr><w:ilvl w:val='0'/><w:numId w:val='{at}'/></w:numPr></w:pPr><w:r><w:t>.</w:t></w:r></w:p>"
            )
        });
        let charts: Vec<(String, String)> = pieces
            .iter()
            .enumerate()
            .map(|(at, text)| {
                (format!("word/charts/chart{at:03}.xml"), format!("<a:p xmlns:a='a'><a:t>{text}</a:t></a:p>"))
            })
            .collect();
        let charts: Vec<(&str, &str)> = charts.iter().map(|(name, part)| (name.as_str(), part.as_str())).collect();
        let cases = [
            docx(&numbered, &[("word/numbering.xml", &labels)]),
            docx("", &charts),
            html(&of(&|at, text| format!("<img src='{at}.png' alt='{text}'>"))),
            html(&format!("<style>{}</style>", of(&|at, text| format!("#l{at}{{list-style:'{text}'}}")))),
        ];
        for (at, extracted) in cases.iter().enumerate() {
            assert!(told(extracted) >= 250, "{at}: {} of {prose}", told(extracted));
        }
    }
}

#[test]
fn the_description_of_a_picture_that_is_there_is_not_told() {
    let [prose, chinese] = prose();
    let (description, chinese) = (prose.chars().take(390).collect::<String>(), chinese.chars().take(120).collect());
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg'><path d='M0 0L9 9'/></svg>";
    let relations = "<R><Relationship Id='a' Type='x/image' Target='media/a.svg'/><Relationship Id='b' Type='x/image' Target='media/b.svg'/></R>";
    let in_word = |text: &str, [one, other]: [&str; 2], side: u32| {
        let picture = |id: &str| {
            format!(
                "<w:p><w:r><wp:inline><wp:extent cx='{side}' cy='{side}'/><wp:docPr descr='{text}'/><pic:cNvPr descr='{text}'/><a:blip r:embed='{id}'/></wp:inline></w:r></w:p>"
            )
        };
        let parts =
            [("word/_rels/document.xml.rels", relations), ("word/media/a.svg", drawing), ("word/media/b.svg", drawing)];
        docx(&(picture(one) + &picture(other)), &parts)
    };
    let in_odt = |text: &str, name: &str, size: &str| {
        let content = format!(
            "<o:d><o:text><t:p><d:frame {size}><d:image x:href='{name}'/><svg:title>{text}</svg:title><svg:desc>{text}</svg:desc></d:frame></t:p><t:p>{END}</t:p></o:text></o:d>"
        );
        read(Format::Odt, &package(&[("content.xml", content.as_str()), ("a.svg", drawing)]))
    };
    let address = {
        use base64::Engine;
        format!("data:image/svg+xml;base64,{}", base64::engine::general_purpose::STANDARD.encode(drawing))
    };
    let in_html = |text: &str, address: &str, more: &str| html(&format!("<img src='{address}' alt='{text}' {more}>"));
    for text in [&description, &chinese] {
        for extracted in [
            in_word(text, ["a", "b"], 2_000_000),
            in_odt(text, "a.svg", "g:width='8cm' g:height='6cm'"),
            in_html(text, &address, "width='400'"),
        ] {
            assert_eq!(told(&extracted), 0, "{:?}", extracted.layout.marks());
            assert_eq!(extracted.text.trim(), END);
        }
    }
    let of_a_page = &prose;
    for extracted in [
        in_word(of_a_page, ["a", "b"], 2_000_000),
        in_word(&description, ["none", "none"], 2_000_000),
        in_word(&description, ["a", "a"], 2_000_000),
        in_word(&description, ["a", "b"], 9_000),
        in_odt(of_a_page, "a.svg", ""),
        in_odt(&description, "b.svg", ""),
        in_odt(&description, "a.svg", "g:width='1cm' g:height='1mm'"),
        in_html(of_a_page, &address, ""),
        in_html(&description, "a.svg", ""),
        in_html(&description, &address, "width='1'"),
    ] {
        assert!(told(&extracted) >= 250, "{:?}", extracted.layout.marks());
    }
}

#[test]
fn headers_that_no_page_has_are_no_text() {
    let [prose, _] = prose();
    let header = format!("<w:hdr xmlns:w='w'><w:p><w:r><w:t>{prose}</w:t></w:r></w:p></w:hdr>");
    let relations = "<R><Relationship Id='h' Type='x/header' Target='h.xml'/><Relationship Id='s' Type='x/settings' Target='settings.xml'/></R>";
    let read = |section: &str, settings: &str| {
        let settings = format!("<w:settings xmlns:w='w'>{settings}</w:settings>");
        let parts = [
            ("word/_rels/document.xml.rels", relations),
            ("word/h.xml", header.as_str()),
            ("word/settings.xml", &settings),
        ];
        docx(&format!("<w:p><w:pPr><w:sectPr>{section}</w:sectPr></w:pPr></w:p>"), &parts).text.contains("silt")
    };
    let of = |kind: &str| format!("<w:headerReference w:type='{kind}' r:id='h'/>");
    assert!(read(&of("default"), ""));
    assert!(!read(&of("first"), ""));
    assert!(!read(&format!("{}<w:titlePg w:val='0'/>", of("first")), ""));
    assert!(read(&format!("{}<w:titlePg/>", of("first")), ""));
    assert!(!read(&of("even"), ""));
    assert!(read(&of("even"), "<w:evenAndOddHeaders/>"));
    // A section goes on with the headers of the one before.
    assert!(read(&format!("{}</w:sectPr></w:pPr></w:p><w:p><w:pPr><w:sectPr><w:titlePg/>", of("first")), ""));
}

#[test]
fn short_headers_that_are_prose_together_are_told() {
    let header = |text: &str| format!("<w:hdr xmlns:w='w'><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:hdr>");
    let read = |texts: &[String]| {
        let relation = |at: usize| format!("<Relationship Id='h{at}' Type='x/header' Target='h{at}.xml'/>");
        let section = |at: usize| {
            format!("<w:p><w:pPr><w:sectPr><w:headerReference w:type='default' r:id='h{at}'/></w:sectPr></w:pPr></w:p>")
        };
        let [relations, sections] = [&relation as &dyn Fn(usize) -> String, &section]
            .map(|part| (0..texts.len()).map(part).collect::<String>());
        let relations = format!("<R>{relations}</R>");
        let headers: Vec<(String, String)> =
            texts.iter().enumerate().map(|(at, text)| (format!("word/h{at}.xml"), header(text))).collect();
        let mut parts = vec![("word/_rels/document.xml.rels", relations.as_str())];
        parts.extend(headers.iter().map(|(name, header)| (name.as_str(), header.as_str())));
        docx(&sections, &parts)
    };
    let prose = prose().map(|prose| read(&lines_of(&prose)));
    prose.iter().for_each(|extracted| assert!(told(extracted) >= 250, "{:?}", extracted.layout.marks()));
    let heads: Vec<String> = (1..30).map(|at| format!("{at} The marshes of county {at} {at}7")).collect();
    assert_eq!(told(&read(&heads)), 0);
}

#[test]
fn a_book_says_what_its_parts_are_and_which_pages_a_reader_may_never_see() {
    let container = "<c><rootfile full-path='b.opf'/></c>";
    let book = |more: &str, order: &str, parts: &[(&str, &str)]| {
        let book = format!(
            "<p><item id='a' href='a.xhtml' media-type='application/xhtml+xml'/>{more}<itemref idref='a'/>{order}</p>"
        );
        let mut all = vec![("META-INF/container.xml", container), ("b.opf", book.as_str())];
        all.extend(parts);
        read(Format::Epub, &package(&all))
    };
    let is_unjudged =
        |extracted: &Extracted| extracted.layout.marks().iter().any(|mark| mark.kind == MarkKind::Unjudged);
    let page = ("a.xhtml", "<p>The end</p><p class='x'>of the text</p>");
    let sheet = book("<item id='s' href='s.txt' media-type='text/css'/>", "", &[page, ("s.txt", ".x{display:none}")]);
    assert_eq!(sheet.text, "The end");
    let lost =
        book("<item id='s' href='s.bin' media-type='application/xhtml+xml'/>", "", &[page, ("s.bin", "<p>lost</p>")]);
    assert_eq!(told(&lost), 4);
    let [prose, _] = prose();
    let contents = |prose: &str| format!("<ncx><navLabel><text>{prose}</text></navLabel></ncx>");
    let entities = format!("<!ENTITY t '{prose}'>");
    assert!(told(&book("", "", &[page, ("toc.ncx", &contents(&prose))])) > 600);
    assert!(told(&book("", "", &[page, ("t.dtd", &entities)])) > 600);
    assert_eq!(told(&book("", "", &[("a.xhtml", &format!("<p>{prose}</p>")), ("toc.ncx", &contents(&prose))])), 0);
    let (item, nav) = ("<item id='n' href='n.xhtml' properties='nav'/>", format!("<ol><li>{prose}</li></ol>"));
    assert!(told(&book(item, "", &[page, ("n.xhtml", &nav)])) > 600);
    assert_eq!(told(&book(item, "", &[("a.xhtml", &format!("<p>{prose}</p>")), ("n.xhtml", &nav)])), 0);
    // The page itself may say what its names stand for; and one that is not there, or is none, is a chapter that is missing.
    let named = format!("<!DOCTYPE html [{entities}]><p>The end &t;</p>");
    assert!(told(&book("", "", &[("a.xhtml", &named)])) > 600);
    for other in [None, Some(("n.xhtml", "%PDF-1.7 "))] {
        let parts: Vec<_> = [page].into_iter().chain(other).collect();
        assert!(told(&book("<item id='n' href='n.xhtml'/>", "<itemref idref='n'/>", &parts)) > 600);
    }
    let [item, order] = ["<item id='n' href='n.xhtml'/>", "<itemref idref='n' linear='no'/>"];
    let apart = ("n.xhtml", "<p>the tide leaves silt</p>");
    assert!(is_unjudged(&book(item, order, &[page, apart])));
    assert!(!is_unjudged(&book(item, order, &[("a.xhtml", "<p>The end <a href='n.xhtml'>1</a></p>"), apart])));
    assert!(!is_unjudged(&book(item, "<itemref idref='n'/>", &[page, apart])));
}

#[test]
fn numbers_of_lines_that_a_style_sheet_writes_are_not_missing_and_words_are() {
    let page = |value: &str| {
        let style = "<style>a::before{content:attr(data-line-number)}</style>";
        read(Format::Html, format!("{style}<pre><a data-line-number='{value}'>x</a></pre>{END}").as_bytes())
    };
    assert_eq!([told(&page("12")), told(&page("tide"))], [0, 4]);
}

/// The prose in lines, as short as values of attributes and properties are.
fn lines_of(prose: &str) -> Vec<String> {
    let characters: Vec<char> = prose.chars().collect();
    characters.chunks(60).map(|line| line.iter().collect::<String>().trim().to_owned()).collect()
}

#[test]
fn properties_are_looked_through_if_a_field_shows_one_or_they_are_long() {
    for prose in prose() {
        let short: String = prose.chars().take(if prose.is_ascii() { 330 } else { 120 }).collect();
        let core = |text: &str| {
            format!(
                "<c:coreProperties xmlns:c='c' xmlns:d='d'><d:description>{text}</d:description></c:coreProperties>"
            )
        };
        let (core, long) = (core(&short), core(&prose));
        let custom: String =
            lines_of(&prose).iter().map(|line| format!("<property><lpwstr>{line}</lpwstr></property>")).collect();
        let custom = format!("<Properties>{custom}</Properties>");
        let bound = "<w:sdt><w:sdtPr><w:dataBinding w:xpath='/n:coreProperties/n:description'/></w:sdtPr><w:sdtContent><w:p/></w:sdtContent></w:sdt>";
        assert!(told(&docx(&field(" COMMENTS ", RESULT), &[("docProps/core.xml", &core)])) >= 100);
        assert!(told(&docx(bound, &[("docProps/core.xml", &core)])) >= 100);
        assert!(told(&docx(&field(" DOCPROPERTY p0 ", RESULT), &[("docProps/custom.xml", &custom)])) >= 250);
        assert_eq!(told(&docx("", &[("docProps/core.xml", &core), ("docProps/custom.xml", &custom)])), 0);
        assert!(told(&docx("", &[("docProps/core.xml", &long)])) >= 250);
        let odt = |body: &str, meta: &str| {
            let content = format!(
                "<o:document-content xmlns:o='o' xmlns:t='t'><o:text><t:p>{END} {body}</t:p></o:text></o:document-content>"
            );
            let meta = format!(
                "<o:document-meta xmlns:o='o' xmlns:m='m' xmlns:dc='dc'><o:meta>{meta}</o:meta></o:document-meta>"
            );
            read(Format::Odt, &package(&[("content.xml", &content), ("meta.xml", &meta)]))
        };
        let keywords: String = lines_of(&prose).iter().map(|line| format!("<m:keyword>{line}</m:keyword>")).collect();
        let described = format!("<dc:date>2020-01-01T00:00:00</dc:date><dc:description>{short}</dc:description>");
        assert!(told(&odt("<t:description>x</t:description>", &described)) >= 100);
        assert!(told(&odt("<t:keywords/>", &keywords)) >= 250);
        assert_eq!(told(&odt("<t:date>1.1.2020</t:date>", &described)), 0);
        assert_eq!(told(&odt("", &keywords)), 0);
    }
}

#[test]
fn short_attributes_of_one_name_are_looked_through_together() {
    for prose in prose() {
        let of = |piece: &dyn Fn(usize, &String) -> String| -> String {
            lines_of(&prose).iter().enumerate().map(|(at, text)| piece(at, text)).collect()
        };
        let cases = [
            of(&|at, line| format!("<t:user-field-decl t:name='v{at}' o:string-value='{line}'/>")),
            of(&|_, line| format!("<t:list-level-style-number t:num-format='1' t:num-prefix='{line}'/>")),
            of(&|_, line| format!("<t:p><t:conditional-text t:string-value-if-true='{line}'/></t:p>")),
        ];
        for (at, body) in cases.iter().enumerate() {
            assert!(told(&odt(body)) >= 250, "{at}: {} of {prose}", told(&odt(body)));
        }
    }
    let styled = "<t:p t:style-name='Text_20_body' t:display-name='Text body' t:family='paragraph' t:language='en' t:font='Liberation Serif'>x</t:p>";
    assert_eq!(told(&odt(&styled.repeat(200))), 0);
}

#[test]
fn building_blocks_that_are_shown_and_separators_of_notes_are_looked_through() {
    let [prose, _] = prose();
    let block = format!(
        "<w:glossaryDocument xmlns:w='w'><w:docParts><w:docPart><w:docPartPr><w:name w:val='Tide'/></w:docPartPr><w:docPartBody><w:p><w:r><w:t>{prose}</w:t></w:r></w:p></w:docPartBody></w:docPart></w:docParts></w:glossaryDocument>"
    );
    let glossary = [("word/glossary/document.xml", block.as_str())];
    let control = |name: &str, shown: &str| {
        format!(
            "<w:sdt><w:sdtPr><w:placeholder><w:docPart w:val='{name}'/></w:placeholder>{shown}</w:sdtPr><w:sdtContent><w:p/></w:sdtContent></w:sdt>"
        )
    };
    assert!(told(&docx(&field(" AUTOTEXT Tide ", RESULT), &glossary)) >= 250);
    assert!(told(&docx(&control("Tide", "<w:showingPlcHdr/>"), &glossary)) >= 250);
    assert_eq!(told(&docx(&field(" AUTOTEXT Marsh ", RESULT), &glossary)), 0);
    assert_eq!(told(&docx(&control("Tide", ""), &glossary)), 0);
    let notes = |text: &str| {
        format!(
            "<w:footnotes xmlns:w='w'><w:footnote w:type='separator' w:id='0'><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:footnote></w:footnotes>"
        )
    };
    assert!(told(&docx("", &[("word/footnotes.xml", &notes(&prose))])) >= 250);
    assert_eq!(told(&docx("", &[("word/footnotes.xml", &notes("continued"))])), 0);
}

#[test]
fn what_meta_elements_say_is_looked_through_if_a_style_sheet_shows_attributes() {
    for prose in prose() {
        let metas: String = lines_of(&prose).iter().map(|line| format!("<meta name=x content='{line}'>")).collect();
        assert!(told(&html(&format!("<style>meta::before{{content:attr(content)}}</style>{metas}"))) >= 250);
        assert_eq!(told(&html(&format!("<style>p{{color:red}}</style>{metas}"))), 0);
    }
}

#[test]
fn readings_over_no_letter_are_text() {
    let over_nothing = "<ruby> <rt style='x'>ti<b>de</b></rt></ruby> <ruby>\u{b7}<rt>comes</rt></ruby>";
    let read = html(&format!("<p>The {over_nothing} <ruby>in<rt>out</rt></ruby></p>"));
    assert!(read.text.contains("tide") && read.text.contains("comes") && !read.text.contains("out"), "{}", read.text);
    let read = html("<p><ruby>漢<rt>kan</rt>字<rt>ji</rt></ruby></p>");
    assert!(read.text.starts_with("漢字"), "{}", read.text);
}

#[test]
fn the_words_of_a_drawing_in_a_style_sheet_are_told() {
    use base64::Engine;
    let [prose, _] = prose();
    let words = prose.split(' ').enumerate();
    let words: String =
        words.map(|(at, word)| format!("<text x='{}' y='{}'>{word}</text>", at % 8 * 70, at / 8 * 20)).collect();
    let drawing = base64::engine::general_purpose::STANDARD
        .encode(format!("<svg xmlns='http://www.w3.org/2000/svg'>{words}</svg>"));
    for sign in ["", "\""] {
        let read = html(&format!(
            "<style>div{{background:url({sign}data:image/svg+xml;base64,{drawing}{sign})}}</style><div></div>"
        ));
        let shown =
            read.layout.marks().iter().any(|mark| matches!(mark.kind, MarkKind::PictureText(letters) if letters > 400));
        assert!(shown, "{:?}", read.layout.marks());
    }
}
