//! Small PDF files, read in this process.

use std::time::Duration;

use super::{flow, reader};
use crate::extract::{ExtractError, Extracted};
use crate::limits::ReadLimits;
use copytrace_text::Metadata;
use copytrace_text::layout::{LeftOut, Mark, MarkKind};

/// A PDF file of objects 1, 2 and so on; 1 is the catalogue.
pub(super) fn of_objects(objects: &[String]) -> Vec<u8> {
    let mut file = "%PDF-1.5\n".to_owned();
    for (number, object) in (1..).zip(objects) {
        file += &format!("{number} 0 obj\n{object}\nendobj\n");
    }
    (file + "trailer <</Root 1 0 R>>\n%%EOF\n").into_bytes()
}

pub(super) fn stream(content: &str) -> String {
    format!("<</Length {}>>stream\n{content}\nendstream", content.len())
}

/// A page of A4 with this content, and what stands in its dictionary and in the catalogue besides. `/F` is Helvetica, `/T`
/// is transparent and `/M` multiplies. Objects from 6 on are given.
pub(super) fn page_with(content: &str, page: &str, catalogue: &str, objects: &[String]) -> Vec<u8> {
    let mut all = vec![
        format!("<</Type/Catalog/Pages 2 0 R{catalogue}>>"),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R{page}/Resources<</Font<</F 5 0 R>>\
             /ExtGState<</T<</ca 0>>/M<</BM/Multiply>>>>/XObject<</X 6 0 R>>>>>>"
        ),
        stream(content),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    all.extend_from_slice(objects);
    of_objects(&all)
}

fn page(content: &str) -> Vec<u8> {
    page_with(content, "", "", &[])
}

pub(super) fn read(bytes: Vec<u8>) -> Extracted {
    let document = reader::document(bytes, &ReadLimits::default(), true).unwrap();
    flow::join(&document).finish(Metadata::default())
}

/// The text that is seen and the text that is not.
fn seen_and_unseen(extracted: &Extracted) -> (String, String) {
    let (mut seen, mut unseen) = (String::new(), String::new());
    for (at, c) in (0_u32..).zip(extracted.text.chars()) {
        let hidden = extracted.layout.marks().iter().any(|mark| {
            matches!(mark.kind, MarkKind::White | MarkKind::Unseen | MarkKind::Tiny)
                && (mark.start..mark.end).contains(&at)
        });
        if hidden { unseen.push(c) } else { seen.push(c) }
    }
    (seen.trim().to_owned(), unseen.trim().to_owned())
}

#[test]
fn shifted_letters_stay_in_their_words_and_raised_numbers_outside_of_them() {
    let cases = [
        ("(written in LAT) Tj -2.6 Ts (E) Tj 0 Ts (X since then) Tj", "written in LATEX since then"),
        ("(two books) Tj /F 8 Tf 4 Ts (12) Tj /F 12 Tf 0 Ts ( say so) Tj", "two books 12 say so"),
        ("(ten km) Tj /F 8 Tf 4 Ts (2) Tj /F 12 Tf 0 Ts ( of reeds) Tj", "ten km2 of reeds"),
    ];
    for (content, expected) in cases {
        assert_eq!(read(page(&format!("BT /F 12 Tf 72 700 Td {content} ET"))).text, expected);
    }
}

const SEEN: &str = "BT /F 12 Tf 72 700 Td (Visible words of the page) Tj ET\n";

