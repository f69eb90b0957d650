//! Search within k bits: engines side by side, on random fingerprints with planted neighbours.
//!
//! `cargo bench --bench hamming -- [--tables N] [--permuted N] [--batch STORED QUERIES] [--distances N] [--equal N]`
//!
//! Without arguments all run at a size that takes seconds. Each prints a table and checks the answers: every
//! planted neighbour within k found, none beyond, and a sample of queries equal to brute force. `COPYTRACE_CPU=avx2` or
//! `portable` before it runs the loops of other processors.

// A memory map is unsafe to make: another process could change the file. This one made it for itself.
#![allow(unsafe_code)]

use std::fs::File;
use std::hint::black_box;
use std::time::Instant;

use copytrace::hamming::cpu::Cpu;
use copytrace::hamming::{Batch, Engine, FingerprintTable};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Distances of the planted neighbours: 0 to 6, one each.
const PLANTED: usize = 7;
/// Queries timed for each row of a table.
const TIMED: usize = 20_000;
/// Queries compared with brute force.
const SAMPLE: usize = 8;

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if arguments.is_empty() {
        let small = "--tables 1000000 --permuted 1000000 --batch 2000000 100000 --distances 1000000 --equal 20000";
        arguments = small.split(' ').map(String::from).collect();
    }
    println!("instructions: {}, {} threads", Cpu::best().name(), rayon::current_num_threads());
    let mut arguments = arguments.iter();
    let number = |text: Option<&String>| -> usize { text.and_then(|text| text.parse().ok()).expect("a number") };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--tables" => engines(number(arguments.next()), &[Engine::Blocks, Engine::MultiIndex]),
            "--permuted" => {
                let engines_of_the_paper = [Engine::Permuted, Engine::CompressedHuffman, Engine::Compressed];
                engines(number(arguments.next()), &engines_of_the_paper);
            }
            "--batch" => batch(number(arguments.next()), number(arguments.next())),
            "--distances" => distances(number(arguments.next())),
            "--equal" => equal(number(arguments.next())),
            other => panic!("unknown argument {other}"),
        }
    }
}

