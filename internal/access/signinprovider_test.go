package access_test

import (
	"strings"
	"testing"

	"parley"
	"parley/internal/access"
	"parley/internal/access/factor"
	"parley/internal/access/openid"
	"parley/internal/access/openid/openidtest"
	"parley/internal/access/provider"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/outward"
	"parley/internal/store"
)

// back is the address to which providers lead browsers, before the workspace.
const back = "https://parley.example/back/"

// A house is a world with a provider.
type house struct {
	*desktest.World
	issuer *openidtest.Issuer
	access.SignInProviders
}

func newHouse(t *testing.T, w *desktest.World) *house {
	t.Helper()
	i := openidtest.New(t, w.Now)
	return &house{w, i, access.NewSignInProviders(w.Access, openid.NewNetwork(outward.NewDialer(i.Options()), w.Now), back)}
}

// whole is a change that sets up the provider.
func (h *house) whole() access.ProviderChange {
	return access.ProviderChange{
		Issuer: parley.Some(h.issuer.URL), ClientID: parley.Some(openidtest.ClientID),
		ClientSecret: parley.Some(openidtest.ClientSecret),
	}
}

func (h *house) save(in access.ProviderChange) {
	h.T.Helper()
	_, err := h.Save(h.T.Context(), h.By(), in)
	h.Must(err)
}

// recorded returns the changes in the entries of an action, in the order of time.
func (h *house) recorded(action entry.Action) (all []string) {
	h.T.Helper()
	h.Must(h.Store.View(h.T.Context(), func(v *store.View) (err error) {
		all, err = store.Many(v, h.Home.Workspace.ID, store.Only[string],
			"SELECT subject_id || ' ' || changes FROM audit WHERE workspace_id = $1 AND action = $2 ORDER BY entry_id", string(action))
		return err
	}))
	return all
}

// TestProviderIsAudited leaves an entry with the values that say who gets in, for each change
// of them, for sessions that end, and for what is used twice.
func TestProviderIsAudited(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		h := joining(t, w)
		last := func(action entry.Action, parts ...string) {
			t.Helper()
			all := h.recorded(action)
			if len(all) == 0 {
				t.Fatalf("no entry of %s", action)
			}
			for _, part := range parts {
				if !strings.Contains(all[len(all)-1], part) {
					t.Errorf("the entries of %s end with %s, without %s", action, all[len(all)-1], part)
				}
			}
		}
		last(entry.OpenIDUpdated, h.issuer.URL, `"parley"`)
		if all := h.recorded(entry.OpenIDUpdated); strings.Contains(strings.Join(all, ""), openidtest.ClientSecret) {
			t.Errorf("the secret is in the audit log: %s", all)
		}
		second, _, err := w.Access.CreateMember(t.Context(), w.By(), access.NewMember{Email: newcomer(), Name: "Bo", Role: parley.Owner})
		w.Must(err)
		h.save(access.ProviderChange{Exempt: parley.Some([]parley.UserID{w.Home.Owner.ID, second.ID})})
		last(entry.OpenIDUpdated, "exempt", string(w.Home.Owner.ID)+", "+string(second.ID))
		_, err = w.Access.RemoveMember(t.Context(), w.By(), second.ID)
		w.Must(err)
		n := len(h.recorded(entry.OpenIDUpdated))
		last(entry.OpenIDUpdated, "exempt", string(w.Home.Owner.ID)+", "+string(second.ID), `"`+string(w.Home.Owner.ID)+`"`)

		in, err := h.arrive(ann(nil))
		w.Must(err)
		h.save(access.ProviderChange{GroupsClaim: parley.Some("groups"), Groups: parley.Some(map[string]parley.Role{"leads": parley.Agent})})
		for range 2 { // the second time nothing ends
			_, err = h.arrive(ann(nil))
			w.Refused(err, parley.Forbidden, "you are in none of the provider's groups that may sign in here; ask an admin")
		}
		if all := h.recorded(entry.SessionsEnded); len(all) != 1 || n+1 != len(h.recorded(entry.OpenIDUpdated)) {
			t.Errorf("the ended sessions of %s have the entries %s", in.SignedIn.Member.ID, all)
		}
		last(entry.SessionsEnded, string(in.SignedIn.Member.ID))

		begun, err := h.Begin(t.Context(), w.Home.Workspace.ID, "", false)
		w.Must(err)
		back, token := h.answer(begun), h.logoutToken("1", map[string]any{"sub": "ann"})
		w.Must(h.Logout(t.Context(), w.Home.Workspace.ID, token, nowhere))
		for range 2 {
			_, err = h.Finish(t.Context(), back)
		}
		w.Refused(err, parley.Unauthenticated, overAttempt)
		if err := h.Logout(t.Context(), w.Home.Workspace.ID, token, nowhere); parley.KindOf(err) != parley.Invalid {
			t.Errorf("a token twice gives %v", err)
		}
		w.Access.FlushRefusals(t.Context(), true)
		var twice int
		w.Must(w.Store.View(t.Context(), func(v *store.View) (err error) {
			twice, err = store.One(v, w.Home.Workspace.ID, "sum", store.Only[int],
				"SELECT CAST(COALESCE(SUM(amount), 0) AS bigint) FROM audit WHERE workspace_id = $1 AND action = 'session.refused' AND changes LIKE '%bad_provider_answer%'")
			return err
		}))
		if twice != 2 {
			t.Errorf("the audit log has %d uses of what was used before, want 2", twice)
		}
	})
}

