-- What collections are harvested from, again and again. What each run did stands beside the collection's index.
CREATE TABLE harvest(
  id INTEGER PRIMARY KEY, collection INTEGER NOT NULL REFERENCES collection ON DELETE CASCADE,
  source TEXT NOT NULL, contact TEXT NOT NULL, licence TEXT NOT NULL,
  days INTEGER NOT NULL,                -- between two runs; 0 if only people start them
  queued INTEGER NOT NULL DEFAULT 0,    -- when a run was last queued
  made INTEGER NOT NULL, UNIQUE(collection, source)) STRICT;
