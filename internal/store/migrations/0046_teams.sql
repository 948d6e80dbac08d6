-- compatible: the version before neither reads nor writes who is in a team. It removes members without taking them
-- out of their teams, which is why former members do not count.

-- Who is in a team.
CREATE TABLE team_members (
  workspace_id uuid NOT NULL,
  team_id uuid NOT NULL,
  member_id text NOT NULL,
  added_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, team_id, member_id),
  FOREIGN KEY (workspace_id, team_id) REFERENCES teams (workspace_id, team_id),
  FOREIGN KEY (workspace_id, member_id) REFERENCES members (workspace_id, member_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX team_members_member ON team_members (workspace_id, member_id, team_id);
