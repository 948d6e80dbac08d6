package backup_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"

	"parley"
	"parley/internal/backup"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// damagedFiles are the files of a source, some of which cannot be read.
type damagedFiles struct {
	*memory
	cut, long, broken, closed string // names in memory
}

var errDisk = &fs.PathError{Op: "read", Path: "file", Err: errors.New("input/output error")}

func (d *damagedFiles) Open(ctx context.Context, ws parley.WorkspaceID, id parley.ID) (io.ReadSeekCloser, error) {
	content := d.files[ws.String()+id.String()]
	switch ws.String() + id.String() {
	case d.cut:
		return opened{bytes.NewReader(content[:len(content)-1])}, nil
	case d.long:
		return opened{bytes.NewReader(append(bytes.Clone(content), 'x'))}, nil
	case d.broken:
		return &brokenDisk{bytes: content}, nil
	case d.closed:
		return nil, errDisk
	default:
		return d.memory.Open(ctx, ws, id)
	}
}

// noSeek is what a backup does not do with a file.
type noSeek struct{}

func (noSeek) Seek(int64, int) (int64, error) {
	return 0, errors.New("a backup reads from front to back")
}

func (noSeek) Close() error { return nil }

// A brokenDisk reads one byte, and then no more.
type brokenDisk struct {
	noSeek
	bytes []byte
	read  bool
}

func (b *brokenDisk) Read(p []byte) (int, error) {
	if b.read {
		return 0, errDisk
	}
	b.read = true
	return copy(p, b.bytes[:1]), nil
}

// aFile returns the name of a file that is not empty.
func (m *memory) aFile(t *testing.T) string {
	t.Helper()
	for name, content := range m.files {
		if len(content) > 1 {
			return name
		}
	}
	t.Fatal("no file has content")
	return ""
}

// TestLostFiles makes backups of a store that lost a file, or a part of one: the
// backup has everything else, tells how many it lost, and restores.
func TestLostFiles(t *testing.T) {
	for _, engine := range storetest.Engines(t) {
		t.Run(engine, func(t *testing.T) {
			s := newSource(t, engine, rand.New(rand.NewPCG(27, 28)))
			name := s.files.aFile(t)
			for what, c := range map[string]struct {
				files backup.Files
				lost  int
				came  int
			}{
				"whole":     {s.files, 0, len(s.files.files)},
				"missing":   {newMemory(), len(s.files.files), 0},
				"cut":       {&damagedFiles{memory: s.files, cut: name}, 1, len(s.files.files)},
				"longer":    {&damagedFiles{memory: s.files, long: name}, 1, len(s.files.files)},
				"broken":    {&damagedFiles{memory: s.files, broken: name}, 1, len(s.files.files)},
				"forbidden": {&damagedFiles{memory: s.files, closed: name}, 1, len(s.files.files) - 1},
			} {
				from := s.backup()
				from.Files = c.files
				var out bytes.Buffer
				report, err := backup.Create(t.Context(), &out, from, nil)
				if err != nil || report.Lost != c.lost {
					t.Errorf("%s: the report is %+v, %v, want %d lost files", what, report, err, c.lost)
					continue
				}
				into := newMemory()
				done, err := backup.Restore(t.Context(), opening(out.Bytes()), nil, target(engines["sqlite"](t), into))
				if err != nil || done.Lost != c.lost || len(into.files) != c.came {
					t.Errorf("%s: %d files came, %d are lost, %v, want %d and %d", what, len(into.files), done.Lost, err, c.came, c.lost)
				}
				for other, content := range s.files.files {
					if got, came := into.files[other]; came && other != name && !bytes.Equal(got, content) || came && len(got) != len(content) {
						t.Errorf("%s: the file %s came with other bytes", what, other)
					}
				}
			}
		})
	}
}

// deletingFiles delete the row of each file right before they are asked for it.
type deletingFiles struct {
	*memory
	store *store.Store
}

