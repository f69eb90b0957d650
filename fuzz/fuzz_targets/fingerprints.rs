//! Any bytes as a table of fingerprints: an error or answers, never a panic.
#![no_main]

use copytrace::hamming::FingerprintTable;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u64, &[u8])| {
    let (query, bytes) = input;
    if let Ok(table) = FingerprintTable::open(bytes) {
        let _ = table.find(query, table.distance());
    }
});
