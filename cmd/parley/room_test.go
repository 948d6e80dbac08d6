package main

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/backup/schedule"
	"parley/internal/desk"
	"parley/internal/publicapi"
	"parley/internal/store/storetest"
)

// TestNoRoom records a last backup that no disk has space for: neither the command nor
// the server begins another one. If the last one was small, both do.
func TestNoRoom(t *testing.T) {
	each(t, func(t *testing.T, c *cli) {
		c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
		to, folder := t.TempDir(), t.TempDir()
		p, err := c.newProgram(t.Context(), programOptions{
			log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: 7 * 24 * time.Hour,
			schedule: scheduleFlags{to: to, every: time.Hour},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := p.app.close(); err != nil {
				t.Error(err)
			}
		}()
		last := func(bytes int64) {
			t.Helper()
			_, err := desk.Write(t.Context(), p.app.desk, desk.Caller{}, func(tx *desk.Tx) (struct{}, error) {
				return struct{}{}, schedule.UpdateDone(tx, &schedule.State{Bytes: bytes})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		last(math.MaxInt64)
		file := filepath.Join(folder, "x.backup")
		if status, _, errs := c.run2(t, "backup", "--to", file); status != exitFailed || !strings.Contains(errs, "no room for a backup: the disk of "+folder) {
			t.Errorf("the command: status %d, %s", status, errs)
		}
		if err := errors.Join(p.timers.Sweep(t.Context()), p.timers.RunDue(t.Context(), true)); err != nil {
			t.Fatal(err)
		}
		if got := p.gauge(t, "parley_backup_failures"); got != 1 {
			t.Errorf("%v backups of the server failed", got)
		}
		for _, dir := range []string{to, folder} {
			if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
				t.Errorf("the folder has %v, %v", names(entries), err)
			}
		}
		last(1000)
		c.command(t, "backup", "--to", file)
		if got := p.gauge(t, "parley_store_log_bytes"); (got > 0) != (c.database == "") {
			t.Errorf("the log has %v bytes", got)
		}
	})
}
