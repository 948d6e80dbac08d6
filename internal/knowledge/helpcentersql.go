package knowledge

import (
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/store"
)

const helpCenterColumns = "product_id, slug, title, languages, enabled, color, created_at, updated_at"

func helpCenterFields(h *parley.HelpCenter, languages *string) []any {
	return []any{&h.ProductID, &h.Slug, &h.Title, languages, &h.Enabled, &h.Color, &h.CreatedAt, &h.UpdatedAt}
}

func scanHelpCenter(r store.Row, h *parley.HelpCenter) error {
	var languages string
	err := r.Scan(helpCenterFields(h, &languages)...)
	h.Languages = splitLanguages(languages)
	return err
}

func splitLanguages(text string) []parley.Language {
	var languages []parley.Language
	for name := range strings.FieldsSeq(text) {
		languages = append(languages, parley.Language(name))
	}
	return languages
}

func joinLanguages(languages []parley.Language) string {
	names := make([]string, len(languages))
	for i, l := range languages {
		names[i] = string(l)
	}
	return strings.Join(names, " ")
}

// PutHelpCenter inserts or replaces the help center of a product. claimedAt is
// when it took its slug.
func PutHelpCenter(tx store.Writer, ws parley.WorkspaceID, h *parley.HelpCenter, claimedAt time.Time) error {
	return store.Exec(tx, ws, "INSERT INTO help_centers (workspace_id, "+helpCenterColumns+`, claimed_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (workspace_id, product_id) DO UPDATE SET slug = $3, title = $4, languages = $5, enabled = $6, color = $7, updated_at = $9,
			claimed_at = CASE WHEN help_centers.slug = $3 THEN help_centers.claimed_at ELSE $10 END`,
		h.ProductID, h.Slug, h.Title, joinLanguages(h.Languages), h.Enabled, h.Color, h.CreatedAt, h.UpdatedAt, claimedAt)
}

// DeleteHelpCenter deletes the help center of a product.
func DeleteHelpCenter(tx store.Writer, ws parley.WorkspaceID, product parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM help_centers WHERE workspace_id = $1 AND product_id = $2", product)
}

// SelectHelpCenter returns the help center of a product.
func SelectHelpCenter(v store.Reader, ws parley.WorkspaceID, product parley.ID) (parley.HelpCenter, error) {
	return store.One(v, ws, "help center", scanHelpCenter,
		"SELECT "+helpCenterColumns+" FROM help_centers WHERE workspace_id = $1 AND product_id = $2", product)
}

// SelectHelpCenters returns all help centers, sorted by slug.
func SelectHelpCenters(v store.Reader, ws parley.WorkspaceID) ([]parley.HelpCenter, error) {
	all, err := store.Many(v, ws, scanHelpCenter, "SELECT "+helpCenterColumns+" FROM help_centers WHERE workspace_id = $1")
	slices.SortFunc(all, func(a, b parley.HelpCenter) int { return strings.Compare(a.Slug, b.Slug) })
	return all, err
}

// SelectHelpCenterBySlug returns the help center that has a slug, of any
// workspace: a reader knows only the slug.
func SelectHelpCenterBySlug(v store.Reader, slug string) (PublicHelpCenter, error) {
	return store.OneAcross(v, "help center", func(r store.Row, p *PublicHelpCenter) error {
		var languages string
		err := r.Behind(&p.Workspace).Scan(helpCenterFields(&p.HelpCenter, &languages)...)
		p.Languages = splitLanguages(languages)
		return err
	}, "SELECT workspace_id, "+helpCenterColumns+" FROM help_centers WHERE slug = $1 ORDER BY claimed_at, workspace_id, product_id LIMIT 1", slug)
}
