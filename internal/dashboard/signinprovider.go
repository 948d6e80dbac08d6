package dashboard

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parley"
	"parley/internal/access"
	"parley/internal/access/admission"
	"parley/internal/access/openid"
	"parley/internal/access/provider"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

// Limits of what a provider and a browser that comes from it send, in characters.
const (
	maxProviderText = 4000
	maxLogoutToken  = 64 << 10
	maxNext         = 500
	maxDomain       = 255
)

// The pages to which a browser goes after it was at the provider.
const (
	signInPage  = "/signin"
	accountPage = "/settings/profile"
)

// providerCallback is where the provider of a workspace, whose id follows, leads browsers.
const providerCallback = base + "session/provider/callback/"

func signInProviderRoutes() []Route {
	const own, settings = base + "provider-account", base + "sign-in-provider"
	return []Route{
		{"findSignInProvider", methodGet, base + "session/provider", "", true, findSignInProvider},
		{"beginProviderSignIn", methodPost, base + "session/provider", "", true, beginProviderSignIn},
		{"finishProviderSignIn", methodGet, providerCallback + "{id}", "", true, finishProviderSignIn},
		{"logOutByProvider", methodPost, settings + "/{id}/logout", "", true, logOutByProvider},
		{"getProviderAccount", methodGet, own, parley.Agent, false, getProviderAccount},
		{"connectProviderAccount", methodPost, own, parley.Agent, false, connectProviderAccount},
		{"disconnectMember", methodDelete, base + "members/{id}/provider-account", parley.Admin, false, disconnectMember},
		{"getSignInProvider", methodGet, settings, parley.Owner, false, getSignInProvider},
		{"updateSignInProvider", methodPatch, settings, parley.Owner, false, updateSignInProvider},
		{"deleteSignInProvider", methodDelete, settings, parley.Owner, false, deleteSignInProvider},
	}
}

// newSignIns returns the verbs of providers, which send browsers back to this server.
func newSignIns(o Options) access.SignInProviders {
	redirect := ""
	if o.PublicURL != "" {
		redirect = o.PublicURL + providerCallback
	}
	return access.NewSignInProviders(o.Access, o.OpenID, redirect)
}

func findSignInProvider(d *Dashboard, c *call) (httpjson.Reply, error) {
	ws := parley.WorkspaceID(c.QueryID("workspaceId"))
	return get(c, func(o access.Offer) []byte { return wire.AppendOfferedProvider(nil, o.Workspace, o.Issuer) }, d.signIns.Offered(ws))
}

// begun renders where a browser goes, and sets the cookie of its attempt.
func (c *call) begun(b access.Begun) httpjson.Reply {
	httpjson.SetAttempt(c.Writer.Header(), string(b.Attempt), openid.AttemptLife)
	return httpjson.OK(wire.AppendProviderAddress(nil, b.Address))
}

// page is a page of the dashboard. A browser must not read another server's address in it.
func page(raw json.RawMessage) (string, error) {
	text, err := httpjson.Text(maxNext)(raw)
	if err != nil {
		return "", err
	}
	_, err = url.Parse(text)
	foreign := strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' })
	if err != nil || foreign || !strings.HasPrefix(text, "/") || strings.HasPrefix(text, "//") {
		return "", errors.New("be a page of this server, such as /conversations")
	}
	return text, nil
}

func beginProviderSignIn(d *Dashboard, c *call) (httpjson.Reply, error) {
	c.ReadBody()
	ws := parley.WorkspaceID(httpjson.Required(c.Reader, "workspaceId", httpjson.ID))
	next := httpjson.Default(c.Reader, "next", page, "")
	confirm := httpjson.Default(c.Reader, "confirm", httpjson.Bool, false)
	return do(c, c.begun, func(ctx context.Context, _ desk.Caller) (access.Begun, error) {
		return d.signIns.Begin(ctx, ws, next, confirm)
	})
}

// arrived is somebody who comes back from the provider, or why they do not get in.
type arrived struct {
	access.Arrival

	refused access.Refusal
}

