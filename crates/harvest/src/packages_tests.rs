use super::*;
use crate::record::Records;
use copytrace_job::Job;
use copytrace_text::Document;
use copytrace_text::layout::MarkKind;

/// An article with what breaks readers: namespaces, alternatives, entities of a DTD, references in two forms, a letter in it.
const ARTICLE: &str = r#"<?xml version="1.0"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS 1.2//EN" "JATS-archivearticle1.dtd">
<article xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:mml="http://www.w3.org/1998/Math/MathML"><front>
<journal-meta><journal-title-group><journal-title>Journal of Mud</journal-title></journal-title-group></journal-meta>
<article-meta><article-id pub-id-type="pmid">1</article-id><article-id pub-id-type="pmc">4711</article-id>
<article-id pub-id-type="doi">10.1000/mud.1</article-id>
<title-group><article-title>Silt &amp; <italic>Spartina</italic> &lt; 5 m</article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Li</surname><given-names>Wei</given-names></name><aff>Port</aff></contrib>
<contrib contrib-type="author"><name><surname>Roe</surname><given-names>Ann B.</given-names></name></contrib></contrib-group>
<pub-date><day>7</day><month>3</month><year>2021</year></pub-date><volume>12</volume>
<permissions><copyright-statement>(c) us</copyright-statement>
<license xlink:href="https://creativecommons.org/licenses/by/4.0/"><license-p>Free for all.</license-p></license></permissions>
<abstract><p>Ebb leaves silt.</p></abstract><kwd-group><kwd>mud</kwd></kwd-group></article-meta></front>
<body><sec><label>1</label><title>Methods</title><p>We dug <xref ref-type="bibr">[1]</xref> at <inline-formula><alternatives>
<mml:math><mml:mi>x</mml:mi></mml:math><tex-math>\documentclass{minimal}x</tex-math></alternatives></inline-formula> metres&nbsp;deep.</p>
<sec><title>Tools</title><p>A spade<sup>2</sup>.</p></sec></sec>
<fig><label>Fig. 1</label><caption><title>The bank.</title><p>At noon.</p></caption><graphic xlink:href="a.jpg"/></fig>
<table-wrap><table><tr><th>Depth</th><td>2</td></tr></table></table-wrap></body>
<back><ack><p>Thanks to the tide.</p></ack><ref-list><ref><label>1</label><element-citation><name><surname>Doe</surname>
<given-names>J</given-names></name><article-title>On silt</article-title><year>1999</year></element-citation></ref>
<ref><mixed-citation>Roe A. Mud. 2001.</mixed-citation></ref></ref-list></back>
<sub-article><front-stub><article-id pub-id-type="doi">10.1000/other</article-id><title-group><article-title>A letter</article-title>
</title-group></front-stub><body><p>We doubt it.</p></body></sub-article></article>"#;

fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        tar.append_data(&mut header, name, *bytes).unwrap();
    }
    tar.into_inner().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// What the records of a source become, from a place on; and why it ended early.
fn read(path: &Path, papers: Papers, place: &str) -> (Vec<Result<Document, Failure>>, Option<Reason>) {
    let mut records = PaperRecords::open(path, papers, None).unwrap();
    if !place.is_empty() {
        records.resume(place);
    }
    let (mut read, mut stopped) = (Vec::new(), None);
    while let Some(item) = records.next(&|_, _| false, &Job::default()) {
        match item {
            Item::Record(record) => read.push(record.read(&Default::default()).map(|(document, _)| document)),
            Item::Failed(failure) => read.push(Err(failure)),
            Item::Stopped(failure) => stopped = Some(failure.reason),
            _ => panic!(),
        }
    }
    (read, stopped)
}

