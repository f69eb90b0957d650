//! Markdown (CommonMark 0.31): the decoded file as it stands, with its headings, block quotations and code marked, and what a
//! reader of the page does not see: comments, and signs and tags inside words.

use super::{ExtractError, Extracted, html};
use crate::text::encoding::decode;
use crate::text::layout::{Layout, Mark, MarkKind};
use pulldown_cmark::{Event, Parser, Tag};
use std::ops::Range;

/// Decodes the file. Signs such as `#` stay, so that offsets are those of the file.
pub(super) fn extract(bytes: &[u8]) -> Result<Extracted, ExtractError> {
    let decoded = decode(bytes)?;
    let layout = Layout::new(marks(&decoded.text));
    Ok(Extracted { text: decoded.text, replaced: decoded.replaced, layout, ..Extracted::default() })
}

fn marks(text: &str) -> Vec<Mark> {
    let kind = |tag: &Tag| match tag {
        Tag::Heading { level, .. } => Some(MarkKind::Heading(*level as u8)),
        Tag::BlockQuote(_) => Some(MarkKind::Quotation),
        Tag::CodeBlock(_) => Some(MarkKind::Code),
        _ => None,
    };
    let mut spans: Vec<(MarkKind, Range<usize>)> = Vec::new();
    let mut tags: Vec<Range<usize>> = Vec::new();
    let parser = Parser::new(text);
    // What a link elsewhere leads to, and its title.
    spans.extend(parser.reference_definitions().iter().map(|(_, link)| (MarkKind::Unseen, link.span.clone())));
    for (event, range) in parser.into_offset_iter() {
        if matches!(event, Event::Html(_) | Event::InlineHtml(_)) {
            tags.push(range.clone());
        }
        match event {
            Event::Start(tag @ (Tag::Emphasis | Tag::Strong | Tag::Strikethrough)) => {
                let length = if matches!(tag, Tag::Emphasis) { 1 } else { 2 };
                let (start, end) = (range.start, range.end);
                spans.extend(
                    [start..start + length, end - length..end].into_iter().filter_map(|sign| in_word(text, sign)),
                );
            }
            Event::Code(_) => {
                let signs = text[range.clone()].len() - text[range.clone()].trim_start_matches('`').len();
                let (start, end) = (range.start, range.end);
                spans.extend(
                    [start..start + signs, end - signs..end].into_iter().filter_map(|sign| in_word(text, sign)),
                );
            }
            // A link without words shows nothing, and no page shows a link's title.
            Event::Start(Tag::Link { title, .. }) => {
                let target = text[range.clone()].find("](").map_or(range.end, |at| range.start + at + 1);
                let is_empty = text[range.start..target].chars().all(|c| matches!(c, '[' | ']' | ' '));
                if is_empty || (!title.is_empty() && target < range.end) {
                    spans.push((MarkKind::Unseen, if is_empty { range.start } else { target }..range.end));
                }
            }
            Event::Start(tag) => spans.extend(kind(&tag).map(|kind| (kind, range))),
            Event::Html(_) | Event::InlineHtml(_) if text[range.clone()].trim_start().starts_with("<!--") => {
                // A comment that goes on over lines comes line by line, up to the one that ends it.
                let end = text[range.start..].find("-->").map_or(range.end, |at| range.start + at + 3);
                spans.push((MarkKind::Unseen, range.start..end.max(range.end)));
            }
            Event::InlineHtml(_) => spans.extend(in_word(text, range)),
            // A letter that is written by its number.
            Event::Text(letters)
                if text[range.clone()].starts_with('&') && letters.starts_with(char::is_alphanumeric) =>
            {
                spans.push((MarkKind::Contradicted, range));
            }
            _ => {}
        }
    }
    spans.extend(html::hidden_elements(text, &tags).into_iter().map(|hidden| (MarkKind::Unseen, hidden)));
    let mut places: Vec<usize> = spans.iter().flat_map(|(_, range)| [range.start, range.end]).collect();
    places.sort_unstable();
    places.dedup();
    let (mut byte, mut character) = (0, 0);
    let characters: Vec<u32> = places
        .iter()
        .map(|&place| {
            character += text[byte..place].chars().count() as u32;
            byte = place;
            character
        })
        .collect();
    // Every place is among those sorted.
    let at = |place: usize| characters[places.partition_point(|&other| other < place)];
    spans.into_iter().map(|(kind, range)| Mark { kind, start: at(range.start), end: at(range.end) }).collect()
}

/// A sign or a tag with letters on both sides, which a reader does not see.
fn in_word(text: &str, sign: Range<usize>) -> Option<(MarkKind, Range<usize>)> {
    let before = text[..sign.start].chars().next_back()?;
    let after = text[sign.end..].chars().next()?;
    (before.is_alphanumeric() && after.is_alphanumeric()).then_some((MarkKind::Unseen, sign))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str) -> Vec<(MarkKind, String)> {
        let extracted = extract(text.as_bytes()).unwrap();
        assert_eq!(extracted.text, text);
        let characters: Vec<char> = text.chars().collect();
        let part = |mark: &Mark| characters[mark.start as usize..mark.end as usize].iter().collect::<String>();
        extracted.layout.marks().iter().map(|mark| (mark.kind, part(mark).trim_end().to_owned())).collect()
    }

    #[test]
    fn headings_and_quotations_are_marked_and_code_and_hashtags_are_not() {
        let text = "# 潮汐与渡口\n\nText with a #hashtag.\n\n> A quotation\n> of two lines.\n\n## The quay ##\n\n```\n# code\n```\n\nBelow\n=====\n";
        let expected = [
            (MarkKind::Heading(1), "# 潮汐与渡口"),
            (MarkKind::Quotation, "> A quotation\n> of two lines."),
            (MarkKind::Heading(2), "## The quay ##"),
            (MarkKind::Code, "```\n# code\n```"),
            (MarkKind::Heading(1), "Below\n====="),
        ];
        assert_eq!(marked(text), expected.map(|(kind, part)| (kind, part.to_owned())));
    }

    #[test]
    fn comments_and_signs_inside_words_are_unseen() {
        let text = "<span style='display:none'>gone</span> <b>kept</b>";
        assert_eq!(marked(text), [(MarkKind::Unseen, "<span style='display:none'>gone</span>".to_owned())]);
        let text = "The ma**rs**h, *all* of `it`. <!-- no -->\n\nThe ti<b>d</b>e.\n\n<!-- none\nof it -->\n";
        let unseen: Vec<String> = marked(text)
            .into_iter()
            .map(|(kind, part)| {
                assert_eq!(kind, MarkKind::Unseen);
                part
            })
            .collect();
        assert_eq!(unseen, ["**", "**", "<!-- no -->", "<b>", "</b>", "<!-- none\nof it -->"]);
    }

    #[test]
    fn definitions_of_links_are_unseen_and_letters_written_by_their_numbers_are_marked() {
        let text = "The ma&#114;sh &amp; [it][x] &mdash; so.\n\n[x]: /there \"silt, reeds and grass\"\n";
        let expected = [
            (MarkKind::Contradicted, "&#114;".to_owned()),
            (MarkKind::Unseen, "[x]: /there \"silt, reeds and grass\"".to_owned()),
        ];
        assert_eq!(marked(text), expected);
    }

    #[test]
    fn megabytes_of_one_sign_take_linear_time() {
        for sign in ["> ", "#", "[", "*", "`", "- ", "# x\n", "> x\n\n", "![", "<a "] {
            let text = sign.repeat((1 << 20) / sign.len()) + "text";
            assert!(extract(text.as_bytes()).is_ok(), "{sign}");
        }
    }
}
