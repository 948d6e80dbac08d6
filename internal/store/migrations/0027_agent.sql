-- compatible: the version before answers no customer by itself. It changes neither these columns nor these
-- rows; what a member does on such a node is seen by the agent in the rows that it always writes.

-- What the automated agent does in the conversations of a product, see
-- automatedagent.go.
ALTER TABLE products ADD COLUMN agent_mode text NOT NULL DEFAULT '';

-- The agent's part in a conversation. Posting writes both columns with the activity of
-- the conversation; the index has only what waits for a person after a hand-over.
ALTER TABLE conversations ADD COLUMN agent_state text NOT NULL DEFAULT '';
ALTER TABLE conversations ADD COLUMN agent_reason text NOT NULL DEFAULT '';
CREATE INDEX conversations_handed_over ON conversations (workspace_id, agent_state, conversation_id) WHERE agent_state = 'handed_over';

-- The kind and the sources of a message by the agent, in JSON; empty for all others.
ALTER TABLE messages ADD COLUMN agent text NOT NULL DEFAULT '';

-- Customers whom the agent is to answer: a row while agent_state is 'answering'.
-- message_id is the latest message to be answered, and first_at the time of the first.
-- While owner is not empty, that run holds the job and due_at is the end of its lease.
CREATE TABLE agent_jobs (
  workspace_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  message_id uuid NOT NULL,
  first_at bigint NOT NULL,
  due_at bigint NOT NULL,
  attempts bigint NOT NULL,
  restarted boolean NOT NULL,
  owner text NOT NULL,
  PRIMARY KEY (workspace_id, conversation_id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, conversation_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX agent_jobs_due ON agent_jobs (workspace_id, due_at);

-- What became of a conversation since the agent met it, and where that is counted: for
-- the product and the day (the number of days since 1970 in UTC) of its first question.
-- reason is empty unless it was handed over. It is no foreign key: the version before
-- deletes conversations and leaves such a row, which changes no count.
CREATE TABLE agent_results (
  workspace_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  product_id uuid NOT NULL,
  day bigint NOT NULL,
  result text NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (workspace_id, conversation_id),
  FOREIGN KEY (workspace_id, product_id) REFERENCES products (workspace_id, product_id)
) /*sqlite:WITHOUT ROWID*/;

-- How many conversations have a result. These counts stay when conversations are deleted.
CREATE TABLE agent_counts (
  workspace_id uuid NOT NULL,
  product_id uuid NOT NULL,
  day bigint NOT NULL,
  result text NOT NULL,
  reason text NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (workspace_id, product_id, day, result, reason),
  FOREIGN KEY (workspace_id, product_id) REFERENCES products (workspace_id, product_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX agent_counts_day ON agent_counts (workspace_id, day);
