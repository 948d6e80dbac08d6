-- compatible: the version before neither reads nor writes this column, so its sessions have no address.

-- The network address from which a member signed in. Adding the column takes no longer with many rows.
ALTER TABLE sessions ADD COLUMN address text NOT NULL DEFAULT '';
