//! What a person sees of a report: tables, pages, workbooks, and the folder they are written to.
//!
//! Words: docs/ARCHITECTURE.md, *Of checks and reports*.

#[cfg(feature = "reports")]
pub mod batch;
#[cfg(feature = "reports")]
pub(crate) mod edits;
#[cfg(feature = "reports")]
pub(crate) mod file_names;
#[cfg(feature = "reports")]
pub mod folder;
#[cfg(feature = "reports")]
#[doc(hidden)] // the style for the service, the script for `copytrace verify`
pub mod html;
mod json;
#[cfg(feature = "reports")]
pub mod messages;
#[cfg(feature = "reports")]
#[doc(hidden)] // for the service
pub mod record;
pub mod rows;
mod s_curve;
pub mod tables;
pub mod whole_file;
#[cfg(feature = "reports")]
mod xlsx;
