package demo_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/customers"
	"parley/internal/demo"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/identity"
	"parley/internal/store/storetest"
	"parley/internal/vault"
)

var now = time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)

// shopOf returns the shop of a workspace, with an inbox for the web.
func shopOf(t *testing.T, company, owner string) (http.Handler, access.Founding, *desk.Desk) {
	t.Helper()
	o := storetest.MigratedSQLite(t)
	secrets, err := vault.FromFile(filepath.Join(t.TempDir(), "master.key"))
	if err != nil {
		t.Fatal(err)
	}
	clock := func() time.Time { return now }
	d := desk.New(desk.Options{Store: storetest.Open(t, o), Vault: secrets, Clock: clock, IDs: parley.NewIDs(nil), Log: storetest.Quiet()})
	f, err := access.New(d).CreateWorkspace(t.Context(), company, owner)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.CreateInbox(t.Context(), desk.Caller{Workspace: f.Workspace.ID}, desk.NewInbox{Name: "Web", Channel: parley.ChannelWeb}); err != nil {
		t.Fatal(err)
	}
	h, err := demo.Shop(demo.ShopOptions{Desk: d, Sign: customers.New(customers.Options{Desk: d}).SignIdentity, Clock: clock, Log: storetest.Quiet()})
	if err != nil {
		t.Fatal(err)
	}
	return httpjson.Envelope{Log: storetest.Quiet(), IDs: parley.NewIDs(nil), Timeout: time.Second}.Wrap(h), f, d
}

func get(h http.Handler, path string) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, path, nil))
	return rec
}

var (
	named = regexp.MustCompile(`<meta name="parley-identity" content="([^"]+)">`)
	tag   = regexp.MustCompile(`<script src="/widget.js" data-inbox="([^"]+)" async>`)
)

func TestShopNamesItsCustomer(t *testing.T) {
	h, f, d := shopOf(t, demo.Company, demo.Owner)
	for _, tc := range []struct{ path, subject, name string }{
		{"/shop", "shop-1041", "Mara Okafor"}, {"/shop?as=mara", "shop-1041", "Mara Okafor"}, {"/shop?as=jonas", "shop-1042", "Jonas Weber"},
	} {
		rec := get(h, tc.path)
		found := named.FindStringSubmatch(rec.Body.String())
		inbox := tag.FindStringSubmatch(rec.Body.String())
		if rec.Code != http.StatusOK || found == nil || inbox == nil || !strings.Contains(rec.Body.String(), tc.name) {
			t.Fatalf("%s: %d\n%s", tc.path, rec.Code, rec.Body)
		}
		id, _ := parley.ParseID(inbox[1])
		claims, err := customers.New(customers.Options{Desk: d}).VerifyIdentity(context.Background(), f.Workspace.ID, found[1], customers.IdentityAttempt{InboxID: id})
		if err != nil || claims.Subject != tc.subject || claims.Organization.Value.Name != "Linden Garden Supply" {
			t.Errorf("%s: %+v, %v", tc.path, claims, err)
		}
		if claims.ExpiresAt != now.Add(time.Hour) {
			t.Errorf("%s: it holds until %s", tc.path, claims.ExpiresAt)
		}
		if got := rec.Header().Get("Cache-Control"); got != "no-store" {
			t.Errorf("%s: a page with an identity may be stored: %q", tc.path, got)
		}
	}
}

func TestShopWithoutACustomer(t *testing.T) {
	h, _, _ := shopOf(t, demo.Company, demo.Owner)
	for _, path := range []string{"/shop?as=visitor", "/shop?as=%3Cscript%3E"} {
		rec := get(h, path)
		if rec.Code != http.StatusOK || named.MatchString(rec.Body.String()) || strings.Contains(rec.Body.String(), "<script>") {
			t.Errorf("%s: %d\n%s", path, rec.Code, rec.Body)
		}
	}
}

// A workspace that is not the demo's has customers of its own; nobody may be
// handed an identity of theirs.
func TestShopIsOfTheDemoAlone(t *testing.T) {
	for company, owner := range map[string]string{"My company": demo.Owner, demo.Company: "owner@parley.example"} {
		h, _, _ := shopOf(t, company, owner)
		if rec := get(h, "/shop"); rec.Code != http.StatusNotFound || strings.Contains(rec.Body.String(), "eyJ") {
			t.Errorf("%s of %s: %d %s", company, owner, rec.Code, rec.Body)
		}
	}
}

func TestShopRefusesToPassOnWhatItCannotSign(t *testing.T) {
	_, _, d := shopOf(t, demo.Company, demo.Owner)
	failing := func(context.Context, parley.WorkspaceID, identity.Claims) (string, error) {
		return "", parley.Errorf(parley.Conflict, "no key")
	}
	h, err := demo.Shop(demo.ShopOptions{Desk: d, Sign: failing, Clock: time.Now, Log: storetest.Quiet()})
	if err != nil {
		t.Fatal(err)
	}
	if rec := get(h, "/shop"); rec.Code != http.StatusConflict {
		t.Errorf("got %d %s", rec.Code, rec.Body)
	}
}

func TestFilesOfTheShop(t *testing.T) {
	h, _, _ := shopOf(t, demo.Company, demo.Owner)
	for path, want := range map[string]int{
		"/shop/shop.css": http.StatusOK, "/shop/shop.js": http.StatusOK, "/shop/icon.svg": http.StatusOK,
		"/shop/shop.html": http.StatusNotFound, "/shop/": http.StatusNotFound,
	} {
		if rec := get(h, path); rec.Code != want {
			t.Errorf("%s: %d, want %d", path, rec.Code, want)
		}
	}
}
