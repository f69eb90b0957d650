use proptest::prelude::*;

use super::*;

fn error(format: Format, bytes: &[u8]) -> String {
    format.extract(bytes, None, &ReadLimits::default()).unwrap_err().to_string()
}

#[test]
fn formats_are_known_by_the_ending_in_any_case() {
    for name in ["a.txt", "a.TEXT", "x/y.z/a.txt"] {
        assert_eq!(Format::of_name(name), Some(Format::Plain), "{name}");
    }
    for name in ["x/y.z/a.md", "a.b.Markdown"] {
        assert_eq!(Format::of_name(name), Some(Format::Markdown), "{name}");
    }
    for name in ["a.html", "a.HTM", "a.xhtml"] {
        assert_eq!(Format::of_name(name), Some(Format::Html), "{name}");
    }
    for name in ["txt", "a.xlsx", "a.txt.gz", "a.", "", "a.txt/b"] {
        assert_eq!(Format::of_name(name), None, "{name}");
    }
}

#[test]
fn plain_text_stays_as_it_stands() {
    let text = "\u{FEFF}line one\r\nline two\rline three\n\n  中文\u{200B}\tend ";
    assert_eq!(Format::Plain.extract(text.as_bytes(), None, &ReadLimits::default()).unwrap().text, text);
}

