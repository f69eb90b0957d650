//! Translated and retold passages, found with a model of a thousand words in two languages.

use crate::program::{Bench, Csv, copytrace, text};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use safetensors::Dtype;
use safetensors::tensor::TensorView;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Words that mean the same, in English and in Chinese.
const WORDS: usize = 1000;

/// Numbers that are the same each time, of both signs.
fn numbers(count: usize, seed: u32, scale: f32) -> Vec<u8> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed.into());
    (0..count).flat_map(|_| random.random_range(-scale..=scale).to_le_bytes()).collect()
}

fn english(word: usize) -> String {
    let (consonants, vowels) = (*b"bdfgklmnpt", *b"aeiou");
    let (first, second) = (consonants[word % 10] as char, consonants[word / 10 % 10] as char);
    format!("{first}{}{second}{}m", vowels[word / 100 % 5] as char, vowels[word / 500] as char)
}

fn chinese(word: usize) -> char {
    char::from_u32(0x4e00 + 7 * word as u32).unwrap()
}

/// A model in which a word and its translation have one vector, and all else none.
pub fn model(folder: &Path) -> PathBuf {
    let folder = folder.join("model");
    std::fs::create_dir_all(&folder).unwrap();
    let mut pieces = "<unk>\t0\n<s>\t0\n</s>\t0\n▁\t-5\n".to_owned();
    (0..WORDS).for_each(|word| pieces += &format!("▁{}\t-2\n", english(word)));
    (0..WORDS).for_each(|word| pieces += &format!("{}\t-2\n", chinese(word)));
    // A piece has bytes around 128, which is 0; those of words are far from it.
    let mut embedding = vec![128; 4 * 512];
    for word in 0..2 * WORDS {
        let vector = numbers(512, 1000 + (word % WORDS) as u32, 100.0);
        embedding.extend(vector.as_chunks().0.iter().map(|bytes| (f32::from_le_bytes(*bytes) + 128.0) as u8));
    }
    let mut tensors: BTreeMap<String, (Dtype, Vec<usize>, Vec<u8>)> = BTreeMap::new();
    let mut seed = 0;
    let mut add = |name: &str, shape: &[usize], scale: f32| {
        seed += 1;
        let bytes = numbers(shape.iter().product(), seed, scale);
        tensors.insert(name.to_owned(), (Dtype::F32, shape.to_vec(), bytes));
    };
    for (name, shape, scale) in [
        ("project", &[512, 12][..], 0.1),
        ("project.bias", &[12], 0.1),
        ("project.norm.scale", &[12], 1.0),
        ("project.norm.shift", &[12], 0.1),
        ("norm.scale", &[524], 1.0),
        ("norm.shift", &[524], 0.01),
        ("pool", &[524, 512], 0.1),
        ("pool.bias", &[512], 0.01),
        ("dense0", &[512, 512], 0.1),
        ("dense1", &[512, 512], 0.03),
        ("dense2", &[512, 512], 0.03),
        ("dense3", &[512, 512], 0.03),
        ("skip1", &[512, 512], 0.1),
        ("skip3", &[512, 512], 0.1),
        ("codes", &[512, 128], 0.1),
    ] {
        add(name, shape, scale);
    }
    for run in [2, 3, 5] {
        add(&format!("run{run}.first"), &[run * 4, 4], 0.3);
        add(&format!("run{run}.first.bias"), &[4], 0.1);
        add(&format!("run{run}.second"), &[run * 4, 4], 0.3);
        add(&format!("run{run}.second.bias"), &[4], 0.1);
    }
    let number = |number: f32| (Dtype::F32, vec![1], number.to_le_bytes().to_vec());
    tensors.insert("embedding.scale".to_owned(), number(1.0 / 64.0));
    tensors.insert("embedding.least".to_owned(), number(-2.0));
    tensors.insert("embedding".to_owned(), (Dtype::U8, vec![embedding.len() / 512, 512], embedding));
    let views = tensors
        .iter()
        .map(|(name, (dtype, shape, bytes))| (name, TensorView::new(*dtype, shape.clone(), bytes).unwrap()));
    let files = [
        ("pieces.tsv", pieces.into_bytes()),
        ("encoder.safetensors", safetensors::serialize(views, None).unwrap()),
        ("LICENCES", b"None is needed.".to_vec()),
    ];
    let mut list = "format = 3\nname = \"a thousand words\"\n[files]\n".to_owned();
    for (name, bytes) in files {
        let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        list += &format!("\"{name}\" = \"{sum}\"\n");
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    std::fs::write(folder.join("model.toml"), list).unwrap();
    folder
}

/// Writes into the list of a model which languages it knows.
fn knows(model: &Path, languages: &str) {
    let list = std::fs::read_to_string(model.join("model.toml")).unwrap();
    std::fs::write(model.join("model.toml"), list.replace("[files]", &format!("languages = [{languages}]\n[files]")))
        .unwrap();
}

/// Adds a dictionary of the thousand words to a model.
fn with_dictionary(model: &Path) {
    let lines = |word: usize| format!("{}\t{}\n", chinese(word), english(word));
    let lines: String = (0..WORDS).map(lines).collect();
    let sum: String = Sha256::digest(&lines).iter().map(|byte| format!("{byte:02x}")).collect();
    std::fs::write(model.join("zh-en.tsv"), lines).unwrap();
    let list = std::fs::read_to_string(model.join("model.toml")).unwrap();
    std::fs::write(model.join("model.toml"), list + &format!("\"zh-en.tsv\" = \"{sum}\"\n")).unwrap();
}

/// The words of sentence `number` of a text.
fn sentence(text: usize, number: usize) -> Vec<usize> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64((text * 1000 + number) as u64);
    (0..12).map(|_| random.random_range(0..WORDS)).collect()
}

