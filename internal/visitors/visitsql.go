package visitors

import (
	"parley"
	"parley/internal/store"
)

const visitColumns = "contact_id, page, title, referrer, language, zone, device, facts, updated_at"

func scanVisit(r store.Row, v *parley.Visit) error {
	return r.Scan(&v.ContactID, &v.Page, &v.Title, &v.Referrer, &v.Language, &v.Zone, &v.Device, (*string)(&v.Facts), &v.UpdatedAt)
}

// PutVisit inserts or replaces the visit of a contact.
func PutVisit(tx store.Writer, ws parley.WorkspaceID, v *parley.Visit) error {
	return store.Exec(tx, ws, "INSERT INTO visits (workspace_id, "+visitColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (workspace_id, contact_id) DO UPDATE SET page = $3, title = $4, referrer = $5, language = $6, zone = $7, device = $8,
			facts = $9, updated_at = $10`,
		v.ContactID, v.Page, v.Title, v.Referrer, v.Language, v.Zone, v.Device, string(v.Facts), v.UpdatedAt)
}

// SelectVisit returns the visit of a contact.
func SelectVisit(v store.Reader, ws parley.WorkspaceID, contact parley.ID) (parley.Visit, error) {
	return store.One(v, ws, "visit", scanVisit, "SELECT "+visitColumns+" FROM visits WHERE workspace_id = $1 AND contact_id = $2", contact)
}
