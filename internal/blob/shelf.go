package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/minio/minio-go/v7"

	"parley/internal/durable"
)

// A Shelf stores large files under readable names. A file is complete or does not
// exist. The methods are safe for concurrent use.
type Shelf interface {
	// Write stores what fill writes; after an error, nothing.
	Write(ctx context.Context, name string, fill func(io.Writer) error) error
	// List returns the names of all files.
	List(ctx context.Context) ([]string, error)
	// Delete deletes a file. It is not an error if the file does not exist.
	Delete(ctx context.Context, name string) error
	// Replace stores a small file in the place of one of that name. It may be called
	// beside Write.
	Replace(ctx context.Context, name string, content []byte) error
	// Read returns a small file, or nil if there is none.
	Read(ctx context.Context, name string) ([]byte, error)
	// Check reports whether files can be stored.
	Check(ctx context.Context) error
}

// OpenShelf returns the Shelf at an address, as for [Open].
func OpenShelf(address string) (Shelf, error) {
	place, err := Open(address)
	if err != nil {
		return nil, err
	}
	if bucket, ok := place.(*Bucket); ok {
		return bucketShelf{bucket}, nil
	}
	return folderShelf{NewFolder(address)}, nil
}

// draftEnd ends the name of a file that is being written. A crash leaves the file;
// the next Write deletes it. The ending is unusual, so that Write does not delete a
// draft of another program that uses the folder against the advice.
const draftEnd = ".unfinished"

// A folderShelf is a folder that no other program should write to. It is never
// created: if it is missing, its disk is not mounted.
type folderShelf struct{ *Folder }

func (f folderShelf) Check(ctx context.Context) error {
	info, err := os.Stat(f.root)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a folder", f.root)
	}
	if err != nil {
		return err
	}
	return f.Folder.Check(ctx)
}

func (f folderShelf) Write(_ context.Context, name string, fill func(io.Writer) error) error {
	if err := f.deleteDrafts(); err != nil {
		return err
	}
	draft, err := os.OpenFile(filepath.Join(f.root, name+draftEnd), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(draft.Name()) }() // it was renamed, or failed
	err = fill(draft)
	if err == nil {
		err = draft.Sync()
	}
	if err := errors.Join(err, draft.Close()); err != nil {
		return err
	}
	if err := os.Rename(draft.Name(), filepath.Join(f.root, name)); err != nil {
		return err
	}
	return durable.Sync(f.root)
}

// Replace writes beside the file and renames. What it writes to is no draft of Write,
// which another node would delete.
func (f folderShelf) Replace(_ context.Context, name string, content []byte) error {
	draft, err := os.CreateTemp(f.root, name+".new*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(draft.Name()) }() // it was renamed, or failed
	_, err = draft.Write(content)
	if err := errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return err
	}
	if err := os.Rename(draft.Name(), filepath.Join(f.root, name)); err != nil {
		return err
	}
	return durable.Sync(f.root)
}

func (f folderShelf) Read(_ context.Context, name string) ([]byte, error) {
	content, err := os.ReadFile(filepath.Join(f.root, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return content, err
}

func (f folderShelf) deleteDrafts() error {
	entries, err := os.ReadDir(f.root)
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), draftEnd) {
			err = errors.Join(err, remove(filepath.Join(f.root, entry.Name())))
		}
	}
	return err
}

func (f folderShelf) List(context.Context) ([]string, error) {
	entries, err := os.ReadDir(f.root)
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	return names, err
}

func (f folderShelf) Delete(_ context.Context, name string) error {
	return remove(filepath.Join(f.root, name))
}

// shelfPart is how many bytes of a file are in memory, and in one request to S3. S3
// allows 10,000 parts, so a file has at most 320 GB.
const shelfPart = 32 << 20

type bucketShelf struct{ *Bucket }

func (b bucketShelf) keyOf(name string) string {
	if b.prefix == "" {
		return name
	}
	return b.prefix + "/" + name
}

// Write uploads in parts while fill writes. S3 shows the file once it has all parts.
func (b bucketShelf) Write(ctx context.Context, name string, fill func(io.Writer) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out, in := io.Pipe()
	filled := make(chan error, 1)
	go func() {
		err := fill(in)
		filled <- err
		_ = in.CloseWithError(err) // never fails
	}()
	_, err := b.client.PutObject(ctx, b.name, b.keyOf(name), out, -1, minio.PutObjectOptions{
		ContentType: "application/octet-stream", PartSize: shelfPart,
		// Each part has one sum. Signing its chunks too is beyond many servers.
		DisableContentSha256: true, SendContentMd5: true,
	})
	_ = out.CloseWithError(errors.New("the upload ended")) // frees fill, if it still writes
	if failed := <-filled; failed != nil && err == nil {
		err = failed
	}
	if err != nil {
		return fmt.Errorf("upload to the bucket: %w", err)
	}
	return nil
}

func (b bucketShelf) List(ctx context.Context) ([]string, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	prefix := b.keyOf("")
	var names []string
	for object := range b.client.ListObjects(ctx, b.name, minio.ListObjectsOptions{Prefix: prefix}) {
		if object.Err != nil {
			return nil, object.Err
		}
		names = append(names, strings.TrimPrefix(object.Key, prefix))
	}
	return names, nil
}

func (b bucketShelf) Replace(ctx context.Context, name string, content []byte) error {
	_, err := b.client.PutObject(ctx, b.name, b.keyOf(name), bytes.NewReader(content), int64(len(content)), minio.PutObjectOptions{
		ContentType: "application/octet-stream", DisableContentSha256: true, SendContentMd5: true,
	})
	return err
}

func (b bucketShelf) Read(ctx context.Context, name string) ([]byte, error) {
	object, err := b.client.GetObject(ctx, b.name, b.keyOf(name), minio.GetObjectOptions{})
	if err != nil {
		return nil, err
	}
	defer func() { _ = object.Close() }() // it was only read
	content, err := io.ReadAll(object)
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return nil, nil
	}
	return content, err
}

func (b bucketShelf) Delete(ctx context.Context, name string) error {
	return b.client.RemoveObject(ctx, b.name, b.keyOf(name), minio.RemoveObjectOptions{})
}
