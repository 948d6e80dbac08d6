package faultfs

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// A tree changes a disk, and fails the test where that fails.
type tree struct {
	*Disk

	t *testing.T
}

func newTree(t *testing.T) tree { return tree{New(1, 1), t} }

func (x tree) must(err syscall.Errno) {
	x.t.Helper()
	if err != 0 {
		x.t.Fatal(err)
	}
}

// file makes a file in the root.
func (x tree) file(name, content string) *node {
	x.t.Helper()
	n, err := x.create(x.root, name, syscall.S_IFREG|0o600, 1, 1)
	x.must(err)
	x.put(n, 0, content)
	return n
}

func (x tree) put(n *node, at int64, content string) {
	x.t.Helper()
	x.must(x.write(n, write{at, []byte(content)}))
}

// shows requires the files of the root, as "name=content …".
func (x tree) shows(d *Disk, want string) {
	x.t.Helper()
	var got []string
	for name, n := range d.list(d.root) {
		text := make([]byte, 100)
		size, err := d.read(n, text, 0)
		x.must(err)
		got = append(got, name+"="+string(text[:size]))
	}
	slices.Sort(got)
	if all := strings.Join(got, " "); all != want {
		x.t.Errorf("the disk has %q, want %q", all, want)
	}
}

// TestCutForgets cuts the power: what was not synced is gone, of files and of names.
func TestCutForgets(t *testing.T) {
	x := newTree(t)
	synced, short := x.file("a", "one"), x.file("b", "twenty")
	x.must(x.sync(synced))
	x.must(x.sync(short))
	x.must(x.sync(x.root))
	x.put(synced, 3, " more")
	x.must(x.resize(short, 2))
	nameless := x.file("c", "three")
	x.must(x.sync(nameless))
	x.must(x.rename(x.root, "b", x.root, "d"))
	x.must(x.link(synced, x.root, "e"))
	x.shows(x.Disk, "a=one more c=three d=tw e=one more")
	after := x.Cut(nil)
	x.shows(after, "a=one b=twenty")
	if err := x.write(synced, write{0, []byte("late")}); err != syscall.EIO {
		t.Errorf("a write without power: %v", err)
	}
	if got := after.Used(); got != 9 {
		t.Errorf("%d bytes are used", got)
	}
}

// TestCutKeeps syncs everything before the cut.
func TestCutKeeps(t *testing.T) {
	x := newTree(t)
	a := x.file("a", "one")
	x.file("over", "old")
	x.must(x.rename(x.root, "a", x.root, "over"))
	x.must(x.link(a, x.root, "b"))
	x.must(x.resize(a, 5))
	x.put(a, 7, "!")
	x.must(x.sync(a))
	x.must(x.sync(x.root))
	x.shows(x.Cut(nil), "b=one\x00\x00\x00\x00! over=one\x00\x00\x00\x00!")
}

// TestCutTears tears a write of three sectors and the names of two files many times:
// each sector is old or new, all mixtures happen, and the second name never comes
// without the first.
func TestCutTears(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	mixtures, names := map[string]bool{}, map[string]bool{}
	for range 500 {
		x := newTree(t)
		f := x.file("f", strings.Repeat("a", 1536))
		x.must(x.sync(f))
		x.must(x.sync(x.root))
		x.put(f, 0, strings.Repeat("b", 1536))
		x.file("g", "")
		x.file("h", "")
		after := x.Cut(&Tear{random, 512})
		content := after.root.names["f"].content
		mixture := ""
		for sector := range slices.Chunk(content, 512) {
			if !bytes.Equal(sector, bytes.Repeat(sector[:1], 512)) {
				t.Fatal("a sector is torn")
			}
			mixture += string(sector[:1])
		}
		mixtures[mixture] = true
		all := ""
		for _, name := range []string{"g", "h"} {
			if after.root.names[name] != nil {
				all += name
			}
		}
		names[all] = true
	}
	if len(mixtures) != 8 || len(names) != 3 || names["h"] {
		t.Errorf("the cuts left %v and %v", mixtures, names)
	}
}

// TestFailedSyncLoses makes a sync fail: what it was to save does not survive, though a
// later sync succeeds.
func TestFailedSyncLoses(t *testing.T) {
	x := newTree(t)
	f := x.file("f", "one")
	x.must(x.sync(f))
	x.must(x.sync(x.root))
	x.put(f, 0, "two")
	x.SetFault(func(op Op, name string) syscall.Errno {
		if op == OpSync && name == "f" {
			return syscall.EIO
		}
		return 0
	})
	if err := x.sync(f); err != syscall.EIO {
		t.Errorf("the sync: %v", err)
	}
	x.SetFault(nil)
	x.must(x.sync(f))
	x.shows(x.Disk, "f=two")
	x.shows(x.Cut(nil), "f=one")
}

// TestCapacity fills a disk, and makes room by removing a file.
func TestCapacity(t *testing.T) {
	x := newTree(t)
	x.SetCapacity(10)
	f := x.file("f", "12345678")
	if err := x.write(f, write{8, []byte("9ab")}); err != syscall.ENOSPC {
		t.Errorf("a write beyond the capacity: %v", err)
	}
	x.put(f, 0, "overwritt")
	x.must(x.remove(x.root, "f"))
	x.file("g", "1234567890")
	if got := x.Used(); got != 10 {
		t.Errorf("%d bytes are used", got)
	}
}
