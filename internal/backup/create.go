package backup

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"filippo.io/age"

	"parley"
	"parley/internal/store"
	"parley/internal/store/schema"
)

// partSize is the approximate size of a member with rows, in bytes.
const partSize = 4 << 20

// Files is where uploaded files are stored; see package blob.
type Files interface {
	Put(ctx context.Context, ws parley.WorkspaceID, file parley.ID, content io.Reader) error
	Open(ctx context.Context, ws parley.WorkspaceID, file parley.ID) (io.ReadSeekCloser, error)
}

// Source is what a backup reads.
type Source struct {
	Store   *store.Store
	Files   Files
	Program string // version of this program
	Engine  string // sqlite or postgres
	// Keys are credentials. Only an encrypted backup contains them.
	Keys Keys
	Now  time.Time
	Log  *slog.Logger
	// Hold writes the rows to a temporary file first. While they are read, the database
	// cannot discard older versions of rows, so reading must not wait for a slow network.
	Hold bool
}

// Keys are credentials that are not among the rows.
type Keys struct {
	// Masters are the master keys in base64, by their fingerprints. They must include
	// those that the store records. nil leaves master keys out.
	Masters map[string]string
	// ExportNumbers writes the keys of the numbers, or nothing if there are none. nil
	// leaves them out.
	ExportNumbers func(ctx context.Context, out io.Writer) error
}

// Create writes a backup of the store at one moment after the call, so that it
// contains everything acknowledged before. With recipients, it is encrypted for them
// and contains the keys too. A server may run meanwhile; for its sake, Create pauses
// for half of the time. Missing files do not fail the backup; the report counts them.
func Create(ctx context.Context, out io.Writer, from Source, recipients []age.Recipient) (Report, error) {
	written := newSummed()
	out = io.MultiWriter(out, written)
	rowsRead := func() error { return nil }
	if from.Hold {
		h, err := newHeld(out)
		if err != nil {
			return Report{}, err
		}
		defer h.discard()
		out, rowsRead = h, h.release
	}
	var err error
	var encrypted io.WriteCloser
	if len(recipients) > 0 {
		if encrypted, err = age.Encrypt(out, recipients...); err != nil {
			return Report{}, err
		}
		out = encrypted
	} else {
		from.Keys = Keys{}
	}
	a, err := newArchive(out, from.Now)
	if err != nil {
		return Report{}, err
	}
	w := &writer{
		ctx: ctx, from: from, archive: a, rowsRead: rowsRead, pacer: newPacer(),
		sums: Sums{Rows: map[string]int64{}, Gone: []parley.ID{}, Lost: []parley.ID{}},
	}
	if err := w.write(); err != nil {
		return Report{}, err
	}
	if encrypted != nil {
		if err := encrypted.Close(); err != nil {
			return Report{}, err
		}
	}
	report := Report{Manifest: w.manifest, Bytes: written.bytes}
	report.count(&w.sums)
	return report, nil
}

// LeastBytes returns the least size of a backup of the store, however well it
// compresses: half the size of the pictures, sounds and videos. It is not an estimate;
// nearly every backup is larger.
func LeastBytes(ctx context.Context, s *store.Store) (bytes int64, err error) {
	err = s.View(ctx, func(v *store.View) error {
		bytes, err = selectPackedBytes(v)
		return err
	})
	return bytes / 2, err
}

// A writer is a backup that is being made.
type writer struct {
	ctx      context.Context
	from     Source
	archive  *archive
	manifest Manifest
	sums     Sums
	files    []file
	rowsRead func() error // called when all rows were read
	pacer    *pacer
}

func (w *writer) write() error {
	err := w.from.Store.Dump(w.ctx, func(d *store.Dump) error {
		tables, err := contents(d.Version())
		if err != nil {
			return err
		}
		w.manifest = Manifest{
			Format: Format, Program: w.from.Program, Made: w.from.Now.UTC(), Engine: w.from.Engine, Schema: d.Version(), Tables: tables,
		}
		if w.manifest.MasterKey, w.manifest.NextMasterKey, err = d.MasterKeys(); err != nil {
			return err
		}
		w.manifest.HasMasterKey = w.manifest.MasterKey != "" && w.from.Keys.Masters != nil
		if err := w.archive.addJSON(manifestName, &w.manifest); err != nil {
			return err
		}
		for i := range tables {
			if err := w.writeRows(d, &tables[i]); err != nil {
				return fmt.Errorf("table %s: %w", tables[i].Name, err)
			}
		}
		return nil
	})
	if err == nil {
		err = w.rowsRead()
	}
	if err != nil {
		return err
	}
	if err := w.writeKeys(); err != nil {
		return fmt.Errorf("keys: %w", err)
	}
	// Files never change, and are deleted only after their rows, so they may be read
	// later.
	for _, f := range w.files {
		if err := w.writeFile(f); err != nil {
			return fmt.Errorf("file %s: %w", f.id, err)
		}
	}
	return w.archive.end(&w.sums)
}

