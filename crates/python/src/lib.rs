//! The native module of the Python wheel, `copytrace._native`.
//!
//! A file for each subject. All work runs in threads of its own without the interpreter's lock ([`work`]); texts come and
//! tables go by Arrow's C stream interface ([`stream`]).

mod arrays;
mod check;
mod command;
mod document;
mod errors;
mod index;
mod joined;
mod limits;
mod lsh;
mod minhash;
mod pairs;
mod parts;
mod report;
mod reports;
mod sketches;
mod stream;
mod table;
mod texts;
mod work;

use pyo3::prelude::*;

/// The native part of copytrace.
#[pymodule(gil_used = false)]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }

    #[pymodule_export]
    use super::{
        check::{check, compare},
        command::command,
        document::{Document, Settings},
        index::Index,
        joined::Joined,
        lsh::MinHashLSH,
        minhash::MinHash,
        pairs::{Pairs, pairs},
        parts::{Part, QueryTables, band_keys, count_keys, failed, merge_findings, similar},
        report::{Passage, Report},
        reports::Reports,
        sketches::{near, signatures, simhash},
        table::Table,
    };
}
