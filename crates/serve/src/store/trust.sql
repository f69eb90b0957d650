-- Jobs that cannot be done now wait for longer each time. A removal never ends otherwise than done.
ALTER TABLE job ADD COLUMN postponed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN not_before INTEGER NOT NULL DEFAULT 0;
UPDATE job SET state = 'queued', attempts = 0, ended = NULL WHERE kind = 'remove' AND state = 'failed';
-- Why a file of an archive is not taken.
ALTER TABLE batch_file ADD COLUMN problem TEXT;
-- Replies held tokens and links as they were told. A status of 0 is that of a request that is under way or was cut off, -1 that of a
-- reply with a secret, which is not kept.
DROP TABLE reply;
CREATE TABLE reply(
  person TEXT NOT NULL, key TEXT NOT NULL, request BLOB NOT NULL, status INTEGER NOT NULL, body TEXT NOT NULL, place TEXT NOT NULL,
  made INTEGER NOT NULL, PRIMARY KEY(person, key)) STRICT, WITHOUT ROWID;
-- Whether somebody's look at something was recorded a moment ago.
CREATE INDEX audit_of ON audit(object, action, person, at);
