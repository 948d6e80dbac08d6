-- compatible: the version before knows none of these tables, and changes nothing that they refer to.

-- Servers of language models, see model.go. sealed is the encrypted key, empty for
-- none; capabilities is JSON. Of the default one of a workspace, main is true.
CREATE TABLE model_providers (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  provider_id uuid NOT NULL,
  name text NOT NULL,
  base_url text NOT NULL,
  sealed bytea NOT NULL,
  model text NOT NULL,
  embedding_model text NOT NULL,
  capabilities text NOT NULL,
  problem text NOT NULL,
  tested_at bigint NOT NULL,
  currency text NOT NULL,
  input_price bigint NOT NULL,
  output_price bigint NOT NULL,
  main boolean NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, provider_id)
) /*sqlite:WITHOUT ROWID*/;

-- What the automated agent is told for a product, and its limits. hosts and languages
-- are separated by spaces.
CREATE TABLE product_agents (
  workspace_id uuid NOT NULL,
  product_id uuid NOT NULL,
  provider_id uuid,
  instructions text NOT NULL,
  tone text NOT NULL,
  languages text NOT NULL,
  hosts text NOT NULL,
  daily_tokens bigint NOT NULL,
  daily_cost bigint NOT NULL,
  max_turns bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, product_id),
  FOREIGN KEY (workspace_id, product_id) REFERENCES products (workspace_id, product_id),
  FOREIGN KEY (workspace_id, provider_id) REFERENCES model_providers (workspace_id, provider_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX product_agents_provider ON product_agents (workspace_id, provider_id);

-- Tokens by day (the number of days since 1970 in UTC) and by what they were used for.
-- reserved are those of calls that did not end yet, or that nobody ended. Costs are in
-- millionths of a currency.
CREATE TABLE model_spend (
  workspace_id uuid NOT NULL,
  product_id uuid NOT NULL,
  day bigint NOT NULL,
  currency text NOT NULL,
  feature text NOT NULL,
  reserved bigint NOT NULL,
  reserved_cost bigint NOT NULL,
  tokens_in bigint NOT NULL,
  tokens_out bigint NOT NULL,
  calls bigint NOT NULL,
  cost bigint NOT NULL,
  PRIMARY KEY (workspace_id, product_id, day, currency, feature),
  FOREIGN KEY (workspace_id, product_id) REFERENCES products (workspace_id, product_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX model_spend_day ON model_spend (workspace_id, day);