#[test]
fn what_nobody_sees_is_marked_however_it_is_hidden() {
    let cases = [
        ("render mode 3", "BT /F 12 Tf 3 Tr 72 600 Td (hidden words) Tj ET"),
        ("white", "1 g BT /F 12 Tf 72 600 Td (hidden words) Tj ET"),
        ("nearly white", ".95 g BT /F 12 Tf 72 600 Td (hidden words) Tj ET"),
        ("nearly white, by ink", "0 0 0 .04 k BT /F 12 Tf 72 600 Td (hidden words) Tj ET"),
        ("transparent", "/T gs BT /F 12 Tf 72 600 Td (hidden words) Tj ET"),
        ("covered", "BT /F 12 Tf 72 600 Td (hidden words) Tj ET 1 g 60 590 200 30 re f"),
        ("covered by a line", "BT /F 12 Tf 72 600 Td (hidden words) Tj ET 1 G 30 w 60 604 m 300 604 l S"),
        ("clipped", "q 0 0 50 50 re W n BT /F 12 Tf 72 600 Td (hidden words) Tj ET Q"),
        ("outside the page", "BT /F 12 Tf 72 900 Td (hidden words) Tj ET"),
        (
            "the colour of its box",
            "1 0 0 rg 60 590 200 30 re f 1 .05 .05 rg BT /F 12 Tf 72 600 Td (hidden words) Tj ET",
        ),
        ("too small", "BT /F 1 Tf 72 600 Td (hidden words that go on and on, so that they are no label) Tj ET"),
    ];
    for (name, hidden) in cases {
        let (seen, unseen) = seen_and_unseen(&read(page(&format!("{SEEN}{hidden}"))));
        assert_eq!(seen, "Visible words of the page", "{name}");
        assert!(unseen.starts_with("hidden words"), "{name}: {unseen}");
    }
}

#[test]
fn what_a_reader_sees_is_never_taken_for_hidden() {
    let text = "BT /F 12 Tf 72 700 Td (Visible words of the page) Tj ET";
    let cases = [
        ("white on a dark page", page(&format!("0 g 0 0 595 842 re f 1 g {text}"))),
        ("white in a filled box", page(&format!("0 0 .5 rg 60 690 300 30 re f 1 g {text}"))),
        ("white on a wide line", page(&format!("0 G 30 w 60 704 m 400 704 l S 1 g {text}"))),
        ("yellow", page(&format!("1 1 0 rg {text}"))),
        ("grey", page(&format!(".7 g {text}"))),
        ("below a marker", page(&format!("{text} /M gs 1 1 0 rg 60 690 300 30 re f"))),
        ("beside a box", page(&format!("{text} 1 g 60 600 300 30 re f"))),
        ("outlined", page(&format!("1 g 1 Tr {text}"))),
        (
            "small letters on a page of large units",
            page_with("BT /F 1.2 Tf 7 70 Td (Visible words of the page) Tj ET", "/UserUnit 10", "", &[]),
        ),
        ("on a page that is turned", page_with(text, "/Rotate 90", "", &[])),
    ];
    for (name, bytes) in cases {
        let (seen, unseen) = seen_and_unseen(&read(bytes));
        assert_eq!((seen.as_str(), unseen.as_str()), ("Visible words of the page", ""), "{name}");
    }
}

#[test]
fn letters_are_read_where_they_stand() {
    let singly = |order: &[usize]| -> String {
        let letters = [(72.0, 't'), (75.3, 'i'), (78.0, 'd'), (84.7, 'e')];
        order.iter().map(|&at| format!("BT /F 12 Tf {} 700 Td ({}) Tj ET ", letters[at].0, letters[at].1)).collect()
    };
    let cases = [
        ("in another order", singly(&[3, 0, 2, 1]), "tide"),
        (
            "twice, for bold",
            format!("{SEEN}BT /F 12 Tf 72.3 700 Td (Visible words of the page) Tj ET"),
            "Visible words of the page",
        ),
        ("without blanks", "BT /F 12 Tf 72 700 Td [(two)-300(words)] TJ ET".to_owned(), "two words"),
        ("with blanks of no width", "BT /F 12 Tf 72 700 Td [(ti)0( )278(de)] TJ ET".to_owned(), "tide"),
        ("spaced", "BT /F 12 Tf 3 Tc 72 700 Td (spaced) Tj ET".to_owned(), "spaced"),
        (
            "with an accent",
            "BT /F 12 Tf 72 700 Td (na) Tj ET BT /F 12 Tf 84.7 700 Td <a8> Tj ET BT /F 12 Tf 85.3 700 Td (i) Tj ET"
                .to_owned(),
            "naï",
        ),
        (
            "said to be others",
            "/Span<</ActualText(other words)>>BDC BT /F 12 Tf 72 700 Td (these words) Tj ET EMC".to_owned(),
            "these words",
        ),
    ];
    for (name, content, expected) in &cases {
        assert_eq!(read(page(content)).text, *expected, "{name}");
    }
}

