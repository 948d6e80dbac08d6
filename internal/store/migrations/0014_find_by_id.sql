-- A message by its id alone. Ids carry their time, so a new message comes behind
-- the others. This reads the whole table once, and writes about 60 bytes for each
-- message.
CREATE INDEX messages_id ON messages (workspace_id, message_id);

-- The contacts of a company in pages, newest first.
CREATE INDEX contacts_of_company ON contacts (workspace_id, company_id, contact_id) WHERE company_id IS NOT NULL;
