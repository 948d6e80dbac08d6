package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/alerts"
	"parley/internal/assist"
	"parley/internal/audit/entry"
	"parley/internal/backup/schedule"
	"parley/internal/blob"
	"parley/internal/bot/answering"
	"parley/internal/bot/simulating"
	"parley/internal/chatapp"
	"parley/internal/chatapp/sandbox"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/erasure"
	"parley/internal/identity"
	"parley/internal/knowledge"
	"parley/internal/knowledge/answers"
	"parley/internal/live"
	"parley/internal/model"
	"parley/internal/numbers"
	"parley/internal/outward"
	"parley/internal/providers"
	"parley/internal/search"
	"parley/internal/settings"
	"parley/internal/store"
	"parley/internal/store/datafolder"
	"parley/internal/tracing"
	"parley/internal/vault"
)

// An app is the store with the services over it, which the server and the other
// commands open in the same way.
type app struct {
	store      *store.Store
	desk       *desk.Desk
	access     *access.Service
	alerts     *alerts.Service // nil in a demo and in commands: nobody is told
	numbers    *numbers.Service
	customers  *customers.Service
	search     *search.Service
	settings   *settings.Service
	knowledge  *knowledge.Service
	answers    *answers.Service
	providers  *providers.Service
	answering  *answering.Answerer
	simulating *simulating.Service
	recorder   *knowledge.Recorder
	assist     *assist.Service
	erasure    *erasure.Service
	ids        *parley.IDs
	files      desk.Files // nil if nothing can be uploaded
	secrets    *vault.Vault
	log        *slog.Logger
	bell       *live.Bell       // rung by every commit
	real       *realNetwork     // nil if real numbers are not used
	lock       *datafolder.Lock // of the data folder; nil for commands, and on PostgreSQL
}

// appOptions are the differences between the server and the other commands.
type appOptions struct {
	log    *slog.Logger
	clock  parley.Clock
	tracer *tracing.Tracer // nil: nothing is traced
	// lock is the server's lock of the data folder, which the app releases.
	lock *datafolder.Lock
	// existing requires a store; otherwise one is created.
	existing bool
	// keep are the rules for scheduled backups; nil: unknown.
	keep schedule.Keep
	// rotate makes another master key take over; see [cli.keysOfFolder].
	rotate bool
	// attachments is the place of files; nil: nothing can be uploaded.
	attachments *attachmentFlags
	publicURL   string
	// allowed are the networks that may be reached besides the public internet.
	allowed outward.Networks
	// modelHosts are the hosts of language models that may be reached besides the public internet.
	modelHosts outward.Hosts
	// toy is the transport to the toy model of a demo; nil: this is none.
	toy http.RoundTripper
	// real enables real numbers. simulation is then the address of a fake
	// network, or "".
	real       bool
	simulation string
}

// mustExist returns an error if there is no store. A mistyped --data would
// create another one and show it empty.
func (c *cli) mustExist(ctx context.Context, o store.Options) error {
	from, _, err := store.MigrationStatus(ctx, o)
	if err != nil || from > 0 {
		return err
	}
	place := "the database"
	if c.database == "" {
		place = c.data
	}
	return fmt.Errorf("there is no store in %s; 'parley serve' makes one, or 'parley workspace create'", place)
}

