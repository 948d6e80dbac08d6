-- compatible: the version before deletes what has expired by its own schedule, and does not know these rows.

-- What is to happen later. While owner is not empty, that run holds the timer and
-- due_at is the end of its lease: so one index finds what is due, and what a dead
-- process left behind.
CREATE TABLE timers (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  kind text NOT NULL,
  name text NOT NULL,
  due_at bigint NOT NULL,
  attempts bigint NOT NULL,
  owner text NOT NULL,
  PRIMARY KEY (workspace_id, kind, name)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX timers_due ON timers (workspace_id, due_at);
