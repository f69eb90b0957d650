//! Files as memory.
#![allow(unsafe_code)]

use memmap2::Mmap;
#[cfg(unix)]
use memmap2::{Advice, UncheckedAdvice};
use std::fs::File;
use std::io;
use std::ops::Range;

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

/// Tells the system that a map is read here and there: it reads nothing besides what is asked for.
pub fn expect_random(map: &Mmap) {
    #[cfg(unix)]
    let _ = map.advise(Advice::Random);
    #[cfg(not(unix))]
    let _ = map;
}

/// Tells the system that bytes of a map are asked for soon: it reads them meanwhile, where it knows such advice.
pub fn will_need(map: &Mmap, bytes: Range<usize>) {
    // For one advice Linux reads no more than it reads ahead of a file: 128 KiB, unless somebody set it otherwise.
    #[cfg(unix)]
    for at in bytes.clone().step_by(128 << 10) {
        let _ = map.advise_range(Advice::WillNeed, at, (bytes.end - at).min(128 << 10));
    }
    #[cfg(not(unix))]
    let _ = (map, bytes);
}

/// Whether a byte of a map need not be read from the disk; where the system does not tell (Linux tells those who may write the file), it
/// need not.
pub fn is_in_memory(map: &Mmap, at: usize) -> bool {
    #[cfg(target_os = "linux")]
    if at < map.len() {
        // SAFETY: it asks for a number that every system has.
        let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096).max(1);
        let (begin, mut there) = (at / page * page, 0u8);
        // SAFETY: the page is one of the map's, whose beginning is that of a page, and one byte tells of one page.
        let asked = unsafe { libc::mincore(map.as_ptr().add(begin).cast_mut().cast(), 1, &raw mut there) };
        return asked != 0 || there & 1 != 0;
    }
    let _ = (map, at);
    true
}

/// Bytes as numbers in this machine's order; what is not aligned at the front and what is left at the end are left out. A
/// memory map begins at a page.
pub fn as_numbers(bytes: &[u8]) -> &[u32] {
    // SAFETY: any four bytes are a number.
    unsafe { bytes.align_to::<u32>().1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn what_the_system_is_told_of_a_map_changes_no_byte_and_what_was_read_is_in_memory() {
        let mut file = tempfile::tempfile().unwrap();
        let bytes: Vec<u8> = (0..500_000u32).map(|at| (at >> 6) as u8).collect();
        file.write_all(&bytes).unwrap();
        let map = map(&file).unwrap();
        expect_random(&map);
        will_need(&map, 5000..499_999);
        assert_eq!(&map[..], bytes);
        assert!([0, 4096, 499_999].iter().all(|&at| is_in_memory(&map, at)));
        assert!(is_in_memory(&map, 500_000), "behind its end nothing is waited for");
        let_go(&map);
        assert_eq!(&map[..], bytes);
    }
}
