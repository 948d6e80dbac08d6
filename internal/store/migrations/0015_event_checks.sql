-- Random characters of each event, by which a position in the log knows its own
-- history; see parley.LogPosition. Events from before have none, and neither
-- have the positions that were told of them.

ALTER TABLE events ADD COLUMN mark text NOT NULL DEFAULT '';
