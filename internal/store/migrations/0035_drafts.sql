-- compatible: the version before knows no drafts. It deletes conversations and removes
-- members without theirs, which nobody reads then, and which the next purge deletes.

-- What members have written in conversations and not sent, one draft each.
-- attachment_ids are separated by blanks; begun_id is null if unknown. There is no
-- foreign key, because the version before deletes conversations. Making the table
-- costs nothing.
CREATE TABLE drafts (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  member_id text NOT NULL,
  conversation_id uuid NOT NULL,
  content text NOT NULL,
  private boolean NOT NULL,
  attachment_ids text NOT NULL,
  begun_id uuid,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, member_id, conversation_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX drafts_conversation ON drafts (workspace_id, conversation_id);
CREATE INDEX drafts_updated ON drafts (workspace_id, updated_at, conversation_id);
