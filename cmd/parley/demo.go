//go:build !nodemo

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	netmail "net/mail"
	"os"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/chatapp/chatsim"
	"parley/internal/demo"
	"parley/internal/httpjson"
	"parley/internal/mail/mailsim"
	"parley/internal/mail/smtp"
)

// This file is the border to what only demos and development need: the demo's
// people, pages and toy model, and the fake of the messaging network. A build with the tag
// nodemo has nodemo.go instead, and contains none of them.

// A fakeNetwork simulates the messaging network in this process.
type fakeNetwork = chatsim.Server

// A mailServer takes the mails of a demo.
type mailServer = mailsim.Server

// checkDemo refuses a fake network next to a production setting.
func checkDemo(demo bool, simulation string) error {
	if simulation != "" && !demo && os.Getenv("PARLEY_DEV") != "1" {
		return errors.New("--chatapp-sim: is for development; it needs --demo or PARLEY_DEV=1 in the environment")
	}
	return nil
}

// openFake returns the client for a fake network. For simulated it also returns
// the network, which is in this process; otherwise the network is at an
// address.
func openFake(simulation string, clock parley.Clock, log *slog.Logger) (*http.Client, *fakeNetwork) {
	chatsim.Trust(chatsim.DefaultSeed)
	if simulation != simulated {
		return chatsim.HTTPClient(simulation), nil
	}
	fake := chatsim.New(chatsim.Options{Seed: chatsim.DefaultSeed, Now: clock, Logger: log})
	return fake.HTTPClient(), fake
}

// warnOfDemo warns if other machines can reach the pages of the demo.
func warnOfDemo(w io.Writer, listen string, log *slog.Logger) {
	if !demo.NewHosts(listen, log).Local() {
		fmt.Fprintf(w, "WARNING: the demo asks for no password at /phone, /shop and /mailbox, and %s is reachable from other machines.\n", listen)
	}
}

// toyModel returns the transport to the toy model of the demo, which answers in
// this process. pace is whether its words arrive as a person would read them.
func toyModel(pace bool) http.RoundTripper { return demo.ToyModel(pace) }

// foundDemo founds the workspace of the demo and fills it.
func foundDemo(ctx context.Context, w io.Writer, a *app) (access.Founding, error) {
	begin := access.New(a.desk.WithClock(demo.Beginning(time.Now)))
	founded, err := begin.CreateWorkspace(ctx, demo.Company, demo.Owner)
	if err != nil {
		return founded, err
	}
	fmt.Fprintln(w, "Filling the workspace with a few weeks of conversations …")
	err = demo.Fill(ctx, demo.FillOptions{Desk: a.desk, Numbers: a.numbers, Customers: a.customers, Providers: a.providers, Founding: founded, Clock: time.Now})
	if err != nil {
		return founded, fmt.Errorf("fill the workspace: %w", err)
	}
	return founded, nil
}

// openMailbox starts the mail server of a demo that has none, and returns it with the page
// that shows its mails.
func openMailbox(a *app, o *programOptions) (*mailServer, byPrefix, error) {
	if !o.demo || o.mail.server.Host != "" {
		return nil, nil, nil
	}
	server, err := mailsim.Start("127.0.0.1:0", mailsim.Options{})
	if err != nil {
		return nil, nil, err
	}
	o.publicURL = cmp.Or(o.publicURL, o.bound, "http://"+o.listen)
	o.mail.from = netmail.Address{Name: demo.Company, Address: demo.Support}
	o.mail.server, err = smtp.Parse("smtp://" + server.Addr() + "?tls=off")
	box := demo.Mailbox{Server: server, Desk: a.desk, Log: o.log}
	return server, byPrefix{{"/mailbox", demo.NewHosts(o.listen, o.log).Only(box.Handler())}}, err
}

// demoPages returns the handlers of the demo's shop, if this is a demo, and of
// the pages on which people play the phones of a fake network in this process,
// with the function that runs those phones; nil if there are none.
func demoPages(a *app, o programOptions) (byPrefix, func(context.Context), error) {
	var pages byPrefix
	hosts := demo.NewHosts(o.listen, o.log)
	if o.demo {
		shop, err := demo.Shop(demo.ShopOptions{Desk: a.desk, Sign: a.customers.SignIdentity, Clock: o.clock, Log: o.log})
		if err != nil {
			return nil, nil, err
		}
		pages = byPrefix{{"/shop", hosts.Only(httpjson.CleanPaths(shop))}}
	}
	if a.real.fake == nil {
		return pages, nil, nil
	}
	phones, err := demo.NewPhones(demo.PhonesOptions{Desk: a.desk, Numbers: a.numbers, Network: a.real.fake, Clock: o.clock, Log: o.log})
	if err != nil {
		return nil, nil, err
	}
	phonePages, err := phones.Handler()
	if err != nil {
		return nil, nil, err
	}
	return append(pages, byPrefix{{"/phone", hosts.Only(phonePages)}}...), phones.Run, nil
}
