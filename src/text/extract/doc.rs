//! Word documents of before 2007 (`.doc`), read by antiword when it is installed.

use std::ffi::OsStr;

use super::program::{Failure, run};
use super::{ExtractError, Extracted};
use crate::text::limits::ReadLimits;

/// Takes out the text.
pub(super) fn extract(bytes: &[u8], limits: &ReadLimits) -> Result<Extracted, ExtractError> {
    let arguments = |path: &OsStr| vec!["-w".into(), "0".into(), "-m".into(), "UTF-8.txt".into(), path.to_owned()];
    let output = run("antiword".as_ref(), bytes, arguments, limits).map_err(|failure| match failure {
        Failure::Missing => ExtractError::NeedsProgram("an old Word file (.doc)", "antiword"),
        Failure::Failed(_) => ExtractError::Damaged("antiword cannot read it".to_owned()),
        failure => failure.into(),
    })?;
    let text = String::from_utf8_lossy(&output).trim().to_owned();
    Ok(Extracted { text, ..Extracted::default() })
}
