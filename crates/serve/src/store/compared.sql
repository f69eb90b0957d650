-- The share of what a reader sees that was compared as language. Reports made before it was known were taken for compared.
ALTER TABLE report ADD COLUMN compared_share REAL NOT NULL DEFAULT 1;