#[test]
fn bytes_without_text_are_refused_with_the_reason() {
    let cases: &[(&[u8], &str)] = &[
        (b"", "no text in it"),
        (b"\xEF\xBB\xBF", "no text in it"),
        (b"\xFF\xFE", "no text in it"),
        (b" \t\r\n\xE3\x80\x80", "only white space in it"),
        (b"a\0b\0\xFF\x01\x02 some text \0\0\0", "binary data, not text"),
        (b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", "a PNG image; not readable by this version"),
        (b"\x7FELF\x02\x01\x01\0", "a program (ELF); not readable by this version"),
        (
            b"PK\x03\x04......xl/workbook.xml",
            "an Excel workbook (.xlsx), which its program exports as PDF; not readable by this version",
        ),
        (b"PK\x03\x04......notes.txt", "a zip archive; not readable by this version"),
        (b"\x1F\x8B\x08\0", "gzip data; not readable by this version"),
    ];
    for (bytes, expected) in cases {
        assert_eq!(error(Format::Plain, bytes), *expected);
    }
    assert_eq!(error(Format::Html, b"<p><img src=x></p><script>no</script>"), "no text in it");
    assert_eq!(error(Format::Html, b"Rar!\x1A\x07"), "a RAR archive; not readable by this version");
}

#[test]
fn an_error_says_no_more_of_a_file_than_a_person_reads() {
    let name = "x".repeat(100_000);
    let part = format!("<w:document><{name}></y></w:document>");
    let message = error(Format::Docx, &super::office_tests::package(&[("word/document.xml", &part)]));
    assert!(message.starts_with("damaged: word/document.xml"), "{message}");
    assert!(message.chars().count() < 400, "{}", message.chars().count());
}

#[test]
fn a_json_line_gives_text_id_and_metadata() {
    let line = "\u{FEFF}{\"id\":\"t1\",\"text\":\"a\\nb \\u4e2d\",\"title\":\"T\",\"author\":\"A\",\"date\":\"2020\",\
                \"collection\":\"C\",\"url\":\"U\",\"licence\":\"L\",\"other\":[1,{}]}\r\n";
    let document = extract_json_line(line.as_bytes(), &JsonFields::default()).unwrap();
    assert_eq!(document.id.as_deref(), Some("t1"));
    assert_eq!(document.extracted.text, "a\nb 中");
    let [title, author, date, collection, url, licence] =
        ["T", "A", "2020", "C", "U", "L"].map(|text| Some(text.to_owned()));
    assert_eq!(document.extracted.metadata, Metadata { title, author, date, collection, url, licence });
}

#[test]
fn an_id_is_a_string_or_a_whole_number_and_metadata_are_strings() {
    for (id, expected) in [
        ("\"a/b\"", Some("a/b")),
        ("12", Some("12")),
        ("-3", Some("-3")),
        ("18446744073709551615", Some("18446744073709551615")),
        ("1.5", None),
        ("\"\"", None),
        ("null", None),
        ("[1]", None),
    ] {
        let line = format!("{{\"text\":\"x\",\"title\":[\"no\"],\"id\":{id}}}");
        let document = extract_json_line(line.as_bytes(), &JsonFields::default()).unwrap();
        assert_eq!(document.id.as_deref(), expected, "{id}");
        assert_eq!(document.extracted.metadata, Metadata::default());
    }
}

#[test]
fn a_bad_json_line_says_what_is_wrong_and_keeps_its_id() {
    let cases: &[(&[u8], Option<&str>, &str)] = &[
        (b"{\"id\":\"a\"}", Some("a"), "no `text` field"),
        (b"{\"id\":\"a\",\"text\":null}", Some("a"), "no `text` field"),
        (b"{\"id\":3,\"text\":5}", Some("3"), "`text` is not a string"),
        (b"{\"id\":3,\"text\":\" \"}", Some("3"), "only white space in it"),
        (b"{\"text\":\"\"}", None, "no text in it"),
        (b"[\"a\",\"b\"]", None, "not a JSON object: it does not start with {"),
        (b"text", None, "not a JSON object: it does not start with {"),
        (b"{\"text\":\"a", None, "not a JSON object: EOF while parsing a string at line 1 column 10"),
        (b"{\"text\":\"a\"} x", None, "not a JSON object: trailing characters at line 1 column 14"),
    ];
    for (line, id, message) in cases {
        let (found, error) = extract_json_line(line, &JsonFields::default()).unwrap_err();
        assert_eq!((found.as_deref(), error.to_string().as_str()), (*id, *message));
    }
    let (_, error) = extract_json_line(b"{\"text\":\"\xC4\xE3\"}", &JsonFields::default()).unwrap_err();
    assert!(matches!(error, ExtractError::InvalidJson { .. }));
    let nested = format!("{{\"text\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let (_, error) = extract_json_line(nested.as_bytes(), &JsonFields::default()).unwrap_err();
    assert!(matches!(error, ExtractError::InvalidJson { .. }));
}

proptest! {
    #[test]
    fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        for format in [Format::Plain, Format::Markdown, Format::Html] {
            if let Ok(extracted) = format.extract(&bytes, None, &ReadLimits::default()) {
                prop_assert!(extracted.text.chars().any(|c| !c.is_whitespace()));
            }
        }
        let _ = extract_json_line(&bytes, &JsonFields::default());
        let _ = extract_json_line(&[b"{\"text\":\"", bytes.as_slice(), b"\"}"].concat(), &JsonFields::default());
    }

    #[test]
    fn any_text_goes_through_a_json_line_unchanged(text in "\\PC*[a-z]\\PC*", id in "[a-z]{1,5}") {
        let line = serde_json::json!({ "text": text, "id": id }).to_string();
        let document = extract_json_line(line.as_bytes(), &JsonFields::default()).unwrap();
        prop_assert_eq!((document.id, document.extracted.text), (Some(id), text));
    }
}

#[test]
fn chapters_of_markdown_have_titles_without_its_signs() {
    let text = "# On marshes\n\n## Beginnings\n\nText.\n\n## Tests in C# ##\n\nText.\n\n## References\n\n- Smith, J. Marshes. Leeds: Press, 1999.\n";
    let extracted = Format::Markdown.extract(text.as_bytes(), None, &ReadLimits::default()).unwrap();
    let structure = copytrace_text::structure::Structure::find(text, &extracted.layout);
    let titles: Vec<_> = structure.sections.iter().map(|s| (s.kind, s.title.as_str())).collect();
    assert_eq!(
        titles,
        [
            (copytrace_text::structure::SectionKind::Chapter, "On marshes"),
            (copytrace_text::structure::SectionKind::Chapter, "Beginnings"),
            (copytrace_text::structure::SectionKind::Chapter, "Tests in C#"),
            (copytrace_text::structure::SectionKind::References, "References"),
        ]
    );
}
