-- compatible: the version before goes on by search_positions, which this version moves along.

-- How far each follower of the log is in each workspace. While place is not
-- empty, the follower reads the tables up to there; it follows the log behind
-- seq after that. step counts the moves: whoever moves it names the one before.
-- mark is the check of the event seq. missed counts the events that the follower
-- never got because they were deleted first. This copies one row per workspace.
CREATE TABLE followers (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  name text NOT NULL,
  step bigint NOT NULL,
  version bigint NOT NULL,
  epoch text NOT NULL,
  seq bigint NOT NULL,
  mark text NOT NULL,
  place text NOT NULL,
  missed bigint NOT NULL,
  PRIMARY KEY (workspace_id, name)
) /*sqlite:WITHOUT ROWID*/;

-- The index of the search goes on where it is. One that reads a table reads that
-- table from its beginning.
INSERT INTO followers (workspace_id, name, step, version, epoch, seq, mark, place, missed)
SELECT p.workspace_id, 'search', p.step, p.version, p.epoch, p.seq,
  COALESCE((SELECT e.mark FROM events e WHERE e.workspace_id = p.workspace_id AND e.seq = p.seq), ''), p.stage, 0
FROM search_positions p;
