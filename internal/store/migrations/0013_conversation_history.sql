-- What happened to each conversation and who did it, kept for good: the event log
-- forgets after its retention. changes is JSON; see wire.AppendChanges.

CREATE TABLE conversation_history (
  workspace_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  entry_id uuid NOT NULL,
  type text NOT NULL,
  created_at bigint NOT NULL,
  changes text NOT NULL,
  actor_type text NOT NULL,
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  cause_type text NOT NULL,
  cause_id uuid,
  imported boolean NOT NULL,
  PRIMARY KEY (workspace_id, conversation_id, entry_id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, conversation_id)
) /*sqlite:WITHOUT ROWID*/;
