package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/spf13/pflag"

	"parley/internal/backup"
	"parley/internal/backup/schedule"
	"parley/internal/blob"
	"parley/internal/expiry"
	"parley/internal/timer"
)

// scheduleFlags are the settings of the backups that the server makes on a schedule.
type scheduleFlags struct {
	to         string // a folder, s3://bucket, noBackups, or "" if not given
	every      time.Duration
	keep       schedule.Keep
	recipients []age.Recipient
	lost       int // how many lost files a backup may have before it counts as failed
}

// noBackups is the value of --backup-to that ends a schedule.
const noBackups = "off"

// keepFlag names the flag with the rules for backups; defaultKeep is its value in a
// server.
const keepFlag, defaultKeep = "backup-keep", "7d,4w,6m"

func (f *scheduleFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.to, "backup-to", "", "where the server writes scheduled backups: an existing folder or s3://bucket/prefix?endpoint=…&region=…, used for nothing else; off ends the schedule (default: no backups)")
	flags.DurationVar(&f.every, "backup-every", 24*time.Hour, "time between two of these backups; at least 1h")
	keep := &checked[schedule.Keep]{to: &f.keep, parse: schedule.ParseKeep}
	if err := keep.Set(defaultKeep); err != nil {
		panic("parley: the initial value of --backup-keep: " + err.Error()) // a mistake in this file
	}
	flags.Var(keep, keepFlag, "which of these backups to keep: a number of the newest, such as 14, or one for each of the last days, weeks and months, such as 7d,4w,6m")
	flags.Var(&checked[[]age.Recipient]{to: &f.recipients, parse: repeated(parseRecipients)}, "backup-encrypt-to", "age recipient to encrypt these backups for; they then contain the master key and the keys of numbers. May be repeated")
	flags.Var(&checked[int]{to: &f.lost, text: "0", parse: parseLost}, "backup-lost-files", "how many uploaded files may be missing or damaged before one of these backups counts as failed")
}

func (f *scheduleFlags) check() error {
	if f.every < schedule.MinEvery {
		return errors.New("--backup-every: must be 1h or more")
	}
	return nil
}

// kept returns the rules for the backups of this node, or nil if it makes none.
func (f *scheduleFlags) kept() schedule.Keep {
	if f.to == "" || f.to == noBackups {
		return nil
	}
	return f.keep
}

// newTimers returns the Runner of the server's timers.
func (c *cli) newTimers(ctx context.Context, a *app, o programOptions, w work) (*timer.Runner, error) {
	backups, err := c.backupKinds(ctx, a, o)
	if err != nil {
		return nil, err
	}
	return timer.New(a.desk, slices.Concat(expiry.Kinds(a.desk, expiry.Retention{Events: o.retention, Audit: o.auditRetention}), a.erasure.Kinds(), backups, w.kinds())), nil
}

// backupKinds stores the interval of backups, and returns the kind of timer that makes
// them; without --backup-to, it does neither. A node without the flag does not end the
// schedule of others: if no node makes backups any more, somebody must notice.
func (c *cli) backupKinds(ctx context.Context, a *app, o programOptions) ([]timer.Kind, error) {
	f := o.schedule
	switch f.to {
	case noBackups:
		planBackups(ctx, a, 0)
		return nil, nil
	case "":
		return nil, nil
	}
	shelf, err := blob.OpenShelf(f.to)
	if err != nil {
		return nil, fmt.Errorf("--backup-to: %w", err)
	}
	checking, cancel := context.WithTimeout(ctx, placeTime)
	defer cancel()
	if err := shelf.Check(checking); err != nil {
		o.log.Error("backup: no file can be kept now", "to", f.to, "error", err)
	}
	s := schedule.New(schedule.Options{
		Desk: a.desk, Shelf: shelf, Every: f.every, Keep: f.keep, Lost: f.lost, Clock: o.clock, Log: o.log,
		Create: func(ctx context.Context, out io.Writer, now time.Time) (backup.Report, error) {
			from := a.source(c)
			from.Now, from.Hold = now, strings.HasPrefix(f.to, "s3://")
			if err := a.erasure.KeepLists(ctx); err != nil {
				o.log.Warn("backup: list of erasures not renewed", "error", err)
			}
			if !from.Hold {
				if err := schedule.CheckRoom(ctx, a.desk, a.store, f.to); err != nil {
					return backup.Report{}, err
				}
			}
			report, err := backup.Create(ctx, out, from, f.recipients)
			if key := keyElsewhere(report); err == nil && key != "" {
				o.log.Warn("backup: the master key is not in it, keep a copy elsewhere", "fingerprint", key)
			}
			return report, err
		},
	})
	planBackups(ctx, a, f.every)
	return []timer.Kind{s.Kind(), a.erasure.Keeper(shelf)}, nil
}

// planBackups stores the interval of backups. The server starts even if the store
// cannot be written to.
func planBackups(ctx context.Context, a *app, every time.Duration) {
	if err := schedule.Plan(ctx, a.desk, every); err != nil {
		a.log.Warn("backup: schedule not stored", "error", err)
	}
}
