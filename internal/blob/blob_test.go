package blob_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"parley"
	"parley/internal/blob"
)

// ids makes ids for tests.
func ids(t *testing.T) (parley.WorkspaceID, parley.ID) {
	t.Helper()
	ids, now := parley.NewIDs(nil), time.Now()
	return parley.WorkspaceID(ids.New(now)), ids.New(now)
}

// each runs a test in a folder and in a bucket. left counts what is there.
func each(t *testing.T, test func(t *testing.T, p blob.Place, left func() int)) {
	t.Run("folder", func(t *testing.T) {
		root := filepath.Join(t.TempDir(), "a", "b")
		p, err := blob.Open(root)
		if err != nil {
			t.Fatal(err)
		}
		test(t, p, func() int { return countFiles(t, root) })
	})
	t.Run("bucket", func(t *testing.T) {
		// What a bucket's file is made of first must not stay either.
		drafts := t.TempDir()
		t.Setenv("TMPDIR", drafts)
		backend := s3mem.New()
		p := openBucket(t, backend)
		test(t, p, func() int {
			list, err := backend.ListBucket("files", nil, gofakes3.ListBucketPage{})
			if err != nil {
				t.Fatal(err)
			}
			for _, object := range list.Contents {
				if !strings.HasPrefix(object.Key, "deep/er/") {
					t.Errorf("the object %s is outside the prefix", object.Key)
				}
			}
			return len(list.Contents) + countFiles(t, drafts)
		})
	})
}

