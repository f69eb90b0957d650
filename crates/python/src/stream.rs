//! Arrow's C stream interface: tables that come in and go out without being copied.

#![allow(unsafe_code)]

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchIterator, StructArray};
use arrow_schema::{ArrowError, DataType, Fields, Schema};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::{CStr, c_void};

/// The name of every capsule that holds a stream.
const NAME: &CStr = c"arrow_array_stream";

/// All batches of a table that has `__arrow_c_stream__`; none if it has not, or is a single column. Their buffers stay where they are.
///
/// # Errors
/// When the object breaks the protocol, or its rows cannot be read.
pub fn batches(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<RecordBatch>>> {
    let Ok(method) = object.getattr("__arrow_c_stream__") else { return Ok(None) };
    let capsule = method.call0()?.cast_into::<PyCapsule>().map_err(|_| {
        PyTypeError::new_err("__arrow_c_stream__ gave no capsule: expected one named arrow_array_stream")
    })?;
    let pointer = capsule.pointer_checked(Some(NAME))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: by the protocol a capsule of this name holds a valid stream, and whoever got it may move the stream out of
    // it: what is left behind is marked as released, so that the capsule does not release it again.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
    let read = object.py().detach(|| read(stream));
    read.map_err(|error| PyValueError::new_err(format!("the table cannot be read: {error}")))
}

fn read(mut stream: FFI_ArrowArrayStream) -> Result<Option<Vec<RecordBatch>>, ArrowError> {
    let failed = |code: i32| match code {
        0 => Ok(()),
        code => Err(ArrowError::CDataInterface(format!("its library failed with error {code}"))),
    };
    let released = || ArrowError::CDataInterface("the stream was read already".to_owned());
    let (get_schema, get_next) = stream.get_schema().zip(stream.get_next()).ok_or_else(released)?;
    let mut schema = FFI_ArrowSchema::empty();
    // SAFETY: a stream that is not released has both functions, which are given the stream and a place to write to.
    failed(unsafe { get_schema(&mut stream, &mut schema) })?;
    if !matches!(DataType::try_from(&schema)?, DataType::Struct(_)) {
        return Ok(None);
    }
    let fields = Schema::try_from(&schema)?.fields;
    let mut batches = Vec::new();
    loop {
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: as above.
        failed(unsafe { get_next(&mut stream, &mut array) })?;
        if array.is_released() {
            return Ok(Some(batches));
        }
        forget_buffers_of_nulls(&mut array, &fields);
        // SAFETY: by the protocol the array is valid and of the schema that the stream told.
        let data = unsafe { from_ffi_and_data_type(array, DataType::Struct(fields.clone())) }?;
        batches.push(RecordBatch::from(StructArray::from(data)));
    }
}

/// The C struct of an array, as the specification lays it out.
#[repr(C)]
struct Raw {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Raw,
}

/// A column of type null has no buffers, but polars hands one over, which our reader refuses.
fn forget_buffers_of_nulls(array: &mut FFI_ArrowArray, fields: &Fields) {
    let raw: *mut Raw = std::ptr::from_mut(array).cast();
    for (child, field) in fields.iter().enumerate() {
        if field.data_type() == &DataType::Null {
            // SAFETY: the array is a valid struct, so it has a valid child for each field; how many buffers a reader may look at
            // belongs to the reader, and is not looked at when the array is released.
            unsafe {
                if (child as i64) < (*raw).n_children {
                    (**(*raw).children.add(child)).n_buffers = 0;
                }
            }
        }
    }
}

/// A capsule with a stream of one batch, which shares the batch's buffers.
pub fn capsule(py: Python<'_>, batch: RecordBatch) -> PyResult<Bound<'_, PyCapsule>> {
    let schema = batch.schema();
    let reader = RecordBatchIterator::new([Ok(batch)], schema);
    // Dropped with the capsule, which releases the stream if nobody took it.
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), NAME)
}
