package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"parley"
	"parley/internal/access"
	"parley/internal/audit/entry"
	"parley/internal/httpjson"
	"parley/internal/outward"
	"parley/internal/publicapi"
	"parley/internal/tracing/otlp"
)

const (
	// requestTime is how long a request may take. It is longer than creating a
	// group may take on the network.
	requestTime = 70 * time.Second
)

// serveFlags are the settings of the server.
type serveFlags struct {
	listen, metrics string
	publicURL       string // an origin, or "" if unknown
	demo            bool
	sunset          string
	rate            string
	retention       time.Duration
	auditRetention  time.Duration
	stop            stopTimes
	proxies         httpjson.Proxies
	attachments     attachmentFlags
	allowed         outward.Networks
	modelHosts      outward.Hosts
	simulation      string
	tls             tlsFlags
	schedule        scheduleFlags
	mail            mailFlags
	push            bool
	collector       string // of traces
}

func (c *cli) serveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "serve", Short: "Serve the API, the dashboard and the API reference", Args: cobra.NoArgs,
		Long: "Migrates the store, then serves. On an empty store it founds a workspace with its owner and a key,\n" +
			"and prints address, login and key once.",
		Example: "  parley serve --demo\n  parley serve --listen 0.0.0.0:8080 --database postgres://parley@db/parley",
	}
	var f serveFlags
	flags := cmd.Flags()
	flags.StringVar(&f.listen, "listen", "127.0.0.1:8080", "address to serve on")
	flags.Var(&checked[string]{to: &f.publicURL, parse: parsePublicURL}, "public-url", "address under which others reach the server, such as https://support.example")
	flags.StringVar(&f.metrics, "metrics-listen", "", "address to serve /metrics on (default: not at all)")
	flags.BoolVar(&f.demo, "demo", false, "fill a new workspace with believable data")
	flags.StringVar(&f.sunset, "stores-sunset", publicapi.StoresSunset().Format(time.RFC3339), "when the stores routes end")
	flags.StringVar(&f.rate, "rate-limit", "off", "requests that a key may send in a time, such as 100/10s")
	flags.DurationVar(&f.retention, "event-retention", parley.EventRetention, "how long the event log is kept, 7 days at least")
	flags.DurationVar(&f.auditRetention, "audit-retention", entry.Retention, "how long the audit log is kept, 30 days at least")
	proxies := &checked[httpjson.Proxies]{to: &f.proxies, text: "false", parse: httpjson.ParseProxies}
	flags.VarPF(proxies, "trust-proxy", "", "take a client's address from X-Forwarded-For, which proxies before the server write: =N for N in a row, or =their networks").NoOptDefVal = "true"
	flags.Var(&checked[outward.Networks]{to: &f.allowed, parse: outward.ParseNetworks}, "allow-networks", "networks beside the public internet to which addresses that members enter may lead, such as 10.1.0.0/16")
	flags.Var(&checked[outward.Hosts]{to: &f.modelHosts, parse: outward.ParseHosts}, "model-hosts", "hosts beside the public internet where language models may be, such as localhost:11434")
	f.push = true
	flags.Var(&checked[bool]{to: &f.push, text: "on", parse: parseSwitch}, "push", "on, or off: members' browsers get notices by the push services of their vendors")
	flags.Var(&checked[string]{to: &f.collector, parse: otlp.ParseEndpoint}, "otlp-endpoint", "address of an OpenTelemetry collector that gets traces, such as http://127.0.0.1:4318")
	f.tls.add(flags)
	f.stop.add(flags)
	f.attachments.add(flags)
	f.schedule.add(flags)
	f.mail.add(flags)
	simulationFlag(cmd, &f.simulation)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return c.serve(cmd.Context(), f) }
	return cmd
}

