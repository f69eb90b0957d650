//! `copytrace harvest`, killed while it works.

use crate::durability::{ids, program, verify};
use crate::generator::Random;
use crate::harvest::{dump, harvest};
use crate::program::{Bench, copytrace, tables};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// What checks against an index find of its own articles.
fn found(bench: &Bench, index: &Path, name: &str) -> [Vec<u8>; 3] {
    let texts = bench.path("theses");
    let out = bench.path(name);
    copytrace()
        .arg("check")
        .arg(&texts)
        .arg("--index")
        .arg(index)
        .args(["--format", "csv", "--no-shared", "-o"])
        .arg(&out)
        .assert()
        .success();
    tables(&out)
}

#[test]
fn an_addition_that_prunes_and_is_killed_is_made_good_by_the_next() {
    let bench = Bench::new();
    let (lines, index) = (crate::durability::lines(3000), bench.create("index"));
    let corpus = |from: usize, to: usize| bench.write("all.jsonl", lines[from..to].join("\n"));
    bench.add(&index, &corpus(0, 2000));
    let mut random = Random::new(63);
    let prune = |corpus: &Path| {
        let mut command = program();
        command.args(["index", "add", "--prune"]).arg(&index).arg(corpus).stderr(Stdio::null());
        command
    };
    let began = Instant::now();
    assert!(prune(&corpus(500, 2500)).status().unwrap().success());
    let lasts = began.elapsed();
    let mut kills = 0;
    for round in 0..20 {
        let (from, to) = if round % 2 == 0 { (0, 2000) } else { (1000, 3000) };
        let corpus = corpus(from, to);
        let mut child = prune(&corpus).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(random.below(lasts.as_micros() as u64)));
        child.kill().unwrap();
        kills += usize::from(!child.wait().unwrap().success());
        verify(&index);
        assert!(prune(&corpus).status().unwrap().success());
        let expected = (from..to).map(|number| format!("{number:05}")).collect();
        assert_eq!(ids(&index), expected, "round {round}");
    }
    assert!(kills > 5, "{kills}");
}

#[test]
fn an_index_that_was_harvested_in_spite_of_fifty_kills_is_the_one_without() {
    let bench = Bench::new();
    for (number, text) in crate::generator::Generator::new(crate::generator::Recipe {
        length: 60,
        ..crate::generator::Recipe::english(6000)
    })
    .step_by(500)
    .enumerate()
    {
        bench.write(format!("theses/{number}.txt"), text);
    }
    let mut random = Random::new(36);
    let (whole, killed) = (bench.path("whole"), bench.path("killed"));
    let first = dump(&bench, 3000, 0..0);
    let began = Instant::now();
    harvest(&first, &whole);
    let lasts = began.elapsed();
    let mut kills = 0;
    // Half of them while the index is made, half while it changes.
    for round in 0..2 {
        let source = dump(&bench, 3000 - 500 * round, 0..1000 * round);
        if round > 0 {
            harvest(&source, &whole);
        }
        while kills < 25 * (round + 1) {
            let mut child = program()
                .arg("harvest")
                .arg(&source)
                .arg("--index")
                .arg(&killed)
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(Duration::from_micros(random.below(lasts.as_micros() as u64 * 3 / 4)));
            child.kill().unwrap();
            if !child.wait().unwrap().success() {
                kills += 1;
            } else {
                // It was faster than its kill: what it made is taken away, so that there is something to kill.
                std::fs::remove_dir_all(&killed).unwrap();
            }
            if killed.join("catalogue.sqlite").exists() {
                verify(&killed);
            }
        }
        harvest(&source, &killed);
        assert_eq!(ids(&killed), ids(&whole), "round {round}");
        assert_eq!(found(&bench, &killed, &format!("k{round}")), found(&bench, &whole, &format!("w{round}")));
    }
}
