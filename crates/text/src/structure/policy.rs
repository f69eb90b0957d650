//! Which claims that a part of a text does not count are accepted, and how far they reach.
//!
//! A heading, a style or a field only *claims* that what follows are references, contents, thanks, a declaration or a title
//! page. A claim is accepted on the evidence of its content and under a limit of size for its kind; what is refused counts,
//! and so does what goes on after the evidence ends. `docs/RATIOS.md` has the table of these rules.

use super::contents::List;
use super::evidence::{Evidence, has_sentence_end};
use super::flowing::flowing;
use super::lines::{TextLine, within};
use super::lists;
use super::section::SectionKind;
use super::wording::{reach, title_page};
use crate::NotCounted;
use crate::languages::languages;
use crate::layout::{Layout, MarkKind};
use ahash::AHashMap;
use std::ops::Range;

// Sizes are in letters of an alphabet, see `Evidence::letters`, and shares in hundredths of the text. All are chosen by hand;
// docs/RATIOS.md tells them and why.

/// The most letters of a title page.
const TITLE_PAGE: u32 = 2_500;

/// The fewest words of title pages on one without a title by its style.
const TITLE_PAGE_WORDS: usize = 2;

/// The most lines in a row, each of [`PROSE_LINE`] letters at least, on a title page.
const PROSE_LINES: usize = 3;

/// A shorter line is no prose: a name, a date, a signature.
const PROSE_LINE: u32 = 35;

/// The letters from which on a paragraph with a whole sentence ends a title page, and from which on the last entry of a list of
/// references does not go on over a line.
const PROSE_PARAGRAPH: u32 = 160;

/// The most letters of a declaration below its heading.
const DECLARATION: u32 = 3_500;

/// The most letters of all declarations and forms together.
const ALL_DECLARATIONS: u32 = 6_000;

/// Below a title that says so, one letter in three of a declaration is in words of declarations.
const DECLARATION_WORDS: u32 = 3;

/// The most lines of signatures below a declaration.
const SIGNATURES: usize = 4;

/// The most letters of all acknowledgements together.
const ALL_THANKS: u32 = 6_000;

/// The most letters of acknowledgements for each word of thanks.
const THANKS_PIECE: u32 = 1_000;

/// The most letters of all tables of contents together, beside [`CONTENTS_SHARE`].
const CONTENTS: u32 = 4_000;
const CONTENTS_SHARE: u32 = 10;

/// The letters without an entry that end a list of references.
const BETWEEN_ENTRIES: u32 = 600;

/// The letters of prose that do.
const PROSE_BETWEEN_ENTRIES: u32 = 300;

/// The most letters of all lists of references together, beside [`REFERENCES_SHARE`].
const REFERENCES: u32 = 4_000;
const REFERENCES_SHARE: u32 = 45;

/// The share of a text beyond which lists of references are unusual, ...
const USUAL_REFERENCES: u32 = 35;
/// ... and other parts that do not count, ...
const USUAL_OTHERS: u32 = 15;
/// ... if they have more letters than this, which a short text may have.
const USUAL_LETTERS: u32 = 8_000;

/// A line of a menu or of the margin of a page has fewer letters.
const MARGIN_LINE: u32 = 150;

/// The most letters of all of them together, beside [`MARGINS_SHARE`].
const MARGINS: u32 = 1_500;
const MARGINS_SHARE: u32 = 10;

/// What stands in the margin of this many pages at least, and of one page in [`MARGIN_ONE_IN`], is no part of the text; the
/// label of an axis, or a table turned on its side, stands there too.
const MARGIN_ON_PAGES: usize = 3;
const MARGIN_ONE_IN: usize = 3;

/// How many signs a binding line may have: each of its words twice.
const BINDING_SIGNS: std::ops::RangeInclusive<usize> = 1..=6;

/// What became of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Its content bears it out; it does not count.
    Accepted,
    /// The same, but more of the text is left out as such parts than is usual: a person should look.
    Unusual,
    /// It counts: for this reason.
    Refused(&'static str),
}

