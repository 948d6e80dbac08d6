package access_test

import (
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk/desktest"
	"parley/internal/store"
)

// TestProviderConfirms counts a session by the provider as confirmed since the person showed
// who they are, not since a browser came that the provider knew.
func TestProviderConfirms(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		h := joining(t, w)
		confirmed := func(in access.SignedIn) time.Time {
			how, err := access.Confirmations{Service: w.Access}.Read(&in.Session).Now(t.Context())
			w.Must(err)
			if how.Until.IsZero() {
				return how.Until
			}
			return how.Until.Add(-access.ConfirmedFor)
		}
		second := func(at time.Time) time.Time { return at.Truncate(time.Second) }
		arrive := func(authTime any) access.Entry {
			in, err := h.arrive(ann(map[string]any{"auth_time": authTime}))
			w.Must(err)
			return in
		}
		for _, unknown := range []any{nil, "1", 0, -1, w.Now().Add(-access.ConfirmedFor).Unix()} {
			if at := confirmed(arrive(unknown).SignedIn); !at.IsZero() {
				t.Errorf("auth_time %v confirms since %s", unknown, at)
			}
		}
		if at, want := confirmed(arrive(w.Now().Add(-time.Minute).Unix()).SignedIn), second(w.Now().Add(-time.Minute)); !at.Equal(want) {
			t.Errorf("it is confirmed since %s, want %s", at, want)
		}
		if at := confirmed(arrive(w.Now().Add(time.Hour).Unix()).SignedIn); at.IsZero() || at.After(w.Now()) {
			t.Errorf("a time of the future confirms since %s", at)
		}

		w.Must(w.Store.Write(t.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error {
			return store.Exec(tx, w.Home.Workspace.ID, "UPDATE workspaces SET require_second_factor = TRUE WHERE workspace_id = $1")
		}))
		var p phone
		setUp := func(authTime any) access.SignedIn {
			in := arrive(authTime)
			made, err := w.Access.SecondFactors().BeginRequired(t.Context(), in.Half)
			w.Must(err)
			p = phone{w: w, secret: secretOf(w, made)}
			done, err := w.Access.SecondFactors().SetRequired(t.Context(), in.Half, nowhere, access.FactorChange{SetUp: made.SetUp, Code: p.code()})
			w.Must(err)
			return done.Entry.SignedIn
		}
		silent := setUp(nil)
		if at := confirmed(silent); !at.IsZero() {
			t.Errorf("whoever sets up a second factor is confirmed since %s", at)
		}
		w.Advance(time.Minute)
		coded, err := w.Access.SignInByCode(t.Context(), access.SecondStep{Half: arrive(nil).Half, Code: p.code()})
		w.Must(err)
		if at := confirmed(coded.SignedIn); at.IsZero() {
			t.Error("a code confirms nothing")
		}
		_, err = w.Access.SecondFactors().Reset(t.Context(), w.By(), silent.Member.ID)
		w.Must(err)
		asked := w.Now().Add(-time.Minute)
		if at, want := confirmed(setUp(asked.Unix())), second(asked); !at.Equal(want) {
			t.Errorf("with a second step it is confirmed since %s, want %s", at, want)
		}
	})
}

// TestConfirmWithProvider asks a provider to ask the person, and refuses one that did not.
func TestConfirmWithProvider(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		h := joining(t, w)
		confirm := func(claims map[string]any) error {
			h.issuer.Claims = ann(claims)
			begun, err := h.Begin(t.Context(), w.Home.Workspace.ID, "", true)
			w.Must(err)
			_, err = h.Finish(t.Context(), h.answer(begun))
			return err
		}
		w.Must(confirm(nil))
		w.Must(confirm(map[string]any{"auth_time": w.Now().Add(-59 * time.Second).Unix()}))
		const silent = "the provider did not ask you to sign in again; sign out there, and start again"
		for _, authTime := range []any{nil, "x", w.Now().Add(-2 * time.Minute).Unix()} {
			w.Refused(confirm(map[string]any{"auth_time": authTime}), parley.Unauthenticated, silent)
		}
	})
}