#[test]
fn lines_that_are_only_outlined_are_lines_of_their_own_though_they_have_as_many_letters() {
    let lines = "BT /F 12 Tf 1 Tr 72 700 Td (silt) Tj ET BT /F 12 Tf 1 Tr 72 680 Td (tide) Tj ET \
        BT /F 12 Tf 2 Tr 72 660 Td (reed) Tj ET BT /F 12 Tf 1 Tr 72 640 Td (dike) Tj ET";
    assert_eq!(read(page(lines)).text.split_whitespace().collect::<Vec<_>>(), ["silt", "tide", "reed", "dike"]);
}

#[test]
fn umlauts_drawn_over_capitals_are_one_letter_with_them() {
    // Over a letter of 8.7 points stands a mark of 4, raised as TeX does it, before it or after it in the file.
    let shown = |left: f64, base: f64, text: &str| format!("BT /F 12 Tf {left} {base} Td {text} Tj ET ");
    let over = |left: f64, base: f64, raise: f64, letter: &str| {
        shown(left + 2.3, base + raise, "<a8>") + &shown(left, base, &format!("({letter})"))
    };
    for raise in [0.0, 2.9] {
        let line = |base: f64| {
            let word = over(72.0, base, raise, "U") + &shown(80.7, base, "(bung und)");
            word + &over(145.0, base, raise, "A") + &over(153.0, base, raise, "O") + &shown(162.4, base, "(STLICH)")
        };
        let below = read(page(&(line(700.0) + &line(686.0)))).text;
        assert_eq!(
            below.split_whitespace().collect::<Vec<_>>().join(" "),
            "Übung und ÄÖSTLICH Übung und ÄÖSTLICH",
            "{raise}"
        );
    }
}

