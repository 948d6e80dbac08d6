-- The index of the full-text search. What stands in a comment that begins with
-- "postgres:" is for PostgreSQL alone.

-- How far a workspace's log is in the index. While stage is not empty, records
-- are read from the tables up to after_id; the log is followed from seq on
-- then. step counts the moves: whoever moves it names the one before.
CREATE TABLE search_positions (
  workspace_id uuid NOT NULL PRIMARY KEY REFERENCES workspaces (workspace_id),
  step bigint NOT NULL,
  version bigint NOT NULL,
  epoch text NOT NULL,
  seq bigint NOT NULL,
  stage text NOT NULL,
  after_conversation uuid,
  after_id uuid
) /*sqlite:WITHOUT ROWID*/;

-- The words of each record, folded and cut in Go, each with its workspace in
-- front (see search.go). The rowid is the time at which the record was made,
-- so that the newest come first.
/*sqlite:CREATE VIRTUAL TABLE search_words USING fts5(workspace_id UNINDEXED, kind UNINDEXED, record_id UNINDEXED, conversation_id UNINDEXED, words, content='', contentless_delete=1, contentless_unindexed=1, detail=none, tokenize="ascii tokenchars '@._+-'");*/
/*postgres:
CREATE TABLE search_words (
  workspace_id uuid NOT NULL,
  rowid bigint NOT NULL,
  kind text NOT NULL,
  record_id uuid NOT NULL,
  conversation_id uuid,
  words tsvector NOT NULL,
  PRIMARY KEY (workspace_id, rowid)
);
-- New entries wait in a list that every search reads; it stays short.
CREATE INDEX search_words_words ON search_words USING gin (words) WITH (gin_pending_list_limit = 256);
*/
