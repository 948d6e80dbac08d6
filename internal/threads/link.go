package threads

import (
	"cmp"
	"context"
	"slices"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// A Link says that two conversations concern each other.
type Link struct {
	ConversationID parley.ID
	OtherID        parley.ID
	MemberID       parley.UserID // who linked them; "" for a program
	CreatedAt      time.Time
}

// Links returns the conversations that are linked to one and that the reader may see,
// the youngest first.
func (svc *Service) Links(vis parley.Visibility, id parley.ID) desk.Read[[]parley.Conversation] {
	return desk.Snapshot(svc.desk, func(v *store.View) ([]parley.Conversation, error) {
		c, err := desk.ConversationNow(v, vis, id)
		if err != nil {
			return nil, err
		}
		return linked(v, vis, c.ID)
	})
}

func linked(v *store.View, vis parley.Visibility, id parley.ID) ([]parley.Conversation, error) {
	links, err := SelectLinks(v, vis, id)
	if err != nil || len(links) == 0 {
		return nil, err
	}
	ids := make([]parley.ID, len(links))
	for i := range links {
		ids[i] = links[i].OtherID
	}
	return others(v, vis, id, desk.Unique(ids))
}

// others returns the conversations to which links of id lead now, in the order of the
// links' ends.
func others(v *store.View, vis parley.Visibility, id parley.ID, ends []parley.ID) ([]parley.Conversation, error) {
	found, err := v.ConversationsOf(vis, ends)
	if err != nil {
		return nil, err
	}
	now := map[parley.ID]parley.ID{}
	var targets []parley.ID
	for i := range found {
		c := &found[i]
		if now[c.ID] = cmp.Or(c.MergedInto, c.ID); now[c.ID] != c.ID && !slices.Contains(ends, c.MergedInto) {
			targets = append(targets, c.MergedInto)
		}
	}
	if len(targets) > 0 {
		more, err := v.ConversationsOf(vis, desk.Unique(targets))
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	var all []parley.Conversation
	for _, end := range ends {
		at := slices.IndexFunc(found, func(c parley.Conversation) bool { return c.ID == now[end] })
		if at >= 0 && found[at].ID != id && !slices.ContainsFunc(all, func(c parley.Conversation) bool { return c.ID == found[at].ID }) {
			all = append(all, found[at])
		}
	}
	return all, nil
}

// A Linking is the result of linking two conversations, or of the end of their link.
type Linking struct {
	Links   []parley.Conversation // of the first one, as [Service.Links] returns them
	Changed bool                  // false if it was so before
	Places  []parley.Place        // of the two conversations
}

// Link links two conversations, which the caller must see. Linking them again has no
// effect. More than parley.MaxLinks of one of them are a Conflict.
func (svc *Service) Link(ctx context.Context, by desk.Caller, id, other parley.ID) (Linking, error) {
	return svc.change(ctx, by, [2]parley.ID{id, other}, func(t *desk.Tx, c, o parley.ID) error {
		for _, one := range []parley.ID{c, o} {
			links, err := SelectLinks(t, t.Visibility, one)
			if err != nil {
				return err
			}
			if len(links) >= parley.MaxLinks {
				return parley.Errorf(parley.Conflict, "one of the conversations has %d links already", parley.MaxLinks)
			}
		}
		return InsertLink(t, t.WS, &Link{ConversationID: c, OtherID: o, MemberID: by.Member, CreatedAt: t.Now})
	}, true)
}

// Unlink ends the link between two conversations, which the caller must see. Without a
// link it has no effect.
func (svc *Service) Unlink(ctx context.Context, by desk.Caller, id, other parley.ID) (Linking, error) {
	return svc.change(ctx, by, [2]parley.ID{id, other}, func(t *desk.Tx, c, o parley.ID) error { return DeleteLink(t, t.WS, c, o) }, false)
}

// change makes or ends a link, unless that is so already.
func (svc *Service) change(ctx context.Context, by desk.Caller, ids [2]parley.ID, do func(t *desk.Tx, c, other parley.ID) error, to bool) (Linking, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (Linking, error) {
		c, err := desk.ConversationNow(&t.View, t.Visibility, ids[0])
		if err != nil {
			return Linking{}, err
		}
		o, err := desk.ConversationNow(&t.View, t.Visibility, ids[1])
		if err != nil {
			return Linking{}, desk.Reference("otherId", err)
		}
		if c.ID == o.ID {
			return Linking{}, parley.InvalidField("otherId", "be another conversation")
		}
		before, err := linked(&t.View, t.Visibility, c.ID)
		if err != nil {
			return Linking{}, err
		}
		there := slices.ContainsFunc(before, func(other parley.Conversation) bool { return other.ID == o.ID })
		if there != to {
			if err := do(t, c.ID, o.ID); err != nil {
				return Linking{}, err
			}
		}
		after, err := linked(&t.View, t.Visibility, c.ID)
		return Linking{Links: after, Changed: there != to, Places: []parley.Place{c.Place(), o.Place()}}, err
	})
}

// Expire deletes links that nobody can read any more.
func Expire(t *desk.Tx) error { return DeleteForsakenLinks(t, t.WS) }
