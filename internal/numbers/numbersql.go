package numbers

import (
	"parley"
	"parley/internal/store"
)

// SelectNumberByPhone returns the number with a phone number.
func SelectNumberByPhone(v store.Reader, ws parley.WorkspaceID, phone parley.Phone) (parley.Number, error) {
	return store.One(v, ws, "number", store.ScanNumber,
		"SELECT "+store.NumberColumns+" FROM numbers WHERE workspace_id = $1 AND phone = $2", string(phone))
}