func (f serveFlags) check() (sunset time.Time, rate httpjson.Rate, err error) {
	if err = checkListen("listen", f.listen); err != nil {
		return sunset, rate, err
	}
	if f.metrics != "" {
		if err = checkListen("metrics-listen", f.metrics); err != nil {
			return sunset, rate, err
		}
	}
	if sunset, err = time.Parse(time.RFC3339, f.sunset); err != nil {
		return sunset, rate, errors.New("--stores-sunset: must be a time such as 2027-02-16T00:00:00Z")
	}
	if sunset.Before(publicapi.StoresDeprecation()) { // RFC 9745, section 4
		return sunset, rate, errors.New("--stores-sunset: must not be before the deprecation, 2026-02-16T00:00:00Z")
	}
	if f.retention < parley.EventRetention {
		return sunset, rate, errors.New("--event-retention: must be 168h (7 days) or more")
	}
	if f.auditRetention < entry.MinRetention {
		return sunset, rate, errors.New("--audit-retention: must be 720h (30 days) or more")
	}
	if rate, err = httpjson.ParseRate(f.rate); err != nil {
		return sunset, rate, fmt.Errorf("--rate-limit: %w", err)
	}
	if err = f.stop.check(); err != nil {
		return sunset, rate, err
	}
	if err = errors.Join(f.attachments.check(), f.schedule.check(), f.mail.check(f.publicURL)); err != nil {
		return sunset, rate, err
	}
	return sunset, rate, checkDemo(f.demo, f.simulation)
}

func (c *cli) serve(ctx context.Context, f serveFlags) error {
	sunset, rate, err := f.check()
	if err != nil {
		return err
	}
	log, err := c.logger()
	if err != nil {
		return err
	}
	if f.demo && f.simulation == "" {
		f.simulation = simulated
	}
	pair, err := f.tls.open(time.Now, log)
	if err != nil {
		return err
	}
	tracer, endTraces, err := otlp.Open(ctx, otlp.Options{Endpoint: f.collector, Version: version, Log: log})
	if err != nil {
		return err
	}
	defer endTraces()
	bound, err := listen(f.listen, f.metrics)
	if err != nil {
		return &failure{err}
	}
	defer bound.close()
	p, err := c.newProgram(ctx, programOptions{
		log: log, clock: time.Now, sunset: sunset, rate: rate, retention: f.retention, auditRetention: f.auditRetention, proxies: f.proxies,
		attachments: f.attachments, publicURL: f.publicURL, demo: f.demo, listen: f.listen, simulation: f.simulation, stop: f.stop, allowed: f.allowed,
		tls: pair, schedule: f.schedule, mail: f.mail, bound: bound.address(pair != nil), modelHosts: f.modelHosts, push: f.push, tracer: tracer,
	})
	if err != nil {
		return &failure{err}
	}
	err = c.run(ctx, p, f, bound)
	if closeErr := p.app.close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return &failure{err}
	}
	return nil
}

// address returns the origin at which a server listens.
func (l listeners) address(encrypted bool) string {
	if encrypted {
		return "https://" + l.main.Addr().String()
	}
	return "http://" + l.main.Addr().String()
}

// run serves until the context ends.
func (c *cli) run(ctx context.Context, p *program, f serveFlags, l listeners) error {
	address := l.address(p.tls != nil)
	if f.demo {
		warnOfDemo(c.stderr, f.listen, p.log)
	}
	if err := c.welcome(ctx, p, f, address); err != nil {
		return err
	}
	return p.serve(ctx, l.main, l.metrics)
}

// welcome founds a workspace on an empty store and prints its credentials,
// once. It shows the pages of the demo at the listening address, because they
// answer at no other.
func (c *cli) welcome(ctx context.Context, p *program, f serveFlags, served string) error {
	address := cmp.Or(f.publicURL, served)
	workspaces, err := p.app.desk.Workspaces(ctx)
	if err != nil {
		return err
	}
	if len(workspaces) > 0 {
		fmt.Fprintf(c.stdout, "Parley serves on %s\n", address)
		return nil
	}
	var founded access.Founding
	shop := ""
	if f.demo {
		founded, err = foundDemo(ctx, c.stderr, p.app)
		shop = "  Demo shop         " + served + "/shop\n  Help center       " + served + "/help/northwind-shop\n"
		if p.runPhones != nil {
			shop += "  Demo phones       " + served + "/phone\n"
		}
		if p.work.mailbox != nil {
			shop += "  Demo mailbox      " + served + "/mailbox\n"
		}
	} else {
		founded, err = p.app.access.CreateWorkspace(ctx, "My company", "owner@parley.example")
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "\n  Parley serves on  %s\n  API reference     %s/docs\n%s\n  Workspace         %s\n  Workspace id      %s\n  Login             %s\n  Password          %s\n  API key           %s\n\n"+
		"Password and key are not shown again.\n\n", address, address, shop, founded.Workspace.Name, founded.Workspace.ID, founded.Owner.Email, founded.OwnerPassword, founded.Secret)
	return nil
}

