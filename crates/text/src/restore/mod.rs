//! Spelling restored where a text is no language.
//!
//! Words that were spoilt meet no other text. Where [`prose`](crate::prose) takes a text for no language, the original words can
//! often be guessed: English ones from letters (`letters`), Chinese ones from characters and sounds (`han`). Both take the
//! likeliest words by a noisy channel (Shannon 1948; Kernighan, Church and Gale, *A Spelling Correction Program*, 1990): no trick is
//! known by name. What is restored is compared *besides* the text as it stands, and only if it is language; its units are marked as
//! disguised. Honest prose is never touched, because it is language.
//!
//! Constants of this room, the costs of changes above all, were chosen by hand and not measured apart, unless one says otherwise.
//! docs/LANGUAGE.md tells what is restored with them.

mod cipher;
mod han;
mod letters;
mod sounds;
mod strays;
mod vocabulary;
mod word;

use crate::flag::LOOKALIKE;
use crate::normalise::Normalised;
use std::ops::Range;

/// Characters of a normalised text with what stands in their place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Edit {
    place: Range<usize>,
    text: String,
}

/// A normalised text with the words restored that begin in one of the `spoilt` places: characters of the original text, in order and apart.
/// None where nothing is to be restored.
pub(crate) fn restored(normalised: &Normalised, spoilt: &[Range<u32>]) -> Option<Normalised> {
    let is_spoilt = || {
        let (mut cursor, mut next) = (normalised.offsets.cursor(), 0);
        move |at: usize| {
            let start = cursor.at(at).span.start as u32;
            next += spoilt[next..].iter().take_while(|span| span.end <= start).count();
            spoilt.get(next).is_some_and(|span| span.contains(&start))
        }
    };
    let mut edits = letters::edits(&normalised.text, is_spoilt());
    edits.extend(han::edits(&normalised.text, is_spoilt()));
    edits.sort_by_key(|edit| edit.place.start);
    // The two may meet where a word of letters stands between Han characters.
    let mut end = 0;
    edits.retain(|edit| {
        let is_apart = edit.place.start >= end;
        end = end.max(edit.place.end);
        is_apart
    });
    (!edits.is_empty()).then(|| applied(normalised, edits))
}

/// A normalised text with edits, which are in order and apart.
fn applied(normalised: &Normalised, edits: Vec<Edit>) -> Normalised {
    let mut text = String::with_capacity(normalised.text.len());
    let mut rest = normalised.text.chars();
    let mut at = 0;
    for edit in &edits {
        text.extend(rest.by_ref().take(edit.place.start - at));
        text.push_str(&edit.text);
        at = edit.place.end;
        edit.place.clone().for_each(|_| _ = rest.next());
    }
    text.extend(rest);
    let lengths = edits.iter().map(|edit| (edit.place.clone(), edit.text.chars().count()));
    Normalised { text, offsets: normalised.offsets.edited(lengths, LOOKALIKE) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offsets::OffsetMap;
    use proptest::prelude::*;

    fn spans(map: &OffsetMap) -> Vec<Range<usize>> {
        (0..map.len()).map(|at| map.span(at)).collect()
    }

    proptest! {
        #[test]
        fn whatever_is_restored_its_places_are_in_the_original_and_in_order(
            text in "[a-z ꞏ*.]{0,60}|[潮汐沼泽的水文在不是人中国大学研究生0-9，a]{0,40}|[\\s\\S]{0,30}",
            from in 0u32..30, len in 0u32..60,
        ) {
            let normalised = Normalised::of(&text);
            let Some(restored) = restored(&normalised, std::slice::from_ref(&(from..from + len))) else { return Ok(()) };
            prop_assert_eq!(restored.offsets.len(), restored.text.chars().count());
            prop_assert_eq!(restored.offsets.original_len(), text.chars().count());
            let spans = spans(&restored.offsets);
            prop_assert!(spans.iter().all(|span| span.start < span.end && span.end <= text.chars().count()));
            prop_assert!(spans.is_sorted_by_key(|span| (span.start, span.end)));
        }
    }
}
