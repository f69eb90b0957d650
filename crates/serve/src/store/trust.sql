-- Jobs that cannot be done now wait for longer each time. A removal never ends otherwise than done.
ALTER TABLE job ADD COLUMN postponed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE job ADD COLUMN not_before INTEGER NOT NULL DEFAULT 0;
UPDATE job SET state = 'queued', attempts = 0, ended = NULL WHERE kind = 'remove' AND state = 'failed';
-- Why a file of an archive is not taken.
ALTER TABLE batch_file ADD COLUMN problem TEXT;
