package desk

import (
	"context"
	"time"

	"parley"
	"parley/internal/store"
	"parley/internal/wire"
)

// Products returns products, oldest first, the archived ones only if asked
// for.
func (d *Desk) Products(ctx context.Context, ws parley.WorkspaceID, archived bool, after parley.Position, limit int) (parley.Page[parley.Product], error) {
	return view(ctx, d, func(v *store.View) (parley.Page[parley.Product], error) {
		return v.Products(ws, archived, after, limit)
	})
}

// Product returns a product.
func (d *Desk) Product(ctx context.Context, ws parley.WorkspaceID, id parley.ID) (parley.Product, error) {
	return view(ctx, d, func(v *store.View) (parley.Product, error) { return v.Product(ws, id) })
}

// CreateProduct adds an active product.
func (d *Desk) CreateProduct(ctx context.Context, by Caller, name, description string) (parley.Product, error) {
	if err := checkName("name", name); err != nil {
		return parley.Product{}, err
	}
	return write(ctx, d, by, func(t *tx) (parley.Product, error) {
		p := parley.Product{ID: t.ids.New(t.now), Name: name, Description: description, CreatedAt: t.now, UpdatedAt: t.now}
		if err := t.InsertProduct(t.ws, &p); err != nil {
			return p, err
		}
		t.emit(parley.ProductCreated, parley.ID{}, nil, wire.AppendProduct(nil, &p))
		return p, nil
	})
}

// ArchiveProduct takes a product out of use, or back into it. Conversations
// keep it.
func (d *Desk) ArchiveProduct(ctx context.Context, by Caller, id parley.ID, archive bool) (parley.Product, error) {
	return write(ctx, d, by, func(t *tx) (parley.Product, error) {
		p, err := t.Product(t.ws, id)
		if err != nil || p.Archived() == archive {
			return p, err
		}
		p.UpdatedAt, p.ArchivedAt = t.now, time.Time{}
		if archive {
			p.ArchivedAt = t.now
		}
		if err := t.UpdateProduct(t.ws, &p); err != nil {
			return p, err
		}
		t.emit(parley.ProductUpdated, parley.ID{}, []string{"archived", "archivedAt"}, wire.AppendProduct(nil, &p))
		return p, nil
	})
}

// Inboxes returns inboxes, oldest first.
func (d *Desk) Inboxes(ctx context.Context, ws parley.WorkspaceID, after parley.Position, limit int) (parley.Page[parley.Inbox], error) {
	return view(ctx, d, func(v *store.View) (parley.Page[parley.Inbox], error) { return v.Inboxes(ws, after, limit) })
}

// NewInbox is what an inbox is made of.
type NewInbox struct {
	Name      string
	Channel   parley.Channel
	ProductID parley.ID // the routing; zero for none
}

// CreateInbox adds an inbox.
func (d *Desk) CreateInbox(ctx context.Context, by Caller, in NewInbox) (parley.Inbox, error) {
	if err := checkName("name", in.Name); err != nil {
		return parley.Inbox{}, err
	}
	return write(ctx, d, by, func(t *tx) (parley.Inbox, error) { return t.createInbox(in) })
}

func (t *tx) createInbox(in NewInbox) (parley.Inbox, error) {
	inbox := parley.Inbox{
		ID: t.ids.New(t.now), Name: in.Name, Channel: in.Channel, ProductID: in.ProductID, CreatedAt: t.now, UpdatedAt: t.now,
	}
	if !in.ProductID.IsZero() {
		if _, err := t.activeProduct(parley.Some(in.ProductID)); err != nil {
			return inbox, err
		}
	}
	if err := t.InsertInbox(t.ws, &inbox); err != nil {
		return inbox, err
	}
	t.emit(parley.InboxCreated, parley.ID{}, nil, wire.AppendInbox(nil, &inbox))
	return inbox, nil
}
