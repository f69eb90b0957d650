//! Markdown (CommonMark 0.31, with footnotes): the decoded file as it stands, with its headings, block quotations and code
//! marked, and what a reader of the page does not see: comments, notes that nothing refers to, and signs and tags inside words.

mod links;
mod signs;

use self::links::Links;
use super::wide::is_wide;
use super::{ExtractError, Extracted, html};
use crate::encoding::decode;
use ahash::AHashMap;
use copytrace_text::layout::{Layout, Mark, MarkKind};
use copytrace_text::normalise::ignorable::is_ignorable;
use copytrace_text::ranges::union;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// More bytes in place of a picture are no caption.
const LONGEST_CAPTION: usize = 400;

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
    // Signs that nobody sees if they stand inside a word, and tags.
    let (mut signs, mut tags): (Vec<Range<usize>>, Vec<Range<usize>>) = Default::default();
    let (mut notes, mut links) = (Notes::default(), Links::default());
    let (mut declarations, mut code) = (Declarations::default(), Vec::new());
    let parser = Parser::new_ext(text, Options::ENABLE_FOOTNOTES);
    spans.extend(front_matter(text).map(|range| (MarkKind::Unjudged, range)));
    // What a link elsewhere leads to, and its title.
    spans.extend(parser.reference_definitions().iter().map(|(_, link)| (MarkKind::Unseen, link.span.clone())));
    for (event, range) in parser.into_offset_iter() {
        let (start, end) = (range.start, range.end);
        if matches!(event, Event::Html(_) | Event::InlineHtml(_)) {
            tags.push(range.clone());
            spans.extend(declarations.within(text, &range).into_iter().map(|range| (MarkKind::Unseen, range)));
        }
        if matches!(event, Event::Html(_) | Event::InlineHtml(_) | Event::Code(_) | Event::Start(Tag::CodeBlock(_))) {
            code.push(range.clone());
        }
        match &event {
            Event::Start(Tag::Link { .. }) => links.start(&range),
            Event::End(TagEnd::Link) => links.end(text, &range),
            _ => links.read(if matches!(event, Event::Start(_)) { start } else { end }),
        }
        match event {
            Event::Start(Tag::Emphasis) => signs.extend([start..start + 1, end - 1..end]),
            Event::Start(Tag::Strong) => signs.extend([start..start + 2, end - 2..end]),
            Event::Code(_) => {
                let length = text[range.clone()].len() - text[range].trim_start_matches('`').len();
                signs.extend([start..start + length, end - length..end]);
            }
            // A link without words shows nothing, and no page shows a link's title.
            Event::Start(Tag::Link { title, .. }) => {
                let target = text[range.clone()].find("](").map_or(end, |at| start + at + 1);
                let is_empty = text[start..target].chars().all(|c| matches!(c, '[' | ']' | ' '));
                if is_empty || (!title.is_empty() && target < end) {
                    spans.push((MarkKind::Unseen, if is_empty { start } else { target }..end));
                }
                if text[start..].starts_with('[') {
                    signs.extend([start..start + 1, end_of_words(text, range)]);
                }
            }
            // What stands for a picture is shown only if there is none.
            Event::Start(Tag::Image { .. }) => {
                let words = start + 2..end_of_words(text, range.clone()).start;
                if words.len() > LONGEST_CAPTION {
                    spans.push((MarkKind::Unjudged, words));
                }
                signs.push(range);
            }
            Event::Start(Tag::FootnoteDefinition(label)) => {
                notes.open.push(notes.all.len());
                notes.all.push((label.to_string(), range.clone()));
                spans.push((MarkKind::Note, range));
            }
            Event::End(TagEnd::FootnoteDefinition) => drop(notes.open.pop()),
            Event::FootnoteReference(label) => {
                signs.push(range.clone());
                spans.push((MarkKind::NoteReference, range));
                notes.references.push((notes.open.last().copied(), label.to_string()));
            }
            Event::Start(tag) => spans.extend(kind(&tag).map(|kind| (kind, range))),
            Event::InlineHtml(_) if text[range.clone()].starts_with("<!--") => {}
            Event::InlineHtml(_) => signs.push(range),
            // A character that is written by its number or its name.
            Event::Text(letters) if text[range.clone()].starts_with('&') => {
                if letters.starts_with(char::is_alphanumeric) {
                    spans.push((MarkKind::Contradicted, range));
                } else if letters.chars().all(is_ignorable) || is_blank_behind_han(&letters, &text[..start]) {
                    signs.push(range);
                }
            }
            _ => {}
        }
    }
    spans.extend(signs::citations(text, code.clone()).into_iter().map(|range| (MarkKind::Citation, range)));
    code.extend_from_slice(links.addresses());
    let (addresses, long) = links.unseen(text);
    spans.extend(addresses.into_iter().map(|range| (MarkKind::Unseen, range)));
    spans.extend(long.into_iter().chain(signs::doubtful(text, code)).map(|range| (MarkKind::Unjudged, range)));
    let unseen = notes.unseen().into_iter().chain(html::hidden_elements(text, &tags)).chain(inside_words(text, signs));
    spans.extend(unseen.map(|range| (MarkKind::Unseen, range)));
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

