-- compatible: the version before deletes nothing of what these rows and indexes are about, and keeps everything whatever the rules say.

-- Persons and conversations that were erased, or are being erased; see
-- internal/erasure. A row names ids alone, and stays: a store that is restored from
-- an older backup has the erased records again, and is told by these rows. subjects
-- are the ids, as JSON. step is what is done next, '' where nothing is left to do.
-- working is the state of that step; it may hold phone numbers and is cleared at the
-- end. subject_id is the contact or conversation, null for a rule. asked_by is a member, '' for the command line or a rule.
CREATE TABLE erasures (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  erasure_id uuid NOT NULL,
  kind text NOT NULL,
  subject_id uuid,
  subjects text NOT NULL,
  asked_by text NOT NULL,
  step text NOT NULL,
  working text NOT NULL,
  counts text NOT NULL,
  created_at bigint NOT NULL,
  finished_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, erasure_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX erasures_subject ON erasures (workspace_id, subject_id);
CREATE INDEX erasures_unfinished ON erasures (workspace_id, erasure_id) WHERE finished_at = 0;

-- What refers to a conversation or a message is found when that is deleted. Making
-- them reads each of the three tables once; posting by the API writes none of them.
CREATE INDEX conversation_labels_conversation ON conversation_labels (workspace_id, conversation_id);
CREATE INDEX read_marks_conversation ON read_marks (workspace_id, conversation_id);
CREATE INDEX chatapp_messages_conversation ON chatapp_messages (workspace_id, conversation_id, message_id);

-- How many days a conversation of an inbox is kept after it was resolved and last
-- changed; inboxes without a row keep theirs. clock_at is the time that the rule goes
-- by, and looked_at when it was moved: it follows the clock slowly, so that a clock
-- that is ahead does not delete everything.
CREATE TABLE retention_rules (
  workspace_id uuid NOT NULL,
  inbox_id uuid NOT NULL,
  days bigint NOT NULL,
  clock_at bigint NOT NULL,
  looked_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, inbox_id),
  FOREIGN KEY (workspace_id, inbox_id) REFERENCES inboxes (workspace_id, inbox_id)
) /*sqlite:WITHOUT ROWID*/;

-- What a rule deletes next. Posting to a conversation that is not resolved does not
-- write it. Making it reads the conversations once. With an equality, SQLite would
-- plan every list with a status anew each time it is read.
CREATE INDEX conversations_resolved ON conversations (workspace_id, inbox_id, changed_at) WHERE status >= 'resolved' AND status <= 'resolved';