/// What is read of words that stand at these places, in letters of these sizes.
fn placed(words: &[(f64, f64, f64, &str)]) -> String {
    drawn(words).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The same with its white space.
fn drawn(words: &[(f64, f64, f64, &str)]) -> String {
    let shown =
        |(left, base, size, word): &(f64, f64, f64, &str)| format!("BT /F {size} Tf {left} {base} Td ({word}) Tj ET ");
    read(page(&words.iter().map(shown).collect::<String>())).text
}

/// A page on which the letters from A on are Han characters, each at a place of its own.
fn han_page(placed: &[(f64, f64, u8)]) -> Vec<u8> {
    let shown = |(x, y, code): &(f64, f64, u8)| format!("BT /F 12 Tf {x} {y} Td <{code:02X}> Tj ET ");
    let content: String = placed.iter().map(shown).collect();
    let map: String = HAN.chars().zip(0x41..).map(|(c, code)| format!("<{code:02X}><{:04X}>\n", c as u32)).collect();
    let map = format!(
        "begincmap 1 begincodespacerange <00><FF> endcodespacerange {} beginbfchar\n{map}endbfchar endcmap",
        HAN.chars().count()
    );
    let file = String::from_utf8(page_with(&content, "", "", &["null".to_owned(), stream(&map)])).unwrap();
    file.replace("/WinAnsiEncoding>>", "/WinAnsiEncoding/ToUnicode 7 0 R>>").into_bytes()
}

const HAN: &str = "盐沼由两个方向填满潮水从外面带来细沙河流里";

#[test]
fn han_characters_placed_below_each_other_in_columns_are_read_downwards_and_those_in_rows_and_grids_along() {
    let text = HAN.repeat(6);
    let count = HAN.chars().count();
    // By row and column, of 18 characters each.
    type Place = fn(f64, f64) -> (f64, f64);
    let cases: [(&str, Place); 3] = [
        ("columns", |row, column| (500.0 - 22.0 * row, 700.0 - 12.6 * column)),
        ("rows", |row, column| (72.0 + 12.0 * column, 700.0 - 20.0 * row)),
        ("grid", |row, column| (72.0 + 15.0 * column, 700.0 - 15.0 * row)),
    ];
    for (name, place) in cases {
        let placed = (0..count * 6).map(|at| {
            let (x, y) = place((at / 18) as f64, (at % 18) as f64);
            (x, y, 0x41 + (at % count) as u8)
        });
        let placed: Vec<(f64, f64, u8)> = placed.collect();
        // Drawn in the reverse order, too: only places count.
        let reverse: Vec<(f64, f64, u8)> = placed.iter().rev().copied().collect();
        for placed in [placed, reverse] {
            let found: String = read(han_page(&placed)).text.chars().filter(|c| !c.is_whitespace()).collect();
            assert_eq!(found, text, "{name}");
        }
    }
}

#[test]
fn words_whose_baselines_jump_are_read_along_their_line() {
    let lines = ["tides bring stone about", "seeds below reeds stand", "boats enter under ports"];
    for (size, leading, jump) in [(5.0, 7.0, 0.9), (5.0, 7.5, 1.1), (12.0, 20.0, 2.5)] {
        let mut words = Vec::new();
        for (row, line) in lines.iter().enumerate() {
            for (at, word) in line.split(' ').enumerate() {
                let base = 700.0 - row as f64 * leading + if (at + row) % 2 == 0 { jump } else { -jump };
                words.push((72.0 + at as f64 * 2.9 * size, base, size, word));
            }
        }
        assert_eq!(placed(&words), lines.join(" "), "{size}");
    }
}

#[test]
fn words_raised_and_lowered_by_turns_are_one_line() {
    let line = "tides take the marsh and leave silt there";
    let words: Vec<_> = line.split(' ').zip(0_i32..).collect();
    let words: Vec<_> = words
        .iter()
        .map(|(word, at)| (72.0 + 32.0 * f64::from(*at), 700.0 - 7.0 * f64::from(at % 2), 10.0, *word))
        .collect();
    assert_eq!(placed(&words), line);
}

#[test]
fn a_line_goes_on_with_letters_of_its_size_and_not_with_a_raised_one_that_stands_nearer_to_its_height() {
    // As TeX sets its name in fonts with a wide E: the A is raised, the E lowered, and the X stands far behind the T.
    let words = [
        (50.0, 700.0, 10.0, "The"),
        (72.0, 700.0, 10.0, "L"),
        (74.0, 702.0, 7.0, "A"),
        (76.9, 700.0, 10.0, "T"),
        (81.9, 697.6, 10.0, "E"),
        (87.9, 700.0, 10.0, "X class"),
    ];
    assert_eq!(placed(&words), "The LATEX class");
}

#[test]
fn words_beside_the_edge_of_prose_are_a_line_of_their_own_though_they_stand_near() {
    let prose = ["tides bring stones about the old harbour", "seeds below reeds stand until the spring"];
    let mut words: Vec<_> =
        (0_i32..8).map(|row| (150.0, 700.0 - 14.0 * f64::from(row), 10.0, prose[row as usize % 2])).collect();
    words.push((120.0, 686.0, 10.0, "reed"));
    // In a line of prose that would be a blank.
    let text = drawn(&words);
    assert!(text.contains("reed\tseeds below") && !text.contains("reed seeds"), "{text:?}");
}

#[test]
fn an_initial_over_two_lines_begins_the_first() {
    let words = [
        (72.0, 700.0, 36.0, "T"),
        (95.0, 714.0, 12.0, "he tide took the marsh"),
        (95.0, 700.0, 12.0, "and left silt behind"),
    ];
    assert_eq!(placed(&words), "The tide took the marsh and left silt behind");
}

#[test]
fn narrow_columns_below_lines_over_the_whole_page_are_read_one_after_the_other() {
    let words = ["one", "tine", "none", "noon", "tone", "tent", "note", "nine", "teen", "onion", "eon", "ten"];
    let turned = |row: usize| (0..words.len()).map(|at| words[(at + row) % words.len()]).collect::<Vec<_>>().join(" ");
    let wide: Vec<String> = (0..6).map(|row| format!("{} {} tee", turned(row), turned(row + 1))).collect();
    let columns: Vec<String> = (0..10).map(turned).collect();
    let mut placed_words: Vec<(f64, f64, f64, &str)> = Vec::new();
    for (row, line) in wide.iter().enumerate() {
        placed_words.push((60.0, 760.0 - 12.0 * row as f64, 10.0, line));
    }
    for (row, line) in columns.iter().enumerate() {
        let base = 680.0 - 12.0 * row as f64;
        // Every line of the left column ends 8 points before the right one begins.
        placed_words.extend([(60.0, base, 10.0, line.as_str()), (60.0 + 256.9 + 8.0, base, 10.0, line.as_str())]);
    }
    let columns = columns.join(" ");
    assert_eq!(placed(&placed_words), format!("{} {columns} {columns}", wide.join(" ")));
}

#[test]
fn entries_of_the_outline_are_headings_and_circles_in_it_end() {
    let entry = |title: &str, next: u32| {
        format!("<</Title({title})/Dest[3 0 R/XYZ 0 720 0]/Parent 7 0 R/Next {next} 0 R/First 7 0 R>>")
    };
    let objects = ["null".to_owned(), "<</First 8 0 R>>".to_owned(), entry("Tides", 9), entry("Silt", 8)];
    let content =
        "BT /F 12 Tf 72 700 Td (Tides) Tj 0 -30 Td (Words of the chapter, which are many and no heading.) Tj ET";
    let extracted = read(page_with(content, "", "/Outlines 7 0 R", &objects));
    let headings: Vec<_> =
        extracted.layout.of(MarkKind::OutlineHeading(1)).map(|mark| (mark.start, mark.end)).collect();
    assert_eq!(headings, [(0, 5)]);
}

#[test]
fn fields_and_boxes_are_read_as_they_are_drawn_and_counted_where_they_are_not() {
    let drawn = "<</Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</F 5 0 R>>>>/Length 35>>stream\nBT /F 12 Tf (Words in a box) Tj ET    \nendstream";
    let of = |annotation: &str| {
        let annots = format!("/Annots[<</Type/Annot/Rect[72 600 272 620]{annotation}>>]");
        let read = read(page_with(SEEN, &annots, "", &["<<>>".to_owned(), drawn.to_owned()]));
        let count = |mark: &Mark| match mark.kind {
            MarkKind::LeftOut(LeftOut::Unread, count) => count,
            _ => 0,
        };
        (read.text.contains("Words in a box"), read.layout.marks().iter().map(count).sum::<u32>())
    };
    for (annotation, expected) in [
        ("/Subtype/FreeText/Contents(Other words)/AP<</N 7 0 R>>", (true, 0)),
        ("/Subtype/Widget/V(Other words)/AP<</N 7 0 R>>", (true, 0)),
        ("/Subtype/FreeText/Contents(Words in a box)", (false, 11)),
        ("/Subtype/Widget/V(Words in a box)", (false, 11)),
        ("/Subtype/Widget/Parent<</V(Words in a box)>>", (false, 11)),
        ("/Subtype/Widget/V(Words in a box)/F 2", (false, 0)),
        ("/Subtype/Text/Contents(A remark that nobody prints)", (false, 0)),
        ("/Subtype/Link", (false, 0)),
    ] {
        assert_eq!(of(annotation), expected, "{annotation}");
    }
}

#[test]
fn reading_ends_at_the_next_page_where_it_is_cancelled() {
    let limits = ReadLimits::default();
    assert!(reader::document(page(SEEN), &limits, true).is_ok());
    limits.cancel.cancel();
    assert!(matches!(reader::document(page(SEEN), &limits, true), Err(ExtractError::Cancelled(_))));
}

#[test]
fn hostile_files_end_with_a_reason() {
    let limits = ReadLimits { program_time: Duration::from_millis(300), ..ReadLimits::default() };
    let itself = "<</Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</XObject<</X 6 0 R>>>>/Length 12>>stream\n/X Do /X Do\n\nendstream";
    let many = format!("{SEEN}{}", "0 0 595 842 re f ".repeat(100_000));
    let cases = [
        ("a form that draws itself twice", page_with(&format!("{SEEN}/X Do"), "", "", &[itself.to_owned()])),
        ("a hundred thousand fills", page(&many)),
        ("deep states", page(&format!("{}{SEEN}", "q ".repeat(100_000)))),
    ];
    for (name, bytes) in cases {
        let read = reader::document(bytes, &limits, true);
        assert!(matches!(read, Ok(_) | Err(ExtractError::TooLarge(_))), "{name}: {read:?}");
    }
    let cut = page(SEEN)[..40].to_vec();
    assert!(matches!(reader::document(cut, &limits, true), Err(ExtractError::Damaged(_))));
}

#[test]
fn bitmap_fonts_of_tex_have_letters_by_their_codes_and_the_size_of_their_pixels() {
    // "waffle" with the ligature ff at 27, as in the encoding T1; in fiftieths of a letter, and in pixels, as dvips has it. Ghostscript counts
    // in another way, and Distiller gives other codes to what is named by the older encoding.
    let by_number = ["a97", "a101", "a108", "a119", "a27"];
    for (matrix, size, scale, names) in [
        (".02 0 0 .02 0 0", "12", "1", by_number),
        ("1 0 0 -1 0 0", "1", ".24", by_number),
        ("1 0 0 -1 0 0", "1", ".24", ["CP", "CT", "D0", "DB", "AR"]),
        ("1 0 0 -1 0 0", "1", ".24", ["a", "e", "l", "w", "#0B"]),
    ] {
        let [a, e, l, w, ff] = names;
        let glyphs = format!("<<{}>>", names.map(|name| format!("/{name} 7 0 R")).concat());
        let objects = [
            format!(
                "<</Type/Font/Subtype/Type3/FontBBox[0 0 50 50]/FontMatrix[{matrix}]/CharProcs {glyphs}/FirstChar 27/LastChar 119\
                 /Widths[{}]/Encoding<</Differences[27/{ff} 97/{a} 101/{e} 108/{l} 119/{w}]>>>>",
                "25 ".repeat(93)
            ),
            stream("25 0 0 0 20 30 d1 0 0 20 30 re f"),
        ];
        let content = format!("q {scale} 0 0 {scale} 72 700 cm BT /B {size} Tf <77611B6C65> Tj ET Q");
        let file = String::from_utf8(page_with(&content, "", "", &objects)).unwrap();
        let read = read(file.replace("<</F 5 0 R>>", "<</F 5 0 R/B 6 0 R>>").into_bytes());
        assert_eq!((read.text.trim(), read.layout.of(MarkKind::Tiny).count()), ("waffle", 0), "{matrix} {names:?}");
    }
}

/// A word for each number.
fn word(number: usize) -> String {
    (0..5).map(|at| char::from(b'a' + ((number / 17_usize.pow(at)) % 17) as u8)).collect()
}

#[test]
fn words_of_a_jittering_layer_are_read_in_order_or_the_page_is_unjudged() {
    let (words, rows) = (14, 60);
    for (jitter, leading) in
        [(0.0, 6.0), (0.5, 6.0), (1.0, 6.0), (1.5, 6.5), (1.5, 7.5), (2.0, 6.5), (2.0, 7.5), (2.5, 7.0)]
    {
        let mut content = format!("BT /F 5 Tf {leading} TL 60 760 Td ");
        for row in 0..rows {
            for at in 0..words {
                let number = row * words + at;
                // Anything between the lowest and the highest.
                let rise = jitter * (((number * 7919) % 101) as f64 / 50.0 - 1.0);
                content += &format!("{rise:.2} Ts ({} ) Tj ", word(number * 61 + 3));
            }
            content += "T* ";
        }
        let extracted = read(page(&(content + "ET")));
        let read: Vec<&str> = extracted.text.split_whitespace().collect();
        let pairs: std::collections::HashSet<(&str, &str)> = read.windows(2).map(|pair| (pair[0], pair[1])).collect();
        let expected: Vec<String> = (0..rows * words).map(|number| word(number * 61 + 3)).collect();
        let kept = expected.windows(2).filter(|pair| pairs.contains(&(pair[0].as_str(), pair[1].as_str()))).count();
        let kept = kept as f64 / (expected.len() - 1) as f64;
        let is_unjudged = extracted.layout.of(MarkKind::Unjudged).next().is_some();
        assert!(
            kept >= 0.97 && !is_unjudged || is_unjudged && jitter >= 1.0,
            "jitter {jitter}, leading {leading}: {kept}"
        );
    }
}
