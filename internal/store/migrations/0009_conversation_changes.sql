-- When a conversation last changed in any way, and since when its customer waits
-- for an answer.

-- The time of the newest change in the workspace: changes never go back behind
-- it, whatever the clock does.
ALTER TABLE workspaces ADD COLUMN changed_at bigint NOT NULL DEFAULT 0;
-- 0 where nobody waits.
ALTER TABLE conversations ADD COLUMN waiting_since bigint NOT NULL DEFAULT 0;

-- changed_at was the time of the last change of the settings; from now on that of
-- the last change of any kind. This writes most rows of the table once, and one
-- of its indexes.
DROP INDEX conversations_changed;
UPDATE conversations SET changed_at = last_activity_at WHERE changed_at < last_activity_at;
CREATE INDEX conversations_changed ON conversations (workspace_id, changed_at, conversation_id);
UPDATE workspaces SET changed_at = COALESCE((SELECT max(c.changed_at) FROM conversations c WHERE c.workspace_id = workspaces.workspace_id), 0);

-- Waiting is told from the messages, of conversations that are not resolved
-- alone: the oldest of the customer's behind the last answer.
UPDATE conversations SET waiting_since = COALESCE((
  SELECT min(q.created_at) FROM messages q
  WHERE q.workspace_id = conversations.workspace_id AND q.conversation_id = conversations.conversation_id
    AND q.direction = 'incoming' AND q.created_at > COALESCE((
      SELECT max(a.created_at) FROM messages a
      WHERE a.workspace_id = conversations.workspace_id AND a.conversation_id = conversations.conversation_id
        AND a.direction = 'outgoing' AND NOT a.private AND a.sender_type IN ('agent', 'bot')), -1)), 0)
WHERE status <> 'resolved';
