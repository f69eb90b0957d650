//! The targets of `fuzz/`, on generated input.

#[path = "../fuzz/src/lib.rs"]
mod targets;

use proptest::collection::vec;
use proptest::prelude::*;

/// What the formats are written with, so that readers are not done at the first byte.
const PIECES: [&[u8]; 40] = [
    b"<html><body><p>",
    b"</p>",
    b"<table><tr><td>",
    b"<!--",
    b"-->",
    b"&amp;",
    b"&#x4e2d;",
    b"<![CDATA[",
    b"<style>p{display:none}</style>",
    b"{\\rtf1\\ansi\\ansicpg936 ",
    b"\\u20013?",
    b"\\'d6\\'d0",
    b"{\\fonttbl",
    b"}",
    b"\\bin9 ",
    b"\\par ",
    b"\\documentclass{book}\\begin{document}",
    b"\\section{",
    b"\\footnote{",
    b"\\end{document}",
    b"\\newcommand{\\a}{\\a\\a}",
    b"$x$",
    b"%",
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj ",
    b"2 0 obj<</Kids[2 0 R]/Count 9>>endobj ",
    b"stream\nBT (a) Tj ET\nendstream ",
    b"trailer<</Root 1 0 R>>",
    b"PK\x03\x04\x14\0\0\0\0\0",
    b"PK\x05\x06",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    b"# ",
    b"```\n",
    b"> ",
    b"[a](b)",
    b"\xff\xfe",
    b"\xe4\xb8",
    b"\xd6\xd0\xce\xc4",
    b"\0\0\0\0",
    b" the tide leaves silt ",
    "潮水留下一层薄薄的泥".as_bytes(),
];

fn file() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => (0..PIECES.len()).prop_map(|at| PIECES[at].to_vec()),
        1 => vec(any::<u8>(), 0..40),
    ];
    vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

/// Two texts of few different sentences and odd characters, so that they share some.
fn texts() -> impl Strategy<Value = (String, String)> {
    const SENTENCES: [&str; 6] = [
        "Each tide leaves a thin layer of silt between the stems of the marsh and the surface grows. ",
        "The surface of the marsh grows by a few millimetres in each year, and the stems hold the silt.\n",
        "How much of it stays was measured at nine places along the estuary from March to October. ",
        "潮水每次都在茎秆之间留下一层薄薄的泥沙，沼泽的表面每年因此升高几毫米。",
        "第三章　测量的方法\n在河口沿岸的九个地点，从三月到十月测量了留下多少泥沙。",
        "“Each tide leaves silt,” wrote the surveyor [3]; others (Author, 1999) disagree. ",
    ];
    let piece = prop_oneof![
        6 => (0..SENTENCES.len()).prop_map(|at| SENTENCES[at].to_owned()),
        1 => any::<String>(),
        1 => "[a-z ,.]{0,40}",
    ];
    let text = vec(piece, 0..12).prop_map(|pieces| pieces.concat());
    (text.clone(), text)
}

fn changes() -> impl Strategy<Value = Vec<(u32, u8)>> {
    vec(any::<(u32, u8)>(), 0..6)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_bytes_break_a_reader(format in any::<u8>(), bytes in file()) {
        targets::read(format, &bytes);
    }

    #[test]
    fn passages_of_any_two_texts_lie_within_them((first, second) in texts()) {
        targets::align(&first, &second);
    }

    #[test]
    fn the_report_on_any_text_has_figures_that_can_be((submission, source) in texts()) {
        targets::check(&submission, &source);
    }

    #[test]
    fn no_bytes_break_a_table_of_fingerprints(query in any::<u64>(), bytes in file(), changes in changes()) {
        targets::fingerprints(query, &bytes, &changes);
    }
}

proptest! {
    // Each case writes an index.
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_change_of_bytes_breaks_the_reading_of_an_index(file in any::<u8>(), changes in changes()) {
        targets::index(file, &changes);
    }
}
