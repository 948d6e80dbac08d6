package visitors

import (
	"context"

	"parley"
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
		if err != nil {
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

// Visit returns the visit of a contact, also given the id of one that was merged into it,
// or the zero Visit if none was stored.
func (svc *Service) Visit(ws parley.WorkspaceID, contact parley.ID) desk.Read[parley.Visit] {
	return desk.Snapshot(svc.desk, func(v *store.View) (parley.Visit, error) {
		c, err := desk.ContactNow(v, ws, contact)
		if err != nil {
			return parley.Visit{}, err
		}
		return VisitOf(v, ws, c.ID)
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
