package store_test

import (
	"testing"
	"time"

	"parley"
	"parley/internal/customers"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestVerifyingIdentityKeys looks at which keys verify, to the millisecond, and
// that nothing is left of the secret of a revoked one.
func TestVerifyingIdentityKeys(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ws, _ := found(t, s)
		write(t, s, ws, func(tx *store.Tx) error {
			for i, kid := range []string{"active", "retiring", "revoked", "public"} {
				key := parley.IdentityKey{KID: kid, Kind: parley.SecretKey, Algorithm: "HS256", CreatedAt: at(int64(i))}
				sealed := []byte("sealed " + kid)
				if kid == "public" {
					sealed = nil
				}
				if err := tx.InsertIdentityKey(ws, &key, sealed); err != nil {
					return err
				}
			}
			if err := customers.UpdateIdentityKeyRetire(tx, ws, "retiring", at(50)); err != nil {
				return err
			}
			return customers.UpdateIdentityKeyRevoked(tx, ws, "revoked", at(40))
		})
		for now, want := range map[time.Time]string{at(49): "active retiring public ", at(50): "active public "} {
			view(t, s, func(v *store.View) error {
				keys, err := customers.SelectVerifyingIdentityKeys(v, ws, now)
				got := ""
				for _, k := range keys {
					got += k.KID + " "
					if sealed := "sealed " + k.KID; k.KID != "public" && string(k.Sealed) != sealed || k.KID == "public" && len(k.Sealed) != 0 {
						t.Errorf("the sealed secret of %s is %q", k.KID, k.Sealed)
					}
				}
				if got != want {
					t.Errorf("at %v these verify: %q, want %q", now, got, want)
				}
				return err
			})
		}
		view(t, s, func(v *store.View) error {
			key, err := customers.SelectIdentityKey(v, ws, "revoked")
			if !key.RevokedAt.Equal(at(40)) {
				t.Errorf("the key was revoked at %v", key.RevokedAt)
			}
			return err
		})
	})
}

// TestRejectedIdentitiesAreFew keeps the newest ones of one workspace, and lets
// those of another be.
func TestRejectedIdentitiesAreFew(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ws, _ := found(t, s)
		other, _ := found(t, s)
		for _, ws := range []parley.WorkspaceID{ws, other} {
			write(t, s, ws, func(tx *store.Tx) error {
				for i := range 5 {
					r := parley.RejectedIdentity{ID: ids.New(at(int64(i))), At: at(int64(i)), Reason: "expired"}
					if err := customers.InsertRejectedIdentity(tx, ws, &r); err != nil {
						return err
					}
				}
				return nil
			})
		}
		write(t, s, ws, func(tx *store.Tx) error { return customers.DeleteOldRejectedIdentities(tx, ws, 3) })
		write(t, s, ws, func(tx *store.Tx) error { return customers.DeleteOldRejectedIdentities(tx, ws, 3) })
		view(t, s, func(v *store.View) error {
			kept, err := customers.SelectRejectedIdentities(v, ws)
			if len(kept) != 3 || !kept[0].At.Equal(at(4)) || !kept[2].At.Equal(at(2)) {
				t.Errorf("kept are %v", kept)
			}
			if err != nil {
				return err
			}
			theirs, err := customers.SelectRejectedIdentities(v, other)
			if len(theirs) != 5 {
				t.Errorf("the other workspace keeps %d", len(theirs))
			}
			return err
		})
	})
}
