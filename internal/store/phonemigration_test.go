package store_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parley"
	"parley/internal/merging"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// before returns the version of the schema before the named migration.
func before(t *testing.T, name string) int {
	t.Helper()
	files, err := os.ReadDir("migrations")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(files, func(f os.DirEntry) bool { return strings.HasSuffix(f.Name(), "_"+name+".sql") })
	if at < 0 {
		t.Fatalf("there is no migration %s", name)
	}
	version, err := strconv.Atoi(files[at].Name()[:4])
	if err != nil {
		t.Fatal(err)
	}
	return version - 1
}

// TestPhonesBecomeE164 migrates numbers in all accepted spellings, some of
// which become equal.
func TestPhonesBecomeE164(t *testing.T) {
	empty(t, func(t *testing.T, o store.Options) {
		if err := store.MigrateTo(t.Context(), o, before(t, "phone_numbers")); err != nil {
			t.Fatal(err)
		}
		old, err := store.Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		ws, other := parley.WorkspaceID{1}, parley.WorkspaceID{2}
		contacts := map[parley.ID]string{}
		insert := func(ws parley.WorkspaceID, phone, key string) parley.ID {
			id := ids.New(at(int64(len(contacts))))
			contacts[id] = phone
			write(t, old, ws, func(tx *store.Tx) error {
				return tx.Exec(`INSERT INTO contacts (workspace_id, contact_id, name, email, email_key, phone_number, phone_key, shop_name,
					avatar_url, identifier, custom_attributes, created_at, updated_at, last_activity_at) VALUES ($1, $2, '', '', '', $3, $4, '', '', '', '', 1, 2, 3)`,
					ws, id, phone, key)
			})
			return id
		}
		for _, id := range []parley.WorkspaceID{ws, other} {
			write(t, old, id, func(tx *store.Tx) error { return tx.InsertWorkspace(&parley.Workspace{ID: id, Name: "x", Epoch: "e"}) })
		}
		want := map[parley.ID]string{
			insert(ws, "", ""): "",
			insert(ws, "  +49 151-1.1/1 (1)11", "4915111111"):   "+4915111111",
			insert(ws, "49 151 2222222", "491512222222"):        "+491512222222",
			insert(ws, "+491513333333", "491513333333"):         "+491513333333",
			insert(ws, "+49 (0)151 4444444", "4901514444444"):   "+491514444444",
			insert(ws, "+49 (0) 12", "49012"):                   "+49012", // too short without it
			insert(other, "+49(0)151 5555555", "4901515555555"): "+491515555555",
		}
		owner := insert(ws, "+49 151 5555555", "491515555555")
		loser := insert(ws, "+49 (0)151 5555555", "4901515555555")
		first := insert(ws, "+49 (0)151 6666666", "4901516666666")
		second := insert(ws, "+4 (0)9 151 6666666", "4091516666666")
		want[owner], want[loser], want[first] = "+491515555555", "+4901515555555", "+491516666666"
		want[second] = "+4091516666666"
		if err := old.Close(); err != nil {
			t.Fatal(err)
		}
		if _, _, err := store.Migrate(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		s := storetest.Open(t, o)
		for id, phone := range want {
			of := ws
			if contacts[id] == "+49(0)151 5555555" {
				of = other
			}
			view(t, s, func(v *store.View) error {
				c, err := v.Contact(of, id)
				if err != nil || c.PhoneNumber != phone {
					t.Errorf("%q became %q, %v, want %q", contacts[id], c.PhoneNumber, err, phone)
				}
				if phone != "" {
					if found, err := v.ContactByPhone(of, phone); err != nil || found.ID != id {
						t.Errorf("%q finds %v, %v", phone, found.ID, err)
					}
				}
				return nil
			})
		}
		view(t, s, func(v *store.View) error {
			pairs, err := merging.SelectDuplicates(v, ws, parley.ID{}, 10)
			got := map[parley.ID]parley.ContactDuplicate{}
			for _, pair := range pairs {
				got[pair.Contact.ID] = pair
			}
			if err != nil || len(pairs) != 2 || got[loser].Other.ID != owner || got[loser].PhoneNumber != "+491515555555" || got[second].Other.ID != first {
				t.Errorf("the pairs are %+v, %v", pairs, err)
			}
			return nil
		})
		// A contact that is stored again keeps its key, which is free.
		write(t, s, ws, func(tx *store.Tx) error {
			c, err := tx.Contact(ws, loser)
			if err != nil {
				return err
			}
			return tx.UpdateContact(ws, &c)
		})
	})
}
