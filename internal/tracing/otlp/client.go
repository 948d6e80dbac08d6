package otlp

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// A client posts spans. It stands in for the SDK's own, which brings gRPC along,
// several megabytes of program that nothing here uses.
type client struct {
	settings settings
	http     *http.Client
	pause    time.Duration // before the first of two more tries
}

func newClient(s settings) *client {
	transport := &http.Transport{
		Proxy: http.ProxyFromEnvironment, TLSClientConfig: &tls.Config{RootCAs: s.roots, MinVersion: tls.VersionTLS12},
		MaxIdleConns: 2, IdleConnTimeout: time.Minute, ResponseHeaderTimeout: s.timeout, MaxResponseHeaderBytes: 64 << 10,
	}
	return &client{settings: s, pause: time.Second, http: &http.Client{
		Transport: transport,
		// The headers may hold a secret, which is for this address alone.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Start implements otlptrace.Client.
func (c *client) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (c *client) Stop(context.Context) error {
	c.http.CloseIdleConnections()
	return nil
}

// UploadTraces posts spans, and tries twice more if the collector asks for that or
// does not answer, all within the timeout.
func (c *client) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	// On the wire this is an ExportTraceServiceRequest, whose type needs gRPC.
	body, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err == nil && c.settings.gzip {
		body, err = compressed(body)
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, c.settings.timeout)
	defer cancel()
	for pause := c.pause; ; pause *= 2 {
		again, err := c.post(ctx, body)
		if err == nil || !again || pause > 2*c.pause {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// post posts once, and reports whether another try may help.
func (c *client) post(ctx context.Context, body []byte) (again bool, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.settings.address, bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	for name, value := range c.settings.headers {
		r.Header.Set(name, value)
	}
	r.Header.Set("Content-Type", "application/x-protobuf")
	r.Header.Set("User-Agent", "parley")
	if c.settings.gzip {
		r.Header.Set("Content-Encoding", "gzip")
	}
	answer, err := c.http.Do(r)
	if err != nil {
		return ctx.Err() == nil, err
	}
	defer func() { _ = answer.Body.Close() }() // nothing was written
	// What it says is not used; reading it lets the connection be used again.
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10))
	switch answer.StatusCode {
	case http.StatusOK, http.StatusAccepted, http.StatusNoContent:
		return false, nil
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		again = true
	}
	return again, fmt.Errorf("the collector answered %d", answer.StatusCode)
}

func compressed(body []byte) ([]byte, error) {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(body); err != nil {
		return nil, err
	}
	err := z.Close()
	return out.Bytes(), err
}
