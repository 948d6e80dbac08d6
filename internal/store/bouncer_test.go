package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"parley"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestBehindPgBouncer writes from two nodes behind a PgBouncer in transaction
// mode, configured as the operator's guide says, while its connections to the
// server are closed again and again. Acknowledged writes are stored once, and
// the log has no gap.
func TestBehindPgBouncer(t *testing.T) {
	cluster := pgtest.NewCluster(t)
	direct := migratedPostgres(t, cluster.URL("postgres"))
	observer := storetest.Open(t, direct)
	through := direct
	through.Database = cluster.Bouncer(t, "postgres") + "&default_query_exec_mode=cache_describe"
	nodes := []*store.Store{storetest.Open(t, through), storetest.Open(t, through)}
	ws, c := found(t, nodes[0])

	killer, err := pgx.Connect(t.Context(), cluster.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = killer.Close(context.Background()) }()
	const writers, posts, kills = 8, 12, 6
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for n := range posts {
				text := fmt.Sprint(w, " ", n)
				for {
					err := nodes[w%len(nodes)].Write(t.Context(), ws, func(tx *store.Tx) error {
						// Like an Idempotency-Key: a post that took effect is
						// not repeated.
						if count, err := tx.Int("SELECT count(*) FROM messages WHERE workspace_id = $1 AND content = $2", ws, text); err != nil || count > 0 {
							return err
						}
						return post(ws, c.ID, text)(tx)
					})
					if err == nil {
						break
					}
					if parley.KindOf(err) != parley.Unavailable {
						t.Errorf("a write gave %v, want success or Unavailable", err)
						return
					}
				}
				err := nodes[(w+1)%len(nodes)].Snapshot(t.Context(), func(v *store.View) error {
					_, err := v.Messages(parley.WholeWorkspace(ws), c.ID, parley.Position{}, 50)
					return err
				})
				if err != nil && parley.KindOf(err) != parley.Unavailable {
					t.Errorf("a read gave %v, want success or Unavailable", err)
				}
			}
		})
	}
	all.Go(func() {
		for range kills {
			time.Sleep(100 * time.Millisecond) // let some writes pass between two
			_, err := killer.Exec(context.Background(),
				"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parley' AND pid <> pg_backend_pid()")
			if err != nil {
				t.Errorf("end the connections: %v", err)
			}
		}
	})
	all.Wait()
	got := messages(t, observer, ws, c.ID)
	if len(got) != writers*posts {
		t.Errorf("there are %d messages, want %d", len(got), writers*posts)
	}
	for text, count := range got {
		if count != 1 {
			t.Errorf("message %q is there %d times", text, count)
		}
	}
	log(t, observer, ws)
}
