package knowledge

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/store"
)

const headColumns = "x.language, x.title, x.description, x.version, x.published_version, x.updated_at, x.published_at"

func headFields(h *parley.ArticleHead) []any {
	return []any{(*string)(&h.Language), &h.Title, &h.Description, &h.Version, &h.PublishedVersion, &h.UpdatedAt, &h.PublishedAt}
}

// An articleHead is a head with the article that it belongs to.
type articleHead struct {
	article parley.ID
	parley.ArticleHead
}

// PutArticleHead inserts or replaces the head of an article's text.
func PutArticleHead(tx store.Writer, ws parley.WorkspaceID, article parley.ID, h *parley.ArticleHead) error {
	return store.Exec(tx, ws, `INSERT INTO article_texts (workspace_id, article_id, language, title, description, version, published_version,
			updated_at, published_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (workspace_id, article_id, language) DO UPDATE SET title = $4, description = $5, version = $6, published_version = $7,
			updated_at = $8, published_at = $9`,
		article, string(h.Language), h.Title, h.Description, h.Version, h.PublishedVersion, h.UpdatedAt, h.PublishedAt)
}

// DeleteArticleHead deletes the head of a text that has no versions any more.
func DeleteArticleHead(tx store.Writer, ws parley.WorkspaceID, article parley.ID, language parley.Language) error {
	return store.Exec(tx, ws, "DELETE FROM article_texts WHERE workspace_id = $1 AND article_id = $2 AND language = $3", article, string(language))
}

// DeleteArticleHeads deletes the heads of an article whose versions are deleted.
func DeleteArticleHeads(tx store.Writer, ws parley.WorkspaceID, article parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM article_texts WHERE workspace_id = $1 AND article_id = $2", article)
}

// selectHeads returns the heads of the texts of some articles, at least one, by
// article, each sorted by language.
func selectHeads(v store.Reader, ws parley.WorkspaceID, articles []parley.ID) (map[parley.ID][]parley.ArticleHead, error) {
	rows, err := store.Many(v, ws, func(r store.Row, h *articleHead) error {
		return r.Behind(&h.article).Scan(headFields(&h.ArticleHead)...)
	}, "SELECT x.article_id, "+headColumns+` FROM article_texts x WHERE x.workspace_id = $1 AND x.article_id IN ($2...)`, store.ListOf(articles))
	heads := map[parley.ID][]parley.ArticleHead{}
	for _, row := range rows {
		heads[row.article] = append(heads[row.article], row.ArticleHead)
	}
	for _, texts := range heads {
		sortHeads(texts)
	}
	return heads, err
}

// sortHeads sorts heads by language, in Go because the engines sort text
// differently.
func sortHeads(heads []parley.ArticleHead) {
	slices.SortFunc(heads, func(a, b parley.ArticleHead) int { return cmp.Compare(a.Language, b.Language) })
}

// SelectLanguageUsed reports whether any article has a text in a language.
func SelectLanguageUsed(v store.Reader, ws parley.WorkspaceID, language parley.Language) (bool, error) {
	_, err := store.One(v, ws, "text", store.Only[int64], "SELECT 1 FROM article_texts WHERE workspace_id = $1 AND language = $2 LIMIT 1", string(language))
	if parley.KindOf(err) == parley.NotFound {
		return false, nil
	}
	return err == nil, err
}

// CountLanguages returns in how many languages there are texts.
func CountLanguages(v store.Reader, ws parley.WorkspaceID) (int, error) {
	return store.One(v, ws, "count", store.Only[int], "SELECT count(DISTINCT language) FROM article_texts WHERE workspace_id = $1")
}

// SelectArticleText returns the working text of an article in a language.
func SelectArticleText(v store.Reader, ws parley.WorkspaceID, article parley.ID, language parley.Language) (parley.ArticleText, error) {
	return store.One(v, ws, "text of the article", func(r store.Row, t *parley.ArticleText) error {
		var keywords string
		err := r.Behind(&t.ArticleID, &t.Body, &keywords).Scan(headFields(&t.ArticleHead)...)
		t.Keywords = lines(keywords)
		return err
	}, "SELECT x.article_id, g.body, g.keywords, "+headColumns+` FROM article_texts x
		JOIN article_versions g ON g.workspace_id = x.workspace_id AND g.article_id = x.article_id AND g.language = x.language AND g.version = x.version
		WHERE x.workspace_id = $1 AND x.article_id = $2 AND x.language = $3`, article, string(language))
}

const versionColumns = "g.article_id, g.language, g.version, g.title, g.description, g.body, g.keywords, g.author_type, g.author_id, g.author_name, g.created_at, g.published_at"

func scanVersion(r store.Row, g *parley.ArticleVersion) error {
	var keywords string
	err := r.Scan(&g.ArticleID, (*string)(&g.Language), &g.Version, &g.Title, &g.Description, &g.Body, &keywords,
		(*string)(&g.Author.Type), &g.Author.ID, &g.Author.Name, &g.CreatedAt, &g.PublishedAt)
	g.Keywords = lines(keywords)
	return err
}

