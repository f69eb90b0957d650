-- What is handed in together is compared with each other: a final is checked when all that wait to be put into its round's index are there.
CREATE INDEX job_entering ON job(fair) WHERE kind = 'enter' AND state IN ('queued', 'running');
-- The ratio of a final since others came later that share text with it; none where none has.
ALTER TABLE report ADD COLUMN ratio_since REAL;
