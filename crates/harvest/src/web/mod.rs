//! Files and pages of the web.

pub(crate) mod media;
