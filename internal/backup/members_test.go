package backup_test

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"parley/internal/backup"
	"parley/internal/store/storetest"
)

// A member is a file of the archive.
type member struct {
	name    string
	content []byte
}

func membersOf(t *testing.T, content []byte) (all []member) {
	t.Helper()
	packed, err := zstd.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	for archive := tar.NewReader(packed); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, member{header.Name, content})
	}
}

// pack makes a file whose sum is right, whatever its members are. Without an end, the
// archive lacks the blocks that end it.
func pack(t *testing.T, members []member, end bool) []byte {
	t.Helper()
	var out bytes.Buffer
	packed, err := zstd.NewWriter(&out)
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewWriter(packed)
	for _, m := range members {
		err := archive.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: m.name, Size: int64(len(m.content)), Mode: 0o600})
		if _, failed := archive.Write(m.content); err != nil || failed != nil {
			t.Fatal(err, failed)
		}
	}
	if end {
		err = archive.Close()
	} else {
		err = archive.Flush()
	}
	if err = errors.Join(err, packed.Close()); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(out.Bytes())
	return slices.Concat(out.Bytes(), []byte{0x50, 0x2a, 0x4d, 0x18, sha256.Size, 0, 0, 0}, sum[:])
}

// TestVerifyComparesMembers leaves out, repeats, swaps and adds members, and cuts the
// archive at the end of each, all with the right sum of the whole. The short form does
// that to some of them.
func TestVerifyComparesMembers(t *testing.T) {
	s := newSource(t, "sqlite", rand.New(rand.NewPCG(31, 32)))
	members := membersOf(t, s.create(t))
	verify := func(what string, wrong []member) {
		for _, end := range []bool{true, false} {
			if _, err := backup.Verify(t.Context(), bytes.NewReader(pack(t, wrong, end)), nil); err == nil {
				t.Errorf("%s (with an end: %t): it passes", what, end)
			}
		}
	}
	if _, err := backup.Verify(t.Context(), bytes.NewReader(pack(t, members, true)), nil); err != nil {
		t.Fatalf("the control, packed again: %v", err)
	}
	for i, m := range members {
		if !torture && i%(4*pace()) != 1 && i < len(members)-2 {
			continue
		}
		verify("without "+m.name, slices.Delete(slices.Clone(members), i, i+1))
		verify("twice "+m.name, slices.Insert(slices.Clone(members), i, m))
		verify("ends behind "+m.name, members[:i])
		verify(m.name+" again behind the sums", append(slices.Clone(members), m))
		if i > 0 {
			swapped := slices.Clone(members)
			swapped[i-1], swapped[i] = swapped[i], swapped[i-1]
			verify(fmt.Sprintf("%s before %s", m.name, members[i-1].name), swapped)
		}
	}
	verify("something behind the sums", append(slices.Clone(members), member{"rows/contacts/000002.ndjson", []byte("[]\n")}))
}

// TestNewerBackups changes what a manifest says to what a newer program may write: the
// answer is to use one.
func TestNewerBackups(t *testing.T) {
	members := membersOf(t, newSource(t, "sqlite", rand.New(rand.NewPCG(33, 34))).create(t))
	for old, change := range map[string]struct{ to, want string }{
		`"format": "parley-backup/1"`: {`"format": "parley-backup/2"`, "the format parley-backup/2, made by Parley test; this program reads parley-backup/1: use a newer program"},
		`"schema": `:                  {`"schema": 9`, "made by Parley test; this program knows "},
	} {
		newer := slices.Clone(members)
		newer[0].content = bytes.Replace(newer[0].content, []byte(old), []byte(change.to), 1)
		content := pack(t, newer, true)
		if _, err := backup.Verify(t.Context(), bytes.NewReader(content), nil); err == nil || !strings.Contains(err.Error(), change.want) {
			t.Errorf("%s is checked: %v", change.to, err)
		}
		o := storetest.SQLite(t)
		if _, err := backup.Restore(t.Context(), opening(content), nil, target(o, newMemory())); err == nil || !strings.Contains(err.Error(), "use a newer program") {
			t.Errorf("%s is restored: %v", change.to, err)
		}
		if left, err := filepath.Glob(filepath.Join(o.Dir, "parley.db*")); err != nil || len(left) > 0 {
			t.Errorf("%s: %v is left, %v", change.to, left, err)
		}
	}
}
