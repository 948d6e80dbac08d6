package main

import (
	"strings"
	"testing"
	"time"

	"parley/internal/backup/schedule"
	"parley/internal/desk"
)

// TestContactErase asks for --yes before it erases a person, and says which scheduled
// backups contain the person and, told what the server keeps, when they end.
func TestContactErase(t *testing.T) {
	c := &cli{data: t.TempDir(), logLevel: "error"}
	b := newBackedUp(t, c)
	erase := func(more ...string) []string {
		return append([]string{"contact", "erase", "--workspace", b.ws.String(), "--id", b.contact.String()}, more...)
	}
	status, stdout, stderr := c.run2(t, erase()...)
	if status != exitUsage || stdout != "" || !strings.Contains(stderr, "--yes: must be given") {
		t.Errorf("without --yes: status %d, prints %q, says %q", status, stdout, stderr)
	}
	if out := c.command(t, erase("--preview", "--yes")...); out["backupsScheduled"] != false || out["backupsUnknown"] != false || out["newestBackupAt"] != nil || out["backupsEndAt"] != nil {
		t.Errorf("without a schedule: %v", out)
	}
	b.in(func(a *app) {
		if err := schedule.Plan(t.Context(), a.desk, 12*time.Hour); err != nil {
			t.Fatal(err)
		}
	})
	if out := c.command(t, erase("--preview")...); out["backupsScheduled"] != true || out["backupsUnknown"] != true || out["newestBackupAt"] != nil {
		t.Errorf("of somebody older than the schedule: %v", out)
	}
	made := time.Now().UTC().Truncate(time.Millisecond)
	b.in(func(a *app) {
		_, err := desk.Write(t.Context(), a.desk, desk.Caller{}, func(t *desk.Tx) (struct{}, error) {
			return struct{}{}, schedule.UpdateDone(t, &schedule.State{DoneAt: made})
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	const form = "2006-01-02T15:04:05.000Z"
	newest, end := made.Format(form), made.Add(5*24*time.Hour).Format(form)
	if out := c.command(t, erase("--preview")...); out["newestBackupAt"] != newest || out["backupsEndAt"] != nil {
		t.Errorf("with a schedule: %v", out)
	}
	t.Setenv("PARLEY_BACKUP_KEEP", "10")
	if out := c.command(t, erase("--preview")...); out["backupsScheduled"] != true || out["newestBackupAt"] != newest || out["backupsEndAt"] != end {
		t.Errorf("with its rules: %v", out)
	}
	if out := c.command(t, erase("--yes")...); out["newestBackupAt"] != newest || out["backupsEndAt"] != end {
		t.Errorf("of an erasure: %v", out)
	}
}
