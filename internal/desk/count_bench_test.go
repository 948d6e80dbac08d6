package desk_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/vault"
)

// BenchmarkCounted creates conversations and resolves them, both of which
// reports count, on stores that wait for their disk. The callers share one
// workspace; a single one shows the latency.
func BenchmarkCounted(b *testing.B) {
	for name, options := range map[string]func(testing.TB) store.Options{"sqlite": storetest.SQLite, "postgres": storetest.DurablePostgres} {
		for _, callers := range []int{1, 32} {
			b.Run(fmt.Sprint(name, "/", callers), func(b *testing.B) {
				o := options(b)
				if _, _, err := store.Migrate(b.Context(), o); err != nil {
					b.Fatal(err)
				}
				benchCounted(b, storetest.Open(b, o), callers)
			})
		}
	}
}

func benchCounted(b *testing.B, s *store.Store, callers int) {
	b.Helper()
	secrets, err := vault.FromBase64("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
	if err != nil {
		b.Fatal(err)
	}
	d := desk.New(desk.Options{Store: s, Vault: secrets, Clock: time.Now, IDs: parley.NewIDs(nil), Log: storetest.Quiet()})
	home, err := access.New(d).CreateWorkspace(b.Context(), "Acme", "ann@acme.example")
	if err != nil {
		b.Fatal(err)
	}
	by := desk.Caller{Workspace: home.Workspace.ID}
	contact, err := d.SaveContact(b.Context(), by, desk.ContactFields{Name: parley.Some("Bob")})
	if err != nil {
		b.Fatal(err)
	}
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ResetTimer()
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				c, err := d.CreateConversation(b.Context(), by, desk.NewConversation{ContactID: contact.Record.ID, InboxID: home.Inbox.ID})
				if err == nil {
					_, err = d.UpdateConversation(b.Context(), by, c.ID, desk.ConversationChange{Status: parley.Some(parley.Resolved)})
				}
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}
