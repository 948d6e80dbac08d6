package main

import (
	"encoding/base32"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/internal/access/factor"
)

// TestMemberResetFactor takes the second factor of the only owner away.
func TestMemberResetFactor(t *testing.T) {
	each(t, func(t *testing.T, c *cli) {
		made := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
		password := made["ownerPassword"].(string)
		s := serve(t, c)
		ask := func(method, path, cookie string, body map[string]string) (map[string]any, string) {
			t.Helper()
			r, err := http.NewRequestWithContext(t.Context(), method, s.url+"/v1/dashboard/"+path, strings.NewReader(asJSON(t, body)))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Cookie", cookie)
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = answer.Body.Close() }()
			var got map[string]any
			if err := json.NewDecoder(answer.Body).Decode(&got); err != nil || answer.StatusCode >= 300 {
				t.Fatalf("%s gives %d, %v, %v", path, answer.StatusCode, got, err)
			}
			set, _, _ := strings.Cut(answer.Header.Get("Set-Cookie"), ";")
			return got, set
		}
		_, session := ask("POST", "session", "", map[string]string{"email": "ann@acme.example", "password": password})
		begun, _ := ask("POST", "second-factor", session, map[string]string{"current": password})
		secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(begun["secret"].(string))
		if err != nil {
			t.Fatal(err)
		}
		ask("PUT", "second-factor", session, map[string]string{"setUp": begun["setUp"].(string), "code": factor.Secret(secret).Code(factor.Step(time.Now()))})
		if got := s.signIn("ann@acme.example", password); got != 202 {
			t.Errorf("signing in with a second factor is answered %d", got)
		}
		c.command(t, "member", "reset-factor", "--workspace", made["id"].(string), "--id", made["ownerId"].(string))
		if got := s.signIn("ann@acme.example", password); got != 201 {
			t.Errorf("after the reset, signing in is answered %d", got)
		}
	})
}
