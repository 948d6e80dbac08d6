-- compatible: the version before changes neither these columns nor these rows. It wakes nobody and routes to no
-- team: a conversation that it opens keeps snoozed_until, which counts only while the status is pending, and its
-- events name no inbox, so that they are shown only to readers of the whole workspace.
--
-- Adding columns costs nothing. The indexes are empty until the features are used, but making them reads the
-- conversations once: about a second per million.

-- Groups of members, to which inboxes and products can lead. deleted_at is the time when the team was deleted: its
-- conversations are cleared afterwards, and then the row goes.
CREATE TABLE teams (
  workspace_id uuid NOT NULL,
  team_id uuid NOT NULL,
  name text NOT NULL,
  color text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  deleted_at bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, team_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces (workspace_id)
) /*sqlite:WITHOUT ROWID*/;

-- The team of new conversations. source_id is the id of an inbox or of a product.
CREATE TABLE team_routes (
  workspace_id uuid NOT NULL,
  source_id uuid NOT NULL,
  kind text NOT NULL,
  team_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, source_id),
  FOREIGN KEY (workspace_id, team_id) REFERENCES teams (workspace_id, team_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX team_routes_team ON team_routes (workspace_id, team_id, source_id);

-- Until when a pending conversation sleeps, and when it woke. team_id has no foreign key, because SQLite cannot add
-- one to a table that exists; merged_into and split_from are other conversations.
ALTER TABLE conversations ADD COLUMN snoozed_until bigint NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN woke_at bigint NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN team_id uuid;
ALTER TABLE conversations ADD COLUMN merged_into uuid;
ALTER TABLE conversations ADD COLUMN merged_at bigint NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN split_from uuid;
CREATE INDEX conversations_snoozed ON conversations (workspace_id, snoozed_until, conversation_id) WHERE snoozed_until > 0;
CREATE INDEX conversations_woke ON conversations (workspace_id, woke_at, conversation_id) WHERE woke_at > 0;
CREATE INDEX conversations_team ON conversations (workspace_id, team_id, status, conversation_id) WHERE team_id IS NOT NULL;
CREATE INDEX conversations_merged ON conversations (workspace_id, merged_into) WHERE merged_into IS NOT NULL;

-- The ids of the members and teams that a note names, as a JSON array; empty for none.
ALTER TABLE messages ADD COLUMN mentions text NOT NULL DEFAULT '';

-- Where the conversation of an event stands after it, and in JSON where it stood before, if the event changed its
-- team or its assignee. Whether a reader may see an event depends on them.
ALTER TABLE events ADD COLUMN inbox_id uuid;
ALTER TABLE events ADD COLUMN team_id uuid;
ALTER TABLE events ADD COLUMN assignee_id text NOT NULL DEFAULT '';
ALTER TABLE events ADD COLUMN before text NOT NULL DEFAULT '';
