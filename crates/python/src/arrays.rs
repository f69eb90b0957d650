//! Arrays as NumPy has them.

use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A NumPy array of the numbers in some bytes, which are not copied.
pub fn array<'py>(bytes: &Bound<'py, PyBytes>, kind: &str) -> PyResult<Bound<'py, PyAny>> {
    bytes.py().import("copytrace._arrays")?.call_method1("array", (bytes, kind))
}
