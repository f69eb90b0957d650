//! Whether a text layer says what its pages show: a font may show one letter and say another.
//!
//! What is compared are runs of four letters of words, and pairs of Han characters, in any order: OCR errs in few of them, and a
//! layer whose letters stand for others, or that is another text, shares few with the picture. Other scripts are not judged.

use super::lines::{FEW_CHARACTERS, Page, PdfLine};
use ahash::AHashMap;
use copytrace_text::script::is_han;
use unicode_normalization::UnicodeNormalization;

/// The fewest runs of a page that is compared, the least share of its letters that are of these scripts, and the fewest runs that
/// its picture shows, as a share of the layer's (each one in this many): other pages say too little. Chosen by hand.
const ENOUGH: usize = 110;
const JUDGED_ONE_IN: usize = 2;
const SHOWN_ONE_IN: usize = 2;

/// The least share of a layer's runs that its picture has: of 13 pages of real theses, scans among them, it has .83 and more; another page of English
/// has .29 of them at most (of one book .42), of Chinese .10. Runs of three letters would be .51 (.56).
const LEAST: f64 = 0.45;

/// The pages that are compared: those least like the others, and the one in the middle.
const ODD_PAGES: usize = 2;

/// The least share of the pages on which a usual run stands (one in this many).
const USUAL_ONE_IN: usize = 4;

/// Letters of a run.
const LETTERS: usize = 4;

/// How often each run occurs.
type Runs = AHashMap<[char; LETTERS], usize>;

/// The pages to compare with their pictures.
pub(super) fn sample(pages: &[Page]) -> Vec<usize> {
    let with_text: Vec<(usize, Runs)> = (0..pages.len())
        .filter(|&at| !pages[at].needs_ocr() && characters(&pages[at].lines) >= FEW_CHARACTERS)
        .map(|at| (at, runs(&pages[at].lines)))
        .filter(|(_, runs)| total(runs) >= ENOUGH)
        .collect();
    let mut on_pages: AHashMap<[char; LETTERS], usize> = AHashMap::new();
    with_text.iter().flat_map(|(_, runs)| runs.keys()).for_each(|run| *on_pages.entry(*run).or_default() += 1);
    let usual = |runs: &Runs| {
        let usual = runs.iter().filter(|(run, _)| on_pages[*run] * USUAL_ONE_IN >= with_text.len());
        usual.map(|(_, count)| count).sum::<usize>() as f64 / total(runs) as f64
    };
    let mut by_oddity: Vec<(f64, usize)> = with_text.iter().map(|(at, runs)| (usual(runs), *at)).collect();
    by_oddity.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let middle = with_text.get(with_text.len() / 2).map(|(at, _)| *at);
    let mut sample: Vec<usize> = by_oddity.iter().take(ODD_PAGES).map(|(_, at)| *at).chain(middle).collect();
    sample.sort_unstable();
    sample.dedup();
    sample
}

/// Whether the picture of a page, which shows these lines, says what its text does, or otherwise; of a page with a text layer, what that does. What
/// is not of these scripts, lies on its side or shows hardly any text is not judged.
pub(super) fn is_true(page: &Page, shown: &[PdfLine]) -> Option<bool> {
    let layer: Vec<&PdfLine> = page.lines.iter().filter(|line| !page.is_layer() || line.upon_picture).collect();
    let (layer_runs, shown) = (runs(layer.iter().copied()), runs(shown));
    let all = total(&layer_runs);
    let same: usize = layer_runs.iter().map(|(run, count)| (*count).min(shown.get(run).copied().unwrap_or(0))).sum();
    let letters = || layer.iter().flat_map(|line| line.text.nfkd()).filter(|c| c.is_alphabetic());
    let of_these = letters().filter(|c| is_han(*c) || c.is_ascii_alphabetic()).count();
    let is_judged =
        all >= ENOUGH && JUDGED_ONE_IN * of_these >= letters().count() && SHOWN_ONE_IN * total(&shown) >= all;
    is_judged.then_some(same as f64 >= LEAST * all as f64)
}

fn characters(lines: &[PdfLine]) -> usize {
    lines.iter().map(|line| line.text.chars().count()).sum()
}

fn total(runs: &Runs) -> usize {
    runs.values().sum()
}

