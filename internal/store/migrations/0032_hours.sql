-- compatible: the version before neither reads nor writes this table, and its widget shows no hours.

-- The hours in which somebody answers in an inbox: intervals and holidays are lines of text.
CREATE TABLE office_hours (
  workspace_id uuid NOT NULL,
  inbox_id uuid NOT NULL,
  zone text NOT NULL,
  hours text NOT NULL,
  holidays text NOT NULL,
  shown boolean NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, inbox_id),
  FOREIGN KEY (workspace_id, inbox_id) REFERENCES inboxes (workspace_id, inbox_id)
) /*sqlite:WITHOUT ROWID*/;
