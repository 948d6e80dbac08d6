-- compatible: the version before writes no notices, and reads none. It deletes conversations and removes members without
-- theirs: lists do not show those, and they expire.

-- What concerns members in conversations, and has happened. Of each kind a member has at most one unread notice in a
-- conversation, which counts. Times are 0 for never. There is no foreign key, because the version before deletes
-- conversations. Making the tables costs nothing.
CREATE TABLE notices (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  notice_id uuid NOT NULL,
  member_id text NOT NULL,
  conversation_id uuid NOT NULL,
  kind text NOT NULL,
  actor_type text NOT NULL,
  actor_id text NOT NULL,
  actor_name text NOT NULL,
  message_id uuid,
  count bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  read_at bigint NOT NULL DEFAULT 0,
  mailed_at bigint NOT NULL DEFAULT 0,
  pushed_at bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, notice_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE UNIQUE INDEX notices_unread ON notices (workspace_id, member_id, conversation_id, kind) WHERE read_at = 0;
CREATE INDEX notices_member ON notices (workspace_id, member_id, updated_at, notice_id);
CREATE INDEX notices_conversation ON notices (workspace_id, conversation_id);
CREATE INDEX notices_updated ON notices (workspace_id, updated_at);

-- Who follows conversations. followed is false for a member who left one: then nothing but the member's own wish makes
-- them follow it again.
CREATE TABLE follows (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  conversation_id uuid NOT NULL,
  member_id text NOT NULL,
  followed boolean NOT NULL,
  since bigint NOT NULL,
  PRIMARY KEY (workspace_id, conversation_id, member_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX follows_member ON follows (workspace_id, member_id, since, conversation_id) WHERE followed;
