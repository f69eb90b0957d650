//! What is kept of a document to find what says the same.

use crate::codes::Code;
use crate::encoder::WIDTH;
use crate::model::Model;
use crate::order::Order;
use crate::sentences::Mean;
use bytes::Bytes;

/// The version of [`Gist::to_bytes`], and of how texts are cut into sentences.
const FORMAT: u8 = 4;

/// A text of no more sentences is read as a whole where it is looked at, and what they have in common is computed again.
pub(crate) const SHORT: usize = 160;

/// What is kept of a document: a code of 128 bits for some sentences together, and of a long text what all sentences have in common.
#[derive(Debug, Clone)]
pub struct Gist {
    /// What all its sentences have in common; none of a text that is [`SHORT`].
    pub(crate) mean: Option<Box<Mean>>,
    /// Its language (ISO 639-1), `und` if it is none of those that are told apart; empty if it is too short to tell.
    pub(crate) language: String,
    /// Its codes, one behind the other.
    pub(crate) codes: Bytes,
    /// The vectors of its sentences, which are computed from its text where they are not kept.
    pub(crate) vectors: Option<Vec<[f32; WIDTH]>>,
    /// Its codes by cells, in a large library.
    pub(crate) order: Option<Order>,
}

impl Gist {
    pub(crate) fn new(mean: Option<Mean>, language: String, codes: &[Code]) -> Self {
        let codes = Bytes::copy_from_slice(codes.as_flattened());
        Gist { mean: mean.map(Box::new), language, codes, vectors: None, order: None }
    }

    pub(crate) fn codes(&self) -> &[Code] {
        self.codes.as_chunks().0
    }

    /// Its codes that lie in a cell; in the only one, if it is in no large library.
    pub(crate) fn of_cell(&self, cell: usize) -> impl Iterator<Item = Code> {
        let (codes, order) = (self.codes(), self.order.as_ref());
        let range = order.map_or(0..codes.len(), |order| order.of_cell(cell));
        range.map(move |place| codes[order.map_or(place, |order| order.codes[place] as usize)])
    }

    /// Its language (ISO 639-1), `und` if it is none of those that are told apart; empty if it is too short to tell.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// How many vectors it keeps in memory, of 2 kB each: those of its sentences, or none.
    pub fn vectors(&self) -> usize {
        self.vectors.as_ref().map_or(0, Vec::len)
    }

    /// The same without the vectors of its sentences, which are more than a hundred times as large as codes: a look at it then takes longer.
    pub fn without_vectors(self) -> Self {
        Gist { vectors: None, ..self }
    }

    /// The gist without vectors: its language behind the length of it (a byte), whether it has a mean (a byte, 0 or 1) and the mean (a step,
    /// of 4 bytes, and 512 numbers of steps, of four bits, the first of two in the lower ones), and the codes. Numbers are little-endian.
    pub fn to_bytes(&self) -> Bytes {
        let mut bytes = Vec::with_capacity(2 + self.language.len() + 4 + WIDTH / 2 + self.codes.len());
        bytes.push(self.language.len() as u8);
        bytes.extend_from_slice(self.language.as_bytes());
        bytes.push(self.mean.is_some().into());
        if let Some(mean) = &self.mean {
            bytes.extend_from_slice(&mean.step.to_le_bytes());
            let pairs = mean.steps.as_chunks().0.iter();
            bytes.extend(pairs.map(|&[first, second]| (first & 15 | second << 4).cast_unsigned()));
        }
        bytes.extend_from_slice(&self.codes);
        bytes.into()
    }

    /// What [`Gist::to_bytes`] gave, without copying the codes; `None` if it is something else.
    pub fn from_bytes(mut bytes: Bytes) -> Option<Self> {
        let mut take = |length: usize| (length <= bytes.len()).then(|| bytes.split_to(length));
        let length = usize::from(*take(1)?.first()?);
        let language = String::from_utf8(take(length)?.to_vec()).ok()?;
        let mean = match take(1)?[0] {
            0 => None,
            1 => {
                let step = f32::from_le_bytes(take(4)?.as_ref().try_into().ok()?);
                let packed = take(WIDTH / 2)?;
                let step_of = |number: usize| (packed[number / 2] << (4 * (1 - number % 2))).cast_signed() >> 4;
                step.is_finite().then_some(())?;
                Some(Box::new(Mean { step, steps: std::array::from_fn(step_of) }))
            }
            _ => return None,
        };
        let is_whole = bytes.len().is_multiple_of(size_of::<Code>());
        is_whole.then_some(Gist { mean, language, codes: bytes, vectors: None, order: None })
    }
}

impl Model {
    /// The name of what gists are kept under: those of another model, or another version of this program, are none of these.
    pub fn key(&self) -> String {
        let identity: String = self.identity()[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        format!("gists{FORMAT}{identity}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gist_comes_back_as_it_was_written_and_nothing_else_is_one() {
        let codes: Vec<Code> = (0..5).map(|number| [number * 31; size_of::<Code>()]).collect();
        let mean = Mean { step: 0.001, steps: std::array::from_fn(|number| (number % 15) as i8 - 7) };
        for (mean, header) in [(Some(mean), 8 + WIDTH / 2), (None, 4)] {
            let gist = Gist::new(mean, "zh".to_owned(), &codes);
            let bytes = gist.to_bytes();
            let again = Gist::from_bytes(bytes.clone()).unwrap();
            assert_eq!((again.codes(), &again.mean, &*again.language), (&codes[..], &gist.mean, "zh"));
            let is_whole = |cut: usize| cut >= header && (cut - header).is_multiple_of(size_of::<Code>());
            for cut in (0..bytes.len()).filter(|cut| !is_whole(*cut)) {
                assert!(Gist::from_bytes(bytes.slice(..cut)).is_none(), "{cut}");
            }
            let other = [&bytes[..3], &[2], &bytes[4..]].concat();
            assert!(Gist::from_bytes(other.into()).is_none());
        }
    }
}
