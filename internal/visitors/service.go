// Package visitors is what is known of the people in front of a website's chat beyond
// their messages: the visit, as the website describes it.
//
// It stands over the desk and customers, whose sessions say who is in front of the
// widget. Nothing here is proven, so no rule of another package may rely on it.
//
// It may import the vocabulary, the store, the desk and customers.
package visitors

import (
	"parley/internal/customers"
	"parley/internal/desk"
)

// A Service has the verbs of visitors. Its methods may be called by many goroutines.
type Service struct {
	desk      *desk.Desk
	customers *customers.Service
}

// New returns a Service over a desk.
func New(d *desk.Desk, c *customers.Service) *Service { return &Service{desk: d, customers: c} }
