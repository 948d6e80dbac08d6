package metrics

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"parley/internal/timer"
)

// timers report how late scheduled work is. Each node reports the same. While the
// store does not answer, the metric is missing.
type timers struct {
	runner *timer.Runner
	age    *prometheus.Desc
}

func newTimers(runner *timer.Runner) *timers {
	return &timers{runner, prometheus.NewDesc("parley_timers_due_age_seconds",
		"How long the oldest timer of a kind has been due, of all nodes; 0 if none is.", []string{"kind"}, nil)}
}

// Describe implements prometheus.Collector.
func (m *timers) Describe(out chan<- *prometheus.Desc) { out <- m.age }

// Collect implements prometheus.Collector. It reads the store once.
func (m *timers) Collect(out chan<- prometheus.Metric) {
	ages, err := m.runner.DueAges(context.Background())
	if err != nil {
		return
	}
	for kind, age := range ages {
		out <- prometheus.MustNewConstMetric(m.age, prometheus.GaugeValue, age.Seconds(), kind)
	}
}
