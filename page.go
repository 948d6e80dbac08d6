package parley

import "time"

// Limits of a page (contract, section 8).
const (
	MaxLimit            = 200
	DefaultLimit        = 50
	DefaultContactLimit = 100 // of a company's contacts
)

// A Position is a place in an ordered list: that of the last item shown. Which
// of its members are used depends on the list. The zero Position is the start.
type Position struct {
	At     time.Time // lists by time
	ID     ID        // lists by time or by id
	Offset int       // the lists of companies and stores (contract, section 2)
}

// IsZero reports whether the position is the start of the list.
func (p Position) IsZero() bool { return p.At.IsZero() && p.ID.IsZero() && p.Offset == 0 }

// An Order is that of a list by time.
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
	Next    Position // where the next page starts; zero on the last one
}
