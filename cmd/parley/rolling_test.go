package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/store/storetest"
)

// torture makes tests take their long form.
var torture = os.Getenv("PARLEY_TORTURE") != ""

// A balancer is a small proxy in front of nodes. It repeats a request at the
// next node if one does not answer, or answers 503.
type balancer struct {
	nodes     []*node
	transport http.Transport
	next      atomic.Int64
	repeated  atomic.Int64
}

// patience is how long a request may be repeated.
const patience = 30 * time.Second

func (b *balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client has gone
	}
	for began := time.Now(); ; b.repeated.Add(1) {
		res, err := b.ask(r, body)
		if err == nil && (res.StatusCode != http.StatusServiceUnavailable || time.Since(began) > patience) {
			pass(w, res)
			return
		}
		if err == nil {
			_ = res.Body.Close()
		}
		if r.Context().Err() != nil || time.Since(began) > patience {
			http.Error(w, fmt.Sprint(err), http.StatusBadGateway)
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// ask sends a request to the next node.
func (b *balancer) ask(r *http.Request, body []byte) (*http.Response, error) {
	n := b.nodes[int(b.next.Add(1))%len(b.nodes)]
	out := r.Clone(r.Context())
	out.RequestURI, out.URL.Scheme, out.URL.Host = "", "http", n.address
	out.Body, out.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	return b.transport.RoundTrip(out)
}

// pass passes an answer on as it comes.
func pass(w http.ResponseWriter, res *http.Response) {
	defer func() { _ = res.Body.Close() }()
	maps.Copy(w.Header(), res.Header)
	w.WriteHeader(res.StatusCode)
	buffer := make([]byte, 16<<10)
	for {
		n, err := res.Body.Read(buffer)
		if _, failed := w.Write(buffer[:n]); failed != nil || err != nil {
			return // one of the two ends
		}
		_ = http.NewResponseController(w).Flush() // the next write finds out
	}
}

// serve listens for the balancer's clients.
func (b *balancer) serve(t *testing.T) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: b}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close(); b.transport.CloseIdleConnections() })
	return listener.Addr().String()
}

// before builds the program as it was before the newest schema step, from the
// history of this clone. Building takes a minute, so the short form of a test
// goes without: it returns "", which is this program.
func before(t *testing.T) (program string) {
	t.Helper()
	if !torture {
		t.Log("both versions are this program; PARLEY_TORTURE=1 builds the one from before")
		return ""
	}
	dir := t.TempDir()
	shell := func(script string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "bash", append([]string{"-euo", "pipefail", "-c", script, "bash"}, args...)...)
		cmd.Dir = filepath.Join("..", "..")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Skipf("NOT TRIED with a program of another version, which this clone cannot build: %v: %s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	step := shell("git log -1 --format=%H --diff-filter=A -- 'internal/store/migrations/*.sql'")
	shell(`mkdir "$1/tree"; git archive "$2^" | tar -x -C "$1/tree"; cd "$1/tree"; go build -ldflags '-X main.version=before' -o "$1/before" ./cmd/parley`, dir, step)
	t.Logf("the version before is the parent of %s", step)
	return filepath.Join(dir, "before")
}

// A rolling replaces the nodes of a shared database, one by one, under load.
type rolling struct {
	t      *testing.T
	w      *soakWorkspace
	to     string // the balancer's address
	posted atomic.Int64
	over   atomic.Bool
}

// TestRollingUpgrade replaces three nodes of one version by those of another, and
// back, behind a proxy that repeats what a node did not answer. No request fails,
// and no reader misses an event.
func TestRollingUpgrade(t *testing.T) {
	older := before(t)
	o := storetest.Postgres(t)
	c := &cli{data: t.TempDir(), database: o.Database, logLevel: "error"}
	t.Setenv("PARLEY_MASTER_KEY", keyOfBytes(1))
	start := func(n *node, program string) {
		n.program = program
		n.start()
	}
	balancer := &balancer{}
	for range 3 {
		n := &node{t: t, address: freeAddress(t), env: append(os.Environ(), nodeMain+"=yes")}
		n.args = c.arguments("serve", "--listen="+n.address, "--attachments="+filepath.Join(c.data, "files"), "--log-level=error")
		start(n, older)
		t.Cleanup(n.kill)
		balancer.nodes = append(balancer.nodes, n)
	}
	status := exec.Command(balancer.nodes[0].name(), c.arguments("migrate", "--status", "--json")...)
	status.Env = balancer.nodes[0].env
	if out, err := status.Output(); err != nil || older != "" && strings.Contains(string(out), fmt.Sprintf(`"from":%d`, newestStep(t))) {
		t.Fatalf("the older nodes have made a store of %s, %v", out, err)
	}
	x := &rolling{t: t, to: balancer.serve(t), w: foundBy(t, c, balancer.nodes[0])}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var writers, readers sync.WaitGroup
	for i := range 4 {
		writers.Go(func() { x.write(ctx, i) })
	}
	readings := make([]*reading, 6)
	for i := range readings {
		r := &reading{address: x.to, key: string(x.w.Secret), start: x.w.Workspace.Epoch, at: x.w.Workspace.Epoch + ".0", until: math.MaxInt64}
		readings[i] = r
		readers.Go(func() { r.run(ctx) })
	}
	for _, program := range []string{"", older} {
		for _, n := range balancer.nodes {
			x.after(50)
			n.stop()
			start(n, program)
		}
		if !torture {
			break
		}
	}
	x.after(50)
	x.over.Store(true)
	writers.Wait()
	x.compare(readings)
	cancel()
	readers.Wait()
	t.Logf("%d messages posted, %d requests repeated by the proxy", x.posted.Load(), balancer.repeated.Load())
	if balancer.repeated.Load() == 0 {
		t.Error("no request was repeated, so no node was away")
	}
}

// name is the file of the node's program.
func (n *node) name() string {
	if n.program != "" {
		return n.program
	}
	return os.Args[0]
}

// newestStep is the newest schema step of this program.
func newestStep(t *testing.T) int {
	t.Helper()
	all, err := filepath.Glob("../../internal/store/migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	return len(all)
}

// after waits until so many more messages are posted.
func (x *rolling) after(count int64) {
	x.t.Helper()
	want := x.posted.Load() + count
	for deadline := time.Now().Add(time.Minute); x.posted.Load() < want; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			x.t.Fatal("nothing is posted any more")
		}
	}
}

