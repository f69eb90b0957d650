//! Of one file the service and the program count the same characters, and find the same, whatever its format.

use crate::evasion::writers::{Markup, Paragraph, WRITERS};
use crate::program::{Bench, copytrace, project};
use crate::serve::server::{College, Server};
use serde_json::{Value, json};

/// The files to be counted: those of the demo as they are, texts with marks and line ends of other systems, and one text in every format.
fn files() -> Vec<(String, Vec<u8>)> {
    let read = |path: &str| std::fs::read(project(format!("corpora/demo/{path}"))).unwrap();
    let text = String::from_utf8(read("submissions/en-01-estuary-crossing.txt")).unwrap();
    let chinese = String::from_utf8(read("reference/zh-ref-01-tea-cooperative.txt")).unwrap();
    let mut files = vec![
        ("plain.txt".to_owned(), text.clone().into_bytes()),
        ("note.md".to_owned(), read("reference/en-ref-04-bee-navigation.md")),
        ("page.html".to_owned(), read("reference/en-ref-07-bell-acoustics.html")),
        ("windows.txt".to_owned(), format!("\u{feff}{}  \r\n \r\n", text.replace('\n', " \t\r\n")).into_bytes()),
        (
            "wide.txt".to_owned(),
            [&[0xff, 0xfe][..], &chinese.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()].concat(),
        ),
        ("old.txt".to_owned(), text.replace('\n', "\r").into_bytes()),
    ];
    // The last sentence makes a file of its own of each: the same bytes are taken once.
    let of = |ending: &str| -> Vec<Paragraph> {
        let last = [
            "潮水每天两次漫过河岸，把泥沙留在草丛里。".to_owned(),
            format!("It was written as a file of the kind {ending}."),
        ];
        text.split("\n\n").map(str::to_owned).chain(last).map(Paragraph::plain).collect()
    };
    files.extend(
        WRITERS.iter().map(|(ending, write)| (format!("made.{ending}"), write(&of(ending), Markup::default()))),
    );
    files
}

#[test]
fn service_and_program_count_the_same_characters_of_a_file_of_every_format() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &["--workers", "2"]);
    let college = College::found(&server, json!({ "quota": 100 }));
    let mut administrator = college.administrator.clone();
    let files = files();
    assert_eq!(files.len(), 6 + WRITERS.len());
    let ids: Vec<String> = files.iter().map(|(name, bytes)| college.hand_in("s1", name, bytes)).collect();
    for ((name, bytes), id) in files.iter().zip(&ids) {
        let told = administrator.wait_for(id);
        assert_eq!(told["status"]["state"], "done", "{name}: {told}");
        let file = bench.write(format!("{name}/{name}"), bytes);
        let mut check = copytrace();
        check
            .arg("check")
            .arg(&file)
            .args(["--format", "html,json", "--lang", "en", "--keep-itself", "-o"])
            .arg(bench.path(format!("{name}-report")));
        for folder in ["collections/2-Closed", "collections/1-Open"] {
            check.arg("--index").arg(server.data.join(folder));
        }
        check.assert().success();
        let report = std::fs::read(bench.path(format!("{name}-report/{name}.json"))).unwrap();
        let report: Value = serde_json::from_slice(&report).unwrap();
        let served = administrator.get(&format!("/submissions/{id}/report.json")).json();
        for part in ["/ratios", "/text", "/compared", "/excluded"] {
            assert_eq!(served.pointer(part), report.pointer(part), "{name}: {part}");
        }
        let counted = &report["ratios"]["all"]["characters"];
        assert!(counted.as_u64().unwrap() > 100, "{name}: {}", report["ratios"]);
        assert_eq!(told["figures"]["characters"], *counted, "{name}");
        // The page that is served tells what the program's page tells.
        let page = std::fs::read_to_string(bench.path(format!("{name}-report/{name}.html"))).unwrap();
        let served = administrator.get(&format!("/submissions/{id}/report")).text();
        let tile = |page: &str| -> String {
            page.split("data-ratio=\"all\"").nth(1).unwrap().split("data-ratio").next().unwrap().to_owned()
        };
        assert_eq!(tile(&served), tile(&page), "{name}");
        let figure = counted.to_string();
        assert!(tile(&page).replace([',', '\u{202f}'], "").contains(&figure), "{name}: {figure}: {}", tile(&page));
    }
}
