-- How far each member has read each conversation. It is written when a member
-- reads or marks one as unread; no message writes it. message_id is the newest
-- message that the member has seen, null for none; unread says that the member
-- wants to come back.

CREATE TABLE read_marks (
  workspace_id uuid NOT NULL,
  member_id text NOT NULL,
  conversation_id uuid NOT NULL,
  message_id uuid,
  unread boolean NOT NULL,
  PRIMARY KEY (workspace_id, member_id, conversation_id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, conversation_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX read_marks_unread ON read_marks (workspace_id, member_id) WHERE unread;

-- Whoever waits, the longest first. Making it reads the conversations once.
CREATE INDEX conversations_waiting ON conversations (workspace_id, waiting_since, conversation_id) WHERE waiting_since > 0;
