-- The key of a person's second factor, and the last time step of which a code was used.
ALTER TABLE person ADD COLUMN totp TEXT;
ALTER TABLE person ADD COLUMN totp_step INTEGER NOT NULL DEFAULT 0;
