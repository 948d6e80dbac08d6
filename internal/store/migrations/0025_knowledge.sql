-- compatible: the version before knows none of these tables, and changes nothing that they refer to.

-- Articles, see article.go. product_id is null for all products, category_id for
-- none. import_key is empty if the article was not imported; import_product_id is
-- the product that it was imported for, null for all products. deleted_version is
-- the largest version of texts that were deleted, 0 for none.
CREATE TABLE article_categories (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  category_id uuid NOT NULL,
  product_id uuid,
  names text NOT NULL,
  position bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, category_id),
  FOREIGN KEY (workspace_id, product_id) REFERENCES products (workspace_id, product_id)
) /*sqlite:WITHOUT ROWID*/;

CREATE TABLE articles (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  article_id uuid NOT NULL,
  slug text NOT NULL,
  product_id uuid,
  category_id uuid,
  state text NOT NULL,
  import_key text NOT NULL,
  import_product_id uuid,
  deleted_version bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  published_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, article_id),
  FOREIGN KEY (workspace_id, product_id) REFERENCES products (workspace_id, product_id),
  FOREIGN KEY (workspace_id, import_product_id) REFERENCES products (workspace_id, product_id),
  FOREIGN KEY (workspace_id, category_id) REFERENCES article_categories (workspace_id, category_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX articles_category ON articles (workspace_id, category_id);
CREATE INDEX articles_import ON articles (workspace_id, import_key);

-- Every slug that an article has or had, so that its old addresses still lead to it.
CREATE TABLE article_slugs (
  workspace_id uuid NOT NULL,
  slug text NOT NULL,
  article_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, slug),
  FOREIGN KEY (workspace_id, article_id) REFERENCES articles (workspace_id, article_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX article_slugs_article ON article_slugs (workspace_id, article_id);

-- The conversation from which an article was drafted. Members who may see the
-- conversation read it, nobody else. It is no foreign key: the version before deletes
-- conversations and leaves such a row, which nobody can read then.
CREATE TABLE article_origins (
  workspace_id uuid NOT NULL,
  article_id uuid NOT NULL,
  conversation_id uuid NOT NULL,
  PRIMARY KEY (workspace_id, article_id),
  FOREIGN KEY (workspace_id, article_id) REFERENCES articles (workspace_id, article_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX article_origins_conversation ON article_origins (workspace_id, conversation_id, article_id);

-- The texts of an article by language, without what only their versions hold. title
-- and description are those of the latest version; published_version is 0 while
-- none is published.
CREATE TABLE article_texts (
  workspace_id uuid NOT NULL,
  article_id uuid NOT NULL,
  language text NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  version bigint NOT NULL,
  published_version bigint NOT NULL,
  updated_at bigint NOT NULL,
  published_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, article_id, language),
  FOREIGN KEY (workspace_id, article_id) REFERENCES articles (workspace_id, article_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX article_texts_language ON article_texts (workspace_id, language, article_id);

-- keywords are lines. The author is an actor as in the events.
CREATE TABLE article_versions (
  workspace_id uuid NOT NULL,
  article_id uuid NOT NULL,
  language text NOT NULL,
  version bigint NOT NULL,
  title text NOT NULL,
  description text NOT NULL,
  body text NOT NULL,
  keywords text NOT NULL,
  author_type text NOT NULL,
  author_id text NOT NULL,
  author_name text NOT NULL,
  created_at bigint NOT NULL,
  published_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, article_id, language, version),
  FOREIGN KEY (workspace_id, article_id, language) REFERENCES article_texts (workspace_id, article_id, language)
) /*sqlite:WITHOUT ROWID*/;

-- A picture's content is a file with its id. A picture without article is deleted:
-- its article was, or its content never arrived. A reader knows only the id.
CREATE TABLE article_pictures (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  picture_id uuid NOT NULL,
  article_id uuid,
  content_type text NOT NULL,
  size bigint NOT NULL,
  width bigint NOT NULL,
  height bigint NOT NULL,
  stored boolean NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, picture_id),
  FOREIGN KEY (workspace_id, article_id) REFERENCES articles (workspace_id, article_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX article_pictures_article ON article_pictures (workspace_id, article_id, created_at);
CREATE INDEX article_pictures_id ON article_pictures (picture_id);

-- Counts of readers by day (the number of days since 1970 in UTC).
CREATE TABLE article_feedback (
  workspace_id uuid NOT NULL,
  article_id uuid NOT NULL,
  language text NOT NULL,
  day bigint NOT NULL,
  shown bigint NOT NULL,
  helped bigint NOT NULL,
  not_helped bigint NOT NULL,
  PRIMARY KEY (workspace_id, article_id, language, day),
  FOREIGN KEY (workspace_id, article_id) REFERENCES articles (workspace_id, article_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX article_feedback_day ON article_feedback (workspace_id, day);
CREATE INDEX article_feedback_popular ON article_feedback (workspace_id, language, day, article_id, shown);

-- The public pages of a product. A reader knows only the slug, which is unique on
-- the server; of two that were taken at the same moment, the one with the smaller
-- claimed_at has it. languages are separated by spaces.
CREATE TABLE help_centers (
  workspace_id uuid NOT NULL,
  product_id uuid NOT NULL,
  slug text NOT NULL,
  claimed_at bigint NOT NULL,
  title text NOT NULL,
  languages text NOT NULL,
  enabled boolean NOT NULL,
  color text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, product_id),
  FOREIGN KEY (workspace_id, product_id) REFERENCES products (workspace_id, product_id)
) /*sqlite:WITHOUT ROWID*/;
CREATE INDEX help_centers_slug ON help_centers (slug, claimed_at);

-- Questions that no article answers, by week (the day of its Monday). product is
-- the id as text, empty for none. words are the stems of a question's words.
CREATE TABLE knowledge_gaps (
  workspace_id uuid NOT NULL REFERENCES workspaces (workspace_id),
  week bigint NOT NULL,
  product text NOT NULL,
  language text NOT NULL,
  source text NOT NULL,
  words text NOT NULL,
  sample text NOT NULL,
  questions bigint NOT NULL,
  last_at bigint NOT NULL,
  PRIMARY KEY (workspace_id, week, product, language, source, words)
) /*sqlite:WITHOUT ROWID*/;
