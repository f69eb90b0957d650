//! `copytrace fingerprint` and `copytrace near`, driven as a person would.

use crate::program::{Bench, Csv, copytrace, text};
use copytrace::hamming::FingerprintTable;
use copytrace::hamming::fingerprints::FingerprintFile;
use std::fs;
use std::path::{Path, PathBuf};

const MARSH: &str = "Tidal marshes trap the silt that every flood carries over the banks of the creek.";
const DYKE: &str = "Engineers who build dykes in front of it starve the surface of its mud.";
const LIBRARY: &str = "Village libraries lend more novels in winter than in summer, as nine ledgers show.";

impl Bench {
    fn write_words(&self, name: &str, words: &[u64]) -> PathBuf {
        let mut bytes = Vec::new();
        FingerprintFile::write_words(words, &mut bytes).unwrap();
        self.write(name, bytes)
    }

    /// Runs the program and gives (exit code, standard output, standard error).
    fn run<A: AsRef<std::ffi::OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> (i32, String, String) {
        let run = copytrace().args(arguments).output().unwrap();
        (run.status.code().unwrap(), text(&run.stdout), text(&run.stderr))
    }

    /// Builds the tables of a file.
    fn build(&self, table: &Path, name: &str, engine: &str, k: &str) -> PathBuf {
        let built = self.path(name);
        let mut command = copytrace();
        command.args(["near", "-k", k, "--engine", engine, "--table"]).arg(table).arg("--build").arg(&built);
        command.assert().success();
        built
    }

    /// The rows of `near` on two files.
    fn near(&self, table: &Path, queries: &Path, more: &[&str]) -> Vec<(u64, u64, u8)> {
        let output = self.path("near.csv");
        let mut command = copytrace();
        command.args(["near", "--table"]).arg(table).arg("--queries").arg(queries).args(more);
        command.arg("-o").arg(&output).assert().success();
        let number = |row: &std::collections::BTreeMap<String, String>, column: &str| row[column].parse().unwrap();
        let of_row = |row| (number(row, "query"), number(row, "match"), number(row, "hamming") as u8);
        Csv::read(&output).rows().iter().map(of_row).collect()
    }
}

