//! How the project is laid out: what `docs/ARCHITECTURE.md` says of the order of the folders holds in the code.

use crate::program::project;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms of the library in the order that the document states, the lowest first.
fn stated_order() -> Vec<String> {
    let document = fs::read_to_string(project("docs/ARCHITECTURE.md")).unwrap();
    let order = document.split("```").find(|block| block.starts_with("text\nsketch <")).expect("the order is stated");
    order.trim_start_matches("text").split('<').map(|room| room.trim().to_owned()).collect()
}

fn source_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(source_files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
    files
}

/// The room that a file of the library is in.
fn room(file: &Path) -> String {
    let relative = file.strip_prefix(project("src")).unwrap();
    let first = relative.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_owned()
}

/// The code of a file without its comments and its tests.
fn code(file: &Path) -> String {
    let source = fs::read_to_string(file).unwrap();
    let (source, _) = source.split_once("#[cfg(test)]\nmod tests {").unwrap_or((&source, ""));
    source.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The rooms that code imports: every `crate::room`.
fn imports(code: &str) -> BTreeSet<String> {
    let mut rooms = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(list) => rooms.extend(list.split(['}', ';']).next().unwrap().split(',').map(first_word)),
            None => drop(rooms.insert(first_word(rest))),
        }
    }
    rooms
}

/// How many modules deep in the library a file is.
fn depth(file: &Path) -> usize {
    let relative = file.strip_prefix(project("src")).unwrap();
    relative.components().count() - usize::from(file.ends_with("mod.rs"))
}

fn first_word(text: &str) -> String {
    text.trim().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
}

