use super::*;
use crate::record::Records;
use copytrace_job::Job;

fn plain(text: &str) -> String {
    Wikitext { text: text.to_owned(), names: Arc::default() }.plain()
}

/// Constructs of wikitext, and what a reader of the article reads.
const CONSTRUCTS: [(&str, &str, &str); 53] = [
    ("bold and italic", "'''Tides''' are ''the'' '''''rise''''' of seas.", "Tides are the rise of seas."),
    ("an apostrophe", "the moon's pull", "the moon's pull"),
    ("a link", "the [[Moon]] pulls", "the Moon pulls"),
    ("a link with a label", "the [[Moon|moon's disc]] pulls", "the moon's disc pulls"),
    ("a link with a trail", "[[tide]]s", "tides"),
    ("a link with a bar in a template", "[[a|{{nowrap|b c}}]]", "b c"),
    ("a link to a section", "[[Moon#Orbit|orbit]]", "orbit"),
    ("a link to a category's page", "see [[:Category:Tides]]", "see Category:Tides"),
    ("a category", "text[[Category:Tides]]", "text"),
    ("a category in Chinese", "文[[分类:潮汐]]字", "文字"),
    ("a link to another language", "text [[en:Tide]]", "text"),
    ("a file", "a [[File:Tide.jpg|thumb|left|A [[tide]] at ''noon'']] b", "a  b"),
    ("an image in Chinese", "[[文件:潮.jpg|缩略图|潮水]]正文", "正文"),
    ("an external link", "a [http://example.org/x?a=b the page] b", "a the page b"),
    ("an external link without a label", "a [https://example.org] b", "a  b"),
    ("a bracket that is none", "a [b] c", "a [b] c"),
    ("a template", "a {{citation needed|date=May 2020}}b", "a b"),
    ("nested templates", "a {{x|{{y|z={{w}}}}|v}} b", "a  b"),
    ("a template over lines", "{{Infobox\n| a = 1\n| b = [[c|d]]\n}}\nText.", "Text."),
    ("a template with a table", "{{x|\n{| class=a\n| b\n|}\n}}\nText.", "Text."),
    ("a template whose last argument is empty", "{{x|a=\n|}}Text.", "Text."),
    ("a template of foreign words", "it is {{lang|fr|marée}} there", "it is marée there"),
    ("a template with a numbered argument", "{{nowrap|1=a=b}}", "a=b"),
    ("a parameter", "a {{{1|b}}} c", "a  c"),
    ("a template that does not close", "a {{b c", "a {{b c"),
    ("a template that closes twice", "a {{b}}}} c", "a }} c"),
    ("a link that does not close", "a [[b c\n\nd", "a [[b c\n\nd"),
    ("a link that does not close in a template", "{{a|[[b}} c", "c"),
    ("nowiki", "<nowiki>[[a]] {{b}} ''c'' &lt;</nowiki>", "[[a]] {{b}} ''c'' <"),
    ("an empty nowiki", "''a''<nowiki/>b", "ab"),
    ("nowiki that does not close", "<nowiki>a [[b]]", "a b"),
    ("pre", "<pre>x = [[1]]</pre>", "x = [[1]]"),
    ("a comment", "a<!-- [[b]] {{ -->c", "ac"),
    ("a comment that does not close", "a <!-- b [[c]]", "a <!-- b c"),
    ("a reference", "a<ref name=\"x\">''B'', [http://x.org c]. {{cite|d}}</ref> e", "a e"),
    ("an empty reference", "a<ref name=x /> b", "a b"),
    ("a reference in capitals", "a<REF>b</REF> c", "a c"),
    ("the list of references", "a\n<references />", "a"),
    ("references in a list", "<references><ref>a</ref></references>b", "b"),
    ("LaTeX", "where <math>x_{1} < \\frac{a}{b}</math> holds", "where  holds"),
    ("a table", "a\n{| class=\"wikitable\"\n! b\n|-\n| c || d\n|}\ne", "a\n\ne"),
    ("a table in a table", "{|\n| a\n{|\n| b\n|}\n| c\n|}\nd", "d"),
    ("a gallery", "<gallery>\nFile:a.jpg|The ''old'' port\nb.png\n</gallery>\nc", "The old port\nc"),
    ("headings", "== Tides ==\ntext\n===Ebb===<!-- x -->\nmore", "Tides\ntext\nEbb\nmore"),
    ("a line with signs of equality", "= is not a heading\na", "= is not a heading\na"),
    ("lists", "* a\n** b\n# c\n: d\n; e", "a\nb\nc\nd\ne"),
    ("elements", "a<br/>b <span style=\"x\">c</span> H<sub>2</sub>O", "a\nb c H2O"),
    ("the sign for less", "a < b and c <d", "a < b and c <d"),
    ("entities", "a&nbsp;b &amp; c&#8212;d &x2; &amp;lt;", "a b & c—d &x2; &lt;"),
    ("switches", "__NOTOC__\na __b__", "a __b__"),
    ("a variant", "-{zh-hant:軟體;zh-hans:软件}-和-{原样}-", "软件和原样"),
    ("a rule for variants", "-{H|zh-cn:甲;zh-tw:乙}-正文", "正文"),
    ("empty brackets of a template", "潮汐（{{lang-en|tide}}）是", "潮汐是"),
];

