package visitors

import (
	"context"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/store"
)

// PutVisit replaces the visit of a session's contact, whose id it returns. A visitor who
// has not written yet is no contact: then nothing is stored, and the id is zero. The
// addresses are shortened as [Address] says, and device is the User-Agent of the browser.
func (svc *Service) PutVisit(ctx context.Context, s parley.CustomerSession, in parley.Visit) (parley.ID, error) {
	in.Page, in.Referrer, in.Device = Address(in.Page), Address(in.Referrer), Device(in.Device)
	return desk.Write(ctx, svc.desk, desk.Caller{Workspace: s.Workspace}, func(t *desk.Tx) (parley.ID, error) {
		now, err := svc.customers.SessionNow(&t.View, s)
		if err != nil || now.Limited() { // whoever has the mail need not be in front of the website
			return parley.ID{}, err
		}
		contact, err := t.Contact(t.WS, now.ContactID)
		if parley.KindOf(err) == parley.NotFound {
			return parley.ID{}, nil
		}
		if err != nil {
			return parley.ID{}, err
		}
		visit := in // the closure may run more than once
		visit.ContactID, visit.UpdatedAt = contact.ID, t.Now
		return contact.ID, PutVisit(t, t.WS, &visit)
	})
}

// Known is what is known of a contact in front of a widget. What is not known is zero.
type Known struct {
	Visit parley.Visit
	Typed parley.Typed
}

// Known returns what is known of a contact, also given the id of one that was merged into it.
func (svc *Service) Known(ws parley.WorkspaceID, contact parley.ID) desk.Read[Known] {
	return desk.Snapshot(svc.desk, func(v *store.View) (k Known, err error) {
		c, err := desk.ContactNow(v, ws, contact)
		if err != nil {
			return k, err
		}
		if k.Visit, err = VisitOf(v, ws, c.ID); err != nil {
			return k, err
		}
		k.Typed, err = customers.TypedOf(v, ws, c.ID)
		return k, err
	})
}

// VisitOf returns the visit of a contact, or the zero Visit if none was stored.
func VisitOf(v *store.View, ws parley.WorkspaceID, contact parley.ID) (parley.Visit, error) {
	visit, err := SelectVisit(v, ws, contact)
	if parley.KindOf(err) == parley.NotFound {
		err = nil
	}
	return visit, err
}
