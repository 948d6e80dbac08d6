package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"parley"
	"parley/internal/backup/schedule"
	"parley/internal/desk"
)

// A backupGauge is a metric of scheduled backups.
type backupGauge struct {
	desc *prometheus.Desc
	read func(state *schedule.State, now time.Time) float64
}

// backups report the outcome of scheduled backups. Each node reports the same.
// While the store does not answer, the metrics are missing.
type backups struct {
	ask    func(context.Context) (schedule.State, error)
	clock  parley.Clock
	gauges []backupGauge
}

func newBackups(d *desk.Desk, clock parley.Clock) *backups {
	gauge := func(name, help string, read func(*schedule.State, time.Time) float64) backupGauge {
		return backupGauge{prometheus.NewDesc(name, help, nil, nil), read}
	}
	return &backups{ask: schedule.Read(d).Now, clock: clock, gauges: []backupGauge{
		gauge("parley_backup_age_seconds", "Time since the last scheduled backup began; -1 if there was none.", func(s *schedule.State, now time.Time) float64 {
			if s.DoneAt.IsZero() {
				return -1
			}
			return now.Sub(s.DoneAt).Seconds()
		}),
		gauge("parley_backup_bytes", "Size of the last scheduled backup.", func(s *schedule.State, _ time.Time) float64 { return float64(s.Bytes) }),
		gauge("parley_backup_seconds", "How long the last scheduled backup took.", func(s *schedule.State, _ time.Time) float64 { return s.Took.Seconds() }),
		gauge("parley_backup_failures", "Scheduled backups that failed since the schedule began.", func(s *schedule.State, _ time.Time) float64 { return float64(s.Failures) }),
		gauge("parley_backup_late", "1 if there was no backup for twice the interval, else 0.", func(s *schedule.State, now time.Time) float64 { return float64(truth(s.Late(now))) }),
	}}
}

// Describe implements prometheus.Collector.
func (m *backups) Describe(out chan<- *prometheus.Desc) {
	for _, g := range m.gauges {
		out <- g.desc
	}
}

// Collect implements prometheus.Collector. It reads the store once.
func (m *backups) Collect(out chan<- prometheus.Metric) {
	state, err := m.ask(context.Background())
	if err != nil {
		return
	}
	for _, g := range m.gauges {
		out <- prometheus.MustNewConstMetric(g.desc, prometheus.GaugeValue, g.read(&state, m.clock.Now()))
	}
}
