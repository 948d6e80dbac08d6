package backup

import (
	"parley"
	"parley/internal/store"
)

// selectStored reports whether a file is stored, according to its row.
func selectStored(v store.Reader, f file) (bool, error) {
	stored, err := store.One(v, f.ws, "attachment", store.Only[bool],
		"SELECT stored FROM attachments WHERE workspace_id = $1 AND attachment_id = $2", f.id)
	if parley.KindOf(err) == parley.NotFound {
		err = nil
	}
	return stored, err
}
