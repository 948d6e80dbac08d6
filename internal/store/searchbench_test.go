package store_test

import (
	"fmt"
	"testing"

	"parley"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// BenchmarkSearch looks for words among 100,000 messages: one in 100,000 has
// the rare word, every tenth the common one. "point" reads a conversation by
// its id, for comparison; "put" puts a message into the index, in batches of
// 500.
func BenchmarkSearch(b *testing.B) {
	const count, batch = 100_000, 500
	for name, options := range map[string]func(testing.TB) store.Options{"sqlite": storetest.SQLite, "postgres": storetest.DurablePostgres} {
		o := options(b)
		if _, _, err := store.Migrate(b.Context(), o); err != nil {
			b.Fatal(err)
		}
		s := storetest.Open(b, o)
		ws, conversation := found(b, s)
		next := 0
		put := func() {
			docs := make([]store.SearchDocument, batch)
			for i := range docs {
				words := []string{"hello", fmt.Sprint("tenth", next%10), fmt.Sprint("thousandth", next%1000), fmt.Sprint("rare", next)}
				for n := range 12 {
					words = append(words, fmt.Sprint("w", (next*31+n*977)%5000))
				}
				docs[i] = document(parley.SearchMessage, ids.New(at(int64(next))), words...)
				next++
			}
			index(b, s, ws, docs...)
		}
		b.Run(name+"/put", func(b *testing.B) {
			for range max(b.N/batch, 1) {
				put()
			}
		})
		for next < count {
			put()
		}
		vacuum(b, s)
		for _, text := range []string{"rare777", "thousandth77", "tenth7", "hello tenth7", "hello tenth7 rare777", "rare77*", "ra*"} {
			b.Run(name+"/"+text, func(b *testing.B) {
				for b.Loop() {
					view(b, s, func(v *store.View) error {
						_, err := v.Search(parley.WholeWorkspace(ws), parley.SearchMessage, query(text), parley.MaxSearchHits)
						return err
					})
				}
			})
		}
		b.Run(name+"/point", func(b *testing.B) {
			for b.Loop() {
				view(b, s, func(v *store.View) error {
					_, err := v.Conversation(parley.WholeWorkspace(ws), conversation.ID)
					return err
				})
			}
		})
	}
}
