//! What is kept of a document to find what says the same.

use crate::cells::Order;
use crate::encoder::WIDTH;
use crate::model::Model;
use crate::sentences::{Code, Mean};
use bytes::Bytes;

/// The version of [`Gist::to_bytes`], and of how texts are cut into sentences.
const FORMAT: u8 = 1;

/// What is kept of a document: a code of 512 bits for each sentence, and what all of them have in common.
#[derive(Debug, Clone)]
pub struct Gist {
    /// What all its sentences have in common.
    pub(crate) mean: Box<Mean>,
    /// Its language (ISO 639-1), `und` if it is none of those that are told apart; empty if it is too short to tell.
    pub(crate) language: String,
    /// The codes of its sentences, one behind the other.
    pub(crate) codes: Bytes,
    /// The vectors of its sentences, which are computed from its text where they are not kept.
    pub(crate) vectors: Option<Vec<[f32; WIDTH]>>,
    /// Its sentences by cells, in a large library.
    pub(crate) order: Option<Order>,
}

impl Gist {
    pub(crate) fn new(mean: Mean, language: String, codes: &[Code]) -> Self {
        let codes = Bytes::copy_from_slice(codes.as_flattened());
        Gist { mean: Box::new(mean), language, codes, vectors: None, order: None }
    }

    pub(crate) fn codes(&self) -> &[Code] {
        self.codes.as_chunks().0
    }

    /// Its language (ISO 639-1), `und` if it is none of those that are told apart; empty if it is too short to tell.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// How many sentences the document has.
    pub fn sentences(&self) -> usize {
        self.codes().len()
    }

    /// The same without the vectors of its sentences, which are 32 times as large as their codes: a look at it then takes longer.
    pub fn without_vectors(self) -> Self {
        Gist { vectors: None, ..self }
    }

    /// The gist without vectors: its language behind the length of it (a byte), the mean (512 numbers of 4 bytes), and the codes.
    /// Numbers are little-endian.
    pub fn to_bytes(&self) -> Bytes {
        let mut bytes = Vec::with_capacity(1 + self.language.len() + 4 * WIDTH + self.codes.len());
        bytes.push(self.language.len() as u8);
        bytes.extend_from_slice(self.language.as_bytes());
        bytes.extend(self.mean.iter().flat_map(|number| number.to_le_bytes()));
        bytes.extend_from_slice(&self.codes);
        bytes.into()
    }

    /// What [`Gist::to_bytes`] gave, without copying the codes; `None` if it is something else.
    pub fn from_bytes(mut bytes: Bytes) -> Option<Self> {
        let mut take = |length: usize| (length <= bytes.len()).then(|| bytes.split_to(length));
        let length = usize::from(*take(1)?.first()?);
        let language = String::from_utf8(take(length)?.to_vec()).ok()?;
        let numbers = take(4 * WIDTH)?;
        let mut mean = Box::new([0.0; WIDTH]);
        mean.iter_mut().zip(numbers.as_chunks().0).for_each(|(to, number)| *to = f32::from_le_bytes(*number));
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
        let codes: Vec<Code> = (0..5).map(|number| [number * 31; 64]).collect();
        let gist = Gist::new(std::array::from_fn(|number| number as f32 / 7.0), "zh".to_owned(), &codes);
        let bytes = gist.to_bytes();
        let again = Gist::from_bytes(bytes.clone()).unwrap();
        assert_eq!((again.codes(), &again.mean, &*again.language), (&codes[..], &gist.mean, "zh"));
        for cut in (0..bytes.len()).filter(|cut| *cut < 3 + 4 * WIDTH || !(cut - 3).is_multiple_of(64)) {
            assert!(Gist::from_bytes(bytes.slice(..cut)).is_none(), "{cut}");
        }
    }
}
