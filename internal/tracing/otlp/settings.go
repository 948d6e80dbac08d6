package otlp

import (
	"cmp"
	"crypto/x509"
	"errors"
	"math/rand/v2"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/net/http/httpguts"
)

// settings are what the environment says, and the address of a flag.
type settings struct {
	address string // with its path; "": traces are not exported
	headers map[string]string
	timeout time.Duration // for a batch of spans, with all tries
	gzip    bool
	roots   *x509.CertPool // nil: those of the system
	sampler sdk.Sampler
}

// An invalid is the error for a variable. It never has the value, which may be a secret.
type invalid struct{ variable, rule string }

func (e *invalid) Error() string { return e.variable + ": " + e.rule }

func wrong(variable, rule string) error { return &invalid{variable, rule} }

// of returns the variable for traces, or else the one for all signals, and its name.
func of(rest string) (name, value string) {
	name = "OTEL_EXPORTER_OTLP_TRACES_" + rest
	if value = os.Getenv(name); value != "" {
		return name, value
	}
	name = "OTEL_EXPORTER_OTLP_" + rest
	return name, os.Getenv(name)
}

func read(endpoint string) (s settings, err error) {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") || os.Getenv("OTEL_TRACES_EXPORTER") == "none" {
		return s, nil
	}
	if s.address, err = address(endpoint); err != nil || s.address == "" {
		return s, err
	}
	if name := os.Getenv("OTEL_TRACES_EXPORTER"); name != "" && name != "otlp" {
		return s, wrong("OTEL_TRACES_EXPORTER", "must be otlp or none")
	}
	if name, protocol := of("PROTOCOL"); protocol != "" && protocol != "http/protobuf" {
		return s, wrong(name, "must be http/protobuf")
	}
	for _, one := range []func(*settings) error{readHeaders, readTimeout, readCompression, readRoots, readSampler} {
		if err := one(&s); err != nil {
			return s, err
		}
	}
	return s, nil
}

// address returns where spans are posted. Only the variable for traces alone holds
// the whole address.
func address(endpoint string) (string, error) {
	name, text := "--otlp-endpoint", endpoint
	if text == "" {
		name, text = of("ENDPOINT")
	}
	if text == "" {
		return "", nil
	}
	if _, err := ParseEndpoint(text); err != nil {
		return "", wrong(name, err.Error())
	}
	if name == "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" {
		return text, nil
	}
	return strings.TrimSuffix(text, "/") + "/v1/traces", nil
}

// ParseEndpoint returns the address of a collector, as it is given, or "" for none.
func ParseEndpoint(text string) (string, error) {
	u, err := url.Parse(text)
	if text != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.ContainsAny(text, "?#")) {
		return "", errors.New("must be an http or https address without a user and a query, such as http://127.0.0.1:4318")
	}
	return text, nil
}

func readHeaders(s *settings) error {
	name, text := of("HEADERS")
	s.headers = map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		key, value, ok := strings.Cut(pair, "=")
		key = strings.TrimSpace(key)
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !ok || err != nil || !httpguts.ValidHeaderFieldName(key) || !httpguts.ValidHeaderFieldValue(value) {
			return wrong(name, "must be pairs such as authorization=Bearer%20…, with commas between")
		}
		s.headers[key] = value
	}
	return nil
}

func readTimeout(s *settings) error {
	name, text := of("TIMEOUT")
	ms, err := strconv.Atoi(cmp.Or(text, "10000"))
	if err != nil || ms < 1 || ms > 60_000 {
		return wrong(name, "must be milliseconds, from 1 to 60000")
	}
	s.timeout = time.Duration(ms) * time.Millisecond
	return nil
}

func readCompression(s *settings) error {
	name, text := of("COMPRESSION")
	if text != "" && text != "none" && text != "gzip" {
		return wrong(name, "must be gzip or none")
	}
	s.gzip = text == "gzip"
	return nil
}

func readRoots(s *settings) error {
	name, file := of("CERTIFICATE")
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	s.roots = x509.NewCertPool()
	if err != nil || !s.roots.AppendCertsFromPEM(text) {
		return wrong(name, "must be a file of certificates in PEM")
	}
	return nil
}

func readSampler(s *settings) error {
	name := cmp.Or(os.Getenv("OTEL_TRACES_SAMPLER"), "parentbased_always_on")
	share := 1.0
	switch strings.TrimPrefix(name, "parentbased_") {
	case "always_on":
	case "always_off":
		share = 0
	case "traceidratio":
		var err error
		share, err = strconv.ParseFloat(cmp.Or(os.Getenv("OTEL_TRACES_SAMPLER_ARG"), "1"), 64)
		if err != nil || !(share >= 0 && share <= 1) {
			return wrong("OTEL_TRACES_SAMPLER_ARG", "must be a number from 0 to 1")
		}
	default:
		return wrong("OTEL_TRACES_SAMPLER", "must be always_on, always_off, traceidratio, or one of these after parentbased_")
	}
	s.sampler = sampler{share}
	return nil
}

// A sampler records a share of all traces. Neither the decision of a caller nor the
// trace id, which a caller chooses, has a say: nobody can make the server record,
// or hide from it. Within the server a span is recorded if its parent is.
type sampler struct{ share float64 }

// Description implements sdk.Sampler.
func (s sampler) Description() string { return "parley" }

// ShouldSample implements sdk.Sampler.
func (s sampler) ShouldSample(p sdk.SamplingParameters) sdk.SamplingResult {
	parent := trace.SpanContextFromContext(p.ParentContext)
	recorded := rand.Float64() < s.share
	if parent.IsValid() && !parent.IsRemote() {
		recorded = parent.IsSampled()
	}
	if recorded {
		return sdk.SamplingResult{Decision: sdk.RecordAndSample}
	}
	return sdk.SamplingResult{Decision: sdk.Drop}
}
