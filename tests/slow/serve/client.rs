//! A client that is generated from the description of the interface.

use crate::program::{Bench, project};
use crate::serve::server::{College, Server};
use serde_json::json;
use std::process::Command;

#[test]
fn a_generated_client_hands_in_waits_fetches_the_report_and_deposits() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({}));
    let mut administrator = college.administrator.clone();
    let described = bench.write("openapi.json", administrator.get("/api/v1/openapi.json").body);
    let program = administrator.program(&["manage", "submit", "read"]);
    let tools = project("target/client/bin");
    let run = |command: &mut Command| {
        let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap_or_default());
        let ran = command.env("PATH", path).env("PYTHONPATH", bench.path(".")).output();
        let ran = ran.unwrap_or_else(|error| panic!("{command:?}: {error}; `make slow-tools` installs it"));
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        String::from_utf8(ran.stdout).unwrap()
    };
    let mut generator = Command::new(tools.join("openapi-python-client"));
    generator.args(["generate", "--meta", "none", "--path"]).arg(described);
    run(generator.arg("--output-path").arg(bench.path("client")));
    let text = project("corpora/demo/submissions/en-01-estuary-crossing.txt");
    let mut client = Command::new(tools.join("python3"));
    client.arg(project("tests/slow/serve/client.py")).args([&server.base, program.token.as_ref().unwrap()]);
    let told = run(client.arg(&college.round).arg(text).arg(college.open.to_string()));
    college.settle();
    let documents = administrator.get(&format!("/collections/{}", college.open)).text();
    assert!(documents.contains(&format!("submission-{}", told.trim())), "{documents}");
}
