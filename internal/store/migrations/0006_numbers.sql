-- Numbers that are connected to the messaging application: who holds them, what
-- was paired, what they may do, and what came from the network.

-- The end of a ban, the end of a restriction, and why; 0 and empty for none.
ALTER TABLE numbers ADD COLUMN banned_until bigint NOT NULL DEFAULT 0;
ALTER TABLE numbers ADD COLUMN restricted_until bigint NOT NULL DEFAULT 0;
ALTER TABLE numbers ADD COLUMN reason text NOT NULL DEFAULT '';
-- Whether it is to be kept connected.
ALTER TABLE numbers ADD COLUMN enabled boolean NOT NULL DEFAULT true;
-- What the driver calls the paired device; its keys are in the driver's own store.
ALTER TABLE numbers ADD COLUMN device text NOT NULL DEFAULT '';
ALTER TABLE numbers ADD COLUMN network_phone text NOT NULL DEFAULT '';
UPDATE numbers SET enabled = false WHERE status <> 'connected';

-- What the request for a group said, until the group exists; '' where that was
-- not kept.
ALTER TABLE group_requests ADD COLUMN asked text NOT NULL DEFAULT '';

-- The process that holds the number until then. The generation goes up each time
-- that another takes it, or the same one anew.
ALTER TABLE numbers ADD COLUMN lease_owner text NOT NULL DEFAULT '';
ALTER TABLE numbers ADD COLUMN lease_generation bigint NOT NULL DEFAULT 0;
ALTER TABLE numbers ADD COLUMN lease_until bigint NOT NULL DEFAULT 0;
CREATE INDEX numbers_lease ON numbers (lease_until) WHERE enabled;
CREATE INDEX numbers_owner ON numbers (lease_owner) WHERE lease_owner <> '';
CREATE INDEX numbers_inbox ON numbers (workspace_id, inbox_id);

-- The newest step of a number's pairing, sealed: whoever has its code can read
-- the number's messages.
CREATE TABLE number_pairings (
  workspace_id uuid NOT NULL,
  number_id uuid NOT NULL,
  paired_by text NOT NULL,
  kind text NOT NULL,
  sealed bytea NOT NULL,
  code_until bigint NOT NULL,
  reason text NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, number_id),
  FOREIGN KEY (workspace_id, number_id) REFERENCES numbers (workspace_id, number_id)
) /*sqlite:WITHOUT ROWID*/;

-- What a node asks of a number that another one holds. begun_by names the lease
-- under which it was begun. A row goes when its answer was read.
CREATE TABLE number_calls (
  workspace_id uuid NOT NULL,
  call_id uuid NOT NULL,
  number_id uuid NOT NULL,
  request text NOT NULL,
  begun_by text NOT NULL,
  answer text NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, call_id),
  FOREIGN KEY (workspace_id, number_id) REFERENCES numbers (workspace_id, number_id)
) /*sqlite:WITHOUT ROWID*/;

-- Budgets of a number that differ from the usual ones; -1 is none.
CREATE TABLE number_budgets (
  workspace_id uuid NOT NULL,
  number_id uuid NOT NULL,
  budget text NOT NULL,
  allowed bigint NOT NULL,
  PRIMARY KEY (workspace_id, number_id, budget),
  FOREIGN KEY (workspace_id, number_id) REFERENCES numbers (workspace_id, number_id)
) /*sqlite:WITHOUT ROWID*/;

-- What a number did, counted in slots of time that begin at slot.
CREATE TABLE number_spend (
  workspace_id uuid NOT NULL,
  number_id uuid NOT NULL,
  kind text NOT NULL,
  slot bigint NOT NULL,
  spent bigint NOT NULL,
  PRIMARY KEY (workspace_id, number_id, kind, slot),
  FOREIGN KEY (workspace_id, number_id) REFERENCES numbers (workspace_id, number_id)
) /*sqlite:WITHOUT ROWID*/;

-- The conversation with one person on the network. phone is how the network
-- spells the person's number, empty where it hides it.
CREATE TABLE chatapp_chats (
  workspace_id uuid NOT NULL,
  number_id uuid NOT NULL,
  jid text NOT NULL,
  phone text NOT NULL,
  conversation_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, number_id, jid),
  FOREIGN KEY (workspace_id, number_id) REFERENCES numbers (workspace_id, number_id),
  FOREIGN KEY (workspace_id, conversation_id) REFERENCES conversations (workspace_id, conversation_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX chatapp_chats_conversation ON chatapp_chats (workspace_id, conversation_id);

-- Which message is which on the network, so that what comes twice is kept once,
-- and receipts find theirs. What we send has our own id and neither chat nor
-- sender.
CREATE TABLE chatapp_messages (
  workspace_id uuid NOT NULL,
  number_id uuid NOT NULL,
  chat text NOT NULL,
  sender text NOT NULL,
  network_id text NOT NULL,
  conversation_id uuid NOT NULL,
  message_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, number_id, chat, sender, network_id),
  FOREIGN KEY (workspace_id, number_id) REFERENCES numbers (workspace_id, number_id),
  FOREIGN KEY (workspace_id, conversation_id, message_id) REFERENCES messages (workspace_id, conversation_id, message_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX chatapp_messages_message ON chatapp_messages (workspace_id, message_id); -- to purge by

-- A group that was not made here: somebody wrote in it.
ALTER TABLE chatapp_groups ADD COLUMN found boolean NOT NULL DEFAULT false;
-- How the network spells the member's number where that differs.
ALTER TABLE group_members ADD COLUMN network_phone text NOT NULL DEFAULT '';

-- The number that a message waits for.
ALTER TABLE deliveries ADD COLUMN number_id uuid;
UPDATE deliveries SET number_id = (SELECT g.number_id FROM chatapp_groups g
  WHERE g.workspace_id = deliveries.workspace_id AND g.conversation_id = deliveries.conversation_id);
-- A message that waits behind an older one of its conversation has its time with
-- a minus, so that it is not due.
UPDATE deliveries SET due_at = -due_at WHERE EXISTS (SELECT 1 FROM deliveries o WHERE o.workspace_id = deliveries.workspace_id
  AND o.conversation_id = deliveries.conversation_id AND o.message_id < deliveries.message_id);
DROP INDEX deliveries_due;
CREATE INDEX deliveries_due ON deliveries (workspace_id, number_id, due_at);
