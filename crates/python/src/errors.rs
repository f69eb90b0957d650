//! What went wrong, as Python exceptions.

use arrow_schema::ArrowError;
use copytrace::check::{CheckError, Unread};
use copytrace::hamming;
use copytrace::index::IndexError;
use copytrace::job::Cancelled;
use copytrace::report::folder::FolderError;
use copytrace::report::whole_file::WriteError;
use copytrace::search::all_pairs::PairsError;
use pyo3::exceptions::{PyFileExistsError, PyFileNotFoundError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

pyo3::import_exception!(copytrace._errors, CopytraceError);
pyo3::import_exception!(copytrace._errors, DamagedError);
pyo3::import_exception!(copytrace._errors, UnreadableError);

/// Why work that was done without the interpreter gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Check(#[from] CheckError),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Pairs(#[from] PairsError),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    #[error(transparent)]
    Unread(#[from] Unread),
    #[error(transparent)]
    Near(#[from] hamming::Error),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    /// A pickled table that cannot be read.
    #[error("no table: {0}")]
    Arrow(#[from] ArrowError),
    /// An argument that cannot be used, and what was expected.
    #[error("{0}")]
    Value(String),
    /// The work ended in a panic, which is a fault of ours.
    #[error("{0}")]
    Fault(String),
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        let said = failure.to_string();
        match failure {
            Failure::Index(error) | Failure::Check(CheckError::Index(error)) => of_index(&error, said),
            Failure::Pairs(PairsError::Index(error)) => of_index(&error, said),
            Failure::Unread(unread) | Failure::Check(CheckError::Unread(unread)) => unreadable(&unread),
            Failure::Value(_)
            | Failure::Arrow(_)
            | Failure::Near(_)
            | Failure::Pairs(PairsError::TooLittleMemory { .. }) => PyValueError::new_err(said),
            Failure::Folder(FolderError::HoldsReport { .. } | FolderError::HoldsOthers { .. }) => {
                PyFileExistsError::new_err(said)
            }
            Failure::Folder(FolderError::Write(_)) | Failure::Write(_) => PyOSError::new_err(said),
            Failure::Pairs(PairsError::TemporaryFile(_) | PairsError::Reader(_)) => PyOSError::new_err(said),
            Failure::Json(_) | Failure::Fault(_) => PyRuntimeError::new_err(said),
            Failure::Check(_) | Failure::Pairs(_) | Failure::Folder(_) | Failure::Cancelled(_) => {
                CopytraceError::new_err(said)
            }
        }
    }
}

fn of_index(error: &IndexError, said: String) -> PyErr {
    match error {
        IndexError::Damaged { .. } | IndexError::Missing { .. } => DamagedError::new_err(said),
        IndexError::NotAnIndex { .. } => PyFileNotFoundError::new_err(said),
        IndexError::AlreadyThere { .. } => PyFileExistsError::new_err(said),
        IndexError::SettingsDiffer { .. } => PyValueError::new_err(said),
        _ => CopytraceError::new_err(said),
    }
}

/// The exception of a document that cannot be read or compared.
pub fn unreadable(unread: &Unread) -> PyErr {
    UnreadableError::new_err((unread.id.clone(), unread.message()))
}