func (w *writer) writeRows(d *store.Dump, t *schema.Table) error {
	fileIn, err := filesOf(t)
	if err != nil {
		return err
	}
	parts, rows := &parts{archive: w.archive, folder: rowsFolder + t.Name + "/"}, int64(0)
	err = d.Rows(t, func(values []any) (err error) {
		if parts.part, err = appendRow(parts.part, values); err != nil {
			return fmt.Errorf("row %d (%s): %w", rows+1, t.RowName(values), err)
		}
		rows++
		if err := w.pacer.rest(w.ctx); err != nil {
			return err
		}
		if f, ok := fileIn(values); ok {
			w.files = append(w.files, f)
		}
		if len(parts.part) < partSize {
			return nil
		}
		return parts.flush()
	})
	if err != nil {
		return err
	}
	w.sums.Rows[t.Name] = rows
	return parts.flush()
}

// writeMasterKey adds the master key with a fingerprint.
func (w *writer) writeMasterKey(name, fingerprint string) error {
	if fingerprint == "" || w.from.Keys.Masters == nil {
		return nil
	}
	key, ok := w.from.Keys.Masters[fingerprint]
	if !ok {
		return fmt.Errorf("the master key %s of the store is not available", fingerprint)
	}
	return w.archive.addBytes(name, []byte(key+"\n"))
}

// writeKeys adds the keys. They are read after the rows, so that every number that is
// paired according to the rows has its keys.
func (w *writer) writeKeys() error {
	if err := w.writeMasterKey(masterKeyName, w.manifest.MasterKey); err != nil {
		return err
	}
	if err := w.writeMasterKey(nextKeyName, w.manifest.NextMasterKey); err != nil {
		return err
	}
	if w.from.Keys.ExportNumbers == nil {
		return nil
	}
	parts := &parts{archive: w.archive, folder: numberKeysFolder}
	if err := w.from.Keys.ExportNumbers(w.ctx, parts); err != nil {
		return err
	}
	return parts.flush()
}

// parts splits what is written to it into members of one folder, because an archive
// states the size of a member before its content.
type parts struct {
	archive *archive
	folder  string
	part    []byte
	count   int
}

func (p *parts) Write(b []byte) (int, error) {
	p.part = append(p.part, b...)
	if len(p.part) < partSize {
		return len(b), nil
	}
	return len(b), p.flush()
}

func (p *parts) flush() error {
	if len(p.part) == 0 {
		return nil
	}
	p.count++
	err := p.archive.addBytes(fmt.Sprintf("%s%06d.ndjson", p.folder, p.count), p.part)
	p.part = p.part[:0]
	return err
}

// writeFile adds a file. A missing file was deleted after the rows were read, or is
// lost; the backup records which, and continues.
func (w *writer) writeFile(f file) error {
	ctx, cancel := context.WithCancel(w.ctx)
	defer cancel()
	content, err := w.read(ctx, f)
	if parley.KindOf(err) == parley.NotFound {
		stored, err := w.isStored(f)
		if err == nil && stored {
			w.lose(f, "it is missing")
		} else if err == nil {
			w.sums.Gone = append(w.sums.Gone, f.id)
		}
		return err
	}
	if isUnreadable(err) {
		w.lose(f, err.Error())
		return nil
	}
	if err != nil {
		return err
	}
	whole := &padded{content: pacedReader{content, ctx, w.pacer}, left: f.size}
	if err := w.archive.add(fileName(f.ws, f.id), f.size, whole); err != nil {
		return err
	}
	wrong, err := whole.wrong()
	if wrong != "" {
		w.lose(f, wrong)
	}
	return err
}

// isStored reports whether the store should still have a file. Before a file is
// deleted, its row is deleted or marked.
func (w *writer) isStored(f file) (stored bool, err error) {
	err = w.from.Store.View(w.ctx, func(v *store.View) error {
		stored, err = selectStored(v, f)
		return err
	})
	return stored, err
}

// maxLogged is how many lost files the log names. A missing folder would fill it.
const maxLogged = 10

func (w *writer) lose(f file, reason string) {
	if w.sums.Lost = append(w.sums.Lost, f.id); len(w.sums.Lost) <= maxLogged {
		w.from.Log.Warn("backup: file lost", "workspace", f.ws, "file", f.id, "reason", reason)
	}
}
