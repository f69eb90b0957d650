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
fn model(folder: &Path) -> PathBuf {
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
        ("codes", &[512, 512], 1.0),
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
    let mut list = "format = 1\nname = \"a thousand words\"\n[files]\n".to_owned();
    for (name, bytes) in files {
        let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        list += &format!("\"{name}\" = \"{sum}\"\n");
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    std::fs::write(folder.join("model.toml"), list).unwrap();
    folder
}

/// The words of sentence `number` of a text.
fn sentence(text: usize, number: usize) -> Vec<usize> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64((text * 1000 + number) as u64);
    (0..12).map(|_| random.random_range(0..WORDS)).collect()
}

fn in_english(text: usize, numbers: std::ops::Range<usize>) -> String {
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
        ("model.toml", &*list.replace("format = 1", "format = 2"), "format 2; this version reads 1"),
        ("model.toml", "format = 1", "missing field"),
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

/// The rows of resemblances that a check against an index gives.
fn resemblances(bench: &Bench, model: &Path, output: &str) -> Vec<u8> {
    let mut command = copytrace();
    command.args(["check", "--no-shared", "--format", "csv", "--index"]).arg(bench.path("index"));
    command.arg(bench.path("thesis.txt")).arg("--semantic").arg(model).arg("-o").arg(bench.path(output));
    command.assert().success();
    std::fs::read(bench.path(output).join("resemblances.csv")).unwrap()
}

#[test]
fn what_an_index_keeps_of_meanings_gives_the_same_rows_and_goes_with_its_documents() {
    let (bench, model, _) = bench();
    let run = |arguments: &[&str]| {
        let said = copytrace().arg("index").args(arguments).assert().success().get_output().stderr.clone();
        text(&said)
    };
    let (index, corpus) = (bench.path("index"), bench.path("corpus"));
    let [dir, corpus, folder] = [&index, &corpus, &model].map(|path| path.to_str().unwrap());
    run(&["create", dir]);
    run(&["add", dir, corpus]);
    let read_anew = resemblances(&bench, &model, "anew");
    let said = run(&["add", dir, "--semantic", folder]);
    assert!(said.contains("what a thousand words makes of 8 documents is kept"), "{said}");
    assert_eq!(resemblances(&bench, &model, "kept"), read_anew);
    let kept =
        || std::fs::read_dir(index.join("derived")).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<_>>();
    let [file] = &kept()[..] else { panic!("{:?}", kept()) };
    let bytes = std::fs::metadata(file).unwrap().len();
    run(&["remove", dir, "4.txt"]);
    run(&["compact", dir]);
    let [file] = &kept()[..] else { panic!("{:?}", kept()) };
    assert!(std::fs::metadata(file).unwrap().len() < bytes - bytes / 9);
    std::fs::write(file, &std::fs::read(file).unwrap()[..1000]).unwrap();
    let said = copytrace()
        .args(["check", "--index", dir, "--semantic", folder])
        .arg(bench.path("thesis.txt"))
        .arg("-o")
        .arg(bench.path("damaged"))
        .assert()
        .failure();
    assert!(text(&said.get_output().stderr).contains(file.file_name().unwrap().to_str().unwrap()));
}
