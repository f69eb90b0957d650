//! Where a PDF file may have prose besides what its pages draw plainly: it is read, it is told as not read, or the page is in doubt.

use super::tests::{of_objects, page_with, read, stream};
use crate::extract::Extracted;
use crate::extract::lettering::tests::lines as lettering_lines;
use copytrace_text::layout::{LeftOut, MarkKind};

const PROSE: &str = "The tide leaves a thin layer of silt between the stems of the marsh, and each spring the layer is measured \
    again at the same forty posts. In the first year nobody believed that so little mud could carry so much of the story of the river, \
    but the numbers were clear enough to be shown to the council. The second survey was made after the great storm, when half of the \
    posts were gone and the rest stood at odd angles in the water, which made the work slow and the results uncertain for a while.";

const SEEN: &str = "BT /F 12 Tf 72 700 Td (Visible words of the page) Tj ET\n";

/// The prose on lines, from this height on.
fn lines(top: u32) -> String {
    let words: Vec<&str> = PROSE.split(' ').collect();
    let lines = words.chunks(12).map(|line| format!("({}) Tj T* ", line.join(" ")));
    format!("BT /F 11 Tf 14 TL 72 {top} Td {}ET\n", lines.collect::<String>())
}

fn utf16(text: &str) -> String {
    text.encode_utf16().map(|unit| format!("{unit:04x}")).collect()
}

const FONT: &str = "/Resources<</Font<</F 5 0 R>>>>";

fn with_dictionary(dictionary: &str, content: &str) -> String {
    format!("<<{dictionary}/Length {}>>stream\n{content}\nendstream", content.len())
}

/// Characters that are told as not read.
fn told(extracted: &Extracted) -> u32 {
    let count = |kind| if let MarkKind::LeftOut(LeftOut::Unread, count) = kind { count } else { 0 };
    extracted.layout.marks().iter().map(|mark| count(mark.kind)).sum()
}

fn doubted(extracted: &Extracted) -> bool {
    extracted.layout.of(MarkKind::Unjudged).next().is_some()
}

fn holds_prose(extracted: &Extracted) -> bool {
    let text: String = extracted.text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.contains("measured again at the same forty posts") && text.contains("slow and the results uncertain")
}

/// A page that draws with what `resources` names, and objects from 6 on.
fn drawing(content: &str, resources: &str, objects: &[String]) -> Vec<u8> {
    let mut all = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R/T 6 0 R>>{resources}>>>>"
        ),
        stream(content),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
    ];
    all.extend_from_slice(objects);
    of_objects(&all)
}

#[test]
fn text_in_patterns_and_glyphs_is_read_where_it_is_seen() {
    let pattern =
        format!("/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 500 595 640]/XStep 600/YStep 200{FONT}");
    let glyph = format!(
        "<</Type/Font/Subtype/Type3/FontBBox[0 0 595 842]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 7 0 R>>\
         /Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1000]{FONT}>>"
    );
    let cases = [
        drawing(
            &format!("{SEEN}/Pattern cs /P scn 50 500 500 140 re f"),
            "/Pattern<</P 6 0 R>>",
            &[with_dictionary(&pattern, &lines(620))],
        ),
        drawing(&format!("{SEEN}BT /T 1 Tf (a) Tj ET"), "", &[glyph, stream(&format!("1000 0 d0 {}", lines(620)))]),
    ];
    for (at, bytes) in cases.into_iter().enumerate() {
        let extracted = read(bytes);
        assert!(holds_prose(&extracted), "{at}: {}", extracted.text);
        assert!(!doubted(&extracted) && told(&extracted) == 0, "{at}");
    }
}

