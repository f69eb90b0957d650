//! Documents that are worked on at the same time.
//!
//! What is made of a text takes some ten times as much memory as the text. So what is worked on together is bounded by bytes, and
//! not by documents or threads.

use super::Unread;
use crate::text::Document;

/// The texts of a round have so many bytes together at most; a longer one is a round by itself.
const BYTES: usize = 32 << 20;

/// Cuts a batch into rounds, in order.
pub(super) fn rounds(batch: Vec<Result<Document, Unread>>) -> impl Iterator<Item = Vec<Result<Document, Unread>>> {
    of_bytes(batch, BYTES)
}

fn of_bytes(batch: Vec<Result<Document, Unread>>, most: usize) -> impl Iterator<Item = Vec<Result<Document, Unread>>> {
    let mut left = batch.into_iter().peekable();
    std::iter::from_fn(move || {
        let first = left.next()?;
        let of = |read: &Result<Document, Unread>| read.as_ref().map_or(0, |document| document.text.len());
        let mut bytes = of(&first);
        let mut round = vec![first];
        let mut fits = |read: &Result<Document, Unread>| {
            bytes = bytes.saturating_add(of(read));
            bytes <= most
        };
        round.extend(std::iter::from_fn(|| left.next_if(&mut fits)));
        Some(round)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_have_so_many_bytes_of_text_at_most_and_lose_nothing() {
        let document = |length: usize| Ok(Document { text: "a".repeat(length), ..Document::default() });
        let batch = vec![document(4), Err(Unread::new("b", "broken")), document(6), document(30), document(1)];
        let of = |most| of_bytes(batch.clone(), most).map(|round| round.len()).collect::<Vec<_>>();
        assert_eq!(of(10), [3, 1, 1]);
        assert_eq!(of(9), [2, 1, 1, 1]);
        assert_eq!(of(40), [4, 1]);
        assert_eq!(of(1000), [5]);
        assert_eq!(of_bytes(batch.clone(), 1).flatten().collect::<Vec<_>>(), batch);
        assert_eq!(of_bytes(Vec::new(), 10).count(), 0);
    }
}
