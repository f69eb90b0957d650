//! Files made to do harm, written by the tests themselves.

mod hostile;
pub mod pdf;
