-- compatible: the version before neither reads nor writes this column; its sessions count as not confirmed.

-- When the member of a session last proved who they are. Adding the column takes no longer with many rows.
ALTER TABLE sessions ADD COLUMN confirmed_at bigint NOT NULL DEFAULT 0;
