package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Operations measures the answers of the surfaces by operation.
type Operations struct{ seconds *prometheus.HistogramVec }

// NewOperations returns the measure of a process, which [New] registers.
func NewOperations() *Operations {
	return &Operations{prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "parley_operation_seconds", Help: "Time to the answer of an operation, by its name in the API document. Streams do not count.",
		Buckets: []float64{.005, .025, .1, .5, 2.5, 10},
	}, []string{"operation", "outcome"})}
}

// Observe counts an answer. It may be called by many goroutines.
func (o *Operations) Observe(operation string, status int, took time.Duration) {
	outcome := "done"
	switch {
	case status >= 500:
		outcome = "failed"
	case status >= 400:
		outcome = "refused"
	}
	o.seconds.WithLabelValues(operation, outcome).Observe(took.Seconds())
}
