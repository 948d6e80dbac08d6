package parley

import "time"

// Limits of a page (contract, section 8).
const (
	MaxLimit            = 200
	DefaultLimit        = 50
	DefaultContactLimit = 100 // of a company's contacts
)

// A Position is a position in an ordered list: that of the last item shown. The
// list determines which fields are used. The zero Position is the start.
type Position struct {
	At     time.Time // for lists by time
	ID     ID        // for lists by time or id
	Offset int       // for lists of companies and stores (contract, section 2)
}

// IsZero reports whether the position is the start of the list.
func (p Position) IsZero() bool { return p.At.IsZero() && p.ID.IsZero() && p.Offset == 0 }

// An Order is the order of a list by time.
type Order string

// The orders.
const (
	Ascending  Order = "asc"  // oldest first
	Descending Order = "desc" // newest first
)

// Orders lists the orders.
var Orders = []Order{Ascending, Descending}

// A Page is a part of an ordered list.
type Page[T any] struct {
	Items   []T
	HasMore bool
	Next    Position // start of the next page; zero on the last one
}