// TestProviderNoLongerTrusted stops to trust the provider's second factor: the sessions that
// it opened end where the workspace's is demanded, and are asked for it.
func TestProviderNoLongerTrusted(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		h := joining(t, w)
		trust := func(trusts bool) { h.save(access.ProviderChange{TrustsFactor: parley.Some(trusts)}) }
		come := func(person string) access.Entry {
			entry, err := h.arrive(ann(map[string]any{"sub": person, "email": person + "@new.example"}))
			w.Must(err)
			return entry
		}
		trust(true)
		plain := come("bo")
		with, password, err := w.Access.CreateMember(t.Context(), w.By(), access.NewMember{Email: "ann@new.example", Name: "Ann", Role: parley.Agent})
		w.Must(err)
		setUp(w, desk.Caller{Workspace: w.Home.Workspace.ID, Member: with.ID}, password)
		ann := come("ann")
		trust(true)
		if !h.open(plain) || !h.open(ann) {
			t.Error("sessions end although nothing changed")
		}
		trust(false)
		if !h.open(plain) || h.open(ann) {
			t.Errorf("of a member without a second factor the session is open: %t; of one with it: %t", h.open(plain), h.open(ann))
		}
		if again := come("ann"); again.Step != access.StepCode {
			t.Errorf("the member with a second factor gets %+v", again)
		}
		trust(true)
		w.Must(w.Store.Write(t.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error {
			return factor.UpdateRequired(tx, w.Home.Workspace.ID, true)
		}))
		other := w.Found("Other")
		_, elsewhere, err := w.Access.StartSession(t.Context(), desktest.OwnerOf(other), other.Owner.ID, "")
		w.Must(err)
		trust(false)
		if h.open(plain) {
			t.Error("a session stays open although each member needs a second factor")
		}
		if again := come("bo"); again.Step != access.StepSetUp {
			t.Errorf("who needs a second factor gets %+v", again)
		}
		if _, err := w.Access.AuthenticateSession(t.Context(), elsewhere); err != nil {
			t.Errorf("a session of another workspace ended: %v", err)
		}
	})
}

