-- Who vouched first for the customer of a signed subject: the workspace's own
-- secrets ("own"), an issuer ("iss …") or one public key ("kid …"). previous is
-- the source that the subject was moved from; empty for none. Subjects that are
-- signed already get their row when they are next signed.
CREATE TABLE identity_sources (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  subject text NOT NULL,
  source text NOT NULL,
  previous text NOT NULL,
  PRIMARY KEY (workspace_id, subject)
) /*sqlite:WITHOUT ROWID*/;
