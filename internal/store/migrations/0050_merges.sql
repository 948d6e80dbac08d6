-- compatible: the version before leads the id of a merged conversation on to its target, and shows there only the
-- target's own messages. It cannot undo a merge.

-- Conversations that were merged into others: by whom, and what an undo needs as JSON (threads.undo). The row goes with the merge, or
-- with either conversation. There is no foreign key, because the version before deletes conversations. Making the
-- table costs nothing.
CREATE TABLE conversation_merges (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  conversation_id uuid NOT NULL,
  into_id uuid NOT NULL,
  member_id text NOT NULL,
  merged_at bigint NOT NULL,
  undo text NOT NULL,
  PRIMARY KEY (workspace_id, conversation_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX conversation_merges_into ON conversation_merges (workspace_id, into_id);
