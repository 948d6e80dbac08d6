package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"parley"
)

// A Bucket stores files in an S3-compatible bucket.
type Bucket struct {
	client       *minio.Client
	name, prefix string
}

// openBucket parses an address such as
//
//	s3://bucket/prefix?endpoint=https://s3.example:9000&region=eu-central-1&path-style=true
//
// The default endpoint is Amazon's. The address does not contain credentials:
// they come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and
// AWS_SESSION_TOKEN), or from the file of AWS_SHARED_CREDENTIALS_FILE, or from
// the role of the machine.
func openBucket(address string) (*Bucket, error) {
	at, err := url.Parse(address)
	if err != nil || at.Host == "" || at.User != nil || at.Fragment != "" {
		return nil, errors.New("the address of a bucket must be s3://bucket/prefix?endpoint=…&region=…, without credentials")
	}
	query := at.Query()
	for name := range query {
		if name != "endpoint" && name != "region" && name != "path-style" {
			return nil, fmt.Errorf("the address of a bucket has no %q; it knows endpoint, region and path-style", name)
		}
	}
	endpoint, err := url.Parse(query.Get("endpoint"))
	if query.Get("endpoint") == "" {
		endpoint, err = url.Parse("https://s3.amazonaws.com")
	}
	if err != nil || endpoint.Host == "" || endpoint.Path != "" || endpoint.Scheme != "https" && endpoint.Scheme != "http" {
		return nil, errors.New("the endpoint of a bucket must be an address such as https://s3.example:9000")
	}
	options := &minio.Options{
		Creds:  credentials.NewChainCredentials([]credentials.Provider{&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{}}),
		Secure: endpoint.Scheme == "https", Region: query.Get("region"),
	}
	if query.Get("path-style") == "true" {
		options.BucketLookup = minio.BucketLookupPath
	}
	client, err := minio.New(endpoint.Host, options)
	if err != nil {
		return nil, fmt.Errorf("the address of a bucket: %w", err)
	}
	return &Bucket{client: client, name: at.Host, prefix: strings.Trim(at.Path, "/")}, nil
}

// keyOf returns the object key of a file. It consists of ids only.
func (b *Bucket) keyOf(ws parley.WorkspaceID, file parley.ID) string {
	key := ws.String() + "/" + file.String()
	if b.prefix != "" {
		key = b.prefix + "/" + key
	}
	return key
}

// Put receives the whole file before it uploads it. S3 requires the size in
// advance, a slow client then occupies neither memory nor a connection to S3,
// and an aborted upload leaves nothing in the bucket.
func (b *Bucket) Put(ctx context.Context, ws parley.WorkspaceID, file parley.ID, content io.Reader) error {
	draft, err := os.CreateTemp("", "parley-upload-")
	if err != nil {
		return fmt.Errorf("make a file: %w", err)
	}
	// Remove the name at once, so that a crash leaves nothing on the disk.
	// Systems that do not allow that remove the file when it is closed.
	unnamed := os.Remove(draft.Name()) == nil
	defer func() {
		_ = draft.Close() // the bucket has the content
		if !unnamed {
			_ = os.Remove(draft.Name())
		}
	}()
	size, err := io.Copy(draft, content)
	if err != nil {
		return fmt.Errorf("write a file: %w", err)
	}
	if _, err := draft.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read a file: %w", err)
	}
	_, err = b.client.PutObject(ctx, b.name, b.keyOf(ws, file), draft, size, minio.PutObjectOptions{
		ContentType: "application/octet-stream", DisableMultipart: true,
	})
	return err
}

// Open returns a file whose content is fetched while it is read.
func (b *Bucket) Open(ctx context.Context, ws parley.WorkspaceID, file parley.ID) (io.ReadSeekCloser, error) {
	// Reading may take longer than the request that opens the file, and ends
	// with Close.
	object, err := b.client.GetObject(context.WithoutCancel(ctx), b.name, b.keyOf(ws, file), minio.GetObjectOptions{})
	if err != nil {
		return nil, err
	}
	if _, err := object.Stat(); err != nil {
		_ = object.Close() // nothing was read
		if minio.ToErrorResponse(err).StatusCode == http.StatusNotFound {
			return nil, errGone()
		}
		return nil, err
	}
	return object, nil
}

// Delete deletes a file. S3 reports success for a missing one.
func (b *Bucket) Delete(ctx context.Context, ws parley.WorkspaceID, file parley.ID) error {
	return b.client.RemoveObject(ctx, b.name, b.keyOf(ws, file), minio.RemoveObjectOptions{})
}

// Check reports whether the bucket exists and is accessible with these
// credentials.
func (b *Bucket) Check(ctx context.Context) error {
	there, err := b.client.BucketExists(ctx, b.name)
	if err == nil && !there {
		err = fmt.Errorf("there is no bucket %s", b.name)
	}
	return err
}
