package parley_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
)

// TestSignedFieldNumbers compares the numbers with which contacts are stored.
func TestSignedFieldNumbers(t *testing.T) {
	want := map[parley.SignedFields]int64{parley.SignedName: 1, parley.SignedEmail: 2, parley.SignedPhone: 4, parley.SignedAvatar: 8}
	for field, number := range want {
		if int64(field) != number {
			t.Errorf("a signed field is stored as %d, want %d", field, number)
		}
	}
}

func FuzzParsePhone(f *testing.F) {
	for _, s := range []string{"+49 151-2345 678", "4915123456789", "0049151", "", "+", "１２３４５６７", "123456", "1234567890123456", "+1 (555) 000.0001"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		phone, ok := parley.ParsePhone(s)
		if !ok {
			if phone != "" {
				t.Errorf("a refused phone is %q", phone)
			}
			return
		}
		if len(phone) < 7 || len(phone) > 15 || phone[0] == '0' || strings.Trim(string(phone), "0123456789") != "" {
			t.Errorf("%q became %q", s, phone)
		}
		if again, ok := parley.ParsePhone(phone.Display()); !ok || again != phone {
			t.Errorf("%q does not read back: %q", phone.Display(), again)
		}
		if parley.PhoneKey(s) != string(phone) {
			t.Errorf("%q matches by %q, not by %q", s, parley.PhoneKey(s), phone)
		}
	})
}

func FuzzParseID(f *testing.F) {
	for _, s := range []string{"0193480f-2c4a-7d1e-8f00-3a5b9c2d1e4f", "0193480F-2C4A-7D1E-8F00-3A5B9C2D1E4F", "", "{0193480f-2c4a-7d1e-8f00-3a5b9c2d1e4f}", "0193480f2c4a7d1e8f003a5b9c2d1e4f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		id, ok := parley.ParseID(s)
		if ok && id.String() != strings.ToLower(s) {
			t.Errorf("%q became %s", s, id)
		}
		if !ok && !id.IsZero() {
			t.Errorf("a refused id is %s", id)
		}
	})
}

func TestIDsSort(t *testing.T) {
	source := parley.NewIDs(nil)
	now := time.Now()
	var ids [][]byte
	for i := range 100_000 {
		id := source.New(now.Add(time.Duration(i/1000) * time.Millisecond))
		if id[6]>>4 != 7 || id[8]>>6 != 2 {
			t.Fatalf("%s is no UUID of version 7", id)
		}
		ids = append(ids, bytes.Clone(id[:]))
	}
	if !slices.IsSortedFunc(ids, bytes.Compare) {
		t.Error("ids do not sort in the order in which they were made")
	}
}

func TestSecret(t *testing.T) {
	secret, err := parley.NewSecret(strings.NewReader(strings.Repeat("\xff", 32)))
	if err != nil {
		t.Fatal(err)
	}
	if len(secret) != 52 || !strings.HasPrefix(string(secret), "pk_") || !secret.WellFormed() {
		t.Errorf("the secret is %q", secret)
	}
	for i := 3; i < len(secret); i++ {
		typo := []byte(secret)
		typo[i] = "01"[min(1, int('1'-typo[i])&1)]
		if string(typo) != string(secret) && parley.Secret(typo).WellFormed() {
			t.Errorf("a typing error at %d is not noticed", i)
		}
	}
	for _, s := range []parley.Secret{"", "pk_", secret[1:], secret + "x", "PK_" + secret[3:]} {
		if s.WellFormed() {
			t.Errorf("%q is said to be well formed", s)
		}
	}
}

func TestShortcut(t *testing.T) {
	for s, want := range map[string]bool{
		"a": true, "thanks_2-x": true, strings.Repeat("z", parley.MaxShortcut): true,
		"": false, strings.Repeat("z", parley.MaxShortcut+1): false, "A": false, "a b": false, "ä": false, "a/": false,
	} {
		if parley.WellFormedShortcut(s) != want {
			t.Errorf("%q is well formed: %t, want %t", s, !want, want)
		}
	}
}

func TestAttributesMerge(t *testing.T) {
	for _, x := range []struct{ before, patch, after string }{
		{"", `{"b":1,"a":[1, 2]}`, `{"a":[1,2],"b":1}`},
		{`{"a":1}`, `{"a":null}`, ``},
		{`{"a":{"x":1}}`, `{"a":{"y":2}}`, `{"a":{"y":2}}`},
		{`{"a":1}`, ``, `{"a":1}`},
		{`{"a":1}`, `{}`, `{"a":1}`},
	} {
		got, err := parley.Attributes(x.before).Merge(parley.Attributes(x.patch))
		if err != nil || string(got) != x.after {
			t.Errorf("%s and %s give %s (%v), want %s", x.before, x.patch, got, err, x.after)
		}
	}
	for _, bad := range []string{`[]`, `null`, `{`, `{"a":"` + strings.Repeat("x", parley.MaxAttributes) + `"}`} {
		if _, err := parley.Attributes("").Merge(parley.Attributes(bad)); parley.KindOf(err) != parley.Invalid {
			t.Errorf("%.20s gives %v, want Invalid", bad, err)
		}
	}
}
