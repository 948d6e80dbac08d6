package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"parley"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// benchWorkspace is the workspace of a store made by manyConversations.
var benchWorkspace = parley.WorkspaceID{15: 2}

// rareInbox is an inbox of such a store that has few conversations.
var rareInbox = parley.ID{15: 3}

// manyConversations returns the options of a store with so many conversations
// in one workspace, one in a thousand of them open, and ten in the inbox
// rareInbox. The file is created once and stays in the folder for temporary
// files.
func manyConversations(b *testing.B, count int) store.Options {
	b.Helper()
	o := storetest.SQLite(b)
	o.Dir = filepath.Join(os.TempDir(), fmt.Sprint("parley-bench-", count))
	done := filepath.Join(o.Dir, "complete-4")
	if _, err := os.Stat(done); err == nil {
		return o
	}
	if err := os.RemoveAll(o.Dir); err != nil {
		b.Fatal(err)
	}
	if _, _, err := store.Migrate(b.Context(), o); err != nil {
		b.Fatal(err)
	}
	s := storetest.Open(b, o)
	ws := benchWorkspace
	member := parley.Member{ID: "usr_a", Email: "a", Name: "Ann", Role: parley.Agent}
	inbox := parley.Inbox{ID: ids.New(at(0)), Name: "Inbox", Channel: parley.ChannelAPI}
	write(b, s, ws, func(tx *store.Tx) error {
		return errors.Join(tx.InsertWorkspace(&parley.Workspace{ID: ws, Name: "W", Epoch: "e"}),
			inserted(tx.InsertMember(ws, &member)), tx.InsertInbox(ws, &inbox),
			tx.InsertInbox(ws, &parley.Inbox{ID: rareInbox, Name: "Rare", Channel: parley.ChannelAPI}))
	})
	const step = 1_000
	for from := 0; from < count; from += step {
		write(b, s, ws, func(tx *store.Tx) error {
			for i := from; i < from+step; i++ {
				now := at(int64(i) * 1000)
				k := parley.Contact{ID: ids.New(now), Name: fmt.Sprint("Customer ", i), Email: fmt.Sprint(i, "@example.com"), CreatedAt: now}
				c := parley.Conversation{ID: ids.New(now), Status: parley.Resolved, LastActivityAt: now, CreatedAt: now}
				c.Contact.ID, c.Inbox.ID, c.Assignee.ID = k.ID, inbox.ID, member.ID
				if i%1000 == 0 {
					c.Status = parley.Open
				}
				if i%(count/10) == 0 {
					c.Inbox.ID = rareInbox
				}
				if err := errors.Join(tx.InsertContact(ws, &k), tx.InsertConversation(ws, &c, c.LastActivityAt)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := os.WriteFile(done, nil, 0o600); err != nil {
		b.Fatal(err)
	}
	return o
}

// BenchmarkConversationPage reads pages of 50 of the list of conversations.
func BenchmarkConversationPage(b *testing.B) {
	for _, count := range []int{10_000, 1_000_000} {
		s := storetest.Open(b, manyConversations(b, count))
		middle := parley.Position{At: at(int64(count) * 500)}
		for name, read := range map[string]struct {
			filter store.ConversationFilter
			after  parley.Position
		}{
			"first":       {},
			"middle":      {after: middle},
			"open":        {filter: store.ConversationFilter{Status: parley.Open}},
			"pending":     {filter: store.ConversationFilter{Status: parley.Pending}}, // there is none
			"rareinbox":   {filter: store.ConversationFilter{InboxID: rareInbox}},
			"noproduct":   {filter: store.ConversationFilter{ProductID: parley.Null[parley.ID]()}},      // all
			"nobody":      {filter: store.ConversationFilter{AssigneeID: parley.Null[parley.UserID]()}}, // there is none
			"nolabel":     {filter: store.ConversationFilter{Labels: []string{"refund"}}},               // there is none
			"nocontact":   {filter: store.ConversationFilter{ContactID: rareInbox}},
			"nocompany":   {filter: store.ConversationFilter{CompanyID: rareInbox}},
			"lastchanges": {filter: store.ConversationFilter{UpdatedSince: at(int64(count)*1000 - 20_000)}},
			"halfchanges": {filter: store.ConversationFilter{UpdatedSince: at(int64(count) * 500)}},
			"allchanges":  {filter: store.ConversationFilter{UpdatedSince: at(1)}},
		} {
			b.Run(fmt.Sprint(name, "/", count), func(b *testing.B) {
				for b.Loop() {
					err := s.View(b.Context(), func(v *store.View) error {
						_, err := v.Conversations(parley.WholeWorkspace(benchWorkspace), read.filter, read.after, 50)
						return err
					})
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkPost posts messages like the desk, without HTTP: reads the
// conversation, stores the message and the activity, and emits an event. 64
// callers write into one workspace.
func BenchmarkPost(b *testing.B) {
	for name, options := range map[string]func(testing.TB) store.Options{"sqlite": storetest.SQLite, "postgres": storetest.DurablePostgres} {
		b.Run(name, func(b *testing.B) {
			o := options(b)
			if _, _, err := store.Migrate(b.Context(), o); err != nil {
				b.Fatal(err)
			}
			s := storetest.Open(b, o)
			ws, c := found(b, s)
			before := s.Stats()
			var left atomic.Int64
			left.Store(int64(b.N))
			b.ResetTimer()
			var all sync.WaitGroup
			for range 64 {
				all.Go(func() {
					for left.Add(-1) >= 0 {
						err := s.Write(b.Context(), ws, func(tx *store.Tx) error {
							current, err := tx.Conversation(parley.WholeWorkspace(ws), c.ID)
							if err != nil {
								return err
							}
							if err := post(ws, c.ID, "Hello, how can we help you today?")(tx); err != nil {
								return err
							}
							return tx.UpdateConversationActivity(ws, &current, at(100))
						})
						if err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			all.Wait()
			after := s.Stats()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "posts/s")
			b.ReportMetric(float64(after.Closures-before.Closures)/float64(after.Groups-before.Groups), "posts/group")
		})
	}
}
