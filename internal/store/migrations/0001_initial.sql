-- The first schema. One text for SQLite and PostgreSQL: what stands in a
-- comment that begins with "sqlite:" is for SQLite alone.
--
-- Rules: workspace_id leads every primary key, unique index and foreign key.
-- Ids are made in Go. Times are milliseconds since 1970 in UTC, 0 for none.
-- A text that means "none" is empty, so that no sort or search key is null;
-- a reference that means "none" is null.

CREATE TABLE workspaces (
  workspace_id uuid NOT NULL PRIMARY KEY,
  name text NOT NULL,
  epoch text NOT NULL,
  seq bigint NOT NULL,
  created_at bigint NOT NULL
) /*sqlite:WITHOUT ROWID*/;

CREATE TABLE members (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  member_id text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  name text NOT NULL,
  image text NOT NULL,
  role text NOT NULL,
  password_hash text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, member_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE UNIQUE INDEX members_email ON members (workspace_id, email_key);

-- A key is looked for by its hash before its workspace is known; therefore
-- that index is not unique (256 bits do not collide).
CREATE TABLE api_keys (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  key_id uuid NOT NULL,
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  scopes text NOT NULL,
  prefix text NOT NULL,
  last_four text NOT NULL,
  expires_at bigint NOT NULL,
  revoked_at bigint NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, key_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX api_keys_secret ON api_keys (secret_hash);

-- Secrets by which the company signs the identities of its customers, sealed
-- under the server's master key.
CREATE TABLE identity_keys (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  kid text NOT NULL,
  algorithm text NOT NULL,
  sealed bytea NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, kid)
) /*sqlite:WITHOUT ROWID*/;

CREATE TABLE products (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  product_id uuid NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  archived_at bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, product_id)
) /*sqlite:WITHOUT ROWID*/;

CREATE TABLE inboxes (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  inbox_id uuid NOT NULL,
  name text NOT NULL,
  channel text NOT NULL,
  product_id uuid,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, inbox_id),
  FOREIGN KEY (workspace_id, product_id) REFERENCES products (workspace_id, product_id)
) /*sqlite:WITHOUT ROWID*/;

CREATE TABLE companies (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  company_id uuid NOT NULL,
  name text NOT NULL,
  website text,
  industry text,
  notes text,
  external_id text NOT NULL,
  search_key text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, company_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE UNIQUE INDEX companies_external ON companies (workspace_id, external_id) WHERE external_id <> '';

CREATE TABLE contacts (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  contact_id uuid NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  email_key text NOT NULL,
  phone_number text NOT NULL,
  phone_key text NOT NULL,
  shop_name text NOT NULL,
  avatar_url text NOT NULL,
  identifier text NOT NULL,
  company_id uuid,
  custom_attributes text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  last_activity_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, contact_id),
  FOREIGN KEY (workspace_id, company_id) REFERENCES companies (workspace_id, company_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE UNIQUE INDEX contacts_identifier ON contacts (workspace_id, identifier) WHERE identifier <> '';
CREATE UNIQUE INDEX contacts_email ON contacts (workspace_id, email_key) WHERE email_key <> '';
CREATE UNIQUE INDEX contacts_phone ON contacts (workspace_id, phone_key) WHERE phone_key <> '';
CREATE INDEX contacts_company ON contacts (workspace_id, company_id, last_activity_at, contact_id) WHERE company_id IS NOT NULL;

-- Every message moves last_activity_at, so no index contains it but
-- conversations_active and, for the few that are not resolved, the one of the
-- dashboards' lists.
CREATE TABLE conversations (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  conversation_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  inbox_id uuid NOT NULL,
  product_id uuid,
  assignee_id text,
  status text NOT NULL,
  priority text NOT NULL,
  labels text NOT NULL,
  unread_count bigint NOT NULL,
  custom_attributes text NOT NULL,
  last_activity_at bigint NOT NULL,
  changed_at bigint NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, conversation_id),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, contact_id),
  FOREIGN KEY (workspace_id, inbox_id) REFERENCES inboxes (workspace_id, inbox_id),
  FOREIGN KEY (workspace_id, product_id) REFERENCES products (workspace_id, product_id),
  FOREIGN KEY (workspace_id, assignee_id) REFERENCES members (workspace_id, member_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX conversations_active ON conversations (workspace_id, last_activity_at, conversation_id);
CREATE INDEX conversations_unresolved ON conversations (workspace_id, status, last_activity_at, conversation_id) WHERE status <> 'resolved';
CREATE INDEX conversations_changed ON conversations (workspace_id, changed_at);
CREATE INDEX conversations_contact ON conversations (workspace_id, contact_id);
CREATE INDEX conversations_assignee ON conversations (workspace_id, assignee_id, status) WHERE assignee_id IS NOT NULL;

CREATE TABLE conversation_labels (
  workspace_id uuid NOT NULL,
  label text NOT NULL,
  conversation_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, label, conversation_id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, conversation_id)
) /*sqlite:WITHOUT ROWID*/;

-- The id carries the time, so the primary key is the order of reading, and
-- posting touches one tree.
CREATE TABLE messages (
  workspace_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  message_id uuid NOT NULL,
  content text NOT NULL,
  content_type text NOT NULL,
  direction text NOT NULL,
  status text NOT NULL,
  private boolean NOT NULL,
  sender_type text NOT NULL,
  sender_member_id text,
  sender_contact_id uuid,
  error text NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, conversation_id, message_id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, conversation_id)
) /*sqlite:WITHOUT ROWID*/;

