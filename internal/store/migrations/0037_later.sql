-- compatible: the version before sends none of these messages. It deletes conversations without theirs, which end
-- at their time, and a day after its upload it deletes a file that waits, whose message is then held.
--
-- Adding the column and the tables costs nothing; making the index reads the files once.

-- Messages that members have written and that the server posts later. last_id is the newest message of the
-- conversation that the author knew, or the conversation itself. epoch is that of the workspace at the author's last
-- change, so that a restored copy sends nothing by itself. There is no foreign key to the conversation, because the
-- version before deletes conversations.
CREATE TABLE scheduled_messages (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  scheduled_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  member_id text NOT NULL,
  content text NOT NULL,
  content_type text NOT NULL,
  private boolean NOT NULL,
  files bigint NOT NULL,
  send_at bigint NOT NULL,
  if_quiet boolean NOT NULL,
  last_id uuid NOT NULL,
  state text NOT NULL,
  held_reason text NOT NULL,
  epoch text NOT NULL,
  version bigint NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, scheduled_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX scheduled_messages_conversation ON scheduled_messages (workspace_id, conversation_id, send_at);

-- The scheduled message that an unattached file waits for; it is not deleted before.
ALTER TABLE attachments ADD COLUMN scheduled_id uuid;
CREATE INDEX attachments_scheduled ON attachments (workspace_id, scheduled_id) WHERE scheduled_id IS NOT NULL;
