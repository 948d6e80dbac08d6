package provider_test

import (
	"errors"
	"reflect"
	"testing"

	"parley"
	"parley/internal/access/admission"
	"parley/internal/access/provider"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const issuer = "https://id.home.example"

// settings returns settings with a value in each field.
func settings(h *storetest.Home) provider.Settings {
	return provider.Settings{
		Issuer: issuer, ClientID: "parley", Sealed: []byte("sealed"), GroupsClaim: "groups",
		Policy: admission.Policy{
			Groups: map[string]parley.Role{`a "b"`: parley.Admin}, JoinRole: parley.Agent, Domains: []string{"home.example"},
		},
		Required: true, TrustsFactor: true, Exempt: []parley.UserID{h.Member.ID}, CreatedAt: storetest.At(1), UpdatedAt: storetest.At(2),
	}
}

// TestSettings stores settings twice, and none of another workspace.
func TestSettings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h, other := storetest.NewHome(t, s), storetest.NewHome(t, s)
		want := settings(h)
		has := func(home *storetest.Home, what string, want *provider.Settings) {
			home.View(func(v *store.View) error {
				got, err := provider.SelectSettings(v, home.WS)
				if want == nil && parley.KindOf(err) != parley.NotFound || want != nil && (err != nil || !reflect.DeepEqual(got, *want)) {
					t.Errorf("%s: %+v, %v", what, got, err)
				}
				return nil
			})
		}
		has(h, "before", nil)
		h.Write(func(tx *store.Tx) error { return provider.PutSettings(tx, h.WS, &want) })
		has(h, "inserted", &want)
		has(other, "the other workspace", nil)
		h.View(func(v *store.View) error {
			all, err := provider.SelectWorkspaces(v)
			if len(all) != 1 || all[0] != h.WS {
				t.Errorf("the workspaces with a provider are %v", all)
			}
			return err
		})
		want = provider.Settings{Issuer: issuer + "/b", ClientID: "b", Sealed: []byte("b"), CreatedAt: want.CreatedAt, UpdatedAt: storetest.At(3)}
		h.Write(func(tx *store.Tx) error { return provider.PutSettings(tx, h.WS, &want) })
		has(h, "replaced", &want)
		other.Write(func(tx *store.Tx) error {
			there, err := provider.DeleteSettings(tx, other.WS)
			if there {
				t.Error("the other workspace had settings")
			}
			return err
		})
		has(h, "after the other's", &want)
		h.Write(func(tx *store.Tx) error { return storetest.Did(provider.DeleteSettings(tx, h.WS)) })
		has(h, "deleted", nil)
	})
}

