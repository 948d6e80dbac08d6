// Package faultfs is a disk in memory that can lose its power, fill up, fail and
// be slow. It keeps what was written apart from what survives a power cut: the
// content of a file survives as of the last sync of the file, and a name as of
// the last sync of its folder. That is all that POSIX promises; most file systems
// keep more. On Linux, [Disk.Mount] makes it a folder for other processes, by
// FUSE.
//
// It is only for tests and imports nothing of this module.
package faultfs

import (
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"syscall"
	"time"
)

// An Op is what a process does to a disk.
type Op string

// The operations that a fault can meet.
const (
	OpRead   Op = "read"
	OpWrite  Op = "write"  // or truncate
	OpSync   Op = "sync"   // of a file or folder
	OpName   Op = "name"   // create, link or rename a file or folder
	OpRemove Op = "remove" // a name
)

// A Fault returns the error of an operation on a file, or 0. It gets the name of
// the file without its folder.
type Fault func(op Op, name string) syscall.Errno

// A Disk is a tree of files in memory. Its methods may be called at the same time.
type Disk struct {
	mu       sync.Mutex
	root     *node
	nodes    uint64 // made so far
	used     int64  // bytes
	capacity int64  // bytes; 0 is no limit
	off      bool   // without power
	fault    Fault
	syncTime time.Duration
	syncs    int
}

// A node is a file or folder.
type node struct {
	id       uint64
	name     string // the latest
	mode     uint32
	uid, gid uint32
	changed  time.Time
	links    int

	// Of a file: its content, the one that survives, and the writes between them.
	content, durable []byte
	writes           []write
	// Of a folder, nil for a file: the same for its names.
	names, durableNames map[string]*node
	changes             []change
}

// A write is content at an offset, or a new size if the content is nil.
type write struct {
	at      int64
	content []byte
}

// A change is what one operation does to the names of a folder; nil is removed.
type change map[string]*node

// New returns an empty disk, whose root is a folder of this user.
func New(uid, gid uint32) *Disk {
	d := &Disk{}
	d.root = d.make("", syscall.S_IFDIR|0o700, uid, gid)
	return d
}

func (d *Disk) make(name string, mode, uid, gid uint32) *node {
	d.nodes++
	n := &node{id: d.nodes, name: name, mode: mode, uid: uid, gid: gid, changed: time.Now(), links: 1}
	if mode&syscall.S_IFMT == syscall.S_IFDIR {
		n.names, n.durableNames = map[string]*node{}, map[string]*node{}
	}
	return n
}

// SetCapacity limits the disk to some bytes of content; 0 lifts the limit. What is
// beyond it stays.
func (d *Disk) SetCapacity(bytes int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.capacity = bytes
}

// Used returns the bytes of content.
func (d *Disk) Used() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.used
}

// Syncs returns how many files and folders were synced.
func (d *Disk) Syncs() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.syncs
}

// SetFault makes operations fail; nil ends that.
func (d *Disk) SetFault(f Fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fault = f
}

// SetSyncTime makes each sync take some time.
func (d *Disk) SetSyncTime(t time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.syncTime = t
}

// A Tear is how a power cut tears the writes since the last sync: each sector of a
// write survives or not, in any order. Of the names of a folder, the first changes
// survive.
type Tear struct {
	Random *rand.Rand
	Sector int64 // bytes, such as 512 or 4096
}

// Cut cuts the power: every later operation fails. It returns the disk as it is
// when the power is back, without what was not synced; with tear, with some of it.
func (d *Disk) Cut(tear *Tear) *Disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.off = true
	after := &Disk{nodes: d.nodes}
	after.root = after.survivor(d.root, tear, map[*node]*node{})
	return after
}

// survivor returns a copy of a node as it survives a cut. A file may have several
// names.
func (d *Disk) survivor(n *node, tear *Tear, done map[*node]*node) *node {
	if s := done[n]; s != nil {
		s.links++
		return s
	}
	s := &node{id: n.id, name: n.name, mode: n.mode, uid: n.uid, gid: n.gid, changed: n.changed, links: 1}
	done[n] = s
	if n.names == nil {
		s.durable = slices.Clone(n.durable)
		if tear != nil {
			s.durable = tear.content(s.durable, n.writes)
		}
		s.content = slices.Clone(s.durable)
		d.used += int64(len(s.content))
		return s
	}
	names := maps.Clone(n.durableNames)
	if tear != nil {
		for _, c := range n.changes[:tear.Random.IntN(len(n.changes)+1)] {
			c.apply(names)
		}
	}
	s.names = map[string]*node{}
	for _, name := range slices.Sorted(maps.Keys(names)) { // the random numbers meet the same files each time
		s.names[name] = d.survivor(names[name], tear, done)
		s.names[name].name = name
	}
	s.durableNames = maps.Clone(s.names)
	return s
}

// content adds some sectors of the writes to what survives for sure.
func (t *Tear) content(content []byte, writes []write) []byte {
	for _, w := range writes {
		if w.content == nil {
			if t.Random.IntN(2) == 0 {
				content = w.apply(content)
			}
			continue
		}
		for from := int64(0); from < int64(len(w.content)); {
			to := min(int64(len(w.content)), (w.at+from)/t.Sector*t.Sector+t.Sector-w.at)
			if t.Random.IntN(2) == 0 {
				content = write{w.at + from, w.content[from:to]}.apply(content)
			}
			from = to
		}
	}
	return content
}

