package knowledge

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"parley"
	"parley/internal/store"
)

const categoryColumns = "category_id, product_id, names, position, created_at, updated_at"

func scanCategory(r store.Row, c *parley.ArticleCategory) error {
	var names string
	if err := r.Scan(&c.ID, &c.ProductID, &names, &c.Position, &c.CreatedAt, &c.UpdatedAt); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(names), &c.Names); err != nil {
		return fmt.Errorf("read the names of a category: %w", err)
	}
	return nil
}

// InsertArticleCategory stores a new category.
func InsertArticleCategory(tx store.Writer, ws parley.WorkspaceID, c *parley.ArticleCategory) error {
	names, err := json.Marshal(c.Names)
	if err != nil {
		return err
	}
	return store.Exec(tx, ws, "INSERT INTO article_categories (workspace_id, "+categoryColumns+") VALUES ($1, $2, $3, $4, $5, $6, $7)",
		c.ID, c.ProductID, string(names), c.Position, c.CreatedAt, c.UpdatedAt)
}

// UpdateArticleCategory stores the fields of a category that can change.
func UpdateArticleCategory(tx store.Writer, ws parley.WorkspaceID, c *parley.ArticleCategory) error {
	names, err := json.Marshal(c.Names)
	if err != nil {
		return err
	}
	return store.Exec(tx, ws, `UPDATE article_categories SET names = $3, position = $4, updated_at = $5
		WHERE workspace_id = $1 AND category_id = $2`, c.ID, string(names), c.Position, c.UpdatedAt)
}

// DeleteArticleCategory deletes a category that has no articles.
func DeleteArticleCategory(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM article_categories WHERE workspace_id = $1 AND category_id = $2", id)
}

// SelectArticleCategory returns a category.
func SelectArticleCategory(v store.Reader, ws parley.WorkspaceID, id parley.ID) (parley.ArticleCategory, error) {
	return store.One(v, ws, "category of articles", scanCategory,
		"SELECT "+categoryColumns+" FROM article_categories WHERE workspace_id = $1 AND category_id = $2", id)
}

// SelectArticleCategories returns all categories in the order in which they are
// shown.
func SelectArticleCategories(v store.Reader, ws parley.WorkspaceID) ([]parley.ArticleCategory, error) {
	all, err := store.Many(v, ws, scanCategory, "SELECT "+categoryColumns+" FROM article_categories WHERE workspace_id = $1")
	slices.SortFunc(all, func(a, b parley.ArticleCategory) int {
		return cmp.Or(cmp.Compare(a.Position, b.Position), bytes.Compare(a.ID[:], b.ID[:]))
	})
	return all, err
}
