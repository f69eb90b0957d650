-- Lists of people that were shown and wait for whoever brought them: rows of cells, JSON.
CREATE TABLE waiting_list(
  id TEXT PRIMARY KEY, person TEXT NOT NULL REFERENCES person, cells TEXT NOT NULL, made INTEGER NOT NULL) STRICT, WITHOUT ROWID;