pub fn in_english(text: usize, numbers: std::ops::Range<usize>) -> String {
    let sentence = |number| sentence(text, number).into_iter().map(english).collect::<Vec<_>>().join(" ");
    numbers.map(|number| format!("The {}. ", sentence(number))).collect()
}

fn in_chinese(text: usize, numbers: std::ops::Range<usize>) -> String {
    numbers.map(|number| format!("{}。", sentence(text, number).into_iter().map(chinese).collect::<String>())).collect()
}

/// A corpus of eight English texts, and a Chinese submission that has six sentences of the fourth in it.
fn bench() -> (Bench, PathBuf, String) {
    let bench = Bench::new();
    (1..9).for_each(|text| drop(bench.write(format!("corpus/{text}.txt"), in_english(text, 0..200))));
    let taken = in_chinese(4, 20..26);
    bench.write("thesis.txt", in_chinese(20, 0..100) + &taken + &in_chinese(20, 100..200));
    let folder = bench.path("");
    (bench, model(&folder), taken)
}

fn check(bench: &Bench, model: Option<&Path>, output: &str, threads: &str, cpu: Option<&str>) -> PathBuf {
    let mut command = copytrace();
    command.args(["check", "--threads", threads, "--format", "csv,json,html", "--corpus"]).arg(bench.path("corpus"));
    command.arg(bench.path("thesis.txt")).arg("-o").arg(bench.path(output));
    model.map(|model| command.arg("--semantic").arg(model));
    cpu.map(|cpu| command.env("COPYTRACE_CPU", cpu));
    let said = text(&command.assert().success().get_output().stderr);
    assert_eq!(said.contains("thesis.txt: 1 passage seems"), model.is_some(), "{said}");
    bench.path(output)
}

#[test]
fn a_translated_passage_is_found_where_it_stands_and_counts_in_no_ratio_of_copied_text() {
    let (bench, model, taken) = bench();
    let (plain, found) = (check(&bench, None, "plain", "2", None), check(&bench, Some(&model), "found", "2", None));
    let rows = Csv::read(&found.join("resemblances.csv"));
    let rows = rows.rows();
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!((rows[0]["source"].as_str(), rows[0]["kind"].as_str()), ("4.txt", "translated"));
    assert_eq!(rows[0]["submission_text"], taken.trim());
    assert_eq!(rows[0]["source_text"], in_english(4, 20..26).trim());
    for table in ["summary.csv", "sources.csv", "passages.csv", "chapters.csv", "excluded.csv", "flags.csv"] {
        let read = |folder: &Path| std::fs::read(folder.join(table)).unwrap();
        assert_eq!(read(&plain), read(&found), "{table}");
    }
    assert!(!plain.join("resemblances.csv").exists());
    let page = |folder: &Path| std::fs::read_to_string(folder.join("index.html")).unwrap();
    let column = ">Translated or retold</button>";
    assert!(page(&found).contains(column) && !page(&plain).contains(column));
    let report: serde_json::Value =
        serde_json::from_slice(&std::fs::read(found.join("thesis.txt.json")).unwrap()).unwrap();
    let ratio = report["resemblances"]["translated"]["ratio"].as_f64().unwrap();
    assert!((ratio - 6.0 / 206.0).abs() < 0.001, "{ratio}");
    assert_eq!(report["resemblances"]["passages"][0]["links"].as_array().unwrap().len(), 6);
    let page = std::fs::read_to_string(found.join("thesis.txt.html")).unwrap();
    assert!(
        page.contains("id=\"resemblances\"")
            && !std::fs::read_to_string(plain.join("thesis.txt.html")).unwrap().contains("id=\"resemblances\"")
    );
}

