package search

import (
	"parley"
	"parley/internal/store"
)

// names are the records that operators name. Each list is read once in a search,
// however many operators need it.
type names struct {
	members               []parley.Member // present and removed
	inboxes               []parley.Inbox
	products              []parley.Product
	hasMembers, hasPlaces bool
}

func (n *names) readMembers(v *store.View, ws parley.WorkspaceID) (err error) {
	if n.hasMembers {
		return nil
	}
	n.members, err = everyPage(func(after parley.Position) (parley.Page[parley.Member], error) {
		return v.Members(ws, after, parley.MaxLimit)
	})
	if err != nil {
		return err
	}
	former, err := v.FormerMembers(ws)
	n.members, n.hasMembers = append(n.members, former...), err == nil
	return err
}

func (n *names) readPlaces(v *store.View, ws parley.WorkspaceID) (err error) {
	if n.hasPlaces {
		return nil
	}
	n.inboxes, err = everyPage(func(after parley.Position) (parley.Page[parley.Inbox], error) {
		return v.Inboxes(ws, after, parley.MaxLimit)
	})
	if err != nil {
		return err
	}
	n.products, err = everyPage(func(after parley.Position) (parley.Page[parley.Product], error) {
		return v.Products(ws, true, after, parley.MaxLimit)
	})
	n.hasPlaces = err == nil
	return err
}

// everyPage returns all records of a list.
func everyPage[T any](list func(after parley.Position) (parley.Page[T], error)) ([]T, error) {
	var all []T
	for after := (parley.Position{}); ; {
		page, err := list(after)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Items...)
		if !page.HasMore {
			return all, nil
		}
		after = page.Next
	}
}