// TestIdentities binds each person to one member, and each member to one person.
func TestIdentities(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h, other := storetest.NewHome(t, s), storetest.NewHome(t, s)
		bo := parley.Member{ID: h.IDs.NewUserID(), Email: "bo@x.example", Role: parley.Agent, CreatedAt: storetest.At(1), UpdatedAt: storetest.At(1)}
		person := provider.Identity{Issuer: issuer, Subject: "s", Member: h.Member.ID, Since: storetest.At(2)}
		insert := func(home *storetest.Home, i provider.Identity) (free bool) {
			home.Write(func(tx *store.Tx) (err error) {
				free, err = provider.InsertIdentity(tx, home.WS, &i)
				return err
			})
			return free
		}
		h.Write(func(tx *store.Tx) error { return storetest.Did(tx.InsertMember(h.WS, &bo)) })
		if !insert(h, person) || insert(h, person) || insert(h, provider.Identity{Issuer: issuer, Subject: "s", Member: bo.ID}) ||
			insert(h, provider.Identity{Issuer: issuer, Subject: "S", Member: h.Member.ID}) {
			t.Error("a person or a member has two")
		}
		if !insert(other, provider.Identity{Issuer: issuer, Subject: "s", Member: other.Member.ID, Since: storetest.At(2)}) {
			t.Error("a person may be a member of one workspace only")
		}
		second := provider.Identity{Issuer: issuer, Subject: "S", Member: bo.ID, Since: storetest.At(3)}
		if !insert(h, second) {
			t.Error("another person cannot be another member")
		}
		h.View(func(v *store.View) error {
			got, err := provider.SelectIdentity(v, h.WS, issuer, "s")
			of, ofErr := provider.SelectIdentityOf(v, h.WS, bo.ID)
			if got != person || of != second {
				t.Errorf("the persons are %+v and %+v", got, of)
			}
			_, none := provider.SelectIdentity(v, h.WS, issuer+"/", "s")
			if parley.KindOf(none) != parley.NotFound {
				t.Errorf("another issuer's is %v", none)
			}
			all, allErr := provider.SelectIdentities(v, h.WS)
			if len(all) != 2 {
				t.Errorf("all are %+v", all)
			}
			return errors.Join(err, ofErr, allErr)
		})
		h.Write(func(tx *store.Tx) error { return storetest.Did(provider.DeleteIdentityOf(tx, h.WS, h.Member.ID)) })
		other.View(func(v *store.View) error {
			_, err := provider.SelectIdentityOf(v, other.WS, other.Member.ID)
			return err
		})
		h.View(func(v *store.View) error {
			all, err := provider.SelectIdentities(v, h.WS)
			if len(all) != 1 || all[0] != second {
				t.Errorf("all are %+v after one was deleted", all)
			}
			return err
		})
	})
}

// TestUses uses something up once in each workspace, until it is forgotten.
func TestUses(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h, other := storetest.NewHome(t, s), storetest.NewHome(t, s)
		use := func(home *storetest.Home, kind, text string) (first bool) {
			home.Write(func(tx *store.Tx) (err error) {
				first, err = provider.InsertUse(tx, home.WS, provider.Use(kind, text), storetest.At(10))
				return err
			})
			return first
		}
		forget := func(ms int64) {
			h.Write(func(tx *store.Tx) error { return provider.DeleteUses(tx, h.WS, storetest.At(ms)) })
		}
		if !use(h, "a", "x") || use(h, "a", "x") || !use(h, "b", "x") || !use(h, "a", "y") || !use(other, "a", "x") {
			t.Error("the uses are not told apart")
		}
		h.View(func(v *store.View) error {
			for text, want := range map[string]bool{"x": true, "z": false} {
				if used, err := provider.SelectUsed(v, h.WS, provider.Use("a", text)); used != want || err != nil {
					t.Errorf("%s was used: %v, %v", text, used, err)
				}
			}
			return nil
		})
		if forget(10); use(h, "a", "x") {
			t.Error("a use is forgotten too early")
		}
		if forget(11); !use(h, "a", "x") || use(other, "a", "x") {
			t.Error("a use is not forgotten, or one of another workspace is")
		}
	})
}

// TestSelectPasswordOwners returns current owners with passwords alone.
func TestSelectPasswordOwners(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := storetest.NewHome(t, s)
		want := h.IDs.NewUserID()
		h.Write(func(tx *store.Tx) error {
			var err error
			for _, m := range []parley.Member{
				{ID: want, Email: "a@x.example", Role: parley.Owner, PasswordHash: "hash"},
				{ID: h.IDs.NewUserID(), Email: "b@x.example", Role: parley.Owner, PasswordHash: "hash", RemovedAt: storetest.At(2)},
				{ID: h.IDs.NewUserID(), Email: "c@x.example", Role: parley.Admin, PasswordHash: "hash"},
			} {
				m.CreatedAt, m.UpdatedAt = storetest.At(1), storetest.At(1)
				err = errors.Join(err, storetest.Did(tx.InsertMember(h.WS, &m)))
			}
			return err
		})
		h.View(func(v *store.View) error {
			got, err := provider.SelectPasswordOwners(v, h.WS) // the owner of a home has no password
			if len(got) != 1 || got[0] != want {
				t.Errorf("the owners are %v, want %s", got, want)
			}
			return err
		})
	})
}
