// Package metrics is what operators watch of a server: the counts of its parts,
// the time that requests take, and the outcome of scheduled backups, for
// Prometheus.
//
// It reads the counts of the store, access, the live streams, the timers, the search
// index, the numbers, the mails and the schedule of backups whenever it is asked, and
// changes nothing. It may import these parts and httpjson, which tells a stream
// from other requests.
package metrics

import (
	"context"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"parley"
	"parley/internal/access"
	"parley/internal/continuing"
	"parley/internal/desk"
	"parley/internal/diskspace"
	"parley/internal/follow"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/mail"
	"parley/internal/notices"
	"parley/internal/numbers"
	"parley/internal/push"
	"parley/internal/search"
	"parley/internal/store"
	"parley/internal/timer"
)

// Options are the parts whose counts are shown.
type Options struct {
	Store   *store.Store
	Desk    *desk.Desk // for the state of scheduled backups
	Live    *live.Hub
	Timers  *timer.Runner
	Search  *search.Service
	Notices *notices.Service
	Push    *push.Service
	Numbers *numbers.Service
	Mail    *mail.Service
	// Continuing follows the log for mails about what customers missed.
	Continuing *continuing.Service
	Space      *diskspace.Guard
	Operations *Operations
	Access     *access.Service // counts what it refuses
	Clock      parley.Clock
}

// Metrics are those of one process. Others may register more.
type Metrics struct{ *prometheus.Registry }

// New returns the metrics of the parts, and those of the process.
func New(o Options) Metrics {
	m := Metrics{prometheus.NewRegistry()}
	m.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.count(o)
	m.gauge(o)
	m.refusals(o.Access)
	m.follower("search", o.Search.IndexStats)
	m.follower(continuing.Timer, o.Continuing.Stats)
	m.follower("notices", o.Notices.Stats)
	m.MustRegister(newBackups(o.Desk, o.Clock), newTimers(o.Timers), newMails(o.Mail, o.Clock), newPushes(o.Push), newLogs(o.Desk), newDisks(o.Space), o.Operations.seconds)
	return m
}

// count registers what only grows.
func (m Metrics) count(o Options) {
	for _, counter := range []struct {
		name, help string
		read       func() int64
	}{
		{"parley_write_groups_total", "Transactions committed by the writers.", func() int64 { return o.Store.Stats().Groups }},
		{"parley_write_closures_total", "Changes in those transactions.", func() int64 { return o.Store.Stats().Closures }},
		{"parley_write_retries_total", "Transactions that were lost and tried again.", func() int64 { return o.Store.Stats().Retries }},
		{"parley_write_failures_total", "Transactions that were given up.", func() int64 { return o.Store.Stats().Failures }},
		{"parley_streams_opened_total", "Event streams that were opened.", func() int64 { return o.Live.Stats().Opened }},
		{"parley_streams_slowed_total", "Times that an event stream could not take all at once.", func() int64 { return o.Live.Stats().Slowed }},
		{"parley_stream_events_total", "Deliveries of one event to one stream.", func() int64 { return o.Live.Stats().Events }},
		{"parley_timer_runs_total", "Timers that were run by this process.", func() int64 { return o.Timers.Stats().Runs }},
		{"parley_timer_failures_total", "Runs of timers that failed.", func() int64 { return o.Timers.Stats().Failures }},
	} {
		m.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: counter.name, Help: counter.help},
			func() float64 { return float64(counter.read()) }))
	}
}

// refusals registers how often credentials were refused, by a reason of the program.
func (m Metrics) refusals(service *access.Service) {
	for _, why := range access.Refusals {
		m.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "parley_access_refusals_total", Help: "Credentials that were refused, by the reason.",
			ConstLabels: prometheus.Labels{"reason": string(why)},
		}, func() float64 { return float64(service.Refused()[why]) }))
	}
}

// gauge registers what is so now.
func (m Metrics) gauge(o Options) {
	for _, gauge := range []struct {
		name, help string
		read       func() int64
	}{
		{"parley_write_queue", "Changes that wait for a writer now.", func() int64 { return o.Store.Stats().Queued }},
		{"parley_store_ready", "Whether reads and writes succeeded at the last look, 1 or 0.", func() int64 { return truth(!o.Store.Stats().Unready) }},
		{"parley_store_damaged", "Whether the database's file is damaged, moved or replaced, 1 or 0.", func() int64 { return truth(o.Store.Stats().Damaged) }},
		{"parley_store_log_bytes", "Size of the write-ahead log of an embedded store, 0 on PostgreSQL.", o.Store.LogBytes},
		{"parley_streams", "Event streams that are open now.", func() int64 { return o.Live.Stats().Streams }},
		{"parley_numbers_held", "Numbers that this process holds.", func() int64 { held, _ := o.Numbers.NumberStats(); return int64(held) }},
		{"parley_numbers_open", "Numbers that this process keeps connected.", func() int64 { _, open := o.Numbers.NumberStats(); return int64(open) }},
		{"parley_messages_waiting", "Messages that wait to go out, of all nodes; -1 if the store does not tell.", func() int64 {
			return int64(o.Numbers.MessagesWaiting(context.Background()))
		}},
	} {
		m.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: gauge.name, Help: gauge.help},
			func() float64 { return float64(gauge.read()) }))
	}
}

// follower registers the counts of a follower of the log, with its name as a
// label.
func (m Metrics) follower(name string, stats func() follow.Stats) {
	for _, counter := range []struct {
		name, help string
		read       func(follow.Stats) int64
	}{
		{"parley_follower_turns_total", "Turns in which a follower of the log moved on.", func(s follow.Stats) int64 { return s.Turns }},
		{"parley_follower_overtaken_total", "Turns that another node finished first.", func(s follow.Stats) int64 { return s.Overtaken }},
		{"parley_follower_failures_total", "Turns that failed.", func(s follow.Stats) int64 { return s.Failures }},
		{"parley_follower_missed_total", "Events that were deleted before a follower got them.", func(s follow.Stats) int64 { return s.Missed }},
	} {
		m.MustRegister(prometheus.NewCounterFunc(
			prometheus.CounterOpts{Name: counter.name, Help: counter.help, ConstLabels: prometheus.Labels{"follower": name}},
			func() float64 { return float64(counter.read(stats())) }))
	}
}

func truth(is bool) int64 {
	if is {
		return 1
	}
	return 0
}

// Measured counts the requests of a handler by method and status, and measures
// their duration. Over HTTP/2 a stream of events is one request that lasts for
// days, so there the time until its head counts, as over HTTP/1.1. It is called
// once.
func (m Metrics) Measured(next http.Handler) http.Handler {
	duration := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "parley_http_request_seconds", Help: "Time from a request's head to its answer.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"code", "method"})
	m.MustRegister(duration)
	whole, head := promhttp.InstrumentHandlerDuration(duration, next), promhttp.InstrumentHandlerTimeToWriteHeader(duration, next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor == 2 && httpjson.WantsStream(r) {
			head.ServeHTTP(w, r)
			return
		}
		whole.ServeHTTP(w, r)
	})
}

// Handler serves the metrics at /metrics.
func (m Metrics) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m, promhttp.HandlerOpts{}))
	return mux
}
