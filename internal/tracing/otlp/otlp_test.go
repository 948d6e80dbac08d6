package otlp_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"parley"
	"parley/internal/tracing"
	"parley/internal/tracing/otlp"
)

// A collector takes spans, as long as answer says so.
type collector struct {
	*httptest.Server
	mu     sync.Mutex
	spans  []*tracepb.Span
	about  map[string]string // the resource
	header http.Header
	path   string
}

func newCollector(t *testing.T, answer http.HandlerFunc) *collector {
	t.Helper()
	c := &collector{about: map[string]string{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if answer != nil {
			answer(w, r)
			return
		}
		if err := c.take(r); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *collector) take(r *http.Request) error {
	body := io.Reader(r.Body)
	if r.Header.Get("Content-Encoding") == "gzip" {
		var err error
		if body, err = gzip.NewReader(body); err != nil {
			return err
		}
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	var got tracepb.TracesData
	if err := proto.Unmarshal(text, &got); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.header, c.path = r.Header, r.URL.Path
	for _, resource := range got.GetResourceSpans() {
		for _, a := range resource.GetResource().GetAttributes() {
			c.about[a.GetKey()] = a.GetValue().GetStringValue()
		}
		for _, scope := range resource.GetScopeSpans() {
			c.spans = append(c.spans, scope.GetSpans()...)
		}
	}
	return nil
}

// A journal is a log that may be read while it is written.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(b []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(b)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

func open(t *testing.T, endpoint string, log io.Writer) (*tracing.Tracer, func()) {
	t.Helper()
	tracer, stop, err := otlp.Open(t.Context(), otlp.Options{Endpoint: endpoint, Version: "1.2.3", Log: slog.New(slog.NewTextHandler(log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return tracer, stop
}

// TestExport sends a trace to a collector, as the environment says.
func TestExport(t *testing.T) {
	c := newCollector(t, nil)
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20secret")
	t.Setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
	t.Setenv("OTEL_SERVICE_NAME", "support")
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL)
	tracer, stop := open(t, "", io.Discard)
	r := httptest.NewRequest(http.MethodGet, "/v1/x?q=text", nil)
	r.Header.Set("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00")
	ctx, span := tracer.BeginRequest(t.Context(), r, "req_1")
	if got := tracing.ID(ctx); got != "0af7651916cd43dd8448eb211c80319c" {
		t.Errorf("the request is in the trace %q, not in its caller's", got)
	}
	_, child := tracing.Start(ctx, "store.read")
	child.End(errors.New("a secret text"))
	span.Name("listThings")
	span.End(nil)
	_, alone := tracer.Begin(ctx, "timer x")
	alone.End(nil)
	stop()
	if c.path != "/v1/traces" || c.header.Get("Authorization") != "Bearer secret" || c.about["service.name"] != "support" || c.about["service.version"] != "1.2.3" {
		t.Errorf("spans came to %s with %v, of %v", c.path, c.header, c.about)
	}
	if len(c.spans) != 3 || c.spans[0].GetName() != "store.read" || c.spans[1].GetName() != "listThings" || c.spans[2].GetName() != "timer x" {
		t.Fatalf("the spans are %v", c.spans)
	}
	if !bytes.Equal(c.spans[0].GetParentSpanId(), c.spans[1].GetSpanId()) || bytes.Equal(c.spans[2].GetTraceId(), c.spans[1].GetTraceId()) {
		t.Error("the spans are not related as they should be")
	}
	if all := c.spans[0].String() + c.spans[1].String(); strings.Contains(all, "text") || !strings.Contains(all, "internal") {
		t.Errorf("the spans hold %s", all)
	}
}

// TestAwayCollector lets collectors be away, refuse, redirect, answer nonsense, or not
// at all. Nobody waits for them, and the log has one line.
func TestAwayCollector(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "300")
	t.Setenv("OTEL_BSP_SCHEDULE_DELAY", "10")
	silent := make(chan struct{})
	elsewhere := newCollector(t, nil)
	for name, answer := range map[string]http.HandlerFunc{
		"away":    nil,
		"refuses": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
		"busy":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
		"redirects": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		},
		"nonsense": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(bytes.Repeat([]byte("nonsense"), 1<<17)) },
		"silent":   func(http.ResponseWriter, *http.Request) { <-silent },
	} {
		t.Run(name, func(t *testing.T) {
			c := newCollector(t, answer)
			if name == "silent" {
				t.Cleanup(func() { close(silent) })
			}
			if name == "away" {
				c.Close()
			}
			var log journal
			tracer, stop := open(t, c.URL, &log)
			began := time.Now()
			for range 50_000 {
				_, span := tracer.Begin(t.Context(), "timer x", tracing.Workspace(parley.WorkspaceID{1}))
				span.End(nil)
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("spans held up their callers for %v", took)
			}
			time.Sleep(700 * time.Millisecond) // more than one batch fails
			stop()
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("the end took %v", took)
			}
			lines := strings.Count(log.String(), "the collector takes no spans")
			if want := map[bool]int{true: 0, false: 1}[name == "nonsense"]; lines != want {
				t.Errorf("the log has %d lines, want %d: %s", lines, want, log.String())
			}
		})
	}
	if len(elsewhere.spans) > 0 || elsewhere.header != nil {
		t.Error("spans followed a redirect")
	}
}

// TestSettings refuses wrong settings by name, without their values.
func TestSettings(t *testing.T) {
	for variable, value := range map[string]string{
		"OTEL_EXPORTER_OTLP_ENDPOINT": "collector-xyzzy:4318", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://me:xyzzy@localhost",
		"OTEL_EXPORTER_OTLP_HEADERS": "xyzzy", "OTEL_EXPORTER_OTLP_TIMEOUT": "xyzzy", "OTEL_EXPORTER_OTLP_COMPRESSION": "xyzzy",
		"OTEL_EXPORTER_OTLP_CERTIFICATE": "/xyzzy", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc-xyzzy", "OTEL_TRACES_SAMPLER": "xyzzy",
		"OTEL_TRACES_EXPORTER": "xyzzy",
	} {
		t.Run(variable, func(t *testing.T) {
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
			t.Setenv(variable, value)
			_, _, err := otlp.Open(context.Background(), otlp.Options{Log: slog.New(slog.DiscardHandler)})
			if err == nil || !strings.HasPrefix(err.Error(), variable+": must ") || strings.Contains(err.Error(), "xyzzy") {
				t.Errorf("the error is %v", err)
			}
		})
	}
	for _, off := range [][2]string{{"OTEL_SDK_DISABLED", "true"}, {"OTEL_TRACES_EXPORTER", "none"}, {"OTEL_EXPORTER_OTLP_ENDPOINT", ""}} {
		t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
		t.Setenv(off[0], off[1])
		tracer, stop := open(t, "", io.Discard)
		stop()
		if tracer != nil {
			t.Errorf("with %s traces are exported", off)
		}
		t.Setenv(off[0], "")
	}
}

// TestNobodyForcesTraces lets a stranger ask for traces, by the flag and by a trace id
// that every sampler by trace ids would choose.
func TestNobodyForcesTraces(t *testing.T) {
	c := newCollector(t, nil)
	t.Setenv("OTEL_TRACES_SAMPLER_ARG", "0.1")
	for _, name := range []string{"traceidratio", "parentbased_traceidratio"} {
		t.Setenv("OTEL_TRACES_SAMPLER", name)
		tracer, stop := open(t, c.URL, io.Discard)
		recorded := 0
		for range 1000 {
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header.Set("traceparent", "00-0af7651916cd43dd0000000000000001-b7ad6b7169203331-01")
			ctx, span := tracer.BeginRequest(t.Context(), r, "req_1")
			if _, child := tracing.Start(ctx, "store.read"); child.On() != span.On() {
				t.Fatal("a child is not recorded as its parent is")
			}
			if span.On() {
				recorded++
			}
		}
		stop()
		if recorded < 40 || recorded > 200 {
			t.Errorf("by %s, %d of 1000 requests are recorded", name, recorded)
		}
	}
}

// BenchmarkOff measures what tracing costs that is off.
func BenchmarkOff(b *testing.B) {
	var tracer *tracing.Tracer
	r := httptest.NewRequest(http.MethodGet, "/v1/x", nil)
	b.ReportAllocs()
	for b.Loop() {
		ctx, span := tracer.BeginRequest(r.Context(), r, "req_1")
		_, child := tracing.Start(ctx, "store.read")
		child.End(nil)
		span.End(nil)
	}
}