#[test]
fn no_room_imports_one_that_stands_above_it() {
    let order = stated_order();
    let rank: BTreeMap<&str, usize> = order.iter().map(String::as_str).zip(0..).collect();
    let mut wrong = Vec::new();
    for file in source_files(&project("src")) {
        let (home, name) = (room(&file), file.file_stem().unwrap().to_string_lossy().into_owned());
        if home == "lib" || name.ends_with("tests") || file.components().any(|part| part.as_os_str() == "tests") {
            continue;
        }
        let Some(own) = rank.get(home.as_str()) else {
            wrong.push(format!("{home}: docs/ARCHITECTURE.md does not name it"));
            continue;
        };
        let code = code(&file);
        if code.contains(&"super::".repeat(depth(&file))) {
            wrong.push(format!("{}: leaves {home} by `super`", file.display()));
        }
        for import in imports(&code) {
            if rank.get(import.as_str()).is_some_and(|other| other > own) {
                wrong.push(format!("{}: imports {import}, which stands above {home}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(
        order.iter().all(|room| project(format!("src/{room}")).exists() || project(format!("src/{room}.rs")).exists()),
        "{order:?}"
    );
}

/// The names of the modules that a file declares by `mod NAME;`.
fn declared_modules(file: &Path) -> BTreeSet<String> {
    let source = fs::read_to_string(file).unwrap();
    let declared = source.lines().filter_map(|line| {
        let line = line.trim_start_matches("pub ");
        line.strip_prefix("mod ")?.strip_suffix(';').map(str::to_owned)
    });
    declared.collect()
}

#[test]
fn every_file_of_tests_is_a_module_of_the_one_binary() {
    let mut folders = vec![(project("tests"), "main")];
    while let Some((folder, root)) = folders.pop() {
        let declared = declared_modules(&folder.join(root).with_extension("rs"));
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            let is_module = path.extension().is_some_and(|ending| ending == "rs") && name != root;
            if path.join("mod.rs").exists() {
                folders.push((path.clone(), "mod"));
            } else if !is_module {
                continue;
            }
            assert!(declared.contains(&name), "{} is never run", path.display());
        }
    }
}

#[test]
fn every_example_is_run_by_the_tests() {
    let run = fs::read_to_string(project("tests/examples.rs")).unwrap();
    for file in source_files(&project("examples")) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        assert!(run.contains(&format!("#[path = \"../examples/{name}\"]")), "examples/{name} is never run");
    }
}

#[test]
fn every_test_is_run_by_make_test_or_by_make_slow() {
    let makefile = fs::read_to_string(project("Makefile")).unwrap();
    let runs = |arguments: &str| makefile.lines().any(|line| line.starts_with('\t') && line.ends_with(arguments));
    assert!(runs(" -- --skip slow::") && runs(" -- slow::"), "the two choose what the other leaves out");
    // What is ignored would be run by neither: measurements of a peak of theses and under attack, and what needs programs
    // of others, have targets of their own.
    let ignored = |file: &PathBuf| fs::read_to_string(file).unwrap().contains(concat!("#[", "ignore"));
    let files = ["tests", "src", "crates"].into_iter().flat_map(|folder| source_files(&project(folder)));
    let files: Vec<PathBuf> = files.filter(ignored).collect();
    assert_eq!(files, ["tests/serve/load.rs", "tests/serve/pressure.rs", "tests/slow/others/mod.rs"].map(project));
}

#[test]
fn every_loop_that_is_compiled_for_several_processors_is_tested_on_each_of_them() {
    let files = ["src", "crates"].into_iter().flat_map(|folder| source_files(&project(folder)));
    let code = |file: &Path| fs::read_to_string(file).unwrap_or_default();
    let loops: Vec<PathBuf> = files.filter(|file| code(file).contains(concat!(" Kernel ", "for "))).collect();
    assert!(loops.len() > 5);
    for file in loops {
        let within = code(&file);
        let tests = within.split_once("mod tests {").map_or("", |(_, tests)| tests);
        let beside = code(&file.with_file_name("tests.rs"));
        assert!([tests, &beside].iter().any(|tests| tests.contains("Cpu::available()")), "{}", file.display());
    }
}

#[test]
fn a_release_optimises_what_the_tests_build_quickly() {
    let manifest = fs::read_to_string(project("Cargo.toml")).unwrap();
    // `dist` inherits what `dev` says of single crates.
    let quick = manifest.lines().filter_map(|line| line.strip_prefix("[profile.dev.package."));
    for name in quick.filter(|name| !name.starts_with('"')) {
        let release = format!("[profile.dist.package.{name}\nopt-level = 3\n");
        assert!(manifest.contains(&release), "a release has {name} as the tests have it");
    }
}

/// The modules that code names by `crate`, `self` or `super`, as paths from the library's root; a file is the module `module`.
fn modules_named(code: &str, module: &[String]) -> BTreeSet<Vec<String>> {
    let mut named = BTreeSet::new();
    let starts = ["crate::", "self::", "super::"];
    for (at, start) in starts.iter().flat_map(|start| code.match_indices(start)) {
        // Of `super::super::` only the first counts.
        if code[..at].ends_with("super::") {
            continue;
        }
        let supers = code[at..].split("::").take_while(|part| *part == "super").count();
        let base = match start {
            "crate::" => &module[..0],
            _ => &module[..module.len().saturating_sub(supers)],
        };
        let rest = &code[at + start.len() * supers.max(1)..];
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':')).unwrap_or(rest.len());
        let path: Vec<String> = rest[..end].split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let whole = [base, &path].concat();
        if let Some(list) = rest[end..].strip_prefix('{') {
            let list = list.split(';').next().unwrap();
            named.extend(list.split([',', '{', '}']).map(|part| [&whole[..], &[first_word(part)]].concat()));
        }
        named.insert(whole);
    }
    named
}

/// From which module the names come that code imports: each word behind `use MODULE::`.
fn modules_of_names(code: &str) -> BTreeMap<String, String> {
    let mut modules = BTreeMap::new();
    for (_, path) in code.split(';').filter_map(|statement| statement.rsplit_once("use ")) {
        let words = path.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let mut words = words.filter(|word| !["", "self"].contains(word)).map(str::to_owned);
        if let Some(module) = words.next() {
            modules.extend(words.map(|name| (name, module.clone())));
        }
    }
    modules
}

