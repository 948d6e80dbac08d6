package backup_test

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"parley"
	"parley/internal/backup"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// zeroBytes is an endless source of zeros.
type zeroBytes struct{}

func (zeroBytes) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// A bomb is a member that a forger adds to a backup after the manifest.
type bomb struct {
	name string
	size int64
}

// forge makes a backup with the manifest of another one and members of zeros.
func forge(t *testing.T, content []byte, members ...bomb) []byte {
	t.Helper()
	unpacked, err := zstd.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	defer unpacked.Close()
	from := tar.NewReader(unpacked)
	header, err := from.Next()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	packed, err := zstd.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	to := tar.NewWriter(packed)
	write := func(h *tar.Header, content io.Reader) {
		t.Helper()
		err := to.WriteHeader(h)
		if err == nil {
			_, err = io.Copy(to, content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	write(header, from)
	for _, m := range members {
		write(&tar.Header{Typeflag: tar.TypeReg, Name: m.name, Size: m.size, Mode: 0o600}, io.LimitReader(zeroBytes{}, m.size))
	}
	if err := errors.Join(to.Close(), packed.Close()); err != nil {
		t.Fatal(err)
	}
	return append(out.Bytes(), make([]byte, 40)...) // in place of the sum of all
}

// TestBounds verifies backups whose members are larger than any program writes: each is
// refused by its header, before its content fills the memory.
func TestBounds(t *testing.T) {
	content := newSource(t, "sqlite", rand.New(rand.NewPCG(41, 42))).create(t)
	for _, m := range []bomb{{"rows/workspaces/000001.ndjson", 65 << 20}, {"rows/workspaces/000001.ndjson", 0}, {"keys/numbers/000001.ndjson", 65 << 20}, {"sums.json", 9 << 20}} {
		_, err := backup.Verify(t.Context(), bytes.NewReader(forge(t, content, m)), nil)
		if err == nil || !strings.Contains(err.Error(), m.name+" has ") {
			t.Errorf("%+v: %v", m, err)
		}
	}
}

// TestManifestSaysMasterKey forges a manifest that claims to have a master key.
func TestManifestSaysMasterKey(t *testing.T) {
	s := newSource(t, "sqlite", rand.New(rand.NewPCG(43, 44)))
	content, identities := s.encrypted(t)
	report, err := backup.Verify(t.Context(), bytes.NewReader(content), identities)
	if err != nil || !report.Manifest.HasMasterKey {
		t.Errorf("the manifest of an encrypted backup is %+v, %v", report.Manifest, err)
	}
	plain, err := backup.Verify(t.Context(), bytes.NewReader(s.create(t)), nil)
	if text, _ := json.Marshal(plain.Manifest); err != nil || plain.Manifest.HasMasterKey || !bytes.Contains(text, []byte(`"hasMasterKey":false`)) {
		t.Errorf("the manifest of a plain backup is %s, %v", text, err)
	}
}

// TestCheapRefusalsFirst restores a truncated backup into targets that must be refused
// anyway: the restore says so, instead of reading the whole backup first.
func TestCheapRefusalsFirst(t *testing.T) {
	content := newSource(t, "sqlite", rand.New(rand.NewPCG(45, 46))).create(t)
	cut := content[:len(content)-1]
	full := newSource(t, "sqlite", rand.New(rand.NewPCG(47, 48)))
	if err := full.store.Close(); err != nil {
		t.Fatal(err)
	}
	noKey := errors.New("another master key")
	for want, change := range map[string]func(*backup.Target){
		"already has a store; --replace moves it aside": func(*backup.Target) {},
		"another master key":                            func(to *backup.Target) { to.CheckKey = func(string, bool) (bool, error) { return false, noKey } },
		"damaged or incomplete":                         func(to *backup.Target) { to.Replace = true },
		"reach the database":                            func(to *backup.Target) { to.Database = "postgres://nobody@127.0.0.1:1/none" },
	} {
		to := target(full.options, newMemory())
		change(&to)
		if _, err := backup.Restore(t.Context(), opening(cut), nil, to); err == nil || want != "reach the database" && !strings.Contains(err.Error(), want) ||
			want == "reach the database" && strings.Contains(err.Error(), "damaged") {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// TestInvitationsEnd restores a store with unused invitation links: none works in the
// copy, because it may have been used since.
func TestInvitationsEnd(t *testing.T) {
	for _, engine := range storetest.Engines(t) {
		t.Run(engine, func(t *testing.T) {
			s := newSource(t, engine, rand.New(rand.NewPCG(49, 50)))
			err := s.store.Write(t.Context(), parley.WorkspaceID{}, func(tx *store.Tx) error {
				return store.ExecAcross(tx, "UPDATE invitations SET used_at = 0")
			})
			if err != nil {
				t.Fatal(err)
			}
			o := engines[engine](t)
			if _, err := backup.Restore(t.Context(), opening(s.create(t)), nil, target(o, newMemory())); err != nil {
				t.Fatal(err)
			}
			if left := dump(t, storetest.Open(t, o))["invitations"]; len(left) > 0 {
				t.Errorf("%d links still work", len(left))
			}
		})
	}
}
