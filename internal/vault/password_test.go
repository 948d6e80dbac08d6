package vault_test

import (
	"errors"
	"strings"
	"testing"

	"parley/internal/vault"
)

func TestPassword(t *testing.T) {
	hash, err := vault.Recommended().Hash("correct horse")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(hash, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("not the PHC form: %s", hash)
	}
	again, err := vault.Recommended().Hash("correct horse")
	if err != nil || again == hash {
		t.Errorf("hashed twice alike, error %v", err)
	}
	for password, want := range map[string]bool{"correct horse": true, "correct horse ": false, "": false} {
		if got, err := vault.VerifyPassword(password, hash); err != nil || got != want {
			t.Errorf("%q: %v, %v", password, got, err)
		}
	}
}

// A hash of other costs, made elsewhere: the reference program's own example.
func TestVerifyOtherCosts(t *testing.T) {
	const hash = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	if ok, err := vault.VerifyPassword("password", hash); err != nil || !ok {
		t.Errorf("%v, %v", ok, err)
	}
}

func TestVerifyRefusesHash(t *testing.T) {
	const salt, sum = "c29tZXNhbHQ", "CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	for _, hash := range []string{
		"", "password", "$argon2i$v=19$m=64,t=1,p=1$" + salt + "$" + sum,
		"$argon2id$v=16$m=64,t=1,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=64,t=0,p=1$" + salt + "$" + sum, // would panic
		"$argon2id$v=19$m=64,t=1,p=0$" + salt + "$" + sum, // would panic
		"$argon2id$v=19$m=4294967295,t=1,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=64,t=4294967295,p=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=64,t=1,p=1,x=1$" + salt + "$" + sum,
		"$argon2id$v=19$m=64,t=1,p=1$" + salt + "$",
		"$argon2id$v=19$m=64,t=1,p=1$$" + sum,
		"$argon2id$v=19$m=64,t=1,p=1$" + salt + "$not!base64",
		"$argon2id$v=19$m=64,t=1,p=1$" + salt + "$" + sum + "$",
	} {
		if ok, err := vault.VerifyPassword("password", hash); ok || !errors.Is(err, vault.ErrHash) {
			t.Errorf("%s: %v, %v", hash, ok, err)
		}
	}
}

func FuzzVerifyPassword(f *testing.F) {
	f.Add("$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc")
	f.Fuzz(func(t *testing.T, hash string) {
		if len(hash) > 200 {
			return
		}
		if ok, err := vault.VerifyPassword("password", hash); ok || err != nil && !errors.Is(err, vault.ErrHash) {
			t.Errorf("%s: %v, %v", hash, ok, err)
		}
	})
}

func TestRandomPassword(t *testing.T) {
	seen := map[string]bool{}
	letters := map[rune]int{}
	for range 2000 {
		password, err := vault.RandomPassword()
		if err != nil || seen[password] {
			t.Fatalf("%q again, or error %v", password, err)
		}
		seen[password] = true
		for i, group := range strings.Split(password, "-") {
			if len(group) != 6 || i > 3 {
				t.Fatalf("not four groups of six: %s", password)
			}
			for _, r := range group {
				letters[r]++
			}
		}
	}
	// 24 characters, each of 32 that are as likely: 120 bits.
	if len(letters) != 32 {
		t.Fatalf("%d different characters", len(letters))
	}
	for r, n := range letters {
		if mean := 2000 * 24 / 32; n < mean*8/10 || n > mean*12/10 {
			t.Errorf("%c stands %d times, near %d expected", r, n, mean)
		}
	}
}