/// What says that a span is such a part. All of it is written by the person who is checked: it is told, and decides nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A field that a program filled, such as a table of contents or a list of references.
    Field,
    /// A title in a style of headings, or a title page by the style of the work's title.
    Style,
    /// A line with the words of such a title.
    Title,
    /// Its own words, or its place.
    Content,
}

/// A claim that a span of the text is a part that does not count. Offsets are characters, the end exclusive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// What the heading or the format says it is.
    pub kind: SectionKind,
    /// Where it starts, its heading included.
    pub start: u32,
    /// Where the evidence ends; where the claim does, if it is refused.
    pub end: u32,
    /// What says so.
    pub origin: Origin,
    /// How many signs of such a part it holds: entries of references, entries of contents that stand in the text again, words of
    /// thanks, of declarations or of title pages.
    pub evidence: usize,
    /// Whether it is accepted.
    pub verdict: Verdict,
}

/// Menus and margins of pages that stand in the text, unless they have more letters than such parts may have. Binding lines are known by themselves.
pub(super) fn margins(lines: &[TextLine<'_>], layout: &Layout, evidence: &Evidence) -> Vec<(NotCounted, Range<u32>)> {
    let limit = MARGINS + (u64::from(evidence.all_letters()) * u64::from(MARGINS_SHARE) / 100) as u32;
    let mut found = Vec::new();
    let in_margin = within(lines, layout, |kind| kind == MarkKind::Margin);
    // Page numbers differ.
    let letters = |span: &Range<usize>| -> String {
        lines[span.clone()].iter().flat_map(|line| line.text.chars()).filter(|c| c.is_alphabetic()).collect()
    };
    let mut pages: AHashMap<String, usize> = AHashMap::new();
    in_margin.iter().for_each(|(_, inside)| *pages.entry(letters(inside)).or_default() += 1);
    let repeats = |inside: &Range<usize>| {
        let pages = pages[&letters(inside)];
        pages >= MARGIN_ON_PAGES && pages * MARGIN_ONE_IN >= layout.pages()
    };
    let in_margin = in_margin.iter().filter(|(_, inside)| repeats(inside)).cloned().collect();
    let in_menus = within(lines, layout, |kind| kind == MarkKind::Navigation);
    for (reason, claimed) in [(NotCounted::Navigation, in_menus), (NotCounted::PageMargin, in_margin)] {
        let (mut accepted, mut all) = (Vec::new(), 0);
        for (span, inside) in claimed {
            let is_long = |line: &TextLine<'_>| {
                evidence.letters(&(line.start..line.end)) >= MARGIN_LINE || evidence.is_prose(line)
            };
            if !lines[inside].iter().any(is_long) {
                all += evidence.letters(&(span.start.min(evidence.end())..span.end.min(evidence.end())));
                accepted.push((reason, span));
            }
        }
        if all <= limit {
            found.extend(accepted);
        }
    }
    let binding = lines.iter().filter(|line| is_binding_line(line.text));
    found.extend(binding.map(|line| (NotCounted::PageMargin, line.start..line.end)));
    found.sort_by_key(|(_, span)| (span.start, span.end));
    found
}

/// "┊ 装 ┊ 订 ┊ 线 ┊": where pages are bound, in the margin of each.
fn is_binding_line(text: &str) -> bool {
    let sign = |c: &char| languages().has(c.encode_utf8(&mut [0; 4]), |l| &l.pages.binding);
    let filler = |c: char| c.is_whitespace() || "┊┆┋│|….·-—─－┄⋯()○".contains(c);
    text.chars().all(|c| filler(c) || sign(&c)) && BINDING_SIGNS.contains(&text.chars().filter(sign).count())
}

/// What bears a claim out: the line it reaches to, exclusive, and how many signs there are; or why nothing does.
type Judgement = Result<Weighed, &'static str>;

#[derive(Clone, Copy)]
struct Weighed {
    end: usize,
    evidence: usize,
}

/// Weighs the claims of one text in order.
pub(super) struct Policy<'a> {
    lines: &'a [TextLine<'a>],
    evidence: &'a Evidence,
    /// Letters accepted of each kind.
    accepted: Vec<(SectionKind, u32)>,
    pub(super) claims: Vec<Claim>,
}