/// For each folder which of its files and folders name which others.
type Edges = BTreeMap<Vec<String>, BTreeMap<String, BTreeSet<String>>>;

/// Which files and folders name which of their neighbours, in all folders of a library.
fn neighbours_named(source: &Path) -> Edges {
    let mut files = BTreeMap::new();
    for file in source_files(source) {
        let names = file.strip_prefix(source).unwrap().with_extension("");
        let mut module: Vec<String> = names.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if module.iter().any(|name| name.ends_with("tests") || name == "main") {
            continue;
        }
        module.pop_if(|name| *name == "mod" || *name == "lib");
        files.insert(module, code(&file));
    }
    let of_names: BTreeMap<&[String], _> = files.iter().map(|(at, code)| (&at[..], modules_of_names(code))).collect();
    let mut edges = Edges::new();
    for (module, code) in &files {
        for mut named in modules_named(code, module) {
            let common = module.iter().zip(&named).take_while(|(own, other)| own == other).count();
            let (Some(own), Some(other)) = (module.get(common), named.get(common)) else { continue };
            // What a folder passes on by `pub use` is of its file that declares it.
            let passed_on = of_names.get(&named[..common]).and_then(|modules| modules.get(other));
            if let Some(from) = passed_on.filter(|_| !files.contains_key(&named[..=common])) {
                named[common].clone_from(from);
            }
            if named[common] != *own && files.contains_key(&named[..=common]) {
                let within = edges.entry(named[..common].to_vec()).or_default();
                within.entry(own.clone()).or_default().insert(named.swap_remove(common));
            }
        }
    }
    edges
}

/// All that is reached from one place.
fn reached<'a>(edges: &'a BTreeMap<String, BTreeSet<String>>, from: &'a str) -> BTreeSet<&'a str> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(at) = next.pop() {
        next.extend(edges.get(at).into_iter().flatten().map(String::as_str).filter(|other| reached.insert(*other)));
    }
    reached
}

/// The files and folders that import each other in circles. The list only gets shorter.
const CIRCLES: [&str; 5] = [
    "crates/formats/src/extract/pdf: glyphs inner",
    "crates/harvest/src: mediawiki oai packages parquet record run source warc",
    "crates/serve/src/http: call once route",
    "crates/serve/src/pages: account sign_in",
    "crates/serve/src: access api app audit batches checks collections deeds demo desk enrolment erase export fault figures harvests http \
     listing log lti mail packed pages people providers queue rates reports reviewers rounds server sharing submissions terms unpack webhooks",
];

#[test]
fn no_files_import_each_other_in_a_circle_but_those_that_are_known() {
    let libraries = fs::read_dir(project("crates")).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let mut circles = BTreeSet::new();
    for source in libraries.filter(|source| source.exists()).chain([project("src")]) {
        let library = source.strip_prefix(project("")).unwrap().to_string_lossy().into_owned();
        let edges = neighbours_named(&source);
        for (folder, within) in &edges {
            let place = [std::slice::from_ref(&library), &folder[..]].concat();
            let of: BTreeMap<&str, _> = within.keys().map(|from| (from.as_str(), reached(within, from))).collect();
            let meet = |from: &str, to: &str| of.get(from).is_some_and(|reached| reached.contains(to));
            for from in of.keys().filter(|from| meet(from, from)) {
                let circle: Vec<&str> = of[from].iter().copied().filter(|to| meet(to, from)).collect();
                circles.insert(format!("{}: {}", place.join("/"), circle.join(" ")));
            }
        }
        // It sees what there is to be seen, and what a folder passes on.
        assert!(library != "src" || edges[&Vec::new()]["check"].contains("index"));
        assert!(library != "crates/hamming/src" || edges[&Vec::new()]["scan"].contains("hit"));
    }
    assert_eq!(circles.iter().map(String::as_str).collect::<Vec<_>>(), CIRCLES);
}