/// Each engine at k = 3, built into a file and asked from a memory map.
fn engines(count: usize, engines: &[Engine]) {
    println!("\n## Tables of {count} fingerprints, k = 3, memory-mapped");
    println!(
        "| engine | tables | bytes each | build s | CPU-s | memory / table | p50 µs | p99 µs | p50 of misses µs |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let corpus = Corpus::new(count, TIMED.min(count / 100));
    let path = std::env::temp_dir().join(format!("hamming-bench-{}.tables", std::process::id()));
    for &engine in engines {
        let (start, begun) = (cpu_seconds(), Instant::now());
        reset_peak_memory();
        FingerprintTable::write(&corpus.fingerprints, 3, engine, File::create(&path).expect("a file"))
            .expect("written");
        let (cpu, wall, memory) = (cpu_seconds() - start, begun.elapsed().as_secs_f64(), peak_memory());
        let file = File::open(&path).expect("the file");
        // SAFETY: nobody else knows this file.
        let map = unsafe { memmap2::Mmap::map(&file) }.expect("a map");
        let table = FingerprintTable::open(&map[..]).expect("the table");
        corpus.check(&table);
        let (p50, p99) = corpus.time(&table, 3);
        let (miss, _) = corpus.time_of(&table, 3, &corpus.strangers);
        println!(
            "| {engine} | {} | {:.2} | {wall:.1} | {cpu:.1} | {:.2} | {p50:.2} | {p99:.2} | {miss:.2} |",
            table.describe(),
            map.len() as f64 / count as f64,
            memory as f64 / map.len() as f64,
        );
    }
    std::fs::remove_file(path).expect("removed");
}

/// Blocks against wide parts for every k.
fn distances(count: usize) {
    println!("\n## Distances 0 to 7 over {count} fingerprints");
    let corpus = Corpus::new(count, 2_000.min(count / 100));
    println!("| k | engine | tables | bytes each | p50 µs | p99 µs |");
    println!("|---|---|---|---|---|---|");
    for k in 0..=7 {
        for engine in [Engine::Blocks, Engine::MultiIndex] {
            let table = FingerprintTable::build(&corpus.fingerprints, k, engine).expect("a table");
            let (p50, p99) = corpus.time(&table, k);
            let bytes = table.bytes().len() as f64 / count as f64;
            println!("| {k} | {engine} | {} | {bytes:.1} | {p50:.2} | {p99:.2} |", table.describe());
        }
    }
}

/// Many queries at once against many stored fingerprints.
fn batch(stored: usize, queries: usize) {
    println!("\n## Batch: {queries} queries against {stored} stored fingerprints, k = 3");
    let corpus = Corpus::new(stored, queries.min(stored / 100));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(99);
    let mut asked = corpus.queries.clone();
    asked.resize_with(queries, || random.next_u64());
    let start = cpu_seconds();
    let batch = Batch::new(&asked, 3).expect("a batch");
    let (built, begun) = (cpu_seconds(), Instant::now());
    let meetings = batch.meet(&corpus.fingerprints);
    let (cpu, wall) = (cpu_seconds() - built, begun.elapsed().as_secs_f64());
    println!("| tables, CPU-s | search, s | CPU-s | M stored / core-second | meetings |");
    println!("|---|---|---|---|---|");
    let speed = stored as f64 / cpu / 1e6;
    println!("| {:.2} | {wall:.2} | {cpu:.2} | {speed:.1} | {} |", built - start, meetings.len());
    let is_planted = |query: u32, stored: u32, distance| {
        (query as usize) < corpus.queries.len() && corpus.is_planted(query as usize, stored as usize, distance)
    };
    let planted = meetings.iter().flat_map(|met| {
        let queries = batch.rows(met.distinct).iter();
        queries.filter(|&&query| is_planted(query, met.position, met.distance))
    });
    assert_eq!(planted.count(), corpus.queries.len() * 4, "every planted neighbour within 3");
    assert!(meetings.iter().all(|met| met.distance <= 3));
    assert!(meetings.is_sorted());
}

/// Copies of one fingerprint against themselves: as many hits as the square of their number.
fn equal(count: usize) {
    println!("\n## {count} equal fingerprints against themselves");
    let words = vec![0x0123_4567_89ab_cdef; count];
    for engine in [Engine::MultiIndex, Engine::Compressed] {
        let table = FingerprintTable::build(&words, 3, engine).expect("a table");
        reset_peak_memory();
        let (start, mut hits) = (cpu_seconds(), 0);
        let counted = table.find_all(&words, 3, |_, found| {
            hits += found.len();
            Ok::<(), copytrace::hamming::Error>(())
        });
        counted.expect("hits");
        assert_eq!(hits, count * count);
        println!("{engine}: {:.2} CPU-s, {} MB at most", cpu_seconds() - start, peak_memory() / 1_000_000);
    }
}

/// Random fingerprints, and queries with one neighbour planted at each distance from 0 to 6.
struct Corpus {
    fingerprints: Vec<u64>,
    queries: Vec<u64>,
    /// Queries without any planted neighbour.
    strangers: Vec<u64>,
}

impl Corpus {
    fn new(count: usize, queries: usize) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(42);
        let mut fingerprints: Vec<u64> = (0..count).map(|_| random.next_u64()).collect();
        let queries: Vec<u64> = (0..queries).map(|_| random.next_u64()).collect();
        let strangers = (0..queries.len()).map(|_| random.next_u64()).collect();
        for (number, query) in queries.iter().enumerate() {
            for distance in 0..PLANTED {
                let mut neighbour = *query;
                while (neighbour ^ query).count_ones() < distance as u32 {
                    neighbour ^= 1 << (random.next_u64() >> 58);
                }
                fingerprints[place(number, distance, count, queries.len())] = neighbour;
            }
        }
        Corpus { fingerprints, queries, strangers }
    }

    fn is_planted(&self, query: usize, row: usize, distance: u8) -> bool {
        usize::from(distance) < PLANTED
            && place(query, usize::from(distance), self.fingerprints.len(), self.queries.len()) == row
    }

    /// Every planted neighbour within 3 and nothing else, and a sample against brute force.
    fn check(&self, table: &FingerprintTable<&[u8]>) {
        for (number, &query) in self.queries.iter().enumerate() {
            let hits = table.find(query, 3).expect("hits");
            let planted = hits.iter().filter(|hit| self.is_planted(number, hit.row as usize, hit.distance)).count();
            assert_eq!(planted, 4, "query {number} finds its planted neighbours within 3");
            assert!(hits.iter().all(|hit| (self.fingerprints[hit.row as usize] ^ query).count_ones() <= 3));
        }
        for &query in self.queries.iter().take(SAMPLE).chain(self.strangers.iter().take(SAMPLE)) {
            assert_eq!(
                table.find(query, 3).expect("hits"),
                FingerprintTable::brute_force(&self.fingerprints, query, 3)
            );
        }
    }

    fn time<B: AsRef<[u8]>>(&self, table: &FingerprintTable<B>, k: u8) -> (f64, f64) {
        self.time_of(table, k, &self.queries)
    }

    /// Median and 99th percentile in microseconds, each query on its own, after all were asked once.
    fn time_of<B: AsRef<[u8]>>(&self, table: &FingerprintTable<B>, k: u8, queries: &[u64]) -> (f64, f64) {
        for &query in queries {
            black_box(table.find(query, k).expect("hits"));
        }
        let mut times: Vec<f64> = queries
            .iter()
            .map(|&query| {
                let begun = Instant::now();
                black_box(table.find(black_box(query), k).expect("hits"));
                begun.elapsed().as_nanos() as f64 / 1e3
            })
            .collect();
        times.sort_by(f64::total_cmp);
        (times[times.len() / 2], times[times.len() * 99 / 100])
    }
}

/// The row of a planted neighbour, spread over the corpus.
fn place(query: usize, distance: usize, count: usize, queries: usize) -> usize {
    (query * PLANTED + distance) * (count / (queries * PLANTED))
}

/// Processor time of this process so far, all threads; 0 where the system does not tell in Linux's way.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: f64 = [11, 12].iter().filter_map(|&at| fields.get(at)?.parse::<f64>().ok()).sum();
    ticks / 100.0
}

fn reset_peak_memory() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The most memory this process has held since the last reset, in bytes; 0 where the system does not tell.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap_or(0) * 1024
}
