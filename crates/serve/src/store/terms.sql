-- What students agree to before they hand in: a version is never changed or removed, for agreements name it.
CREATE TABLE terms(version INTEGER PRIMARY KEY, text TEXT NOT NULL, made INTEGER NOT NULL) STRICT;
CREATE TABLE agreement(
  person TEXT NOT NULL REFERENCES person, version INTEGER NOT NULL REFERENCES terms, made INTEGER NOT NULL,
  PRIMARY KEY(person, version)) STRICT, WITHOUT ROWID;
