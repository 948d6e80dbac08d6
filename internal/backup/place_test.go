package backup_test

import (
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/backup"
	"parley/internal/store"
	"parley/internal/store/schema"
	"parley/internal/store/storetest"
)

// newFolder makes a data folder with files and keys of a name. If its server died, the
// last rows are only in the write-ahead logs.
func newFolder(t *testing.T, name string, seed uint64, died bool) store.Options {
	t.Helper()
	s := newSource(t, "sqlite", rand.New(rand.NewPCG(seed, seed+1)))
	err := s.store.Write(t.Context(), parley.WorkspaceID{}, func(tx *store.Tx) error {
		return tx.InsertWorkspace(&parley.Workspace{ID: lastWorkspace, Name: name, Epoch: name, CreatedAt: made})
	})
	if err != nil {
		t.Fatal(err)
	}
	o := storetest.Copy(t, s.options)
	if err := s.store.Close(); err != nil {
		t.Fatal(err)
	}
	if !died {
		o = storetest.Copy(t, s.options)
	}
	for _, part := range []string{"whatsapp.db", backup.MasterKeyName, filepath.Join(backup.AttachmentsName, "ws", "file")} {
		path := filepath.Join(o.Dir, part)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, path, part+" of "+name)
	}
	if died {
		write(t, filepath.Join(o.Dir, "whatsapp.db-wal"), "log of "+name)
	}
	return o
}

var lastWorkspace = parley.WorkspaceID{15: 99}

// hasLast reports whether a store has the workspace that came last.
func hasLast(t *testing.T, o store.Options) bool {
	t.Helper()
	found := false
	eachRow(t, storetest.Open(t, o), []string{"workspaces"}, func(table *schema.Table, values []any) {
		found = found || values[table.Column("workspace_id")] == parley.ID(lastWorkspace)
	})
	return found
}

// contentOf reads all files in a data folder, but for the lock.
func contentOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, ".lock") {
			return err
		}
		content, err := os.ReadFile(path)
		found[strings.TrimPrefix(path, dir+"/")] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestDeathWhileTakingPlace ends a restore behind each step by which the new store
// takes the place of one whose server died. Whoever opens the folder next finds the
// new one, complete, and the old one aside; before the decision, the old one.
func TestDeathWhileTakingPlace(t *testing.T) {
	if testing.Short() {
		t.Skip("copies many stores, and nothing at once")
	}
	const aside, decided = "before-restore-20261201T030000Z", 2
	for name, died := range map[string]bool{"as it is restored": false, "with a log": true} {
		t.Run(name, func(t *testing.T) {
			old, fresh := newFolder(t, "old", 17, true), newFolder(t, "fresh", 19, died)
			before, after := contentOf(t, old.Dir), contentOf(t, fresh.Dir)
			for path, content := range before {
				after[filepath.Join(aside, path)] = content
			}
			unfinished, last := 0, store.Options{}
			for dies, of := 0, decided; dies <= of; dies++ {
				last = storetest.Copy(t, old)
				rename(t, storetest.Copy(t, fresh).Dir, filepath.Join(last.Dir, ".restore"))
				var err error
				if of, err = backup.TakePlace(last.Dir, made, dies); err != nil {
					t.Fatalf("it fails within %d steps: %v", dies, err)
				}
				if backup.Unfinished(last.Dir) {
					unfinished++
				}
				if err := backup.Finish(last.Dir); err != nil {
					t.Fatalf("behind %d of %d steps: %v", dies, of, err)
				}
				want := after
				if dies < decided {
					want = before
				}
				if got := contentOf(t, last.Dir); !maps.Equal(got, want) {
					t.Errorf("behind %d of %d steps there are %q, want %q", dies, of, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
				}
			}
			if unfinished < 10 {
				t.Errorf("%d deaths left a plan, so the test sees little", unfinished)
			}
			kept := last
			kept.Dir = filepath.Join(last.Dir, aside)
			if !hasLast(t, last) || !hasLast(t, kept) {
				t.Error("a store has not what was only in its log")
			}
			// The control: the log is needed.
			cut := storetest.Copy(t, old)
			if err := os.Remove(filepath.Join(cut.Dir, store.FileName+"-wal")); err != nil {
				t.Fatal(err)
			}
			if hasLast(t, cut) {
				t.Error("the log has no rows of its own, so the test sees nothing of it")
			}
		})
	}
}
