-- compatible: the version before neither reads nor writes what members choose about notices. It removes members without
-- deleting it, and the expiry of this version does.

-- What members have chosen about notices. channels has a line for each kind that was chosen, quiet one for each period.
-- away_until is 0 for none.
CREATE TABLE notice_preferences (
  workspace_id uuid NOT NULL,
  member_id text NOT NULL,
  channels text NOT NULL,
  zone text NOT NULL,
  quiet text NOT NULL,
  away_until bigint NOT NULL,
  mail_delay text NOT NULL,
  mail_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, member_id),
  FOREIGN KEY (workspace_id, member_id) REFERENCES members (workspace_id, member_id)
) /*sqlite:WITHOUT ROWID*/;
