-- Reviewers have a role of their own, and nothing else to do here.
CREATE TABLE role_wider(
  person TEXT NOT NULL REFERENCES person, unit INTEGER NOT NULL REFERENCES unit,
  role TEXT NOT NULL CHECK(role IN('administrator', 'supervisor', 'student', 'auditor', 'reviewer')),
  PRIMARY KEY(person, unit, role)) STRICT, WITHOUT ROWID;
INSERT INTO role_wider SELECT * FROM role;
DROP TABLE role;
ALTER TABLE role_wider RENAME TO role;
-- Who reviews the finals of which student, and who learns no names of whom.
ALTER TABLE round ADD COLUMN blind TEXT NOT NULL DEFAULT 'both' CHECK(blind IN('none', 'author', 'reviewer', 'both'));
CREATE TABLE reviewer(
  round TEXT NOT NULL, student TEXT NOT NULL, person TEXT NOT NULL REFERENCES person, made INTEGER NOT NULL,
  PRIMARY KEY(round, student, person),
  FOREIGN KEY(round, student) REFERENCES enrolment(round, student) ON DELETE CASCADE) STRICT, WITHOUT ROWID;
CREATE INDEX reviewer_of ON reviewer(person, round);
CREATE TABLE reviewer_verdict(
  submission TEXT NOT NULL REFERENCES submission, person TEXT NOT NULL REFERENCES person,
  verdict TEXT NOT NULL CHECK(verdict IN('pass', 'revise', 'fail')), comment TEXT NOT NULL, made INTEGER NOT NULL,
  PRIMARY KEY(submission, person)) STRICT, WITHOUT ROWID;
