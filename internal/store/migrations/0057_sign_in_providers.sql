-- compatible: the version before neither reads nor writes these tables and columns. It asks nobody to sign in with a
-- provider, so nobody should require it before all nodes run the new version.

-- The OpenID Connect provider of a workspace. sealed has the secret of the client, group_roles a JSON object of groups and
-- roles, join_domains a JSON array of domains, exempt a JSON array of the owners who may sign in with a password although
-- the provider is required.
CREATE TABLE sign_in_providers (
  workspace_id uuid NOT NULL,
  issuer text NOT NULL,
  client_id text NOT NULL,
  sealed bytea NOT NULL,
  groups_claim text NOT NULL,
  group_roles text NOT NULL,
  join_role text NOT NULL,
  join_domains text NOT NULL,
  required boolean NOT NULL,
  trusts_factor boolean NOT NULL,
  exempt text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id),
  FOREIGN KEY (workspace_id) REFERENCES workspaces (workspace_id)
) /*sqlite:WITHOUT ROWID*/;

-- Which member a person of a provider is.
CREATE TABLE provider_identities (
  workspace_id uuid NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  member_id text NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, issuer, subject),
  FOREIGN KEY (workspace_id, member_id) REFERENCES members (workspace_id, member_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE UNIQUE INDEX provider_identities_by_member ON provider_identities (workspace_id, member_id);

-- What a provider and a browser may show only once, by hashes: begun sign-ins and tokens of logouts. until is when they
-- are refused anyway.
CREATE TABLE provider_uses (
  workspace_id uuid NOT NULL,
  use_hash bytea NOT NULL,
  until bigint NOT NULL,
  PRIMARY KEY (workspace_id, use_hash)
) /*sqlite:WITHOUT ROWID*/;

-- Whether a session began with the provider, and the hash of the provider's name for its own session; '' for none.
ALTER TABLE sessions ADD COLUMN by_provider boolean NOT NULL DEFAULT FALSE;
ALTER TABLE sessions ADD COLUMN provider_session text NOT NULL DEFAULT '';

-- How often all sessions of a member were ended, which ends half sessions too.
ALTER TABLE members ADD COLUMN sessions_ended bigint NOT NULL DEFAULT 0;
