package factor_test

import (
	"net/url"
	"regexp"
	"slices"
	"testing"
	"time"

	"parley"
	"parley/internal/access/factor"
)

// rfc is the secret of the test vectors of RFC 4226, appendix D, and RFC 6238,
// appendix B.
var rfc = factor.Secret("12345678901234567890")

func TestCodesOfTheRFCs(t *testing.T) {
	for step, want := range []string{"755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"} {
		if got := rfc.Code(int64(step)); got != want {
			t.Errorf("the code of step %d is %s, want %s", step, got, want)
		}
	}
	for at, want := range map[int64]string{59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130"} {
		if got := rfc.Code(factor.Step(time.Unix(at, 0))); got != want {
			t.Errorf("the code at %d is %s, want %s", at, got, want)
		}
	}
}

// TestMatch accepts the code of now, and one before and after, unless a later or
// the same one was used.
func TestMatch(t *testing.T) {
	at := time.Unix(1234567890, 0)
	now := factor.Step(at)
	for shift := int64(-3); shift <= 3; shift++ {
		step, ok := rfc.Match(rfc.Code(now+shift), at, 0)
		if want := shift >= -1 && shift <= 1; ok != want || ok && step != now+shift {
			t.Errorf("the code of %d steps away: %d, %v", shift, step-now, ok)
		}
		if _, ok := rfc.Match(rfc.Code(now+shift), at, now); ok != (shift == 1) {
			t.Errorf("after the code of now was used, that of %d steps away: %v", shift, ok)
		}
	}
	for _, odd := range []string{"", "5924", "0005924", "00592４", "abcdef"} {
		if _, ok := rfc.Match(odd, at, 0); ok {
			t.Errorf("%q is accepted", odd)
		}
	}
}

// TestAddress reads the address as an app does.
func TestAddress(t *testing.T) {
	got, err := url.Parse(rfc.Address("Parley Ümläut & Co: 7", "bo+x@acme.example"))
	if err != nil {
		t.Fatal(err)
	}
	query := got.Query()
	if got.Scheme != "otpauth" || got.Host != "totp" || got.Path != "/Parley Ümläut & Co  7:bo+x@acme.example" ||
		query.Get("secret") != "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" || query.Get("issuer") != "Parley Ümläut & Co  7" {
		t.Errorf("%s", got)
	}
}

func TestNewSecret(t *testing.T) {
	a, err := factor.NewSecret()
	b, _ := factor.NewSecret()
	if err != nil || len(a) != 20 || slices.Equal(a, b) {
		t.Errorf("%x, %x, %v", a, b, err)
	}
}

func TestRecoveryCodes(t *testing.T) {
	codes, err := factor.NewRecoveryCodes()
	if err != nil || len(codes) != factor.RecoveryCodes {
		t.Fatalf("%v, %v", codes, err)
	}
	form := regexp.MustCompile(`^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$`)
	seen := map[string]bool{}
	for _, code := range codes {
		if !form.MatchString(code) || seen[code] || !factor.IsRecovery(factor.Typed(code)) {
			t.Errorf("%q", code)
		}
		seen[code] = true
	}
	ws, other := parley.WorkspaceID{1}, parley.WorkspaceID{2}
	hash := factor.Hash(ws, "usr_a", "abcd-efgh-jkmn-pqrs")
	if factor.Hash(ws, "usr_a", " ABCDEFGH jkmnpqrs\n") != hash {
		t.Error("a code typed otherwise has another hash")
	}
	if factor.Hash(other, "usr_a", "abcd-efgh-jkmn-pqrs") == hash || factor.Hash(ws, "usr_b", "abcd-efgh-jkmn-pqrs") == hash {
		t.Error("another member's code has the same hash")
	}
	if factor.IsRecovery(factor.Typed("123 456")) || factor.Typed("123 456") != "123456" {
		t.Error("a code of the app is taken for a recovery code")
	}
}
