-- What the dashboard needs: members' sessions and invitations, canned answers,
-- the catalogue of labels, merged contacts, the use of keys, and what a message
-- moved, told in its event.

ALTER TABLE members ADD COLUMN removed_at bigint NOT NULL DEFAULT 0;
-- Somebody who signs in names no workspace.
CREATE INDEX members_login ON members (email_key);

-- Counts what ends access: a revoked key, an ended session, a removed member.
-- A node that holds open streams looks at this number to know when to check
-- them.
ALTER TABLE workspaces ADD COLUMN access bigint NOT NULL DEFAULT 0;

-- The unread count and last activity that a message moved; empty where it moved nothing.
ALTER TABLE events ADD COLUMN moved text NOT NULL DEFAULT '';

ALTER TABLE api_keys ADD COLUMN last_used_at bigint NOT NULL DEFAULT 0;

-- Calls of a key under /v1/public/stores, by day (the number of days since
-- 1970 in UTC), so that an owner sees who must still switch to companies.
CREATE TABLE key_stores_calls (
  workspace_id uuid NOT NULL,
  key_id uuid NOT NULL,
  day bigint NOT NULL,
  calls bigint NOT NULL,
  last_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, key_id, day),
  FOREIGN KEY (workspace_id, key_id) REFERENCES api_keys (workspace_id, key_id)
) /*sqlite:WITHOUT ROWID*/;

-- A session is looked for by its hash before its workspace is known; therefore
-- that index is not unique (256 bits do not collide).
CREATE TABLE sessions (
  workspace_id uuid NOT NULL,
  session_id uuid NOT NULL,
  member_id text NOT NULL,
  token_hash bytea NOT NULL,
  user_agent text NOT NULL,
  created_at bigint NOT NULL,
  seen_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, session_id),
  FOREIGN KEY (workspace_id, member_id) REFERENCES members (workspace_id, member_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX sessions_token ON sessions (token_hash);
CREATE INDEX sessions_member ON sessions (workspace_id, member_id);
CREATE INDEX sessions_expiry ON sessions (workspace_id, expires_at);

-- A link by which somebody becomes a member or, where member_id is set, by
-- which a member sets a new password. It is used once.
CREATE TABLE invitations (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  invitation_id uuid NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  member_id text,
  invited_by text,
  token_hash bytea NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  used_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, invitation_id),
  FOREIGN KEY (workspace_id, member_id) REFERENCES members (workspace_id, member_id),
  FOREIGN KEY (workspace_id, invited_by) REFERENCES members (workspace_id, member_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX invitations_token ON invitations (token_hash);

CREATE TABLE canned_answers (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  answer_id uuid NOT NULL,
  shortcut text NOT NULL,
  content text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, answer_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE UNIQUE INDEX canned_answers_shortcut ON canned_answers (workspace_id, shortcut);

-- Labels that agents choose from, with their colours. A conversation may carry
-- others, which the API gave it.
CREATE TABLE labels (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  label text NOT NULL,
  color text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, label)
) /*sqlite:WITHOUT ROWID*/;

-- A contact that was merged into another one; its id still leads there.
CREATE TABLE merged_contacts (
  workspace_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  into_id uuid NOT NULL,
  merged_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, contact_id),
  FOREIGN KEY (workspace_id, into_id) REFERENCES contacts (workspace_id, contact_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX merged_contacts_into ON merged_contacts (workspace_id, into_id);
