package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"parley"
	"parley/api"
	"parley/internal/access/openid"
	"parley/internal/audit"
	"parley/internal/bot"
	"parley/internal/certificates"
	"parley/internal/dashboard"
	"parley/internal/diskspace"
	"parley/internal/files"
	"parley/internal/helpcenter"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/merging"
	"parley/internal/metrics"
	"parley/internal/outward"
	"parley/internal/publicapi"
	"parley/internal/reference"
	"parley/internal/timer"
	"parley/internal/tracing"
	"parley/internal/widget"
	"parley/web"
)

// A program is the server in the form that main and the end-to-end tests start.
type program struct {
	app       *app
	hub       *live.Hub
	agent     *bot.Service
	board     *dashboard.Dashboard
	work      work
	runPhones func(context.Context) // runs the phones of a demo; nil if there are none
	handler   http.Handler
	envelope  httpjson.Envelope
	metrics   metrics.Metrics
	log       *slog.Logger
	timers    *timer.Runner
	stop      stopTimes
	stopping  atomic.Bool
	tls       *certificates.Pair // nil: plain HTTP
}

// readTurns leave two of the store's eight readers to reads that are not
// queued: keys and sessions, streams that catch up, the search index.
var readTurns = httpjson.TurnLimits{All: 6, Workspace: 4, Asker: 3, Wait: 4 * time.Second}

type programOptions struct {
	log       *slog.Logger
	clock     parley.Clock
	sunset    time.Time
	rate      httpjson.Rate
	retention time.Duration
	// auditRetention is that of the audit log.
	auditRetention time.Duration
	// proxies in front of the server report the client's address.
	proxies     httpjson.Proxies
	attachments attachmentFlags
	publicURL   string // the value of --public-url, "" if unknown
	// allowed are the networks of --allow-networks.
	allowed outward.Networks
	// modelHosts are the hosts of --model-hosts.
	modelHosts outward.Hosts
	// demo serves the demo shop, at the address of --listen.
	demo   bool
	listen string
	bound  string // the origin at which it listens, "" if unknown
	// simulation is the address of a fake messaging network, simulated for one
	// in this process, or "" for the real one.
	simulation string
	// writing limits how long writing an answer may take.
	writing httpjson.WriteTimes
	// pollOnly disables all wake-ups of streams, so that they only poll.
	pollOnly bool
	// turns limits reads; the zero value means readTurns.
	turns httpjson.TurnLimits
	// open limits requests of one address to open routes; the zero value means
	// httpjson.OpenLimits.
	open httpjson.AddressLimits
	// streams is the most event streams of the node; 0: as many as its
	// descriptors allow.
	streams int
	// stop has the durations of a shutdown.
	stop stopTimes
	// tls has the server's own certificate; nil: plain HTTP.
	tls *certificates.Pair
	// schedule has the settings of scheduled backups.
	schedule scheduleFlags
	// mail has the settings of the mail server.
	mail mailFlags
	// push gives notices to the push services of browsers.
	push bool
	// tracer is nil unless traces are exported.
	tracer *tracing.Tracer
}

