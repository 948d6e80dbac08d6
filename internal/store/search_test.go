package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// query is one alternative: words, of which those that end with "*" are
// beginnings.
func query(text string) [][]parley.SearchTerm {
	var terms []parley.SearchTerm
	for word := range strings.FieldsSeq(text) {
		whole, prefix := strings.CutSuffix(word, "*")
		terms = append(terms, parley.SearchTerm{Word: whole, Prefix: prefix})
	}
	return [][]parley.SearchTerm{terms}
}

func document(kind parley.SearchKind, id parley.ID, words ...string) store.SearchDocument {
	d := store.SearchDocument{SearchRef: store.SearchRef{Kind: kind, ID: id}, Words: words}
	if kind == parley.SearchMessage {
		d.ConversationID = parley.ID{1, 2, 3}
	}
	return d
}

// found is how the index names a record of the world.
func (w *world) found(kind parley.SearchKind, id parley.ID) store.SearchRef {
	ref := store.SearchRef{Kind: kind, ID: id}
	if kind == parley.SearchMessage {
		ref.ConversationID = w.conversation.ID
	}
	return ref
}

// foundMessage is the world's message as a search shows it.
func (w *world) foundMessage() store.FoundMessage {
	m, k := w.message, w.conversation.Contact
	return store.FoundMessage{
		Message: parley.Message{ID: m.ID, ConversationID: m.ConversationID, Content: m.Content, CreatedAt: m.CreatedAt},
		Contact: parley.ContactRef{ID: k.ID, Name: k.Name, Email: k.Email, PhoneNumber: k.PhoneNumber},
	}
}

// indexWorld stores the index entry of the world's message, the position of a
// follower, and a timer.
func (w *world) indexWorld(tx *store.Tx) error {
	moved, err := tx.MoveFollower(w.ws, w.workspace.Name, w.follower)
	if err == nil && !moved {
		err = errors.New("the first position was not taken")
	}
	return errors.Join(err, desk.InsertTimer(tx, w.ws, w.timer.Kind, w.timer.Name, at(1)), desk.UpdateTimer(tx, w.ws, &w.timer), tx.UpsertSearchDocuments(w.ws, []store.SearchDocument{
		{SearchRef: w.found(parley.SearchMessage, w.message.ID), Words: []string{"word"}},
	}))
}

func index(t testing.TB, s *store.Store, ws parley.WorkspaceID, docs ...store.SearchDocument) {
	t.Helper()
	write(t, s, ws, func(tx *store.Tx) error { return tx.UpsertSearchDocuments(ws, docs) })
}

func checkSearch(t *testing.T, s *store.Store, ws parley.WorkspaceID, kind parley.SearchKind, text string, want ...parley.ID) {
	t.Helper()
	view(t, s, func(v *store.View) error {
		refs, err := v.Search(parley.WholeWorkspace(ws), kind, query(text), 100)
		var got []parley.ID
		for _, ref := range refs {
			got = append(got, ref.ID)
			if ref.Kind != kind || ref.ConversationID.IsZero() == (kind == parley.SearchMessage) {
				t.Errorf("%q found %+v among %ss", text, ref, kind)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s %q gave %v, want %v", kind, text, got, want)
		}
		return err
	})
}

// TestSearchIndex searches documents that are added, replaced and emptied, in
// two workspaces and three kinds.
func TestSearchIndex(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := newWorld("a", false), newWorld("b", false)
		a.insert(t, s)
		b.insert(t, s)
		m1, m2, m3 := ids.New(at(1)), ids.New(at(2)), ids.New(at(3))
		const message, contact, company = parley.SearchMessage, parley.SearchContact, parley.SearchCompany
		index(t, s, a.ws,
			document(message, m2, "strasse", "ann@example.com", "本語", "or", "and", "not", "near"), // words, not operators
			document(message, m1, "strasse", "hund"),
			document(contact, m1, "strasse"), // an id of another kind is another record
			document(company, m3, "strassen"),
		)
		index(t, s, b.ws, document(message, m1, "strasse", "katze"))
		checkSearch(t, s, a.ws, message, "strasse", m2, m1)
		checkSearch(t, s, a.ws, message, "str*", m2, m1)
		checkSearch(t, s, a.ws, message, "str")
		checkSearch(t, s, a.ws, message, "strasse hu*", m1)
		checkSearch(t, s, a.ws, message, "ann@ex*", m2)
		checkSearch(t, s, a.ws, message, "本*", m2)
		checkSearch(t, s, a.ws, message, "or and not near", m2)
		checkSearch(t, s, a.ws, message, "katze")
		checkSearch(t, s, a.ws, contact, "strasse", m1)
		checkSearch(t, s, a.ws, company, "strasse*", m3)
		checkSearch(t, s, b.ws, message, "strasse", m1)
		checkSearch(t, s, b.ws, contact, "strasse")

		index(t, s, a.ws, document(message, m2, "neu"), document(contact, m1))
		checkSearch(t, s, a.ws, message, "strasse", m1)
		checkSearch(t, s, a.ws, message, "neu", m2)
		checkSearch(t, s, a.ws, contact, "strasse")
		checkSearch(t, s, b.ws, message, "strasse", m1)
		view(t, s, func(v *store.View) error {
			refs, err := v.Search(parley.WholeWorkspace(a.ws), message, [][]parley.SearchTerm{query("hund")[0], query("neu")[0]}, 1)
			if len(refs) != 1 || refs[0].ID != m2 {
				t.Errorf("the newest of either is %v, want %v", refs, m2)
			}
			return err
		})
	})
}

