package publicapi_test

import (
	"encoding/json"
	"strings"
	"testing"

	"parley/internal/apitest"
	"parley/internal/contracttest"
)

// TestEmailPattern sends addresses and compares the answers with the document:
// exactly what its pattern matches is accepted.
func TestEmailPattern(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	var create *contracttest.Operation
	for _, o := range apitest.Gate().Operations() {
		if o.ID == "createContact" {
			create = o
		}
	}
	long := strings.Repeat("b.", 94) + "cd" // with a local part of 64, 255 characters
	addresses := map[string]bool{
		"": true, "ann@acme.example": true, "Ann.Example+tag@Sub.Acme.Example": true, "a@b": true, "o'brien!#$%&*/=?^_`{|}~-@b.example": true,
		".ann..b.@acme.example": true, "jörg@müller.example": true, "用户@例子.广告": true, "e\u0301@e\u0301.example": true, "a@xn--mller-kva.example": true, "😀@b.example": true,
		strings.Repeat("a", 64) + "@b.example": true, strings.Repeat("ä", 64) + "@b.example": true, strings.Repeat("a", 65) + "@b.example": false,
		"a@" + strings.Repeat("b", 63) + ".example": true, "a@" + strings.Repeat("ü", 63) + ".example": true, "a@" + strings.Repeat("b", 64) + ".example": false,
		strings.Repeat("a", 63) + "@" + long: true, strings.Repeat("a", 64) + "@" + long: false,
		"ann": false, "ann@": false, "@acme.example": false, "a@b@c": false, "a b@c.example": false, " a@b.example": false, "a@b.example ": false, "a@b.example\n": false,
		"Ann <ann@acme.example>": false, `"a b"@c.example`: false, "a@[192.0.2.1]": false, "a@b..example": false, "a@.b": false, "a@b.": false, "a@-b.example": false, "a@b-.example": false,
		"a@b_c.example": false, "a@b/c": false, "a,b@c.example": false, "a;b@c.example": false, `a\b@c.example`: false, "a\x7f@b.example": false, "a\x01@b.example": false,
	}
	for _, blank := range "\u00a0\u00ad\u061c\u1680\u180e\u2003\u200b\u200e\u2028\u202e\u2060\u3000\ufeff\ufffd" {
		addresses["a"+string(blank)+"@b.example"] = false
		addresses["a@b"+string(blank)+".example"] = false
	}
	for address, good := range addresses {
		quoted, err := json.Marshal(address)
		if err != nil {
			t.Fatal(err)
		}
		body := `{"email":` + string(quoted) + `}`
		if got := create.AllowsBody([]byte(body)); got != good {
			t.Errorf("%q: the document allows it: %t, want %t", address, got, good)
		}
		got := w.Post("/v1/public/contacts", body)
		if taken := got.Status < 300; taken != good {
			t.Errorf("%q is answered with %d %s", address, got.Status, got.Body)
		}
		if good && got.Text("email") != address {
			t.Errorf("%q is kept as %q", address, got.Text("email"))
		}
	}
}
