package desk

import (
	"context"
	"time"

	"parley"
	"parley/internal/store"
	"parley/internal/wire"
)

// Products returns products, oldest first, with archived ones only on request.
func (d *Desk) Products(ws parley.WorkspaceID, archived bool, after parley.Position, limit int) Read[parley.Page[parley.Product]] {
	return View(d, func(v *store.View) (parley.Page[parley.Product], error) {
		return v.Products(ws, archived, after, limit)
	})
}

// Product returns a product.
func (d *Desk) Product(ws parley.WorkspaceID, id parley.ID) Read[parley.Product] {
	return View(d, func(v *store.View) (parley.Product, error) { return v.Product(ws, id) })
}

// CreateProduct adds an active product.
func (d *Desk) CreateProduct(ctx context.Context, by Caller, name, description string) (parley.Product, error) {
	if err := CheckName("name", name); err != nil {
		return parley.Product{}, err
	}
	return Write(ctx, d, by, func(t *Tx) (parley.Product, error) {
		p := parley.Product{ID: t.IDs.New(t.Now), Name: name, Description: description, CreatedAt: t.Now, UpdatedAt: t.Now}
		if err := t.InsertProduct(t.WS, &p); err != nil {
			return p, err
		}
		t.Announce(parley.ProductCreated, parley.ID{}, nil, wire.AppendProduct(nil, &p))
		return p, nil
	})
}

// ArchiveProduct archives a product, or restores it. Conversations keep it.
func (d *Desk) ArchiveProduct(ctx context.Context, by Caller, id parley.ID, archive bool) (parley.Product, error) {
	return d.UpdateProduct(ctx, by, id, ProductChange{Archived: parley.Some(archive)})
}

// ProductChange is an update of a product. Absent fields stay unchanged.
type ProductChange struct {
	Name        parley.Optional[string]
	Description parley.Optional[string]
	Archived    parley.Optional[bool] // see ArchiveProduct
}

// UpdateProduct changes a product.
func (d *Desk) UpdateProduct(ctx context.Context, by Caller, id parley.ID, in ProductChange) (parley.Product, error) {
	return Write(ctx, d, by, func(t *Tx) (parley.Product, error) {
		p, err := t.Product(t.WS, id)
		if err != nil {
			return p, err
		}
		var changed []string
		Set(&changed, "name", &p.Name, in.Name)
		Set(&changed, "description", &p.Description, in.Description)
		if archive := in.Archived.Or(p.Archived()); archive != p.Archived() {
			p.ArchivedAt = time.Time{}
			if archive {
				p.ArchivedAt = t.Now
			}
			changed = append(changed, "archived", "archivedAt")
		}
		if len(changed) == 0 {
			return p, nil
		}
		p.UpdatedAt = t.Now
		if err := t.UpdateProduct(t.WS, &p); err != nil {
			return p, err
		}
		t.Announce(parley.ProductUpdated, parley.ID{}, changed, wire.AppendProduct(nil, &p))
		return p, nil
	})
}

// Inboxes returns inboxes, oldest first.
func (d *Desk) Inboxes(ws parley.WorkspaceID, after parley.Position, limit int) Read[parley.Page[parley.Inbox]] {
	return View(d, func(v *store.View) (parley.Page[parley.Inbox], error) { return v.Inboxes(ws, after, limit) })
}

// NewInbox has the inputs of a new inbox.
type NewInbox struct {
	Name      string
	Channel   parley.Channel
	ProductID parley.ID // the routing; zero: none
}

// CreateInbox adds an inbox.
func (d *Desk) CreateInbox(ctx context.Context, by Caller, in NewInbox) (parley.Inbox, error) {
	if err := CheckName("name", in.Name); err != nil {
		return parley.Inbox{}, err
	}
	return Write(ctx, d, by, func(t *Tx) (parley.Inbox, error) { return t.CreateInbox(in) })
}

// CreateInbox is [Desk.CreateInbox] within a transaction.
func (t *Tx) CreateInbox(in NewInbox) (parley.Inbox, error) {
	inbox := parley.Inbox{
		ID: t.IDs.New(t.Now), Name: in.Name, Channel: in.Channel, ProductID: in.ProductID, CreatedAt: t.Now, UpdatedAt: t.Now,
	}
	if !in.ProductID.IsZero() {
		if _, err := t.activeProduct(parley.Some(in.ProductID)); err != nil {
			return inbox, err
		}
	}
	if err := t.InsertInbox(t.WS, &inbox); err != nil {
		return inbox, err
	}
	t.Announce(parley.InboxCreated, parley.ID{}, nil, wire.AppendInbox(nil, &inbox))
	return inbox, nil
}

// InboxChange is an update of an inbox. Absent fields stay unchanged.
type InboxChange struct {
	Name      parley.Optional[string]
	ProductID parley.Optional[parley.ID] // the routing; null: none
}

// UpdateInbox changes an inbox. A new routing applies to conversations that
// start later; its product must be active.
func (d *Desk) UpdateInbox(ctx context.Context, by Caller, id parley.ID, in InboxChange) (parley.Inbox, error) {
	return Write(ctx, d, by, func(t *Tx) (parley.Inbox, error) {
		inbox, err := t.Inbox(t.WS, id)
		if err != nil {
			return inbox, err
		}
		var changed []string
		Set(&changed, "name", &inbox.Name, in.Name)
		if in.ProductID.Set && in.ProductID.Or(parley.ID{}) != inbox.ProductID {
			if _, err := t.activeProduct(in.ProductID); err != nil {
				return inbox, err
			}
			inbox.ProductID = in.ProductID.Or(parley.ID{})
			changed = append(changed, "productId")
		}
		if len(changed) == 0 {
			return inbox, nil
		}
		inbox.UpdatedAt = t.Now
		if err := t.UpdateInbox(t.WS, &inbox); err != nil {
			return inbox, err
		}
		t.Announce(parley.InboxUpdated, parley.ID{}, changed, wire.AppendInbox(nil, &inbox))
		return inbox, nil
	})
}
