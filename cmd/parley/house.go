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
	bell  *live.Bell // rings with every commit
}

// open brings the store to this version's schema and opens it.
func (c *cli) open(ctx context.Context, log *slog.Logger, clock parley.Clock) (*house, error) {
	bell, index := live.NewBell(), make(chan struct{}, 1)
	options := c.storeOptions(log)
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
	network := sandbox.New(s, clock, options.IDs)
	return &house{
		store: s,
		ids:   options.IDs,
		bell:  bell,
		desk: desk.New(desk.Options{
			Store: s, Vault: secrets, Clock: clock, IDs: options.IDs, Log: log,
			Connectors: map[parley.Driver]chatapp.Connector{parley.DriverSandbox: network}, SearchWake: index,
		}),
	}, nil
}

func (c *cli) vault() (*vault.Vault, error) {
	if c.master != "" {
		return vault.FromBase64(c.master)
	}
	return vault.FromFile(filepath.Join(c.data, "master.key"))
}

func (h *house) close() error { return h.store.Close() }
