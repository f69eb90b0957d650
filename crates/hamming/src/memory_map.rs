//! Files as memory.
#![allow(unsafe_code)]

use memmap2::Mmap;
#[cfg(unix)]
use memmap2::UncheckedAdvice;
use std::fs::File;
use std::io;

/// Maps a file into memory, to be read.
///
/// A file that another process rewrites in place meanwhile shows other bytes, which checksums catch, and one that is cut
/// short ends the process with SIGBUS. So only files are mapped that nobody changes under their names: those that this
/// program puts in place by renaming, and temporary ones without a name.
///
/// # Errors
/// The file cannot be mapped; an empty one never can.
pub fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the bytes are only read, and any bytes will do. What can go wrong with a file that changes is told above.
    unsafe { Mmap::map(file) }
}

/// Gives the memory of a map's pages back: what is needed again is read from the file again. Where the system knows no such advice it
/// stays.
pub fn let_go(map: &Mmap) {
    #[cfg(unix)]
    // SAFETY: nothing was written to the pages, so the same bytes come back. That it may fail loses nothing.
    let _ = unsafe { map.unchecked_advise(UncheckedAdvice::DontNeed) };
    #[cfg(not(unix))]
    let _ = map;
}

/// Bytes as numbers in this machine's order; what is not aligned at the front and what is left at the end are left out. A
/// memory map begins at a page.
pub fn as_numbers(bytes: &[u8]) -> &[u32] {
    // SAFETY: any four bytes are a number.
    unsafe { bytes.align_to::<u32>().1 }
}
