-- compatible: the version before neither reads nor writes this table, so what it does is not recorded.

-- Who did what to members, keys and settings. Rows are added with what they record, and deleted by their age alone.
-- changes has names of fields, as JSON, and values of harmless settings; amount counts refused sign-ins, and is 1 otherwise.
CREATE TABLE audit (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  entry_id uuid NOT NULL,
  at bigint NOT NULL,
  actor_type text NOT NULL,
  actor_id text NOT NULL,
  address text NOT NULL,
  user_agent text NOT NULL,
  action text NOT NULL,
  subject_type text NOT NULL,
  subject_id text NOT NULL,
  changes text NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (workspace_id, entry_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX audit_at ON audit (workspace_id, at, entry_id);
CREATE INDEX audit_action ON audit (workspace_id, action, at, entry_id);
CREATE INDEX audit_actor ON audit (workspace_id, actor_id, at, entry_id);