#[test]
fn a_dictionary_has_its_say_and_its_words_are_underlined() {
    let (bench, model, _) = bench();
    // Sources that are told to be English: a dictionary is between languages.
    let prose = "The council of the town has met in the old hall to speak of the roads that were lost in the flood. "
        .repeat(400);
    (1..9).for_each(|text| drop(bench.write(format!("corpus/{text}.txt"), in_english(text, 0..200) + &prose)));
    let evidence = |folder: &Path| {
        let report: serde_json::Value =
            serde_json::from_slice(&std::fs::read(folder.join("thesis.txt.json")).unwrap()).unwrap();
        let passage = &report["resemblances"]["passages"][0];
        (passage["evidence"].as_f64().unwrap(), passage["words"].as_array().unwrap().len())
    };
    let (without, no_words) = evidence(&check(&bench, Some(&model), "without", "2", None));
    assert_eq!(no_words, 0);
    with_dictionary(&model);
    let folder = check(&bench, Some(&model), "true", "2", None);
    let (with, words) = evidence(&folder);
    assert!(with > without + 5.0 && words > 60, "{with} {without} {words}");
    let page = std::fs::read_to_string(folder.join("thesis.txt.html")).unwrap();
    let first = sentence(4, 20)[0];
    assert!(
        page.contains(&format!("<u>{}</u>", chinese(first))) && page.contains(&format!("<u>{}</u>", english(first)))
    );
    std::fs::write(model.join("zh-en.tsv"), "one line").unwrap();
    let refused = copytrace().args(["semantic", "install"]).arg(&model).arg(bench.path("m")).assert().failure();
    let said = text(&refused.get_output().stderr);
    assert!(said.contains("zh-en.tsv") && said.contains("checksum"), "{said}");
}

#[test]
fn what_is_found_is_the_same_for_all_threads_and_processors() {
    let (bench, model, _) = bench();
    let files =
        |folder: PathBuf| ["resemblances.csv", "thesis.txt.json"].map(|file| std::fs::read(folder.join(file)).unwrap());
    let expected = files(check(&bench, Some(&model), "one", "1", None));
    assert_eq!(files(check(&bench, Some(&model), "two", "2", None)), expected);
    for cpu in ["portable", "avx2", "avx512"] {
        assert_eq!(files(check(&bench, Some(&model), cpu, "2", Some(cpu))), expected, "{cpu}");
    }
}

#[test]
fn a_model_is_installed_whole_or_not_at_all() {
    let bench = Bench::new();
    let from = model(&bench.path(""));
    let install = |to: &str| {
        let mut command = copytrace();
        command.args(["semantic", "install"]).arg(&from).arg(bench.path(to));
        command
    };
    let said = text(&install("installed").assert().success().get_output().stderr);
    assert!(said.contains("a thousand words"), "{said}");
    assert!(text(&install("installed").assert().failure().get_output().stderr).contains("installed"));
    let list = std::fs::read_to_string(from.join("model.toml")).unwrap();
    for (file, content, reason) in [
        ("pieces.tsv", "<unk>\t0", "its checksum is not that of the list"),
        (
            "model.toml",
            &*list.replace("format = 3", "format = 2"),
            "format 2; this version reads 3: make the folder anew",
        ),
        ("model.toml", "format = 1", "missing field"),
        ("model.toml", &*(list.clone() + "\"../key\" = \"\""), "names a file that no model has: ../key"),
        ("LICENCES", "", "its checksum is not that of the list"),
    ] {
        let before = std::fs::read(from.join(file)).unwrap();
        std::fs::write(from.join(file), content).unwrap();
        let said = text(&install("broken").assert().failure().get_output().stderr);
        assert!(said.contains(file) && said.contains(reason), "{said}");
        assert!(!bench.path("broken").exists());
        std::fs::write(from.join(file), before).unwrap();
    }
    std::fs::remove_file(from.join("pieces.tsv")).unwrap();
    assert!(text(&install("broken").assert().failure().get_output().stderr).contains("pieces.tsv"));
}

