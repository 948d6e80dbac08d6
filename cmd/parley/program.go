package main

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"parley"
	"parley/internal/httpjson"
	"parley/internal/publicapi"
	"parley/internal/reference"
)

// A program is the server as main and the end-to-end tests start it.
type program struct {
	house     *house
	handler   http.Handler
	metrics   *prometheus.Registry
	log       *slog.Logger
	retention time.Duration
}

type programOptions struct {
	log       *slog.Logger
	clock     parley.Clock
	sunset    time.Time
	rate      httpjson.Rate
	retention time.Duration
}

// newProgram opens the store and wires everything together.
func (c *cli) newProgram(ctx context.Context, o programOptions) (*program, error) {
	h, err := c.open(ctx, o.log, o.clock)
	if err != nil {
		return nil, err
	}
	p := &program{house: h, log: o.log, retention: o.retention, metrics: newMetrics(h)}
	api := publicapi.New(publicapi.Options{Desk: h.desk, Clock: o.clock, Log: o.log, Sunset: o.sunset, Rate: o.rate})
	mux := httpjson.NewMux([]httpjson.Route{
		{Method: http.MethodGet, Path: "/healthz", Handler: http.HandlerFunc(healthy)},
		{Method: http.MethodGet, Path: "/readyz", Handler: p.ready()},
	})
	mux.Handle("/docs", reference.Handler())
	mux.Handle("/docs/", reference.Handler())
	envelope := httpjson.Envelope{Log: o.log, IDs: h.ids, Timeout: requestTime}
	p.handler = p.measured(envelope.Wrap(underPublic(api.Handler(), httpjson.CleanPaths(mux))))
	return p, nil
}

// underPublic gives what is under /v1/public to the API, and to others the
// rest. A mux would redirect some paths before the API sees them.
func underPublic(api, others http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if rest, ok := strings.CutPrefix(r.URL.Path, "/v1/public"); ok && (rest == "" || rest[0] == '/') {
			api.ServeHTTP(w, r)
			return
		}
		others.ServeHTTP(w, r)
	})
}

var healthBody = []byte(`{"status":"ok"}`)

func healthy(w http.ResponseWriter, _ *http.Request) { httpjson.OK(healthBody).Write(w) }

func (p *program) ready() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
		defer cancel()
		if err := p.house.desk.Ready(ctx); err != nil {
			httpjson.WriteError(w, r, p.log, err)
			return
		}
		healthy(w, r)
	})
}

func newMetrics(h *house) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for _, counter := range []struct {
		name, help string
		read       func() int64
	}{
		{"parley_write_groups_total", "Transactions committed by the writers.", func() int64 { return h.store.Stats().Groups }},
		{"parley_write_closures_total", "Changes in those transactions.", func() int64 { return h.store.Stats().Closures }},
		{"parley_write_retries_total", "Transactions that were lost and tried again.", func() int64 { return h.store.Stats().Retries }},
	} {
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: counter.name, Help: counter.help},
			func() float64 { return float64(counter.read()) }))
	}
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "parley_write_queue", Help: "Changes that wait for a writer now."},
		func() float64 { return float64(h.store.Stats().Queued) }))
	return registry
}

// measured counts requests by method and status, and how long they take.
func (p *program) measured(next http.Handler) http.Handler {
	duration := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "parley_http_request_seconds", Help: "Time from a request's head to its answer.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"code", "method"})
	p.metrics.MustRegister(duration)
	return promhttp.InstrumentHandlerDuration(duration, next)
}

func (p *program) metricsHandler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(p.metrics, promhttp.HandlerOpts{}))
	return mux
}
