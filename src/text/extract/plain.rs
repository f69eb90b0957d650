//! Plain text: the decoded file as it stands, so that offsets are those of the file.

use super::{ExtractError, Extracted};
use crate::text::encoding::decode;

/// Decodes the file. A byte-order mark and all newlines stay.
pub(super) fn extract(bytes: &[u8]) -> Result<Extracted, ExtractError> {
    let decoded = decode(bytes)?;
    Ok(Extracted { text: decoded.text, replaced: decoded.replaced, ..Extracted::default() })
}
