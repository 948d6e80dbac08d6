package customers

import (
	"parley"
	"parley/internal/store"
)

const typedColumns = "contact_id, name, email, times, updated_at"

func scanTyped(r store.Row, t *parley.Typed) error {
	return r.Scan(&t.ContactID, &t.Name, &t.Email, &t.Times, &t.UpdatedAt)
}

// PutTyped inserts or replaces what a visitor typed.
func PutTyped(tx store.Writer, ws parley.WorkspaceID, typed *parley.Typed) error {
	return store.Exec(tx, ws, "INSERT INTO contact_addresses (workspace_id, "+typedColumns+`) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (workspace_id, contact_id) DO UPDATE SET name = $3, email = $4, times = $5, updated_at = $6`,
		typed.ContactID, typed.Name, typed.Email, typed.Times, typed.UpdatedAt)
}

// SelectTyped returns what a visitor typed.
func SelectTyped(v store.Reader, ws parley.WorkspaceID, contact parley.ID) (parley.Typed, error) {
	return store.One(v, ws, "address", scanTyped, "SELECT "+typedColumns+" FROM contact_addresses WHERE workspace_id = $1 AND contact_id = $2", contact)
}
