// Package tracing records what a request or a piece of background work took its
// time for, as spans of OpenTelemetry.
//
// A span travels in the context, beside the request's id, as the library puts it
// there; nothing but this package reads it, and no rule depends on it. A part of
// the server calls [Start]: it begins a child if the context has a span that is
// recorded, and otherwise does nothing. Only what begins a trace needs a [Tracer],
// which is nil unless traces are exported.
//
// A span says which operation, workspace and credential, how long and with which
// outcome. Attributes are made by the functions of this package alone, and none of
// them takes what somebody wrote. It imports the vocabulary and the interface of
// OpenTelemetry; internal/tracing/otlp exports.
package tracing

import (
	"context"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"parley"
)

// scope is the name of the library in the spans.
const scope = "parley"

// A Tracer begins traces. A nil Tracer begins none.
type Tracer struct{ tracer trace.Tracer }

// New returns a Tracer that gives its spans to a provider.
func New(provider trace.TracerProvider) *Tracer { return &Tracer{provider.Tracer(scope)} }

// An Attribute is a fact about a span.
type Attribute struct{ value attribute.KeyValue }

// Workspace says in which workspace something happens; the zero id says nothing.
func Workspace(ws parley.WorkspaceID) Attribute {
	if ws.IsZero() {
		return Attribute{}
	}
	return Attribute{attribute.String("parley.workspace.id", ws.String())}
}

// Credential says by which key or session; the zero id says nothing.
func Credential(id parley.ID) Attribute {
	if id.IsZero() {
		return Attribute{}
	}
	return Attribute{attribute.String("parley.credential.id", id.String())}
}

// Request says under which id the log has a request.
func Request(id string) Attribute { return Attribute{attribute.String("parley.request.id", id)} }

// Route says which path a request has, with the names of its parameters in place
// of their values.
func Route(path string) Attribute { return Attribute{attribute.String("http.route", path)} }

// Status says with which status a request was answered.
func Status(code int) Attribute { return Attribute{attribute.Int("http.response.status_code", code)} }

// method says the method of a request. It is one of those that HTTP knows: others
// are what a caller wrote.
func method(r *http.Request) attribute.KeyValue {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return attribute.String("http.request.method", r.Method)
	}
	return attribute.String("http.request.method", "_OTHER")
}

// A Span is a piece of work with a beginning and an end. The methods of one that is
// not recorded, such as the zero Span, do nothing.
type Span struct{ span trace.Span }

// Of returns the span of a context.
func Of(ctx context.Context) Span {
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		return Span{span}
	}
	return Span{}
}

// ID returns the id of the trace that a context belongs to, recorded or not, or "".
func ID(ctx context.Context) string {
	if c := trace.SpanContextFromContext(ctx); c.HasTraceID() {
		return c.TraceID().String()
	}
	return ""
}

// On reports whether the span is recorded.
func (s Span) On() bool { return s.span != nil }

// Set adds attributes.
func (s Span) Set(all ...Attribute) {
	if s.span != nil {
		s.span.SetAttributes(values(all)...)
	}
}

// Name replaces the name.
func (s Span) Name(name string) {
	if s.span != nil {
		s.span.SetName(name)
	}
}

// Fail says that the work failed. why is a word of the program.
func (s Span) Fail(why string) {
	if s.span != nil {
		s.span.SetStatus(codes.Error, why)
	}
}

// End ends the span. Of an error it keeps the kind, never the text.
func (s Span) End(err error) {
	if s.span == nil {
		return
	}
	if err != nil {
		s.span.SetStatus(codes.Error, string(parley.KindOf(err).Code()))
	}
	s.span.End()
}

// Past adds a child that has already ended.
func (s Span) Past(name string, from, to time.Time) {
	if s.span == nil || from.IsZero() || to.Before(from) {
		return
	}
	ctx := trace.ContextWithSpan(context.Background(), s.span)
	_, child := s.span.TracerProvider().Tracer(scope).Start(ctx, name, trace.WithTimestamp(from))
	child.End(trace.WithTimestamp(to))
}

// Start begins a child of the span of a context, if that is recorded. The caller
// ends it.
func Start(ctx context.Context, name string, all ...Attribute) (context.Context, Span) {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, Span{}
	}
	return begun(parent.TracerProvider().Tracer(scope).Start(ctx, name, trace.WithAttributes(values(all)...))) //nolint:spancheck // the caller ends it
}

// Begin begins a trace, of work that no request asked for. The caller ends it.
func (t *Tracer) Begin(ctx context.Context, name string, all ...Attribute) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	return begun(t.tracer.Start(ctx, name, trace.WithNewRoot(), trace.WithAttributes(values(all)...))) //nolint:spancheck // the caller ends it
}

// BeginRequest begins the span of a request, in the trace that its header
// traceparent names (W3C Trace Context), if any. Whether it is recorded is decided
// here alone. Checks of the server's health have no span.
func (t *Tracer) BeginRequest(ctx context.Context, r *http.Request, id string) (context.Context, Span) {
	if t == nil || r.URL.Path == "/healthz" || r.URL.Path == "/readyz" || r.URL.Path == "/metrics" {
		return ctx, Span{}
	}
	// The header tracestate and baggage hold what others wrote, and are not taken over.
	parent := propagation.MapCarrier{"traceparent": r.Header.Get("traceparent")}
	ctx = propagation.TraceContext{}.Extract(ctx, parent)
	verb := method(r)
	return begun(t.tracer.Start(ctx, verb.Value.AsString(), trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(verb, Request(id).value))) //nolint:spancheck // the caller ends it
}

func begun(ctx context.Context, span trace.Span) (context.Context, Span) {
	if !span.IsRecording() {
		return ctx, Span{}
	}
	return ctx, Span{span}
}

func values(all []Attribute) []attribute.KeyValue {
	list := make([]attribute.KeyValue, 0, len(all))
	for _, a := range all {
		if a.value.Valid() {
			list = append(list, a.value)
		}
	}
	return list
}
