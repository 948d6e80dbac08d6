package dashboard_test

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"parley"
	"parley/internal/access"
	"parley/internal/access/openid"
	"parley/internal/access/openid/openidtest"
	"parley/internal/apitest"
	"parley/internal/outward"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestNoSecretAtRest searches everything stored for passwords and tokens.
func TestNoSecretAtRest(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, o)
		m, session := w.member(parley.Agent)
		made, token := w.link("cy@home.example", parley.Agent)
		changed := w.Send(w.request("PUT", apitest.NewSample("/v1/dashboard/password", `{"current":"{password}","next":"`+newPassword+`"}`, 200), session)).Want(200)
		kept := dump(t, o)
		for _, known := range []string{m.Email, made.Text("email")} { // the control: the search finds what is there
			if !strings.Contains(kept, known) {
				t.Errorf("the search does not even find %q", known)
			}
		}
		for _, secret := range []string{
			w.Home.OwnerPassword, w.passwords[m.ID], newPassword, string(w.Owner), string(session), string(changed.Cookie()), token,
		} {
			if strings.Contains(kept, secret) || strings.Contains(kept, secret[3:]) {
				t.Errorf("the store holds the secret %q", secret)
			}
		}
	})
}

// dump returns the whole store as text.
func dump(t *testing.T, o store.Options) string {
	t.Helper()
	var all strings.Builder
	if o.Database == "" {
		files, err := filepath.Glob(filepath.Join(o.Dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
		return all.String()
	}
	conn, err := pgx.Connect(t.Context(), o.Database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }() // it was only read
	column := func(sql string) []string {
		rows, err := conn.Query(t.Context(), sql)
		if err != nil {
			t.Fatal(err)
		}
		texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		return texts
	}
	for _, table := range column("SELECT table_name::text FROM information_schema.tables WHERE table_schema = current_schema()") {
		for _, row := range column("SELECT row_to_json(t)::text FROM " + pgx.Identifier{table}.Sanitize() + " t") {
			all.WriteString(row)
		}
	}
	return all.String()
}

// TestNoProviderSecretAtRest searches everything stored for what signs members in with a
// provider, after one did.
func TestNoProviderSecretAtRest(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, o)
		issuer := openidtest.New(t, w.Now)
		members := access.NewSignInProviders(w.Access, openid.NewNetwork(outward.NewDialer(issuer.Options()), w.Now), "https://parley.example/back")
		_, err := members.Save(t.Context(), w.By(), access.ProviderChange{
			Issuer: parley.Some(issuer.URL), ClientID: parley.Some(openidtest.ClientID), ClientSecret: parley.Some(openidtest.ClientSecret),
			JoinRole: parley.Some(parley.Agent), JoinDomains: parley.Some([]string{"home.example"}),
		})
		if err != nil {
			t.Fatal(err)
		}
		begun, err := members.Begin(t.Context(), w.Home.Workspace.ID, "", false)
		if err != nil {
			t.Fatal(err)
		}
		issuer.Claims = map[string]any{"sub": "person-of-the-test", "email": "cy@home.example", "email_verified": true, "sid": "session-of-the-test"}
		back := issuer.Authorize(t, begun.Address)
		entry, err := members.Finish(t.Context(), access.Return{
			Workspace: w.Home.Workspace.ID,
			Attempt:   begun.Attempt, Answer: openid.Answer{State: back.Get("state"), Code: back.Get("code"), Issuer: back.Get("iss")},
		})
		if err != nil {
			t.Fatal(err)
		}
		kept := dump(t, o)
		for _, known := range []string{issuer.URL, "person-of-the-test", "cy@home.example"} { // the control
			if !strings.Contains(kept, known) {
				t.Errorf("the search does not even find %q", known)
			}
		}
		hidden := string(begun.Attempt)
		for _, secret := range []string{
			openidtest.ClientSecret, openidtest.AccessToken, back.Get("state"), back.Get("code"), "session-of-the-test", string(entry.Token), hidden[len(hidden)-40:],
		} {
			for _, form := range []string{secret, hex.EncodeToString([]byte(secret))} {
				if strings.Contains(kept, form) {
					t.Errorf("the store holds the secret %q", secret)
				}
			}
		}
	})
}
