package access_test

import (
	"strings"
	"testing"

	"parley"
	"parley/internal/access"
	"parley/internal/access/openid"
	"parley/internal/access/openid/openidtest"
	"parley/internal/access/provider"
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