/// The rows of resemblances that a check against some indexes gives, and what it said.
fn resemblances(bench: &Bench, indexes: &[&str], model: &Path, output: &str) -> (Vec<u8>, String) {
    let mut command = copytrace();
    command.args(["check", "--no-shared", "--format", "csv"]);
    for index in indexes {
        command.arg("--index").arg(bench.path(index));
    }
    command.arg(bench.path("thesis.txt")).arg("--semantic").arg(model).arg("-o").arg(bench.path(output));
    let said = text(&command.assert().success().get_output().stderr);
    (std::fs::read(bench.path(output).join("resemblances.csv")).unwrap(), said)
}

/// What `copytrace index` says, which does as it is told.
fn index(bench: &Bench, arguments: &[&str]) -> String {
    let run = copytrace().current_dir(bench.path("")).arg("index").args(arguments).assert().success();
    text(&run.get_output().stderr) + &text(&run.get_output().stdout)
}

/// The files of what an index keeps of meanings.
fn kept(bench: &Bench, index: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(bench.path(index).join("derived"));
    entries.into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn what_an_index_keeps_of_meanings_gives_the_same_rows_and_goes_with_its_documents() {
    let (bench, model, _) = bench();
    index(&bench, &["create", "index"]);
    index(&bench, &["add", "index", "corpus"]);
    let (read_anew, _) = resemblances(&bench, &["index"], &model, "anew");
    let said = index(&bench, &["add", "index", "--semantic", "model"]);
    assert!(said.contains("what a thousand words makes of 8 documents is kept"), "{said}");
    assert_eq!(resemblances(&bench, &["index"], &model, "kept").0, read_anew);
    assert!(index(&bench, &["stats", "index"]).contains("values kept beside it"));
    index(&bench, &["verify", "index"]);
    let [file] = &kept(&bench, "index")[..] else { panic!("{:?}", kept(&bench, "index")) };
    let bytes = std::fs::metadata(file).unwrap().len();
    index(&bench, &["remove", "index", "4.txt"]);
    index(&bench, &["compact", "index"]);
    let [file] = &kept(&bench, "index")[..] else { panic!("{:?}", kept(&bench, "index")) };
    assert!(std::fs::metadata(file).unwrap().len() < bytes - bytes / 9);
}

#[test]
fn damage_to_what_is_kept_of_meanings_is_named_and_a_file_that_is_deleted_is_made_again() {
    let (bench, model, _) = bench();
    index(&bench, &["create", "index"]);
    index(&bench, &["add", "index", "corpus", "--semantic", "model"]);
    let (whole, _) = resemblances(&bench, &["index"], &model, "whole");
    let [file] = &kept(&bench, "index")[..] else { panic!("{:?}", kept(&bench, "index")) };
    let name = file.file_name().unwrap().to_str().unwrap();
    let bytes = std::fs::read(file).unwrap();
    for damaged in [&bytes[..1000], &[&bytes[..bytes.len() - 9], b"x", &bytes[bytes.len() - 8..]].concat()] {
        std::fs::write(file, damaged).unwrap();
        let verified = copytrace().args(["index", "verify"]).arg(bench.path("index")).assert().failure();
        let said = text(&verified.get_output().stderr) + &text(&verified.get_output().stdout);
        assert!(said.contains(name), "{said}");
        let mut check = copytrace();
        check.args(["check", "--index"]).arg(bench.path("index")).arg("--semantic").arg(&model);
        let checked = check.arg(bench.path("thesis.txt")).arg("-o").arg(bench.path("damaged")).assert().failure();
        assert!(text(&checked.get_output().stderr).contains(name));
        assert!(!bench.path("damaged").join("resemblances.csv").exists());
    }
    std::fs::remove_file(file).unwrap();
    index(&bench, &["add", "index", "--semantic", "model"]);
    index(&bench, &["verify", "index"]);
    assert_eq!(std::fs::read(file).unwrap(), bytes);
    assert_eq!(resemblances(&bench, &["index"], &model, "again").0, whole);
}

#[test]
fn meanings_are_taken_over_by_merging_and_looked_up_in_several_indexes() {
    let (bench, model, _) = bench();
    for name in ["odd", "even", "both"] {
        index(&bench, &["create", name]);
    }
    for text in 1..9 {
        index(&bench, &["add", if text % 2 == 0 { "even" } else { "odd" }, &format!("corpus/{text}.txt")]);
    }
    let (read_anew, _) = resemblances(&bench, &["odd", "even"], &model, "anew");
    index(&bench, &["add", "odd", "--semantic", "model"]);
    index(&bench, &["add", "even", "--semantic", "model"]);
    assert_eq!(resemblances(&bench, &["odd", "even"], &model, "kept").0, read_anew);
    index(&bench, &["merge", "both", "odd", "even"]);
    let values = kept(&bench, "both");
    assert_eq!(values.len(), 1, "{values:?}");
    index(&bench, &["add", "both", "--semantic", "model"]);
    assert_eq!(kept(&bench, "both"), values, "nothing was left to compute");
    index(&bench, &["verify", "both"]);
    assert_eq!(resemblances(&bench, &["both"], &model, "both report").0, read_anew);
}

#[test]
fn an_index_without_texts_says_that_it_is_not_searched_for_meanings() {
    let (bench, model, _) = bench();
    index(&bench, &["create", "index", "--no-text"]);
    let said = index(&bench, &["add", "index", "corpus", "--semantic", "model"]);
    assert!(said.contains("8 of 8 documents are not searched"), "{said}");
    let (rows, said) = resemblances(&bench, &["index"], &model, "report");
    assert!(said.contains("8 of 8 documents are not searched"), "{said}");
    assert_eq!(text(&rows).lines().count(), 1);
    assert_eq!(kept(&bench, "index"), [] as [PathBuf; 0]);
}

#[test]
fn languages_that_a_model_does_not_know_are_told_and_the_rest_goes_on() {
    let (bench, model, _) = bench();
    knows(&model, "\"en\"");
    index(&bench, &["create", "index"]);
    index(&bench, &["add", "index", "corpus"]);
    let (rows, said) = resemblances(&bench, &["index"], &model, "chinese");
    assert!(said.contains("thesis.txt: the model does not know a language of this text (zh)"), "{said}");
    assert_eq!(text(&rows).lines().count(), 1);
    bench.write("corpus/chinese.txt", in_chinese(30, 0..100));
    index(&bench, &["add", "index", "corpus"]);
    bench.write("thesis.txt", in_english(20, 0..100));
    let (_, said) = resemblances(&bench, &["index"], &model, "english");
    assert!(said.contains("1 of 9 documents are in languages that the model does not know"), "{said}");
    assert!(!said.contains("thesis.txt: the model"), "{said}");
    // A text in two languages, of which the model knows one.
    bench.write("thesis.txt", in_english(20, 0..100) + &in_chinese(21, 0..100));
    let (_, said) = resemblances(&bench, &["index"], &model, "two");
    assert!(said.contains("thesis.txt: the model does not know a language of this text (zh)"), "{said}");
}

#[test]
fn a_passage_is_found_in_the_smaller_part_of_a_text_in_two_languages() {
    let (bench, model, taken) = bench();
    index(&bench, &["create", "index"]);
    index(&bench, &["add", "index", "corpus"]);
    let chinese = in_chinese(20, 0..30) + &taken + &in_chinese(20, 30..60);
    bench.write("thesis.txt", in_english(21, 0..150) + "\n\n" + &chinese);
    resemblances(&bench, &["index"], &model, "report");
    let rows = Csv::read(&bench.path("report").join("resemblances.csv"));
    let rows = rows.rows();
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!((rows[0]["source"].as_str(), rows[0]["kind"].as_str()), ("4.txt", "translated"));
    assert_eq!(rows[0]["submission_text"], taken.trim());
}

#[test]
fn texts_without_sentences_are_read_and_nothing_is_found_in_them() {
    let (bench, model, _) = bench();
    index(&bench, &["create", "index"]);
    let words = |text: usize| (0..200).flat_map(|number| sentence(text, number)).map(english).collect::<Vec<_>>();
    let numbers = (0..400).map(|row| format!("{row}\t{}\t{}.5\n", row * 7, row * 3)).collect::<String>();
    for (name, text) in [
        ("no-ends.txt", words(40).join(" ")),
        ("list.txt", words(41).iter().map(|word| format!("- {word}\n")).collect()),
        ("table.txt", numbers.clone()),
        ("code.txt", words(42).chunks(2).map(|pair| format!("let {} = {}();\n", pair[0], pair[1])).collect()),
        ("poem.txt", words(43).chunks(5).map(|line| line.join(" ") + "\n").collect()),
    ] {
        bench.write(format!("odd/{name}"), text);
    }
    index(&bench, &["add", "index", "corpus"]);
    index(&bench, &["add", "index", "odd", "--semantic", "model"]);
    let lines = |from: usize| words(44).chunks(from).map(|line| line.join(" ") + "\n").collect::<String>();
    for (name, text) in
        [("no ends", words(44).join(" ")), ("lines", lines(1)), ("verses", lines(5)), ("numbers", numbers)]
    {
        bench.write("thesis.txt", text);
        let (rows, _) = resemblances(&bench, &["index"], &model, name);
        assert_eq!(self::text(&rows).lines().count(), 1, "{name}");
    }
}
