//! What an index on disk lives through while processes are killed, and while many of them use it at once.

use crate::durability::{ids, lines, program, verify};
use crate::generator::Random;
use crate::program::{Bench, Csv, WhenDropped, copytrace, text};
use crate::semantic::{in_english, model};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How many processes are killed; `make durability` asks for a thousand.
fn kills() -> usize {
    std::env::var("COPYTRACE_KILLS").map_or(120, |kills| kills.parse().unwrap())
}

#[test]
fn a_process_killed_at_random_moments_loses_nothing_committed_and_leaves_nothing_half() {
    let (bench, lines) = (Bench::new(), lines(4000));
    let (index, other) = (bench.create("index"), bench.create("other"));
    bench.add(&other, &bench.write("other.jsonl", lines[3900..4000].join("\n")));
    let mut random = Random::new(5);
    let (mut before, mut killed, mut rounds) = (ids(&index), 0, 0);
    // How long each kind of command takes here: measured on those that were left to end.
    let mut lasts = [Duration::ZERO; 6];
    while killed < kills() {
        let kind = rounds % 6;
        let from = random.below(39) as usize * 100;
        let corpus = bench.write("input.jsonl", lines[from..from + 100].join("\n"));
        let words: [&Path; 3] = match kind {
            4 => [Path::new("compact"), &index, Path::new("")],
            5 => [Path::new("merge"), &index, &other],
            _ => [Path::new("add"), &index, &corpus],
        };
        let words = words.into_iter().filter(|word| !word.as_os_str().is_empty());
        let begun = Instant::now();
        let mut child = program().arg("index").args(words).stderr(Stdio::null()).spawn().unwrap();
        if rounds >= lasts.len() {
            // From before it opens the index to when it is about done: the moments are spread over its whole life.
            std::thread::sleep(Duration::from_micros(random.below(lasts[kind].as_micros() as u64)));
            child.kill().unwrap();
        }
        let finished = child.wait().unwrap().success();
        if finished {
            lasts[kind] = begun.elapsed();
        }
        killed += usize::from(!finished);
        verify(&index);
        let after = ids(&index);
        assert!(after.is_superset(&before), "round {rounds}: documents are missing");
        assert!((after.len() - before.len()).is_multiple_of(100), "round {rounds}: an addition is there by half");
        if finished && kind < 4 {
            assert!(after.contains(&format!("{from:05}")), "round {rounds}: what was acknowledged is there");
        }
        before = after;
        rounds += 1;
        assert!(rounds < 20 * kills(), "only {killed} of {rounds} were killed while they ran");
    }
    let set_aside = fs::read_dir(index.join("segments/unlisted")).map_or(0, |entries| entries.count());
    println!("{killed} of {rounds} processes were killed; {set_aside} files were set aside");
    bench.add(&index, &bench.write("input.jsonl", lines[0..100].join("\n")));
    verify(&index);
}

#[test]
fn a_process_killed_while_it_keeps_meanings_leaves_an_index_that_is_sound_and_gives_what_it_would_have_given() {
    let bench = Bench::new();
    let (index, other) = (bench.create("index"), bench.create("other"));
    let model = model(&bench.path(""));
    for text in 0..40 {
        bench.write(format!("corpus/{text}.txt"), in_english(text, 0..60));
    }
    bench.add(&index, &bench.path("corpus"));
    bench.add(&other, &bench.path("corpus"));
    let keep = |index: &Path| {
        let mut command = program();
        command.args(["index", "add"]).arg(index).arg("--semantic").arg(&model).stderr(Stdio::null());
        command
    };
    let begun = Instant::now();
    assert!(keep(&other).status().unwrap().success());
    let (lasts, mut random) = (begun.elapsed(), Random::new(7));
    for _ in 0..kills().min(40) {
        let mut child = keep(&index).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(random.below(lasts.as_micros() as u64)));
        child.kill().unwrap();
        child.wait().unwrap();
        verify(&index);
        // Begun anew each time, or nothing would be left to compute.
        let _ = fs::remove_dir_all(index.join("derived"));
    }
    assert!(keep(&index).status().unwrap().success());
    let values = |index: &Path| {
        let entry = fs::read_dir(index.join("derived")).unwrap().next().unwrap().unwrap();
        fs::read(entry.path()).unwrap()
    };
    assert_eq!(values(&index), values(&other));
}