/// The runs of Latin letters inside words, and the pairs of Han characters, of lines that are not turned.
fn runs<'l>(lines: impl IntoIterator<Item = &'l PdfLine>) -> Runs {
    let mut runs = Runs::default();
    for line in lines.into_iter().filter(|line| !line.turned) {
        let mut last = ['\0'; LETTERS];
        for c in line.text.nfkd().flat_map(char::to_lowercase) {
            if unicode_normalization::char::is_combining_mark(c) {
                continue;
            }
            last.rotate_left(1);
            last[LETTERS - 1] = if is_han(c) || c.is_ascii_lowercase() { c } else { '\0' };
            let [.., before, _] = last;
            if is_han(c) && is_han(before) {
                *runs.entry(['\0', '\0', before, c]).or_default() += 1;
            } else if last.iter().all(char::is_ascii_lowercase) {
                *runs.entry(last).or_default() += 1;
            }
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: &str = "Tidal marshes trap the silt that every flood carries over the banks of the creek. Engineers who \
        build dykes in front of it starve the surface, and within decades its channels widen until the plants drown. \
        Nobody who walks the sea wall in winter sees it happen, for the water lies over the reeds like a sheet of lead, \
        and what is lost is lost grain by grain below it.";
    const CHINESE: &str = "每一次潮水都在植物的茎之间留下薄薄一层淤泥地面随着海面一起升高直到下一场风暴把它带走";

    fn lines(text: &str) -> Vec<PdfLine> {
        text.split(". ").map(|text| PdfLine { text: text.to_owned(), ..PdfLine::default() }).collect()
    }

    /// Other letters, as frequent.
    fn lying(text: &str) -> String {
        let (from, to) = ("aeinorstldhcumfpgwyb", "einorstlahdmcufgpywb");
        text.chars().map(|c| from.find(c).map_or(c, |at| to.as_bytes()[at] as char)).collect()
    }

    #[test]
    fn a_layer_that_says_other_letters_is_contradicted_and_one_that_ocr_misreads_here_and_there_is_not() {
        let english = ENGLISH.repeat(2);
        let is_true =
            |layer: &[PdfLine], shown: &[PdfLine]| is_true(&Page { lines: layer.to_vec(), ..Page::default() }, shown);
        let shown = lines(&english);
        let misread = english.replace("rs", "is").replace("li", "h").replace("ou", "on");
        assert_eq!([is_true(&shown, &shown), is_true(&shown, &lines(&misread))], [Some(true); 2]);
        let other = "Nobody knows which of the old keepers first painted these doors red, or whether anyone ever asked. The oldest photographs show them \
            closed, with a bench on either side and two children who squint into the light of an afternoon long before the harbour railway came. "
            .repeat(3);
        let short = "We put up the old tent at the end of the lane and sat in it as the rain came down on the farm. It was late, and for an hour we ate \
            bread with jam, then one of us read to all of us from the book that he had got from his aunt. "
            .repeat(8);
        for layer in [lying(&english), other, short] {
            assert_eq!(is_true(&lines(&layer), &shown), Some(false));
        }
        let han = CHINESE.repeat(6);
        let others: String = han.chars().map(|c| char::from_u32(c as u32 + 1).unwrap_or(c)).collect();
        assert_eq!(is_true(&lines(&han), &lines(&han)), Some(true));
        assert_eq!(is_true(&lines(&others), &lines(&han)), Some(false));
        assert_eq!(is_true(&shown, &lines("nothing to be read")), None, "a page on its side");
        let greek: String = english.chars().map(|c| if c.is_alphabetic() { 'ω' } else { c }).collect();
        assert_eq!(is_true(&lines(&greek), &shown), None, "another script is not judged");
    }

    #[test]
    fn of_a_page_with_a_layer_only_that_is_compared_whatever_is_drawn_besides() {
        let layer = lines(&lying(&ENGLISH.repeat(2))).into_iter().map(|line| PdfLine { upon_picture: true, ..line });
        let mut page = Page { lines: lines(&ENGLISH.repeat(4)), ..Page::default() };
        page.lines.extend(layer);
        let shown = lines(&ENGLISH.repeat(6));
        assert_eq!(is_true(&page, &shown), Some(true));
        page.upon_pictures = 2 * ENGLISH.len() as u32;
        assert_eq!(is_true(&page, &shown), Some(false));
    }

    #[test]
    fn the_pages_least_like_the_others_are_compared() {
        let page = |text: &str| Page { lines: lines(&text.repeat(2)), ..Page::default() };
        let mut pages: Vec<Page> = (0..12).map(|_| page(ENGLISH)).collect();
        pages[4] = page(&lying(ENGLISH));
        pages[7] = page("short");
        assert_eq!(sample(&pages), [0, 4, 5]);
        assert!(sample(&[page("short")]).is_empty());
    }
}
