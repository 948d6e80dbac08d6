package main

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/sandbox"
	"parley/internal/desk"
	"parley/internal/live"
	"parley/internal/store"
	"parley/internal/vault"
)

// A house is the store and the desk over it, which the server and the other
// commands open alike.
type house struct {
	store *store.Store
	desk  *desk.Desk
	ids   *parley.IDs
	bell  *live.Bell   // rings with every commit
	real  *realNetwork // nil where no real numbers are carried
}

// houseOptions are what differs between the server and the other commands.
type houseOptions struct {
	log   *slog.Logger
	clock parley.Clock
	// files keeps what is uploaded; nil where nothing can be.
	files     desk.Files
	maxUpload int64 // in bytes; 0 for the usual limit
	// real says whether to carry real numbers; simulation is then the address of
	// a fake network, or "".
	real       bool
	simulation string
}

// open brings the store to this version's schema and opens it.
func (c *cli) open(ctx context.Context, o houseOptions) (*house, error) {
	bell, index := live.NewBell(), make(chan struct{}, 1)
	options := c.storeOptions(o.log)
	options.Committed = func(workspaces []parley.WorkspaceID) {
		bell.Ring(workspaces)
		select {
		case index <- struct{}{}:
		default: // it knows already
		}
	}
	if _, _, err := store.Migrate(ctx, options); err != nil {
		return nil, err
	}
	secrets, err := c.vault()
	if err != nil {
		return nil, err
	}
	s, err := store.Open(ctx, options)
	if err != nil {
		return nil, err
	}
	if err := s.KeepMasterKey(ctx, secrets.Fingerprint()); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	h := &house{store: s, ids: options.IDs, bell: bell}
	connectors := map[parley.Driver]chatapp.Connector{parley.DriverSandbox: sandbox.New(s, o.clock, options.IDs)}
	if o.real {
		if h.real, err = c.openWhatsApp(ctx, s, o.simulation, o.clock, o.log); err != nil {
			return nil, errors.Join(err, s.Close())
		}
		connectors[parley.DriverWhatsApp] = h.real.driver
	}
	h.desk = desk.New(desk.Options{
		Store: s, Vault: secrets, Clock: o.clock, IDs: options.IDs, Log: o.log, Connectors: connectors, SearchWake: index,
		Files: o.files, MaxUpload: o.maxUpload,
	})
	return h, nil
}

func (c *cli) vault() (*vault.Vault, error) {
	if c.master != "" {
		return vault.FromBase64(c.master)
	}
	return vault.FromFile(filepath.Join(c.data, "master.key"))
}

func (h *house) close() error {
	if h.real == nil {
		return h.store.Close()
	}
	return errors.Join(h.real.close(), h.store.Close())
}
