-- compatible: the version before neither writes nor reads macros. Where it removes a
-- member, that member's own macros stay, and nobody sees them.

-- Actions on a conversation under one name. actions is JSON, see macro.go.
CREATE TABLE macros (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  macro_id uuid NOT NULL,
  name text NOT NULL,
  scope text NOT NULL,
  owner_id text NOT NULL,
  shortcut text NOT NULL,
  actions text NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, macro_id)
) /*sqlite:WITHOUT ROWID*/;