#[test]
fn a_page_whose_masks_or_conditions_may_show_its_text_is_in_doubt() {
    let group = with_dictionary(
        &format!("/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Group<</S/Transparency/CS/DeviceGray>>{FONT}"),
        &format!("1 g {}", lines(620)),
    );
    let masked = drawing(
        &format!("{SEEN}/M gs 50 480 500 160 re f"),
        "/ExtGState<</M<</SMask<</Type/Mask/S/Luminosity/G 7 0 R>>>>>>",
        &["null".to_owned(), group],
    );
    let extracted = read(masked);
    assert!(holds_prose(&extracted) && doubted(&extracted), "{}", extracted.text);
    let layered = |layer: &str| {
        let page = "/Properties<</L 6 0 R>>";
        let bytes = page_with(
            &format!("{SEEN}/OC/L BDC {} EMC", lines(620)),
            "",
            "/OCProperties<</OCGs[7 0 R]/D<<>>>>",
            &[layer.to_owned(), "<</Type/OCG/Name(l)>>".to_owned()],
        );
        let text = String::from_utf8(bytes).unwrap().replace("/XObject<</X 6 0 R>>", page);
        read(text.into_bytes())
    };
    assert!(doubted(&layered("<</Type/OCMD/OCGs 7 0 R/VE[/Not 7 0 R]>>")));
    assert!(doubted(&layered("<</Type/OCG/Name(l)/Usage<</View<</ViewState/OFF>>>>>>")));
    let plain = layered("<</Type/OCG/Name(l)>>");
    assert!(holds_prose(&plain) && !doubted(&plain));
}

#[test]
fn text_that_is_painted_by_patterns_or_mixed_with_its_ground_is_in_doubt_but_for_a_title() {
    let shading = "/Pattern<</P<</PatternType 2/Shading<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 595 0]\
        /Function<</FunctionType 2/Domain[0 1]/C0[1 1 1]/C1[1 1 1]/N 1>>>>>>>>/ExtGState<</S<</BM/Screen>>/M<</BM/Multiply>>>>";
    let doubts = |how: &str, text: &str| doubted(&read(drawing(&format!("{SEEN}{how} {text}"), shading, &[])));
    assert!(!doubts("/M gs 0.1 g", &lines(620)), "dark ink multiplied by any ground is dark");
    for how in ["/Pattern cs /P scn", "/S gs", "/M gs .8 g"] {
        assert!(doubts(how, &lines(620)), "{how}");
        assert!(!doubts(how, "BT /F 20 Tf 72 600 Td (A Title in Many Colours) Tj ET"), "{how}");
    }
}

#[test]
fn glyphs_that_are_drawn_as_letters_and_called_blanks_are_letters_that_are_not_known() {
    let unmapped = |text: &str, drawn: &str| -> u32 {
        let font = "<</Type/Font/Subtype/Type3/FontBBox[0 0 700 700]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<</space 7 0 R>>\
            /Encoding<</Differences[97/space]>>/FirstChar 97/LastChar 97/Widths[500]>>";
        let page = format!("{SEEN}BT /T 12 Tf 72 600 Td ({text}) Tj ET");
        let extracted = read(drawing(&page, "", &[font.to_owned(), stream(&format!("500 0 d0 {drawn}"))]));
        let count = |kind| if let MarkKind::Unmapped(count) = kind { count } else { 0 };
        extracted.layout.marks().iter().map(|mark| count(mark.kind)).sum()
    };
    let letter = "100 0 300 600 re f";
    assert_eq!(unmapped(&"a".repeat(60), letter), 60);
    assert_eq!(unmapped("a", letter), 0, "a bullet");
    assert_eq!(unmapped(&"a".repeat(60), ""), 0, "blanks");
}

#[test]
fn names_of_places_in_the_file_are_no_text() {
    let link = |target: String| format!("<</Type/Annot/Subtype/Link/Rect[50 500 570 600]{target}>>");
    for target in [format!("/Dest({PROSE})"), format!("/A<</S/GoTo/D({PROSE})>>")] {
        assert_eq!(told(&read(page_with(SEEN, "/Annots[6 0 R]", "", &[link(target)]))), 0);
    }
}