/// Whether letters are blanks behind a Han character, which part nothing.
fn is_blank_behind_han(letters: &str, before: &str) -> bool {
    letters.chars().all(char::is_whitespace) && before.chars().next_back().is_some_and(is_wide)
}

/// Comments, declarations and instructions of HTML, which no page shows.
#[derive(Default)]
struct Declarations {
    /// The signs that would end one, and stand nowhere behind the last one.
    unended: Vec<&'static str>,
}

impl Declarations {
    /// Those that begin in a piece of HTML. One that goes on over lines comes line by line, up to the one that ends it.
    fn within(&mut self, text: &str, piece: &Range<usize>) -> Vec<Range<usize>> {
        let (mut found, mut from) = (Vec::new(), piece.start);
        while let Some(at) = text.get(from..piece.end).and_then(|rest| rest.find('<')).map(|at| from + at) {
            let rest = &text[at..];
            from = at + 1;
            if rest.starts_with("<!") || rest.starts_with("<?") {
                let end = if rest.starts_with("<!--") { "-->" } else { ">" };
                from = self.end(rest, end).map_or(piece.end, |end| at + end);
                found.push(at..from);
            }
        }
        found
    }

    fn end(&mut self, rest: &str, end: &'static str) -> Option<usize> {
        let found = (!self.unended.contains(&end)).then(|| rest.find(end))?;
        if found.is_none() {
            self.unended.push(end);
        }
        found.map(|at| at + end.len())
    }
}

/// Footnotes and what refers to them.
#[derive(Default)]
struct Notes {
    /// Label and place of each.
    all: Vec<(String, Range<usize>)>,
    /// Those around this place.
    open: Vec<usize>,
    /// The note that a reference stands in, if any, and its label.
    references: Vec<(Option<usize>, String)>,
}

impl Notes {
    /// The notes that neither the text nor a note that is shown refers to.
    fn unseen(self) -> Vec<Range<usize>> {
        let mut by_place: AHashMap<Option<usize>, Vec<&str>> = AHashMap::new();
        for (place, label) in &self.references {
            by_place.entry(*place).or_default().push(label);
        }
        let numbers: AHashMap<&str, usize> =
            self.all.iter().enumerate().map(|(number, (label, _))| (label.as_str(), number)).collect();
        let (mut shown, mut next) = (vec![false; self.all.len()], vec![None]);
        while let Some(place) = next.pop() {
            for number in by_place.remove(&place).into_iter().flatten().filter_map(|label| numbers.get(label)) {
                if !std::mem::replace(&mut shown[*number], true) {
                    next.push(Some(*number));
                }
            }
        }
        self.all.iter().zip(shown).filter(|(_, shown)| !shown).map(|((_, range), _)| range.clone()).collect()
    }
}

/// Fields at the start of a file, between lines of hyphens: some programs show them, others do not.
fn front_matter(text: &str) -> Option<Range<usize>> {
    let fields = text.trim_start_matches('\u{FEFF}').strip_prefix("---")?;
    let fields = fields.strip_prefix("\r\n").or_else(|| fields.strip_prefix('\n'))?;
    let (name, _) = fields.lines().next()?.split_once(':')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
    let end = text.len() - fields.len() + fields.find("\n---").or_else(|| fields.find("\n..."))?;
    is_name.then_some(text.len() - fields.len()..end)
}

/// What stands behind the words of a link or a picture.
fn end_of_words(text: &str, link: Range<usize>) -> Range<usize> {
    let inside = &text[link.clone()];
    let at = inside.rfind("](").or_else(|| inside.rfind("][")).unwrap_or(inside.len() - 1);
    link.start + at..link.end
}

