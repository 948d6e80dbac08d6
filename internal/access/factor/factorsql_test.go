package factor_test

import (
	"errors"
	"reflect"
	"testing"

	"parley"
	"parley/internal/access/factor"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A home is a workspace of which two members, one of them removed, have second
// factors with two recovery codes each.
type home struct {
	*storetest.Home
	t      *testing.T
	former parley.UserID
	factor factor.Factor
	codes  [2][32]byte
}

func newHome(t *testing.T, s *store.Store) *home {
	t.Helper()
	h := &home{Home: storetest.NewHome(t, s), t: t}
	h.former = h.IDs.NewUserID()
	h.factor = factor.Factor{Member: h.Member.ID, Sealed: []byte("sealed"), Used: 1 << 40, Since: storetest.At(3)}
	h.codes = [2][32]byte{{1}, {2}}
	h.Write(func(tx *store.Tx) error {
		err := storetest.Did(tx.InsertMember(h.WS, &parley.Member{ID: h.former, Email: "old@x.example", Role: parley.Agent, CreatedAt: storetest.At(1), UpdatedAt: storetest.At(2), RemovedAt: storetest.At(3)}))
		for _, member := range []parley.UserID{h.Member.ID, h.former} {
			f := h.factor
			f.Member = member
			err = errors.Join(err, factor.InsertFactor(tx, h.WS, &f))
			for _, code := range h.codes {
				err = errors.Join(err, factor.InsertRecoveryCode(tx, h.WS, member, code))
			}
		}
		return err
	})
	return h
}

// has requires what the member has.
func (h *home) has(what string, want *factor.Factor, codes int) {
	h.t.Helper()
	h.View(func(v *store.View) error {
		got, err := factor.SelectFactor(v, h.WS, h.Member.ID)
		if want == nil && parley.KindOf(err) != parley.NotFound || want != nil && (err != nil || !reflect.DeepEqual(got, *want)) {
			h.t.Errorf("%s: the second factor is %+v, %v", what, got, err)
		}
		if n, err := factor.CountRecoveryCodes(v, h.WS, h.Member.ID); n != codes || err != nil {
			h.t.Errorf("%s: %d recovery codes, %v, want %d", what, n, err, codes)
		}
		return nil
	})
}

// did requires what a change reports.
func (h *home) did(what string, want bool, change func(tx *store.Tx) (bool, error)) {
	h.t.Helper()
	h.Write(func(tx *store.Tx) error {
		if got, err := change(tx); got != want || err != nil {
			h.t.Errorf("%s: %v, %v", what, got, err)
		}
		return nil
	})
}

// TestStatements changes second factors in one workspace, beside another that
// must keep its own.
func TestStatements(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		other, h := newHome(t, s), newHome(t, s)
		h.has("first", &h.factor, 2)
		h.View(func(v *store.View) error {
			if all, err := factor.SelectMembers(v, h.WS); err != nil || !reflect.DeepEqual(all, []parley.UserID{h.Member.ID}) {
				t.Errorf("the members with one are %v, %v", all, err)
			}
			if required, err := factor.SelectRequired(v, h.WS); required || err != nil {
				t.Errorf("at first, required is %v, %v", required, err)
			}
			return nil
		})
		h.Write(func(tx *store.Tx) error { return factor.UpdateRequired(tx, h.WS, true) })
		for of, want := range map[*home]bool{h: true, other: false} {
			of.View(func(v *store.View) error {
				if required, err := factor.SelectRequired(v, of.WS); required != want || err != nil {
					t.Errorf("required is %v, %v, want %v", required, err, want)
				}
				return nil
			})
		}

		use := func(step int64) func(*store.Tx) (bool, error) {
			return func(tx *store.Tx) (bool, error) { return factor.UpdateUsed(tx, h.WS, h.Member.ID, step) }
		}
		h.did("an earlier code", false, use(h.factor.Used-1))
		h.did("the same code", false, use(h.factor.Used))
		h.did("a later code", true, use(h.factor.Used+1))
		h.did("that one again", false, use(h.factor.Used+1))
		h.factor.Used++
		h.has("after a code", &h.factor, 2)

		recovering := func(tx *store.Tx) (bool, error) {
			return factor.DeleteRecoveryCode(tx, h.WS, h.Member.ID, h.codes[1])
		}
		h.did("a recovery code", true, recovering)
		h.did("the same recovery code", false, recovering)
		h.has("after a recovery code", &h.factor, 1)

		remove := func(tx *store.Tx) (bool, error) { return factor.DeleteFactor(tx, h.WS, h.Member.ID) }
		h.did("deleting", true, remove)
		h.did("deleting again", false, remove)
		h.has("after deleting", nil, 0)
		h.View(func(v *store.View) error {
			if _, err := factor.SelectFactor(v, h.WS, h.former); err != nil {
				t.Errorf("another member's is gone: %v", err)
			}
			return nil
		})
		other.has("the other workspace", &other.factor, 2)
	})
}