#[test]
fn titles_of_bookmarks_that_are_a_text_on_no_page_are_told_as_not_read() {
    let bookmarks = |titles: &[&str]| {
        let entry = |(at, title): (usize, &&str)| format!("<</Title({title})/Parent 7 0 R/Next {} 0 R>>", at + 9);
        let entries = titles.iter().enumerate().map(entry);
        let objects: Vec<String> =
            ["null".to_owned(), "<</First 8 0 R>>".to_owned()].into_iter().chain(entries).collect();
        told(&read(page_with(SEEN, "", "/Outlines 7 0 R", &objects)))
    };
    let title = "What the tide leaves behind it and where the rivers carry their silt";
    let titles: Vec<String> = (0..12).map(|at| format!("{at} {title}")).collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    assert!(bookmarks(&titles) > 600, "they lead to no page, and are shown");
    assert_eq!(bookmarks(&titles[..4]), 0, "titles that the text has in other words");
    let short: Vec<&str> = title.split_whitespace().cycle().take(120).collect();
    assert!(bookmarks(&short) > 400, "word by word");
}

#[test]
fn prose_that_no_page_draws_is_told_as_not_read_wherever_a_file_keeps_it() {
    let [hex, escaped] = [format!("<feff{}>", utf16(PROSE)), format!("({PROSE})")];
    let field = |entries: &str| format!("<</Type/Annot/Subtype/Widget/FT/Tx/T(f)/Rect[50 500 570 600]{entries}>>");
    let empty = with_dictionary("/Type/XObject/Subtype/Form/BBox[0 0 1 1]", "");
    let on_page = |entries: &str| page_with(SEEN, "/Annots[6 0 R]", "", &[field(entries), empty.clone()]);
    let in_catalogue = |catalogue: &str, object: String| page_with(SEEN, "", catalogue, &[object]);
    let script = format!("this.getField(\"f\").value = \"{PROSE}\";");
    let form = format!("<xdp><template><draw><value><text>{PROSE}</text></value></draw></template></xdp>");
    let inner: String = page_with(&lines(700), "", "", &[]).iter().map(|byte| format!("{byte:02x}")).collect();
    let layer = |page: &str| {
        let bytes =
            page_with(&format!("{SEEN}/OC/L BDC {} EMC", lines(620)), "", page, &["<</Type/OCG/Name(l)>>".to_owned()]);
        String::from_utf8(bytes).unwrap().replace("/XObject<</X 6 0 R>>", "/Properties<</L 6 0 R>>").into_bytes()
    };
    let cases = [
        ("a field without an appearance", on_page(&format!("/V {hex}"))),
        ("a field whose appearance is made anew", on_page(&format!("/V {hex}/AP<</N 7 0 R>>"))),
        ("rich text of a field", on_page(&format!("/RV (<body><p>{PROSE}</p></body>)/AP<</N 7 0 R>>"))),
        ("the default of a field", on_page(&format!("/DV {escaped}/AP<</N 7 0 R>>"))),
        ("a script", in_catalogue("/OpenAction<</S/JavaScript/JS 6 0 R>>", stream(&script))),
        (
            "a script in a string",
            in_catalogue(
                &format!("/OpenAction<</S/JavaScript/JS({})>>", script.replace(['(', ')'], "")),
                "null".to_owned(),
            ),
        ),
        ("a form of XML", in_catalogue("/AcroForm<</Fields[]/XFA 6 0 R>>", stream(&form))),
        ("a text that is attached", in_catalogue("", with_dictionary("/Type/EmbeddedFile", PROSE))),
        (
            "a PDF file that is attached",
            in_catalogue("", with_dictionary("/Type/EmbeddedFile/Filter/ASCIIHexDecode", &(inner + ">"))),
        ),
        ("a layer that is off", layer("/OCProperties<</OCGs[6 0 R]/D<</OFF[6 0 R]>>>>")),
        (
            "a layer that is off unless it is viewed",
            layer("/OCProperties<</OCGs[6 0 R]/D<</BaseState/OFF/AS[<</Event/View/OCGs[6 0 R]>>]>>>>"),
        ),
    ];
    for (name, bytes) in cases {
        let extracted = read(bytes);
        assert!((300..600).contains(&told(&extracted)), "{name}: {} {}", told(&extracted), extracted.text);
        assert!(!holds_prose(&extracted), "{name}");
    }
}

