// Package healthcheck asks a server on this machine whether it serves, as containers do.
//
// It imports nothing of this module.
package healthcheck

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// limit is how long the server may take to answer.
const limit = 4 * time.Second

// A Check is a question to the server of the same settings.
type Check struct {
	Listen string            // the address that the server listens on
	Ready  bool              // whether to ask for the store too
	Leaf   *x509.Certificate // the server's own; nil: plain HTTP
}

// Run asks, and returns why the server does not serve.
func (h *Check) Run(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	url, path := "http://"+Near(h.Listen), "/healthz"
	transport := &http.Transport{DisableKeepAlives: true}
	if h.Leaf != nil {
		url = "https://" + Near(h.Listen)
		transport.TLSClientConfig = h.config()
	}
	if h.Ready {
		path = "/readyz"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+path, nil)
	if err != nil {
		return err
	}
	res, err := transport.RoundTrip(req)
	if err != nil {
		return fmt.Errorf("the server does not answer: %w", err)
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(res.Body, 1<<10)) // the status is enough
		return fmt.Errorf("the server answers %d: %s", res.StatusCode, bytes.TrimSpace(text))
	}
	return nil
}

// config accepts exactly the certificate of the file: its names are those that
// others use, and its authority may be unknown here.
func (h *Check) config() *tls.Config {
	return &tls.Config{
		InsecureSkipVerify: true, //nolint:gosec // VerifyConnection compares the certificate itself
		VerifyConnection: func(state tls.ConnectionState) error {
			if !h.Leaf.Equal(state.PeerCertificates[0]) {
				return errors.New("another server listens there: it shows another certificate than --tls-cert")
			}
			return nil
		},
	}
}

// Near returns the address at which this machine reaches a listening address. It
// needs no name, because an image from scratch has no file that localhost is in.
func Near(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	switch ip := net.ParseIP(host); {
	case err != nil || host != "" && !ip.IsUnspecified():
		return listen
	case ip != nil && ip.To4() == nil:
		return net.JoinHostPort("::1", port)
	default:
		return net.JoinHostPort("127.0.0.1", port)
	}
}