func finishProviderSignIn(d *Dashboard, c *call) (httpjson.Reply, error) {
	in := access.Return{
		Workspace: parley.WorkspaceID(c.PathID("id")), Attempt: access.Attempt(httpjson.Attempt(c.Request())),
		Answer: openid.Answer{
			State: c.QueryText("state", maxProviderText, true), Code: c.QueryText("code", maxProviderText, true),
			Issuer: c.QueryText("iss", maxProviderText, true), Error: c.QueryText("error", maxProviderText, true),
		},
		UserAgent: c.Request().UserAgent(), Address: c.address,
	}
	return do(c, c.arrived, func(ctx context.Context, _ desk.Caller) (a arrived, err error) {
		if in.In, err = signedIn(d, c); err != nil {
			return a, err
		}
		a.Arrival, err = d.signIns.Finish(ctx, in)
		if refused := (*access.ProviderRefusal)(nil); errors.As(err, &refused) {
			a.refused, err = refused.Why, nil
		}
		return a, err
	})
}

// signedIn returns whose session the browser has on an open route; nil for none.
func signedIn(d *Dashboard, c *call) (*access.SignedIn, error) {
	token := httpjson.SessionToken(c.Request())
	if token == "" {
		return nil, nil
	}
	in, err := d.access.AuthenticateSession(c.Context(), token)
	if parley.KindOf(err) == parley.Unauthenticated {
		return nil, nil
	}
	return &in, err
}

// arrived leads a browser to the page that says what became of its sign-in. The cookies of
// known browsers are as they were: a browser that another site leads here does not send them.
func (c *call) arrived(a arrived) httpjson.Reply {
	h, query := c.Writer.Header(), url.Values{}
	if a.refused != access.Refusal(openid.BadAnswer) { // which anybody can cause, and leaves the attempt
		httpjson.ClearAttempt(h)
	}
	to := signInPage
	switch {
	case a.refused != "":
		query.Set("refused", string(a.refused))
		if a.Connecting {
			to = accountPage
		}
	case a.Connecting:
		return httpjson.SeeOther(accountPage)
	case a.Step != "":
		httpjson.SetHalf(h, string(a.Half), access.HalfLife)
		query.Set("step", string(a.Step))
	default:
		httpjson.SetSession(h, a.Token)
		httpjson.ClearHalf(h)
		if a.Next == "" {
			a.Next = "/"
		}
		return httpjson.SeeOther(a.Next)
	}
	if a.Next != "" {
		query.Set("next", a.Next)
	}
	return httpjson.SeeOther(to + "?" + query.Encode())
}

func logOutByProvider(d *Dashboard, c *call) (httpjson.Reply, error) {
	ws := parley.WorkspaceID(c.PathID("id"))
	token := c.Form("logout_token", maxLogoutToken)
	client := entry.Client{Address: c.address, UserAgent: c.Request().UserAgent()}
	return do(c, func(struct{}) httpjson.Reply { return httpjson.OK([]byte("{}")) }, func(ctx context.Context, _ desk.Caller) (struct{}, error) {
		return struct{}{}, d.signIns.Logout(ctx, ws, token, client)
	})
}

func getProviderAccount(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, func(own access.OwnPerson) []byte {
		return wire.AppendProviderAccount(nil, own.Issuer, own.Since)
	}, d.signIns.Own(c.ws(), c.in.Member.ID))
}

func connectProviderAccount(d *Dashboard, c *call) (httpjson.Reply, error) {
	password := c.readOwnPassword()
	return do(c, c.begun, func(ctx context.Context, by desk.Caller) (access.Begun, error) {
		return d.signIns.BeginBinding(ctx, by, password)
	})
}

func disconnectMember(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := parley.UserID(c.PathText("id"))
	return do(c, memberReply, func(ctx context.Context, by desk.Caller) (parley.Member, error) { return d.signIns.Unbind(ctx, by, id) })
}

// appendSignIns renders a workspace's provider, with the address of its logouts here.
func appendSignIns(ws parley.WorkspaceID) func(access.ProviderState) []byte {
	return func(state access.ProviderState) []byte {
		var persons []wire.ProviderPerson
		for _, i := range state.Identities {
			persons = append(persons, wire.ProviderPerson{Member: i.Member, Issuer: i.Issuer, Since: i.Since})
		}
		logout := ""
		if state.Redirect != "" {
			logout = strings.TrimSuffix(state.Redirect, providerCallback+ws.String()) + base + "sign-in-provider/" + ws.String() + "/logout"
		}
		return wire.AppendSignInProvider(nil, shownProvider(&state.Settings), state.Redirect, logout, persons)
	}
}

