package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/providers"
	"parley/internal/publicapi"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// callers is how many callers post at the same time.
const callers = 64

// BenchmarkPost posts messages with 64 callers into 500 conversations, in turn
// through the desk alone and over HTTP. Both run the same SQL in the same
// group commits with full durability; "ratio" is HTTP's rate over the other's.
// Then customers ask through the desk, about a product without the automated agent
// and about one with it; "agent" is the latter's rate over the other's.
func BenchmarkPost(b *testing.B) {
	for name, o := range map[string]store.Options{"sqlite": storetest.SQLite(b), "postgres": storetest.Postgres(b)} {
		b.Run(name, func(b *testing.B) {
			x := newBench(b, o)
			var direct, http, plain, asked time.Duration
			for b.Loop() {
				// A round of each, so that both run under the same load.
				direct += x.round(b, x.conversations, x.postDirectly)
				http += x.round(b, x.conversations, x.postOverHTTP)
				plain += x.round(b, x.conversations, x.ask)
				asked += x.round(b, x.answering, x.ask)
			}
			posts := float64(b.N) * roundPosts
			b.ReportMetric(posts/direct.Seconds(), "direct/s")
			b.ReportMetric(posts/http.Seconds(), "http/s")
			b.ReportMetric(direct.Seconds()/http.Seconds(), "ratio")
			b.ReportMetric(posts/plain.Seconds(), "questions/s")
			b.ReportMetric(plain.Seconds()/asked.Seconds(), "agent")
			b.ReportMetric(0, "ns/op")
		})
	}
}

const roundPosts = 2000

type bench struct {
	desk          *desk.Desk
	access        *access.Service
	providers     *providers.Service
	founding      access.Founding
	conversations []parley.ID
	answering     []parley.ID // those in which the automated agent answers
	url           string
	client        *http.Client
	next          atomic.Int64
}

func newBench(b *testing.B, o store.Options) *bench {
	b.Helper()
	c := &cli{data: o.Dir, database: o.Database, logLevel: "error"}
	if c.data == "" {
		c.data = b.TempDir()
	}
	p, url := newBenchProgram(b, c, "")
	x := &bench{desk: p.app.desk, access: p.app.access, providers: p.app.providers, url: url, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: callers}}}
	x.fill(b)
	return x
}

// newBenchProgram serves on a free port until the benchmark ends, and returns
// its address.
func newBenchProgram(b *testing.B, c *cli, simulation string) (*program, string) {
	b.Helper()
	p, err := c.newProgram(b.Context(), programOptions{
		log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: parley.EventRetention, simulation: simulation,
	})
	if err != nil {
		b.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- p.serve(ctx, listener, nil) }()
	b.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			b.Error(err)
		}
		if err := p.app.close(); err != nil {
			b.Error(err)
		}
	})
	return p, "http://" + listener.Addr().String()
}

func (x *bench) fill(b *testing.B) {
	b.Helper()
	var err error
	if x.founding, err = x.access.CreateWorkspace(b.Context(), "Bench", "bench@parley.example"); err != nil {
		b.Fatal(err)
	}
	by := desk.Caller{Workspace: x.founding.Workspace.ID}
	inbox := x.inbox(b, by)
	for i := range 500 {
		contact, err := x.desk.SaveContact(b.Context(), by, desk.ContactFields{Name: parley.Some(fmt.Sprint("Contact ", i))})
		if err != nil {
			b.Fatal(err)
		}
		c, err := x.desk.CreateConversation(b.Context(), by, desk.NewConversation{ContactID: contact.Record.ID})
		if err != nil {
			b.Fatal(err)
		}
		x.conversations = append(x.conversations, c.ID)
		if c, err = x.desk.CreateConversation(b.Context(), by, desk.NewConversation{ContactID: contact.Record.ID, InboxID: inbox.ID}); err != nil {
			b.Fatal(err)
		}
		x.answering = append(x.answering, c.ID)
	}
}

// inbox creates an inbox about a product with the automated agent.
func (x *bench) inbox(b *testing.B, by desk.Caller) parley.Inbox {
	b.Helper()
	product, err := x.desk.CreateProduct(b.Context(), by, "With the agent", "")
	if err != nil {
		b.Fatal(err)
	}
	if _, err := x.providers.SaveAgent(b.Context(), by, product.ID, providers.AgentChange{Mode: parley.Some(parley.AgentCards)}); err != nil {
		b.Fatal(err)
	}
	inbox, err := x.desk.CreateInbox(b.Context(), by, desk.NewInbox{Name: "With the agent", Channel: parley.ChannelAPI, ProductID: product.ID})
	if err != nil {
		b.Fatal(err)
	}
	return inbox
}

// round posts with all callers and returns the duration.
func (x *bench) round(b *testing.B, conversations []parley.ID, post func(context.Context, parley.ID) error) time.Duration {
	b.Helper()
	began := time.Now()
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range roundPosts / callers {
				c := conversations[int(x.next.Add(1))%len(conversations)]
				if err := post(b.Context(), c); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	return time.Since(began)
}

var benchContent = strings.Repeat("A message of about three hundred bytes. ", 7)

func (x *bench) postDirectly(ctx context.Context, c parley.ID) error {
	_, err := x.desk.PostMessage(ctx, desk.Caller{Workspace: x.founding.Workspace.ID}, c, desk.NewMessage{
		Content: benchContent, ContentType: parley.Text, Direction: parley.Outgoing,
	})
	return err
}

// ask posts a customer's message.
func (x *bench) ask(ctx context.Context, c parley.ID) error {
	_, err := x.desk.PostMessage(ctx, desk.Caller{Workspace: x.founding.Workspace.ID}, c, desk.NewMessage{
		Content: benchContent, ContentType: parley.Text, Direction: parley.Incoming,
	})
	return err
}

func (x *bench) postOverHTTP(ctx context.Context, c parley.ID) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, x.url+"/v1/public/conversations/"+c.String()+"/messages",
		strings.NewReader(`{"content":"`+benchContent+`"}`))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+string(x.founding.Secret))
	req.Header.Set("Content-Type", "application/json")
	res, err := x.client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusCreated {
		err = fmt.Errorf("status %d: %s", res.StatusCode, body)
	}
	return err
}
