-- compatible: the version before knows no links, and refuses the tokens of sessions that began with
-- one by their form. It cannot delete a conversation that a mail leads to: a node of this version
-- does, when it is tried again.

-- Links of mails that lead back into a conversation, by the hash of their token. to_key is the keyed
-- hash of the address that the mail went to.
CREATE TABLE return_links (
  workspace_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  conversation_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  to_key text NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, token_hash),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, conversation_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX return_links_token ON return_links (token_hash);
CREATE INDEX return_links_conversation ON return_links (workspace_id, conversation_id);
CREATE INDEX return_links_expires ON return_links (workspace_id, expires_at);

-- The only conversation that a session sees; null for all of its contact in its inbox. Adding the
-- column takes no longer with many rows.
ALTER TABLE customer_sessions ADD COLUMN conversation_id uuid;
