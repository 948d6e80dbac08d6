package whatsapp_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/chatapp"
)

// hiddenID returns the id by which the network hides a phone.
func (w *world) hiddenID(phone string) (id string) {
	w.t.Helper()
	db, err := sql.Open("sqlite", w.options.SQLite)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if err := db.QueryRow("SELECT lid FROM whatsmeow_lid_map WHERE pn = ?", phone).Scan(&id); err != nil {
		w.t.Fatal(err)
	}
	return id
}

// tablesWith returns the library's tables in which one of the texts is.
func (w *world) tablesWith(texts ...string) (found []string) {
	w.t.Helper()
	db, err := sql.Open("sqlite", w.options.SQLite)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	columns, err := db.Query("SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name LIKE 'whatsmeow_%'")
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = columns.Close() }()
	var queries [][2]string
	for columns.Next() {
		var table, column string
		if err := columns.Scan(&table, &column); err != nil {
			w.t.Fatal(err)
		}
		queries = append(queries, [2]string{table, fmt.Sprintf("SELECT count(*) FROM %s WHERE instr(CAST(%s AS BLOB), CAST(? AS BLOB)) > 0", table, column)})
	}
	if err := columns.Err(); err != nil || len(queries) < 40 {
		w.t.Fatalf("%d columns, %v", len(queries), err)
	}
	for _, query := range queries {
		for _, text := range texts {
			var n int
			if err := db.QueryRow(query[1], text).Scan(&n); err != nil {
				w.t.Fatal(err)
			}
			if n > 0 {
				found = append(found, query[0])
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// keysByID are the tables that keep the keys of somebody under the id that hides the
// phone.
var keysByID = []string{"whatsmeow_identity_keys", "whatsmeow_sessions"}

// TestForget lets two persons exchange messages with a number, and forgets one: no
// table holds that one's phone any more, of the hidden id there are only keys, the
// other one stays, and the one who was forgotten can write again.
func TestForget(t *testing.T) {
	w := connected(t)
	for _, number := range []string{alice, carol} {
		p := w.phone(number)
		id, err := p.Send(w.ctx(), hostPhone, "hello from "+number)
		if err != nil {
			t.Fatal(err)
		}
		w.message(func(m chatapp.Incoming) bool { return m.ID == id })
		if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), Phone: parley.Phone(number), Text: "welcome"}); err != nil {
			t.Fatal(err)
		}
		w.next(p)
		if number == alice {
			defer func() {
				again, err := p.Send(w.ctx(), hostPhone, "once more")
				if err != nil {
					t.Fatal(err)
				}
				w.message(func(m chatapp.Incoming) bool { return m.ID == again && m.Text == "once more" })
			}()
		}
	}
	person, somebody := []string{alice, w.hiddenID(alice)}, []string{carol, w.hiddenID(carol)}
	before := w.tablesWith(person...)
	if len(before) < 3 {
		t.Fatalf("the person is only in %v", before)
	}
	hidden := chatapp.Person{JIDs: []string{person[1] + "@lid", "no address"}}
	for _, who := range []chatapp.Person{hidden, {Phones: []parley.Phone{alice}}} {
		if err := w.driver.Forget(w.ctx(), w.host, who); err != nil {
			t.Fatal(err)
		}
		if left := w.tablesWith(person[1]); !slices.Equal(slices.DeleteFunc(left, func(name string) bool { return name == "whatsmeow_lid_map" }), keysByID) {
			t.Errorf("of the hidden id there is %s, want keys", strings.Join(left, ", "))
		}
	}
	if left := w.tablesWith(alice); len(left) > 0 {
		t.Errorf("the person was in %s and is in %s", strings.Join(before, ", "), strings.Join(left, ", "))
	}
	if left := w.tablesWith(somebody...); len(left) < 3 {
		t.Errorf("somebody else is only in %v", left)
	}
	if err := w.driver.Forget(w.ctx(), w.host, chatapp.Person{Phones: []parley.Phone{alice, nobody}}); err != nil {
		t.Errorf("again: %v", err)
	}
}