#[test]
fn an_article_in_jats_gives_its_text_and_says_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.nxml");
    fs::write(&path, ARTICLE).unwrap();
    let (mut read, _) = read(&path, Papers::Jats, "");
    let document = read.pop().unwrap().unwrap();
    let known = document.metadata.clone();
    assert_eq!((document.id.as_str(), known.url.as_deref()), ("PMC4711", Some("https://doi.org/10.1000/mud.1")));
    assert_eq!(known.title.as_deref(), Some("Silt & Spartina < 5 m"));
    assert_eq!((known.author.as_deref(), known.date.as_deref()), (Some("Li, Wei; Roe, Ann B."), Some("2021-03-07")));
    assert_eq!(known.licence.as_deref(), Some("https://creativecommons.org/licenses/by/4.0/"));
    assert_eq!(known.collection.as_deref(), Some("Journal of Mud"));
    let lines: Vec<&str> = document.text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(
        lines,
        [
            "Silt & Spartina < 5 m",
            "Abstract",
            "Ebb leaves silt.",
            "Methods",
            "We dug [1] at x metres\u{a0}deep.",
            "Tools",
            "A spade2.",
            "Fig. 1",
            "The bank. At noon.",
            "Depth\t2",
            "Thanks to the tide.",
            "References",
            "1 Doe J On silt 1999",
            "Roe A. Mud. 2001.",
            "A letter",
            "We doubt it.",
        ]
    );
    let marked = |kind: MarkKind| document.layout.marks().iter().filter(|mark| mark.kind == kind).count();
    assert_eq!((marked(MarkKind::Formula), marked(MarkKind::Table), marked(MarkKind::Heading(2))), (1, 1, 3));
}

#[test]
fn an_article_of_hostile_depth_is_refused_at_once() {
    let refused = article(&format!("<article>{}", "<sec>".repeat(1_000_000))).err().unwrap();
    assert!(refused.contains("256 elements"), "{refused}");
}

#[test]
fn packages_and_folders_of_articles_give_all_that_can_be_read_and_name_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let other = ARTICLE.replace("4711", "4712").replace("10.1000/mud.1", "10.1000/mud.2");
    let long = format!("{}/a.nxml", "long-name".repeat(20));
    let files: [(&str, &[u8]); 6] = [
        ("PMC1/a.nxml", ARTICLE.as_bytes()),
        ("PMC1/a.jpg", &[7; 3000]),
        ("PMC2/cut.nxml", &ARTICLE.as_bytes()[..900]),
        ("PMC3/dump.xml", b"<mediawiki></mediawiki>"),
        ("PMC4/a.pdf", b"%PDF"),
        (&long, other.as_bytes()),
    ];
    let path = folder.path().join("a.tar.gz");
    let packed = gzip(&tar(&files));
    fs::write(&path, &packed).unwrap();
    for (number, (name, bytes)) in files.iter().enumerate() {
        let path = folder.path().join(format!("tree/{number}"));
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join(name.rsplit('/').next().unwrap()), bytes).unwrap();
    }
    for path in [&path, &folder.path().join("tree")] {
        let (found, stopped) = read(path, Papers::Jats, "");
        let ids: Vec<Result<&str, String>> = found
            .iter()
            .map(|read| read.as_ref().map(|document| document.id.as_str()).map_err(|failure| failure.reason.code()))
            .collect();
        let broken = || Err("broken-xml".to_owned());
        assert_eq!((ids, stopped), (vec![Ok("PMC4711"), broken(), broken(), Ok("PMC4712")], None), "{path:?}");
    }
    assert_eq!(read(&path, Papers::Jats, "5").0.len(), 1);
    fs::write(&path, &packed[..packed.len() / 2]).unwrap();
    assert!(matches!(read(&path, Papers::Jats, "").1, Some(Reason::ArchiveBroken { .. })));
}