/// Fingerprints far from each other, every third with a neighbour some bits away behind it.
fn scattered(count: u64) -> Vec<u64> {
    let spread = |number: u64| (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(number as u32 % 64);
    let word = |number: u64| match number % 3 {
        1 => spread(number - 1) ^ ((1 << (number % 7)) - 1) << (number % 50),
        _ => spread(number),
    };
    (0..count).map(word).collect()
}

#[test]
fn every_engine_finds_the_pairs_of_two_files_that_brute_force_finds() {
    let bench = Bench::new();
    let (table, queries) = (scattered(2000), scattered(300));
    let paths = (bench.write_words("table.u64", &table), bench.write_words("queries.u64", &queries));
    for distance in ["0", "3", "7"] {
        let k = distance.parse().unwrap();
        let expected: Vec<(u64, u64, u8)> = queries
            .iter()
            .zip(0..)
            .flat_map(|(&query, row)| {
                let hits = FingerprintTable::brute_force(&table, query, k);
                hits.into_iter().map(move |hit| (row, u64::from(hit.row), hit.distance))
            })
            .collect();
        assert!(expected.len() >= 300);
        assert_eq!(bench.near(&paths.0, &paths.1, &["-k", distance]), expected);
        for engine in ["auto", "blocks", "multi-index", "permuted", "compressed", "compressed-huffman", "scan"] {
            let built = bench.build(&paths.0, "built.tables", engine, distance);
            assert_eq!(bench.near(&built, &paths.1, &["-k", distance]), expected, "{engine}");
        }
        // The larger file may be either of the two.
        let mut turned: Vec<_> = expected.iter().map(|&(query, row, hamming)| (row, query, hamming)).collect();
        turned.sort_unstable();
        assert_eq!(bench.near(&paths.1, &paths.0, &["-k", distance]), turned);
    }
}

#[test]
fn a_file_of_words_and_a_csv_file_made_at_once_hold_the_same_fingerprints() {
    let bench = Bench::new();
    for (name, content) in [("a.txt", MARSH), ("b.txt", DYKE), ("c.txt", LIBRARY), ("d.txt", MARSH)] {
        bench.write(format!("in/{name}"), content);
    }
    let (words, csv) = (bench.path("out.u64"), bench.path("out.csv"));
    let (code, _, stderr) = bench.run([
        "fingerprint".as_ref(),
        bench.path("in").as_os_str(),
        "--features".as_ref(),
        "chars:4".as_ref(),
        "-o".as_ref(),
        words.as_os_str(),
        "-o".as_ref(),
        csv.as_os_str(),
    ]);
    assert_eq!((code, stderr.trim()), (0, "4 documents: 4 fingerprints of chars:4"));
    assert_eq!(fs::metadata(&words).unwrap().len(), 32);
    let rows: Vec<String> = Csv::read(&csv).rows().iter().map(|row| row["document"].clone()).collect();
    assert_eq!(rows, ["a.txt", "b.txt", "c.txt", "d.txt"]);
    let pairs = [(0, 0, 0), (0, 3, 0), (1, 1, 0), (2, 2, 0), (3, 0, 0), (3, 3, 0)];
    assert_eq!(bench.near(&words, &csv, &[]), pairs);
    let built = bench.build(&csv, "built.tables", "compressed", "3");
    assert_eq!(bench.near(&built, &words, &[]), pairs);
    assert!(fs::read_to_string(bench.path("built.tables.json")).unwrap().contains("chars:4"));
}

#[test]
fn tables_are_the_same_bytes_every_time_and_answer_smaller_distances_only() {
    let bench = Bench::new();
    let table = bench.write_words("table.u64", &scattered(500));
    let built = bench.build(&table, "built.tables", "compressed", "2");
    let again = bench.build(&table, "again.tables", "compressed", "2");
    assert_eq!(fs::read(&built).unwrap(), fs::read(again).unwrap());
    assert_eq!(bench.near(&built, &table, &["-k", "1"]), bench.near(&table, &table, &["-k", "1"]));
    let (code, _, stderr) =
        bench.run(["near", "-k", "3", "--table", "built.tables", "--queries", "table.u64"].map(|argument| {
            match argument.ends_with(".tables") || argument.ends_with(".u64") {
                true => bench.path(argument).into_os_string(),
                false => argument.into(),
            }
        }));
    assert_eq!(code, 2);
    assert!(stderr.contains("3 bits was asked of a table built for 2"), "{stderr}");
}

#[test]
fn damaged_tables_are_an_error_and_no_answer() {
    let bench = Bench::new();
    let table = bench.write_words("table.u64", &scattered(300));
    let whole = fs::read(bench.build(&table, "built.tables", "permuted", "3")).unwrap();
    let mut changed = whole.clone();
    changed[whole.len() / 2] ^= 1;
    let mut newer = whole.clone();
    newer[8] = 9;
    for (bytes, reason) in [
        (&changed[..], "damaged fingerprint table: its checksum"),
        (&whole[..whole.len() - 5], "damaged fingerprint table: its end is missing"),
        (&newer, "fingerprint table of version 9"),
        (&b"PK\x03\x04 something else"[..], "not a fingerprint table"),
        (&[], "not a fingerprint table"),
    ] {
        let path = bench.write("damaged.tables", bytes);
        let mut command = copytrace();
        let run = command.args(["near", "--table"]).arg(&path).arg("--queries").arg(&table).assert().code(2);
        let stderr = text(&run.get_output().stderr);
        assert!(stderr.contains("damaged.tables") && stderr.contains(reason), "{stderr}");
    }
}

#[test]
fn equal_fingerprints_are_paired_with_each_other_in_the_order_of_their_rows() {
    let bench = Bench::new();
    let table = bench.write_words("table.u64", &[[7; 150], [6; 150]].concat());
    let (few, many) = (bench.write_words("few.u64", &[5, 7]), bench.write_words("many.u64", &[7; 400]));
    let built = bench.build(&table, "built.tables", "multi-index", "1");
    let of_query = |query: u64, word: u64| {
        let distance = move |row: u64| (word ^ if row < 150 { 7 } else { 6u64 }).count_ones() as u8;
        (0..300).map(move |row| (query, row, distance(row))).filter(|pair| pair.2 <= 1)
    };
    let expected: Vec<_> = of_query(0, 5).chain(of_query(1, 7)).collect();
    assert_eq!(bench.near(&table, &few, &["-k", "1"]), expected);
    assert_eq!(bench.near(&built, &few, &["-k", "1"]), expected);
    let expected: Vec<_> = (0..400).flat_map(|query| of_query(query, 7)).collect();
    for table in [&table, &built] {
        assert_eq!(bench.near(table, &many, &["-k", "1"]), expected);
    }
}

#[test]
fn fingerprints_are_printed_as_csv_the_same_for_any_number_of_threads() {
    let print = |threads| {
        let arguments = ["fingerprint", "corpora/demo/submissions", "--threads", threads, "--features", "keywords:20"];
        text(&copytrace().args(arguments).args(["--weights", "levels"]).assert().success().get_output().stdout)
    };
    let printed = print("1");
    assert!(printed.starts_with("document,features,fingerprint\r\nen-01-"), "{printed}");
    assert_eq!(printed.lines().count(), 9);
    assert!(printed.lines().skip(1).all(|line| line.contains(",keywords:20 levels,")));
    assert_eq!(printed, print("3"));
}

#[test]
fn a_text_without_features_has_the_fingerprint_zero_and_is_named() {
    let bench = Bench::new();
    let path = bench.write("stop.txt", "of the and it is not");
    let (code, stdout, stderr) = bench.run(["fingerprint".as_ref(), path.as_os_str()]);
    assert_eq!((code, stdout.lines().last()), (0, Some("stop.txt,terms,0000000000000000")));
    assert!(stderr.contains("stop.txt: no features"), "{stderr}");
}

#[test]
fn texts_without_features_match_nothing_and_their_rows_are_named() {
    let bench = Bench::new();
    let stored = bench.write_words("stored.u64", &[0, 0b11, 0, u64::MAX]);
    let queries = bench.write_words("queries.u64", &[0b111, 0]);
    let tables = bench.build(&stored, "stored.tables", "auto", "3");
    for (table, queries, expected) in
        [(&stored, &queries, (0, 1, 1)), (&tables, &queries, (0, 1, 1)), (&queries, &stored, (1, 0, 1))]
    {
        assert_eq!(bench.near(table, queries, &[]), [expected]);
        let mut command = copytrace();
        let told = command.args(["near", "--table"]).arg(table).arg("--queries").arg(queries).assert().success();
        let stderr = text(&told.get_output().stderr);
        assert!(stderr.contains("queries.u64: 1 fingerprint is 0"), "{stderr}");
        assert!(stderr.contains("2 fingerprints are 0") && stderr.contains("rows 0, 2"), "{stderr}");
    }
}

#[test]
fn documents_are_alike_by_the_sentences_they_share() {
    let bench = Bench::new();
    bench.write("table/mixed.txt", format!("{MARSH} {LIBRARY} Nothing else is known."));
    bench.write("table/other.txt", LIBRARY);
    bench.write("queries/thesis.txt", format!("{DYKE} {MARSH} {MARSH} {LIBRARY}"));
    for name in ["table", "queries"] {
        let mut command = copytrace();
        command.arg("fingerprint").arg(bench.path(name)).args(["--sentences", "--features", "words"]);
        command.arg("-o").arg(bench.path(format!("{name}.csv"))).assert().success();
    }
    let mut command = copytrace();
    command.args(["near", "--sentences", "--table"]).arg(bench.path("table.csv"));
    let run = command.arg("--queries").arg(bench.path("queries.csv")).assert().success();
    assert_eq!(
        text(&run.get_output().stdout),
        "query,match,query_sentences,match_sentences,query_shared,match_shared,query_share,match_share\r\n\
         thesis.txt,mixed.txt,4,3,3,2,0.7500,0.6667\r\n\
         thesis.txt,other.txt,4,1,1,1,0.2500,1.0000\r\n"
    );
    let rows = Csv::read(&bench.path("queries.csv"));
    let places: Vec<&str> = rows.rows().iter().map(|row| row["start"].as_str()).collect();
    assert_eq!(places, ["0", "72", "154", "236"]);
}

/// Lines of JSON: (id, text, author, date).
fn json_lines(documents: &[(&str, &str, &str, &str)]) -> String {
    let line = |(id, text, author, date): &(&str, &str, &str, &str)| {
        serde_json::json!({ "id": id, "text": text, "author": author, "date": date }).to_string() + "\n"
    };
    documents.iter().map(line).collect()
}

const LONG: &str = "Tidal marshes trap the silt that every flood carries over the banks of the creek. Engineers who build \
    dykes in front of it starve the surface, and within decades its channels widen until the plants drown. Villages \
    behind the dyke then ask for a higher one, and the money for it is found in a wet year.";

/// An index of three documents: two versions of [`LONG`] by different authors and years, and something else.
fn an_index(bench: &Bench) -> PathBuf {
    let edited = LONG.replace("wet year", "dry year");
    let lines = json_lines(&[
        ("old", LONG, "Li Wei", "2001-05-01"),
        ("new", &edited, "Ann Ode", "2026-05-01"),
        ("other", LIBRARY, "Ann Ode", "2020-01-01"),
    ]);
    let (index, corpus) = (bench.path("index"), bench.write("corpus.jsonl", lines));
    copytrace().args(["index", "create"]).arg(&index).assert().success();
    copytrace().args(["index", "add"]).arg(&index).arg(corpus).assert().success();
    index
}

#[test]
fn an_index_answers_for_documents_and_for_fingerprints_in_hexadecimal() {
    let bench = Bench::new();
    let (index, query) = (an_index(&bench), bench.write("query.txt", LONG));
    let near = |more: &[&std::ffi::OsStr]| {
        let run = copytrace().args(["near", "-k", "7", "--index"]).arg(&index).args(more).assert().success();
        text(&run.get_output().stdout)
    };
    let (_, printed, _) = bench.run(["fingerprint".as_ref(), query.as_os_str()]);
    let fingerprint = printed.trim_end().rsplit(',').next().unwrap().to_owned();
    let found = near(&[query.as_os_str(), fingerprint.as_ref()]);
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines[..2], ["query,match,hamming", "query.txt,old,0"]);
    assert!(lines[2].starts_with("query.txt,new,"), "{found}");
    assert_eq!(lines.len(), 5, "{found}");
    assert_eq!(lines[3], format!("{fingerprint},old,0"));

    let words = bench.write_words("queries.u64", &[7, u64::from_str_radix(&fingerprint, 16).unwrap()]);
    assert_eq!(near(&["--queries".as_ref(), words.as_ref()]).lines().nth(1), Some("1,old,0"));

    // Filters, and a removed document.
    let found = near(&[query.as_os_str(), "--since".as_ref(), "2020-01-01".as_ref()]);
    assert!(found.lines().count() == 2 && found.contains("query.txt,new,"), "{found}");
    copytrace().args(["index", "remove"]).arg(&index).arg("old").assert().success();
    assert!(!near(&[query.as_os_str()]).contains(",old,"));
}

