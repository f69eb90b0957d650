-- Times are seconds since 1970 (UTC). Ids that leave the server are 128 random bits in hexadecimal.
CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE unit(
  id INTEGER PRIMARY KEY, parent INTEGER REFERENCES unit, name TEXT NOT NULL, code TEXT UNIQUE) STRICT;

CREATE TABLE person(
  id TEXT PRIMARY KEY, number TEXT UNIQUE, name TEXT, password TEXT, language TEXT,
  state TEXT NOT NULL CHECK(state IN('active', 'disabled', 'erased')), made INTEGER NOT NULL) STRICT;
CREATE TABLE role(
  person TEXT NOT NULL REFERENCES person, unit INTEGER NOT NULL REFERENCES unit,
  role TEXT NOT NULL CHECK(role IN('administrator', 'supervisor', 'student', 'auditor')),
  PRIMARY KEY(person, unit, role)) STRICT, WITHOUT ROWID;
-- Secrets are kept as SHA-256 alone.
CREATE TABLE session(
  id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, person TEXT NOT NULL REFERENCES person,
  made INTEGER NOT NULL, seen INTEGER NOT NULL, expires INTEGER NOT NULL, agent TEXT) STRICT;
CREATE TABLE token(
  id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, person TEXT NOT NULL REFERENCES person, label TEXT NOT NULL,
  scopes TEXT NOT NULL, expires INTEGER NOT NULL, used INTEGER) STRICT;
