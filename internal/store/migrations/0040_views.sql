-- compatible: the version before neither writes nor reads saved views. Where it removes a
-- member, that member's own views stay, and nobody sees them.

-- Filters of the list of conversations under a name. query is that of their address.
CREATE TABLE views (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  view_id uuid NOT NULL,
  name text NOT NULL,
  scope text NOT NULL,
  owner_id text NOT NULL,
  query text NOT NULL,
  position bigint NOT NULL,
  pinned boolean NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, view_id)
) /*sqlite:WITHOUT ROWID*/;