// lines splits keywords as they are stored.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// InsertArticleVersion stores a new version of a text.
func InsertArticleVersion(tx store.Writer, ws parley.WorkspaceID, g *parley.ArticleVersion) error {
	return store.Exec(tx, ws, `INSERT INTO article_versions (workspace_id, article_id, language, version, title, description, body, keywords,
			author_type, author_id, author_name, created_at, published_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
		g.ArticleID, string(g.Language), g.Version, g.Title, g.Description, g.Body, strings.Join(g.Keywords, "\n"),
		string(g.Author.Type), g.Author.ID, g.Author.Name, g.CreatedAt, g.PublishedAt)
}

// UpdateVersionPublished stores when a version was published.
func UpdateVersionPublished(tx store.Writer, ws parley.WorkspaceID, article parley.ID, h *parley.ArticleHead) error {
	return store.Exec(tx, ws, `UPDATE article_versions SET published_at = $5
		WHERE workspace_id = $1 AND article_id = $2 AND language = $3 AND version = $4`, article, string(h.Language), h.Version, h.PublishedAt)
}

// DeleteArticleVersion deletes a version, if there is one.
func DeleteArticleVersion(tx store.Writer, ws parley.WorkspaceID, article parley.ID, language parley.Language, version int64) error {
	return store.Exec(tx, ws, "DELETE FROM article_versions WHERE workspace_id = $1 AND article_id = $2 AND language = $3 AND version = $4",
		article, string(language), version)
}

// DeleteOldDrafts deletes the versions of a text that were never published,
// except for the newest.
func DeleteOldDrafts(tx store.Writer, ws parley.WorkspaceID, article parley.ID, language parley.Language) error {
	return store.Exec(tx, ws, `DELETE FROM article_versions WHERE workspace_id = $1 AND article_id = $2 AND language = $3 AND published_at = 0
		AND version <= COALESCE((SELECT o.version FROM article_versions o
			WHERE o.workspace_id = $1 AND o.article_id = $2 AND o.language = $3 AND o.published_at = 0
			ORDER BY o.version DESC LIMIT 1 OFFSET $4), 0)`, article, string(language), parley.MaxDraftVersions)
}

// DeleteTextVersions deletes all versions of a text.
func DeleteTextVersions(tx store.Writer, ws parley.WorkspaceID, article parley.ID, language parley.Language) error {
	return store.Exec(tx, ws, "DELETE FROM article_versions WHERE workspace_id = $1 AND article_id = $2 AND language = $3", article, string(language))
}

// DeleteArticleVersions deletes all versions of an article.
func DeleteArticleVersions(tx store.Writer, ws parley.WorkspaceID, article parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM article_versions WHERE workspace_id = $1 AND article_id = $2", article)
}

// SelectArticleVersion returns a version of a text.
func SelectArticleVersion(v store.Reader, ws parley.WorkspaceID, article parley.ID, language parley.Language, version int64) (parley.ArticleVersion, error) {
	return store.One(v, ws, "version of the text", scanVersion, "SELECT "+versionColumns+
		" FROM article_versions g WHERE g.workspace_id = $1 AND g.article_id = $2 AND g.language = $3 AND g.version = $4", article, string(language), version)
}

// SelectArticleVersions returns versions of a text, newest first.
func SelectArticleVersions(v store.Reader, ws parley.WorkspaceID, t TextID, before parley.Position, limit int) (parley.Page[parley.ArticleVersion], error) {
	below := int64(before.Offset)
	if before.IsZero() {
		below = maxVersion
	}
	return store.Page(v, ws, store.ListPage[parley.ArticleVersion]{Limit: limit, Scan: scanVersion, Next: func(last *parley.ArticleVersion) parley.Position {
		return parley.Position{Offset: int(last.Version)}
	}}, "SELECT "+versionColumns+` FROM article_versions g WHERE g.workspace_id = $1 AND g.article_id = $2 AND g.language = $3 AND g.version < $4
		ORDER BY g.version DESC LIMIT $5`, t.ArticleID, string(t.Language), below)
}

// maxVersion is larger than the number of any version.
const maxVersion = 1 << 53

// A TextID identifies the text of an article in a language.
type TextID struct {
	ArticleID parley.ID
	Language  parley.Language
}

const publishedColumns = "a.article_id, a.slug, a.product_id, a.category_id, g.language, g.version, x.published_at, g.title, g.description"

const publishedTables = ` FROM article_texts x
	JOIN articles a ON a.workspace_id = x.workspace_id AND a.article_id = x.article_id
	JOIN article_versions g ON g.workspace_id = x.workspace_id AND g.article_id = x.article_id AND g.language = x.language
		AND g.version = x.published_version`

func publishedFields(p *parley.PublishedText) []any {
	return []any{&p.ArticleID, &p.Slug, &p.ProductID, &p.CategoryID, (*string)(&p.Language), &p.Version, &p.PublishedAt, &p.Title, &p.Description}
}

func scanPublishedHead(r store.Row, p *parley.PublishedText) error {
	return r.Scan(publishedFields(p)...)
}

func scanPublished(r store.Row, p *parley.PublishedText) error {
	var keywords string
	err := r.Behind(&p.Body, &keywords).Scan(publishedFields(p)...)
	p.Keywords = lines(keywords)
	return err
}

// SelectPublishedHeads returns the texts of a product, or for all products, that
// the public may read in a language, by article, oldest first, without bodies
// and keywords.
func SelectPublishedHeads(v store.Reader, ws parley.WorkspaceID, f PublishedFilter, after parley.Position, limit int) (parley.Page[parley.PublishedText], error) {
	return store.Page(v, ws, store.ListPage[parley.PublishedText]{Limit: limit, Scan: scanPublishedHead, Next: afterPublished},
		"SELECT "+publishedColumns+publishedTables+` WHERE x.workspace_id = $1 AND x.language = $2 AND x.article_id > $3
			AND x.published_version > 0 AND a.state = 'published' AND (a.product_id IS NULL OR a.product_id = $4)
		ORDER BY x.article_id LIMIT $5`, string(f.Language), parley.WorkspaceID(after.ID), f.ProductID)
}

// SelectPublished is [SelectPublishedHeads] with bodies and keywords.
func SelectPublished(v store.Reader, ws parley.WorkspaceID, f PublishedFilter, after parley.Position, limit int) (parley.Page[parley.PublishedText], error) {
	return store.Page(v, ws, store.ListPage[parley.PublishedText]{Limit: limit, Scan: scanPublished, Next: afterPublished},
		"SELECT g.body, g.keywords, "+publishedColumns+publishedTables+` WHERE x.workspace_id = $1 AND x.language = $2 AND x.article_id > $3
			AND x.published_version > 0 AND a.state = 'published' AND (a.product_id IS NULL OR a.product_id = $4)
		ORDER BY x.article_id LIMIT $5`, string(f.Language), parley.WorkspaceID(after.ID), f.ProductID)
}

// SelectPublishedByID returns those of some articles, at least one, that
// [SelectPublishedHeads] would return.
func SelectPublishedByID(v store.Reader, ws parley.WorkspaceID, f PublishedFilter, articles []parley.ID) ([]parley.PublishedText, error) {
	return store.Many(v, ws, scanPublishedHead, "SELECT "+publishedColumns+publishedTables+` WHERE x.workspace_id = $1 AND x.language = $2
		AND x.published_version > 0 AND a.state = 'published' AND (a.product_id IS NULL OR a.product_id = $3) AND x.article_id IN ($4...)`,
		string(f.Language), f.ProductID, store.ListOf(articles))
}

func afterPublished(last *parley.PublishedText) parley.Position {
	return parley.Position{ID: last.ArticleID}
}

// SelectPublishedTexts returns the texts of an article that the public may read,
// by language, with bodies and keywords.
func SelectPublishedTexts(v store.Reader, ws parley.WorkspaceID, article parley.ID) ([]parley.PublishedText, error) {
	texts, err := store.Many(v, ws, scanPublished, "SELECT g.body, g.keywords, "+publishedColumns+publishedTables+
		" WHERE x.workspace_id = $1 AND x.article_id = $2 AND x.published_version > 0 AND a.state = 'published'", article)
	slices.SortFunc(texts, func(a, b parley.PublishedText) int { return cmp.Compare(a.Language, b.Language) })
	return texts, err
}

// SelectPublishedLanguages returns the languages in which the public may read
// articles of a product, or for all products.
func SelectPublishedLanguages(v store.Reader, ws parley.WorkspaceID, product parley.ID) ([]parley.Language, error) {
	languages, err := store.Many(v, ws, func(r store.Row, l *parley.Language) error { return r.Scan((*string)(l)) },
		`SELECT DISTINCT x.language FROM article_texts x JOIN articles a ON a.workspace_id = x.workspace_id AND a.article_id = x.article_id
		WHERE x.workspace_id = $1 AND x.published_version > 0 AND a.state = 'published' AND (a.product_id IS NULL OR a.product_id = $2)`, product)
	slices.Sort(languages)
	return languages, err
}

// SelectOpenVersion returns the latest version of a text with its author and the
// time when it was begun, if it was begun at a time or later and never
// published; else NotFound.
func SelectOpenVersion(v store.Reader, ws parley.WorkspaceID, t TextID, since time.Time) (parley.ArticleVersion, error) {
	return store.One(v, ws, "version of the text", scanVersion, "SELECT "+versionColumns+` FROM article_versions g
		JOIN article_texts x ON x.workspace_id = g.workspace_id AND x.article_id = g.article_id AND x.language = g.language AND x.version = g.version
		WHERE g.workspace_id = $1 AND g.article_id = $2 AND g.language = $3 AND g.published_at = 0 AND g.created_at > $4`,
		t.ArticleID, string(t.Language), since)
}
