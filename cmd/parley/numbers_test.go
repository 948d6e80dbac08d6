package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/chatapp/chatsim"
	"parley/internal/desk"
	"parley/internal/store/storetest"
)

const (
	hostPhone = "4930555001"
	annPhone  = "4915100000077"
)

// A talk is a number on the fake network, served by nodes, and a customer.
type talk struct {
	t       *testing.T
	cli     *cli
	network *chatsim.Server
	address string // of the network
	home    access.Founding
	app     *app // to look into the store
	number  parley.Number
	ann     *chatsim.Phone
}

// newTalk pairs a number like an operator, with the command line.
func newTalk(t *testing.T, c *cli) *talk {
	t.Helper()
	t.Setenv("PARLEY_DEV", "1")
	chatsim.Trust(chatsim.DefaultSeed)
	x := &talk{t: t, cli: c, network: chatsim.New(chatsim.Options{Seed: chatsim.DefaultSeed, Now: time.Now, Logger: storetest.Quiet()})}
	t.Cleanup(func() { _ = x.network.Close() })
	address, err := x.network.Listen("127.0.0.1:0")
	x.must(err)
	x.address = address.String()
	x.network.AddAccount(hostPhone, chatsim.AccountOptions{Name: "Acme"})
	x.network.AddAccount(annPhone, chatsim.AccountOptions{Name: "Ann"})
	x.ann, err = chatsim.NewPhone(t.Context(), x.network, annPhone)
	x.must(err)
	t.Cleanup(x.ann.Close)
	x.app, err = c.open(t.Context(), appOptions{log: storetest.Quiet(), clock: time.Now})
	x.must(err)
	t.Cleanup(func() { _ = x.app.close() })
	x.home, err = x.app.access.CreateWorkspace(t.Context(), "Acme", "owner@acme.example")
	x.must(err)
	return x
}

func (x *talk) must(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

// until polls a condition with a deadline.
func (x *talk) until(what string, within time.Duration, done func() bool) {
	x.t.Helper()
	for deadline := time.Now().Add(within); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			x.t.Fatalf("%s did not come within %s", what, within)
		}
	}
}

// pair runs `parley number create` and scans its code.
func (x *talk) pair() {
	x.t.Helper()
	args := []string{
		"number", "create", "--workspace", x.home.Workspace.ID.String(), "--phone", hostPhone, "--driver", "whatsapp",
		"--chatapp-sim=" + x.address, "--data", x.cli.data, "--log-level", "error", "--json",
	}
	if x.cli.database != "" {
		args = append(args, "--database", x.cli.database)
	}
	var out bytes.Buffer
	var shown screen
	status := make(chan int)
	go func() { status <- run(x.t.Context(), args, &out, &shown) }()
	var step parley.Pairing
	x.until("a QR code", 20*time.Second, func() bool {
		page, err := x.app.numbers.Numbers(x.home.Workspace.ID, parley.Position{}, 9).Now(x.t.Context())
		if err != nil || len(page.Items) == 0 {
			return false
		}
		x.number = page.Items[0]
		step, err = x.app.numbers.Pairing(desk.Caller{Workspace: x.home.Workspace.ID}, x.number.ID).Now(x.t.Context())
		return err == nil && step.IsQR()
	})
	x.until("the picture", 20*time.Second, func() bool { return strings.Contains(shown.text(), "█") })
	x.must(x.network.ScanQR(hostPhone, step.Code))
	if got := <-status; got != 0 || !strings.Contains(out.String(), `"phone":"+`+hostPhone+`"`) {
		x.t.Fatalf("the command ended with %d: %s%s", got, out.String(), shown.text())
	}
}

// A screen is the output of a command, readable while it runs.
type screen struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func (x *talk) connected() bool {
	n, err := x.app.numbers.Number(x.t.Context(), x.home.Workspace.ID, x.number.ID)
	return err == nil && n.Status == parley.NumberConnected && x.network.Connected(hostPhone) == 1
}

