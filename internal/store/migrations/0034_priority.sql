-- compatible: the version before works the same with one more index.

-- Few conversations have a priority. The index is built in one pass over the conversations.
CREATE INDEX conversations_priority ON conversations (workspace_id, priority, conversation_id) WHERE priority <> '';