// TestSearchRows gives documents of two workspaces ids that map to the same row
// of the index. Each gets its own row and keeps it.
func TestSearchRows(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := newWorld("a", false), newWorld("b", false)
		a.insert(t, s)
		b.insert(t, s)
		same := func(n byte) parley.ID { return parley.ID{1, 2, 3, 4, 5, 6, 7, 8, n, 10, 11, 12, 13, 14, 15, 16} }
		for round := range 3 { // in every order, and again
			for n := range byte(5) {
				index(t, s, a.ws, document(parley.SearchMessage, same((n+byte(round))%5), "w", fmt.Sprint("n", (n+byte(round))%5)))
			}
			index(t, s, b.ws, document(parley.SearchMessage, same(0), "w"), document(parley.SearchContact, same(0), "w"), document(parley.SearchMessage, same(7), "w"))
			view(t, s, func(v *store.View) error {
				refs, err := v.Search(parley.WholeWorkspace(a.ws), parley.SearchMessage, query("w"), 100)
				if len(refs) != 5 || err != nil {
					t.Errorf("round %d: %d of 5 documents are found: %v", round, len(refs), err)
				}
				refs, err = v.Search(parley.WholeWorkspace(b.ws), parley.SearchMessage, query("w"), 100)
				if len(refs) != 2 {
					t.Errorf("round %d: %d of 2 documents of the other workspace are found: %v", round, len(refs), err)
				}
				return err
			})
			for n := range byte(5) {
				checkSearch(t, s, a.ws, parley.SearchMessage, fmt.Sprint("n", n), same(n))
			}
		}
	})
}

// TestSearchPlan reads the engines' plans of a search among many messages.
func TestSearchPlan(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("w", false)
		w.insert(t, s)
		for from := 0; from < 12000; from += 1000 {
			docs := make([]store.SearchDocument, 1000)
			for i := range docs {
				n := from + i
				words := append(strings.Fields("a message has about a dozen words which many others have too"), fmt.Sprint("some", n%20), fmt.Sprint("rare", n))
				docs[i] = document(parley.SearchMessage, ids.New(at(int64(n))), words...)
			}
			index(t, s, w.ws, docs...)
		}
		vacuum(t, s)
		view(t, s, func(v *store.View) error {
			for _, text := range []string{"rare77", "some17 rare77", "rare777*"} {
				plan, err := v.Plan(func(v *store.View) error {
					_, err := v.Search(parley.WholeWorkspace(w.ws), parley.SearchMessage, query(text), 50)
					return err
				})
				if err != nil {
					return err
				}
				full := strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "TEMP B-TREE")
				if full || !strings.Contains(plan, "search_words_words") && !strings.Contains(plan, "VIRTUAL TABLE INDEX") {
					t.Errorf("%q does not come from the index:\n%s", text, plan)
				}
			}
			plan, err := v.Plan(func(v *store.View) error {
				_, err := v.FoundMessages(parley.WholeWorkspace(w.ws), []store.SearchRef{{ID: ids.New(at(1))}, {ID: ids.New(at(2))}, {ID: ids.New(at(3))}})
				return err
			})
			if strings.Contains(plan, "Seq Scan on messages") || strings.Contains(plan, "SCAN g") {
				t.Errorf("the messages of a page do not come from their key:\n%s", plan)
			}
			return err
		})
	})
}

// TestSearchUndone makes sure that a failed batch leaves nothing behind.
func TestSearchUndone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("w", false)
		w.insert(t, s)
		id := ids.New(at(1))
		refused := errors.New("refused")
		err := s.Write(t.Context(), w.ws, func(tx *store.Tx) error {
			if err := tx.UpsertSearchDocuments(w.ws, []store.SearchDocument{document(parley.SearchMessage, id, "gone")}); err != nil {
				return err
			}
			return refused
		})
		if !errors.Is(err, refused) {
			t.Fatalf("the write gave %v", err)
		}
		checkSearch(t, s, w.ws, parley.SearchMessage, "gone")
		index(t, s, w.ws, document(parley.SearchMessage, id, "here"))
		checkSearch(t, s, w.ws, parley.SearchMessage, "here", id)
	})
}
