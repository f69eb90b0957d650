-- What a student writes on, as the office's list tells it.
ALTER TABLE enrolment ADD COLUMN title TEXT;
-- Verdicts that another took the place of.
CREATE TABLE verdict_before(
  submission TEXT NOT NULL REFERENCES submission, verdict TEXT NOT NULL, comment TEXT NOT NULL,
  person TEXT NOT NULL REFERENCES person, made INTEGER NOT NULL) STRICT;
CREATE INDEX verdict_before_of ON verdict_before(submission);
-- What students answer to a report: why a passage should not count.
CREATE TABLE appeal(
  submission TEXT NOT NULL REFERENCES submission, passage INTEGER NOT NULL, reason TEXT NOT NULL, made INTEGER NOT NULL,
  PRIMARY KEY(submission, passage)) STRICT, WITHOUT ROWID;