impl<'a> Policy<'a> {
    pub(super) fn new(lines: &'a [TextLine<'a>], evidence: &'a Evidence) -> Self {
        Policy { lines, evidence, accepted: Vec::new(), claims: Vec::new() }
    }

    /// Whether the lines are such a part, `body` those below the heading: the line it reaches to, exclusive.
    pub(super) fn weigh(
        &mut self,
        kind: SectionKind,
        origin: Origin,
        lines: Range<usize>,
        body: Range<usize>,
    ) -> Option<usize> {
        let weighed = match kind {
            SectionKind::References => self.references(body.clone()),
            SectionKind::Acknowledgements => self.thanks(body.clone()),
            SectionKind::TitlePage => self.declaration(body.clone()),
            _ => Err("no such part is left out"),
        };
        self.decide(kind, origin, lines, weighed)
    }

    /// Whether what is a declaration or a form by its own words may be as long as these `lines`.
    pub(super) fn weigh_declaration(&mut self, lines: Range<usize>) -> Option<usize> {
        let evidence = languages().vocabulary.weigh(&self.text(lines.clone())).words.len();
        let weighed = Weighed { end: lines.end, evidence };
        self.decide(SectionKind::TitlePage, Origin::Content, lines, Ok(weighed))
    }

    /// Whether a table of contents may be as long as `list`.
    pub(super) fn weigh_contents(&mut self, list: &List) -> Option<usize> {
        let weighed = Weighed { end: list.lines.end, evidence: list.witnessed };
        let weighed =
            if list.is_witnessed() { Ok(weighed) } else { Err("its entries are not the headings of the text") };
        let origin = if list.is_generated { Origin::Field } else { Origin::Title };
        self.decide(SectionKind::Contents, origin, list.lines.clone(), weighed)
    }

    /// How far a title page reaches from the start of the text on.
    pub(super) fn weigh_title_page(&mut self, end: usize, is_titled: bool) -> Option<usize> {
        let weighed = self.title_page(end, is_titled).ok().filter(|weighed| weighed.end > 0)?;
        let origin = if is_titled { Origin::Style } else { Origin::Content };
        self.decide(SectionKind::TitlePage, origin, 0..weighed.end, Ok(weighed))
    }

    fn decide(&mut self, kind: SectionKind, origin: Origin, lines: Range<usize>, weighed: Judgement) -> Option<usize> {
        let evidence = weighed.map_or(0, |weighed| weighed.evidence);
        let end = weighed.map(|weighed| weighed.end);
        let all = self.evidence.all_letters();
        let before: u32 = self.accepted.iter().filter(|(other, _)| *other == kind).map(|(_, letters)| letters).sum();
        let share = |hundredths: u32| (u64::from(all) * u64::from(hundredths) / 100) as u32;
        let limit = match kind {
            SectionKind::References => REFERENCES + share(REFERENCES_SHARE),
            SectionKind::Contents => CONTENTS + share(CONTENTS_SHARE),
            SectionKind::Acknowledgements => ALL_THANKS,
            _ => ALL_DECLARATIONS,
        };
        let letters = end.map(|end| self.letters(lines.start..end));
        let verdict = match letters {
            Err(reason) => Verdict::Refused(reason),
            Ok(letters) if before + letters > limit => Verdict::Refused("larger than such parts are"),
            Ok(letters) => {
                self.accepted.push((kind, letters));
                let usual = if kind == SectionKind::References { USUAL_REFERENCES } else { USUAL_OTHERS };
                let unusual = before + letters > USUAL_LETTERS.max(share(usual));
                if unusual { Verdict::Unusual } else { Verdict::Accepted }
            }
        };
        let end = match verdict {
            Verdict::Refused(_) => lines.end,
            _ => end.unwrap_or(lines.end),
        };
        let place = |line: usize| self.lines.get(line);
        let start = place(lines.start).map_or(0, |line| line.start);
        let last = place(end.saturating_sub(1)).map_or(start, |line| line.end);
        self.claims.push(Claim { kind, start, end: last, origin, evidence, verdict });
        (!matches!(verdict, Verdict::Refused(_))).then_some(end)
    }

    /// The size of these lines in letters.
    pub(super) fn letters(&self, lines: Range<usize>) -> u32 {
        match (self.lines.get(lines.start), lines.end.checked_sub(1).and_then(|last| self.lines.get(last))) {
            (Some(first), Some(last)) if !lines.is_empty() => self.evidence.letters(&(first.start..last.end)),
            _ => 0,
        }
    }

    fn text(&self, lines: Range<usize>) -> String {
        flowing(self.lines[lines].iter().map(|line| line.text))
    }

    /// Up to the last entry.
    fn references(&self, body: Range<usize>) -> Judgement {
        let (mut end, mut others, mut prose, mut evidence) = (body.start, 0, 0, 0);
        for at in body.clone() {
            let line = &self.lines[at];
            let letters = self.letters(at..at + 1);
            if self.evidence.is_reference(line) {
                // What stands between two entries belongs to the list.
                (end, others, prose) = (at + 1, 0, 0);
                evidence += 1;
                continue;
            }
            others += letters;
            if self.evidence.is_prose(line) {
                prose += letters;
            }
            if others > BETWEEN_ENTRIES || prose > PROSE_BETWEEN_ENTRIES {
                break;
            }
        }
        if end == body.start {
            return Err("no entries");
        }
        // The last entry may go on over one more line.
        let goes_on = |at: usize| {
            let line = &self.lines[at];
            !line.starts_paragraph
                && !line.stands_out()
                && !self.evidence.is_prose(line)
                && self.letters(at..at + 1) < PROSE_PARAGRAPH
        };
        let end = if end < body.end && goes_on(end) { end + 1 } else { end };
        // A chapter about the literature of a subject has years and names in every line.
        let place = |line: usize| self.lines.get(line).map_or(0, |line| line.start);
        let is_early = place(body.start) < self.evidence.end() / 2;
        if is_early && !lists::are_entries(&self.lines[body.start..end]) {
            return Err("its paragraphs are no entries");
        }
        Ok(Weighed { end, evidence })
    }

    fn thanks(&self, body: Range<usize>) -> Judgement {
        let letters = self.letters(body.clone());
        let words = languages().thanking.places(&self.text(body.clone()));
        let is_thin = letters > (words as u32).saturating_mul(THANKS_PIECE);
        if is_thin { Err("it thanks nobody") } else { Ok(Weighed { end: body.end, evidence: words }) }
    }

    /// As far as it reads like a declaration.
    fn declaration(&self, body: Range<usize>) -> Judgement {
        let reach = reach(self.lines, body.clone(), DECLARATION, &title_page(self.lines));
        let end = reach.end;
        // A signature and a date may follow.
        let short = |at: &usize| self.letters(*at..at + 1) < PROSE_LINE;
        let signatures = (end..body.end).take_while(short).take(SIGNATURES).count();
        let is_dense = reach.known * DECLARATION_WORDS >= reach.letters;
        let is_empty = end == body.start && end < body.end || !is_dense;
        if is_empty {
            Err("it declares nothing")
        } else {
            Ok(Weighed { end: end + signatures, evidence: reach.words.len() })
        }
    }

    /// Up to the first prose.
    fn title_page(&self, end: usize, is_titled: bool) -> Judgement {
        let mut last = 0;
        let mut run = 0;
        for at in 0..end {
            let line = &self.lines[at];
            let letters = self.letters(at..at + 1);
            run = if letters >= PROSE_LINE && !line.starts_paragraph {
                run + 1
            } else {
                usize::from(letters >= PROSE_LINE)
            };
            let paragraph = letters >= PROSE_PARAGRAPH && has_sentence_end(line.text);
            if paragraph || run > PROSE_LINES {
                last = (at + 1).saturating_sub(run.max(1));
                break;
            }
            last = at + 1;
        }
        let words = languages().cover.different(&self.text(0..last));
        if self.letters(0..last) > TITLE_PAGE {
            return Err("longer than title pages are");
        }
        let is_one = is_titled || words >= TITLE_PAGE_WORDS;
        if is_one { Ok(Weighed { end: last, evidence: words }) } else { Err("it does not read like one") }
    }
}