#[test]
fn an_index_of_terms_refuses_fingerprints_of_other_features() {
    let bench = Bench::new();
    let (index, query) = (an_index(&bench), bench.write("query.txt", LONG));
    let words = bench.path("words.u64");
    let mut command = copytrace();
    command.arg("fingerprint").arg(&query).args(["--features", "words", "-o"]).arg(&words).assert().success();
    for (more, reason, code) in [
        (vec!["--queries".into(), words], "made of terms, the queries' of words", 2),
        (vec!["--features".into(), "chars:4".into(), query], "made of terms, the queries' of chars:4", 2),
        (vec![bench.path("missing.txt")], "missing.txt", 3),
        (vec![bench.write("stop.txt", "it is not")], "stop.txt: no features", 3),
    ] {
        let run = copytrace().args(["near", "--index"]).arg(&index).args(more).assert().code(code);
        assert!(text(&run.get_output().stderr).contains(reason), "{}", text(&run.get_output().stderr));
    }
}

/// Runs `near --follow` and gives the exit code and the answers.
fn follow(lines: &str, arguments: &[&std::ffi::OsStr]) -> (i32, Vec<serde_json::Value>) {
    let run = copytrace().args(["near", "--follow"]).args(arguments).write_stdin(lines).output().unwrap();
    let answers = text(&run.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (run.status.code().unwrap(), answers)
}

/// The ids of an answer's matches.
fn matches(answer: &serde_json::Value) -> Vec<&str> {
    answer["matches"].as_array().unwrap().iter().map(|found| found["id"].as_str().unwrap()).collect()
}

#[test]
fn a_stream_is_answered_line_by_line_from_what_came_before() {
    let soon = "2999-01-01";
    let lines = json_lines(&[
        ("first", LONG, "Ann", soon),
        ("other", LIBRARY, "Ann", soon),
        ("second", &LONG.to_uppercase(), "Li", soon),
        ("ancient", LONG, "Bo", "1999-01-01"),
        ("third", LONG, "Ann", soon),
    ]);
    let lines = format!("{lines}not json\n\n{}", json_lines(&[("first", LONG, "Eve", soon)]));
    let (code, answers) = follow(&lines, &[]);
    assert_eq!((code, answers.len()), (3, 7), "a bad line and a second `first`");
    let found: Vec<Vec<&str>> = answers[..5].iter().map(matches).collect();
    assert_eq!(found, [vec![], vec![], vec!["first"], vec!["first", "second"], vec!["ancient", "first", "second"]]);
    assert_eq!(answers[2], serde_json::json!({ "id": "second", "matches": [{ "id": "first", "hamming": 0 }] }));
    assert_eq!(answers[5]["line"], 6);
    assert!(answers[6]["error"].as_str().unwrap().contains("another document has this id"));

    let (_, answers) = follow(&lines, &["--max-age".as_ref(), "7d".as_ref(), "--exclude-same-author".as_ref()]);
    assert_eq!(matches(&answers[4]), ["second"], "`ancient` is too old, `first` by the same author");
}

#[test]
fn a_stream_into_an_index_finds_what_is_there_and_stays_there() {
    let bench = Bench::new();
    let index = an_index(&bench);
    let lines = json_lines(&[
        ("stream", LONG, "Bo", "2026-06-01"),
        ("old", LONG, "Li Wei", "2026-06-02"),
        ("../../old", LONG, "Li Wei", "2026-06-03"),
    ]);
    let (code, answers) = follow(&lines, &["-k7".as_ref(), "--index".as_ref(), index.as_os_str()]);
    assert_eq!((code, &answers[2]["line"]), (3, &3.into()), "an index takes no id that leads out of a folder");
    assert_eq!(matches(&answers[0])[0], "old");
    assert!(matches(&answers[0]).contains(&"new"));
    assert_eq!(matches(&answers[1])[0], "stream", "`old` takes the place of its former self and is not told of it");
    let (code, answers) = follow(&json_lines(&[("last", LONG, "", "")]), &["--index".as_ref(), index.as_os_str()]);
    assert_eq!((code, matches(&answers[0])[..2].to_vec()), (0, vec!["old", "stream"]));
    copytrace().args(["index", "verify"]).arg(&index).assert().success();
}

#[test]
fn bad_input_is_named_with_its_reason_and_the_exit_code_is_two() {
    let bench = Bench::new();
    let good = bench.write_words("good.u64", &[1, 2]);
    let cut = bench.write("cut.u64", [0; 13]);
    let foreign = bench.write("table.bin", [0; 16]);
    let chars = bench.write("chars.csv", "document,features,fingerprint\na,chars:4,0000000000000001\n");
    let words = bench.write("words.csv", "document,features,fingerprint\na,words levels,0000000000000001\n");
    let garbled = bench.write("garbled.csv", "fingerprint\n0000000000000001\n0x12\n");
    let missing = bench.path("missing.u64");
    for (table, queries, more, reasons) in [
        (&cut, &good, &[][..], &["cut.u64", "13 bytes, which is no multiple of 8"][..]),
        (&good, &cut, &[], &["cut.u64", "13 bytes"]),
        (&good, &missing, &[], &["missing.u64", "No such file"]),
        (&foreign, &good, &[], &["table.bin", ".u64, .csv or .tables"]),
        (&good, &garbled, &[], &["garbled.csv", "line 3", "`0x12`"]),
        (&chars, &words, &[], &["the table's fingerprints are made of chars:4, the queries' of words levels"]),
        (&good, &good, &["-k", "8"], &["8", "0..=7"]),
        (&good, &good, &["--engine", "fast"], &["unknown engine \"fast\""]),
        (&good, &good, &["--engine", "scan"], &["--engine", "--queries"]),
        (&good, &good, &["--sentences"], &["good.u64", "not the fingerprints of sentences"]),
        (&good, &good, &["--max-age", "7d"], &["filters are for --index and --follow"]),
        (&chars, &chars, &["--sentences"], &["chars.csv", "not the fingerprints of sentences"]),
    ] {
        let mut command = copytrace();
        command.args(["near", "--table"]).arg(table).arg("--queries").arg(queries).args(more);
        let run = command.assert().code(2);
        let stderr = text(&run.get_output().stderr);
        assert!(reasons.iter().all(|reason| stderr.contains(reason)), "{reasons:?}: {stderr}");
    }
    for (arguments, reason) in [
        (&["--features", "chars:0"][..], "`chars:0` are no features"),
        (&["--features", "chars:4", "--weights", "real"], "chars:4 always weigh the same"),
        (&["--weights", "heavy"], "equal, levels or real"),
        (&["-o", "out.txt"], "out.txt: fingerprints are written to a .csv or .u64 file"),
        (&["-o", "Cargo.toml/out.u64"], "Cargo.toml/out.u64"),
    ] {
        let (code, _, stderr) = bench.run(["fingerprint", "corpora/demo/submissions"].iter().chain(arguments));
        assert_eq!(code, 2);
        assert!(stderr.contains(reason), "{stderr}");
    }
}

#[test]
fn an_unreadable_document_is_named_and_the_others_have_their_fingerprints() {
    let bench = Bench::new();
    bench.write("in/empty.txt", "");
    bench.write("in/good.txt", MARSH);
    let (code, stdout, stderr) = bench.run(["fingerprint".as_ref(), bench.path("in").as_os_str()]);
    assert_eq!((code, stdout.lines().count()), (3, 2));
    assert!(stderr.contains("empty.txt"), "{stderr}");
}
