-- compatible: the version before makes no backups by itself.

-- What became of the backups that the server makes: one row, or none without a
-- schedule. every and took are in milliseconds; done_at is when the last backup
-- began, 0 if there was none.
CREATE TABLE backup_schedules (
  name text NOT NULL PRIMARY KEY,
  every bigint NOT NULL,
  planned_at bigint NOT NULL,
  done_at bigint NOT NULL,
  took bigint NOT NULL,
  bytes bigint NOT NULL,
  failures bigint NOT NULL
) /*sqlite:WITHOUT ROWID*/;
