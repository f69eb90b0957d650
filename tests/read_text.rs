//! `copytrace text`, driven as a person would.

use crate::program::{Bench, copytrace, text};
use serde_json::Value;

/// Exit code, standard output, standard error.
fn run(bench: &Bench, arguments: &[&str]) -> (i32, String, String) {
    let run = copytrace().current_dir(bench.folder()).arg("text").args(arguments).output().unwrap();
    (run.status.code().unwrap(), text(&run.stdout), text(&run.stderr))
}

const THESIS: &str = "# Abstract\n\nThe marsh grows.\n\n# 1 Silt\n\nEvery flood leaves silt.\n\n# References\n\n\
    Clerk, A. (1999). The Silt of Marshes. Annals of Tides 12(3), 34-56.\n";

#[test]
fn the_text_of_a_file_is_printed_as_it_is_compared() {
    let bench = Bench::new();
    bench.write("a.html", "<h1>Silt</h1><p>Every fl\u{200b}ood <span style='color:#fff'>never</span> leaves silt.</p>");
    let (code, stdout, stderr) = run(&bench, &["a.html"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(stdout.split_whitespace().collect::<Vec<_>>(), ["Silt", "Every", "fl\u{200b}ood", "leaves", "silt."]);
}

#[test]
fn of_several_files_each_is_named_and_bad_ones_are_told_apart() {
    let bench = Bench::new();
    for (name, content) in [("a.txt", "One text."), ("b.txt", "Another text."), ("bad.pdf", "%PDF-1.4 nothing")] {
        bench.write(name, content);
    }
    let (code, stdout, stderr) = run(&bench, &["a.txt", "bad.pdf", "missing.txt", "b.txt"]);
    assert_eq!(stdout, "==> a.txt <==\nOne text.\n\n==> b.txt <==\nAnother text.\n");
    assert_eq!(code, 3);
    for name in ["bad.pdf", "missing.txt"] {
        assert_eq!(stderr.matches(name).count(), 1, "{stderr}");
    }
}

#[test]
fn json_has_parts_flags_and_the_text_that_their_places_are_of() {
    let bench = Bench::new();
    let hidden = "<p style='display:none'>Not for readers: nobody shall see this sentence about the marsh.</p>";
    bench.write("a.md", THESIS);
    bench.write("b.html", format!("<p>Every flood leaves silt.</p>{hidden}"));
    let (code, stdout, _) = run(&bench, &["a.md", "b.html", "--format", "json"]);
    assert_eq!(code, 0);
    let texts: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [thesis, page] = texts.as_slice() else { panic!("{stdout}") };
    assert_eq!((&thesis["id"], &thesis["text"]), (&"a.md".into(), &THESIS.into()));
    let part = |part: &Value| {
        let place = |name: &str| part[name].as_u64().unwrap() as usize;
        let text: String = THESIS.chars().take(place("end")).skip(place("start")).collect();
        (part["kind"].as_str().unwrap().to_owned(), text.trim().lines().next().unwrap().to_owned())
    };
    let parts: Vec<(String, String)> = thesis["parts"].as_array().unwrap().iter().map(part).collect();
    let expected = [("abstract", "# Abstract"), ("chapter", "# 1 Silt"), ("references", "# References")]
        .map(|(k, t)| (k.to_owned(), t.to_owned()));
    assert_eq!(parts, expected);
    assert_eq!(thesis["flags"], Value::Array(Vec::new()));
    assert_eq!(page["flags"][0]["kind"], "hidden_text");
    assert_eq!(page["left_out"][0]["reason"], "hidden text");
}

#[test]
fn a_file_of_no_known_kind_in_a_folder_is_named() {
    let bench = Bench::new();
    bench.write("in/a.txt", "One text.");
    bench.write("in/b.xyz", "?");
    let (code, stdout, stderr) = run(&bench, &["in"]);
    assert_eq!((code, stdout.as_str()), (3, "One text.\n"));
    assert!(stderr.contains("b.xyz"), "{stderr}");
}
