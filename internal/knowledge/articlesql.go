package knowledge

import (
	"time"

	"parley"
	"parley/internal/store"
)

const articleColumns = "a.article_id, a.slug, a.product_id, a.category_id, a.state, a.import_key, a.import_product_id, a.created_at, a.updated_at, a.published_at"

func articleFields(a *parley.Article) []any {
	return []any{
		&a.ID, &a.Slug, &a.ProductID, &a.CategoryID, (*string)(&a.State), &a.ImportKey, &a.ImportProductID, &a.CreatedAt, &a.UpdatedAt, &a.PublishedAt,
	}
}

func scanArticle(r store.Row, a *parley.Article) error { return r.Scan(articleFields(a)...) }

// InsertArticle stores a new article without its slug and its texts.
func InsertArticle(tx store.Writer, ws parley.WorkspaceID, a *parley.Article) error {
	return store.Exec(tx, ws, `INSERT INTO articles (workspace_id, article_id, slug, product_id, category_id, state, import_key, import_product_id,
			deleted_version, created_at, updated_at, published_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10, $11)`,
		a.ID, a.Slug, a.ProductID, a.CategoryID, string(a.State), a.ImportKey, a.ImportProductID, a.CreatedAt, a.UpdatedAt, a.PublishedAt)
}

// UpdateArticle stores the fields of an article that can change.
func UpdateArticle(tx store.Writer, ws parley.WorkspaceID, a *parley.Article) error {
	return store.Exec(tx, ws, `UPDATE articles SET slug = $3, product_id = $4, category_id = $5, state = $6, updated_at = $7, published_at = $8
		WHERE workspace_id = $1 AND article_id = $2`,
		a.ID, a.Slug, a.ProductID, a.CategoryID, string(a.State), a.UpdatedAt, a.PublishedAt)
}

// DeleteArticle deletes an article that has no text, slug, picture or count any
// more.
func DeleteArticle(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM articles WHERE workspace_id = $1 AND article_id = $2", id)
}

// SelectArticle returns an article without its texts.
func SelectArticle(v store.Reader, ws parley.WorkspaceID, id parley.ID) (parley.Article, error) {
	return store.One(v, ws, "article", scanArticle,
		"SELECT "+articleColumns+" FROM articles a WHERE a.workspace_id = $1 AND a.article_id = $2", id)
}

// SelectArticleBySlug returns the article that has a slug, or had it, without
// its texts.
func SelectArticleBySlug(v store.Reader, ws parley.WorkspaceID, slug string) (parley.Article, error) {
	return store.One(v, ws, "article", scanArticle, "SELECT "+articleColumns+` FROM article_slugs s
		JOIN articles a ON a.workspace_id = s.workspace_id AND a.article_id = s.article_id
		WHERE s.workspace_id = $1 AND s.slug = $2`, slug)
}

// SelectArticleByImportKey returns the article that was imported with a key for a
// product, or for all products if it is zero, without its texts.
func SelectArticleByImportKey(v store.Reader, ws parley.WorkspaceID, product parley.ID, key string) (parley.Article, error) {
	return store.One(v, ws, "article", scanArticle, "SELECT "+articleColumns+` FROM articles a WHERE a.workspace_id = $1 AND a.import_key = $2
			AND ($3 = 1 AND a.import_product_id IS NULL OR a.import_product_id = $4)
		ORDER BY a.article_id LIMIT 1`, key, mode(parley.Some(product)), product)
}

// UpdateDeletedVersion stores the number of the last version of a text that is
// deleted.
func UpdateDeletedVersion(tx store.Writer, ws parley.WorkspaceID, article parley.ID, version int64) error {
	return store.Exec(tx, ws, `UPDATE articles SET deleted_version = $3 WHERE workspace_id = $1 AND article_id = $2 AND deleted_version < $3`,
		article, version)
}

