package blob_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"parley/internal/blob"
)

// eachShelf runs a test on a folder and in a bucket. read returns a file.
func eachShelf(t *testing.T, test func(t *testing.T, s blob.Shelf, read func(name string) []byte)) {
	open := func(t *testing.T, address string) blob.Shelf {
		t.Helper()
		s, err := blob.OpenShelf(address)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	t.Run("folder", func(t *testing.T) {
		root := t.TempDir()
		test(t, open(t, root), func(name string) []byte {
			content, err := os.ReadFile(filepath.Join(root, name))
			if err != nil {
				t.Fatal(err)
			}
			return content
		})
	})
	for name, prefix := range map[string]string{"bucket": "", "prefix": "deep/er"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("AWS_ACCESS_KEY_ID", "key")
			t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
			backend := s3mem.New()
			if err := backend.CreateBucket("files"); err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(gofakes3.New(backend).Server())
			t.Cleanup(server.Close)
			s := open(t, "s3://files/"+prefix+"?region=eu-central-1&path-style=true&endpoint="+server.URL)
			test(t, s, func(name string) []byte {
				object, err := backend.GetObject("files", filepath.ToSlash(filepath.Join(prefix, name)), nil)
				if err != nil {
					t.Fatal(err)
				}
				content, err := io.ReadAll(object.Contents)
				if err != nil {
					t.Fatal(err)
				}
				return content
			})
		})
	}
}

// TestShelf writes, lists and deletes files, one of them longer than a part.
func TestShelf(t *testing.T) {
	eachShelf(t, func(t *testing.T, s blob.Shelf, read func(string) []byte) {
		if err := s.Check(t.Context()); err != nil {
			t.Fatal(err)
		}
		long := bytes.Repeat([]byte("0123456789"), 3_500_000)
		for name, content := range map[string][]byte{"long": long, "short": []byte("x")} {
			err := s.Write(t.Context(), name, func(out io.Writer) error {
				_, err := out.Write(content)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := read(name); !bytes.Equal(got, content) {
				t.Errorf("%s has %d bytes, want %d", name, len(got), len(content))
			}
		}
		wantNames(t, s, "long", "short")
		for range 2 { // what is gone may be deleted again
			if err := s.Delete(t.Context(), "long"); err != nil {
				t.Error(err)
			}
		}
		wantNames(t, s, "short")
	})
}

// TestShelfReplaces keeps a small file under one name, beside a file that is being
// written, whose draft stays.
func TestShelfReplaces(t *testing.T) {
	eachShelf(t, func(t *testing.T, s blob.Shelf, _ func(string) []byte) {
		if content, err := s.Read(t.Context(), "list.json"); content != nil || err != nil {
			t.Errorf("what is not there is %q, %v", content, err)
		}
		err := s.Write(t.Context(), "large", func(out io.Writer) error {
			for _, text := range []string{"old", "new and longer", "new"} {
				if err := s.Replace(t.Context(), "list.json", []byte(text)); err != nil {
					t.Error(err)
				}
				if content, err := s.Read(t.Context(), "list.json"); string(content) != text || err != nil {
					t.Errorf("read %q, %v, want %q", content, err, text)
				}
			}
			_, err := io.WriteString(out, "x")
			return err
		})
		if err != nil {
			t.Error(err)
		}
		wantNames(t, s, "large", "list.json")
	})
}

// TestShelfWriteFails breaks a file off: nothing of it is there, and the next one
// is written.
func TestShelfWriteFails(t *testing.T) {
	eachShelf(t, func(t *testing.T, s blob.Shelf, _ func(string) []byte) {
		broken := errors.New("the store is away")
		err := s.Write(t.Context(), "half", func(out io.Writer) error {
			_, err := out.Write(make([]byte, 40<<20))
			return errors.Join(err, broken)
		})
		if !errors.Is(err, broken) {
			t.Errorf("the error is %v", err)
		}
		wantNames(t, s)
		err = s.Write(t.Context(), "whole", func(out io.Writer) error {
			_, err := io.WriteString(out, "x")
			return err
		})
		if err != nil {
			t.Error(err)
		}
		wantNames(t, s, "whole")
	})
}

// TestShelfDrafts finds what a process that died left of a file, beside what another
// command is writing.
func TestShelfDrafts(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"half.unfinished", "other.draft"} {
		if err := os.WriteFile(filepath.Join(root, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := blob.OpenShelf(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Write(t.Context(), "whole", func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	wantNames(t, s, "other.draft", "whole")
}

// TestShelfWithoutFolder writes to a folder on a disk that is not mounted: it fails,
// and makes nothing in its place.
func TestShelfWithoutFolder(t *testing.T) {
	root := filepath.Join(t.TempDir(), "disk", "backups")
	s, err := blob.OpenShelf(root)
	if err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"checking": s.Check(t.Context()),
		"writing":  s.Write(t.Context(), "x", func(io.Writer) error { return nil }),
	} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := os.Stat(filepath.Dir(root)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was made: %v", err)
	}
}

func wantNames(t *testing.T, s blob.Shelf, want ...string) {
	t.Helper()
	names, err := s.List(t.Context())
	slices.Sort(names)
	if err != nil || !slices.Equal(names, want) {
		t.Errorf("there are %v, %v, want %v", names, err, want)
	}
}
