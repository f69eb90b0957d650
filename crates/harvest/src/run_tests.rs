use super::*;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A sink that keeps texts in memory, and may be killed.
#[derive(Default, Clone, Debug, PartialEq)]
struct Memory {
    texts: BTreeMap<String, String>,
    committed: BTreeMap<String, String>,
    /// How many more calls succeed; all do if there is no number.
    calls: Option<u32>,
}

impl Memory {
    fn call(&mut self) -> Result<(), Box<dyn Error + Send + Sync>> {
        match &mut self.calls {
            Some(0) => Err("killed".into()),
            Some(left) => {
                *left -= 1;
                Ok(())
            }
            None => Ok(()),
        }
    }
}

impl Sink for Memory {
    fn put(&mut self, documents: Vec<Document>, _job: &Job) -> Result<Vec<Kept>, Box<dyn Error + Send + Sync>> {
        self.call()?;
        let put = |document: Document| match self.texts.insert(document.id, document.text.clone()) {
            None => Kept::New,
            Some(before) if before == document.text => Kept::Unchanged,
            Some(_) => Kept::Replaced,
        };
        Ok(documents.into_iter().map(put).collect())
    }

    fn remove(&mut self, id: &str) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.call()?;
        self.texts.remove(id);
        Ok(())
    }

    fn commit(&mut self) -> Result<u64, Box<dyn Error + Send + Sync>> {
        self.call()?;
        self.committed = self.texts.clone();
        Ok(0)
    }
}

/// Runs until it ends or is killed; what was not committed is lost then.
fn run(sources: &[&Path], folder: &Path, memory: &mut Memory, options: &Options) -> Option<Vec<SourceState>> {
    let sources: Vec<Source> = sources.iter().map(|path| path.to_str().unwrap().parse().unwrap()).collect();
    let mut store = Store::open(folder).unwrap();
    let states = harvest(&sources, memory, &mut store, options, &Job::default(), &mut |_| {});
    if states.is_err() {
        memory.texts = memory.committed.clone();
    }
    states.ok()
}

fn lines(path: &Path, documents: impl Iterator<Item = (u32, u32)>) {
    let line = |(id, version)| format!("{{\"id\":\"{id}\",\"text\":\"Text {id} in version {version}.\"}}\n");
    fs::write(path, documents.map(line).collect::<String>()).unwrap();
    // The time of a change tells the next run of it.
    let now = std::time::SystemTime::now();
    fs::File::options().write(true).open(path).unwrap().set_modified(now).unwrap();
}

#[test]
fn a_second_run_takes_what_is_new_or_changed_and_removes_what_went() {
    let folder = tempfile::tempdir().unwrap();
    let (path, state) = (folder.path().join("a.jsonl"), folder.path().join("state"));
    let (mut memory, options) = (Memory::default(), Options::default());
    lines(&path, (0..10).map(|id| (id, 0)));
    let [first] = &run(&[&path], &state, &mut memory, &options).unwrap()[..] else { panic!() };
    assert_eq!((first.new, first.documents, first.finished), (10, 10, true));
    let [same] = &run(&[&path], &state, &mut memory, &options).unwrap()[..] else { panic!() };
    assert_eq!((same.new, same.unchanged, same.removed), (0, 10, 0));
    lines(&path, (2..12).map(|id| (id, id / 6)));
    let [third] = &run(&[&path], &state, &mut memory, &options).unwrap()[..] else { panic!() };
    assert_eq!((third.new, third.replaced, third.unchanged, third.removed, third.documents), (2, 4, 4, 2, 10));
    assert_eq!(
        memory.texts.keys().map(|id| id.parse().unwrap()).collect::<std::collections::BTreeSet<u32>>(),
        (2..12).collect()
    );
    assert_eq!(memory.committed, memory.texts);
}