#[test]
fn readers_see_committed_states_only_while_a_writer_works() {
    let (bench, lines) = (Bench::new(), lines(1000));
    let index = bench.create("index");
    let corpora: Vec<PathBuf> =
        (0..10).map(|i| bench.write(format!("{i}.jsonl"), lines[i * 100..(i + 1) * 100].join("\n"))).collect();
    bench.add(&index, &corpora[0]);
    let first: serde_json::Value = serde_json::from_str(&lines[0]).unwrap();
    let thesis = bench.write("thesis.txt", first["text"].as_str().unwrap());
    // All go on until each has done enough for the others to get in its way, or one of them has failed.
    let (writes, refused, over) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicBool::new(false));
    let reads = [const { AtomicUsize::new(0) }; 4];
    let going = || {
        let few = |done: &AtomicUsize, enough| done.load(Ordering::Relaxed) < enough;
        let all_done = !few(&writes, 18) && !few(&refused, 1) && reads.iter().all(|reads| !few(reads, 6));
        !all_done && !over.load(Ordering::Relaxed)
    };
    let going_on = |done: &AtomicUsize, work: &dyn Fn() -> bool| {
        let _over = WhenDropped(&over);
        while going() {
            done.fetch_add(usize::from(work()), Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| {
        let (index, thesis, going_on) = (&index, &thesis, &going_on);
        for (number, reads) in reads.iter().enumerate() {
            let out = bench.path(format!("report {number}"));
            let read = move || match number {
                0 => {
                    let count = ids(index).len();
                    assert!(count >= 100 && count.is_multiple_of(100), "{count} documents");
                }
                1 => {
                    // Whatever the writer does meanwhile, a sound index is told to be sound.
                    verify(index);
                    copytrace().args(["index", "stats"]).arg(index).assert().success();
                }
                _ => {
                    let mut check = copytrace();
                    check.arg("check").arg(thesis).arg("--index").arg(index).args(["--overwrite", "-o"]).arg(&out);
                    check.assert().success();
                    let sources = Csv::read(&out.join("sources.csv"));
                    assert!(sources.rows().iter().any(|row| row["source"] == "00000" && row["jaccard"] == "1.000000"));
                }
            };
            scope.spawn(move || {
                going_on(reads, &|| {
                    read();
                    true
                })
            });
        }
        // A second writer, who is refused while the first one works.
        let refused = &refused;
        scope.spawn(move || {
            going_on(refused, &|| {
                let run = copytrace().args(["index", "compact"]).arg(index).assert();
                let said = text(&run.get_output().stderr);
                let locked = said.contains("being changed by another process (pid ");
                assert!(run.get_output().status.success() || locked, "{said}");
                std::thread::sleep(Duration::from_millis(300));
                locked
            })
        });
        let write = |words: &[&OsStr]| loop {
            let output = program().arg("index").args(words).output().unwrap();
            match output.status.success() {
                true => return,
                false => assert!(text(&output.stderr).contains("being changed by another process"), "{output:?}"),
            }
        };
        going_on(&writes, &|| {
            let number = writes.load(Ordering::Relaxed) % 9;
            write(&["add".as_ref(), index.as_os_str(), corpora[1 + number].as_os_str()]);
            if number == 8 {
                // Nine additions leave again, one whole and documented step each.
                for corpus in 1..10 {
                    let gone: Vec<String> = (corpus * 100..(corpus + 1) * 100).map(|i| format!("{i:05}")).collect();
                    let mut words = vec!["remove".as_ref(), index.as_os_str()];
                    words.extend(gone.iter().map(OsStr::new));
                    write(&words);
                }
                write(&["compact".as_ref(), index.as_os_str()]);
            }
            true
        });
    });
    println!("{writes:?} writes, {refused:?} refusals of a second writer, reads {reads:?}");
    verify(&index);
}
