package faultfs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// blockSize is that of the disk, in bytes.
const blockSize = 4096

// A Mount is a folder that shows a disk.
//
// The process that mounts must not read or write files there, nor map them into its
// memory: it could wait for itself for ever. Copy them by another process first.
type Mount struct {
	folder string
	server *fuse.Server
}

// Mount shows the disk in an empty folder. It fails where the system lets this user
// mount nothing by FUSE, as in most containers.
func (d *Disk) Mount(folder string) (*Mount, error) {
	forever := time.Hour // names and sizes change by this mount alone
	server, err := fs.Mount(folder, &inode{disk: d, node: d.root}, &fs.Options{
		MountOptions:    fuse.MountOptions{FsName: "faultfs", Name: "faultfs", DirectMount: true, DisableXAttrs: true, ExplicitDataCacheControl: true},
		EntryTimeout:    &forever,
		AttrTimeout:     &forever,
		NullPermissions: true,
	})
	if err != nil {
		return nil, fmt.Errorf("mount by FUSE: %w", err)
	}
	return &Mount{folder, server}, nil
}

// Unmount removes the folder from the system, also while a process still uses it.
func (m *Mount) Unmount() error {
	if m.server.Unmount() == nil {
		return nil
	}
	if err := syscall.Unmount(m.folder, syscall.MNT_DETACH); err != nil {
		return fmt.Errorf("unmount %s: %w", m.folder, err)
	}
	return nil
}

// An inode shows a node to the kernel.
type inode struct {
	fs.Inode

	disk *Disk
	node *node
}

var _ interface {
	fs.NodeStatfser
	fs.NodeGetattrer
	fs.NodeSetattrer
	fs.NodeOpener
	fs.NodeReader
	fs.NodeWriter
	fs.NodeFsyncer
	fs.NodeLookuper
	fs.NodeReaddirer
	fs.NodeMkdirer
	fs.NodeCreater
	fs.NodeLinker
	fs.NodeUnlinker
	fs.NodeRmdirer
	fs.NodeRenamer
} = (*inode)(nil)

// child returns the inode of a node in this folder, and describes it.
func (i *inode) child(ctx context.Context, n *node, out *fuse.EntryOut) *fs.Inode {
	i.disk.mu.Lock()
	n.describe(&out.Attr)
	i.disk.mu.Unlock()
	return i.NewInode(ctx, &inode{disk: i.disk, node: n}, fs.StableAttr{Mode: n.mode & syscall.S_IFMT, Ino: n.id})
}

// describe is called while the disk is locked.
func (n *node) describe(out *fuse.Attr) {
	out.Ino, out.Mode, out.Nlink, out.Uid, out.Gid = n.id, n.mode, uint32(n.links), n.uid, n.gid
	out.Size, out.Blocks, out.Blksize = uint64(len(n.content)), uint64(len(n.content)+511)/512, blockSize
	out.SetTimes(&n.changed, &n.changed, &n.changed)
}

// Statfs tells how much of the disk is free; without a limit, 16 GiB.
func (i *inode) Statfs(_ context.Context, out *fuse.StatfsOut) syscall.Errno {
	i.disk.mu.Lock()
	defer i.disk.mu.Unlock()
	all := i.disk.capacity
	if all == 0 {
		all = i.disk.used + 16<<30
	}
	out.Bsize, out.Frsize, out.NameLen = blockSize, blockSize, 255
	out.Blocks = uint64(all / blockSize)
	out.Bfree = uint64(max(0, all-i.disk.used) / blockSize)
	out.Bavail = out.Bfree
	out.Files, out.Ffree = 1<<20, 1<<20
	return 0
}

// Getattr describes a file or folder.
func (i *inode) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	i.disk.mu.Lock()
	defer i.disk.mu.Unlock()
	i.node.describe(&out.Attr)
	return 0
}

