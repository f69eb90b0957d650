-- Whose a collection is: the whole institution's, as those of before.
ALTER TABLE collection ADD COLUMN unit INTEGER NOT NULL DEFAULT 1;
-- With which units a collection is shared: offered by the one side, and agreed to by the other.
CREATE TABLE share(
  id INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL REFERENCES collection ON DELETE CASCADE,
  unit INTEGER NOT NULL REFERENCES unit ON DELETE CASCADE, offered INTEGER NOT NULL, agreed INTEGER,
  UNIQUE(collection, unit)) STRICT;
-- Wording of a shared collection that somebody asks to read: one source of one report.
CREATE TABLE wording_request(
  id INTEGER PRIMARY KEY AUTOINCREMENT, submission TEXT NOT NULL REFERENCES submission,
  collection INTEGER NOT NULL REFERENCES collection ON DELETE CASCADE, source TEXT NOT NULL, characters INTEGER NOT NULL,
  reason TEXT NOT NULL, person TEXT NOT NULL REFERENCES person, made INTEGER NOT NULL,
  state TEXT NOT NULL CHECK(state IN('asked', 'granted', 'refused', 'revoked')), answer TEXT NOT NULL DEFAULT '',
  answered INTEGER, UNIQUE(submission, collection, source)) STRICT;
-- Whose a collection was that is no more: reports quote it still.
CREATE TABLE former_collection(folder TEXT PRIMARY KEY, unit INTEGER NOT NULL) STRICT, WITHOUT ROWID;
-- There is more to be told of.
CREATE TABLE notice_wider(
  person TEXT NOT NULL REFERENCES person, kind TEXT NOT NULL CHECK(kind IN('report', 'verdict', 'to_judge', 'objection', 'asked', 'answered')),
  submission TEXT NOT NULL REFERENCES submission, made INTEGER NOT NULL, PRIMARY KEY(person, kind, submission)) STRICT, WITHOUT ROWID;
INSERT INTO notice_wider SELECT * FROM notice;
DROP TABLE notice;
ALTER TABLE notice_wider RENAME TO notice;
