package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/apitest"
	"parley/internal/chatapp/chatsim"
	"parley/internal/store/storetest"
)

const (
	bobPhone     = "4915100000001" // lets nobody add him to groups
	nobodysPhone = "4915100000990" // is not on the network
)

// A simulatedNetwork is the fake network with people on it. Processes reach it
// like those of an operator.
type simulatedNetwork struct {
	t        *testing.T
	network  *chatsim.Server
	address  string
	ann, bob *chatsim.Phone

	mu    sync.Mutex
	hooks map[string]chatsim.Hooks // by the phone of the requester
}

func newSimulatedNetwork(t *testing.T) *simulatedNetwork {
	t.Helper()
	x := &simulatedNetwork{t: t, hooks: map[string]chatsim.Hooks{}}
	x.network = chatsim.New(chatsim.Options{Seed: chatsim.DefaultSeed, Now: time.Now, Logger: storetest.Quiet()})
	t.Cleanup(func() { _ = x.network.Close() })
	address, err := x.network.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	x.address = address.String()
	x.ann = x.person(annPhone, chatsim.AccountOptions{Name: "Ann"})
	x.bob = x.person(bobPhone, chatsim.AccountOptions{Name: "Bob", Refuse: 403})
	x.network.SetHooks(chatsim.Hooks{
		Before: func(r chatsim.Request) chatsim.Fault { return call(x.hooksOf(r.Phone).Before, r) },
		After:  func(r chatsim.Request) chatsim.Fault { return call(x.hooksOf(r.Phone).After, r) },
	})
	return x
}

func (x *simulatedNetwork) person(phone string, o chatsim.AccountOptions) *chatsim.Phone {
	x.t.Helper()
	x.network.AddAccount(phone, o)
	p, err := chatsim.NewPhone(x.t.Context(), x.network, phone)
	if err != nil {
		x.t.Fatal(err)
	}
	x.t.Cleanup(p.Close)
	return p
}

func call(hook func(chatsim.Request) chatsim.Fault, r chatsim.Request) chatsim.Fault {
	if hook == nil {
		return chatsim.Fault{}
	}
	return hook(r)
}

func (x *simulatedNetwork) hooksOf(phone string) chatsim.Hooks {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.hooks[phone]
}

// watch replaces the hooks for the requests of one number.
func (x *simulatedNetwork) watch(phone string, h chatsim.Hooks) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.hooks[phone] = h
}

// groups returns the groups that a number created.
func (x *simulatedNetwork) groups(creator string) []chatsim.Group {
	return slices.DeleteFunc(x.network.Groups(), func(g chatsim.Group) bool { return g.Creator != creator })
}

// texts returns the messages of a chat on a phone, each id once.
func texts(p *chatsim.Phone, chat string) []string {
	var all []string
	for _, m := range p.Messages() {
		if m.Chat == chat && !m.FromMe {
			all = append(all, m.Text)
		}
	}
	return all
}

// An office is a workspace with a serving process and its number, used only
// over HTTP.
type office struct {
	t                *testing.T
	simulatedNetwork *simulatedNetwork
	cli              *cli
	process          *node // receives the requests
	victim           *node // dies, if it is another one
	http             *http.Client
	ws               string
	key              string
	cookie           string
	login            string // as the dashboard takes it
	phone            string
	number           string // its id
}

// newOffice founds a workspace with the command line, serves it and signs in.
func newOffice(t *testing.T, x *simulatedNetwork, c *cli, phone string) *office {
	t.Helper()
	made := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "owner@acme.example")
	o := &office{t: t, simulatedNetwork: x, cli: c, ws: made["id"].(string), key: made["apiKey"].(string), phone: phone}
	o.http = &http.Client{Transport: apitest.Gate().Transport(t, &http.Transport{DisableKeepAlives: true})}
	x.network.AddAccount(phone, chatsim.AccountOptions{Name: "Acme"})
	o.process = serveProcess(t, c, x.address)
	o.login = fmt.Sprintf(`{"email":"owner@acme.example","password":%q}`, made["ownerPassword"])
	signed := o.want(201, "POST", "/v1/dashboard/session", o.login, nil)
	o.cookie, _, _ = strings.Cut(signed.header.Get("Set-Cookie"), ";")
	return o
}

// pairedOffice returns an office whose number is paired by a QR code in the dashboard,
// and connected.
func pairedOffice(t *testing.T, x *simulatedNetwork, c *cli, phone string) *office {
	t.Helper()
	o := newOffice(t, x, c, phone)
	var number struct{ ID string }
	o.want(201, "POST", "/v1/dashboard/numbers", `{"phone":"`+phone+`","driver":"whatsapp"}`, &number)
	o.number = number.ID
	o.pair("qr")
	return o
}

// onSQLite returns a new store of the embedded engine.
func onSQLite(t *testing.T) *cli { return &cli{data: t.TempDir(), logLevel: "error"} }

// onPostgres returns a new store on PostgreSQL.
func onPostgres(t *testing.T) *cli {
	t.Helper()
	o := storetest.Postgres(t)
	return &cli{data: t.TempDir(), database: o.Database, logLevel: "error"}
}

