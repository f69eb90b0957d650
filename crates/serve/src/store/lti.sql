-- Learning platforms (LTI 1.3) from whose courses people come here.
CREATE TABLE platform(
  id TEXT PRIMARY KEY, name TEXT NOT NULL, issuer TEXT NOT NULL, client TEXT NOT NULL, deployments TEXT NOT NULL,
  authorization_url TEXT NOT NULL, token_url TEXT NOT NULL, keys_url TEXT NOT NULL, frame TEXT NOT NULL,
  unit INTEGER NOT NULL REFERENCES unit, takes_new INTEGER NOT NULL, made INTEGER NOT NULL,
  UNIQUE(issuer, client)) STRICT;
-- Links by which a platform registers itself, once.
CREATE TABLE platform_invitation(
  hash BLOB PRIMARY KEY, unit INTEGER NOT NULL, takes_new INTEGER NOT NULL, person TEXT NOT NULL, expires INTEGER NOT NULL)
  STRICT, WITHOUT ROWID;
-- The keys by which platforms know this service, sealed.
CREATE TABLE platform_key(kid TEXT PRIMARY KEY, sealed TEXT NOT NULL, made INTEGER NOT NULL) STRICT;
-- The unit that stands for a course.
CREATE TABLE course(
  platform TEXT NOT NULL REFERENCES platform ON DELETE CASCADE, deployment TEXT NOT NULL, context TEXT NOT NULL, unit INTEGER NOT NULL,
  PRIMARY KEY(platform, deployment, context)) STRICT, WITHOUT ROWID;
-- An assignment there, with the round here and where the platform takes scores and tells members.
CREATE TABLE resource_link(
  id TEXT PRIMARY KEY, platform TEXT NOT NULL REFERENCES platform ON DELETE CASCADE, deployment TEXT NOT NULL, link TEXT NOT NULL,
  round TEXT NOT NULL, line_item TEXT, line_items TEXT, memberships TEXT, UNIQUE(platform, deployment, link)) STRICT;
CREATE INDEX resource_link_round ON resource_link(round);
-- By what the platform knows a student of such an assignment.
CREATE TABLE platform_member(
  link TEXT NOT NULL REFERENCES resource_link ON DELETE CASCADE, person TEXT NOT NULL, subject TEXT NOT NULL,
  PRIMARY KEY(link, person)) STRICT, WITHOUT ROWID;
CREATE INDEX platform_member_person ON platform_member(person);
-- What a platform is still to be told or asked: a student's score, the members of the course.
CREATE TABLE errand(
  link TEXT NOT NULL REFERENCES resource_link ON DELETE CASCADE, what TEXT NOT NULL CHECK(what IN('score', 'members')),
  person TEXT NOT NULL, state TEXT NOT NULL CHECK(state IN('waiting', 'done', 'failed')), turn INTEGER NOT NULL DEFAULT 1,
  made INTEGER NOT NULL, not_before INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, answer TEXT NOT NULL DEFAULT '',
  PRIMARY KEY(link, what, person)) STRICT, WITHOUT ROWID;
CREATE INDEX errand_waiting ON errand(not_before) WHERE state = 'waiting';
-- What goes back to the platform's grades; without a row nothing does.
CREATE TABLE round_score(round TEXT PRIMARY KEY, score TEXT NOT NULL CHECK(score IN('ratio', 'verdict'))) STRICT;
-- The site whose frames may show the pages of a session.
ALTER TABLE session ADD COLUMN frame TEXT;
