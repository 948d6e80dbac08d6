package store_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/access"
	"parley/internal/access/credential"
	"parley/internal/numbers"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

func TestAcrossWorkspaces(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := newWorld("a", true), newWorld("b", true)
		b.delivery.DueAt = at(1000)
		a.insert(t, s)
		b.insert(t, s)
		view(t, s, func(v *store.View) error {
			for _, w := range []*world{a, b} {
				if got, err := credential.SelectKeyByHash(v, w.hash); err != nil || !reflect.DeepEqual(got, w.key) {
					t.Errorf("KeyByHash gave %v, %v, want %v", got, err, w.key)
				}
			}
			for _, w := range []*world{a, b} {
				if got, err := credential.SelectSessionByHash(v, w.hash); err != nil || !reflect.DeepEqual(got, w.session) {
					t.Errorf("SessionByHash gave %v, %v, want %v", got, err, w.session)
				}
				if got, err := credential.SelectInvitationByHash(v, w.hash); err != nil || !reflect.DeepEqual(got, w.invitation) {
					t.Errorf("InvitationByHash gave %v, %v, want %v", got, err, w.invitation)
				}
				want := []access.Login{{Workspace: w.ws, Member: w.member}}
				if got, err := access.SelectLoginsByEmail(v, " "+strings.ToUpper(w.member.Email), 9); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("LoginsByEmail gave %v, %v, want %v", got, err, want)
				}
				if got, err := access.SelectLoginsByEmail(v, w.former.Email, 9); err != nil || len(got) != 0 {
					t.Errorf("LoginsByEmail of a removed member gave %v, %v", got, err)
				}
			}
			if _, err := credential.SelectKeyByHash(v, [32]byte{1}); parley.KindOf(err) != parley.NotFound {
				t.Errorf("KeyByHash of nothing gave %v", err)
			}
			if got, err := v.Workspaces(); err != nil || !reflect.DeepEqual(got, []parley.Workspace{a.workspace, b.workspace}) {
				t.Errorf("Workspaces gave %v, %v", got, err)
			}
			mine := numbers.NumberOf{Workspace: a.ws, Number: a.number, Lease: a.lease}
			for due, want := range map[int64][]numbers.NumberOf{20: nil, 21: {mine}} {
				if got, err := numbers.SelectDueNumbers(v, at(due)); err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("DueNumbers at %d gave %v, %v, want %v", due, got, err, want)
				}
			}
			if got, err := v.Waiting(); err != nil || got != 2 {
				t.Errorf("Waiting gave %d, %v, want 2", got, err)
			}
			if got, err := numbers.SelectNumbersHeld(v, "a"); err != nil || !reflect.DeepEqual(got, []numbers.NumberOf{mine}) {
				t.Errorf("NumbersHeld gave %v, %v, want %v", got, err, mine)
			}
			if got, err := v.MisdatedWorkspaces(at(20)); err != nil || len(got) != 2 {
				t.Errorf("MisdatedWorkspaces gave %v, %v, want both", got, err)
			}
			if got, err := v.MisdatedWorkspaces(at(9999)); err != nil || len(got) != 0 {
				t.Errorf("MisdatedWorkspaces up to the latest gave %v, %v", got, err)
			}
			if got, err := v.NewestChange(at(9999)); err != nil || got.Before(at(14)) {
				t.Errorf("NewestChange gave %v, %v", got, err)
			}
			if got, err := v.NewestChange(at(13)); err != nil || got.After(at(13)) {
				t.Errorf("NewestChange until 13 gave %v, %v", got, err)
			}
			if got, err := numbers.SelectFreeNumbers(v, at(34), at(34)); err != nil || len(got) != 2 {
				t.Errorf("FreeNumbers by leases that are too long gave %v, %v, want both", got, err)
			}
			if got, err := numbers.SelectFreeNumbers(v, at(34), at(99)); err != nil || len(got) != 0 {
				t.Errorf("FreeNumbers before the lease's end gave %v, %v", got, err)
			}
			if got, err := numbers.SelectFreeNumbers(v, at(35), at(99)); err != nil || len(got) != 2 {
				t.Errorf("FreeNumbers gave %v, %v, want both", got, err)
			}
			if got, err := numbers.SelectCalledNumbers(v, "a"); err != nil || !slices.Equal(got, []numbers.CalledNumber{{Workspace: a.ws, NumberID: a.number.ID}}) {
				t.Errorf("CalledNumbers gave %v, %v", got, err)
			}
			return nil
		})
	})
}
