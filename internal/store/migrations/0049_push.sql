-- compatible: the version before neither reads nor writes these tables. Where it deletes a session, the database deletes
-- what belongs to it.

-- The key pair with which a workspace signs its requests to push services.
CREATE TABLE push_keys (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  sealed bytea NOT NULL,
  PRIMARY KEY (workspace_id)
) /*sqlite:WITHOUT ROWID*/;

-- Browsers that get notices. sealed has the address at the push service and the keys of the browser, endpoint_hash the
-- hash of that address. paused_until is the end of a lease, if there is an owner, or of a pause after a failure.
CREATE TABLE push_devices (
  workspace_id uuid NOT NULL,
  device_id uuid NOT NULL,
  member_id text NOT NULL,
  session_id uuid NOT NULL,
  endpoint_hash bytea NOT NULL,
  sealed bytea NOT NULL,
  user_agent text NOT NULL,
  created_at bigint NOT NULL,
  used_at bigint NOT NULL,
  owner text NOT NULL,
  paused_until bigint NOT NULL,
  failures bigint NOT NULL,
  refusals bigint NOT NULL,
  PRIMARY KEY (workspace_id, device_id),
  FOREIGN KEY (workspace_id, session_id) REFERENCES sessions (workspace_id, session_id) ON DELETE CASCADE
) /*sqlite:WITHOUT ROWID*/;
CREATE UNIQUE INDEX push_devices_endpoint ON push_devices (workspace_id, endpoint_hash);
CREATE INDEX push_devices_member ON push_devices (workspace_id, member_id, device_id);
CREATE INDEX push_devices_session ON push_devices (workspace_id, session_id);

-- Notices that are to be given to the push service of a device. version counts what has happened to the notice.
CREATE TABLE pushes (
  workspace_id uuid NOT NULL,
  device_id uuid NOT NULL,
  notice_id uuid NOT NULL,
  due_at bigint NOT NULL,
  version bigint NOT NULL,
  PRIMARY KEY (workspace_id, device_id, notice_id),
  FOREIGN KEY (workspace_id, device_id) REFERENCES push_devices (workspace_id, device_id) ON DELETE CASCADE
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX pushes_due ON pushes (workspace_id, due_at);