#[test]
fn a_run_that_is_killed_anywhere_is_made_good_by_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let (path, other) = (folder.path().join("a.jsonl"), folder.path().join("b.jsonl"));
    lines(&other, (3000..3010).map(|id| (id, 0)));
    lines(&path, (0..5000).map(|id| (id, 0)));
    let (mut start, options) = (Memory::default(), Options::default());
    let before = folder.path().join("before");
    run(&[&path], &before, &mut start, &options).unwrap();
    lines(&path, (500..6000).map(|id| (id, id / 4000)));
    let mut whole = start.clone();
    let copy = |to: &Path| {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(&before).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    };
    let state = folder.path().join("whole");
    copy(&state);
    run(&[&path, &other], &state, &mut whole, &options).unwrap();
    assert_eq!(whole.texts.len(), 5500);
    for kill in (0..520).step_by(19) {
        let state = folder.path().join(kill.to_string());
        copy(&state);
        let mut memory = Memory { calls: Some(kill), ..start.clone() };
        let ended = run(&[&path, &other], &state, &mut memory, &options);
        assert_eq!(ended.is_some(), kill > 508, "{kill}");
        memory.calls = None;
        run(&[&path, &other], &state, &mut memory, &options).unwrap();
        assert_eq!(memory.texts, whole.texts, "killed at {kill}");
        fs::remove_dir_all(&state).unwrap();
    }
}

#[test]
fn a_source_that_ends_early_loses_nothing_of_what_it_gave_before() {
    let folder = tempfile::tempdir().unwrap();
    let (path, state) = (folder.path().join("a.jsonl.zst"), folder.path().join("state"));
    let (mut memory, options) = (Memory::default(), Options::default());
    let text = (0..50)
        .map(|id| format!("{{\"id\":\"{id}\",\"text\":\"Text {}\"}}\n", "of a tide ".repeat(id)))
        .collect::<String>();
    let packed = zstd::encode_all(text.as_bytes(), 3).unwrap();
    fs::write(&path, &packed).unwrap();
    run(&[&path], &state, &mut memory, &options).unwrap();
    fs::write(&path, &packed[..packed.len() / 2]).unwrap();
    let [cut] = &run(&[&path], &state, &mut memory, &options).unwrap()[..] else { panic!() };
    assert!(!cut.finished && cut.errors.contains_key("truncated"), "{cut:?}");
    assert_eq!(memory.texts.len(), 50);
    fs::remove_file(&path).unwrap();
    let [gone] = &run(&[&path], &state, &mut memory, &options).unwrap()[..] else { panic!() };
    assert!(!gone.finished && gone.errors.contains_key("missing"), "{gone:?}");
    assert_eq!(memory.texts.len(), 50);
}

#[test]
fn records_of_one_id_are_taken_once_and_those_without_text_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let (path, state) = (folder.path().join("a.jsonl"), folder.path().join("state"));
    fs::write(&path, "{\"id\":\"1\",\"text\":\"a b c\"}\n{\"id\":\"1\",\"text\":\"d\"}\n{\"id\":\"2\",\"text\":\" \"}\n{\"id\":\"3\"}\n").unwrap();
    let mut memory = Memory::default();
    let [read] = &run(&[&path], &state, &mut memory, &Options::default()).unwrap()[..] else { panic!() };
    assert_eq!(memory.texts.len(), 1);
    let codes: Vec<(&str, u64)> = read.errors.iter().map(|(code, errors)| (code.as_str(), errors.count)).collect();
    assert_eq!(codes, [("no-text-field", 1), ("only-white-space", 1), ("repeated-record", 1)]);
    assert_eq!(read.errors["only-white-space"].examples, ["2"]);
}

#[test]
fn a_dry_run_counts_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (path, state) = (folder.path().join("a.jsonl"), folder.path().join("state"));
    lines(&path, (0..10).map(|id| (id, 0)));
    let options = Options { dry: true, ..Options::default() };
    let [counted] = &run(&[&path], &state, &mut Memory { calls: Some(0), ..Memory::default() }, &options).unwrap()[..]
    else {
        panic!()
    };
    assert_eq!((counted.new, counted.documents), (10, 0));
    assert!(!state.exists());
}

/// A crawl of these pages of text, as WET.
fn crawl(path: &Path, pages: impl Iterator<Item = String>) {
    let page = |(number, text): (usize, String)| {
        let address = format!("http://{}.org/{number}", path.file_stem().unwrap().to_str().unwrap());
        let head = format!(
            "WARC/1.0\r\nWARC-Type: conversion\r\nWARC-Target-URI: {address}\r\nContent-Length: {}",
            text.len()
        );
        format!("{head}\r\n\r\n{text}\r\n\r\n")
    };
    fs::write(path, pages.enumerate().map(page).collect::<String>()).unwrap();
}

/// A page of words that no page of another number has.
fn page(number: u32) -> String {
    (0..40).map(|word| format!(" creek{}", number * 40 + word)).collect::<String>() + &format!(" of page {number}")
}

