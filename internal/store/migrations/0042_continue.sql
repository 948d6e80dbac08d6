-- compatible: the version before mails nobody what they missed, and neither writes nor reads these
-- rows. It cannot delete a conversation about which a mail was sent: a node of this version does,
-- when it is tried again.

-- After how many minutes of quiet the customers of a website get by mail what they missed; 0 for
-- never. Adding the column takes no longer with many rows.
ALTER TABLE widget_settings ADD COLUMN continue_after bigint NOT NULL DEFAULT 5;

-- The last mail about what a customer missed in a conversation: message_id is the last message
-- that it told.
CREATE TABLE continuations (
  workspace_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  message_id uuid NOT NULL,
  mail_id uuid NOT NULL,
  mailed_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, conversation_id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, conversation_id)
) /*sqlite:WITHOUT ROWID*/;

-- Addresses that visitors typed and that got their only mail, as keyed hashes.
CREATE TABLE typed_mails (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  to_key text NOT NULL,
  inbox_id uuid NOT NULL,
  mailed_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, to_key)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX typed_mails_inbox ON typed_mails (workspace_id, inbox_id, mailed_at);
