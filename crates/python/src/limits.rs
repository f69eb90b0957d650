//! How much is read of what is given.

use copytrace::formats::input::ReadLimits;
use copytrace::job::Job;

/// How documents are read that are given as bytes or rows.
pub fn read_limits(job: &Job) -> ReadLimits {
    ReadLimits { cancel: job.cancel.clone(), ..ReadLimits::default() }
}