#[test]
fn every_construct_of_wikitext_gives_what_a_reader_reads() {
    let wrong: Vec<String> = CONSTRUCTS
        .iter()
        .filter(|(_, text, expected)| plain(text) != *expected)
        .map(|(what, text, expected)| format!("{what}: {:?} in place of {expected:?}", plain(text)))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_is_open_a_million_times_is_read_in_one_pass() {
    for piece in
        ["{{", "[[", "<ref>", "<!--", "<nowiki>", "-{", "{|\n", "[http://a ", "<math>", "<gallery>", "&", "]]}}"]
    {
        let text = piece.repeat(300_000 / piece.len());
        let began = std::time::Instant::now();
        assert!(plain(&text).len() <= text.len() * 2);
        assert!(began.elapsed().as_secs() < 20, "{piece}: {:?}", began.elapsed());
    }
}

/// A dump as MediaWiki exports it.
pub(crate) fn dump(pages: &[(&str, &str, &str)]) -> String {
    let mut xml = "<mediawiki xmlns=\"http://www.mediawiki.org/xml/export-0.11/\" version=\"0.11\" xml:lang=\"de\">\
        <siteinfo><sitename>Wikipedia</sitename><dbname>dewiki</dbname>\
        <base>https://de.wikipedia.org/wiki/Wikipedia:Hauptseite</base><namespaces>\
        <namespace key=\"0\" case=\"first-letter\" /><namespace key=\"1\" case=\"first-letter\">Diskussion</namespace>\
        <namespace key=\"6\" case=\"first-letter\">Datei</namespace></namespaces></siteinfo>\n"
        .to_owned();
    for (title, namespace, text) in pages {
        let redirect = if text.starts_with("#REDIRECT") { "<redirect title=\"Ebbe\" />" } else { "" };
        xml += &format!(
            "<page><title>{title}</title><ns>{namespace}</ns><id>1</id>{redirect}<revision><id>2</id>\
             <timestamp>2024-05-01T10:00:00Z</timestamp><contributor><username>A</username></contributor>\
             <model>wikitext</model><format>text/x-wiki</format><text bytes=\"1\">{text}</text></revision></page>\n"
        );
    }
    xml + "</mediawiki>\n"
}

fn read(bytes: &[u8]) -> (Vec<Record>, Option<Reason>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dump");
    std::fs::write(&path, bytes).unwrap();
    let mut records = DumpRecords::open(&path, Metadata::default()).unwrap();
    let (mut found, mut stopped) = (Vec::new(), None);
    while let Some(item) = records.next(&|_, _| false, &Job::default()) {
        match item {
            Item::Record(record) => found.push(*record),
            Item::Stopped(failure) => stopped = Some(failure.reason),
            _ => panic!(),
        }
    }
    (found, stopped)
}

fn packed(xml: &str) -> Vec<u8> {
    use std::io::Write;
    // In several streams, as the dumps are.
    let mut bytes = Vec::new();
    for piece in xml.as_bytes().chunks(300) {
        let mut stream = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
        stream.write_all(piece).unwrap();
        bytes.extend(stream.finish().unwrap());
    }
    bytes
}

const PAGES: [(&str, &str, &str); 4] = [
    ("Ebbe &amp; Flut?", "0", "Die '''Ebbe''' &lt;ref&gt;x&lt;/ref&gt;und [[Datei:a.jpg|b]]die Flut."),
    ("Tide", "0", "#REDIRECT [[Ebbe]]"),
    ("Diskussion:Ebbe", "1", "Eine Frage."),
    ("Moon", "0", "The moon &amp;amp; the sun."),
];

#[test]
fn articles_come_with_address_date_and_licence_and_no_redirect_or_talk() {
    let (records, stopped) = read(&packed(&dump(&PAGES)));
    assert_eq!(stopped, None);
    let read: Vec<_> = records.into_iter().map(|record| record.read(&Default::default()).unwrap().0).collect();
    assert_eq!(
        read.iter().map(|document| document.text.trim()).collect::<Vec<_>>(),
        ["Die Ebbe und die Flut.", "The moon & the sun."]
    );
    assert_eq!(read[0].id, "https://de.wikipedia.org/wiki/Ebbe_&_Flut%3F");
    let known = &read[0].metadata;
    assert_eq!(known.url.as_deref(), Some("https://de.wikipedia.org/wiki/Ebbe_&_Flut%3F"));
    assert_eq!(known.title.as_deref(), Some("Ebbe & Flut?"));
    assert_eq!(known.date.as_deref(), Some("2024-05-01T10:00:00Z"));
    assert_eq!(known.licence.as_deref(), Some("CC BY-SA 4.0"));
}

#[test]
fn a_dump_that_ends_early_gives_what_came_before_and_the_reason() {
    let whole = packed(&dump(&PAGES));
    let (records, stopped) = read(&whole[..whole.len() - 60]);
    assert!(matches!(stopped, Some(Reason::ArchiveBroken { records: 1.., .. })), "{stopped:?}");
    assert_eq!(records.len(), 1);
    let (records, stopped) = read(b"<html><body>Not found</body></html>");
    assert!(records.is_empty() && matches!(stopped, Some(Reason::ArchiveBroken { records: 0, .. })));
}

#[test]
fn a_dump_goes_on_behind_the_pages_that_were_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dump.xml");
    std::fs::write(&path, dump(&PAGES)).unwrap();
    let mut records = DumpRecords::open(&path, Metadata::default()).unwrap();
    records.next(&|_, _| false, &Job::default()).unwrap();
    let place = records.place();
    let mut again = DumpRecords::open(&path, Metadata::default()).unwrap();
    again.resume(&place);
    let Some(Item::Record(record)) = again.next(&|_, _| false, &Job::default()) else { panic!() };
    assert_eq!(record.id, "https://de.wikipedia.org/wiki/Moon");
}