#[test]
fn a_tar_is_whole_with_its_end_only_wherever_it_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let long = format!("{}/a.nxml", "long-name".repeat(20));
    let whole = tar(&[("a.nxml", ARTICLE.as_bytes()), (&long, ARTICLE.as_bytes()), ("a.jpg", &[7; 600])]);
    let end = whole.len() - 2 * BLOCK as usize;
    let path = folder.path().join("a.tar");
    for cut in (0..=whole.len()).step_by(BLOCK as usize) {
        fs::write(&path, &whole[..cut]).unwrap();
        let (found, stopped) = read(&path, Papers::Jats, "");
        // One of the two blocks of zeros tells the end, and nothing is lost without the other.
        assert_eq!(stopped.is_none(), cut > end, "{cut} of {end}: {stopped:?}");
        assert!(stopped.is_none_or(|reason| matches!(reason, Reason::ArchiveBroken { .. })), "{cut}");
        assert!(cut < end || found.len() == 2, "all that came before is given");
    }
}

#[test]
fn papers_of_arxiv_have_the_ids_that_their_files_are_named_by() {
    let folder = tempfile::tempdir().unwrap();
    let latex = |text: &str| format!("\\documentclass{{article}}\\begin{{document}}{text}\\end{{document}}");
    let project = tar(&[
        ("main.tex", latex("Silt is mud. \\input{part}").as_bytes()),
        ("part.tex", b"Mud is silt."),
        ("fig.eps", b"%!PS"),
    ]);
    let files: [(&str, &[u8]); 4] = [
        ("2301/2301.00001.gz", &gzip(latex("Each tide leaves silt.").as_bytes())),
        ("2301/2301.00002v3.gz", &gzip(&project)),
        ("9901/hep-th9901001.gz", &gzip(latex("Strings.").as_bytes())),
        ("2301/2301.00003.gz", b"no gzip"),
    ];
    let path = folder.path().join("arXiv_src_2301_001.tar");
    fs::write(&path, tar(&files)).unwrap();
    let (found, stopped) = read(&path, Papers::Arxiv, "");
    assert_eq!(stopped, None);
    let expected = [
        ("2301.00001", "Each tide leaves silt."),
        ("2301.00002", "Silt is mud. Mud is silt."),
        ("hep-th/9901001", "Strings."),
    ];
    for (read, (id, text)) in found.iter().zip(expected) {
        let document = read.as_ref().unwrap();
        assert_eq!(document.id, format!("arXiv:{id}"));
        assert_eq!(document.metadata.url.as_deref(), Some(format!("https://arxiv.org/abs/{id}").as_str()));
        assert_eq!(document.text.split_whitespace().collect::<Vec<_>>().join(" "), text);
    }
    assert!(matches!(&found[3], Err(failure) if failure.id == "arXiv:2301.00003"), "{:?}", found[3]);
    let lines = folder.path().join("metadata.json.gz");
    let known = r#"{"id":"2301.00009","title":"Other"}
no line
{"id":"2301.00001","submitter":"x","authors":"Ann Roe and Wei Li","title":"On\n  \u201csilt\u201d","license":"http://creativecommons.org/licenses/by/4.0/",
{"id":"hep-th/9901001","authors":"Ann Roe and Wei Li","title":"On\n  \u201csilt\u201d","license":"http://arxiv.org/licenses/x","update_date":"2008-02-03","versions":[{"v":1}]}
"#;
    fs::write(&lines, gzip(known.as_bytes())).unwrap();
    let mut records = PaperRecords::open(&path, Papers::Arxiv, Some(&lines)).unwrap();
    let mut told = Vec::new();
    while let Some(Item::Record(record)) = records.next(&|_, _| false, &Job::default()) {
        told.push(record.provenance);
    }
    let expected = Metadata {
        title: Some("On “silt”".to_owned()),
        author: Some("Ann Roe and Wei Li".to_owned()),
        date: Some("2008-02-03".to_owned()),
        url: Some("https://arxiv.org/abs/hep-th/9901001".to_owned()),
        licence: Some("http://arxiv.org/licenses/x".to_owned()),
        ..Metadata::default()
    };
    assert_eq!((told[0].title.as_ref(), &told[2], told.len()), (None, &expected, 4));
}
