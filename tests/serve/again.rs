//! Work that is done again, and originals that are fetched.

use crate::program::{Bench, project};
use crate::serve::server::{College, Server};
use serde_json::json;

fn corpus(path: &str) -> Vec<u8> {
    std::fs::read(project(format!("corpora/demo/{path}"))).unwrap()
}

#[test]
fn staff_start_failed_work_again_and_check_again_when_the_library_has_grown() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "among": true }));
    let mut administrator = college.administrator.clone();
    let text = corpus("submissions/en-01-estuary-crossing.txt");
    let ids: Vec<String> = ["s1", "s2", "s3"].iter().map(|student| college.hand_in(student, "t.txt", b"x")).collect();
    college.settle();
    for id in &ids {
        assert_eq!(administrator.wait_for(id)["status"]["state"], "failed");
        // What kept it from being read is mended.
        std::fs::write(server.data.join(format!("files/{id}.txt")), &text).unwrap();
    }
    let round = format!("/rounds/{}", college.round);
    assert!(administrator.get(&format!("/submissions/{}", ids[0])).text().contains("/check\""));
    assert_eq!(administrator.form(&format!("/submissions/{}/check", ids[0]), &[]).status, 303);
    college.settle();
    assert_eq!(administrator.wait_for(&ids[0])["status"]["state"], "done");
    assert_eq!(administrator.wait_for(&ids[1])["status"]["state"], "failed", "one alone was started");
    let all = administrator.form(&format!("{round}/check"), &[]);
    assert_eq!((all.status, all.place()), (303, format!("{round}?papers=2").as_str()));
    college.settle();
    let ratio = |told: serde_json::Value| told["figures"]["copy_ratio"].as_f64().unwrap();
    let before = ratio(administrator.wait_for(&ids[1]));

    // The library grew: the same is found in more places.
    let mut program = administrator.program(&["submit", "read"]);
    let grown = corpus("submissions/en-01-estuary-crossing.txt");
    let place = format!("/collections/{}/upload", college.closed);
    assert_eq!(administrator.upload(&place, &[], "the-same.txt", &grown).status, 303);
    college.settle();
    assert_eq!(ratio(administrator.wait_for(&ids[1])), before, "a report stays as it is");
    assert_eq!(program.post_json(&format!("/api/v1/submissions/{}/check", ids[1]), &json!({})).status, 202);
    assert_eq!(program.post_json(&format!("/api/v1/submissions/{}/check", ids[1]), &json!({})).status, 409, "it runs");
    college.settle();
    let report = administrator.get(&format!("/submissions/{}/report.json", ids[1])).text();
    assert!(report.contains("the-same.txt"));
    assert!(administrator.get("/audit").text().contains("check_again"));
    // What somebody has decided on is not put on another footing.
    assert_eq!(administrator.form(&format!("/submissions/{}/verdict", ids[1]), &[("verdict", "pass")]).status, 303);
    assert_eq!(administrator.form(&format!("/submissions/{}/check", ids[1]), &[]).status, 409);
    assert_eq!(college.person("s1").form(&format!("/submissions/{}/check", ids[0]), &[]).status, 403);
}

#[test]
fn an_original_is_given_to_its_student_and_to_staff_who_may_know_whose_it_is() {
    let bench = Bench::new();
    let server = Server::start(&bench.path("data"), &[]);
    let college = College::found(&server, json!({ "anonymous": true }));
    let text = corpus("submissions/en-01-estuary-crossing.txt");
    let id = college.hand_in("s1", "Ann One.txt", &text);
    college.settle();
    let path = format!("/submissions/{id}/file");
    let (mut administrator, mut supervisor) = (college.administrator.clone(), college.person("t1"));
    for mut person in [administrator.clone(), college.person("s1")] {
        let reply = person.get(&path);
        assert_eq!((reply.status, reply.body), (200, text.clone()));
        assert_eq!(reply.headers["content-type"], "application/octet-stream");
        assert!(reply.headers["content-disposition"].starts_with("attachment; filename="));
    }
    assert_eq!(supervisor.get(&path).status, 403, "a file says whose it is");
    assert_eq!(
        (college.person("s2").get(&path).status, server.nobody().get(&path).place().starts_with("/login?to=")),
        (404, true)
    );
    assert_eq!(supervisor.form(&format!("/submissions/{id}/verdict"), &[("verdict", "pass")]).status, 303);
    assert_eq!(supervisor.get(&path).status, 200);
    assert!(administrator.get("/audit").text().contains("fetch_file"));
}