// Setattr changes size, mode, owner or time. All but the size survives at once.
func (i *inode) Setattr(ctx context.Context, _ fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	if size, ok := in.GetSize(); ok {
		if err := i.disk.resize(i.node, int64(size)); err != 0 {
			return err
		}
	}
	i.disk.mu.Lock()
	if mode, ok := in.GetMode(); ok {
		i.node.mode = i.node.mode&syscall.S_IFMT | mode&0o7777
	}
	if uid, ok := in.GetUID(); ok {
		i.node.uid = uid
	}
	if gid, ok := in.GetGID(); ok {
		i.node.gid = gid
	}
	if changed, ok := in.GetMTime(); ok {
		i.node.changed = changed
	}
	i.disk.mu.Unlock()
	return i.Getattr(ctx, nil, out)
}

// Open opens a file. The kernel may keep what it has read.
func (i *inode) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	return nil, fuse.FOPEN_KEEP_CACHE, 0
}

// Read reads from a file.
func (i *inode) Read(_ context.Context, _ fs.FileHandle, into []byte, at int64) (fuse.ReadResult, syscall.Errno) {
	n, err := i.disk.read(i.node, into, at)
	return fuse.ReadResultData(into[:n]), err
}

// Write writes into a file.
func (i *inode) Write(_ context.Context, _ fs.FileHandle, content []byte, at int64) (uint32, syscall.Errno) {
	if err := i.disk.write(i.node, write{at, append([]byte{}, content...)}); err != 0 {
		return 0, err
	}
	return uint32(len(content)), 0
}

// Fsync syncs a file or folder.
func (i *inode) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	return i.disk.sync(i.node)
}

// Lookup finds a name in a folder.
func (i *inode) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	n := i.disk.lookup(i.node, name)
	if n == nil {
		return nil, syscall.ENOENT
	}
	return i.child(ctx, n, out), 0
}

// Readdir lists a folder.
func (i *inode) Readdir(context.Context) (fs.DirStream, syscall.Errno) {
	names := i.disk.list(i.node)
	var entries []fuse.DirEntry
	for _, name := range slices.Sorted(maps.Keys(names)) {
		entries = append(entries, fuse.DirEntry{Name: name, Mode: names[name].mode & syscall.S_IFMT, Ino: names[name].id})
	}
	return fs.NewListDirStream(entries), 0
}

// Mkdir makes a folder.
func (i *inode) Mkdir(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	return i.create(ctx, name, syscall.S_IFDIR|mode&0o7777, out)
}

// Create makes a file.
func (i *inode) Create(ctx context.Context, name string, _, mode uint32, out *fuse.EntryOut) (*fs.Inode, fs.FileHandle, uint32, syscall.Errno) {
	made, err := i.create(ctx, name, syscall.S_IFREG|mode&0o7777, out)
	return made, nil, fuse.FOPEN_KEEP_CACHE, err
}

func (i *inode) create(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	uid, gid := i.node.uid, i.node.gid
	if caller, ok := fuse.FromContext(ctx); ok {
		uid, gid = caller.Uid, caller.Gid
	}
	n, err := i.disk.create(i.node, name, mode, uid, gid)
	if err != 0 {
		return nil, err
	}
	return i.child(ctx, n, out), 0
}

// Link gives a file one more name.
func (i *inode) Link(ctx context.Context, target fs.InodeEmbedder, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	n := target.(*inode).node
	if err := i.disk.link(n, i.node, name); err != 0 {
		return nil, err
	}
	return i.child(ctx, n, out), 0
}

// Unlink removes the name of a file.
func (i *inode) Unlink(_ context.Context, name string) syscall.Errno {
	return i.disk.remove(i.node, name)
}

// Rmdir removes an empty folder.
func (i *inode) Rmdir(_ context.Context, name string) syscall.Errno {
	return i.disk.remove(i.node, name)
}

// Rename moves a file or folder.
func (i *inode) Rename(_ context.Context, name string, to fs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	if flags != 0 {
		return syscall.EINVAL
	}
	return i.disk.rename(i.node, name, to.(*inode).node, newName)
}
