// Package demo fills a new workspace with believable data, so that a first
// start of Parley has something to show and to call. It creates everything
// through the desk and the packages over it, at times in the past weeks, as
// real use would have.
//
// It also serves the demo shop, a page of a company that embeds the chat
// widget, and plays the phones on the other side of a number (phones,
// phonestate, phone): customers who can be written to and who answer, on the
// page /phone. On that page people can also make the fake network do to a
// number what the real one might (network).
//
// It may import the vocabulary, the desk, access, customers, numbers, settings, teams, drafts,
// later, macros, threads and views, knowledge and its importing for the help articles, providers and the fake of a
// server of models for the automated agent,
// identity for the shop's customers, assets and httpjson for the pages, and the fake of
// the messaging network with the interfaces of chatapp.
package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/knowledge"
	"parley/internal/numbers"
	"parley/internal/providers"
)

// The company of the demo and the owner of its workspace.
const (
	Company = "Northwind Outfitters"
	Owner   = "ann@northwind.example"
	Support = "support@northwind.example" // sends the mails
)

// Amounts of data.
const (
	weeks         = 5
	companies     = 30
	contacts      = 320
	conversations = 1000
)

// SandboxPhone is the demo's number of the messaging application.
const SandboxPhone parley.Phone = "4930555010"

// Beginning is a clock that always shows the beginning of the demo's past.
func Beginning(now parley.Clock) parley.Clock {
	start := now.Now().Add(-weeks * 7 * 24 * time.Hour)
	return func() time.Time { return start }
}

// A filler creates the data. Its clock only moves forward, so that the event
// log has the past in order. The random source has a fixed seed, so that all
// demos are alike.
type filler struct {
	ctx       context.Context
	desk      *desk.Desk
	access    *access.Service
	numbers   *numbers.Service
	customers *customers.Service
	knowledge *knowledge.Service
	providers *providers.Service
	by        desk.Caller
	now       time.Time
	random    *rand.Rand

	members   []parley.Member
	acts      []act
	planned   int             // conversations
	answered  []*conversation // open ones in which the customer has an answer, the latest last
	inboxes   []parley.Inbox
	products  []parley.Product
	companies []parley.Company
	contacts  []parley.Contact
}

// FillOptions configure Fill.
type FillOptions struct {
	Desk      *desk.Desk
	Numbers   *numbers.Service
	Customers *customers.Service
	Providers *providers.Service // over a network with the toy model
	Founding  access.Founding    // the workspace to fill
	Clock     parley.Clock
}

// Fill fills a new workspace.
func Fill(ctx context.Context, o FillOptions) error {
	f, now := o.Founding, o.Clock
	x := &filler{
		ctx: ctx, by: desk.Caller{Workspace: f.Workspace.ID, Actor: parley.Actor{Type: parley.ActorImport}, Imported: true},
		now:     Beginning(now)().Add(time.Minute),
		random:  rand.New(rand.NewPCG(1, 2)), // not for secrets
		members: []parley.Member{f.Owner}, inboxes: []parley.Inbox{f.Inbox},
	}
	x.desk = o.Desk.WithClock(func() time.Time { return x.now })
	x.access = access.New(x.desk)
	x.numbers = o.Numbers.WithDesk(x.desk)
	x.customers = o.Customers.WithDesk(x.desk)
	x.knowledge = knowledge.New(x.desk)
	x.providers = o.Providers
	for _, step := range []func() error{x.people, x.settings, x.teams, x.catalogue, x.helpArticles, x.addressBook} {
		if err := step(); err != nil {
			return err
		}
	}
	end := now.Now()
	if err := x.talk(end.Add(-customerPause)); err != nil {
		return err
	}
	if err := x.deskWork(end); err != nil {
		return err
	}
	return x.automatedAgent()
}

