package parley

import "time"

// A Company is the organization that contacts belong to. The contract also
// calls it a store, its former name (section 9).
type Company struct {
	ID         ID
	Name       string
	Website    *string
	Industry   *string
	Notes      *string
	ExternalID string // the caller's account id; "" for none
	CreatedAt  time.Time
	UpdatedAt  time.Time
	// NamedByIdentity says that the name and website came from a customer's
	// signed identity, so the next identity may change them.
	NamedByIdentity bool
}
