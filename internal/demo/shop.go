package demo

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"html/template"
	"log/slog"
	"net/http"
	"path"
	"time"

	"parley"
	"parley/internal/assets"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/identity"
)

//go:embed shop
var shopFiles embed.FS

// shopPolicy is the policy of a strict shop: it allows the widget only the
// script of the tag and the frame.
const shopPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; frame-src 'self'; img-src 'self'; " +
	"form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// shopTime is how long the identity on a page of the shop is valid.
const shopTime = time.Hour

// ShopOptions configure Shop.
type ShopOptions struct {
	Desk *desk.Desk
	// Sign signs an identity with a secret of the workspace.
	Sign  func(context.Context, parley.WorkspaceID, identity.Claims) (string, error)
	Clock parley.Clock
	Log   *slog.Logger
}

// shoppers are people who are not in the demo's data, of an organization that
// is not either: their first visit creates both.
func shoppers() map[string]identity.Claims {
	all := map[string]identity.Claims{
		"mara":  {Subject: "shop-1041", Name: "Mara Okafor", Email: "mara.okafor@lindengarden.example"},
		"jonas": {Subject: "shop-1042", Name: "Jonas Weber", Email: "jonas.weber@lindengarden.example"},
	}
	for key, c := range all {
		c.EmailVerified, c.Attributes = true, `{"plan":"business","orders":14}`
		c.Organization = parley.Some(identity.Organization{ID: "org-20417", Name: "Linden Garden Supply", Website: "https://lindengarden.example"})
		all[key] = c
	}
	return all
}

// Shop returns the handler for the demo shop: a page of a company that embeds
// the chat widget. /shop is that page for a signed-in customer, /shop?as=jonas
// for another one of the same organization, /shop?as=visitor for a visitor;
// /shop/… are its files. It exists only with the demo's workspace, because its
// pages give identities to anyone.
func Shop(o ShopOptions) (http.Handler, error) {
	page, err := template.ParseFS(shopFiles, "shop/shop.html")
	if err != nil {
		return nil, fmt.Errorf("read the shop's page: %w", err)
	}
	routes := []httpjson.Route{{Method: http.MethodGet, Path: "/shop", Handler: &shop{ShopOptions: o, page: page}}}
	for _, name := range []string{"shop.css", "shop.js", "icon.svg"} {
		text, err := shopFiles.ReadFile(path.Join("shop", name))
		if err != nil {
			return nil, fmt.Errorf("read the shop's files: %w", err)
		}
		routes = append(routes, httpjson.Route{
			Method: http.MethodGet, Path: "/shop/" + name, Handler: http.HandlerFunc(assets.New(name, text).Serve),
		})
	}
	return httpjson.PageHeaders(httpjson.NewMux(routes)), nil
}

type shop struct {
	ShopOptions
	page *template.Template
}

// shopPage is the data of the page.
type shopPage struct {
	Company, Inbox     string
	Name, Organization string // of the signed-in customer; "" for a visitor
	Token              string // the signed identity; "" for a visitor
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	in := httpjson.NewReader(r)
	as, _ := in.Query("as")
	err := in.Err()
	var body []byte
	if err == nil {
		body, err = s.render(r.Context(), as)
	}
	if err != nil {
		httpjson.WriteError(w, r, s.Log, err)
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", shopPolicy)
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store") // it holds an identity
	_, _ = w.Write(body)               // a caller who has left needs no page
}

func (s *shop) render(ctx context.Context, as string) ([]byte, error) {
	ws, inbox, err := s.workspace(ctx)
	if err != nil {
		return nil, err
	}
	if as == "" {
		as = "mara"
	}
	in := shopPage{Company: Company, Inbox: inbox.ID.String()}
	if who, found := shoppers()[as]; found {
		in.Name, in.Organization = who.Name, who.Organization.Value.Name
		who.ExpiresAt = s.Clock.Now().Add(shopTime)
		if in.Token, err = s.Sign(ctx, ws, who); err != nil {
			return nil, err
		}
	}
	var b bytes.Buffer
	err = s.page.Execute(&b, in)
	return b.Bytes(), err
}

// workspace returns the workspace of the demo and its web inbox.
func (s *shop) workspace(ctx context.Context) (ws parley.WorkspaceID, inbox parley.Inbox, err error) {
	if ws, err = demoWorkspace(ctx, s.Desk); err != nil {
		return ws, inbox, err
	}
	inboxes, err := s.Desk.Inboxes(ws, parley.Position{}, 50).Now(ctx)
	for _, inbox := range inboxes.Items {
		if inbox.Channel == parley.ChannelWeb {
			return ws, inbox, nil
		}
	}
	if err == nil {
		err = parley.NotFoundf("the demo's workspace has no web inbox")
	}
	return ws, inbox, err
}
