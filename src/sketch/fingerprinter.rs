//! From texts to fingerprints, of whole documents or sentence by sentence.

use super::features::features_of;
use super::simhash;
use crate::hamming::fingerprints::Features;
use crate::text::normalise::Normalised;
use crate::text::units::Segmenter;
use std::ops::Range;

/// Turns texts into SimHash fingerprints. One per thread: it remembers the words it has seen.
pub struct Fingerprinter {
    features: Features,
    segmenter: Segmenter,
}

/// The fingerprint of a sentence and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// Its characters (Unicode scalar values) in the text, with the punctuation that hugs it.
    pub chars: Range<u32>,
    /// Its SimHash fingerprint.
    pub fingerprint: u64,
}

impl Fingerprinter {
    /// A fingerprinter for the given features.
    pub fn new(features: Features) -> Self {
        Fingerprinter { features, segmenter: Segmenter::new() }
    }

    /// The fingerprint of weighted terms, each a 64-bit hash and its weight, whatever they are of: a bit is 1 when the weights of the
    /// terms that have it are more than half of all.
    pub fn of_terms(terms: &[(u64, u32)]) -> u64 {
        simhash::fingerprint(terms)
    }

    /// The fingerprint of a text; `None` if it has no features, so that nothing is known of it.
    pub fn of_text(&mut self, text: &str) -> Option<u64> {
        let normalised = Normalised::of(text);
        let features = features_of(self.features, &normalised, &self.segmenter.units(&normalised));
        (!features.is_empty()).then(|| Self::of_terms(&features))
    }

    /// The fingerprints of a text's sentences, in order. Sentences without features are left out.
    pub fn of_sentences(&mut self, text: &str) -> Vec<Sentence> {
        let units = self.segmenter.units(&Normalised::of(text));
        let mut place = TextPosition { text, character: 0, byte: 0 };
        let mut sentences = Vec::new();
        for sentence in units.sentences() {
            let chars = units.span(sentence.start, sentence.end);
            let bytes = place.advance_to(chars.start)..place.advance_to(chars.end);
            if let Some(fingerprint) = self.of_text(&text[bytes]) {
                sentences.push(Sentence { chars, fingerprint });
            }
        }
        sentences
    }
}

/// A place in a text that only moves forward.
struct TextPosition<'a> {
    text: &'a str,
    character: u32,
    byte: usize,
}

impl TextPosition<'_> {
    /// Moves on to a character and gives its byte.
    fn advance_to(&mut self, character: u32) -> usize {
        let rest = &self.text[self.byte..];
        let step = character.saturating_sub(self.character) as usize;
        self.byte += rest.char_indices().nth(step).map_or(rest.len(), |(byte, _)| byte);
        self.character = self.character.max(character);
        self.byte
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sketch::analysis::Analyser;
    use crate::sketch::settings::SketchSettings;

    const TEXT: &str = "Tidal marshes trap silt. 每一次潮水都留下淤泥。 “Who pays for the dyke?” asked the village.";

    fn sentences(text: &str) -> Vec<String> {
        let chars: Vec<char> = text.chars().collect();
        let found = Fingerprinter::new(Features::Words(Default::default())).of_sentences(text);
        found.iter().map(|s| chars[s.chars.start as usize..s.chars.end as usize].iter().collect()).collect()
    }

    #[test]
    fn the_terms_of_a_text_give_the_fingerprint_that_an_index_keeps() {
        let settings = SketchSettings::new(Default::default(), 16, 0.7);
        let analysed = Analyser::new(&settings).analyse(TEXT).fingerprint();
        assert_eq!(Fingerprinter::new(Features::Terms).of_text(TEXT), Some(analysed));
    }

    #[test]
    fn a_text_is_cut_at_the_ends_of_its_sentences() {
        assert_eq!(
            sentences(TEXT),
            ["Tidal marshes trap silt.", "每一次潮水都留下淤泥。", "“Who pays for the dyke?”", "asked the village."]
        );
        assert_eq!(sentences("no stop at all"), ["no stop at all"]);
        assert_eq!(sentences(" … "), Vec::<String>::new());
    }

    #[test]
    fn a_sentence_has_the_same_fingerprint_wherever_it_stands() {
        let mut fingerprinter = Fingerprinter::new(Features::Chars(4));
        let of = |text: &str, fingerprinter: &mut Fingerprinter| {
            fingerprinter.of_sentences(text).iter().map(|s| s.fingerprint).collect::<Vec<_>>()
        };
        let (both, turned) = (
            of("The marsh rises. 地面升高。", &mut fingerprinter),
            of("地面升高。The marsh rises.", &mut fingerprinter),
        );
        assert_eq!(both, [turned[1], turned[0]]);
        assert_eq!(fingerprinter.of_text("The marsh rises."), Some(both[0]));
    }

    proptest::proptest! {
        #[test]
        fn sentences_of_any_text_lie_inside_it_in_order(text in "[a-z。.!? \u{200b}“”潮㍻\n]{0,80}|\\PC{0,60}") {
            let mut before = 0;
            for sentence in Fingerprinter::new(Features::Chars(3)).of_sentences(&text) {
                proptest::prop_assert!(before <= sentence.chars.start && sentence.chars.start < sentence.chars.end);
                before = sentence.chars.end;
            }
            proptest::prop_assert!(before as usize <= text.chars().count());
        }
    }
}
