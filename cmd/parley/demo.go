//go:build !nodemo

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/chatapp/chatsim"
	"parley/internal/demo"
	"parley/internal/httpjson"
)

// This file is the border to what only looking around and developing need: the
// demo's people and pages, and the fake of the messaging application's network.
// A build with the tag nodemo has nodemo.go in its place, and nothing of them.

// A fakeNetwork plays the messaging application's network in this process.
type fakeNetwork = chatsim.Server

// checkDemo refuses a fake network where somebody may rely on a real one.
func checkDemo(demo bool, simulation string) error {
	if simulation != "" && !demo && os.Getenv("PARLEY_DEV") != "1" {
		return errors.New("--chatapp-sim: is for development; it needs --demo or PARLEY_DEV=1 in the environment")
	}
	return nil
}

// openFake returns the client that reaches a fake network: one in this process
// for simulated, which is returned too, else the one at an address.
func openFake(simulation string, clock parley.Clock, log *slog.Logger) (*http.Client, *fakeNetwork) {
	chatsim.Trust(chatsim.DefaultSeed)
	if simulation != simulated {
		return chatsim.HTTPClient(simulation), nil
	}
	fake := chatsim.New(chatsim.Options{Seed: chatsim.DefaultSeed, Now: clock, Logger: log})
	return fake.HTTPClient(), fake
}

// warnOfDemo warns where others reach the pages of the demo.
func warnOfDemo(w io.Writer, listen string, log *slog.Logger) {
	if !newDemoHosts(listen, log).local() {
		fmt.Fprintf(w, "WARNING: the demo asks for no password at /phone and /shop, and %s is reachable from other machines.\n", listen)
	}
}

// foundDemo founds the demo's workspace and fills it.
func foundDemo(ctx context.Context, w io.Writer, h *house) (access.Founding, error) {
	begin := access.New(h.desk.WithClock(demo.Beginning(time.Now)))
	founded, err := begin.CreateWorkspace(ctx, demo.Company, demo.Owner)
	if err != nil {
		return founded, err
	}
	fmt.Fprintln(w, "Filling the workspace with a few weeks of conversations …")
	err = demo.Fill(ctx, demo.FillOptions{Desk: h.desk, Numbers: h.numbers, Customers: h.customers, Founding: founded, Clock: time.Now})
	if err != nil {
		return founded, fmt.Errorf("fill the workspace: %w", err)
	}
	return founded, nil
}

// demoPages are the demo's shop, where there is a demo, and the pages on which
// people play the phones of a fake network in this process, with what plays
// them; nil where there is none.
func demoPages(h *house, o programOptions) (byPrefix, func(context.Context), error) {
	var pages byPrefix
	hosts := newDemoHosts(o.listen, o.log)
	if o.demo {
		shop, err := demo.Shop(demo.ShopOptions{Desk: h.desk, Sign: h.customers.SignIdentity, Clock: o.clock, Log: o.log})
		if err != nil {
			return nil, nil, err
		}
		pages = byPrefix{{"/shop", hosts.only(httpjson.CleanPaths(shop))}}
	}
	if h.real.fake == nil {
		return pages, nil, nil
	}
	phones, err := demo.NewPhones(demo.PhonesOptions{Desk: h.desk, Numbers: h.numbers, Network: h.real.fake, Clock: o.clock, Log: o.log})
	if err != nil {
		return nil, nil, err
	}
	phonePages, err := phones.Handler()
	if err != nil {
		return nil, nil, err
	}
	return append(pages, byPrefix{{"/phone", hosts.only(phonePages)}}...), phones.Run, nil
}
