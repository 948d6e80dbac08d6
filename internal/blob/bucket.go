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

// A Bucket keeps files in a bucket of a store that speaks the protocol of S3.
type Bucket struct {
	client       *minio.Client
	name, prefix string
}

// openBucket reads an address such as
//
//	s3://bucket/prefix?endpoint=https://s3.example:9000&region=eu-central-1&path-style=true
//
// Without an endpoint it is Amazon's. The credentials are not part of it: they
// come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (and AWS_SESSION_TOKEN),
// else from the file of AWS_SHARED_CREDENTIALS_FILE, else from the machine's
// role.
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

// keyOf returns the name of a file in the bucket, made of ids alone.
func (b *Bucket) keyOf(ws parley.WorkspaceID, file parley.ID) string {
	key := ws.String() + "/" + file.String()
	if b.prefix != "" {
		key = b.prefix + "/" + key
	}
	return key
}

// Put takes all of a file in before it sends it: S3 wants to know how much
// comes, a slow uploader holds no connection to it and no memory, and nothing is
// left there of what did not arrive.
func (b *Bucket) Put(ctx context.Context, ws parley.WorkspaceID, file parley.ID, content io.Reader) error {
	draft, err := os.CreateTemp("", "parley-upload-")
	if err != nil {
		return fmt.Errorf("make a file: %w", err)
	}
	// It loses its name at once, so that a crash leaves nothing of it on the disk;
	// a system that does not allow that lets it go when it is closed.
	unnamed := os.Remove(draft.Name()) == nil
	defer func() {
		_ = draft.Close() // what counts is in the bucket
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

// Open asks for a file; its content is fetched while it is read.
func (b *Bucket) Open(ctx context.Context, ws parley.WorkspaceID, file parley.ID) (io.ReadSeekCloser, error) {
	// Reading may take longer than the request that asks has, and ends with Close.
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

// Delete removes a file, which S3 takes for done where there is none.
func (b *Bucket) Delete(ctx context.Context, ws parley.WorkspaceID, file parley.ID) error {
	return b.client.RemoveObject(ctx, b.name, b.keyOf(ws, file), minio.RemoveObjectOptions{})
}

// Check reports whether the bucket is there for these credentials.
func (b *Bucket) Check(ctx context.Context) error {
	there, err := b.client.BucketExists(ctx, b.name)
	if err == nil && !there {
		err = fmt.Errorf("there is no bucket %s", b.name)
	}
	return err
}
