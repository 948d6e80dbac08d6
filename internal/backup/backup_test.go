package backup_test

import (
	"bytes"
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"filippo.io/age"
	"github.com/jackc/pgx/v5"

	"parley"
	"parley/internal/backup"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// settled applies to a store what a restore changes after the rows, so that the two can
// be compared. Only the new epochs of the logs differ; they are cut.
func settled(t *testing.T, s *store.Store) {
	t.Helper()
	err := s.Write(t.Context(), parley.WorkspaceID{}, func(tx *store.Tx) error {
		_, err := backup.Settle(tx, parley.NewIDs(zeros{}), made)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// zeros is a source of randomness that gives all logs the same epoch.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

// TestRestoreEqualsSource makes a backup of a store with rows in every table, on
// each engine, and restores it into each: all rows and files are equal.
func TestRestoreEqualsSource(t *testing.T) {
	for _, from := range storetest.Engines(t) {
		t.Run("from "+from, func(t *testing.T) {
			s := newSource(t, from, rand.New(rand.NewPCG(1, 2)))
			content := s.create(t)
			settled(t, s.store)
			for to, options := range engines {
				t.Run("to "+to, func(t *testing.T) {
					o, files := options(t), newMemory()
					into := target(o, files)
					into.IDs = parley.NewIDs(zeros{})
					done, err := backup.Restore(t.Context(), opening(content), nil, into)
					if err != nil {
						t.Fatal(err)
					}
					if done.Messages != rowsOfEach || done.Conversations != rowsOfEach || done.Files != 2*(rowsOfEach-1) {
						t.Errorf("the report is %+v", done)
					}
					if !maps.EqualFunc(files.files, s.files.files, bytes.Equal) {
						t.Errorf("%d files came, want the %d of the source", len(files.files), len(s.files.files))
					}
					compare(t, dump(t, storetest.Open(t, o)), dump(t, s.store))
				})
			}
		})
	}
}

func compare(t *testing.T, got, want map[string][]string) {
	t.Helper()
	for table := range want {
		if len(want[table]) == 0 && table != "deliveries" {
			t.Errorf("the source has no rows in %s", table)
		}
		if !slices.Equal(got[table], want[table]) {
			t.Errorf("table %s:\n got %.600s\nwant %.600s", table, strings.Join(got[table], "\n     "), strings.Join(want[table], "\n     "))
		}
	}
}

// TestVerifyFindsDamage flips bits in a backup, 1,000 in the long form and every tenth
// in the short one, and truncates it: each is noticed. The intact backup is the control.
func TestVerifyFindsDamage(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	content := newSource(t, "sqlite", random).create(t)
	verify := func(b []byte) error {
		_, err := backup.Verify(t.Context(), bytes.NewReader(b), nil)
		return err
	}
	if err := verify(content); err != nil {
		t.Fatalf("the whole backup: %v", err)
	}
	flips, cuts := 250, 25
	if torture {
		flips, cuts = 1000, 100
	}
	for n := 0; n < flips; n += pace() {
		place := random.IntN(len(content))
		if n < 64 {
			place = n // the head has bits that decoders ignore
		} else if n < 128 {
			place = len(content) - n + 63
		}
		broken := bytes.Clone(content)
		broken[place] ^= 1 << random.IntN(8)
		if verify(broken) == nil {
			t.Errorf("a flipped bit in byte %d of %d passes", place, len(content))
		}
	}
	for n := 0; n < cuts; n += pace() {
		if end := random.IntN(len(content)); verify(content[:end]) == nil {
			t.Errorf("the first %d of %d bytes pass", end, len(content))
		}
	}
	if verify(append(bytes.Clone(content), 0)) == nil {
		t.Error("a byte more passes")
	}
}

// TestEncrypted opens an encrypted backup with the right key, another one, and
// none.
func TestEncrypted(t *testing.T) {
	s := newSource(t, "sqlite", rand.New(rand.NewPCG(5, 6)))
	mine, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	other, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	report, err := backup.Create(t.Context(), &out, s.backup(), []age.Recipient{mine.Recipient()})
	if err != nil {
		t.Fatal(err)
	}
	if report.Bytes != int64(out.Len()) {
		t.Errorf("the report says %d bytes of %d", report.Bytes, out.Len())
	}
	for _, c := range []struct {
		with []age.Identity
		want string
	}{
		{[]age.Identity{mine}, ""},
		{[]age.Identity{other, mine}, ""},
		{[]age.Identity{other}, "did not match any"},
		{nil, "the backup is encrypted: give an age identity"},
	} {
		_, err := backup.Verify(t.Context(), bytes.NewReader(out.Bytes()), c.with)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("with %d identities: %v, want %q", len(c.with), err, c.want)
		}
	}
	random := rand.New(rand.NewPCG(7, 8))
	flips := 100
	if torture {
		flips = 2000
	}
	for n := 0; n < flips; n += pace() {
		broken := bytes.Clone(out.Bytes())
		broken[random.IntN(len(broken))] ^= 1 << random.IntN(8)
		if _, err := backup.Verify(t.Context(), bytes.NewReader(broken), []age.Identity{mine}); err == nil {
			t.Error("a flipped bit of an encrypted backup passes")
		}
	}
	for _, broken := range [][]byte{out.Bytes()[:out.Len()-1], out.Bytes()[:out.Len()/2], append(bytes.Clone(out.Bytes()), 0)} {
		if _, err := backup.Verify(t.Context(), bytes.NewReader(broken), []age.Identity{mine}); err == nil {
			t.Errorf("%d of %d bytes of an encrypted backup pass", len(broken), out.Len())
		}
	}
}

// TestRestoreRefuses restores unusable backups, and into unusable targets: nothing
// changes.
func TestRestoreRefuses(t *testing.T) {
	s := newSource(t, "sqlite", rand.New(rand.NewPCG(9, 10)))
	content := s.create(t)
	for _, engine := range storetest.Engines(t) {
		t.Run(engine, func(t *testing.T) {
			full := newSource(t, engine, rand.New(rand.NewPCG(11, 12)))
			if err := full.store.Close(); err != nil {
				t.Fatal(err)
			}
			for name, c := range map[string]struct {
				content []byte
				change  func(*backup.Target)
				want    string
			}{
				"a store that is not empty": {content, func(*backup.Target) {}, "already"},
				"cut":                       {content[:len(content)/2], func(to *backup.Target) { to.Replace = true }, "damaged or incomplete"},
				"no backup":                 {[]byte("PK\x03\x04 something else entirely"), func(to *backup.Target) { to.Replace = true }, "this is not a backup of Parley"},
				"empty":                     {nil, func(to *backup.Target) { to.Replace = true }, "this is not a backup of Parley"},
				"another key": {content, func(to *backup.Target) {
					to.Replace, to.CheckKey = true, func(string, bool) (bool, error) { return false, context.DeadlineExceeded }
				}, "deadline"},
			} {
				to := target(full.options, newMemory())
				c.change(&to)
				if _, err := backup.Restore(t.Context(), opening(c.content), nil, to); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: %v, want %q", name, err, c.want)
				}
			}
			again := storetest.Open(t, full.options)
			for table, rows := range dump(t, again) {
				if len(rows) != rowsOfEach {
					t.Errorf("%s has %d rows", table, len(rows))
				}
			}
		})
	}
}

// TestRestoreSparesOtherPrograms restores into a database of another program whose
// tables have the names of ours: they stay, even with Replace. A store without
// workspaces is moved aside.
func TestRestoreSparesOtherPrograms(t *testing.T) {
	content := newSource(t, "sqlite", rand.New(rand.NewPCG(29, 30))).create(t)
	o := storetest.Postgres(t)
	conn, err := pgx.Connect(t.Context(), o.Database)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	for _, table := range []string{"contacts (name text)", "whatsmeow_device (jid text)", "schema_versions (version bigint)", "workspaces (workspace_id bigint)"} {
		if _, err := conn.Exec(t.Context(), "CREATE TABLE "+table); err != nil {
			t.Fatal(err)
		}
		to := target(o, newMemory())
		to.Replace = true
		if _, err := backup.Restore(t.Context(), opening(content), nil, to); err == nil || !strings.Contains(err.Error(), "belongs to another program") {
			t.Errorf("with %s the restore ends with %v", table, err)
		}
	}
	var left int
	if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM information_schema.tables WHERE table_schema = current_schema()").Scan(&left); err != nil || left != 4 {
		t.Errorf("%d tables are left, %v", left, err)
	}

	empty := storetest.Postgres(t)
	if _, _, err := store.Migrate(t.Context(), empty); err != nil {
		t.Fatal(err)
	}
	if done, err := backup.Restore(t.Context(), opening(content), nil, target(empty, newMemory())); err != nil || done.Aside == "" {
		t.Errorf("into an empty store: %+v, %v", done, err)
	}
}

// TestReplace replaces a store: the new one is served, the old one is moved aside.
func TestReplace(t *testing.T) {
	content := newSource(t, "sqlite", rand.New(rand.NewPCG(13, 14))).create(t)
	for _, engine := range storetest.Engines(t) {
		t.Run(engine, func(t *testing.T) {
			old := newSource(t, engine, rand.New(rand.NewPCG(15, 16)))
			before := dump(t, old.store)
			if err := old.store.Close(); err != nil {
				t.Fatal(err)
			}
			to := target(old.options, newMemory())
			to.Replace = true
			done, err := backup.Restore(t.Context(), opening(content), nil, to)
			if err != nil {
				t.Fatal(err)
			}
			restored := storetest.Open(t, old.options)
			after := dump(t, restored)
			if len(after["workspaces"]) != rowsOfEach || slices.Equal(after["contacts"], before["contacts"]) {
				t.Error("the restored store is the old one")
			}
			if done.Aside == "" {
				t.Fatal("no store is reported as moved aside")
			}
			kept := old.options
			if kept.Database == "" {
				kept.Dir = done.Aside
			} else {
				kept.Database += "&search_path=" + strings.TrimPrefix(done.Aside, "the schema ")
			}
			compare(t, dump(t, storetest.Open(t, kept)), before)
			if kept.Database != "" {
				return
			}
			if err := restored.Close(); err != nil {
				t.Fatal(err)
			}
			again, err := backup.Restore(t.Context(), opening(content), nil, to)
			if err != nil || again.Aside == "" || again.Aside == done.Aside {
				t.Errorf("a second restore within the second puts the first one into %q, %v", again.Aside, err)
			}
		})
	}
}
