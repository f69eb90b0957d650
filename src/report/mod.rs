//! What a person sees: rows of the CSV reports, pages, workbooks, and the files they are written to.

mod cells;
pub mod edits;
pub mod file_names;
#[cfg(feature = "reports")]
pub mod html;
pub mod json;
#[cfg(feature = "reports")]
pub mod messages;
pub mod model;
pub mod parts;
pub mod rows;
pub mod s_curve;
mod segments;
pub mod shared;
pub mod tables;
pub mod whole_file;
#[cfg(feature = "reports")]
pub mod xlsx;
