-- compatible: the version before neither reads nor writes these columns. It shows every conversation to every member,
-- and lets a member join a team without telling open pages; nobody is restricted before the new version runs.

-- Which conversations a member sees, with the ids of the inboxes separated by spaces, and since which event of the
-- log. An invitation says it for the new member.
ALTER TABLE members ADD COLUMN access text NOT NULL DEFAULT 'all';
ALTER TABLE members ADD COLUMN inbox_ids text NOT NULL DEFAULT '';
ALTER TABLE members ADD COLUMN sight_since bigint NOT NULL DEFAULT 0;
ALTER TABLE invitations ADD COLUMN access text NOT NULL DEFAULT 'all';
ALTER TABLE invitations ADD COLUMN inbox_ids text NOT NULL DEFAULT '';

-- A merged conversation stands where the one does that shows it.
UPDATE conversations SET
  team_id = (SELECT t.team_id FROM conversations t WHERE t.workspace_id = conversations.workspace_id AND t.conversation_id = conversations.merged_into),
  assignee_id = (SELECT t.assignee_id FROM conversations t WHERE t.workspace_id = conversations.workspace_id AND t.conversation_id = conversations.merged_into)
WHERE merged_into IS NOT NULL;

-- The open and pending conversations of an inbox, which its members count. Making the index reads the table once.
CREATE INDEX conversations_inbox_unresolved ON conversations (workspace_id, inbox_id, status, conversation_id) WHERE status <> 'resolved';
