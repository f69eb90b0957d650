//! Cuts a text into sections by its headings.

use super::contents::Contents;
use super::declarations;
use super::evidence::Evidence;
use super::headings::{self, Heading};
use super::lines::{TextLine, within};
use super::lists;
use super::policy::{Claim, Origin, Policy};
use super::section::{Section, SectionKind};
use crate::layout::{Layout, MarkKind};
use std::ops::Range;

/// What is left of a part behind its evidence, such as a page number, belongs to it if it has fewer letters. Chosen by hand.
const REMNANT: u32 = 40;

/// The most characters between a heading and the same one below it, which are white space.
const REPEATED: u32 = 4;

/// A part whose title is refused and that has fewer letters goes with the section before it. Chosen by hand.
const EMPTY: u32 = 200;

/// The most letters of a title page right before a chapter. Chosen by hand.
const BEFORE_CHAPTER: u32 = 800;

/// How many lines above a list of references that the format marks its heading may stand. Chosen by hand.
const HEADING_BEFORE: usize = 3;

/// What begins at a line.
struct Boundary {
    line: usize,
    kind: SectionKind,
    title: String,
    /// It was weighed before it became one.
    is_weighed: bool,
}

impl Boundary {
    /// What follows a part that was weighed.
    fn after(line: usize) -> Self {
        Boundary { line, kind: SectionKind::Chapter, title: String::new(), is_weighed: true }
    }
}

