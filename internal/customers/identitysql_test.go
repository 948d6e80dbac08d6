package customers_test

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
		ws := storetest.NewHome(t, s).WS
		storetest.Write(t, s, ws, func(tx *store.Tx) error {
			for i, kid := range []string{"active", "retiring", "revoked", "public"} {
				key := parley.IdentityKey{KID: kid, Kind: parley.SecretKey, Algorithm: "HS256", CreatedAt: storetest.At(int64(i))}
				sealed := []byte("sealed " + kid)
				if kid == "public" {
					sealed = nil
				}
				if err := tx.InsertIdentityKey(ws, &key, sealed); err != nil {
					return err
				}
			}
			if err := customers.UpdateIdentityKeyRetire(tx, ws, "retiring", storetest.At(50)); err != nil {
				return err
			}
			return customers.UpdateIdentityKeyRevoked(tx, ws, "revoked", storetest.At(40))
		})
		for now, want := range map[time.Time]string{storetest.At(49): "active retiring public ", storetest.At(50): "active public "} {
			storetest.View(t, s, func(v *store.View) error {
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
		storetest.View(t, s, func(v *store.View) error {
			key, err := customers.SelectIdentityKey(v, ws, "revoked")
			if !key.RevokedAt.Equal(storetest.At(40)) {
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
		h := storetest.NewHome(t, s)
		ws, other := h.WS, storetest.NewHome(t, s).WS
		for _, ws := range []parley.WorkspaceID{ws, other} {
			storetest.Write(t, s, ws, func(tx *store.Tx) error {
				for i := range 5 {
					r := parley.RejectedIdentity{ID: h.NewID(int64(i)), At: storetest.At(int64(i)), Reason: "expired"}
					if err := customers.InsertRejectedIdentity(tx, ws, &r); err != nil {
						return err
					}
				}
				return nil
			})
		}
		storetest.Write(t, s, ws, func(tx *store.Tx) error { return customers.DeleteOldRejectedIdentities(tx, ws, 3) })
		storetest.Write(t, s, ws, func(tx *store.Tx) error { return customers.DeleteOldRejectedIdentities(tx, ws, 3) })
		storetest.View(t, s, func(v *store.View) error {
			kept, err := customers.SelectRejectedIdentities(v, ws)
			if len(kept) != 3 || !kept[0].At.Equal(storetest.At(4)) || !kept[2].At.Equal(storetest.At(2)) {
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