func (x *filler) people() error {
	owner := x.members[0]
	named, err := x.access.UpdateMember(x.ctx, x.as(&owner), owner.ID,
		access.MemberChange{Name: parley.Some("Ann Lindqvist")})
	if err != nil {
		return err
	}
	x.members[0] = named
	for _, m := range memberList() {
		made, _, err := x.access.CreateMember(x.ctx, x.by, m)
		if err != nil {
			return err
		}
		x.members = append(x.members, made)
	}
	return nil
}

// settings creates products, inboxes with their routing, and the number.
func (x *filler) settings() error {
	for _, p := range productList() {
		made, err := x.desk.CreateProduct(x.ctx, x.by, p.name, p.description)
		if err != nil {
			return err
		}
		x.products = append(x.products, made)
	}
	for i, channel := range []parley.Channel{parley.ChannelWeb, parley.ChannelAPI} {
		made, err := x.desk.CreateInbox(x.ctx, x.by, desk.NewInbox{
			Name: []string{"Website chat", "Mobile app"}[i], Channel: channel, ProductID: x.products[i].ID,
		})
		if err != nil {
			return err
		}
		x.inboxes = append(x.inboxes, made)
		if channel == parley.ChannelWeb {
			if _, err := x.customers.FinishWelcome(x.ctx, x.by); err != nil {
				return err
			}
			if _, err := x.customers.UpdateWidget(x.ctx, x.by, made.ID, widget()); err != nil {
				return err
			}
		}
	}
	if _, err := x.desk.ArchiveProduct(x.ctx, x.by, x.products[len(x.products)-1].ID, true); err != nil {
		return err
	}
	_, err := x.numbers.ConnectNumber(x.ctx, x.by, SandboxPhone, parley.DriverSandbox)
	return err
}

func (x *filler) addressBook() error {
	for i := range companies {
		name := pick(x, companyFirst()) + " " + pick(x, companyLast())
		saved, err := x.desk.SaveCompany(x.ctx, x.by, desk.CompanyFields{
			Name: parley.Some(name), Website: parley.Some(fmt.Sprintf("https://%s.example", slug(name))),
			Industry: parley.Some(pick(x, industries())), ExternalID: parley.Some(fmt.Sprintf("acct-%04d", i+1)),
		})
		if err != nil {
			return err
		}
		x.companies = append(x.companies, saved.Record)
		x.pass(20 * time.Minute)
	}
	for i := range contacts {
		c, err := x.customer(i)
		if err != nil {
			return err
		}
		x.contacts = append(x.contacts, c)
		x.pass(15 * time.Minute)
	}
	return nil
}

func (x *filler) customer(i int) (parley.Contact, error) {
	first, last := pick(x, firstNames()), pick(x, lastNames())
	company := pick(x, x.companies)
	saved, err := x.desk.SaveContact(x.ctx, x.by, desk.ContactFields{
		Name:             parley.Some(first + " " + last),
		Email:            parley.Some(fmt.Sprintf("%s.%s%d@%s.example", slug(first), slug(last), i, slug(company.Name))),
		PhoneNumber:      parley.Some(fmt.Sprintf("+4915%08d", 10000000+i*37)),
		ShopName:         parley.Some(company.Name),
		CustomAttributes: parley.Attributes(fmt.Sprintf(`{"plan":%q,"seats":%d}`, pick(x, []string{"free", "team", "business"}), 1+x.random.IntN(60))),
	})
	if err != nil || x.random.IntN(5) == 0 {
		return saved.Record, err // one in five has no company
	}
	return x.desk.UpdateContact(x.ctx, x.by, saved.Record.ID, desk.ContactFields{CompanyID: parley.Some(company.ID)})
}

// as returns a caller for a member.
func (x *filler) as(m *parley.Member) desk.Caller {
	return desk.Caller{Workspace: x.by.Workspace, Actor: parley.MemberActor(m), Member: m.ID, Imported: true}
}

func (x *filler) pass(d time.Duration) { x.now = x.now.Add(d / 10) }

func pick[T any](x *filler, from []T) T { return from[x.random.IntN(len(from))] }
