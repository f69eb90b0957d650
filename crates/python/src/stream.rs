//! Arrow's C stream interface: tables that come in and go out without being copied.

#![allow(unsafe_code)]

use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{RecordBatch, RecordBatchIterator};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::CStr;

/// The name of every capsule that holds a stream.
const NAME: &CStr = c"arrow_array_stream";

/// All batches of an object that has `__arrow_c_stream__`; none if it has not. Their buffers stay where they are.
///
/// # Errors
/// When the object breaks the protocol, or its rows cannot be read.
pub fn batches(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<RecordBatch>>> {
    let Ok(method) = object.getattr("__arrow_c_stream__") else { return Ok(None) };
    let capsule = method.call0()?.cast_into::<PyCapsule>().map_err(|_| {
        PyTypeError::new_err("__arrow_c_stream__ gave no capsule: expected one named arrow_array_stream")
    })?;
    let pointer = capsule.pointer_checked(Some(NAME))?.cast::<FFI_ArrowArrayStream>();
    let wrong = |error: arrow_schema::ArrowError| {
        PyValueError::new_err(format!("the table cannot be read: {error} (expected columns of strings)"))
    };
    // SAFETY: by the protocol a capsule of this name holds a valid stream, and whoever got it may move the stream out of
    // it: what is left behind is marked as released, so that the capsule does not release it again.
    let reader = unsafe { RecordBatchStreamReader::from_raw(pointer.as_ptr()) }.map_err(wrong)?;
    object.py().detach(|| reader.collect::<Result<Vec<_>, _>>()).map_err(wrong).map(Some)
}

/// A capsule with a stream of one batch, which shares the batch's buffers.
pub fn capsule(py: Python<'_>, batch: RecordBatch) -> PyResult<Bound<'_, PyCapsule>> {
    let schema = batch.schema();
    let reader = RecordBatchIterator::new([Ok(batch)], schema);
    // Dropped with the capsule, which releases the stream if nobody took it.
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), NAME)
}
