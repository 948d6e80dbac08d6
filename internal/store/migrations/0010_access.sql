-- Who made a key, and who made that a member's password could be set. Two small
-- tables; the columns cost nothing to add.

-- The id of a member; '' for the command line, and for keys that are older than
-- this column.
ALTER TABLE api_keys ADD COLUMN created_by text NOT NULL DEFAULT '';

-- When somebody last gave the member's password away: by a link to set it, or on
-- the command line. 0 for never. The one who did it is a member, or '' for the
-- command line.
ALTER TABLE members ADD COLUMN reset_at bigint NOT NULL DEFAULT 0;
ALTER TABLE members ADD COLUMN reset_by text NOT NULL DEFAULT '';