#[test]
fn a_page_that_is_there_twice_is_taken_once_in_spite_of_kills() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (folder.path().join("a.warc"), folder.path().join("b.wet"));
    crawl(&a, (0..40).map(|number| format!("A{}{}", page(number % 30), if number < 30 { "" } else { " x" })));
    crawl(&b, (20..50).map(|number| format!("B{}", page(number))));
    let options = Options::default();
    let run_both = |state: &str, memory: &mut Memory| run(&[&a, &b], &folder.path().join(state), memory, &options);
    let mut whole = Memory::default();
    let states = run_both("whole", &mut whole).unwrap();
    let left_out = |state: &SourceState| state.left_out.get("near-duplicate").copied();
    assert_eq!(
        (states[0].new, left_out(&states[0]), states[1].new, left_out(&states[1])),
        (30, Some(10), 20, Some(10))
    );
    assert!(whole.texts.values().filter(|text| text.ends_with("page 25")).eq([&format!("A{}", page(25))]));
    for kill in 0..8 {
        let mut memory = Memory { calls: Some(kill), ..Memory::default() };
        run_both(&kill.to_string(), &mut memory);
        memory.calls = None;
        let states = run_both(&kill.to_string(), &mut memory).unwrap();
        assert_eq!((&memory.texts, states[1].documents), (&whole.texts, 20), "killed at {kill}");
    }
    // Files are no pages of a crawl: nobody asked for one of two versions of a thesis.
    let lines_of = folder.path().join("c.jsonl");
    fs::write(&lines_of, "{\"id\":\"1\",\"text\":\"Page 1 x\"}\n{\"id\":\"2\",\"text\":\"Page 1 x\"}\n").unwrap();
    let [files] = &run(&[&lines_of], &folder.path().join("c"), &mut whole, &options).unwrap()[..] else { panic!() };
    assert_eq!((files.new, files.left_out.len()), (2, 0));
}

#[test]
fn texts_in_other_languages_are_left_out_and_another_choice_reads_the_source_again() {
    let folder = tempfile::tempdir().unwrap();
    let (path, state) = (folder.path().join("a.warc"), folder.path().join("state"));
    let english = "The flood carries silt over the banks of the creek, and the ebb leaves most of it between the stems of \
                   the plants that grow there in spring, as everyone knows who has been there.";
    let german = "Die Flut trägt den Schlick über die Ufer des Priels, und die Ebbe lässt das meiste davon zwischen den Stängeln \
                  der Pflanzen zurück, die dort im Frühling wachsen.";
    crawl(&path, [english, german, "Too short to tell."].map(str::to_owned).into_iter());
    let mut memory = Memory::default();
    for (languages, taken) in [(vec!["de"], 2), (vec!["en"], 2), (vec!["en", "de"], 3), (vec![], 3), (vec!["zh"], 1)] {
        let languages: Vec<String> = languages.into_iter().map(str::to_owned).collect();
        let options = Options { languages: languages.clone(), ..Options::default() };
        let [read] = &run(&[&path], &state, &mut memory, &options).unwrap()[..] else { panic!() };
        let left_out = read.left_out.get("other-language").copied().unwrap_or_default();
        assert_eq!((read.documents, left_out, memory.texts.len()), (taken, 3 - taken, taken as usize), "{languages:?}");
    }
}

#[test]
fn a_file_whose_time_is_over_is_gone_on_with_by_the_next_run_until_it_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let (path, state) = (folder.path().join("a.jsonl"), folder.path().join("state"));
    let documents = 3 * BATCH_RECORDS as u32 + 10;
    lines(&path, (0..documents).map(|id| (id, 0)));
    let web = WebSettings { time: Some(Duration::ZERO), ..WebSettings::default() };
    let (mut memory, options) = (Memory::default(), Options { web, ..Options::default() });
    let mut given = 0;
    for number in 1.. {
        let [read] = &run(&[&path], &state, &mut memory, &options).unwrap()[..] else { panic!() };
        assert!(read.errors.is_empty(), "that the time is over is nothing wrong: {read:?}");
        assert!(read.documents > given, "each run gets on");
        given = read.documents;
        assert_eq!(memory.committed.len() as u64, given);
        if read.finished {
            assert!(number > 1, "one run was enough");
            break;
        }
    }
    assert_eq!(given, u64::from(documents));
}
