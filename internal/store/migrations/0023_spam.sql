-- compatible: the version before lists what is marked as spam with everything else, and marks nothing.

-- Whether somebody marked a conversation as spam: a flag beside its status. Lists
-- leave these out unless asked. Posting writes neither the column nor the index.
ALTER TABLE conversations ADD COLUMN spam boolean NOT NULL DEFAULT false;
CREATE INDEX conversations_spam ON conversations (workspace_id, spam, conversation_id) WHERE spam;
