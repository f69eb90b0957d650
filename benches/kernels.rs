//! How fast each kernel is, on one thread: `cargo bench --bench kernels`.
//!
//! Bytes are those of the texts, elements are shingles, words or terms. Results of one machine stand in
//! `docs/PERFORMANCE.md`.

#![allow(missing_docs)]

mod generator;

use copytrace::hamming::cpu::Cpu;
use copytrace::settings::SketchSettings;
use copytrace::sketch::analysis::Analyser;
use copytrace::sketch::banding::Banding;
use copytrace::sketch::minhash::Family;
use copytrace::sketch::shingle::{ShingleSet, Shingling};
use copytrace::sketch::simhash;
use copytrace::text::normalise::Normalised;
use copytrace::text::units::Segmenter;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use generator::{Generator, Random, Recipe};
use std::hint::black_box;

const DOCUMENTS: usize = 500;

fn corpora() -> [(&'static str, Vec<String>); 2] {
    [
        ("english", Generator::new(Recipe::english(DOCUMENTS)).collect()),
        ("chinese", Generator::new(Recipe::chinese(DOCUMENTS)).collect()),
    ]
}

fn text(criterion: &mut Criterion) {
    for (language, texts) in corpora() {
        let mut group = criterion.benchmark_group(format!("text/{language}"));
        group.throughput(Throughput::Bytes(texts.iter().map(|text| text.len() as u64).sum()));
        let mut normalised = Normalised::default();
        group.bench_function("normalise", |bencher| {
            bencher.iter(|| texts.iter().for_each(|text| normalised.refill(black_box(text))));
        });
        let prepared: Vec<Normalised> = texts.iter().map(|text| Normalised::of(text)).collect();
        let mut segmenter = Segmenter::new();
        let mut hashes = Vec::new();
        group.bench_function("unit hashes", |bencher| {
            bencher.iter(|| {
                for text in &prepared {
                    hashes.clear();
                    segmenter.hashes(black_box(text), &mut hashes);
                }
            });
        });
        group.bench_function("units", |bencher| {
            bencher.iter(|| prepared.iter().map(|text| segmenter.units(black_box(text)).len()).sum::<usize>());
        });
        let mut analyser = Analyser::new(&SketchSettings::new(Shingling::default(), 256, 0.7));
        group.bench_function("whole analysis", |bencher| {
            bencher.iter(|| texts.iter().map(|text| analyser.analyse(black_box(text)).keys.len()).sum::<usize>());
        });
        group.finish();
    }
}

fn sketches(criterion: &mut Criterion) {
    let mut random = Random::new(1);
    let shingles: Vec<u32> = (0..300_000).map(|_| random.next() as u32).collect();
    let terms: Vec<(u64, u32)> = (0..100_000).map(|_| (random.next(), random.below(10) as u32)).collect();

    let mut group = criterion.benchmark_group("minhash");
    group.throughput(Throughput::Elements(shingles.len() as u64));
    for size in [128, 256] {
        for cpu in Cpu::available() {
            let family = Family::with_cpu(size, Family::DEFAULT_SEED, cpu);
            group.bench_function(BenchmarkId::new(cpu.name(), size), |bencher| {
                bencher.iter(|| shingles.chunks(300).map(|document| family.signature(document)[0]).max());
            });
        }
    }
    group.finish();

    let mut group = criterion.benchmark_group("simhash");
    group.throughput(Throughput::Elements(terms.len() as u64));
    for cpu in Cpu::available() {
        group.bench_function(BenchmarkId::from_parameter(cpu.name()), |bencher| {
            bencher.iter(|| terms.chunks(200).fold(0, |all, t| all ^ simhash::fingerprint_with(cpu, t)));
        });
    }
    group.finish();

    let mut group = criterion.benchmark_group("shingles");
    group.throughput(Throughput::Elements(shingles.len() as u64));
    group.bench_function("set of units:5", |bencher| {
        bencher
            .iter(|| shingles.chunks(300).map(|units| ShingleSet::of_values(black_box(units), 5).len()).sum::<usize>());
    });
    group.finish();

    let banding = Banding::for_threshold(256, 0.7, 0.995);
    let mut group = criterion.benchmark_group("banding");
    group.throughput(Throughput::Elements(1000));
    group.bench_function("keys of 1000 signatures", |bencher| {
        bencher.iter(|| shingles.windows(256).take(1000).flat_map(|values| banding.keys(values)).fold(0, |a, b| a ^ b));
    });
    group.finish();
}

criterion_group!(kernels, text, sketches);
criterion_main!(kernels);
