package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/backup/schedule"
	"parley/internal/publicapi"
	"parley/internal/store/storetest"
)

// TestServerMakesBackups lets a server with a schedule make its first backup: the
// metrics report it, and it can be restored.
func TestServerMakesBackups(t *testing.T) {
	identity, recipient := ageKey(t)
	recipients, err := parseRecipients(recipient)
	if err != nil {
		t.Fatal(err)
	}
	keep, err := schedule.ParseKeep(defaultKeep)
	if err != nil {
		t.Fatal(err)
	}
	for engine, newStore := range map[string]func(*testing.T) *cli{"sqlite": onSQLite, "postgres": onPostgres} {
		t.Run(engine, func(t *testing.T) {
			c := newStore(t)
			made := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
			to := t.TempDir()
			p, err := c.newProgram(t.Context(), programOptions{
				log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: 7 * 24 * time.Hour,
				schedule: scheduleFlags{to: to, every: time.Hour, keep: keep, recipients: recipients},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := p.app.close(); err != nil {
					t.Error(err)
				}
			}()
			if err := p.timers.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := p.gauge(t, "parley_backup_age_seconds"); got != -1 {
				t.Errorf("before the first backup its age is %v", got)
			}
			if err := p.timers.RunDue(t.Context(), true); err != nil {
				t.Fatal(err)
			}
			files, err := os.ReadDir(to)
			if err != nil || len(files) != 1 || !strings.HasSuffix(files[0].Name(), ".backup") {
				t.Fatalf("there are %v, %v", names(files), err)
			}
			file := filepath.Join(to, files[0].Name())
			info, err := os.Stat(file)
			if err != nil || p.gauge(t, "parley_backup_bytes") != float64(info.Size()) || p.gauge(t, "parley_backup_age_seconds") < 0 {
				t.Errorf("the metrics say %v bytes, the file is %v, %v", p.gauge(t, "parley_backup_bytes"), info, err)
			}
			copied := onSQLite(t)
			copied.command(t, "restore", "--from", file, "--identity", identity)
			if got := serve(t, copied).signIn("ann@acme.example", made["ownerPassword"].(string)); got != 201 {
				t.Errorf("signing in to the copy is answered %d", got)
			}
		})
	}
}

// gauge returns the value of a metric.
func (p *program) gauge(t *testing.T, name string) float64 {
	t.Helper()
	families, err := p.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == name {
			return family.GetMetric()[0].GetGauge().GetValue()
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}