func shownProvider(s *provider.Settings) *wire.SignInProvider {
	if s.Issuer == "" {
		return nil
	}
	var groups []wire.GroupRole
	for _, name := range slices.Sorted(maps.Keys(s.Policy.Groups)) {
		groups = append(groups, wire.GroupRole{Name: name, Role: s.Policy.Groups[name]})
	}
	return &wire.SignInProvider{
		Issuer: s.Issuer, ClientID: s.ClientID, GroupsClaim: s.GroupsClaim, Groups: groups, JoinRole: s.Policy.JoinRole, JoinDomains: s.Policy.Domains,
		Required: s.Required, TrustsFactor: s.TrustsFactor, Exempt: s.Exempt, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt,
	}
}

func getSignInProvider(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, appendSignIns(c.ws()), d.signIns.Settings(c.ws()))
}

// groupRole is the rule for the role of a group.
func groupRole(raw json.RawMessage) (g wire.GroupRole, err error) {
	var given map[string]string
	if _, wrong := httpjson.Attributes(raw); wrong != nil || json.Unmarshal(raw, &given) != nil || len(given) != 2 || given["name"] == "" {
		return g, errors.New("be an object of name and role")
	}
	g = wire.GroupRole{Name: given["name"], Role: parley.Role(given["role"])}
	if !slices.Contains(parley.Roles, g.Role) {
		return g, errors.New("have the role admin or agent")
	}
	return g, nil
}

// readGroups reads the roles of groups.
func (c *call) readGroups() (groups parley.Optional[map[string]parley.Role]) {
	list := httpjson.Change(c.Reader, "groups", httpjson.ListOf(0, admission.MaxGroups, groupRole))
	if !list.Set {
		return groups
	}
	roles := map[string]parley.Role{}
	for _, g := range list.Value {
		if _, twice := roles[g.Name]; twice {
			c.Refuse("groups", "have each group once")
		}
		roles[g.Name] = g.Role
	}
	return parley.Some(roles)
}

func updateSignInProvider(d *Dashboard, c *call) (httpjson.Reply, error) {
	c.ReadBody()
	in := access.ProviderChange{
		Issuer:       httpjson.Change(c.Reader, "issuer", httpjson.Filled(provider.MaxIssuer)),
		ClientID:     httpjson.Change(c.Reader, "clientId", httpjson.Filled(provider.MaxClient)),
		ClientSecret: httpjson.Change(c.Reader, "clientSecret", httpjson.Filled(provider.MaxSecret)),
		GroupsClaim:  httpjson.Change(c.Reader, "groupsClaim", httpjson.Text(provider.MaxClaim)),
		Groups:       c.readGroups(),
		JoinRole:     httpjson.ChangeOrNull(c.Reader, "joinRole", httpjson.OneOf(parley.Roles)),
		JoinDomains:  httpjson.Change(c.Reader, "joinDomains", httpjson.ListOf(0, admission.MaxDomains, httpjson.Filled(maxDomain))),
		Required:     httpjson.Change(c.Reader, "required", httpjson.Bool),
		TrustsFactor: httpjson.Change(c.Reader, "trustsFactor", httpjson.Bool),
		Exempt:       httpjson.Change(c.Reader, "exempt", httpjson.ListOf(0, provider.MaxExempt, httpjson.User)),
	}
	return do(c, signInsReply(c.ws()), func(ctx context.Context, by desk.Caller) (access.ProviderState, error) {
		return d.signIns.Save(ctx, by, in)
	})
}

func signInsReply(ws parley.WorkspaceID) func(access.ProviderState) httpjson.Reply {
	return func(state access.ProviderState) httpjson.Reply {
		return httpjson.Reply{Status: http.StatusOK, Body: appendSignIns(ws)(state)}
	}
}

func deleteSignInProvider(d *Dashboard, c *call) (httpjson.Reply, error) {
	return do(c, signInsReply(c.ws()), func(ctx context.Context, by desk.Caller) (access.ProviderState, error) {
		return d.signIns.Delete(ctx, by)
	})
}
