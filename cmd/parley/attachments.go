package main

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"parley"
	"parley/internal/blob"
	"parley/internal/desk"
)

// attachmentFlags are the place of files and the limit of their size.
type attachmentFlags struct {
	place     string // a folder, or s3://bucket; empty: a folder in the data folder
	maxUpload int    // in MiB; 0: the default
	quota     int    // in GiB; 0: the default
}

// mostUpload is the highest limit of an upload, in MiB. S3 accepts more in one
// request, but no browser can send it in the time for an upload.
const mostUpload = 1024

// mostQuota is the largest --upload-quota, in GiB.
const mostQuota = 100_000

// placeTime is how long the place of files may take to answer at startup.
const placeTime = 15 * time.Second

func (f *attachmentFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.place, "attachments", "", "where uploaded files are kept: a folder, or s3://bucket/prefix?endpoint=…&region=… (default: the folder attachments in the data folder)")
	flags.IntVar(&f.maxUpload, "max-upload", parley.MaxUpload>>20, "size of the largest file that can be uploaded, in MiB")
	flags.IntVar(&f.quota, "upload-quota", parley.MaxTeamWaitingBytes>>30, "how much members and keys of a workspace may upload that no message takes, in GiB")
}

func (f *attachmentFlags) check() error {
	if f.maxUpload < 1 || f.maxUpload > mostUpload {
		return fmt.Errorf("--max-upload: must be from 1 to %d", mostUpload)
	}
	if f.quota < 1 || f.quota > mostQuota {
		return fmt.Errorf("--upload-quota: must be from 1 to %d", mostQuota)
	}
	return nil
}

// folder returns the folder for files, or "" for the default folder or a
// bucket.
func (f *attachmentFlags) folder() string {
	if strings.Contains(f.place, "://") {
		return ""
	}
	return f.place
}

// written returns the folders on whose disks the server writes.
func (f *attachmentFlags) written(data string, embedded bool) map[string]string {
	folders := map[string]string{"attachments": f.folder()}
	if f.place == "" {
		folders["attachments"] = filepath.Join(data, attachmentsFolder)
	}
	if embedded {
		folders["data"] = data
	}
	return folders
}

// openPlace opens the place of files and checks that it works. Without f
// nothing can be uploaded.
func (c *cli) openPlace(ctx context.Context, f *attachmentFlags, log *slog.Logger) (desk.Files, error) {
	if f == nil {
		return nil, nil
	}
	address := f.place
	if address == "" {
		address = filepath.Join(c.data, attachmentsFolder)
		if c.database != "" {
			log.Info("files: stored on this machine; nodes that share a database need one --attachments, a shared folder or a bucket", "folder", address)
		}
	}
	place, err := blob.Open(address)
	if err != nil {
		return nil, fmt.Errorf("--attachments: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, placeTime)
	defer cancel()
	if err := place.Check(ctx); err != nil {
		return nil, fmt.Errorf("--attachments: no file can be kept there: %w", err)
	}
	return place, nil
}
