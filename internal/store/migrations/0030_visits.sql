-- compatible: the version before neither writes nor reads visits. It cannot delete or
-- merge a contact who has one: a node of this version does, when it is tried again.

-- What a website said last about a contact in front of its widget.
CREATE TABLE visits (
  workspace_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  page text NOT NULL,
  title text NOT NULL,
  referrer text NOT NULL,
  language text NOT NULL,
  zone text NOT NULL,
  device text NOT NULL,
  facts text NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, contact_id),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, contact_id)
) /*sqlite:WITHOUT ROWID*/;
