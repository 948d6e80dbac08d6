-- compatible: the version before neither reads nor writes this table, and its widget shows its own texts.

-- What a company says in its own words in the chat of an inbox: a JSON object of texts for each language.
CREATE TABLE widget_texts (
  workspace_id uuid NOT NULL,
  inbox_id uuid NOT NULL,
  language text NOT NULL,
  texts text NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, inbox_id, language),
  FOREIGN KEY (workspace_id, inbox_id) REFERENCES inboxes (workspace_id, inbox_id)
) /*sqlite:WITHOUT ROWID*/;
