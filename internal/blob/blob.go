// Package blob keeps the content of files, in a folder or in a store that speaks
// the protocol of S3. What a file is called, and who may have it, is known
// elsewhere; here it has the ids of its workspace and its own.
//
// It imports the vocabulary alone. A file is there as a whole or not at all, and
// never changes.
package blob

import (
	"context"
	"fmt"
	"io"
	"strings"

	"parley"
)

// A Place is where files are. Its methods may be called by many goroutines.
type Place interface {
	// Put keeps all that content gives. It returns when that is durable; after
	// an error nothing is kept.
	Put(ctx context.Context, ws parley.WorkspaceID, file parley.ID, content io.Reader) error
	// Open returns the content of a file, or a NotFound error.
	Open(ctx context.Context, ws parley.WorkspaceID, file parley.ID) (io.ReadSeekCloser, error)
	// Delete forgets a file; one that is not there is no error.
	Delete(ctx context.Context, ws parley.WorkspaceID, file parley.ID) error
	// Check reports whether files can be kept there.
	Check(ctx context.Context) error
}

// Open returns the place that an address names: the path of a folder, which is
// made when the first file arrives, or "s3://bucket/prefix" with what OpenBucket
// reads behind a "?".
func Open(address string) (Place, error) {
	if strings.HasPrefix(address, "s3://") {
		return openBucket(address)
	}
	if scheme, _, found := strings.Cut(address, "://"); found {
		return nil, fmt.Errorf("files can be in a folder or at s3://, not at %s://", scheme)
	}
	return NewFolder(address), nil
}

// errGone is the error of a file that is not there.
func errGone() error { return parley.NotFoundf("the file is not there any more") }
