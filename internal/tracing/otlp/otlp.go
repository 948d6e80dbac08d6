// Package otlp exports traces to a collector by OTLP over HTTP, as the standard
// environment variables of OpenTelemetry say.
//
// Spans wait in a queue of bounded size, and one goroutine gives them to the
// collector. What finds the queue full is dropped: a collector that is away or slow
// holds up nobody. It imports tracing and the SDK of OpenTelemetry, and only
// cmd/parley imports it.
package otlp

import (
	"context"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"

	"parley/internal/tracing"
)

// stopTime is how long a server that stops waits for the collector to take the
// last spans.
const stopTime = 3 * time.Second

// Options say where traces go.
type Options struct {
	// Endpoint is the address of the collector, to which /v1/traces is added; "" takes
	// it from the environment.
	Endpoint string
	Version  string // of the server
	Log      *slog.Logger
}

// Open returns the tracer, and what gives the last spans away at the end. The tracer
// is nil if there is no address. An error names the variable that is wrong.
func Open(ctx context.Context, o Options) (tracer *tracing.Tracer, stop func(), err error) {
	s, err := read(o.Endpoint)
	if err != nil || s.address == "" {
		return nil, func() {}, err
	}
	about, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "parley"), attribute.String("service.version", o.Version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, func() {}, wrong("OTEL_RESOURCE_ATTRIBUTES", "must be pairs such as deployment.environment.name=production, with commas between")
	}
	exporter := &patient{SpanExporter: otlptrace.NewUnstarted(newClient(s)), log: o.Log}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter), sdk.WithResource(about), sdk.WithSampler(s.sampler))
	return tracing.New(provider), func() {
		ctx, cancel := context.WithTimeout(context.Background(), stopTime)
		defer cancel()
		if err := provider.Shutdown(ctx); err != nil {
			o.Log.Warn("tracing: last spans not exported", "error", err)
		}
	}, nil
}

// A patient exporter tells the log once when the collector fails, and once when it
// takes spans again. One goroutine uses it.
type patient struct {
	sdk.SpanExporter
	log     *slog.Logger
	failing bool
	lost    int // spans since it fails
}

// ExportSpans gives spans away, or drops them.
func (p *patient) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	err := p.SpanExporter.ExportSpans(ctx, spans)
	switch {
	case err != nil && !p.failing:
		p.log.Warn("tracing: the collector takes no spans, dropping them until it does", "error", err)
		p.failing, p.lost = true, len(spans)
	case err != nil:
		p.lost += len(spans)
	case p.failing:
		p.log.Info("tracing: the collector takes spans again", "lost", p.lost)
		p.failing = false
	}
	return nil
}
