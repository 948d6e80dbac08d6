-- compatible: the version before knows no links. It deletes conversations without theirs,
-- which nobody reads then, and which the next purge deletes.

-- Which conversations concern each other, two rows each. There is no foreign key, because
-- the version before deletes conversations. Making the table costs nothing.
CREATE TABLE conversation_links (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  conversation_id uuid NOT NULL,
  other_id uuid NOT NULL,
  member_id text NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, conversation_id, other_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX conversation_links_other ON conversation_links (workspace_id, other_id);