// TestSaveProvider sets and changes a provider: each wrong setting is named, the secret is
// sealed, and only owners may.
func TestSaveProvider(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		h := newHouse(t, w)
		for _, role := range []parley.Role{parley.Admin, parley.Agent} {
			_, err := h.Save(t.Context(), member(w, role), h.whole())
			w.Refused(err, parley.Forbidden, "your role is "+string(role)+"; this needs owner")
			_, err = h.Delete(t.Context(), member(w, role))
			w.Refused(err, parley.Forbidden, "your role is "+string(role)+"; this needs owner")
		}
		_, err := h.Delete(t.Context(), w.By())
		w.Refused(err, parley.NotFound, "the workspace has no sign-in provider")
		h.save(h.whole())
		state, err := h.Settings(w.Home.Workspace.ID).Now(t.Context())
		w.Must(err)
		if s := state.Settings; s.Issuer != h.issuer.URL || s.Sealed != nil || s.CreatedAt.IsZero() || state.Redirect != back+w.Home.Workspace.ID.String() {
			t.Errorf("the settings are %+v", state)
		}
		var sealed provider.Settings
		w.Must(w.Store.View(t.Context(), func(v *store.View) (err error) {
			sealed, err = provider.SelectSettings(v, w.Home.Workspace.ID)
			return err
		}))
		if len(sealed.Sealed) == 0 || strings.Contains(string(sealed.Sealed), "client") {
			t.Errorf("the secret is stored as %q", sealed.Sealed)
		}
		agent := member(w, parley.Agent).Member
		for field, in := range map[string]access.ProviderChange{
			"issuer":       {Issuer: parley.Some("http://id.example")},
			"clientSecret": {ClientSecret: parley.Some("a\tb")},
			"clientId":     {ClientID: parley.Some("")},
			"groupsClaim":  {Groups: parley.Some(map[string]parley.Role{"a": parley.Agent})},
			"joinRole":     {JoinRole: parley.Some(parley.Owner), JoinDomains: parley.Some([]string{"home.example"})},
			"joinDomains":  {JoinRole: parley.Some(parley.Agent)},
			"exempt":       {Required: parley.Some(true)},
		} {
			_, err := h.Save(t.Context(), w.By(), in)
			if parley.KindOf(err) != parley.Invalid || !strings.HasPrefix(err.Error(), field+": must ") {
				t.Errorf("a wrong %s gives %v", field, err)
			}
		}
		_, err = h.Save(t.Context(), w.By(), access.ProviderChange{Exempt: parley.Some([]parley.UserID{agent})})
		w.Refused(err, parley.Invalid, "exempt: must have only owners who have a password")
		second := openidtest.New(t, w.Now)
		h.SignInProviders = access.NewSignInProviders(w.Access, openid.NewNetwork(outward.NewDialer(second.Options()), w.Now), back)
		_, err = h.Save(t.Context(), w.By(), access.ProviderChange{Issuer: parley.Some(second.URL)})
		w.Refused(err, parley.Invalid, "clientSecret: must be given with a new issuer")
		_, err = h.Delete(t.Context(), w.By())
		w.Must(err)
	})
}

// TestRequireProvider ends the sessions that passwords opened, and always leaves an owner a
// way in with a password.
func TestRequireProvider(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		h := newHouse(t, w)
		h.save(h.whole())
		second, agent := member(w, parley.Owner), member(w, parley.Agent)
		tokens := map[parley.UserID]parley.Token{}
		for _, by := range []desk.Caller{w.By(), second, agent} {
			_, token, err := w.Access.StartSession(t.Context(), by, by.Member, "")
			w.Must(err)
			tokens[by.Member] = token
		}
		required := access.ProviderChange{Required: parley.Some(true), Exempt: parley.Some([]parley.UserID{second.Member})}
		_, err := h.Save(t.Context(), w.By(), required)
		w.Refused(err, parley.Conflict, "connect your own account with the provider first, or exempt it")
		_, err = h.Save(t.Context(), second, required)
		w.Must(err)
		for id, token := range tokens {
			if _, err := w.Access.AuthenticateSession(t.Context(), token); (err == nil) != (id == second.Member) {
				t.Errorf("the session of %s gives %v", id, err)
			}
		}
		lower := access.MemberChange{Role: parley.Some(parley.Agent)}
		last := "the last owner who may sign in with a password stays; let another one do so first"
		_, err = w.Access.UpdateMember(t.Context(), second, second.Member, lower)
		w.Refused(err, parley.Conflict, last)
		_, err = w.Access.RemoveMember(t.Context(), w.By(), second.Member)
		w.Refused(err, parley.Conflict, last)
		_, err = h.Save(t.Context(), second, access.ProviderChange{Exempt: parley.Some([]parley.UserID{w.By().Member, second.Member})})
		w.Must(err)
		_, err = w.Access.RemoveMember(t.Context(), w.By(), second.Member)
		w.Must(err)
		state, err := h.Settings(w.Home.Workspace.ID).Now(t.Context())
		w.Must(err)
		if e := state.Settings.Exempt; len(e) != 1 || e[0] != w.By().Member {
			t.Errorf("the removed owner stays exempt: %v", e)
		}
	})
}
