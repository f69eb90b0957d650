//! Documents that are worked on at the same time.

use super::error::Unread;
use crate::search::rounds::rounds;
use crate::text::Document;

/// Bytes of the texts of a round at most; a longer one is a round by itself. It changes no result.
const BYTES: u64 = 32 << 20;

/// Cuts a batch into rounds, in order.
pub(super) fn in_rounds(batch: Vec<Result<Document, Unread>>) -> impl Iterator<Item = Vec<Result<Document, Unread>>> {
    let bytes = |read: &Result<Document, Unread>| read.as_ref().map_or(0, |document| document.text.len() as u64);
    let rounds = rounds(batch.iter().map(bytes), BYTES);
    let mut left = batch.into_iter();
    rounds.into_iter().map(move |round| left.by_ref().take(round.len()).collect())
}