// openBucket serves a bucket and opens it.
func openBucket(t *testing.T, backend gofakes3.Backend) blob.Place {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	if err := backend.CreateBucket("files"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	p, err := blob.Open("s3://files/deep/er?region=eu-central-1&path-style=true&endpoint=" + server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func countFiles(t *testing.T, root string) int {
	t.Helper()
	n := 0
	err := filepath.WalkDir(root, func(_ string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && !e.IsDir() {
			n++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestPlace(t *testing.T) {
	each(t, func(t *testing.T, p blob.Place, left func() int) {
		ws, file := ids(t)
		other, _ := ids(t)
		if err := p.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
		content := bytes.Repeat([]byte("0123456789"), 700_000) // more than a part of S3 has at least
		if err := p.Put(t.Context(), ws, file, bytes.NewReader(content)); err != nil {
			t.Fatal(err)
		}
		if got := read(t, p, ws, file); !bytes.Equal(got, content) {
			t.Errorf("%d bytes come back, want %d", len(got), len(content))
		}
		opened, err := p.Open(t.Context(), ws, file)
		if err != nil {
			t.Fatal(err)
		}
		size, err := opened.Seek(0, io.SeekEnd)
		if err != nil || size != int64(len(content)) {
			t.Errorf("the size is %d, %v", size, err)
		}
		if _, err = opened.Seek(5, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		part := make([]byte, 3)
		if _, err := io.ReadFull(opened, part); err != nil || string(part) != "567" {
			t.Errorf("a part is %q, %v", part, err)
		}
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
		if _, err := p.Open(t.Context(), other, file); parley.KindOf(err) != parley.NotFound {
			t.Errorf("another workspace's file: %v", err)
		}
		for range 2 { // what is gone may be deleted again
			if err := p.Delete(t.Context(), ws, file); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := p.Open(t.Context(), ws, file); parley.KindOf(err) != parley.NotFound {
			t.Errorf("a deleted file: %v", err)
		}
		if n := left(); n != 0 {
			t.Errorf("%d files are left", n)
		}
	})
}

// TestPutThatFails breaks a file off: nothing of it may be there.
func TestPutThatFails(t *testing.T) {
	each(t, func(t *testing.T, p blob.Place, left func() int) {
		ws, file := ids(t)
		broken := errors.New("the line broke")
		err := p.Put(t.Context(), ws, file, io.MultiReader(strings.NewReader("begin"), iotest.ErrReader(broken)))
		if !errors.Is(err, broken) {
			t.Errorf("the error is %v", err)
		}
		if _, err := p.Open(t.Context(), ws, file); parley.KindOf(err) != parley.NotFound {
			t.Errorf("half a file is there: %v", err)
		}
		if n := left(); n != 0 {
			t.Errorf("%d files are left", n)
		}
	})
}

// TestACrashLeavesNothing stops in the middle of a file, as a crash does: what
// is on the disk then must have no name, or one that Delete finds.
func TestACrashLeavesNothing(t *testing.T) {
	each(t, func(t *testing.T, p blob.Place, left func() int) {
		ws, file := ids(t)
		content, rest := io.Pipe()
		done := make(chan error)
		go func() { done <- p.Put(t.Context(), ws, file, content) }()
		if _, err := rest.Write(make([]byte, 100_000)); err != nil { // it is being written
			t.Fatal(err)
		}
		if err := p.Delete(t.Context(), ws, file); err != nil {
			t.Fatal(err)
		}
		if n := left(); n != 0 {
			t.Errorf("%d files are left", n)
		}
		_ = rest.CloseWithError(io.ErrUnexpectedEOF)
		if err := <-done; err == nil {
			t.Error("half a file was kept")
		}
	})
}

// TestPutsAtOnce writes many files at the same time.
func TestPutsAtOnce(t *testing.T) {
	each(t, func(t *testing.T, p blob.Place, left func() int) {
		ws, _ := ids(t)
		var all sync.WaitGroup
		for range 20 {
			_, file := ids(t)
			all.Go(func() {
				if err := p.Put(t.Context(), ws, file, strings.NewReader(file.String())); err != nil {
					t.Error(err)
				} else if got := read(t, p, ws, file); string(got) != file.String() {
					t.Errorf("the file %s holds %q", file, got)
				}
			})
		}
		all.Wait()
		if n := left(); n != 20 {
			t.Errorf("%d files are there, want 20", n)
		}
	})
}

func read(t *testing.T, p blob.Place, ws parley.WorkspaceID, file parley.ID) []byte {
	t.Helper()
	opened, err := p.Open(t.Context(), ws, file)
	if err != nil {
		t.Error(err)
		return nil
	}
	b, err := io.ReadAll(opened)
	if err := errors.Join(err, opened.Close()); err != nil {
		t.Error(err)
	}
	return b
}

// TestOnlyTheOwnerReads looks at the modes of a folder's files.
func TestOnlyTheOwnerReads(t *testing.T) {
	root := filepath.Join(t.TempDir(), "files")
	p := blob.NewFolder(root)
	ws, file := ids(t)
	if err := p.Put(t.Context(), ws, file, strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAddresses(t *testing.T) {
	for _, wrong := range []string{
		"s3://", "s3:///prefix", "s3://key:secret@bucket", "s3://bucket#x", "s3://bucket?secret=x", "s3://bucket?endpoint=nowhere",
		"s3://bucket?endpoint=ftp://a.example", "s3://bucket?endpoint=https://a.example/path", "https://bucket.example", "file:///x",
	} {
		if _, err := blob.Open(wrong); err == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
	for _, right := range []string{"s3://bucket", "s3://bucket/a/b/?region=eu-central-1", "s3://bucket?endpoint=http://127.0.0.1:9000&path-style=true", "./folder", "/folder"} {
		if _, err := blob.Open(right); err != nil {
			t.Errorf("%s: %v", right, err)
		}
	}
}

// TestCheck asks places that cannot keep files.
func TestCheck(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := blob.NewFolder(filepath.Join(file, "x")).Check(t.Context()); err == nil {
		t.Error("a folder inside a file passes")
	}
	backend := s3mem.New()
	p := openBucket(t, backend)
	if err := p.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if err := backend.DeleteBucket("files"); err != nil {
		t.Fatal(err)
	}
	if err := p.Check(t.Context()); err == nil {
		t.Error("a bucket that is not there passes")
	}
}
