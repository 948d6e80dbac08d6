-- Who brought each event about and what it follows from; see parley.Origin.
-- Events from before have no actor, which reads as the system. Adding columns
-- with a default rewrites nothing.

ALTER TABLE events ADD COLUMN actor_type text NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN actor_id text NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN actor_name text NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN cause_type text NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN cause_id uuid;
ALTER TABLE events ADD COLUMN imported boolean NOT NULL DEFAULT false;
