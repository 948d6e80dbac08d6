-- compatible: the version before schedules notes that name nobody, and posts those that name
-- members without telling them.

-- The ids of the members whom a scheduled note names: "" or a JSON array.
ALTER TABLE scheduled_messages ADD COLUMN mentions text NOT NULL DEFAULT '';