// request sends a request to a node and reads its answer.
func (x *talk) request(n *node, method, path, body string, into any) error {
	req, err := http.NewRequestWithContext(x.t.Context(), method, "http://"+n.address+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+string(x.home.Secret))
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }() // it was read
	text, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode >= 300 {
		err = fmt.Errorf("%s %s: %d %s", method, path, res.StatusCode, text)
	}
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// conversation returns the one conversation with its messages as lines.
func (x *talk) conversation(n *node) (id string, lines []string) {
	x.t.Helper()
	var list struct{ Data []struct{ ID string } }
	x.must(x.request(n, "GET", "/v1/public/conversations", "", &list))
	if len(list.Data) == 0 {
		return "", nil
	}
	var thread struct {
		Messages struct {
			Data []struct{ Content, SenderType, Status string }
		}
	}
	x.must(x.request(n, "GET", "/v1/public/conversations/"+list.Data[0].ID, "", &thread))
	for _, m := range thread.Messages.Data {
		lines = append(lines, m.SenderType+" "+m.Status+": "+m.Content)
	}
	return list.Data[0].ID, lines
}

// count returns how often Ann's phone has a text.
func (x *talk) count(text string) int {
	n := 0
	for _, m := range x.ann.Messages() {
		if m.Text == text {
			n++
		}
	}
	return n
}

// TestPairedDevice pairs a number with the command line and checks how the
// phone shows the new device.
func TestPairedDevice(t *testing.T) {
	x := newTalk(t, &cli{data: t.TempDir(), logLevel: "error"})
	x.pair()
	if got := x.network.DeviceNames(hostPhone); !slices.Equal(got, []string{"Parley"}) {
		t.Errorf("the phone shows the devices %q, want Parley", got)
	}
}

// TestNumberMovesToAnotherNode pairs a number with the command line, sends and
// receives, kills the node that holds the number, and continues on the other
// one.
func TestNumberMovesToAnotherNode(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for a lease to run out")
	}
	o := storetest.Postgres(t)
	c := &cli{data: t.TempDir(), database: o.Database, logLevel: "error"}
	x := newTalk(t, c)
	x.pair()
	first := newNode(t, c, false, nodeSim+"="+x.address)
	x.until("the connection", 20*time.Second, x.connected)
	second := newNode(t, c, false, nodeSim+"="+x.address)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()

	send := func(text string) {
		t.Helper()
		_, err := x.ann.Send(ctx, hostPhone, text)
		x.must(err)
	}
	send("hello")
	var id string
	x.until("the message", 20*time.Second, func() bool {
		var lines []string
		id, lines = x.conversation(second)
		return slices.Equal(lines, []string{"contact delivered: hello"})
	})
	post := func(text string) {
		t.Helper()
		x.must(x.request(second, "POST", "/v1/public/conversations/"+id+"/messages", `{"content":"`+text+`"}`, nil))
	}
	post("hi Ann")
	x.until("the answer", 20*time.Second, func() bool {
		_, lines := x.conversation(second)
		return x.count("hi Ann") == 1 && lines[1] == "bot delivered: hi Ann"
	})

	first.kill()
	killed := time.Now()
	post("are you there")
	send("still here")
	x.until("the connection by the other node", 15*time.Second, func() bool {
		_, lines := x.conversation(second)
		return x.connected() && x.count("are you there") == 1 && slices.Contains(lines, "contact delivered: still here")
	})
	t.Logf("the other node had the number and all messages after %s", time.Since(killed).Round(time.Millisecond))

	// A group, through the node that holds the number now, and after its
	// restart.
	var group struct {
		ConversationID string `json:"conversation_id"`
		Added          []string
	}
	first.start()
	body := `{"name":"Project","participants":["` + annPhone + `"],"message":"Welcome"}`
	x.must(x.request(first, "POST", "/v1/public/chatapp/groups", body, &group)) // which asks the other one
	if !slices.Equal(group.Added, []string{annPhone}) {
		t.Errorf("added are %q", group.Added)
	}
	x.until("the opening message", 20*time.Second, func() bool { return x.count("Welcome") == 1 })
	for _, text := range []string{"hi Ann", "are you there", "Welcome"} {
		if got := x.count(text); got != 1 {
			t.Errorf("%q arrived %d times", text, got)
		}
	}
}
