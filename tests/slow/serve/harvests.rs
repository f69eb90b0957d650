//! A harvest that takes longer than a worker's turn.

use super::durability::workers;
use crate::harvest::dump;
use crate::program::{Bench, wait_for};
use crate::serve::server::{College, Server};
use rusqlite::Connection;
use rustix::process::{Pid, Signal, kill_process};
use std::path::Path;
use std::time::Duration;

/// As the service has it, and some more.
const TURN: Duration = Duration::from_secs(62);

/// The bytes that a process has read of a file that it has open.
fn read_of(process: i32, file: &Path) -> u64 {
    let open = std::fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let mut places = open.filter(|open| std::fs::read_link(open.path()).is_ok_and(|of| of == file)).map(|open| {
        let number = open.file_name();
        let told = std::fs::read_to_string(format!("/proc/{process}/fdinfo/{}", number.display())).unwrap_or_default();
        told.lines().find_map(|line| line.strip_prefix("pos:")?.trim().parse().ok()).unwrap_or(0)
    });
    places.next().unwrap_or(0)
}

#[test]
fn a_dump_that_outlasts_its_turn_goes_on_in_the_next_and_a_check_comes_between() {
    let (bench, articles) = (Bench::new(), 40_000);
    let source = dump(&bench, articles, 0..0).canonicalize().unwrap();
    let intake = bench.path("").canonicalize().unwrap();
    let server = Server::start(&bench.path("data"), &["--workers", "1", "--intake", intake.to_str().unwrap()]);
    let college = College::found(&server, serde_json::json!({}));
    let mut administrator = college.administrator.clone();
    let page = format!("/collections/{}/harvests", college.open);
    let fields = [("source", source.to_str().unwrap()), ("contact", ""), ("licence", ""), ("days", "1")];
    assert_eq!(administrator.form(&page, &fields).status, 303);
    let database = Connection::open(server.data.join("service.db")).unwrap();
    let number = |sql: &str| -> Option<i64> { database.query_row(sql, [], |row| row.get(0)).ok() };
    let running = "SELECT id FROM job WHERE json_extract(detail, '$.harvest.id') = 1 AND state = 'running'";
    let harvest = wait_for("the harvest to begin", || number(running));
    // A worker's turn begins when it reads, which is later than when the job is given to it.
    wait_for("the worker to read", || workers(&server).into_iter().find(|id| read_of(*id, &source) > 1 << 20));

    // The worker stands still for the rest of its turn, as one does on a machine that is busy or asleep.
    let signal =
        |signal| workers(&server).iter().for_each(|id| kill_process(Pid::from_raw(*id).unwrap(), signal).unwrap());
    signal(Signal::STOP);
    let text = std::fs::read(crate::program::project("corpora/demo/submissions/en-01-estuary-crossing.txt")).unwrap();
    let submission = college.hand_in("s1", "thesis.txt", &text);
    std::thread::sleep(TURN);
    assert_eq!(number(running), Some(harvest), "nobody else has taken it");
    signal(Signal::CONT);

    assert_eq!(administrator.wait_for(&submission)["status"]["state"], "done");
    administrator.settle();
    let order = format!(
        "SELECT harvest.started >= checked.ended AND harvest.ended IS NOT NULL FROM job harvest, job checked \
         WHERE harvest.id = {harvest} AND checked.submission = '{submission}'"
    );
    assert_eq!(number(&order), Some(1), "the harvest's last turn began behind the check");
    let shown = administrator.get(&page).text();
    assert!(shown.contains("finished") && shown.contains(&articles.to_string()), "{shown}");
}
