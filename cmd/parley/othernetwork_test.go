package main

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/whatsapp"
	"parley/internal/desk"
	"parley/internal/numbers"
	"parley/internal/store/storetest"
)

// A forbiddenNetwork fails the test when it is used.
type forbiddenNetwork struct{ t *testing.T }

func (n forbiddenNetwork) RoundTrip(r *http.Request) (*http.Response, error) {
	n.t.Errorf("%s was asked", r.URL.Host)
	return nil, errors.New("nobody may ask this network")
}

// TestNumberOfAnotherNetwork pairs a number on a fake network and opens its
// store with a driver of the real one, and vice versa: the number is not
// dialled, and keeps its device and its keys.
func TestNumberOfAnotherNetwork(t *testing.T) {
	for engine, newStore := range map[string]func(*testing.T) *cli{"sqlite": onSQLite, "postgres": onPostgres} {
		t.Run(engine, func(t *testing.T) {
			c := newStore(t)
			x := newTalk(t, c)
			x.pair()
			kept := x.device()
			jid, fake := strings.CutPrefix(kept, "simulated ")
			if !fake || !strings.HasPrefix(jid, hostPhone) {
				t.Errorf("the device is %q", kept)
			}
			x.leftAlone(devices{store: x.app.store})
			if got := x.device(); got != kept {
				t.Errorf("the device is %q, was %q", got, kept)
			}
			// The same keys, as if they were real.
			x.setDevice(jid)
			x.leftAlone(devices{store: x.app.store, fake: true})
			if got := x.device(); got != jid {
				t.Errorf("the device is %q, was %q", got, jid)
			}
			x.setDevice(kept)
			x.connects() // with its keys
		})
	}
}

func (x *talk) device() string {
	x.t.Helper()
	name, err := x.app.store.NumberDevice(x.t.Context(), x.home.Workspace.ID, x.number.ID)
	x.must(err)
	return name
}

func (x *talk) setDevice(name string) {
	x.t.Helper()
	x.must(x.app.store.SetNumberDevice(x.t.Context(), x.home.Workspace.ID, x.number.ID, name))
}

// leftAlone makes a driver of another network try everything that it can with
// the number.
func (x *talk) leftAlone(kept devices) {
	x.t.Helper()
	ctx := x.t.Context()
	o := whatsapp.Options{
		Postgres: x.cli.database, Devices: kept, Clock: time.Now, Logger: storetest.Quiet(),
		HTTPClient: &http.Client{Transport: forbiddenNetwork{x.t}},
	}
	if x.cli.database == "" {
		o.SQLite = filepath.Join(x.cli.data, whatsappFile)
	}
	driver, err := whatsapp.New(ctx, o)
	x.must(err)
	defer func() { x.must(driver.Shutdown()) }()
	host := chatapp.Host{Workspace: x.home.Workspace.ID, NumberID: x.number.ID, Phone: hostPhone}
	if err := driver.Open(ctx, host, nil); !errors.Is(err, chatapp.ErrOtherNetwork) {
		x.t.Errorf("opened: %v", err)
	}
	if err := driver.Unpair(ctx, host); !errors.Is(err, chatapp.ErrOtherNetwork) {
		x.t.Errorf("unpaired: %v", err)
	}
	if _, err := driver.Pair(ctx, host, chatapp.PairByQR); !errors.Is(err, chatapp.ErrOtherNetwork) {
		x.t.Errorf("paired: %v", err)
	}
	secrets, err := x.cli.vault("", appOptions{existing: true})
	x.must(err)
	d := numbers.New(numbers.Options{
		Desk:       desk.New(desk.Options{Store: x.app.store, Vault: secrets, Clock: time.Now, IDs: x.app.ids, Log: storetest.Quiet()}),
		Connectors: map[parley.Driver]chatapp.Connector{parley.DriverWhatsApp: driver},
	})
	x.must(d.TendNumbers(ctx))
	n, err := d.Number(ctx, x.home.Workspace.ID, x.number.ID)
	x.must(err)
	if n.Status != parley.NumberDisconnected || !strings.Contains(n.Reason, "another network") {
		x.t.Errorf("the number is %s (%s)", n.Status, n.Reason)
	}
	if _, err := d.LogOutNumber(ctx, desk.Caller{Workspace: x.home.Workspace.ID}, x.number.ID); parley.KindOf(err) != parley.Conflict {
		x.t.Errorf("logged out: %v", err)
	}
	d.GiveNumbersBack(ctx)
}

// connects opens the store with the network on which the number was paired, and
// waits for the connection.
func (x *talk) connects() {
	x.t.Helper()
	h, err := x.cli.open(x.t.Context(), appOptions{log: storetest.Quiet(), clock: time.Now, real: true, simulation: x.address})
	x.must(err)
	defer func() { x.must(h.close()) }()
	ctx, stop := context.WithCancel(x.t.Context())
	done := make(chan struct{})
	go func() {
		h.numbers.RunNumbers(ctx)
		close(done)
	}()
	defer func() {
		stop()
		<-done
	}()
	x.until("the connection", 20*time.Second, x.connected)
}
