-- Customers who are known by a signed identity, the chat widget, and attachments.

-- When a contact first came with a signed identity; 0 for never. Its identifier
-- came with that, and stays. signed_fields adds up what else it has from there:
-- 1 the name, 2 the e-mail address, 4 the phone number, 8 the picture.
ALTER TABLE contacts ADD COLUMN signed_at bigint NOT NULL DEFAULT 0;
ALTER TABLE contacts ADD COLUMN signed_fields bigint NOT NULL DEFAULT 0;
-- Identities that were issued before are refused; 0 for none.
ALTER TABLE contacts ADD COLUMN identity_valid_after bigint NOT NULL DEFAULT 0;
-- Somebody who wrote in the widget without an identity.
ALTER TABLE contacts ADD COLUMN visitor boolean NOT NULL DEFAULT false;
-- The name came with an identity, and the next one may change it; a name that a
-- person or the API gave stays.
ALTER TABLE companies ADD COLUMN named_by_identity boolean NOT NULL DEFAULT false;
-- The newest message that the customer has seen in the widget.
ALTER TABLE conversations ADD COLUMN customer_seen_id uuid;
-- A JSON array of what is attached, without addresses; empty for nothing.
ALTER TABLE messages ADD COLUMN attachments text NOT NULL DEFAULT '';

-- How a key verifies: a sealed secret, a public key, or a set of keys at an address.
ALTER TABLE identity_keys ADD COLUMN kind text NOT NULL DEFAULT 'secret';
ALTER TABLE identity_keys ADD COLUMN public_key text NOT NULL DEFAULT '';
ALTER TABLE identity_keys ADD COLUMN jwks_url text NOT NULL DEFAULT '';
ALTER TABLE identity_keys ADD COLUMN issuer text NOT NULL DEFAULT '';
ALTER TABLE identity_keys ADD COLUMN audience text NOT NULL DEFAULT '';
-- A key that retires still verifies until then; 0 for no such time.
ALTER TABLE identity_keys ADD COLUMN retire_at bigint NOT NULL DEFAULT 0;
ALTER TABLE identity_keys ADD COLUMN revoked_at bigint NOT NULL DEFAULT 0;
ALTER TABLE identity_keys ADD COLUMN last_used_at bigint NOT NULL DEFAULT 0;

-- The last identities that were refused, for developers: the browser learns no
-- more than that one was.
CREATE TABLE identity_rejections (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  rejection_id uuid NOT NULL,
  inbox_id uuid,
  kid text NOT NULL,
  reason text NOT NULL,
  subject text NOT NULL,
  origin text NOT NULL,
  rejected_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, rejection_id)
) /*sqlite:WITHOUT ROWID*/;

-- A contact that was merged leaves an identifier behind that came signed, so that
-- whoever comes with it finds the contact that it became part of.
ALTER TABLE merged_contacts ADD COLUMN identifier text NOT NULL DEFAULT '';
CREATE INDEX merged_contacts_identifier ON merged_contacts (workspace_id, identifier) WHERE identifier <> '';

-- A customer's session is looked for by its hash before its workspace is known.
-- kid is the key that vouched for the customer, empty for a visitor, whose
-- contact comes into being under contact_id with the first message.
CREATE TABLE customer_sessions (
  workspace_id uuid NOT NULL,
  session_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  inbox_id uuid NOT NULL,
  kid text NOT NULL,
  token_hash bytea NOT NULL,
  created_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, session_id),
  FOREIGN KEY (workspace_id, inbox_id) REFERENCES inboxes (workspace_id, inbox_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX customer_sessions_token ON customer_sessions (token_hash);
CREATE INDEX customer_sessions_contact ON customer_sessions (workspace_id, contact_id);
CREATE INDEX customer_sessions_key ON customer_sessions (workspace_id, kid);
CREATE INDEX customer_sessions_expiry ON customer_sessions (workspace_id, expires_at);

-- Two contacts that may be one person: a signed identity came with an e-mail
-- address that belongs to another signed contact. A pair of which somebody said
-- that it is none stays, so that the next identity does not bring it up again.
CREATE TABLE contact_duplicates (
  workspace_id uuid NOT NULL,
  duplicate_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  other_id uuid NOT NULL,
  email text NOT NULL,
  dismissed boolean NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, duplicate_id),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, contact_id),
  FOREIGN KEY (workspace_id, other_id) REFERENCES contacts (workspace_id, contact_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE UNIQUE INDEX contact_duplicates_pair ON contact_duplicates (workspace_id, contact_id, other_id);
CREATE INDEX contact_duplicates_other ON contact_duplicates (workspace_id, other_id);

-- Which company a signed identity took a contact from and to.
CREATE TABLE company_moves (
  workspace_id uuid NOT NULL,
  move_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  from_id uuid,
  to_id uuid,
  moved_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, move_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX company_moves_contact ON company_moves (workspace_id, contact_id);

-- Whose an answer is that is kept for an Idempotency-Key: it moves with the
-- contact. None of members and keys.
ALTER TABLE idempotency_keys ADD COLUMN contact_id uuid;
CREATE INDEX idempotency_keys_contact ON idempotency_keys (workspace_id, contact_id) WHERE contact_id IS NOT NULL;

-- How the widget of a web inbox looks and whom it lets in. origins are those of
-- the pages that may show it, one a line; none means every page.
CREATE TABLE widget_settings (
  workspace_id uuid NOT NULL,
  inbox_id uuid NOT NULL,
  origins text NOT NULL,
  identity text NOT NULL,
  title text NOT NULL,
  greeting text NOT NULL,
  reply_time text NOT NULL,
  color text NOT NULL,
  position text NOT NULL,
  show_team boolean NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, inbox_id),
  FOREIGN KEY (workspace_id, inbox_id) REFERENCES inboxes (workspace_id, inbox_id)
) /*sqlite:WITHOUT ROWID*/;
-- A widget's page names its inbox alone.
CREATE INDEX inboxes_public ON inboxes (inbox_id);

-- An uploaded file. It waits without a message until one takes it; contact_id is
-- the customer who uploaded it, none for members and keys. stored is false while
-- its content arrives, and again from when it is deleted.
CREATE TABLE attachments (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  attachment_id uuid NOT NULL,
  contact_id uuid,
  conversation_id uuid,
  message_id uuid,
  file_name text NOT NULL,
  content_type text NOT NULL,
  size bigint NOT NULL,
  width bigint NOT NULL,
  height bigint NOT NULL,
  duration_ms bigint NOT NULL,
  stored boolean NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, attachment_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX attachments_waiting ON attachments (workspace_id, created_at) WHERE message_id IS NULL;
