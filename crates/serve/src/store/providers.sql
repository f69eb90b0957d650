-- By which of its subjects a provider of sign-ins knows a person: SHA-256 of the subject.
CREATE TABLE identity(
  provider TEXT NOT NULL, subject BLOB NOT NULL, person TEXT NOT NULL REFERENCES person, made INTEGER NOT NULL,
  PRIMARY KEY(provider, subject), UNIQUE(provider, person)) STRICT, WITHOUT ROWID;
-- Roles that the claims of a provider gave, and may take away: those that people gave stay.
CREATE TABLE claimed_role(
  person TEXT NOT NULL REFERENCES person, unit INTEGER NOT NULL, role TEXT NOT NULL, provider TEXT NOT NULL,
  PRIMARY KEY(person, unit, role)) STRICT, WITHOUT ROWID;
-- By which provider a session was begun, the provider's own session (SHA-256), and whether it asked for a second factor.
ALTER TABLE session ADD COLUMN provider TEXT;
ALTER TABLE session ADD COLUMN outside BLOB;
ALTER TABLE session ADD COLUMN strong INTEGER NOT NULL DEFAULT 0;
CREATE INDEX session_outside ON session(provider, outside) WHERE provider IS NOT NULL;
