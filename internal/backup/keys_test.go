package backup_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"
	"github.com/jackc/pgx/v5"
	"github.com/klauspost/compress/zstd"

	"parley/internal/backup"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

const (
	masterKey = "bWFzdGVyIGtleSBvZiAzMiBieXRlcyBpbiBiYXNlNjQ="
	nextKey   = "YSBrZXkgdGhhdCBpcyB0YWtpbmcgb3Zlciwgb2YgMzI="
)

// manyKeys are longer than one member of a backup.
var manyKeys = strings.Repeat("a key of a number that nobody else may read\n", 250_000)

// withKeys is what a backup of a source is made of, with keys.
func (s *source) withKeys() backup.Source {
	from := s.backup()
	from.Keys = backup.Keys{Masters: map[string]string{fingerprints[0]: masterKey, fingerprints[1]: nextKey}, ExportNumbers: func(_ context.Context, out io.Writer) error {
		_, err := io.WriteString(out, manyKeys)
		return err
	}}
	return from
}

// encrypted makes an encrypted backup with keys.
func (s *source) encrypted(t *testing.T) ([]byte, []age.Identity) {
	t.Helper()
	mine, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	report, err := backup.Create(t.Context(), &out, s.withKeys(), []age.Recipient{mine.Recipient()})
	if err != nil {
		t.Fatal(err)
	}
	if !report.MasterKey || !report.NumberKeys {
		t.Errorf("the report says that keys are missing: %+v", report)
	}
	return out.Bytes(), []age.Identity{mine}
}

// TestKeysOnlyEncrypted looks for the keys in every byte of a plain backup, and
// finds them in an encrypted one.
func TestKeysOnlyEncrypted(t *testing.T) {
	s := newSource(t, "sqlite", rand.New(rand.NewPCG(21, 22)))
	content, identities := s.encrypted(t)
	opened, err := age.Decrypt(bytes.NewReader(content), identities...)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		in   io.Reader
		want bool
	}{"plain": {bytes.NewReader(s.plainWithKeys(t)), false}, "encrypted": {opened, true}} {
		unpacked, err := zstd.NewReader(c.in)
		if err != nil {
			t.Fatal(err)
		}
		all, err := io.ReadAll(unpacked)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{masterKey, nextKey, manyKeys[:100], "keys/master.key", "keys/numbers/"} {
			if bytes.Contains(all, []byte(key)) != c.want {
				t.Errorf("the %s backup holds %q: %t, want %t", name, key, !c.want, c.want)
			}
		}
	}
}

func (s *source) plainWithKeys(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	report, err := backup.Create(t.Context(), &out, s.withKeys(), nil)
	if err != nil || report.MasterKey || report.NumberKeys {
		t.Errorf("the report of a plain backup is %+v, %v", report, err)
	}
	return out.Bytes()
}

// TestRestoreKeys restores an encrypted backup into each engine: the keys come
// whole, and the numbers keep their devices.
func TestRestoreKeys(t *testing.T) {
	content, identities := newSource(t, "sqlite", rand.New(rand.NewPCG(23, 24))).encrypted(t)
	for _, engine := range storetest.Engines(t) {
		options := engines[engine]
		for _, taken := range []bool{true, false} {
			t.Run(engine, func(t *testing.T) {
				o := options(t)
				to := target(o, newMemory())
				to.Dir = t.TempDir()
				if o.Database == "" {
					o.Dir = to.Dir
				}
				to.CheckKey = func(_ string, brought bool) (bool, error) { return brought, nil }
				to.ImportNumbers = func(ctx context.Context, place backup.KeyPlace, keys io.Reader) (bool, error) {
					if got, err := io.ReadAll(keys); err != nil || string(got) != manyKeys {
						t.Errorf("%d bytes of keys came, want %d: %v", len(got), len(manyKeys), err)
					}
					if !taken {
						return false, nil
					}
					return true, keyStore(ctx, o.Database, place)
				}
				done, err := backup.Restore(t.Context(), opening(content), identities, to)
				if err != nil {
					t.Fatal(err)
				}
				if done.KeysTaken != taken || !done.MasterKeyTaken {
					t.Errorf("the report is %+v", done)
				}
				for name, want := range map[string]string{backup.MasterKeyName: masterKey, backup.MasterKeyName + backup.NextKeyEnd: nextKey} {
					if got, err := os.ReadFile(filepath.Join(to.Dir, name)); err != nil || string(got) != want+"\n" {
						t.Errorf("%s has %q, %v", name, got, err)
					}
				}
				if kept := devices(t, o); kept != taken {
					t.Errorf("the numbers keep their devices: %t, want %t", kept, taken)
				}
				if got := hasKeyStore(t, o); got != taken {
					t.Errorf("there is a store of keys: %t, want %t", got, taken)
				}
			})
		}
	}
}

