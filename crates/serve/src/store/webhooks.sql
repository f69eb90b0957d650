-- Addresses of other systems that are told what happens; their secrets are sealed with the key of the service.
CREATE TABLE webhook(
  id TEXT PRIMARY KEY, url TEXT NOT NULL, secret TEXT NOT NULL, made INTEGER NOT NULL) STRICT;
CREATE TABLE delivery(
  id TEXT PRIMARY KEY, webhook TEXT NOT NULL REFERENCES webhook, event TEXT NOT NULL, body TEXT NOT NULL,
  state TEXT NOT NULL CHECK(state IN('waiting', 'done', 'failed')), made INTEGER NOT NULL, not_before INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0, answer TEXT NOT NULL DEFAULT '') STRICT;
CREATE INDEX delivery_waiting ON delivery(not_before) WHERE state = 'waiting';
CREATE INDEX delivery_made ON delivery(made);
