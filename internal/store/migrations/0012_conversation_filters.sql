-- Indexes by which a list of conversations finds what a filter finds, where that
-- is little; see conversationlist.go. No message moves any of their columns.
-- Making them reads the table once for each.

CREATE INDEX conversations_inbox ON conversations (workspace_id, inbox_id, conversation_id);
CREATE INDEX conversations_product ON conversations (workspace_id, product_id, conversation_id);

-- Also of those that nobody is assigned to.
DROP INDEX conversations_assignee;
CREATE INDEX conversations_assignee ON conversations (workspace_id, assignee_id, status, conversation_id);
