package erasure_test

import (
	"slices"
	"strings"
	"testing"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley/internal/erasure"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestNothingRemains plants texts of a person, who is in eleven conversations and two
// groups with others, wherever the interfaces accept one. It erases the person, and
// looks for the texts in every byte that the server stores. What others wrote remains.
func TestNothingRemains(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, o)
		w.plant()
		if len(w.remains(token)) < 2 {
			t.Fatal("the texts were not planted")
		}
		e := w.erase(w.Erasure)
		t.Logf("planted %d texts, erased %+v", w.planted, e.Counts)
		for _, text := range []string{token, anna, twice} {
			if left := w.remains(text); len(left) > 0 {
				t.Errorf("%s is left in %s", text, strings.Join(left, ", "))
			}
		}
		for _, text := range []string{other, bob} {
			if len(w.remains(text)) == 0 {
				t.Errorf("%s is gone too", text)
			}
		}
	})
}

// waiting are the steps without which the same rows are deleted: one ends sessions, of
// which only hashes are stored, and one waits for the purge.
var waiting = []string{"sessions", "files"}

// TestEveryStepIsNeeded leaves out one step of an erasure at a time: something remains,
// or the erasure does not end. It is the control of [TestNothingRemains].
func TestEveryStepIsNeeded(t *testing.T) {
	for _, step := range erasure.Steps() {
		t.Run(step, func(t *testing.T) {
			w := newWorld(t, storetest.MigratedSQLite(t))
			w.plant()
			poorer := w.Erasure.Without(step)
			_, ended := w.finish(poorer, w.begin(poorer))
			left := slices.Concat(w.remains(token), w.remains(anna))
			if ended && len(left) == 0 && !slices.Contains(waiting, step) {
				t.Error("nothing remains without it")
			}
		})
	}
}

// notPlanted are the columns about persons without any of the planted texts: those of
// short-lived rows, hashes, what is sealed, what only a failure or another network fills, what two
// contacts have in common, which belongs to the other one, and questions that are
// stored without their person.
var notPlanted = []string{
	"number_calls.request", "number_calls.answer", "erasures.working", "idempotency_keys.route", "idempotency_keys.body_hash", "group_requests.asked",
	"messages.error", "attachments.content_type", "group_members.network_phone", "contact_duplicates.email", "contact_duplicates.phone_number",
	"knowledge_gaps.words", "knowledge_gaps.sample", "mails.problem", "mails.sealed",
}

// TestEveryColumnIsPlanted compares the planted texts with the inventory: each column
// that holds data of persons has some, so that TestNothingRemains looks for them.
func TestEveryColumnIsPlanted(t *testing.T) {
	w := newWorld(t, storetest.MigratedSQLite(t))
	w.plant()
	conn, err := sqlite.OpenConn(w.options.Dir+"/"+store.FileName, sqlite.OpenReadOnly)
	w.must(err)
	defer func() { _ = conn.Close() }()
	for _, table := range erasure.Inventory() {
		for column, holds := range table.Texts {
			name := table.Name + "." + column
			if holds != erasure.OfPerson || table.Name == "search_words" {
				continue
			}
			found := false
			err := sqlitex.ExecuteTransient(conn, "SELECT 1 FROM "+table.Name+" WHERE instr("+column+", ?1) > 0 OR instr("+column+", ?2) > 0 OR instr("+column+", ?3) > 0 LIMIT 1",
				&sqlitex.ExecOptions{Args: []any{token, anna, twice}, ResultFunc: func(*sqlite.Stmt) error { found = true; return nil }})
			w.must(err)
			if found == slices.Contains(notPlanted, name) {
				t.Errorf("%s: planted: %v", name, found)
			}
		}
	}
}