CREATE TABLE events (
  workspace_id uuid NOT NULL,
  seq bigint NOT NULL,
  type text NOT NULL,
  created_at bigint NOT NULL,
  conversation_id uuid,
  changed text NOT NULL,
  data text NOT NULL,
  PRIMARY KEY (workspace_id, seq)
) /*sqlite:WITHOUT ROWID*/;

CREATE TABLE idempotency_keys (
  workspace_id uuid NOT NULL,
  route text NOT NULL,
  idempotency_key text NOT NULL,
  body_hash bytea NOT NULL,
  status bigint NOT NULL,
  body text NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, route, idempotency_key)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX idempotency_keys_age ON idempotency_keys (workspace_id, created_at);

CREATE TABLE numbers (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  number_id uuid NOT NULL,
  phone text NOT NULL,
  driver text NOT NULL,
  status text NOT NULL,
  inbox_id uuid NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, number_id),
  FOREIGN KEY (workspace_id, inbox_id) REFERENCES inboxes (workspace_id, inbox_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE UNIQUE INDEX numbers_phone ON numbers (workspace_id, phone);

CREATE TABLE chatapp_groups (
  workspace_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  number_id uuid NOT NULL,
  jid text NOT NULL,
  invite_link text NOT NULL,
  PRIMARY KEY (workspace_id, conversation_id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, conversation_id),
  FOREIGN KEY (workspace_id, number_id) REFERENCES numbers (workspace_id, number_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE UNIQUE INDEX chatapp_groups_jid ON chatapp_groups (workspace_id, number_id, jid);

CREATE TABLE group_members (
  workspace_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  phone text NOT NULL,
  joined boolean NOT NULL,
  admin boolean NOT NULL,
  PRIMARY KEY (workspace_id, conversation_id, phone),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES chatapp_groups (workspace_id, conversation_id)
) /*sqlite:WITHOUT ROWID*/;

-- One row for each creation of a group that named an Idempotency-Key, kept for
-- good. It is written before the network is asked, so that a crash behind the
-- network's answer leaves a trace to find the group by.
CREATE TABLE group_requests (
  workspace_id uuid NOT NULL,
  idempotency_key text NOT NULL,
  number_id uuid NOT NULL,
  name text NOT NULL,
  started_at bigint NOT NULL,
  owner text NOT NULL,
  lease_until bigint NOT NULL,
  answer text NOT NULL,
  PRIMARY KEY (workspace_id, idempotency_key)
) /*sqlite:WITHOUT ROWID*/;

-- Messages that wait for a channel; a row goes when its message is sent or
-- given up.
CREATE TABLE deliveries (
  workspace_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  message_id uuid NOT NULL,
  attempts bigint NOT NULL,
  due_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, conversation_id, message_id),
  FOREIGN KEY (workspace_id, conversation_id, message_id) REFERENCES messages (workspace_id, conversation_id, message_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX deliveries_due ON deliveries (due_at);

-- What the sandbox network of the messaging application remembers: it plays
-- the world outside, which outlives a crash of ours.
CREATE TABLE sandbox_groups (
  workspace_id uuid NOT NULL,
  jid text NOT NULL,
  host text NOT NULL,
  state text NOT NULL,
  PRIMARY KEY (workspace_id, jid)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX sandbox_groups_host ON sandbox_groups (workspace_id, host);

-- What is true of the whole store, by name; see installation.go.
CREATE TABLE installation (
  name text NOT NULL PRIMARY KEY,
  value text NOT NULL
) /*sqlite:WITHOUT ROWID*/;

-- Each writer names its newest transaction here, so that after a connection lost during
-- a commit it can ask whether the commit took place.
CREATE TABLE writers (
  writer_id uuid NOT NULL PRIMARY KEY,
  commits bigint NOT NULL,
  seen_at bigint NOT NULL
) /*sqlite:WITHOUT ROWID*/;
