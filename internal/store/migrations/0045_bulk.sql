-- compatible: the version before neither starts nor runs jobs. It deletes conversations without their items, which
-- expire with their job.

-- Changes of many conversations at once. action and reasons are JSON, see internal/bulk. undoes_id is the job whose
-- changes the job takes back.
CREATE TABLE bulk_jobs (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  job_id uuid NOT NULL,
  member_id text NOT NULL,
  query text NOT NULL,
  action text NOT NULL,
  undoes_id uuid,
  state text NOT NULL,
  total bigint NOT NULL,
  changed bigint NOT NULL,
  reasons text NOT NULL,
  created_at bigint NOT NULL,
  ended_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, job_id)
) /*sqlite:WITHOUT ROWID*/;

-- The conversations that a job has not reached yet, in the portions of its transactions. ids are separated by spaces.
CREATE TABLE bulk_batches (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  job_id uuid NOT NULL,
  place bigint NOT NULL,
  ids text NOT NULL,
  PRIMARY KEY (workspace_id, job_id, place)
) /*sqlite:WITHOUT ROWID*/;

-- The conversations that a job has reached. reason is empty if it changed the conversation; inverse is then the action
-- that takes the change back.
CREATE TABLE bulk_items (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  job_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  reason text NOT NULL,
  inverse text NOT NULL,
  PRIMARY KEY (workspace_id, job_id, conversation_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX bulk_items_conversation ON bulk_items (workspace_id, conversation_id);
