use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::extract::processor_time::of_this_thread;

/// The visible text of a page in UTF-8.
fn visible(page: &str) -> String {
    extract(page.as_bytes()).unwrap().text
}

#[test]
fn a_page_reads_as_a_person_sees_it() {
    let cases: &[(&str, &str)] = &[
        // Markup within a line leaves nothing behind.
        ("a <b>bold</b> and <i>slant</i>ed word", "a bold and slanted word"),
        ("<a href='x>y'>link</a>&nbsp;here", "link\u{A0}here"),
        ("wbr<wbr>less", "wbrless"),
        // White space collapses, and is dropped at the ends of lines.
        ("  one \n\t two  ", "one two"),
        ("one <b> two</b>", "one two"),
        ("<div> one </div> <div> two </div>", "one\ntwo"),
        // Blocks stand on lines of their own, paragraphs and headings apart.
        ("<p>one<p>two", "one\n\ntwo"),
        ("<h1>Title</h1><p>text</p>", "Title\n\ntext"),
        ("<ul><li>one<li>two</ul>after", "one\ntwo\nafter"),
        ("before<div>block</div>after", "before\nblock\nafter"),
        ("<div><div><p>deep</p></div></div><div>next</div>", "deep\n\nnext"),
        ("one<br>two<br/><br>three", "one\ntwo\n\nthree"),
        ("<div>one<br></div><div>two</div>", "one\ntwo"),
        ("one<hr>two", "one\ntwo"),
        ("<table><tr><td>a<td>b<tr><td>c</td><td>d</td></tr></table>", "a\tb\nc\td"),
        ("<pre>\n  kept  as\n\n it is</pre>after", "  kept  as\n\n it is\nafter"),
        ("<textarea>\na &lt; b</textarea>", "a < b"),
        // A newline of the source between Han characters shows as nothing.
        ("<p>河流的\n  下游</p>", "河流的下游"),
        ("<p>河流 下游\nmill</p>", "河流 下游 mill"),
        // What is not shown.
        ("<script>if (a<b) { '</div>' }</script>text", "text"),
        ("<style>p > a {}</style>text<!-- <p>no -- > no -->s", "texts"),
        ("<SCRIPT>no</scripty></SCRIPT >text", "text"),
        ("<head><title>no</title></head>text", "text"),
        ("a<!---->b<!-->c<!--->d<!-- x --!>e", "abcde"),
        ("a<!doctype html>b<?php no ?>c</ no>d", "abcd"),
        ("a<template><p>no</p></template>b<noscript>no</noscript>", "ab"),
        ("a<span hidden>no<b>no</b></span>b", "ab"),
        ("a<span style='color: red; display : none'>no</span>b", "ab"),
        ("<p hidden>no<p>yes", "yes"),
        ("<ul><li hidden>no<ul><li>no</ul><li>yes</ul>", "yes"),
        ("<div hidden><div>no</div>no</div>yes", "yes"),
        ("<input hidden>yes", "yes"),
        ("<style>@media screen and (min-width:400px){@media all{i{display:none}}}</style>a<i>no</i>b", "ab"),
        (
            "<style>@media (max-width:600px){i{display:none}}@media print{b{display:none}}</style>a<i>b</i><b>c</b>",
            "abc",
        ),
        ("<svg><desc>no</desc><text>a</text><text style='display:none'>no</text></svg>", "a"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp>字</ruby>", "漢字"),
        // What only looks like markup.
        ("1 < 2 <3 > 2", "1 < 2 <3 > 2"),
        ("a </b> b", "a b"),
        ("<b><p>one</b> two</p>three", "one two\n\nthree"),
        // A tag that never ends is none of the text.
        ("text <a href=\"never ends", "text"),
        ("text <", "text <"),
        // Character references.
        ("&lt;p&gt; &amp;amp; &copy &notin; &notit; &CounterClockwiseContourIntegral;", "<p> &amp; © ∉ ¬it; ∳"),
        ("&#20013;&#x6587;&#X41;&#65 B", "中文AA B"),
        ("&#150;&#0;&#xD800;&#x110000;&#99999999999;", "–\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("&nosuch; & &# &#x; &;", "&nosuch; & &# &#x; &;"),
        ("&ngE;", "≧\u{338}"),
    ];
    for (page, expected) in cases {
        assert_eq!(visible(page), *expected, "{page}");
    }
}

#[test]
fn the_main_text_is_read_without_what_stands_around_it() {
    let text = "The main text, which is longer than the rest.";
    let cases: &[(&str, &str)] = &[
        ("<nav>menu</nav><p>TEXT", "TEXT"),
        ("<header>site</header><p>TEXT</p><footer>imprint</footer>", "TEXT"),
        ("<article><header><h1>Title</h1></header>TEXT<footer>1904</footer></article>", "Title\n\nTEXT\n1904"),
        ("<aside>by the way</aside>TEXT", "TEXT"),
        ("<aside epub:type='footnote'>a note</aside>TEXT", "a note\nTEXT"),
        ("<div role='navigation'>menu</div>TEXT<div role=contentinfo>imprint</div>", "TEXT"),
        ("<div id='cookie-banner'>We use cookies</div><p>TEXT", "TEXT"),
        ("<div class='page js-cookieConsent'>We use cookies<b>!</b></div><p>TEXT", "TEXT"),
        ("<p class='cookie-recipe'>Flour</p><p>TEXT", "Flour\n\nTEXT"),
        ("<div role=dialog>Subscribe</div><p>TEXT", "TEXT"),
        ("<div>links</div><main><p>TEXT</p></main><div>more links</div>", "TEXT"),
        ("<div>links</div><div role='main'>TEXT</div>links", "TEXT"),
        ("<p>links</p><article>TEXT</article>links<article>two</article>", "TEXT\ntwo"),
        ("<main>TEXT<article>in it</article></main><article>teaser</article>", "TEXT\nin it"),
        ("<main>TEXT<nav>no</nav><aside>no</aside></main>", "TEXT"),
        // A text is not hidden by calling it something else.
        ("<main></main><p>TEXT</p>", "TEXT"),
        ("<main>short</main><p>TEXT</p>", "short\n\nTEXT"),
        ("<aside><p>TEXT</p></aside><p>short", "TEXT\n\nshort"),
        ("<header>TEXT</header>short", "TEXT\nshort"),
    ];
    for (page, expected) in cases {
        let expected = expected.replace("TEXT", text);
        assert_eq!(visible(&page.replace("TEXT", text)), expected, "{page}");
    }
}

#[test]
fn notes_that_stand_in_their_sentence_come_after_it_and_none_is_lost() {
    let number = "<sup class='ltx_note_mark'>7</sup>";
    let note = |id: &str, text: &str| {
        format!(
            "<span {id} class='ltx_note ltx_role_footnote'>{number}<span class='ltx_note_content'>{number}\
             <span class='ltx_tag ltx_tag_note'>7</span>{text}</span></span>"
        )
    };
    let page = format!("<p>Tides{} rise.</p><p>Next.</p>", note("id=a", "Of the moon."));
    assert_eq!(visible(&page), "Tides rise.\n\nOf the moon.\n\nNext.");
    let twice = format!("<p>Tides{}{}{}.</p>", note("id=a", "One."), note("id=a", "Two."), note("", "Three."));
    let found = visible(&twice);
    assert!(["One.", "Two.", "Three."].iter().all(|text| found.contains(text)), "{found}");
    let long = "<p>A<span id=a class=ltx_role_footnote><sup>prose of some length</sup><b class=ltx_tag_note>1</b><span></span>b</span></p>";
    assert!(visible(long).contains("prose of some length"));
}

#[test]
fn notes_stand_after_the_block_that_refers_to_them() {
    let reference = |id: &str| format!("<a epub:type='noteref' href='#{id}'>1</a>");
    let note =
        |id: &str, text: &str| format!("<aside epub:type='footnote' id='{id}'><p><sup>1</sup>{text}</p></aside>");
    let (one, two) = (reference("n1"), reference("n2"));
    let (first, second) = (note("n1", "First."), note("n2", "Second."));
    let cases = [
        (format!("<p>a{one} b{two} c</p><p>d</p>{first}{second}"), "a b c\n\nFirst.\n\nSecond.\n\nd"),
        (format!("<p>a{one}</p><p>b{one}</p>{first}"), "a\n\nFirst.\n\nb"),
        (format!("{first}<p>a{one}</p>"), "First.\n\na"),
        (format!("<p>a{}</p>{first}", reference("other")), "a\n\nFirst."),
        (format!("<p>a{one}</p><aside epub:type='footnote' id='n1'>never ends"), "a\n\nnever ends"),
    ];
    for (page, expected) in cases {
        assert_eq!(visible(&page), expected, "{page}");
    }
    let extracted = extract(format!("<p>a{one}</p><p>d</p>{first}").as_bytes()).unwrap();
    let notes: Vec<_> = extracted.layout.of(MarkKind::Note).map(|mark| (mark.start, mark.end)).collect();
    assert_eq!(notes, [(3, 9)]);
    assert_eq!(extracted.layout.of(MarkKind::NoteReference).count(), 1);
}

#[test]
fn a_list_of_references_is_known_by_its_role() {
    for role in ["role='doc-bibliography'", "epub:type='bibliography'"] {
        let page = format!("<p>Text.</p><div {role}><p>Clerk, A. 1999. Silt.</p></div>");
        let extracted = extract(page.as_bytes()).unwrap();
        let marks: Vec<_> = extracted.layout.of(MarkKind::Bibliography).map(|mark| (mark.start, mark.end)).collect();
        assert_eq!(marks, [(7, 28)], "{}", extracted.text);
    }
}

#[test]
fn xhtml_elements_may_close_themselves() {
    let page = "<?xml version='1.0' encoding='utf-8'?><html><head><title/><script src='x'/></head>\
                <body><p>text</p><div hidden='hidden'/>more</body></html>";
    assert_eq!(visible(page), "text\n\nmore");
}

#[test]
fn style_sheets_are_read_by_the_grammar_of_css() {
    let cases = [
        // Commas inside brackets and strings part no selectors.
        ("b:is(i, .x){display:none}", "a<b class=x>b</b>c", "abc"),
        ("[title='x, b']{display:none}", "a<b>b</b>c", "abc"),
        ("[title='x, b']{display:none}", "a<b title='x, b'>b</b>c", "ac"),
        // No comment begins or ends inside a string.
        ("i::before{content:'/*'} b{display:none}", "a<b>b</b>c", "ac"),
        ("i::before{content:'}'} b{display:none}", "a<b>b</b>c", "ac"),
        ("/* b{display:none} */ i{display:none}", "a<b>b</b><i>c</i>", "ab"),
        // What a rule inside another one declares holds for its own elements only.
        ("div{color:#222; .x{display:none}}", "<div>a<b class=x>b</b>c</div>", "ac"),
        ("div{.x{display:none}}", "a<b class=x>b</b>c", "abc"),
        ("b{&.x{display:none}}", "a<b>b</b><b class=x>c</b>", "ab"),
        ("b{@media screen{display:none}}", "a<b>b</b>c", "ac"),
        ("b{display:none; @media screen{display:inline}}", "a<b>b</b>c", "abc"),
        // Escapes stand for their characters.
        (".md\\:x{display:none}", "a<b class='md:x'>b</b>c", "ac"),
        ("b{displa\\79:n\\6fne}", "a<b>b</b>c", "ac"),
        ("<!-- b{display:none} -->", "a<b>b</b>c", "ac"),
    ];
    for (sheet, body, expected) in cases {
        assert_eq!(visible(&format!("<style>{sheet}</style>{body}")), expected, "{sheet} on {body}");
    }
}

#[test]
fn an_element_without_text_that_a_picture_is_drawn_on_is_a_picture() {
    let pictures = |element: &str| {
        let page = format!("<p>one {element} two</p><style>.w{{background-image:url(data:x)}}</style>");
        extract(page.as_bytes()).unwrap().layout.of(MarkKind::Picture).count()
    };
    for element in [
        "<img src=x>",
        "<input type=image src=x>",
        "<embed src=x>",
        "<svg><path d='M0 0'/></svg>",
        "<canvas width=80></canvas>",
        "<video poster=x></video>",
        "<object data='data:text/plain,word'></object>",
        "<span class=w></span>",
        "<span style='content:url(data:x)'></span>",
        "<b style='border-image:url(data:x) 30'></b>",
        "<i style='background:linear-gradient(red,blue)'></i>",
    ] {
        assert_eq!(pictures(element), 1, "{element}");
    }
    // As XHTML has it.
    for element in ["<canvas width='80'/>", "<object data='x'/>", "<svg/>", "<span style='background:url(data:x)'/>"] {
        let page = format!(
            "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body><p>one {element} two</p></body></html>"
        );
        let found = extract(page.as_bytes()).unwrap();
        assert_eq!((found.text.as_str(), found.layout.of(MarkKind::Picture).count()), ("one two", 1), "{element}");
    }
    for element in
        ["<span id=x></span>", "<a name=x></a>", "<span style='cursor:url(x)'></span>", "<span class=w>word</span>"]
    {
        assert_eq!(pictures(element), 0, "{element}");
    }
}

#[test]
fn an_honest_page_with_nested_rules_is_read_and_nothing_in_it_is_in_doubt() {
    let page = "<style>body{color:#222; .btn{color:#fff; background:#06c}}</style><body><p>The tide leaves silt.";
    let extracted = extract(page.as_bytes()).unwrap();
    assert_eq!(extracted.text, "The tide leaves silt.");
    let is_left_out = |kind: MarkKind| matches!(kind, MarkKind::LeftOut(LeftOut::Instruction, _));
    assert!(extracted.layout.marks().iter().all(|mark| is_left_out(mark.kind)), "{:?}", extracted.layout);
}

#[test]
fn hostile_style_sheets_take_linear_time_and_no_stack() {
    let size = 100_000;
    let repeated = |piece: &str| piece.repeat(size / piece.len());
    let sheets = [
        repeated("a{"),
        repeated("a:b{"),
        repeated("a,b,c{&,& &,i{"),
        repeated("("),
        format!("a{{b:{}", repeated("(")),
        format!("a{{{}", repeated("x:y{}")),
        repeated("@media screen{"),
        repeated("/*"),
        repeated("--a:var(--a);"),
        format!("{}{{display:none}}", repeated("a,")),
        format!("{}{{display:none}}", repeated("b>")),
    ];
    for sheet in sheets {
        let started = of_this_thread();
        let _ = extract(format!("<style>{sheet}</style><b><b style='{sheet}'>text").as_bytes());
        // Quadratic time would be minutes.
        let took = of_this_thread() - started;
        assert!(took < Duration::from_secs(5), "{}: {took:?}", &sheet[..12]);
    }
}

#[test]
fn metadata_comes_from_the_head() {
    let page = "<title>\n The  River &amp; its mill </title><meta name=Author content='A. &eacute; Nemo'>\
                <meta property='article:published_time' content=2021-05-06><title>no</title>x";
    let metadata = extract(page.as_bytes()).unwrap().metadata;
    assert_eq!(metadata.title.as_deref(), Some("The River & its mill"));
    assert_eq!(metadata.author.as_deref(), Some("A. é Nemo"));
    assert_eq!(metadata.date.as_deref(), Some("2021-05-06"));
    assert_eq!(metadata.collection, None);
}

#[test]
fn attribute_values_lose_references_only_where_they_are_meant() {
    let Some(HtmlToken::Start { attributes, .. }) = Lexer::new("<a a=1 b='?x=1&copy=2&amp;c' =c=d e / f=g/>").next()
    else {
        panic!("a start tag")
    };
    assert_eq!(attributes.get("b"), Some("?x=1&copy=2&c"));
    let names: Vec<_> = attributes.iter().collect();
    assert_eq!(names, [("a", "1"), ("b", "?x=1&copy=2&c"), ("=c", "d"), ("e", ""), ("f", "g/")]);
}

#[test]
fn a_page_is_in_the_encoding_it_declares() {
    // Two bytes that are a Han character in GBK, and two letters in windows-1252.
    let body = b"\xC4\xE3";
    let cases: &[(&str, &str)] = &[
        ("<meta charset=gbk>", "你"),
        ("<META Charset = 'GB2312' >", "你"),
        ("<meta http-equiv=Content-Type content=\"text/html; charset=gb18030\">", "你"),
        ("<?xml version=\"1.0\" encoding=\"GBK\"?>", "你"),
        ("<meta charset=windows-1252>", "Äã"),
        ("<meta charset=iso-8859-1>", "Äã"),
        ("<!-- <meta charset=gbk> --><meta charset=windows-1252>", "Äã"),
    ];
    for (head, expected) in cases {
        let page = [head.as_bytes(), body].concat();
        assert_eq!(extract(&page).unwrap().text, *expected, "{head}");
    }
}

#[test]
fn a_declaration_that_the_bytes_contradict_is_not_believed() {
    for head in [
        "<meta charset=gb2312>",
        "<meta charset=big5>",
        "<meta charset=windows-1252>",
        "<meta charset=utf-16>",
        "<meta charset=nonsense>",
        "",
    ] {
        assert_eq!(visible(&format!("{head}<p>der Fluß – 河</p>")), "der Fluß – 河", "{head}");
    }
    let big5 = encoding_rs::BIG5.encode("<meta charset=utf-8><p>河流的下游在冬天結冰，上游則不會。</p>").0;
    assert_eq!(extract(&big5).unwrap().text, "河流的下游在冬天結冰，上游則不會。");
}

/// Pages made to break a parser, each of about the given size.
fn hostile_pages(size: usize) -> Vec<(&'static str, String)> {
    let repeated = |piece: &str| piece.repeat(size / piece.len());
    let count = size / 16;
    vec![
        ("nested blocks", format!("{}text{}", "<div>".repeat(count), "</div>".repeat(count))),
        ("blocks left open", repeated("<div>")),
        ("end tags without a start", format!("<b><div>{}{}", "<a>".repeat(count), "</b>".repeat(count))),
        ("hidden and left open", format!("<div hidden>{}{}", "<a>".repeat(count), "</i>".repeat(count))),
        ("attributes", format!("<a {}>", (0..count).map(|n| format!("a{n}=1 ")).collect::<String>())),
        ("comments", repeated("<!---->")),
        ("comments left open", repeated("<!--")),
        ("tags left open", repeated("<a ")),
        ("quotes left open", repeated("<a b=\"")),
        ("raw text left open", repeated("<script>")),
        ("raw text", repeated("<style></style>")),
        ("end tags within raw text", format!("<title>{}", repeated("</"))),
        ("brackets", repeated("<")),
        ("ampersands", repeated("&")),
        ("unfinished references", repeated("&CounterClockwiseContourIntegra")),
        ("a long number", format!("&#{};", repeated("9"))),
        ("line breaks", repeated("<br>")),
        ("dashes", format!("<!--{}", repeated("-"))),
    ]
}

#[test]
fn hostile_pages_take_linear_time_and_no_stack() {
    for (name, page) in hostile_pages(400_000) {
        let started = of_this_thread();
        let _ = extract(page.as_bytes());
        // Quadratic time would be a minute.
        let took = of_this_thread() - started;
        assert!(took < Duration::from_secs(5), "{name}: {took:?}");
    }
    let nested = format!("{}text{}", "<div>".repeat(200_000), "</div>".repeat(200_000));
    assert_eq!(visible(&nested), "text");
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = extract(&bytes);
    }

    #[test]
    fn any_soup_of_markup_is_survived_and_leaves_no_white_space_at_the_ends(
        pieces in proptest::collection::vec(
            prop_oneof![
                Just("<p>"), Just("</p>"), Just("<div hidden>"), Just("</div>"), Just("<b>"), Just("</b>"), Just("<li>"),
                Just("<td>"), Just("<tr>"), Just("<br>"), Just("<pre>"), Just("</pre>"), Just("<script>"),
                Just("</script>"), Just("<!--"), Just("-->"), Just("&amp;"), Just("&#x"), Just("<"), Just(">"),
                Just("\""), Just(" "), Just("\r\n"), Just("a"), Just("中"), Just("<title>"), Just("</"),
            ],
            0..40,
        )
    ) {
        let text = visible(&pieces.concat());
        prop_assert_eq!(text.trim_end_matches([' ', '\n', '\t']), &text);
        prop_assert!(!text.starts_with('\n'));
    }

    #[test]
    fn escaped_text_comes_back(text in "[a-zA-Z0-9<>&\"' 中文é]{0,60}") {
        let expected = text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        prop_assert_eq!(visible(&format!("<div>{escaped}</div>")), expected);
    }
}
