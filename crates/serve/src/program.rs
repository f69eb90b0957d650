//! The program that this process runs, to be run again by other processes.

use std::path::PathBuf;

/// Where it is. The system keeps what a process runs for as long as it runs, whatever takes its place on the disk meanwhile: a new
/// version would not understand the orders of this one, or not be there yet.
///
/// # Errors
/// When the system does not tell.
pub fn path() -> std::io::Result<PathBuf> {
    if let Some(told) = copytrace::job::program::told() {
        return Ok(told);
    }
    if cfg!(target_os = "linux") { Ok(PathBuf::from("/proc/self/exe")) } else { std::env::current_exe() }
}
