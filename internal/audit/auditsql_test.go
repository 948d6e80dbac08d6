package audit_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"parley"
	"parley/internal/audit"
	"parley/internal/audit/entry"
	"parley/internal/audit/recording"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

func at(seconds int64) time.Time { return time.Unix(seconds, 0).UTC() }

// TestSelectEntries reads entries by each filter and in pages, and not those of another
// workspace.
func TestSelectEntries(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		home, other := storetest.NewHome(t, s), storetest.NewHome(t, s)
		ids := parley.NewIDs(nil)
		var all []entry.Entry
		home.Write(func(tx *store.Tx) error {
			for i := range int64(9) {
				e := entry.Entry{ID: ids.New(at(i / 2)), At: at(i / 2), ActorType: entry.Server, Action: entry.KeyCreated, Count: 1}
				if i%2 == 1 {
					e.Action = entry.KeyRevoked
				}
				if i%3 == 0 {
					e.ActorType, e.ActorID = entry.Member, "usr_1"
				}
				all = append(all, e)
				if err := recording.InsertEntry(tx, home.WS, &e); err != nil {
					return err
				}
			}
			return nil
		})
		slices.SortFunc(all, func(a, b entry.Entry) int {
			if order := b.At.Compare(a.At); order != 0 {
				return order
			}
			return slices.Compare(b.ID[:], a.ID[:])
		})
		for name, c := range map[string]struct {
			filter audit.Filter
			fits   func(e *entry.Entry) bool
		}{
			"all":    {audit.Filter{}, func(*entry.Entry) bool { return true }},
			"action": {audit.Filter{Action: entry.KeyRevoked}, func(e *entry.Entry) bool { return e.Action == entry.KeyRevoked }},
			"actor":  {audit.Filter{ActorID: "usr_1"}, func(e *entry.Entry) bool { return e.ActorID == "usr_1" }},
			"type":   {audit.Filter{ActorType: entry.Server}, func(e *entry.Entry) bool { return e.ActorType == entry.Server }},
			"nobody": {audit.Filter{ActorType: entry.Operator}, func(*entry.Entry) bool { return false }},
			"both": {audit.Filter{Action: entry.KeyCreated, ActorID: "usr_1"}, func(e *entry.Entry) bool {
				return e.Action == entry.KeyCreated && e.ActorID == "usr_1"
			}},
			"period": {audit.Filter{From: at(1), To: at(3)}, func(e *entry.Entry) bool { return !e.At.Before(at(1)) && e.At.Before(at(3)) }},
		} {
			for _, limit := range []int{1, 2, 9} {
				var got []string
				for next, more := (parley.Position{}), true; more; {
					home.View(func(v *store.View) error {
						page, err := audit.SelectEntries(v, home.WS, c.filter, next, limit)
						for i := range page.Items {
							got = append(got, page.Items[i].ID.String())
						}
						next, more = page.Next, page.HasMore
						return err
					})
				}
				var want []string
				for i := range all {
					if c.fits(&all[i]) {
						want = append(want, all[i].ID.String())
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s in pages of %d gave %v, want %v", name, limit, got, want)
				}
			}
		}
		other.View(func(v *store.View) error {
			page, err := audit.SelectEntries(v, other.WS, audit.Filter{}, parley.Position{}, 9)
			if len(page.Items) != 0 {
				t.Errorf("another workspace reads %d entries", len(page.Items))
			}
			return err
		})
	})
}

// TestRefusedTransaction records in a transaction that is refused afterwards, and in one
// that is not.
func TestRefusedTransaction(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		service, refused := audit.New(w.Desk), parley.Errorf(parley.Conflict, "no")
		count := func() int {
			page, err := service.Entries(w.Home.Workspace.ID, audit.Filter{}, parley.Position{}, parley.MaxLimit).Now(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return len(page.Items)
		}
		before := count()
		_, err := desk.Write(t.Context(), w.Desk, w.By(), func(t *desk.Tx) (parley.Inbox, error) {
			if err := t.Audit.Of(entry.KeyRevoked, entry.SubjectKey, "x"); err != nil {
				return parley.Inbox{}, err
			}
			if _, err := t.CreateInbox(desk.NewInbox{Name: "I", Channel: parley.ChannelAPI}); err != nil {
				return parley.Inbox{}, err
			}
			return parley.Inbox{}, refused
		})
		if parley.KindOf(err) != parley.Conflict || count() != before {
			t.Errorf("a refused transaction leaves %d entries: %v", count()-before, err)
		}
		if err := service.Record(t.Context(), w.By(), entry.Entry{Action: entry.BackedUp}); err != nil || count() != before+1 {
			t.Errorf("a transaction leaves %d entries: %v", count()-before, err)
		}
	})
}

// TestExpire deletes old entries in batches, oldest first.
func TestExpire(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		const many = 2100
		now := w.Now()
		if _, err := desk.Write(t.Context(), w.Desk, w.By(), func(t *desk.Tx) (int, error) {
			for i := range many {
				old := now.Add(-time.Duration(48+i) * time.Hour)
				e := entry.Entry{ID: t.IDs.New(old), At: old, Action: entry.KeyRevoked, ActorType: entry.Server, SubjectID: fmt.Sprint(i), Count: 1}
				if err := recording.InsertEntry(t, t.WS, &e); err != nil {
					return 0, err
				}
			}
			return 0, t.Audit.Of(entry.KeyRevoked, entry.SubjectKey, "young")
		}); err != nil {
			t.Fatal(err)
		}
		for _, want := range []bool{true, false} {
			more, err := desk.Write(t.Context(), w.Desk, w.By(), func(t *desk.Tx) (bool, error) { return audit.Expire(t, 47*time.Hour) })
			if err != nil || more != want {
				t.Fatalf("more is %v, want %v: %v", more, want, err)
			}
		}
		page, err := audit.New(w.Desk).Entries(w.Home.Workspace.ID, audit.Filter{Action: entry.KeyRevoked}, parley.Position{}, 9).Now(t.Context())
		if err != nil || len(page.Items) != 1 || page.Items[0].SubjectID != "young" {
			t.Errorf("left is %v: %v", page.Items, err)
		}
	})
}

// TestActors makes the same change as each kind of actor. What the server does by itself is
// not recorded.
func TestActors(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		ws := w.Home.Workspace.ID
		for _, c := range []struct {
			by   desk.Caller
			kind entry.Actor
			id   string
		}{
			{w.By(), entry.Member, string(w.Home.Owner.ID)},
			{desk.Caller{Workspace: ws, Actor: parley.KeyActor(&w.Home.Key)}, entry.Key, w.Home.Key.ID.String()},
			{desk.Caller{Workspace: ws, Client: entry.Client{Operator: true}}, entry.Operator, ""},
			{desk.Caller{Workspace: ws}, "", ""},
			{desk.Caller{Workspace: ws, Actor: parley.Actor{Type: parley.ActorBot}}, "", ""},
		} {
			inbox, err := w.Desk.CreateInbox(t.Context(), c.by, desk.NewInbox{Name: "I", Channel: parley.ChannelAPI})
			if err != nil {
				t.Fatal(err)
			}
			page, err := audit.New(w.Desk).Entries(ws, audit.Filter{Action: entry.InboxCreated}, parley.Position{}, parley.MaxLimit).Now(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(page.Items, func(e entry.Entry) bool { return e.SubjectID == inbox.ID.String() })
			if (i >= 0) != (c.kind != "") || i >= 0 && (page.Items[i].ActorType != c.kind || page.Items[i].ActorID != c.id) {
				t.Errorf("by %v the entries are %v", c.by.Actor, page.Items)
			}
		}
	})
}
