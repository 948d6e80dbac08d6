-- compatible: tables alone
-- Mails that the server sends. sealed has address and contents while they are needed; to_key is
-- a keyed hash of the address. subject_key names what a mail is about: a later one takes the
-- place of one that waits. once says that the mail is never sent again if its end is unknown.
-- queued_at begins the time in which it is tried.
CREATE TABLE mails (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  mail_id uuid NOT NULL,
  kind text NOT NULL,
  subject_key text NOT NULL,
  to_key text NOT NULL,
  contact_id uuid,
  member_id text NOT NULL,
  conversation_id uuid,
  invitation_id uuid,
  state text NOT NULL,
  once boolean NOT NULL,
  attempts bigint NOT NULL,
  unknowns bigint NOT NULL,
  problem text NOT NULL,
  sealed bytea NOT NULL,
  epoch text NOT NULL,
  created_at bigint NOT NULL,
  queued_at bigint NOT NULL,
  ended_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, mail_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE UNIQUE INDEX mails_subject ON mails (workspace_id, subject_key) WHERE state = 'waiting' AND subject_key <> '';
CREATE INDEX mails_contact ON mails (workspace_id, contact_id) WHERE contact_id IS NOT NULL;
CREATE INDEX mails_ended ON mails (workspace_id, ended_at);

-- Addresses that get no more mails of the kinds that can be stopped, as keyed hashes.
CREATE TABLE mail_stops (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  to_key text NOT NULL,
  reason text NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, to_key)
) /*sqlite:WITHOUT ROWID*/;

-- The key of these hashes, sealed. It stays when another master key takes over, so that stops
-- stay valid.
CREATE TABLE mail_keys (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  sealed bytea NOT NULL,
  PRIMARY KEY (workspace_id)
) /*sqlite:WITHOUT ROWID*/;
