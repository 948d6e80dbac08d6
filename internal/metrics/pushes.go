package metrics

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"parley/internal/push"
)

// pushes report what this process gave to push services, and how many pushes are due on all
// nodes. While the store does not answer, the latter is missing.
type pushes struct {
	service        *push.Service
	total, waiting *prometheus.Desc
}

func newPushes(service *push.Service) *pushes {
	return &pushes{
		service: service,
		total:   prometheus.NewDesc("parley_pushes_total", "Notices for browsers, by what became of them.", []string{"outcome"}, nil),
		waiting: prometheus.NewDesc("parley_pushes_waiting", "Notices that are due for a browser.", nil, nil),
	}
}

// Describe implements prometheus.Collector.
func (p *pushes) Describe(out chan<- *prometheus.Desc) {
	out <- p.total
	out <- p.waiting
}

// Collect implements prometheus.Collector.
func (p *pushes) Collect(out chan<- prometheus.Metric) {
	s := p.service.Stats()
	for outcome, count := range map[string]int64{"accepted": s.Accepted, "later": s.Later, "refused": s.Refused, "gone": s.Gone, "unneeded": s.Unneeded} {
		out <- prometheus.MustNewConstMetric(p.total, prometheus.CounterValue, float64(count), outcome)
	}
	if waiting, err := p.service.Waiting(context.Background()); err == nil {
		out <- prometheus.MustNewConstMetric(p.waiting, prometheus.GaugeValue, float64(waiting))
	}
}
