package store

import (
	"strings"

	"parley"
	"parley/internal/fulltext"
)

// CompanyColumns are the columns of a company.
const CompanyColumns = "company_id, name, website, industry, notes, external_id, created_at, updated_at, named_by_identity"

func scanCompany(r row, c *parley.Company) error {
	return r.scan(&c.ID, &c.Name, &c.Website, &c.Industry, &c.Notes, &c.ExternalID, &c.CreatedAt, &c.UpdatedAt, &c.NamedByIdentity)
}

// companySearchKey is the text that a company search matches: name and website.
// They are folded in Go because the engines fold differently. When
// fulltext.Version changes, indexing rewrites the keys too.
func companySearchKey(c *parley.Company) string {
	website := ""
	if c.Website != nil {
		website = *c.Website
	}
	return fulltext.Fold(c.Name) + "\n" + fulltext.Fold(website)
}

// InsertCompany stores a new company and reports whether its external id was
// free.
func (tx *Tx) InsertCompany(ws parley.WorkspaceID, c *parley.Company) (bool, error) {
	return tx.inserted(`INSERT INTO companies (workspace_id, `+CompanyColumns+`, search_key)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
		ON CONFLICT (workspace_id, external_id) WHERE external_id <> '' DO NOTHING RETURNING 1`,
		ws, c.ID, c.Name, c.Website, c.Industry, c.Notes, c.ExternalID, c.CreatedAt, c.UpdatedAt, c.NamedByIdentity, companySearchKey(c))
}

// UpdateCompany stores the fields of a company that can change. The caller has
// checked that the external id is free.
func (tx *Tx) UpdateCompany(ws parley.WorkspaceID, c *parley.Company) error {
	return tx.exec(`UPDATE companies SET name = $3, website = $4, industry = $5, notes = $6, external_id = $7,
		updated_at = $8, search_key = $9, named_by_identity = $10 WHERE workspace_id = $1 AND company_id = $2`,
		ws, c.ID, c.Name, c.Website, c.Industry, c.Notes, c.ExternalID, c.UpdatedAt, companySearchKey(c), c.NamedByIdentity)
}

// UpdateCompanySearchKey stores the text that a company search matches.
func (tx *Tx) UpdateCompanySearchKey(ws parley.WorkspaceID, c *parley.Company) error {
	return tx.exec("UPDATE companies SET search_key = $3 WHERE workspace_id = $1 AND company_id = $2", ws, c.ID, companySearchKey(c))
}

// Company returns a company.
func (v *View) Company(ws parley.WorkspaceID, id parley.ID) (parley.Company, error) {
	return one(v, "company", scanCompany,
		"SELECT "+CompanyColumns+" FROM companies WHERE workspace_id = $1 AND company_id = $2", ws, id)
}

// CompanyByExternalID returns the company with an external id, which must not
// be empty.
func (v *View) CompanyByExternalID(ws parley.WorkspaceID, externalID string) (parley.Company, error) {
	return one(v, "company", scanCompany, "SELECT "+CompanyColumns+` FROM companies
		WHERE workspace_id = $1 AND external_id = $2 AND external_id <> ''`, ws, externalID)
}

// A CompanyFilter narrows a list of companies. Zero fields do not filter.
type CompanyFilter struct {
	Search     string // substring of name or website, ignoring case and accents
	ExternalID string
}

// Companies returns companies, newest first. The position is an offset
// (contract, section 2).
func (v *View) Companies(ws parley.WorkspaceID, f CompanyFilter, after parley.Position, limit int) (parley.Page[parley.Company], error) {
	var c clause
	c.and("workspace_id = ?", ws)
	if f.Search != "" {
		c.and(`search_key LIKE ? ESCAPE '\'`, "%"+likeEscaper.Replace(fulltext.Fold(f.Search))+"%")
	}
	if f.ExternalID != "" {
		c.and("external_id = ? AND external_id <> ''", f.ExternalID)
	}
	sql := "SELECT " + CompanyColumns + " FROM companies" + c.where() + " ORDER BY company_id DESC LIMIT " + c.arg(limit+1) +
		" OFFSET " + c.arg(after.Offset)
	return page(v, pageQuery{sql, c.args, limit}, scanCompany, byOffset[parley.Company](after))
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