// open migrates the store to the schema of this version and opens it.
func (c *cli) open(ctx context.Context, o appOptions) (*app, error) {
	bell, index := live.NewBell(), make(chan struct{}, 1)
	options := c.storeOptions(o.log)
	options.Lock = o.lock
	options.Committed = func(workspaces []parley.WorkspaceID) {
		bell.Ring(workspaces)
		select {
		case index <- struct{}{}:
		default: // a wake-up is pending already
		}
	}
	limits := attachmentFlags{}
	if o.attachments != nil {
		limits = *o.attachments
	}
	check := func() error { return c.mayFound(ctx, options, limits.folder()) }
	if o.existing {
		check = func() error { return c.mustExist(ctx, options) }
	}
	if err := c.finishRestore(o.lock); err != nil {
		return nil, err
	}
	if err := check(); err != nil {
		return nil, err
	}
	files, err := c.openPlace(ctx, o.attachments, o.log)
	if err != nil {
		return nil, err
	}
	// The lock of the data folder also protects the folder of files inside it.
	if folder, local := files.(*blob.Folder); local && o.lock != nil && limits.place == "" {
		if err := folder.DeleteDrafts(); err != nil {
			o.log.Warn("start: incomplete uploads not deleted", "error", err)
		}
	}
	if _, _, err := store.Migrate(ctx, options); err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, options)
	if err != nil {
		return nil, err
	}
	secrets, err := c.keyOf(ctx, s, o)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	a := &app{store: s, files: files, secrets: secrets, ids: options.IDs, bell: bell, log: o.log, lock: o.lock}
	connectors := map[parley.Driver]chatapp.Connector{parley.DriverSandbox: sandbox.New(s, o.clock, options.IDs)}
	if o.real {
		if a.real, err = c.openWhatsApp(ctx, s, o.simulation, o.clock, o.log); err != nil {
			return nil, errors.Join(err, s.Close())
		}
		connectors[parley.DriverWhatsApp] = a.real.driver
	}
	a.newServices(serviceOptions{app: o, secrets: secrets, connectors: connectors, files: files, limits: limits, index: index})
	return a, nil
}

// serviceOptions are what the services are made of.
type serviceOptions struct {
	app        appOptions
	secrets    *vault.Vault
	connectors map[parley.Driver]chatapp.Connector
	files      desk.Files
	limits     attachmentFlags
	index      <-chan struct{} // wakes the search index
}

// newServices makes the desk and the packages over it.
func (a *app) newServices(o serviceOptions) {
	opened := time.Now()
	a.desk = desk.New(desk.Options{
		Store: a.store, Vault: o.secrets, Clock: o.app.clock, IDs: a.ids, Log: o.app.log, Tracer: o.app.tracer, Capabilities: numbers.CapabilitiesOf(o.connectors),
		Files: o.files, MaxUpload: int64(o.limits.maxUpload) << 20, UploadQuota: int64(o.limits.quota) << 30, PublicURL: o.app.publicURL,
		Elapsed: func() time.Duration { return time.Since(opened) },
	})
	a.access = access.New(a.desk, func(t *desk.Tx, e *entry.Entry) error { return a.alerts.Tell(t, e) })
	a.numbers = numbers.New(numbers.Options{Desk: a.desk, Connectors: o.connectors})
	a.customers = customers.New(customers.Options{
		Desk: a.desk, FetchKeys: identity.NewFetch(outward.NewDialer(outward.Options{Allowed: o.app.allowed})),
	})
	a.settings = settings.New(a.desk)
	a.knowledge = knowledge.New(a.desk)
	a.answers = answers.New(a.desk, a.knowledge)
	models := model.NewNetwork(o.app.modelHosts, model.DefaultTimes())
	if o.app.toy != nil {
		models = models.WithInside(parley.ToyModelURL, o.app.toy)
	}
	a.providers = providers.New(a.desk, models)
	a.recorder = knowledge.NewRecorder(a.knowledge, o.app.log)
	a.answering = answering.New(answering.Options{
		Desk: a.desk, Knowledge: a.knowledge, Articles: a.answers, Providers: a.providers, PublicURL: o.app.publicURL, Log: o.app.log,
	})
	a.simulating = simulating.New(a.desk, a.answering)
	a.assist = assist.New(assist.Options{Desk: a.desk, Providers: a.providers, Log: o.app.log, Answerer: a.answering})
	a.erasure = erasure.New(a.desk, a.numbers, o.app.keep.End)
	a.search = search.New(search.Options{Desk: a.desk, Wake: o.index})
}

// lockData locks the data folder for a server. Servers that share a database
// need no lock.
func (c *cli) lockData() (*datafolder.Lock, error) {
	if c.database != "" {
		return nil, nil
	}
	return datafolder.Take(c.data)
}

func (a *app) close() error {
	var errs []error
	if a.real != nil {
		errs = append(errs, a.real.close())
	}
	return errors.Join(append(errs, a.store.Close(), a.lock.Close())...)
}