/// Of signs and tags, those with letters on both sides, which a reader does not see; neighbours are one.
fn inside_words(text: &str, signs: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut joined = union(signs);
    let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    joined.retain(|sign| letter(text[..sign.start].chars().next_back()) && letter(text[sign.end..].chars().next()));
    joined
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
    fn keys_of_the_literature_and_notes_are_citations_and_addresses_are_none() {
        let text = "“Silt stays” [@clerk2004 p. 23] and [see @a-b, pp. 3-5; -@c:d]. Mail [me@tide.example], `[@code]`, [@].[^1]\n\n[^1]: Clerk.\n";
        let expected = [
            (MarkKind::Citation, "[@clerk2004 p. 23]"),
            (MarkKind::Citation, "[see @a-b, pp. 3-5; -@c:d]"),
            (MarkKind::NoteReference, "[^1]"),
            (MarkKind::Note, "[^1]: Clerk."),
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
    fn notes_that_nothing_refers_to_and_what_links_hide_are_unseen() {
        let text = "The ma[rs](/x)h[^a] and ti***d***e, sa&shy;lt, cr<b></b>eek&nbsp;x, 潮&emsp;水.\n\n[^a]: A note [^c].\n\n[^b]: silt, reeds [^d]\n\n[^c]: grass\n\n[^d]: sand\n";
        let unseen = marked(text).into_iter().filter(|(kind, _)| *kind == MarkKind::Unseen);
        let unseen: Vec<String> = unseen.map(|(_, part)| part).collect();
        assert_eq!(
            unseen,
            ["[", "](/x)", "***", "***", "&shy;", "<b></b>", "&emsp;", "[^b]: silt, reeds [^d]", "[^d]: sand"]
        );
        let text = "---\ntitle: Tide\nabstract: silt\n---\n\nThe marsh.\n";
        assert!(marked(text).contains(&(MarkKind::Unjudged, "title: Tide\nabstract: silt".to_owned())));
    }

    #[test]
    fn where_links_lead_is_unseen_if_it_is_no_address_or_links_are_nearly_all() {
        let unseen = |text: &str| -> Vec<String> {
            marked(text).into_iter().filter(|(kind, _)| *kind == MarkKind::Unseen).map(|(_, part)| part).collect()
        };
        let words = "the tide leaves a thin layer of silt between stems. ".repeat(4);
        assert_eq!(
            unseen(&format!("{words} [marsh](<reeds and silt>) [*creek*](<the bank>)")),
            ["(<reeds and silt>)", "(<the bank>)"]
        );
        assert_eq!(
            unseen(&format!("{words} [marsh][reeds and silt].\n\n[reeds and silt]: /x\n"))[0],
            "[reeds and silt]"
        );
        assert_eq!(
            unseen(&format!("{words} [marsh](http://tides.example/reeds) and [creek][1].\n\n[1]: /x\n")),
            ["[1]: /x"]
        );
        assert_eq!(unseen("[The](a) [tide](b) [comes](c) [in](d)"), ["(a)", "(b)", "(c)", "(d)"]);
        let long = format!("{words} [marsh](/{})", "reeds-".repeat(60));
        assert!(marked(&long).iter().any(|(kind, part)| *kind == MarkKind::Unjudged && part.starts_with("(/reeds")));
    }

    #[test]
    fn what_only_some_programs_show_is_not_judged() {
        for (text, doubtful) in [
            ("The tide \\index{silt} comes", "{silt}"),
            ("The tide $\\phantom{silt}$ comes", "{silt}"),
            ("The tide {::comment}silt and reeds{:/} comes", "{::comment}silt and reeds{:/}"),
            ("The tide {--silt--} comes", "{--silt--}"),
            ("The tide {% comment %}silt{% endcomment %} comes", "{% comment %}silt{% endcomment %}"),
            ("The tide %%silt and reeds%% comes", "%%silt and reeds%%"),
            ("The tide [[silt and reeds|marsh]] comes", "[[silt and reeds|"),
            ("The tide [marsh][silt and reeds] comes", "[silt and reeds]"),
        ] {
            assert_eq!(marked(text), [(MarkKind::Unjudged, doubtful.to_owned())], "{text}");
        }
        for text in [
            "The tide `\\index{silt}` and `{--silt--}` comes",
            "It holds $\\frac{a}{b}_{-1}$ and \\cite{reeds2004} and \\begin{align}x\\end{align}",
            "The tide [[marsh]] comes, m[1][2], at 5% {or so}",
        ] {
            assert_eq!(marked(text), [], "{text}");
        }
    }

    #[test]
    fn declarations_and_instructions_are_unseen() {
        for gone in ["<!X silt and reeds>", "<?silt and reeds?>", "<![CDATA[silt]]>"] {
            assert_eq!(marked(&format!("The tide {gone} comes")), [(MarkKind::Unseen, gone.to_owned())]);
        }
        assert_eq!(marked("<div>\nThe <!X silt> tide\n</div>"), [(MarkKind::Unseen, "<!X silt>".to_owned())]);
    }

    #[test]
    fn megabytes_of_one_sign_take_linear_time() {
        for sign in
            ["> ", "#", "[", "*", "`", "- ", "# x\n", "> x\n\n", "![", "<a ", "<!--\n", "{-", "\\x{", "[[x", "%%"]
        {
            let text = sign.repeat((1 << 20) / sign.len()) + "text";
            assert!(extract(text.as_bytes()).is_ok(), "{sign}");
        }
    }
}