#[test]
fn what_honest_files_keep_beside_their_pages_is_not_told() {
    let page =
        |content: &str, objects: &[String]| page_with(&format!("{SEEN}{content}"), "/Annots[6 0 R]", "", objects);
    let hex = format!("<feff{}>", utf16(PROSE));
    let cases = [
        ("a comment", page("", &[format!("<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents {hex}>>")])),
        ("the text of what is drawn", page(&lines(620), &[format!("<</S/P/ActualText {hex}>>")])),
        ("the description of a picture", page("", &[format!("<</S/Figure/Alt {hex}>>")])),
        ("the source of the text", page(&lines(620), &[with_dictionary("/Type/EmbeddedFile", PROSE)])),
        ("the abstract among the metadata", page("", &[format!("<</Subject {hex}/Keywords {hex}>>")])),
        ("metadata", page("", &[with_dictionary("/Type/Metadata/Subtype/XML", PROSE)])),
        ("another page", page("", &[stream(&lines(620))])),
    ];
    for (name, bytes) in cases {
        let extracted = read(bytes);
        assert_eq!(told(&extracted), 0, "{name}: {:?}", extracted.layout.marks());
        assert!(!doubted(&extracted), "{name}");
    }
}

#[test]
fn text_below_a_picture_of_text_is_not_what_is_seen_unless_the_page_is_a_scan() {
    let object = |across: usize, pixels: &[u8]| {
        let hex: String = pixels.iter().map(|pixel| format!("{pixel:02x}")).collect();
        let size = format!("/Width {across}/Height {}", pixels.len() / across);
        let kind = "/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/ASCIIHexDecode";
        with_dictionary(&format!("{kind}{size}"), &format!("{hex}>"))
    };
    let page = |picture: String, place: &str| {
        let content = format!("{SEEN}{}q {place} cm /X Do Q", lines(600));
        read(drawing(&content, "/XObject<</X 7 0 R>>", &["null".to_owned(), picture]))
    };
    let picture = lettering_lines(&[70; 6], 255, 0);
    let below = page(object(picture.across, &picture.pixels), "460 0 0 130 60 500");
    assert!(!holds_prose(&below) || below.layout.of(MarkKind::Unseen).next().is_some(), "{}", below.text);
    let shown =
        below.layout.marks().iter().any(|mark| matches!(mark.kind, MarkKind::PictureText(count) if count > 200));
    assert!(shown, "{:?}", below.layout.marks());
    // Ink is wherever the text is.
    let dots: Vec<u8> = (0..600 * 840).map(|at| if (at + at / 600) % 4 < 2 { 0 } else { 255 }).collect();
    let scan = page(object(600, &dots), "595 0 0 842 0 0");
    assert!(holds_prose(&scan) && scan.layout.of(MarkKind::Unseen).next().is_none(), "{}", scan.text);
    assert!(
        scan.layout.of(MarkKind::PictureLayer).next().is_some(),
        "whether the picture shows what its layer says is not known"
    );
}

#[test]
fn open_notes_are_told_as_comments() {
    let comments = |bytes| {
        let count = |kind| if let MarkKind::LeftOut(LeftOut::Comment, count) = kind { count } else { 0 };
        read(bytes).layout.marks().iter().map(|mark| count(mark.kind)).sum::<u32>()
    };
    let note = |more: &str| format!("<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents({PROSE}){more}>>");
    let window = || "<</Type/Annot/Subtype/Popup/Open true/Rect[0 0 9 9]/Parent 6 0 R>>".to_owned();
    assert!(comments(page_with(SEEN, "/Annots[6 0 R]", "", &[note("/Open true")])) > 350);
    let once = comments(page_with(SEEN, "/Annots[6 0 R 7 0 R]", "", &[note("/Open true"), window()]));
    assert!((350..600).contains(&once), "{once}");
    assert!(comments(page_with(SEEN, "/Annots[6 0 R 7 0 R]", "", &[note(""), window()])) > 350);
    assert_eq!(comments(page_with(SEEN, "/Annots[6 0 R]", "", &[note("")])), 0);
}
