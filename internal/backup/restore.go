package backup

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"filippo.io/age"

	"parley"
	"parley/internal/blob"
	"parley/internal/durable"
	"parley/internal/store"
	"parley/internal/store/datafolder"
	"parley/internal/store/schema"
)

// Target is where a backup is restored, and how.
type Target struct {
	// Dir is the data folder, and the place of an embedded store.
	Dir string
	// Database is the URL of a PostgreSQL database, or "" for an embedded store.
	Database string
	// Files is where uploaded files are stored, or nil for the folder AttachmentsName
	// in Dir.
	Files Files
	// Replace allows replacing a store. The earlier one is moved aside, not deleted.
	Replace bool
	// CheckKey returns an error if the server could not open the secrets in the backup,
	// which are sealed under the master key with this fingerprint. brought says that the
	// backup contains the key; take says that the data folder needs it.
	CheckKey func(fingerprint string, brought bool) (take bool, err error)
	// WithoutSecrets leaves out what is sealed under the master key, for an operator who
	// lost it. Identities of customers cannot be signed until there are new secrets.
	WithoutSecrets bool
	// ImportNumbers creates a key store from the keys of numbers, in a folder or in a
	// schema of the database. taken is false if this program cannot use them.
	ImportNumbers func(ctx context.Context, place KeyPlace, keys io.Reader) (taken bool, err error)
	// Repeat, if set, repeats what must not come back with a backup, in the transaction
	// that makes the store, and returns how much that is. The backup was made at a time.
	Repeat func(tx *store.Tx, made time.Time) (int, error)
	IDs    *parley.IDs
	Now    time.Time
	Log    *slog.Logger
}

// A KeyPlace is where the keys of numbers go: a folder of an embedded store, or a
// schema of the database.
type KeyPlace struct{ Dir, Schema string }

// AttachmentsName is the name of the folder of uploaded files in a data folder.
const AttachmentsName = "attachments"

// A Restored says what a restore did.
type Restored struct {
	Report
	// Aside is where the earlier store is: a folder, or a schema of the database. It is
	// "" if there was none.
	Aside   string
	Numbers int // how many were connected in the backup, and no longer are
	// KeysTaken: the numbers have their keys, so they need not be paired again.
	KeysTaken bool
	// FilesShared: the earlier files could not be moved aside, so the folder has those
	// of both stores.
	FilesShared bool
	Repeated    int // how much the Repeat of the target is to do
	// MasterKeyTaken: the master key of the backup is in the data folder.
	MasterKeyTaken bool
}

// Restore creates a store from a backup. It opens the backup twice, first to check
// it. If the process dies, the store is the old one or the new one. No server may run
// on the store. The new store has no sessions, no connected numbers and no queued
// messages. Its event log has a new epoch, so that readers of the log start over.
func Restore(ctx context.Context, open func() (io.ReadCloser, error), identities []age.Identity, to Target) (_ Restored, err error) {
	m := &restorer{ctx: ctx, to: to, keys: map[string][]byte{}}
	defer func() {
		if err != nil && m.staging != "" {
			err = errors.Join(err, os.RemoveAll(m.staging))
		}
		err = errors.Join(err, m.lock.Close())
	}()
	if err := m.check(open, identities); err != nil {
		return Restored{}, err
	}
	in, err := open()
	if err != nil {
		return Restored{}, err
	}
	defer func() { _ = in.Close() }() // it was only read
	if m.from, err = newReader(in, identities); err != nil {
		return Restored{}, err
	}
	defer m.from.close()
	if err := m.from.checkTables(); err != nil {
		return Restored{}, err
	}
	if to.Database != "" {
		return m.intoDatabase()
	}
	return m.intoFolder()
}

// check first refuses what can be refused by the manifest and the target, then reads
// the whole backup.
func (m *restorer) check(open func() (io.ReadCloser, error), identities []age.Identity) error {
	in, err := open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // it was only read
	r, err := newReader(in, identities)
	if err != nil {
		return err
	}
	defer r.close()
	if !m.to.WithoutSecrets {
		if m.done.MasterKeyTaken, err = m.to.CheckKey(r.manifest.MasterKey, r.manifest.HasMasterKey); err != nil {
			return err
		}
	}
	if m.to.Database == "" {
		err = m.prepareFolder()
	} else {
		_, _, err = store.MigrationStatus(m.ctx, m.options(m.to.Dir)) // whether it answers
	}
	if err != nil {
		return err
	}
	_, err = r.readAll(m.ctx, nothing{})
	return err
}

// A restorer is a restore in progress.
type restorer struct {
	ctx  context.Context
	to   Target
	from *reader
	done Restored
	keys map[string][]byte // the master keys of the backup, by the names of their files
	lock *datafolder.Lock  // of the data folder, for an embedded store
	// staging is the folder where that store is built; "" once the restore is decided.
	staging string
}

func (m *restorer) options(dir string) store.Options {
	return store.Options{Dir: dir, Database: m.to.Database, IDs: m.to.IDs, Log: m.to.Log}
}

