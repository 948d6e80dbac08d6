-- compatible: the version before neither reads nor writes these columns. It shows every conversation to every member,
-- and lets a member join a team without telling open pages; nobody is restricted before the new version runs.

-- Which conversations a member sees, with the ids of the inboxes separated by spaces, and since which event of the
-- log. An invitation says it for the new member.
ALTER TABLE members ADD COLUMN access text NOT NULL DEFAULT 'all';
ALTER TABLE members ADD COLUMN inbox_ids text NOT NULL DEFAULT '';
ALTER TABLE members ADD COLUMN sight_since bigint NOT NULL DEFAULT 0;
ALTER TABLE invitations ADD COLUMN access text NOT NULL DEFAULT 'all';
ALTER TABLE invitations ADD COLUMN inbox_ids text NOT NULL DEFAULT '';
