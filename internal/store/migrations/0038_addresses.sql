-- compatible: the version before asks for nothing, and neither writes nor reads what visitors
-- typed. It cannot delete or merge a contact who typed something: a node of this version does,
-- when it is tried again.

-- When a widget asks a visitor for name or address, for which of them, and whether nobody may
-- begin without. Adding the columns takes no longer with many rows.
ALTER TABLE widget_settings ADD COLUMN ask text NOT NULL DEFAULT 'off';
ALTER TABLE widget_settings ADD COLUMN ask_fields text NOT NULL DEFAULT '';
ALTER TABLE widget_settings ADD COLUMN ask_required boolean NOT NULL DEFAULT false;

-- What a visitor typed about themselves. Nobody vouches for it, so no contact is found by it.
CREATE TABLE contact_addresses (
  workspace_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  times bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, contact_id),
  FOREIGN KEY (workspace_id, contact_id) REFERENCES contacts (workspace_id, contact_id)
) /*sqlite:WITHOUT ROWID*/;
