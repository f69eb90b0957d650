//! copytrace's tables beside gaoya's `SimHashIndex`, in one run over the same fingerprints.
//!
//! `cargo run --release [FINGERPRINTS]`, one million without an argument. Both hold random fingerprints with neighbours planted
//! within 3 bits and answer the same queries. Memory is told twice: what the allocator was asked for, and by how much the
//! process grew, where the system tells it in Linux's way.
//!
//! gaoya compares with `<`, so that "within 3" is its distance 4. Its number of blocks is free: fewer are smaller
//! and slower.

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use copytrace::hamming::{Engine, FingerprintTable};
use gaoya::simhash::SimHashIndex;

/// Counts the bytes that are in use.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promised.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const QUERIES: usize = 10_000;

fn main() {
    let count: usize = std::env::args()
        .nth(1)
        .map_or(1_000_000, |text| text.parse().expect("a number"));
    let mut random = Random(7);
    let mut fingerprints: Vec<u64> = (0..count).map(|_| random.next()).collect();
    let queries: Vec<u64> = (0..QUERIES).map(|_| random.next()).collect();
    for (number, query) in queries.iter().enumerate() {
        let bits = (0..number % 4).fold(0u64, |bits, _| bits | 1 << (random.next() >> 58));
        fingerprints[number * (count / QUERIES)] = query ^ bits;
    }
    println!("{count} fingerprints, {QUERIES} queries with one neighbour each within 3 bits");
    println!("| system | bytes asked each | resident | build s | p50 µs | p99 µs | hits |");
    println!("|---|---|---|---|---|---|---|");
    for engine in [
        Engine::Auto,
        Engine::Blocks,
        Engine::Permuted,
        "compressed".parse().expect("an engine"),
    ] {
        let (before, begun) = (memory(), Instant::now());
        let table = FingerprintTable::build(&fingerprints, 3, engine).expect("a table");
        let (bytes, seconds) = (grown_since(before), begun.elapsed().as_secs_f64());
        let name = format!(
            "copytrace {} ({})",
            table.engine(),
            table.describe()
        );
        report(&name, bytes, count, seconds, &queries, |query| {
            table.find(query, 3).expect("hits").len()
        });
    }
    for blocks in [5, 6] {
        let (before, begun) = (memory(), Instant::now());
        let mut index: SimHashIndex<u64, u32> = SimHashIndex::new(blocks, 4);
        for (row, &fingerprint) in fingerprints.iter().enumerate() {
            index.insert(row as u32, fingerprint);
        }
        let (bytes, seconds) = (grown_since(before), begun.elapsed().as_secs_f64());
        let name = format!("gaoya SimHashIndex::new({blocks}, 4)");
        report(&name, bytes, count, seconds, &queries, |query| {
            index.query(&query).len()
        });
    }
}

fn report(
    name: &str,
    bytes: [usize; 2],
    count: usize,
    build: f64,
    queries: &[u64],
    find: impl Fn(u64) -> usize,
) {
    let mut hits = 0;
    let mut times = Vec::new();
    for _ in 0..2 {
        hits = 0;
        times.clear();
        // The first round warms the caches. A slow system is asked fewer queries.
        let begun = Instant::now();
        for &query in queries {
            let start = Instant::now();
            hits += black_box(find(black_box(query)));
            times.push(start.elapsed().as_nanos() as f64 / 1e3);
            if begun.elapsed().as_secs() > 10 {
                break;
            }
        }
    }
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times[times.len() * share / 100];
    println!(
        "| {name} | {:.1} | {:.1} | {build:.2} | {:.2} | {:.2} | {hits} of {} |",
        bytes[0] as f64 / count as f64,
        bytes[1] as f64 / count as f64,
        at(50),
        at(99),
        times.len()
    );
}

/// Bytes asked for and bytes resident.
fn memory() -> [usize; 2] {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: usize = statm
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse().ok())
        .unwrap_or(0);
    [IN_USE.load(Ordering::Relaxed), pages * 4096]
}

fn grown_since(before: [usize; 2]) -> [usize; 2] {
    let now = memory();
    [
        now[0].saturating_sub(before[0]),
        now[1].saturating_sub(before[1]),
    ]
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
