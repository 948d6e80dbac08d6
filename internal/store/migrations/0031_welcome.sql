-- compatible: the version before neither reads nor writes the new column and table. A workspace that it founds
-- meanwhile is shown the guided start, as any new one.

-- When the guided start of a workspace was finished or skipped, 0 while it is not. Workspaces
-- that exist already need none. The update writes one row per workspace.
ALTER TABLE workspaces ADD COLUMN welcomed_at bigint NOT NULL DEFAULT 0;
UPDATE workspaces SET welcomed_at = created_at;

-- The websites that have shown the chat widget of an inbox, at most ten of each. The origin is
-- empty if the browser did not say it.
CREATE TABLE widget_views (
  workspace_id uuid NOT NULL,
  inbox_id uuid NOT NULL,
  origin text NOT NULL,
  first_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, inbox_id, origin),
  FOREIGN KEY (workspace_id, inbox_id) REFERENCES inboxes (workspace_id, inbox_id)
) /*sqlite:WITHOUT ROWID*/;