// SelectDeletedVersion returns the largest number of the versions of an article's
// deleted texts, 0 if there are none.
func SelectDeletedVersion(v store.Reader, ws parley.WorkspaceID, article parley.ID) (int64, error) {
	return store.One(v, ws, "article", store.Only[int64], "SELECT deleted_version FROM articles WHERE workspace_id = $1 AND article_id = $2", article)
}

// CountArticles returns the number of articles.
func CountArticles(v store.Reader, ws parley.WorkspaceID) (int, error) {
	return store.One(v, ws, "count", store.Only[int], "SELECT count(*) FROM articles WHERE workspace_id = $1")
}

// An ArticleFilter narrows a list of articles. The zero filter selects all.
type ArticleFilter struct {
	ProductID  parley.Optional[parley.ID] // null: those for all products
	CategoryID parley.Optional[parley.ID] // null: those without category
	State      parley.ArticleState        // "" for all
	Language   parley.Language            // those that have a text in it; "" for all
	// UpdatedSince selects articles that changed at this time or later, also
	// those whose texts did.
	UpdatedSince time.Time
}

// mode says how a statement compares a reference: 0 not at all, 1 with NULL, 2
// with the value.
func mode(id parley.Optional[parley.ID]) int {
	switch {
	case !id.Set:
		return 0
	case id.Null || id.Value.IsZero():
		return 1
	}
	return 2
}

// headBytes is the most bytes that a head takes in JSON besides its title and
// description, and charBytes the most that one of their characters takes.
const (
	headBytes = 220
	charBytes = 6
)

// SelectArticles returns articles without their texts, oldest first. The heads
// of their texts count for the size of a page.
func SelectArticles(v store.Reader, ws parley.WorkspaceID, f ArticleFilter, after parley.Position, limit int) (parley.Page[parley.Article], error) {
	return store.Page(v, ws, store.ListPage[parley.Article]{Limit: limit, Scan: scanWeighed, Next: afterArticle},
		"SELECT "+articleColumns+`, (SELECT CAST(COALESCE(SUM($2 + $3 * (length(h.title) + length(h.description))), 0) AS bigint)
			FROM article_texts h WHERE h.workspace_id = a.workspace_id AND h.article_id = a.article_id)
		FROM articles a WHERE a.workspace_id = $1 AND a.article_id > $4
			AND ($5 = 0 OR $5 = 1 AND a.product_id IS NULL OR a.product_id = $6)
			AND ($7 = 0 OR $7 = 1 AND a.category_id IS NULL OR a.category_id = $8)
			AND ($9 = '' OR a.state = $9) AND a.updated_at >= $10
			AND ($11 = '' OR EXISTS (SELECT 1 FROM article_texts x WHERE x.workspace_id = a.workspace_id AND x.article_id = a.article_id
				AND x.language = $11))
		ORDER BY a.article_id LIMIT $12`,
		headBytes, charBytes, parley.WorkspaceID(after.ID), mode(f.ProductID), f.ProductID.Value, mode(f.CategoryID), f.CategoryID.Value,
		string(f.State), f.UpdatedSince, string(f.Language))
}

func scanWeighed(r store.Row, a *parley.Article) error {
	var weight int
	err := r.Scan(append(articleFields(a), &weight)...)
	r.Weigh(weight)
	return err
}

func afterArticle(last *parley.Article) parley.Position { return parley.Position{ID: last.ID} }

// InsertArticleSlug gives a slug to an article, which may have had it before,
// and reports whether no other article has or had it.
func InsertArticleSlug(tx store.Writer, ws parley.WorkspaceID, slug string, article parley.ID) (bool, error) {
	return store.Affected(tx, ws, `INSERT INTO article_slugs (workspace_id, slug, article_id) VALUES ($1, $2, $3)
		ON CONFLICT (workspace_id, slug) DO UPDATE SET article_id = $3 WHERE article_slugs.article_id = $3 RETURNING 1`, slug, article)
}

// DeleteArticleSlugs deletes all slugs of an article.
func DeleteArticleSlugs(tx store.Writer, ws parley.WorkspaceID, article parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM article_slugs WHERE workspace_id = $1 AND article_id = $2", article)
}
