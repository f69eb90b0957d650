//! Why a search gave nothing.

use crate::index::IndexError;
use crate::job::Cancelled;

/// Why a search gave nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SearchError {
    /// The index is damaged.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// It was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
