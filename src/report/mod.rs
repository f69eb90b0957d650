//! What a person sees: rows of the CSV reports, and the files they are written to.

pub mod parts;
pub mod rows;
pub mod s_curve;
pub mod tables;
pub mod whole_file;