// apply returns the content after a write.
func (w write) apply(content []byte) []byte {
	if w.content == nil {
		return resized(content, w.at)
	}
	content = resized(content, max(int64(len(content)), w.at+int64(len(w.content))))
	copy(content[w.at:], w.content)
	return content
}

// resized returns content of a size; what is new is 0.
func resized(content []byte, size int64) []byte {
	old := int64(len(content))
	if size <= old {
		return content[:size]
	}
	content = slices.Grow(content, int(size-old))[:size]
	clear(content[old:])
	return content
}

func (c change) apply(names map[string]*node) {
	for name, n := range c {
		if n == nil {
			delete(names, name)
		} else {
			names[name] = n
		}
	}
}

// change changes the names of a folder.
func (n *node) change(c change) {
	c.apply(n.names)
	n.changes = append(n.changes, c)
	n.changed = time.Now()
	for name, to := range c {
		if to != nil {
			to.name = name
		}
	}
}

// may returns the error that an operation meets, or 0. The disk must be locked.
func (d *Disk) may(op Op, n *node) syscall.Errno {
	if d.off {
		return syscall.EIO
	}
	if d.fault != nil {
		return d.fault(op, n.name)
	}
	return 0
}

// resize changes the size of a file.
func (d *Disk) resize(n *node, size int64) syscall.Errno {
	return d.write(n, write{at: size})
}

// write changes a file.
func (d *Disk) write(n *node, w write) syscall.Errno {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.may(OpWrite, n); err != 0 {
		return err
	}
	size := w.at
	if w.content != nil {
		size = max(int64(len(n.content)), w.at+int64(len(w.content)))
	}
	grows := size - int64(len(n.content))
	if d.capacity > 0 && grows > 0 && d.used+grows > d.capacity {
		return syscall.ENOSPC
	}
	d.used += grows
	n.content = w.apply(n.content)
	n.writes = append(n.writes, w)
	n.changed = time.Now()
	return 0
}

// read reads from a file and returns how much was there.
func (d *Disk) read(n *node, into []byte, at int64) (int, syscall.Errno) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.may(OpRead, n); err != 0 {
		return 0, err
	}
	if at >= int64(len(n.content)) {
		return 0, 0
	}
	return copy(into, n.content[at:]), 0
}

// sync makes a file or folder survive as it is when this call returns. What a failed sync
// of a file was to save is lost, as on Linux: reads find it, and later syncs do not save it.
func (d *Disk) sync(n *node) syscall.Errno {
	d.mu.Lock()
	wait := d.syncTime
	d.mu.Unlock()
	time.Sleep(wait)
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.may(OpSync, n); err != 0 {
		n.writes = nil
		return err
	}
	d.syncs++
	for _, w := range n.writes {
		n.durable = w.apply(n.durable)
	}
	for _, c := range n.changes {
		c.apply(n.durableNames)
	}
	n.writes, n.changes = nil, nil
	return 0
}

// create makes a file or folder.
func (d *Disk) create(folder *node, name string, mode, uid, gid uint32) (*node, syscall.Errno) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := d.make(name, mode, uid, gid)
	if err := d.may(OpName, n); err != 0 {
		return nil, err
	}
	if folder.names[name] != nil {
		return nil, syscall.EEXIST
	}
	folder.change(change{name: n})
	return n, 0
}

// link gives a file one more name.
func (d *Disk) link(n, folder *node, name string) syscall.Errno {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.may(OpName, n); err != 0 {
		return err
	}
	if folder.names[name] != nil {
		return syscall.EEXIST
	}
	n.links++
	folder.change(change{name: n})
	return 0
}

// remove removes a name, of a folder only if it is empty.
func (d *Disk) remove(folder *node, name string) syscall.Errno {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := folder.names[name]
	if n == nil {
		return syscall.ENOENT
	}
	if err := d.may(OpRemove, n); err != 0 {
		return err
	}
	if len(n.names) > 0 {
		return syscall.ENOTEMPTY
	}
	d.unlink(n)
	folder.change(change{name: nil})
	return 0
}

// unlink takes a name of a file away. Its space is free without its last name, though it
// may be open.
func (d *Disk) unlink(n *node) {
	if n.links--; n.links == 0 {
		d.used -= int64(len(n.content))
	}
}

// rename moves a file or folder, over a file that may have the new name. Between two
// folders it is two changes, each of which survives by itself.
func (d *Disk) rename(from *node, name string, to *node, newName string) syscall.Errno {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := from.names[name]
	if n == nil {
		return syscall.ENOENT
	}
	if err := d.may(OpName, n); err != 0 {
		return err
	}
	if over := to.names[newName]; over == n {
		return 0
	} else if over != nil {
		if len(over.names) > 0 {
			return syscall.ENOTEMPTY
		}
		d.unlink(over)
	}
	if from == to {
		from.change(change{name: nil, newName: n})
		return 0
	}
	to.change(change{newName: n})
	from.change(change{name: nil})
	return 0
}

// lookup returns what has a name, or nil.
func (d *Disk) lookup(folder *node, name string) *node {
	d.mu.Lock()
	defer d.mu.Unlock()
	return folder.names[name]
}

// list returns a copy of the names of a folder.
func (d *Disk) list(folder *node) map[string]*node {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(folder.names)
}
