//! The demo: a collection, a round, a supervisor and three students, and what they handed in. People and texts were made up.

use crate::app::App;
use crate::checks::{self, NewCheck};
use crate::collections::{self, Collection};
use crate::fault::Fault;
use crate::people::session::Caller;
use crate::people::{self, Role, WHOLE, password};
use crate::queue::{self, State, Task};
use crate::reviewers::Blind;
use crate::rounds::{self, NewRound, StudentSees};
use crate::store::{now, rows, secret};
use crate::submissions::{self, Kind, Uploaded, Way};
use rusqlite::params;
use sha2::{Digest, Sha256};
use std::path::PathBuf;
use std::time::Duration;

macro_rules! texts {
    ($folder:literal: $($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../../corpora/demo/", $folder, "/", $name)))),*]
    };
}

const REFERENCE: &[(&str, &str)] = texts!("reference":
    "en-ref-01-tidal-marsh.txt" "en-ref-02-library-lending.txt" "en-ref-03-bicycle-lanes.txt" "en-ref-04-bee-navigation.md"
    "en-ref-05-sluice-gate.txt" "en-ref-06-ferry-timetables.txt" "en-ref-07-bell-acoustics.html" "en-ref-08-night-nurses.txt"
    "en-ref-09-compost-heat.md" "en-ref-10-field-names.txt" "en-ref-11-weavers-apprentices.txt" "en-ref-12-sensor-loggers.txt"
    "zh-ref-01-tea-cooperative.txt" "zh-ref-02-teacher-housing.txt" "zh-ref-03-silk-dyeing.txt" "zh-ref-04-rockfall.txt"
    "zh-ref-05-community-canteen.txt" "zh-ref-06-shadow-theatre.txt" "zh-ref-07-paddy-irrigation.txt" "zh-ref-08-metro-transfer.txt"
    "zh-ref-09-dialect-radio.txt" "zh-ref-10-arcade-repair.txt" "zh-ref-11-fishing-village.txt" "zh-ref-12-railway-lunchbox.txt");

const SUBMISSIONS: &[(&str, &str)] = texts!("submissions":
    "en-01-estuary-crossing.txt" "en-02-piano-rounds.txt" "zh-04-order-of-waiting.txt");

/// The people: number, name, role.
const PEOPLE: [(&str, &str, Role); 4] = [
    ("supervisor", "林导师 Dr. Lin", Role::Supervisor),
    ("2026001", "Alex Marsh", Role::Student),
    ("2026002", "Robin Key", Role::Student),
    ("2026003", "王小等", Role::Student),
];

/// How long the collection may take to fill.
const LONGEST: Duration = Duration::from_secs(120);

/// Makes the demo in a folder that nobody has used yet, and gives the people's password. The reports are made by the workers,
/// as all are.
///
/// # Errors
/// When something cannot be written.
pub fn make(app: &App) -> Result<String, Fault> {
    let password = secret::new_secret()[..12].to_owned();
    let hash = password::hash(&password, "")?;
    let collection = library(app)?;
    app.write(|t| {
        let mut ids = Vec::new();
        for (number, name, role) in PEOPLE {
            let id = people::put(t, number, name)?;
            people::grant(t, &id, WHOLE, role)?;
            t.execute("UPDATE person SET password = ?2 WHERE id = ?1", params![id, hash])?;
            ids.push(id);
        }
        let round = NewRound {
            unit: WHOLE,
            title: "Demo round 演示批次".to_owned(),
            opens: now() - 86_400,
            closes: now() + 30 * 86_400,
            quota: 3,
            interval_s: 0,
            self_checks: 1,
            limit_ratio: 0.2,
            student_sees: StudentSees::AtOnce,
            anonymous: false,
            blind: Blind::Both,
            among: true,
            keep_days: None,
            previous: None,
            collections: vec![collection.id],
        };
        let round = rounds::create(t, &round, false)?;
        collections::make_index(&app.data, &format!("rounds/{round}"))?;
        let round = rounds::Round::get(t, &round)?;
        for (student, uploaded) in ids[1..].iter().zip(uploaded(app)?) {
            t.execute(
                "INSERT INTO enrolment(round, student, supervisor) VALUES (?1, ?2, ?3)",
                params![round.id, student, ids[0]],
            )?;
            submissions::receive(t, &app.data, &round, student, Kind::Final, &uploaded, student, Way::Student)?;
        }
        Ok(())
    })?;
    app.pool.wake();
    Ok(password)
}

/// Makes the library and a check of the submissions at a desk, and gives the id of the check.
///
/// # Errors
/// When something cannot be written.
pub fn at_desk(app: &App, caller: &Caller) -> Result<String, Fault> {
    let collections = vec![library(app)?.id];
    let new = NewCheck { collections, among: true, limit: 20.0, count_all_parts: false, ignore_common: None };
    let uploaded = uploaded(app)?;
    let taken = checks::take(app, caller, &new, &uploaded);
    app.remove_files(&uploaded.into_iter().map(|one| one.file).collect::<Vec<_>>());
    taken
}

/// The submissions as if they had been uploaded.
fn uploaded(app: &App) -> Result<Vec<Uploaded>, Fault> {
    let put = |(name, text): &(&str, &str)| {
        let file = format!("incoming/{}", secret::new_id());
        std::fs::write(app.data.join(&file), text)?;
        let sha256 = secret::hexadecimal(&Sha256::digest(text.as_bytes()));
        Ok(Uploaded { file, name: (*name).to_owned(), bytes: text.len() as i64, sha256 })
    };
    SUBMISSIONS.iter().map(put).collect()
}

/// Makes the library and fills it.
fn library(app: &App) -> Result<Collection, Fault> {
    let from = PathBuf::from(format!("intake/{}", secret::new_id()));
    std::fs::create_dir(app.data.join(&from))?;
    for (name, text) in REFERENCE {
        std::fs::write(app.data.join(&from).join(name), text)?;
    }
    let (collection, fill) = app.write(|t| {
        let collection = collections::create(t, &app.data, "Demo 演示", true, WHOLE)?;
        let fill =
            queue::add(t, &Task::Fill { folder: collection.folder.clone(), from, unread: Vec::new() }, 0, "fill")?;
        Ok((collection, fill))
    })?;
    app.pool.wake();
    wait(app, fill)?;
    Ok(collection)
}

fn wait(app: &App, job: i64) -> Result<(), Fault> {
    let deadline = std::time::Instant::now() + LONGEST;
    while std::time::Instant::now() < deadline {
        match app.store.read(|c| rows::one(c, "SELECT state FROM job WHERE id = ?1", [job]))? {
            State::Done => return Ok(()),
            State::Failed => break,
            _ => std::thread::sleep(Duration::from_millis(50)),
        }
    }
    Err(Fault::Failed("the demo's collection could not be filled".to_owned()))
}
