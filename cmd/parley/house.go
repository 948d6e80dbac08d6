package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/blob"
	"parley/internal/chatapp"
	"parley/internal/chatapp/sandbox"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/identity"
	"parley/internal/live"
	"parley/internal/numbers"
	"parley/internal/outward"
	"parley/internal/search"
	"parley/internal/store"
	"parley/internal/vault"
)

// A house is the store and the desk over it, which the server and the other
// commands open alike.
type house struct {
	store     *store.Store
	desk      *desk.Desk
	access    *access.Service
	numbers   *numbers.Service
	customers *customers.Service
	search    *search.Service
	ids       *parley.IDs
	bell      *live.Bell   // rings with every commit
	real      *realNetwork // nil where no real numbers are carried
	lock      *store.Lock  // of the data folder; nil for a command, and on PostgreSQL
}

// houseOptions are what differs between the server and the other commands.
type houseOptions struct {
	log   *slog.Logger
	clock parley.Clock
	// lock is the server's lock of the data folder, which the house gives back.
	lock *store.Lock
	// existing says that a store must be there; else one is made.
	existing bool
	// attachments says where files are kept; nil where nothing can be uploaded.
	attachments *attachmentFlags
	publicURL   string
	// allowed are the networks that may be reached beside the public internet.
	allowed outward.Networks
	// real says whether to carry real numbers; simulation is then the address of
	// a fake network, or "".
	real       bool
	simulation string
}

// mustExist refuses to go on where there is no store. A mistyped --data would
// make another one, and show that it is empty.
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

// open brings the store to this version's schema and opens it.
func (c *cli) open(ctx context.Context, o houseOptions) (*house, error) {
	bell, index := live.NewBell(), make(chan struct{}, 1)
	options := c.storeOptions(o.log)
	options.Lock = o.lock
	options.Committed = func(workspaces []parley.WorkspaceID) {
		bell.Ring(workspaces)
		select {
		case index <- struct{}{}:
		default: // it knows already
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
	if err := check(); err != nil {
		return nil, err
	}
	files, err := c.openPlace(ctx, o.attachments, o.log)
	if err != nil {
		return nil, err
	}
	// The lock of the data folder is that of the folder of files in it.
	if folder, local := files.(*blob.Folder); local && o.lock != nil && limits.place == "" {
		if err := folder.DeleteDrafts(); err != nil {
			o.log.Warn("start: drafts of files not deleted", "error", err)
		}
	}
	if _, _, err := store.Migrate(ctx, options); err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, options)
	if err != nil {
		return nil, err
	}
	secrets, err := c.keyOf(ctx, s, o.existing)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	h := &house{store: s, ids: options.IDs, bell: bell, lock: o.lock}
	connectors := map[parley.Driver]chatapp.Connector{parley.DriverSandbox: sandbox.New(s, o.clock, options.IDs)}
	if o.real {
		if h.real, err = c.openWhatsApp(ctx, s, o.simulation, o.clock, o.log); err != nil {
			return nil, errors.Join(err, s.Close())
		}
		connectors[parley.DriverWhatsApp] = h.real.driver
	}
	h.newServices(serviceOptions{house: o, secrets: secrets, connectors: connectors, files: files, limits: limits, index: index})
	return h, nil
}

// serviceOptions are what the desk and the packages over it are made of.
type serviceOptions struct {
	house      houseOptions
	secrets    *vault.Vault
	connectors map[parley.Driver]chatapp.Connector
	files      desk.Files
	limits     attachmentFlags
	index      <-chan struct{} // wakes the index of the search
}

// newServices makes the desk and the packages over it.
func (h *house) newServices(o serviceOptions) {
	opened := time.Now()
	h.desk = desk.New(desk.Options{
		Store: h.store, Vault: o.secrets, Clock: o.house.clock, IDs: h.ids, Log: o.house.log, Capabilities: numbers.CapabilitiesOf(o.connectors),
		Files: o.files, MaxUpload: int64(o.limits.maxUpload) << 20, UploadQuota: int64(o.limits.quota) << 30, PublicURL: o.house.publicURL,
		Elapsed: func() time.Duration { return time.Since(opened) },
	})
	h.access = access.New(h.desk)
	h.numbers = numbers.New(numbers.Options{Desk: h.desk, Connectors: o.connectors})
	h.customers = customers.New(customers.Options{
		Desk: h.desk, FetchKeys: identity.NewFetch(outward.NewDialer(outward.Options{Allowed: o.house.allowed})),
	})
	h.search = search.New(search.Options{Desk: h.desk, Wake: o.index})
}

// keyOf opens what the store's secrets are sealed by. Of a store that has sealed
// something, and for a command that administers one, a new key opens nothing, so
// none is made.
func (c *cli) keyOf(ctx context.Context, s *store.Store, existing bool) (*vault.Vault, error) {
	kept, err := s.MasterKey(ctx)
	if err != nil {
		return nil, err
	}
	secrets, err := c.vault(existing || kept != "")
	if err != nil {
		return nil, err
	}
	return secrets, s.KeepMasterKey(ctx, secrets.Fingerprint())
}

func (c *cli) vault(existing bool) (*vault.Vault, error) {
	if c.master != "" {
		return vault.FromBase64(c.master)
	}
	path := filepath.Join(c.data, masterKeyFile)
	if _, err := os.Stat(path); existing && errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no master key %s, and the store's secrets are sealed under one; put that file back from its copy, "+
			"or give the key that the store was made with, by --data or --master-key", path)
	}
	return vault.FromFile(path)
}

// lockData takes the lock of the data folder for a server. Servers that share a
// database need none.
func (c *cli) lockData() (*store.Lock, error) {
	if c.database != "" {
		return nil, nil
	}
	return store.LockFolder(c.data)
}

// purge deletes what is past its time: of the log, what is older than retention.
func (h *house) purge(ctx context.Context, retention time.Duration) error {
	d := h.desk
	return errors.Join(d.Purge(ctx, retention), h.numbers.Purge(ctx), h.access.Purge(ctx), h.customers.Purge(ctx))
}

func (h *house) close() error {
	var errs []error
	if h.real != nil {
		errs = append(errs, h.real.close())
	}
	return errors.Join(append(errs, h.store.Close(), h.lock.Close())...)
}
