package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/whatsapp"
	"parley/internal/store"
)

// simulated is the value of --chatapp-sim for a fake network in this process.
const simulated = "in-process"

// whatsappFile is the file next to the embedded store in which the driver
// stores the keys of its numbers.
const whatsappFile = "whatsapp.db"

// simulationFlag adds the flag --chatapp-sim.
func simulationFlag(cmd *cobra.Command, address *string) {
	cmd.Flags().StringVar(address, "chatapp-sim", "", "address of a fake of the messaging application, for development (without one: a fake in this process)")
	cmd.Flags().Lookup("chatapp-sim").NoOptDefVal = simulated
}

// fakeDevice is the prefix of devices that were paired on a fake network.
const fakeDevice = "simulated "

// devices stores which devices the driver has paired, and on which network. A
// fake network knows no real device and would log it out, and the real network
// must not be asked about fake devices.
type devices struct {
	store *store.Store
	fake  bool // this process uses a fake network
}

func (d devices) Device(ctx context.Context, host chatapp.Host) (string, error) {
	name, err := d.store.NumberDevice(ctx, host.Workspace, host.NumberID)
	if err != nil || name == "" {
		return "", err
	}
	jid, fake := strings.CutPrefix(name, fakeDevice)
	if fake != d.fake {
		return "", chatapp.ErrOtherNetwork
	}
	return jid, nil
}

func (d devices) SetDevice(ctx context.Context, host chatapp.Host, jid string) error {
	if jid != "" && d.fake {
		jid = fakeDevice + jid
	}
	return d.store.SetNumberDevice(ctx, host.Workspace, host.NumberID, jid)
}

// A realNetwork is the driver for real numbers, and in development the fake
// network that it uses.
type realNetwork struct {
	driver *whatsapp.Driver
	fake   *fakeNetwork // nil unless the fake network is in this process
}

// openWhatsApp opens the driver. simulation is the address of a fake network,
// simulated for one in this process, or "" for the real one.
func (c *cli) openWhatsApp(ctx context.Context, s *store.Store, simulation string, clock parley.Clock, log *slog.Logger) (*realNetwork, error) {
	whatsapp.Prepare("Parley", log)
	n := &realNetwork{}
	var client *http.Client
	if simulation != "" {
		client, n.fake = openFake(simulation, clock, log)
	}
	options := whatsapp.Options{
		Postgres: c.database, Devices: devices{store: s, fake: simulation != ""}, HTTPClient: client, Clock: clock, Logger: log,
	}
	if c.database == "" {
		options.SQLite = filepath.Join(c.data, whatsappFile)
	}
	var err error
	n.driver, err = whatsapp.New(ctx, options)
	if err != nil {
		return nil, errors.Join(err, n.close())
	}
	return n, nil
}

func (n *realNetwork) close() error {
	var errs []error
	if n.driver != nil {
		errs = append(errs, n.driver.Shutdown())
	}
	if n.fake != nil {
		errs = append(errs, n.fake.Close())
	}
	return errors.Join(errs...)
}
