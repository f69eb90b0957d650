-- Where letters reach a person.
ALTER TABLE person ADD COLUMN mail TEXT;
CREATE INDEX person_mail ON person(mail) WHERE mail IS NOT NULL;
-- Letters that wait, that a mail server has taken, and that one has refused. A link is made when its letter is sent, so none stands here.
CREATE TABLE letter(
  id INTEGER PRIMARY KEY, person TEXT NOT NULL REFERENCES person, kind TEXT NOT NULL CHECK(kind IN('invitation', 'reset', 'digest')),
  state TEXT NOT NULL CHECK(state IN('waiting', 'sent', 'refused')), made INTEGER NOT NULL, not_before INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0, answer TEXT NOT NULL DEFAULT '') STRICT;
CREATE INDEX letter_waiting ON letter(not_before) WHERE state = 'waiting';
CREATE INDEX letter_of ON letter(person, kind);
-- What the next digest of a person tells.
CREATE TABLE notice(
  person TEXT NOT NULL REFERENCES person, kind TEXT NOT NULL CHECK(kind IN('report', 'verdict', 'to_judge', 'objection')),
  submission TEXT NOT NULL REFERENCES submission, made INTEGER NOT NULL, PRIMARY KEY(person, kind, submission)) STRICT, WITHOUT ROWID;
-- Numbers and addresses that somebody typed who lost a password: whose they are is looked up later, so that no answer tells.
CREATE TABLE lost_password(given TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