// fill creates the store in a folder or in the database, and stores the files.
func (m *restorer) fill(dir string, files Files) (*store.Filling, error) {
	filling := &store.Filling{Version: m.from.manifest.Schema, Replace: m.to.Replace}
	filling.Rows = func(load *store.Load) error {
		place := KeyPlace{Dir: dir}
		if m.to.Database != "" {
			place.Schema = store.KeysSchema
		}
		report, err := m.from.readAll(m.ctx, &loading{restorer: m, load: load, files: files, place: place, filling: filling})
		m.done.Report = report
		return err
	}
	filling.Settle = func(tx *store.Tx) (err error) {
		m.done.Numbers, err = settle(tx, settling{ids: m.to.IDs, now: m.to.Now, keys: m.done.KeysTaken, withoutSecrets: m.to.WithoutSecrets})
		if err == nil && m.to.Repeat != nil {
			m.done.Repeated, err = m.to.Repeat(tx, m.from.manifest.Made)
		}
		if err == nil && m.done.MasterKeyTaken {
			err = m.writeKeys(cmp.Or(dir, m.to.Dir))
		}
		return err
	}
	return filling, store.Fill(m.ctx, m.options(dir), filling)
}

// loading is the sink that fills a store.
type loading struct {
	*restorer
	load    *store.Load
	files   Files
	place   KeyPlace
	filling *store.Filling // whose Adopt is set if keys of numbers come
}

func (l *loading) table(t *schema.Table, rows iter.Seq2[[]any, error]) error {
	return l.load.Rows(t, rows)
}

func (l *loading) file(ctx context.Context, ws parley.WorkspaceID, id parley.ID, content io.Reader) error {
	return l.files.Put(ctx, ws, id, content)
}

func (l *loading) masterKey(name string, content []byte) error {
	l.keys[name] = content
	return nil
}

func (l *loading) numberKeys(ctx context.Context, content io.Reader) (err error) {
	l.filling.Adopt = l.place.Schema != ""
	l.done.KeysTaken, err = l.to.ImportNumbers(ctx, l.place, content)
	if err == nil && !l.done.KeysTaken {
		l.filling.Adopt = false
	}
	return err
}

// writeKeys writes the master keys into a folder without any. If the restore fails
// later they stay, and the next one finds them.
func (m *restorer) writeKeys(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	// master.key, which decides whether a folder has a key, comes last.
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(m.keys))) {
		if err := writeKey(filepath.Join(dir, name), m.keys[name]); err != nil {
			return err
		}
	}
	return durable.Sync(dir)
}

func writeKey(path string, key []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		if kept, readErr := os.ReadFile(path); readErr == nil && bytes.Equal(kept, key) {
			return nil // left by a restore that died
		}
	}
	if err != nil {
		return err
	}
	_, err = file.Write(key)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

// intoDatabase restores into PostgreSQL, with all rows in one commit. If it fails, no
// row names the files that were already stored; the next attempt stores them again.
func (m *restorer) intoDatabase() (Restored, error) {
	files := m.to.Files
	if files == nil {
		files = blob.NewFolder(filepath.Join(m.to.Dir, AttachmentsName))
	}
	filling, err := m.fill("", files)
	if filling.Aside != "" {
		m.done.Aside = "the schema " + filling.Aside
	}
	return m.done, err
}

// prepareFolder locks the data folder. It refuses one whose store may not, or cannot,
// be moved aside.
func (m *restorer) prepareFolder() (err error) {
	if m.lock, err = datafolder.Take(m.to.Dir); err != nil {
		return err
	}
	if err := Finish(m.to.Dir); err != nil {
		return err
	}
	there, err := present(m.to.Dir, storeNames)
	if err != nil {
		return err
	}
	if len(there) > 0 && !m.to.Replace {
		return parley.Errorf(parley.Conflict, "%s already has a store; --replace moves it aside", m.to.Dir)
	}
	staging := filepath.Join(m.to.Dir, stagingName)
	if err := os.Mkdir(staging, 0o700); err != nil {
		return err
	}
	m.staging = staging
	return m.checkMoves()
}

// checkMoves refuses a store that cannot be moved aside, before the restore is
// decided. Uploaded files are an exception: they never change and have random ids, so
// a folder that cannot be moved gets those of the backup in addition to its own.
func (m *restorer) checkMoves() error {
	for _, name := range m.names() {
		movable, err := canMove(m.to.Dir, name)
		if err != nil {
			return err
		}
		switch {
		case movable:
		case name == AttachmentsName:
			m.done.FilesShared = true
		default:
			return parley.Errorf(parley.Conflict, "%s is a mount point, so it cannot be moved aside: unmount it, or restore into another folder", filepath.Join(m.to.Dir, name))
		}
	}
	return nil
}

// names returns the names in the data folder that the restored store replaces.
func (m *restorer) names() []string {
	names := storeNames
	if m.done.MasterKeyTaken {
		names = append(slices.Clip(names), MasterKeyName, MasterKeyName+NextKeyEnd)
	}
	if m.to.Files == nil && !m.done.FilesShared {
		names = append(slices.Clip(names), AttachmentsName)
	}
	return names
}

// intoFolder restores into a data folder: it builds everything in a folder inside,
// then moves that into place.
func (m *restorer) intoFolder() (_ Restored, err error) {
	files := m.to.Files
	switch {
	case files != nil:
	case m.done.FilesShared:
		files = blob.NewFolder(filepath.Join(m.to.Dir, AttachmentsName))
	default:
		files = blob.NewFolder(filepath.Join(m.staging, AttachmentsName))
	}
	if _, err := m.fill(m.staging, files); err != nil {
		return Restored{}, fmt.Errorf("create the store in %s, which is unchanged: %w", m.to.Dir, err)
	}
	m.staging = ""
	aside, err := takePlace(m.to.Dir, m.names(), m.to.Now, runAll)
	if err != nil {
		return Restored{}, fmt.Errorf("move the restored store into place: %w", err)
	}
	m.done.Aside = aside
	return m.done, nil
}