/// The sections, which partition the text, the places of all headings, and the claims that were weighed.
pub(super) fn find(
    lines: &[TextLine<'_>],
    layout: &Layout,
    evidence: &Evidence,
    length: u32,
) -> (Vec<Section>, Vec<Range<u32>>, Vec<Claim>) {
    let contents = Contents::find(lines, evidence);
    let headings = headings::find(lines, &contents);
    let mut policy = Policy::new(lines, evidence);
    let mut boundaries = Vec::new();
    for list in &contents.lists {
        if let Some(end) = policy.weigh_contents(list) {
            let title = headings::title_of_part(&lines[list.lines.start]);
            boundaries.push(Boundary { line: list.lines.start, kind: SectionKind::Contents, title, is_weighed: true });
            boundaries.push(Boundary::after(end));
        }
    }
    boundaries.extend(of_headings(lines, layout, &headings));
    for list in lists::untitled(lines, &headings, evidence) {
        if let Some(end) = policy.weigh(SectionKind::References, Origin::Content, list.clone(), list.clone()) {
            let title = String::new();
            boundaries.push(Boundary { line: list.start, kind: SectionKind::References, title, is_weighed: true });
            boundaries.push(Boundary::after(end));
        }
    }
    boundaries.extend(endnotes(lines, layout, &headings));
    for declaration in declarations::find(lines, evidence) {
        if policy.weigh_declaration(declaration.clone()).is_some() {
            boundaries.retain(|boundary| !declaration.contains(&boundary.line));
            let title = headings::title_of_part(&lines[declaration.start]);
            let line = declaration.start;
            boundaries.push(Boundary { line, kind: SectionKind::TitlePage, title, is_weighed: true });
            boundaries.push(Boundary::after(declaration.end));
        }
    }
    boundaries.retain(|boundary| boundary.line < lines.len());
    // Of several at one line the one with a title says what it is, and the end of a part least.
    let ends = |boundary: &Boundary| boundary.is_weighed && boundary.kind == SectionKind::Chapter;
    boundaries.sort_by_key(|boundary| (boundary.line, boundary.title.is_empty(), ends(boundary)));
    boundaries.dedup_by_key(|boundary| boundary.line);
    let front = front_end(lines, layout, &boundaries, &mut policy);
    let sections = sections(lines, &headings, &boundaries, front, &mut policy, length);
    let places = headings.iter().map(|h| lines[*h.lines.start()].start..lines[*h.lines.end()].end).collect();
    (sections, places, policy.claims)
}

/// Named parts and chapters, and lists of references that the format marks.
fn of_headings(lines: &[TextLine<'_>], layout: &Layout, headings: &[Heading]) -> Vec<Boundary> {
    let starts = |heading: &&Heading| match heading.named {
        Some(SectionKind::Contents) => false,
        named => named.is_some() || heading.is_chapter,
    };
    let appendices = layout.of(MarkKind::Appendix).next().map(|mark| mark.start);
    let boundary = |heading: &Heading| {
        let line = *heading.lines.start();
        let is_appendix = appendices.is_some_and(|start| lines[line].start >= start);
        let unnamed = if is_appendix { SectionKind::Appendix } else { SectionKind::Chapter };
        let kind = heading.named.unwrap_or(unnamed);
        Boundary { line, kind, title: heading.title.clone(), is_weighed: false }
    };
    let mut boundaries: Vec<Boundary> = headings.iter().filter(starts).map(boundary).collect();
    for (_, marked) in within(lines, layout, |kind| kind == MarkKind::Bibliography) {
        let before = marked.start.saturating_sub(HEADING_BEFORE)..=marked.start;
        if !boundaries.iter().any(|b| b.kind == SectionKind::References && before.contains(&b.line))
            && !marked.is_empty()
        {
            let (kind, title) = (SectionKind::References, String::new());
            boundaries.push(Boundary { line: marked.start, kind, title, is_weighed: false });
        }
    }
    boundaries
}

/// Notes behind the text belong to no part before them but a list of references, which weighs its entries itself.
fn endnotes(lines: &[TextLine<'_>], layout: &Layout, headings: &[Heading]) -> Option<Boundary> {
    let notes = within(lines, layout, |kind| kind == MarkKind::Note);
    let behind = notes.iter().rev().scan(lines.len(), |next, (_, inside)| {
        (inside.end == *next && !inside.is_empty()).then(|| *next = inside.start).map(|()| inside.start)
    });
    let first = behind.last()?;
    let above = headings.iter().rfind(|heading| *heading.lines.end() < first);
    let is_list = above.is_some_and(|heading| heading.named == Some(SectionKind::References));
    (!is_list).then(|| Boundary::after(first))
}

/// The line a title page reaches to: it stands before the first abstract, contents, thanks or declaration; where there is none, before the first
/// chapter, if that is near.
fn front_end(lines: &[TextLine<'_>], layout: &Layout, boundaries: &[Boundary], policy: &mut Policy<'_>) -> usize {
    use SectionKind::{Abstract, Acknowledgements, Chapter, Contents, TitlePage};
    let is_front = |kind| matches!(kind, Abstract | Contents | Acknowledgements | TitlePage);
    let chapter = || boundaries.iter().find(|boundary| boundary.kind == Chapter && !boundary.title.is_empty());
    let is_near = |chapter: &&Boundary| policy.letters(0..chapter.line) <= BEFORE_CHAPTER;
    let front = boundaries.iter().find(|boundary| is_front(boundary.kind));
    let Some(first) = front.or_else(|| chapter().filter(is_near)) else { return 0 };
    let end = lines.get(first.line).map_or(0, |line| line.start);
    // Before a chapter the style of the title alone says little: articles have it.
    let is_chapter = first.kind == Chapter;
    let is_titled = !is_chapter && layout.of(MarkKind::Title).any(|mark| mark.start < end);
    policy.weigh_title_page(first.line, is_titled).unwrap_or(0)
}

/// The sections between the boundaries; `front` is the line that the title page reaches to.
fn sections(
    lines: &[TextLine<'_>],
    headings: &[Heading],
    boundaries: &[Boundary],
    front: usize,
    policy: &mut Policy<'_>,
    length: u32,
) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let place = |line: usize| lines.get(line).map_or(length, |line| line.start);
    let mut push = |kind, title: &str, start: u32, end: u32| {
        let before = sections.last_mut().filter(|_| title.is_empty() && kind == SectionKind::Chapter);
        if let Some(before) = before.filter(|before| before.kind.counts()) {
            before.end = end;
        } else if start < end {
            sections.push(Section { kind, title: title.to_owned(), start, end });
        }
    };
    // Headings on a title page begin nothing.
    let boundaries: Vec<&Boundary> = boundaries.iter().filter(|boundary| boundary.line >= front).collect();
    let first = boundaries.first().map_or(lines.len(), |boundary| boundary.line);
    let front_place = if front == 0 { 0 } else { place(front) };
    push(SectionKind::TitlePage, "", 0, front_place);
    push(SectionKind::Chapter, "", front_place, place(first));
    for (at, boundary) in boundaries.iter().enumerate() {
        let next = boundaries.get(at + 1).map_or(lines.len(), |next| next.line);
        let (start, end) = (place(boundary.line), place(next));
        if boundary.kind.counts() || boundary.is_weighed {
            push(boundary.kind, &boundary.title, start, end);
            continue;
        }
        let own = headings.partition_point(|heading| *heading.lines.start() < boundary.line);
        let heading = headings.get(own).filter(|heading| *heading.lines.start() == boundary.line);
        let below = heading.map_or(boundary.line, |heading| *heading.lines.end() + 1);
        // Thanks and declarations have no headings inside, lists of references may.
        let inner = headings.get(own + usize::from(heading.is_some())).map(|heading| *heading.lines.start());
        let inner = inner.filter(|_| boundary.kind != SectionKind::References).unwrap_or(next).min(next);
        let origin = match lines.get(boundary.line) {
            _ if boundary.title.is_empty() => Origin::Field,
            Some(line) if line.markup.is_some() => Origin::Style,
            _ => Origin::Title,
        };
        match policy.weigh(boundary.kind, origin, boundary.line..inner, below..inner) {
            Some(reach) if policy.letters(reach..next) < REMNANT => push(boundary.kind, &boundary.title, start, end),
            Some(reach) => {
                push(boundary.kind, &boundary.title, start, place(reach));
                push(SectionKind::Chapter, "", place(reach), end);
            }
            // A running head, or a title with nothing below it.
            None if policy.letters(below..next) < EMPTY || heading.is_some_and(Heading::is_inside_chapter) => {
                push(SectionKind::Chapter, "", start, end);
            }
            None => push(SectionKind::Chapter, &boundary.title, start, end),
        }
    }
    // A running head repeats the heading below it.
    sections.dedup_by(|below, above| {
        let is_same = above.kind == below.kind && above.title == below.title && !below.title.is_empty();
        let is_bare = above.end - above.start <= below.title.chars().count() as u32 + REPEATED;
        let is_head = is_same && is_bare;
        if is_head {
            above.end = below.end;
        }
        is_head
    });
    sections
}
