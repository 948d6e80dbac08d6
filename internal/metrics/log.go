package metrics

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"parley/internal/desk"
	"parley/internal/follow"
)

// logs report how long the event logs are, and how far their followers lag behind. Each node
// reports the same. While the store does not answer, the metrics are missing.
type logs struct {
	desk                  *desk.Desk
	events, lag, furthest *prometheus.Desc
}

func newLogs(d *desk.Desk) *logs {
	return &logs{
		desk:     d,
		events:   prometheus.NewDesc("parley_log_events", "Events that the logs of all workspaces have had.", nil, nil),
		lag:      prometheus.NewDesc("parley_follower_lag_events", "Events that a follower has not come to yet, of all workspaces.", []string{"follower"}, nil),
		furthest: prometheus.NewDesc("parley_follower_lag_most", "Events that a follower has not come to yet, of the workspace where it is furthest behind.", []string{"follower"}, nil),
	}
}

// Describe implements prometheus.Collector.
func (m *logs) Describe(out chan<- *prometheus.Desc) {
	out <- m.events
	out <- m.lag
	out <- m.furthest
}

// Collect implements prometheus.Collector. It reads the store once.
func (m *logs) Collect(out chan<- prometheus.Metric) {
	state, err := follow.ReadLogState(context.Background(), m.desk)
	if err != nil {
		return
	}
	out <- prometheus.MustNewConstMetric(m.events, prometheus.GaugeValue, float64(state.Events))
	for _, l := range state.Lags {
		out <- prometheus.MustNewConstMetric(m.lag, prometheus.GaugeValue, float64(l.Events), l.Follower)
		out <- prometheus.MustNewConstMetric(m.furthest, prometheus.GaugeValue, float64(l.Furthest), l.Follower)
	}
}