// write posts messages until it is over. Each must be answered with success.
func (x *rolling) write(ctx context.Context, writer int) {
	url := "http://" + x.to + "/v1/public/conversations/" + x.w.conversation.String() + "/messages"
	for n := 0; !x.over.Load() && ctx.Err() == nil; n++ {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(fmt.Sprintf(`{"content":"message %d of %d"}`, n, writer)))
		if err != nil {
			x.t.Error(err)
			return
		}
		req.Header.Set("Authorization", "Bearer "+string(x.w.Secret))
		req.Header.Set("Idempotency-Key", strconv.Itoa(writer)+"-"+strconv.Itoa(n))
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			x.t.Errorf("message %d of %d: %v", n, writer, err)
			return
		}
		text, _ := io.ReadAll(res.Body) // for the error below
		_ = res.Body.Close()
		if res.StatusCode != http.StatusCreated {
			x.t.Errorf("message %d of %d is answered %d: %s", n, writer, res.StatusCode, text)
			return
		}
		x.posted.Add(1)
	}
}

// compare waits until each reader has every event, in order.
func (x *rolling) compare(readings []*reading) {
	x.t.Helper()
	want := x.w.Workspace.Seq + x.posted.Load()
	for _, r := range readings {
		for deadline := time.Now().Add(time.Minute); r.last.Load() < want; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				x.t.Fatalf("a reader has %d of %d events: %v", r.last.Load(), want, r.wrong)
			}
		}
		if got := r.last.Load(); got != want {
			x.t.Errorf("a reader has %d events, want %d: something was posted twice", got, want)
		}
	}
}

// foundBy founds a workspace with one conversation by the program of a node and
// over its API, because this program would migrate the store.
func foundBy(t *testing.T, c *cli, n *node) *soakWorkspace {
	t.Helper()
	cmd := exec.Command(n.name(), c.arguments("workspace", "create", "--json", "--name=Acme", "--owner-email=ann@acme.example")...)
	cmd.Env = n.env
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("workspace create: %v", err)
	}
	var made struct{ APIKey parley.Secret }
	ask := func(method, path, body string, into any) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, "http://"+n.address+"/v1/public"+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+string(made.APIKey))
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = res.Body.Close() }()
		if err := json.NewDecoder(res.Body).Decode(into); err != nil || res.StatusCode > http.StatusCreated {
			t.Fatalf("%s %s is answered %d, %v", method, path, res.StatusCode, err)
		}
	}
	if err := json.Unmarshal(out, &made); err != nil {
		t.Fatal(err)
	}
	var contact, conversation struct{ ID parley.ID }
	var log struct {
		Next string `json:"next_cursor"`
	}
	ask(http.MethodPost, "/contacts", `{"name":"Ann"}`, &contact)
	ask(http.MethodPost, "/conversations", `{"contactId":"`+contact.ID.String()+`"}`, &conversation)
	ask(http.MethodGet, "/events?limit=200", "", &log)
	at, ok := parley.ParseLogPosition(log.Next)
	if !ok {
		t.Fatalf("the end of the log is %q", log.Next)
	}
	w := &soakWorkspace{conversation: conversation.ID}
	w.Secret, w.Workspace.Epoch, w.Workspace.Seq = made.APIKey, at.Epoch, at.Seq
	return w
}