// newProgram opens the store and wires everything together.
func (c *cli) newProgram(ctx context.Context, o programOptions) (*program, error) {
	a, work, err := openServices(ctx, c, o)
	if err != nil {
		return nil, err
	}
	hub := work.hub
	clients := httpjson.NewClients(o.proxies, o.log)
	open := httpjson.NewAddressLimiter(httpjson.AddressLimiterOptions{
		Limits: cmp.Or(o.open, httpjson.OpenLimits()), Clock: o.clock, Log: o.log, Clients: clients,
	})
	turns := httpjson.NewTurns(cmp.Or(o.turns, readTurns))
	operations := metrics.NewOperations()
	public := publicapi.New(publicapi.Options{Measure: operations.Observe, Desk: a.desk, Access: a.access, Numbers: a.numbers, Knowledge: a.knowledge, Answers: a.answers, Teams: work.Teams, Live: hub, Clock: o.clock, Log: o.log, Sunset: o.sunset, Rate: o.rate, Turns: turns, Clients: clients, Open: open})
	board := dashboard.New(dashboard.Options{
		Measure: operations.Observe, Desk: a.desk, Access: a.access, OpenID: openid.NewNetwork(outward.NewDialer(outward.Options{Allowed: o.allowed}), o.clock), PublicURL: o.publicURL, Audit: audit.New(a.desk), Numbers: a.numbers, Customers: a.customers, Merging: merging.New(a.desk), Search: a.search, Settings: a.settings, Knowledge: a.knowledge, Answers: a.answers, Recorder: a.recorder, Erasure: a.erasure, Providers: a.providers, Simulating: a.simulating, Assist: a.assist, Work: work.Work, Live: hub, Clock: o.clock, Log: o.log, Sunset: o.sunset, Clients: clients, Open: open, Turns: turns,
	})
	space := diskspace.New(diskspace.Options{Folders: o.attachments.written(c.data, c.database == ""), Clock: o.clock, Log: o.log})
	chat := widget.New(widget.Options{Measure: operations.Observe, Space: space, Desk: a.desk, Customers: a.customers, Visitors: work.Visitors, Knowledge: a.knowledge, Answers: a.answers, Recorder: a.recorder, Live: hub, Clock: o.clock, Log: o.log, Clients: clients, Turns: turns})
	agent := bot.New(bot.Options{Desk: a.desk, Signal: hub.Signal, Answer: a.answering.Answer})
	help := helpcenter.New(helpcenter.Options{Desk: a.desk, Knowledge: a.knowledge, Answers: a.answers, Recorder: a.recorder, Clock: o.clock, Log: o.log, Clients: clients, Turns: turns, PublicURL: o.publicURL})
	built, err := web.Dashboard()
	if err != nil {
		return nil, err
	}
	pages, err := dashboard.Pages(built)
	if err != nil {
		return nil, err
	}
	chatPages, err := widgetPages(a, chat, o)
	if err != nil {
		return nil, err
	}
	shown, runPhones, err := demoPages(a, o)
	if err != nil {
		return nil, err
	}
	timers, err := c.newTimers(ctx, a, o, work)
	if err != nil {
		return nil, err
	}
	p := &program{app: a, hub: hub, agent: agent, board: board, work: work, runPhones: runPhones, timers: timers, log: o.log, stop: o.stop, tls: o.tls, metrics: metrics.New(metrics.Options{
		Store: a.store, Desk: a.desk, Live: hub, Timers: timers, Search: a.search, Notices: work.Notices, Push: work.Push, Numbers: a.numbers, Mail: work.Mail, Access: a.access,
		Continuing: work.continuing, Clock: o.clock, Space: space, Operations: operations,
	})}
	measureTLS(p.metrics, p.tls)
	health := httpjson.NewMux([]httpjson.Route{
		{Method: http.MethodGet, Path: "/healthz", Handler: http.HandlerFunc(httpjson.Healthy)},
		{Method: http.MethodGet, Path: "/readyz", Handler: &httpjson.Readiness{Stopping: p.stopping.Load, Check: a.desk.Ready, Log: o.log}},
	})
	p.envelope = httpjson.Envelope{Log: o.log, IDs: a.ids, Timeout: requestTime, Writing: o.writing, Closing: p.stopping.Load,
		Secure: o.tls != nil || strings.HasPrefix(o.publicURL, "https://"), Tracer: o.tracer}
	p.handler = p.metrics.Measured(p.envelope.Wrap(slices.Concat(chatPages, shown, work.pages(open, o), byPrefix{
		{"/v1/public", public.Handler()}, {"/v1/dashboard", board.Handler()}, {"/v1/widget", chat.Handler()},
		{"/v1/files", files.Handler(files.Options{Desk: a.desk, Clock: o.clock, Log: o.log, Clients: clients})},
		{"/healthz", health}, {"/readyz", health}, {"/docs", open.Wrap(httpjson.CleanPaths(reference.Handler(func(text []byte) []byte { return api.Until(text, o.sunset) })))},
		{"/help", open.WrapPages(help, help.Refuse)}, {"/robots.txt", open.WrapPages(help, help.Refuse)}, {"", open.Wrap(httpjson.CleanPaths(pages))},
	})))
	return p, nil
}

// openServices opens the store and the services over it.
func openServices(ctx context.Context, c *cli, o programOptions) (*app, work, error) {
	a, err := c.openServed(ctx, o)
	if err != nil {
		return nil, work{}, err
	}
	// Nobody sees somebody again who was erased after the backup that this store is of.
	if err := a.erasure.FinishRepeated(ctx); err != nil {
		return nil, work{}, errors.Join(err, a.close())
	}
	made, err := newWork(a, o)
	if err != nil {
		return nil, work{}, errors.Join(err, a.close())
	}
	return a, made, nil
}

// openServed opens the store as the only server of its data folder.
func (c *cli) openServed(ctx context.Context, o programOptions) (a *app, err error) {
	lock, err := c.lockData()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, lock.Close())
		}
	}()
	var toy http.RoundTripper
	if o.demo {
		toy = toyModel(true)
	}
	return c.open(ctx, appOptions{
		toy: toy, log: o.log, tracer: o.tracer, clock: o.clock, lock: lock, attachments: &o.attachments, publicURL: o.publicURL, real: true, simulation: o.simulation,
		allowed: o.allowed, modelHosts: o.modelHosts, keep: o.schedule.kept(),
	})
}

// newHub returns the hub of the live streams, which is not running yet.
func newHub(a *app, o programOptions) *live.Hub {
	options := live.Options{
		Log: a.desk, Bell: a.bell, Relay: a.store, Clock: o.clock, Logger: o.log, Node: a.ids.NewText(20),
		Render:     publicapi.Events{Clock: o.clock, Sunset: o.sunset, Files: a.desk.Attachments().FileSigner}.Append,
		View:       widget.View{Desk: a.desk, Customers: a.customers},
		MaxStreams: cmp.Or(o.streams, live.MostStreams()),
	}
	if o.pollOnly {
		options.Bell, options.Relay = nil, nil
	}
	return live.New(options)
}

// byPrefix passes a request to the first handler with a prefix of its path. A
// mux would redirect some paths before their handler sees them.
type byPrefix []struct {
	prefix  string
	handler http.Handler
}

func (all byPrefix) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for _, one := range all {
		if rest, ok := strings.CutPrefix(r.URL.Path, one.prefix); ok && (one.prefix == "" || rest == "" || rest[0] == '/') {
			one.handler.ServeHTTP(w, r)
			return
		}
	}
}
