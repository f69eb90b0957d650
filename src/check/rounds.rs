//! Documents that are worked on at the same time.
//!
//! What is made of a text takes some ten times as much memory as the text. So what is worked on together is bounded by bytes, and
//! not by documents or threads.

use super::Unread;
use crate::text::Document;

/// The texts of a round have about so many bytes together: the last one may go beyond.
const BYTES: usize = 32 << 20;

/// Cuts a batch into rounds, in order.
pub(super) fn rounds(batch: Vec<Result<Document, Unread>>) -> impl Iterator<Item = Vec<Result<Document, Unread>>> {
    of_bytes(batch, BYTES)
}

fn of_bytes(
    batch: Vec<Result<Document, Unread>>,
    most: usize,
) -> impl Iterator<Item = Vec<Result<Document, Unread>>> {
    let mut left = batch.into_iter();
    std::iter::from_fn(move || {
        let (mut round, mut bytes) = (Vec::new(), 0);
        while bytes < most {
            let Some(read) = left.next() else { break };
            bytes += read.as_ref().map_or(0, |document| document.text.len());
            round.push(read);
        }
        (!round.is_empty()).then_some(round)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_end_when_their_texts_have_so_many_bytes_and_lose_nothing() {
        let document = |length: usize| Ok(Document { text: "a".repeat(length), ..Document::default() });
        let batch = vec![document(4), Err(Unread::new("b", "broken")), document(6), document(30), document(1)];
        let of = |most| of_bytes(batch.clone(), most).map(|round| round.len()).collect::<Vec<_>>();
        assert_eq!(of(10), [3, 1, 1]);
        assert_eq!(of(11), [4, 1]);
        assert_eq!(of(1000), [5]);
        assert_eq!(of_bytes(batch.clone(), 1).flatten().collect::<Vec<_>>(), batch);
        assert_eq!(of_bytes(Vec::new(), 10).count(), 0);
    }
}