func (d *deletingFiles) Open(ctx context.Context, ws parley.WorkspaceID, id parley.ID) (io.ReadSeekCloser, error) {
	err := d.store.Write(ctx, ws, func(tx *store.Tx) error {
		return errors.Join(
			store.Exec(tx, ws, "DELETE FROM attachments WHERE workspace_id = $1 AND attachment_id = $2", id),
			store.Exec(tx, ws, "DELETE FROM article_pictures WHERE workspace_id = $1 AND picture_id = $2", id),
		)
	})
	if err != nil {
		return nil, err
	}
	return nil, parley.NotFoundf("the file is not there any more")
}

// TestDeletedFiles deletes files while a backup is made: none of them is lost.
func TestDeletedFiles(t *testing.T) {
	for _, engine := range storetest.Engines(t) {
		t.Run(engine, func(t *testing.T) {
			s := newSource(t, engine, rand.New(rand.NewPCG(29, 30)))
			from := s.backup()
			from.Files = &deletingFiles{s.files, s.store}
			report, err := backup.Create(t.Context(), io.Discard, from, nil)
			if err != nil || report.Lost != 0 || report.Files != 0 {
				t.Errorf("the report is %+v, %v", report, err)
			}
		})
	}
}

// TestTextThatIsNoText makes a backup of a row that some other program wrote: the
// error says which row it is.
func TestTextThatIsNoText(t *testing.T) {
	s := newSource(t, "sqlite", rand.New(rand.NewPCG(35, 36)))
	err := s.store.Write(t.Context(), parley.WorkspaceID{}, func(tx *store.Tx) error {
		return store.ExecAcross(tx, "UPDATE workspaces SET name = CAST(x'ff' AS text) WHERE created_at = (SELECT max(created_at) FROM workspaces)")
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = backup.Create(t.Context(), io.Discard, s.backup(), nil)
	if err == nil || !strings.Contains(err.Error(), `(workspace_id "`) || !strings.Contains(err.Error(), "the text is not UTF-8") {
		t.Errorf("the backup ends with %v", err)
	}
}

// A stuckReader never answers.
type stuckReader struct {
	noSeek
	asked func()
	ended <-chan struct{}
}

func (s stuckReader) Read([]byte) (int, error) {
	s.asked()
	<-s.ended
	return 0, io.EOF
}

// stuckFiles open files that never answer, or never open one.
type stuckFiles struct {
	*memory
	opens bool
	asked func()
	ended <-chan struct{}
}

func (f *stuckFiles) Open(context.Context, parley.WorkspaceID, parley.ID) (io.ReadSeekCloser, error) {
	if f.opens {
		return stuckReader{asked: f.asked, ended: f.ended}, nil
	}
	f.asked()
	<-f.ended
	return nil, errors.New("the bucket is away")
}

// TestBackupEndsWithItsContext ends the context while a place of files does not
// answer: the backup ends too.
func TestBackupEndsWithItsContext(t *testing.T) {
	s := newSource(t, "sqlite", rand.New(rand.NewPCG(31, 32)))
	for _, opens := range []bool{true, false} {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		from := s.backup()
		from.Files = &stuckFiles{memory: s.files, opens: opens, asked: cancel, ended: ended}
		if _, err := backup.Create(ctx, io.Discard, from, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("the backup ends with %v", err)
		}
		close(ended)
	}
}

// TestBackupFailsWithABucket loses the connection to a bucket in a file: there is
// no backup, and the next try makes one.
func TestBackupFailsWithABucket(t *testing.T) {
	s := newSource(t, "sqlite", rand.New(rand.NewPCG(33, 34)))
	ended := make(chan struct{})
	close(ended)
	from := s.backup()
	from.Files = &stuckFiles{memory: s.files, asked: func() {}, ended: ended}
	if _, err := backup.Create(t.Context(), io.Discard, from, nil); err == nil {
		t.Error("there is a backup")
	}
}
