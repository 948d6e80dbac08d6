package main

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"parley/internal/publicapi"
	"parley/internal/tracing/otlp"
)

// TestTraces lets a server with a collector answer requests. Their spans say which
// operation, workspace and key, what the store's part was, and nothing that anybody
// wrote or that opens anything.
func TestTraces(t *testing.T) {
	var mu sync.Mutex
	var spans []*tracepb.Span
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		var got tracepb.TracesData
		if err == nil {
			err = proto.Unmarshal(text, &got)
		}
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		for _, resource := range got.GetResourceSpans() {
			for _, scope := range resource.GetScopeSpans() {
				spans = append(spans, scope.GetSpans()...)
			}
		}
	}))
	defer collector.Close()
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	tracer, stop, err := otlp.Open(t.Context(), otlp.Options{Endpoint: collector.URL, Log: logger})
	if err != nil {
		t.Fatal(err)
	}
	c := onSQLite(t)
	made := c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
	key := made["apiKey"].(string)
	p, err := c.newProgram(t.Context(), programOptions{log: logger, clock: time.Now, sunset: publicapi.StoresSunset(), retention: 7 * 24 * time.Hour, tracer: tracer})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path, id, body string) int {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+key)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Request-Id", id)
		r.Header.Set("tracestate", "vendor=marmalade")
		r.Header.Set("baggage", "user=marmalade")
		w := httptest.NewRecorder()
		p.handler.ServeHTTP(w, r)
		return w.Code
	}
	if status := ask(http.MethodPost, "/v1/public/contacts", "req_make", `{"name":"marmalade","email":"marmalade@acme.example"}`); status != http.StatusCreated {
		t.Fatalf("making a contact was answered %d", status)
	}
	ask(http.MethodGet, "/v1/public/contacts?q=marmalade", "req_list", "")
	ask(http.MethodGet, "/marmalade?marmalade=marmalade", "req_none", "")
	ask("MARMALADE", "/v1/public/contacts", "req_odd", "")
	ask(http.MethodGet, "/healthz", "req_health", "")
	if err := p.app.search.IndexSearch(t.Context()); err != nil { // a follower of the log
		t.Fatal(err)
	}
	stop()
	if err := p.app.close(); err != nil {
		t.Fatal(err)
	}
	checkTraces(t, spans, fmt.Sprint(made["id"]))
	var all strings.Builder
	for _, span := range spans {
		all.WriteString(span.String() + "\n")
	}
	for _, secret := range []string{"marmalade", "MARMALADE", "ann@acme.example", key, made["ownerPassword"].(string), made["identitySecret"].(string)} {
		if secret == "" || strings.Contains(all.String(), secret) {
			t.Errorf("the spans hold %q", secret)
		}
	}
	if strings.Contains(all.String(), "req_health") {
		t.Error("a check of the server's health has a span")
	}
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, "http: request answered") && !strings.Contains(line, "trace_id=") {
			t.Errorf("a line of a request names no trace: %s", line)
		}
	}
}

// checkTraces looks for the request that wrote, with its steps, and a follower.
func checkTraces(t *testing.T, spans []*tracepb.Span, workspace string) {
	t.Helper()
	names := func(parent []byte) (list []string) {
		for _, span := range spans {
			if bytes.Equal(span.GetParentSpanId(), parent) {
				list = append(list, span.GetName())
			}
		}
		return list
	}
	find := func(name string) *tracepb.Span {
		at := slices.IndexFunc(spans, func(s *tracepb.Span) bool { return s.GetName() == name })
		if at < 0 {
			t.Fatalf("there is no span %s, but %v", name, names(nil))
		}
		return spans[at]
	}
	request := find("createContact")
	said := map[string]string{}
	for _, a := range request.GetAttributes() {
		said[a.GetKey()] = a.GetValue().GetStringValue() + fmt.Sprint(a.GetValue().GetIntValue())
	}
	if said["parley.workspace.id"] != workspace+"0" || said["parley.request.id"] != "req_make0" || said["http.response.status_code"] != "201" ||
		said["http.route"] != "/v1/public/contacts0" || said["http.request.method"] != "POST0" || len(said["parley.credential.id"]) != 37 {
		t.Errorf("the span of the request says %v", said)
	}
	if steps := names(request.GetSpanId()); !slices.Contains(steps, "store.write") {
		t.Errorf("the request had the steps %v", steps)
	}
	var write *tracepb.Span
	for _, span := range spans {
		if span.GetName() == "store.write" && bytes.Equal(span.GetParentSpanId(), request.GetSpanId()) {
			write = span
		}
	}
	if steps := names(write.GetSpanId()); !slices.Equal(steps, []string{"store.queue", "store.run", "store.commit"}) {
		t.Errorf("the write had the steps %v", steps)
	}
	if steps := names(find("follow search").GetSpanId()); !slices.Contains(steps, "store.write") {
		t.Errorf("the follower had the steps %v", steps)
	}
}