// TestMasterKeyNotAtHand makes an encrypted backup without one of the keys that the
// store records: whoever restores it would have rows that nobody can open.
func TestMasterKeyNotAtHand(t *testing.T) {
	s := newSource(t, "sqlite", rand.New(rand.NewPCG(31, 32)))
	mine, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	for _, missing := range fingerprints {
		from := s.withKeys()
		delete(from.Keys.Masters, missing)
		if _, err := backup.Create(t.Context(), io.Discard, from, []age.Recipient{mine.Recipient()}); err == nil || !strings.Contains(err.Error(), missing) {
			t.Errorf("without the key %s the backup ends with %v", missing, err)
		}
	}
}

// TestRestoreKeysFails fails behind the keys: nothing of them is left.
func TestRestoreKeysFails(t *testing.T) {
	content, identities := newSource(t, "sqlite", rand.New(rand.NewPCG(25, 26))).encrypted(t)
	for _, engine := range storetest.Engines(t) {
		options := engines[engine]
		t.Run(engine, func(t *testing.T) {
			o := options(t)
			to := target(o, newMemory())
			to.ImportNumbers = func(ctx context.Context, place backup.KeyPlace, _ io.Reader) (bool, error) {
				return true, errors.Join(keyStore(ctx, o.Database, place), errors.New("the disk is full"))
			}
			if _, err := backup.Restore(t.Context(), opening(content), identities, to); err == nil || !strings.Contains(err.Error(), "the disk is full") {
				t.Errorf("the restore ends with %v", err)
			}
			if hasKeyStore(t, o) {
				t.Error("a store of keys is left")
			}
			if o.Database == "" {
				if left, err := os.ReadDir(o.Dir); err != nil || len(left) > 1 { // the lock
					t.Errorf("the folder has %v, %v", left, err)
				}
			}
		})
	}
}

// keyStore makes a store of keys, as the messaging application's library does.
func keyStore(ctx context.Context, database string, place backup.KeyPlace) error {
	if database == "" {
		return os.WriteFile(filepath.Join(place.Dir, "whatsapp.db"), []byte("keys"), 0o600)
	}
	conn, err := pgx.Connect(ctx, database)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "CREATE SCHEMA "+place.Schema+"; CREATE TABLE "+place.Schema+".whatsmeow_device (jid text PRIMARY KEY)")
	return errors.Join(err, conn.Close(ctx))
}

// hasKeyStore reports whether a store of keys is in its place, or where it waits.
func hasKeyStore(t *testing.T, o store.Options) bool {
	t.Helper()
	if o.Database == "" {
		found, err := filepath.Glob(o.Dir + "/*/whatsapp.db")
		if err != nil || len(found) > 0 {
			t.Errorf("a store of keys is left in %v, %v", found, err)
		}
		_, err = os.Stat(o.Dir + "/whatsapp.db")
		return err == nil
	}
	conn, err := pgx.Connect(t.Context(), o.Database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	var inPlace bool
	var elsewhere int
	err = conn.QueryRow(t.Context(), `SELECT to_regclass('whatsmeow_device') IS NOT NULL,
		(SELECT count(*) FROM information_schema.schemata WHERE schema_name LIKE 'parley_restored%')`).Scan(&inPlace, &elsewhere)
	if err != nil || elsewhere > 0 {
		t.Errorf("%d schemas with keys are left, %v", elsewhere, err)
	}
	return inPlace
}

// devices reports whether numbers of a store have devices.
func devices(t *testing.T, o store.Options) (kept bool) {
	t.Helper()
	err := storetest.Open(t, o).Dump(t.Context(), func(d *store.Dump) error {
		tables, err := contents(d)
		if err != nil {
			return err
		}
		for i := range tables {
			if tables[i].Name != "numbers" {
				continue
			}
			device := tables[i].Column("device")
			err = d.Rows(&tables[i], func(values []any) error {
				kept = kept || values[device] != ""
				return nil
			})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return kept
}
