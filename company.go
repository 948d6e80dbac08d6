package parley

import "time"

// A Company is the organization that contacts belong to. Stores are its old
// name (contract, section 9).
type Company struct {
	ID         ID
	Name       string
	Website    *string
	Industry   *string
	Notes      *string
	ExternalID string // the caller's own account id; "" for none
	CreatedAt  time.Time
	UpdatedAt  time.Time
	// NamedByIdentity says that name and website came with the signed identity of
	// a customer, and the next one may change them.
	NamedByIdentity bool
}
