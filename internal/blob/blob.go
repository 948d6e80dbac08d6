// Package blob stores the contents of files, in a folder or in an S3-compatible
// bucket. It identifies a file only by the ids of its workspace and of the
// file; names and permissions are kept elsewhere.
//
// It imports only the vocabulary. A file is stored completely or not at all,
// and never changes.
package blob

import (
	"context"
	"fmt"
	"io"
	"strings"

	"parley"
)

// A Place is a store for files. Its methods are safe for concurrent use.
type Place interface {
	// Put stores everything that content returns. When it returns, the file is
	// durable; after an error nothing is stored.
	Put(ctx context.Context, ws parley.WorkspaceID, file parley.ID, content io.Reader) error
	// Open returns the content of a file, or a NotFound error.
	Open(ctx context.Context, ws parley.WorkspaceID, file parley.ID) (io.ReadSeekCloser, error)
	// Delete deletes a file. It is not an error if the file does not exist.
	Delete(ctx context.Context, ws parley.WorkspaceID, file parley.ID) error
	// Check reports whether files can be stored.
	Check(ctx context.Context) error
}

// Open returns the Place for an address: the path of a folder, which is created
// when the first file arrives, or "s3://bucket/prefix" with the query that
// openBucket accepts.
func Open(address string) (Place, error) {
	if strings.HasPrefix(address, "s3://") {
		return openBucket(address)
	}
	if scheme, _, found := strings.Cut(address, "://"); found {
		return nil, fmt.Errorf("files can be in a folder or at s3://, not at %s://", scheme)
	}
	return NewFolder(address), nil
}

// errGone returns the error for a file that does not exist.
func errGone() error { return parley.NotFoundf("the file is not there any more") }