// serve answers requests and runs the background work until the context ends.
// It stops in the order of dependencies: with the listener the streams, which
// would continue for days; then the requests; then the work that requests
// depend on, such as holding numbers.
func (p *program) serve(ctx context.Context, listener, metrics net.Listener) error {
	streams, endStreams := context.WithCancel(context.WithoutCancel(ctx))
	defer endStreams()
	work, endWork := context.WithCancel(context.WithoutCancel(ctx))
	defer endWork()
	server := newServer(p.handler, p.log)
	served, failed := make(chan error, 1), make(chan error, 1)
	go func() { served <- p.accept(server, impatientListener{listener}) }()
	if metrics != nil {
		watched := newServer(p.envelope.Wrap(p.metrics.Handler()), p.log)
		go func() { failed <- watched.Serve(impatientListener{metrics}) }()
		defer func() { _ = watched.Close() }() // a lost scrape does no harm
	}
	var tasks sync.WaitGroup
	tasks.Go(func() { p.hub.Run(streams) })
	tasks.Go(func() { p.runTasks(work) })
	var err error
	select {
	case <-ctx.Done():
		p.stopping.Store(true)
		time.Sleep(p.stop.wait)
		_ = listener.Close() // it accepts nothing, whatever the error
		<-served             //nolint:errcheck // it ended with its listener
		endStreams()         // their readers reconnect to another node
		err = p.stop.drain(server)
	case err = <-served:
	case err = <-failed:
	}
	endStreams()
	endWork()
	tasks.Wait()
	return err
}

// accept serves the connections of a listener, under TLS if the program has a
// certificate.
func (p *program) accept(server *http.Server, listener net.Listener) error {
	if p.tls == nil {
		return server.Serve(listener)
	}
	server.TLSConfig = p.tls.Config()
	return server.ServeTLS(listener, "", "")
}

func newServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		// For answers by net/http itself. The envelope sets its own deadlines.
		WriteTimeout:   requestTime + 30*time.Second,
		IdleTimeout:    2 * time.Minute,
		MaxHeaderBytes: 64 << 10,
		// The deadlines of an answer say nothing of a connection of HTTP/2 that
		// its client does not read, or that is gone.
		HTTP2:    &http.HTTP2Config{WriteByteTimeout: 15 * time.Second, SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
		ErrorLog: connectionLog(log),
	}
}

// runTasks runs the background work: it sends queued messages, keeps numbers
// connected, updates the search index and the use of keys, answers as the automated
// agent, runs timers, deletes what is past its retention, and watches the store.
func (p *program) runTasks(ctx context.Context) {
	if p.app.lock != nil { // no other server uses the folder
		if err := p.app.numbers.TakeOver(ctx); err != nil && ctx.Err() == nil {
			p.log.Warn("start: claims of the previous process not released, they will expire", "error", err)
		}
	}
	var tasks sync.WaitGroup
	all := []func(context.Context){
		p.app.numbers.RunOutbox, p.app.search.RunSearchIndex, p.app.access.RunKeyUse, p.app.numbers.RunNumbers, p.board.RunPairingNews, p.app.store.Watch,
		p.timers.Run, p.purge, p.agent.Run, p.app.recorder.Run,
	}
	all = append(all, p.work.tasks()...)
	if p.runPhones != nil {
		all = append(all, p.runPhones)
	}
	for _, task := range all {
		tasks.Go(func() { task(ctx) })
	}
	tasks.Wait()
}