// pair pairs the number in the dashboard and waits until it is connected.
func (o *office) pair(by string) {
	o.t.Helper()
	path := "/v1/dashboard/numbers/" + o.number + "/pairing"
	o.want(202, "POST", path, `{"by":"`+by+`"}`, nil)
	var step struct {
		Kind, Code string
		Matrix     []string
	}
	o.until("a code to pair with", func() bool {
		o.want(200, "GET", path, "", &step)
		return step.Code != ""
	})
	scan := o.simulatedNetwork.network.ScanQR
	if by == "code" {
		scan = o.simulatedNetwork.network.EnterCode
	} else if len(step.Matrix) < 21 {
		o.t.Errorf("the QR code has %d rows", len(step.Matrix))
	}
	if err := scan(o.phone, step.Code); err != nil {
		o.t.Fatal(err)
	}
	o.until("the end of the pairing", func() bool {
		o.want(200, "GET", path, "", &step)
		return step.Kind == "paired"
	})
	o.untilStatus("connected")
}

// An answer is the result of a request.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// send sends a request: with the key to the public API, with the session to the
// dashboard's. An error means that there was no answer.
func (o *office) send(method, path, body, idempotencyKey string) (answer, error) {
	req, err := http.NewRequestWithContext(o.t.Context(), method, "http://"+o.process.address+path, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if strings.HasPrefix(path, "/v1/dashboard/") {
		req.Header.Set("Sec-Fetch-Site", "same-origin")
		req.Header.Set("Cookie", o.cookie)
	} else {
		req.Header.Set("Authorization", "Bearer "+o.key)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if idempotencyKey != "" {
		req.Header.Set("Idempotency-Key", idempotencyKey)
	}
	res, err := o.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = res.Body.Close() }() // it was read
	text, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, res.Header, text}, err
}

// want requires a status and decodes the answer.
func (o *office) want(status int, method, path, body string, into any) answer {
	o.t.Helper()
	a, err := o.send(method, path, body, "")
	if err != nil {
		o.t.Fatal(err)
	}
	if a.status != status {
		o.t.Fatalf("%s %s: %d, want %d: %s", method, path, a.status, status, a.body)
	}
	if into != nil {
		if err := json.Unmarshal(a.body, into); err != nil {
			o.t.Fatal(err)
		}
	}
	return a
}

// until polls a condition with a deadline.
func (o *office) until(what string, done func() bool) {
	o.t.Helper()
	for deadline := time.Now().Add(40 * time.Second); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			o.t.Fatalf("%s did not come", what)
		}
	}
}

// A listed number is a number in the list of numbers.
type listed struct {
	ID, Phone, Status, Reason string
	Until                     *time.Time
	Enabled                   bool
}

func (o *office) listed() listed {
	o.t.Helper()
	var page struct{ Data []listed }
	o.want(200, "GET", "/v1/public/chatapp/numbers", "", &page)
	for _, n := range page.Data {
		if n.ID == o.number {
			return n
		}
	}
	o.t.Fatalf("the number is not in the list %+v", page.Data)
	return listed{}
}

func (o *office) untilStatus(status string) {
	o.t.Helper()
	o.until("the status "+status, func() bool { return o.listed().Status == status })
}

// statuses returns the statuses of the number, one per event.
func (o *office) statuses() []string {
	o.t.Helper()
	var all []string
	for path := "/v1/public/events?limit=100"; ; {
		var page struct {
			Data []struct {
				Type string
				Data struct{ ID, Status string }
			}
			HasMore bool   `json:"has_more"`
			Next    string `json:"next_cursor"`
		}
		o.want(200, "GET", path, "", &page)
		for _, e := range page.Data {
			if e.Type == "number.updated" && e.Data.ID == o.number {
				all = append(all, e.Data.Status)
			}
		}
		if !page.HasMore {
			return slices.Compact(all)
		}
		path = "/v1/public/events?limit=100&after=" + page.Next
	}
}

// conversations returns the ids of all conversations.
func (o *office) conversations() []string {
	o.t.Helper()
	var page struct{ Data []struct{ ID string } }
	o.want(200, "GET", "/v1/public/conversations?limit=100", "", &page)
	var ids []string
	for _, c := range page.Data {
		ids = append(ids, c.ID)
	}
	return ids
}

// lines returns the messages of a conversation, the oldest first: who wrote it,
// its status and its text.
func (o *office) lines(conversation string) []string {
	o.t.Helper()
	var thread struct {
		Messages struct {
			Data []struct{ Content, SenderType, Status string }
		}
	}
	o.want(200, "GET", "/v1/public/conversations/"+conversation, "", &thread)
	var lines []string
	for _, m := range thread.Messages.Data {
		lines = append(lines, m.SenderType+" "+m.Status+": "+m.Content)
	}
	return lines
}

// post writes a message into a conversation.
func (o *office) post(conversation, text string) {
	o.t.Helper()
	o.want(201, "POST", "/v1/public/conversations/"+conversation+"/messages", `{"content":"`+text+`"}`, nil)
}
