-- Counts and times for reports. They are kept when something happens, by day
-- (the number of days since 1970 in UTC) and by what it happened to, so that a
-- report reads some rows instead of all conversations.

ALTER TABLE conversations ADD COLUMN opened_at bigint NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN first_response_at bigint NOT NULL DEFAULT 0;

-- What happened on a day to one item of a dimension: to all conversations
-- ('day', item ''), to those of a product, an inbox, a member, a company. The
-- item is the id as text, '' for none. The times are counted by their length;
-- see Durations. There is one row for each day and item that has something to
-- tell.
CREATE TABLE report_cells (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  dimension text NOT NULL,
  day bigint NOT NULL,
  item text NOT NULL,
  opened bigint NOT NULL,
  first_responses text NOT NULL,
  resolutions text NOT NULL,
  PRIMARY KEY (workspace_id, dimension, day, item)
) /*sqlite:WITHOUT ROWID*/;

-- Of what happened before, it is known when conversations began, and which of
-- them a member has answered.
UPDATE conversations SET opened_at = created_at, first_response_at = COALESCE((
  SELECT min(m.created_at) FROM messages m
  WHERE m.workspace_id = conversations.workspace_id AND m.conversation_id = conversations.conversation_id
    AND m.direction = 'outgoing' AND m.sender_type = 'agent' AND NOT m.private), 0);

INSERT INTO report_cells (workspace_id, dimension, day, item, opened, first_responses, resolutions)
SELECT workspace_id, 'day', created_at / 86400000, '', count(*), '', ''
FROM conversations GROUP BY workspace_id, created_at / 86400000;

INSERT INTO report_cells (workspace_id, dimension, day, item, opened, first_responses, resolutions)
SELECT workspace_id, 'member', created_at / 86400000, '', count(*), '', ''
FROM conversations GROUP BY workspace_id, created_at / 86400000;

-- SQLite casts the 16 bytes of an id to a text of these bytes, PostgreSQL to
-- its canonical form; hex makes digits of the former, replace of the latter.
INSERT INTO report_cells (workspace_id, dimension, day, item, opened, first_responses, resolutions)
SELECT workspace_id, dimension, day, CASE WHEN item IS NULL THEN '' ELSE substr(digits, 1, 8) || '-' || substr(digits, 9, 4) ||
  '-' || substr(digits, 13, 4) || '-' || substr(digits, 17, 4) || '-' || substr(digits, 21, 12) END, opened, '', ''
FROM (
  SELECT workspace_id, dimension, day, item, replace(/*sqlite:lower(hex(*/CAST(item AS text)/*sqlite:))*/, '-', '') AS digits, opened
  FROM (
    SELECT workspace_id, 'product' AS dimension, created_at / 86400000 AS day, product_id AS item, count(*) AS opened
    FROM conversations GROUP BY workspace_id, created_at / 86400000, product_id
    UNION ALL
    SELECT workspace_id, 'inbox', created_at / 86400000, inbox_id, count(*)
    FROM conversations GROUP BY workspace_id, created_at / 86400000, inbox_id
    UNION ALL
    SELECT c.workspace_id, 'company', c.created_at / 86400000, k.company_id, count(*)
    FROM conversations c JOIN contacts k ON k.workspace_id = c.workspace_id AND k.contact_id = c.contact_id
    GROUP BY c.workspace_id, c.created_at / 86400000, k.company_id
  ) AS counted
) AS spelled;