-- A link that is good once: it signs a person in, who then chooses a password.
CREATE TABLE invitation(
  hash BLOB PRIMARY KEY, person TEXT NOT NULL REFERENCES person, expires INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE collection(
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, folder TEXT NOT NULL UNIQUE,
  wording TEXT NOT NULL CHECK(wording IN('everyone', 'staff')), made INTEGER NOT NULL) STRICT;

CREATE TABLE round(
  id TEXT PRIMARY KEY, unit INTEGER NOT NULL REFERENCES unit, title TEXT NOT NULL, opens INTEGER NOT NULL,
  closes INTEGER NOT NULL, quota INTEGER NOT NULL CHECK(quota >= 0), interval_s INTEGER NOT NULL CHECK(interval_s >= 0),
  self_checks INTEGER NOT NULL CHECK(self_checks >= 0), limit_ratio REAL NOT NULL CHECK(limit_ratio BETWEEN 0 AND 1),
  student_sees TEXT NOT NULL CHECK(student_sees IN('never', 'ratio', 'after_verdict', 'at_once')),
  anonymous INTEGER NOT NULL, among INTEGER NOT NULL, keep_days INTEGER, previous TEXT REFERENCES round,
  made INTEGER NOT NULL) STRICT;
CREATE TABLE round_collection(
  round TEXT NOT NULL REFERENCES round, collection INTEGER NOT NULL REFERENCES collection,
  PRIMARY KEY(round, collection)) STRICT, WITHOUT ROWID;
CREATE TABLE round_template(
  id INTEGER PRIMARY KEY, round TEXT NOT NULL REFERENCES round, name TEXT NOT NULL, file TEXT NOT NULL) STRICT;
CREATE TABLE enrolment(
  round TEXT NOT NULL REFERENCES round, student TEXT NOT NULL REFERENCES person, supervisor TEXT REFERENCES person,
  extra_checks INTEGER NOT NULL DEFAULT 0, PRIMARY KEY(round, student)) STRICT, WITHOUT ROWID;

CREATE TABLE submission(
  id TEXT PRIMARY KEY, round TEXT NOT NULL, student TEXT NOT NULL,
  kind TEXT NOT NULL CHECK(kind IN('self', 'draft', 'final')), attempt INTEGER NOT NULL, file TEXT NOT NULL,
  file_name TEXT, sha256 TEXT, bytes INTEGER NOT NULL, received INTEGER NOT NULL,
  by TEXT NOT NULL REFERENCES person,
  state TEXT NOT NULL CHECK(state IN('kept', 'erased')),
  FOREIGN KEY(round, student) REFERENCES enrolment(round, student)) STRICT;
CREATE INDEX submission_of ON submission(round, student, received);

CREATE TABLE job(
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK(kind IN('check', 'enter', 'remove', 'fill')),
  submission TEXT REFERENCES submission,
  folder TEXT,                  -- the index that it changes: one job a folder at a time
  detail TEXT NOT NULL,         -- what else the worker needs, JSON
  lane INTEGER NOT NULL,        -- 0 before 1
  fair TEXT NOT NULL,           -- whose turn it is within a lane
  state TEXT NOT NULL CHECK(state IN('queued', 'running', 'done', 'failed', 'cancelled')),
  attempts INTEGER NOT NULL DEFAULT 0,  -- counted when it is claimed
  orphaned INTEGER NOT NULL DEFAULT 0,  -- attempts that ended because the server did
  turn INTEGER NOT NULL DEFAULT 0,      -- a count of claims: whoever had the last turn waits longest
  claim TEXT,                   -- which server runs it
  progress INTEGER NOT NULL DEFAULT 0, code TEXT, message TEXT,
  made INTEGER NOT NULL, started INTEGER, ended INTEGER) STRICT;
CREATE INDEX job_queued ON job(lane, attempts, id) WHERE state = 'queued';
CREATE INDEX job_running ON job(folder) WHERE state = 'running';
CREATE INDEX job_fair ON job(fair, turn);
CREATE INDEX job_turn ON job(turn);
CREATE INDEX job_of ON job(submission);

CREATE TABLE report(
  submission TEXT PRIMARY KEY REFERENCES submission, job INTEGER NOT NULL UNIQUE REFERENCES job,
  number TEXT NOT NULL, copy_ratio REAL NOT NULL, decided_ratio REAL NOT NULL, passages INTEGER NOT NULL,
  flags INTEGER NOT NULL, characters INTEGER NOT NULL,
  model BLOB NOT NULL,          -- the program's JSON, zstd
  origins TEXT NOT NULL) STRICT; -- the folder of each source, JSON
-- Which submissions a report names as sources, so that those who came first learn of those who came later.
CREATE TABLE meeting(
  submission TEXT NOT NULL REFERENCES submission, source TEXT NOT NULL, characters INTEGER NOT NULL, ratio REAL NOT NULL,
  PRIMARY KEY(submission, source)) STRICT, WITHOUT ROWID;
CREATE INDEX meeting_source ON meeting(source);
CREATE TABLE decision(
  id INTEGER PRIMARY KEY, submission TEXT NOT NULL REFERENCES report, source TEXT NOT NULL, passage INTEGER,
  reason TEXT NOT NULL, person TEXT NOT NULL REFERENCES person, made INTEGER NOT NULL,
  revoked_by TEXT REFERENCES person, revoked INTEGER) STRICT;
CREATE INDEX decision_of ON decision(submission);
CREATE TABLE verdict(
  submission TEXT PRIMARY KEY REFERENCES submission, verdict TEXT NOT NULL CHECK(verdict IN('pass', 'revise', 'fail')),
  comment TEXT NOT NULL, person TEXT NOT NULL REFERENCES person, made INTEGER NOT NULL) STRICT;
CREATE TABLE deposit(
  submission TEXT PRIMARY KEY REFERENCES submission, collection INTEGER NOT NULL REFERENCES collection,
  person TEXT NOT NULL REFERENCES person, made INTEGER NOT NULL) STRICT;

CREATE TABLE batch(
  id TEXT PRIMARY KEY, round TEXT NOT NULL REFERENCES round, person TEXT NOT NULL REFERENCES person,
  kind TEXT NOT NULL, made INTEGER NOT NULL) STRICT;
CREATE TABLE batch_file(
  batch TEXT NOT NULL REFERENCES batch, n INTEGER NOT NULL, name TEXT NOT NULL, file TEXT NOT NULL,
  bytes INTEGER NOT NULL, sha256 TEXT NOT NULL, student TEXT REFERENCES person, PRIMARY KEY(batch, n)) STRICT, WITHOUT ROWID;

-- A request that was made once already gets the reply it got then.
CREATE TABLE reply(
  person TEXT NOT NULL, key TEXT NOT NULL, request BLOB NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL,
  made INTEGER NOT NULL, PRIMARY KEY(person, key)) STRICT, WITHOUT ROWID;
CREATE TABLE viewer(
  hash BLOB PRIMARY KEY, submission TEXT NOT NULL REFERENCES submission, view TEXT NOT NULL, expires INTEGER NOT NULL)
  STRICT, WITHOUT ROWID;

-- Each row holds the hash of the one before. Ids only, so that erasing a person keeps the chain whole.
CREATE TABLE audit(
  n INTEGER PRIMARY KEY, at INTEGER NOT NULL, person TEXT, action TEXT NOT NULL, object TEXT NOT NULL,
  detail TEXT NOT NULL, chain BLOB NOT NULL) STRICT;
