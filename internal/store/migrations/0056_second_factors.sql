-- compatible: the version before neither reads nor writes these tables and the column. It asks nobody for a code, so
-- nobody should set up a second factor before all nodes run the new version.

-- Second factors of members. sealed has the secret of the codes, used_step the number of the newest code that was
-- accepted.
CREATE TABLE second_factors (
  workspace_id uuid NOT NULL,
  member_id text NOT NULL,
  sealed bytea NOT NULL,
  used_step bigint NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, member_id),
  FOREIGN KEY (workspace_id, member_id) REFERENCES members (workspace_id, member_id)
) /*sqlite:WITHOUT ROWID*/;

-- Recovery codes that were not used, by their hashes.
CREATE TABLE recovery_codes (
  workspace_id uuid NOT NULL,
  member_id text NOT NULL,
  code_hash bytea NOT NULL,
  PRIMARY KEY (workspace_id, member_id, code_hash),
  FOREIGN KEY (workspace_id, member_id) REFERENCES second_factors (workspace_id, member_id)
) /*sqlite:WITHOUT ROWID*/;

-- Whether every member needs one.
ALTER TABLE workspaces ADD COLUMN require_second_factor boolean NOT NULL DEFAULT FALSE;
