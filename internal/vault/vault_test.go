package vault_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"parley/internal/vault"
)

func key(fill byte) string { return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{fill}, 32)) }

func open(t *testing.T, text string) *vault.Vault {
	t.Helper()
	v, err := vault.FromBase64(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSealAndOpen(t *testing.T) {
	v := open(t, key(1))
	for _, secret := range []string{"", "s", strings.Repeat("secret", 1000)} {
		sealed, err := v.Seal([]byte(secret), "ws", "record")
		if err != nil {
			t.Fatal(err)
		}
		if secret != "" && bytes.Contains(sealed, []byte("secret")) {
			t.Error("the secret stands in the sealed bytes")
		}
		if sealed[0] != 1 || len(sealed) != 1+12+len(secret)+16 {
			t.Errorf("version %d, %d bytes for %d", sealed[0], len(sealed), len(secret))
		}
		got, err := v.Open(sealed, "ws", "record")
		if err != nil || string(got) != secret {
			t.Errorf("got %q, %v", got, err)
		}
		again, err := v.Seal([]byte(secret), "ws", "record")
		if err != nil || bytes.Equal(again, sealed) {
			t.Errorf("sealed twice alike, error %v", err)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	v := open(t, key(1))
	sealed, err := v.Seal([]byte("secret"), "ab", "c")
	if err != nil {
		t.Fatal(err)
	}
	for name, try := range map[string]func() ([]byte, error){
		"another key":       func() ([]byte, error) { return open(t, key(2)).Open(sealed, "ab", "c") },
		"another workspace": func() ([]byte, error) { return v.Open(sealed, "xb", "c") },
		"another record":    func() ([]byte, error) { return v.Open(sealed, "ab", "d") },
		"names shifted":     func() ([]byte, error) { return v.Open(sealed, "a", "bc") },
		"nothing":           func() ([]byte, error) { return v.Open(nil, "ab", "c") },
		"cut off":           func() ([]byte, error) { return v.Open(sealed[:13], "ab", "c") },
	} {
		if got, err := try(); !errors.Is(err, vault.ErrSealed) || got != nil {
			t.Errorf("%s: got %q, %v", name, got, err)
		}
	}
	for i := range sealed {
		changed := bytes.Clone(sealed)
		changed[i] ^= 1
		if _, err := v.Open(changed, "ab", "c"); !errors.Is(err, vault.ErrSealed) {
			t.Errorf("byte %d changed: %v", i, err)
		}
	}
}

// What an earlier version sealed must open: this was sealed by the first one.
func TestOpensWhatWasSealedBefore(t *testing.T) {
	const sealed = "AWs2CE9jMDmk1IBo6FX33DjPRas5RPc41yFa5YylRTfhHA9Qg3zCj2Jw"
	raw, err := base64.StdEncoding.DecodeString(sealed)
	if err != nil {
		t.Fatal(err)
	}
	got, err := open(t, key(7)).Open(raw, "workspace", "record")
	if err != nil || string(got) != "kept for long" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestFingerprint(t *testing.T) {
	one, same, other := open(t, key(1)), open(t, " "+key(1)+"\n"), open(t, key(2))
	if one.Fingerprint() != same.Fingerprint() || one.Fingerprint() == other.Fingerprint() || len(one.Fingerprint()) != 16 {
		t.Errorf("%q %q %q", one.Fingerprint(), same.Fingerprint(), other.Fingerprint())
	}
}

func TestFromBase64Refuses(t *testing.T) {
	for _, text := range []string{"", "x", key(1)[1:], base64.StdEncoding.EncodeToString(make([]byte, 31)), base64.StdEncoding.EncodeToString(make([]byte, 33)), strings.Repeat("!", 44)} {
		_, err := vault.FromBase64(text)
		if err == nil {
			t.Errorf("%q was taken", text)
		} else if text != "" && strings.Contains(err.Error(), text) && len(text) > 1 {
			t.Errorf("the error shows the key: %v", err)
		}
	}
}

func TestFromFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data", "master.key")
	first, err := vault.FromFile(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v", info.Mode(), err)
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	second, err := vault.FromFile(path)
	if err != nil || second.Fingerprint() != first.Fingerprint() {
		t.Fatalf("another key the second time, error %v", err)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, kept) {
		t.Errorf("the file was written to, error %v", err)
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
		t.Errorf("%v stay in the folder, error %v", files, err)
	}
}

func TestFromFileRefuses(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for name, path := range map[string]string{
		"readable by the group": write("group", key(1), 0o640),
		"writable by others":    write("others", key(1), 0o602),
		"empty":                 write("empty", "", 0o600),
		"no key":                write("text", "hello", 0o600),
		"a folder":              folder,
	} {
		if _, err := vault.FromFile(path); err == nil {
			t.Errorf("%s: was taken", name)
		}
	}
	if text, err := os.ReadFile(filepath.Join(folder, "empty")); err != nil || len(text) != 0 {
		t.Errorf("an empty file was written to: %q, %v", text, err)
	}
}

// A process that found no file, and comes to make it after another has, must
// leave that one's.
func TestKeyFileIsNeverReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "master.key")
	first, err := vault.FromFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := vault.MakeKeyFile(path); err != nil {
		t.Fatal(err)
	}
	if second, err := vault.FromFile(path); err != nil || second.Fingerprint() != first.Fingerprint() {
		t.Errorf("the key was replaced, error %v", err)
	}
}

// Processes that start at once must come out with one key.
func TestFromFileAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "master.key")
	prints := make([]string, 16)
	var starting sync.WaitGroup
	for i := range prints {
		starting.Go(func() {
			v, err := vault.FromFile(path)
			if err != nil {
				t.Error(err)
				return
			}
			prints[i] = v.Fingerprint()
		})
	}
	starting.Wait()
	for _, one := range prints {
		if one != prints[0] {
			t.Fatalf("several keys: %v", prints)
		}
	}
}

// TestBesides has a key take over from another: it seals and signs, and both
// open and accept.
func TestBesides(t *testing.T) {
	former, next := open(t, key(1)), open(t, key(2))
	both := next.Besides(former)
	if both.Fingerprint() != next.Fingerprint() || both.OtherFingerprint() != former.Fingerprint() || next.OtherFingerprint() != "" {
		t.Errorf("the fingerprints are %s and %s", both.Fingerprint(), both.OtherFingerprint())
	}
	for name, x := range map[string]struct {
		from               *vault.Vault
		former, next, both bool
	}{
		"sealed before": {former, true, false, true}, "sealed now": {both, false, true, true}, "sealed alone": {both.Alone(), false, true, true},
	} {
		sealed, err := x.from.Seal([]byte("secret"), "ws", "record")
		if err != nil {
			t.Fatal(err)
		}
		signature := x.from.Sign("file", []byte("statement"))
		for who, opens := range map[*vault.Vault]bool{former: x.former, next: x.next, both: x.both, both.Alone(): x.next} {
			plain, err := who.Open(sealed, "ws", "record")
			if (err == nil && string(plain) == "secret") != opens || err != nil && !errors.Is(err, vault.ErrSealed) {
				t.Errorf("%s: %q, %v, want it open: %t", name, plain, err, opens)
			}
			if who.Signed("file", []byte("statement"), signature) != opens {
				t.Errorf("%s: the signature holds: %t", name, !opens)
			}
		}
		if _, err := both.Open(sealed, "ws", "other"); !errors.Is(err, vault.ErrSealed) {
			t.Errorf("%s: another record gives %v", name, err)
		}
	}
}

// TestReplaceFile replaces a key file, also after a crash at each step.
func TestReplaceFile(t *testing.T) {
	folder := t.TempDir()
	path, next, former := filepath.Join(folder, "k"), filepath.Join(folder, "k.new"), filepath.Join(folder, "k.old")
	text := func(name string) string {
		b, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return string(b)
	}
	for name, before := range map[string]map[string]string{
		"from the beginning":          {path: "1", next: "2"},
		"with the key of another one": {path: "1", next: "2", former: "0"},
		"after the link":              {path: "1", next: "2", former: "1"},
		"when it is over":             {path: "2", former: "1"},
	} {
		for _, file := range []string{path, next, former} {
			_ = os.Remove(file)
			if before[file] != "" {
				if err := os.WriteFile(file, []byte(before[file]), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := vault.ReplaceFile(path, next, former); err != nil || text(path) != "2" || text(former) != "1" || text(next) != "" {
			t.Errorf("%s: %v; %q, %q, %q", name, err, text(path), text(former), text(next))
		}
	}
}
