package main

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
	"os"
	"time"

	"github.com/spf13/cobra"

	"parley/internal/certificates"
)

// healthTime is how long the server may take to answer a health check.
const healthTime = 4 * time.Second

// A healthCheck asks the server of the same settings.
type healthCheck struct {
	listen, cert string
	ready        bool
	leaf         *x509.Certificate // the server's own; nil: plain HTTP
}

func (c *cli) healthcheckCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "healthcheck", Short: "Tell whether the server with these settings serves, for containers", Args: cobra.NoArgs,
		Long: "Asks the server at --listen and ends with status 0 if it serves, else 1. It takes --listen and --tls-cert from the\n" +
			"same environment and file as 'parley serve'. It opens no store.",
		Example: "  parley healthcheck --listen 0.0.0.0:8080",
	}
	var h healthCheck
	flags := cmd.Flags()
	flags.StringVar(&h.listen, "listen", "127.0.0.1:8080", "address that the server listens on")
	flags.StringVar(&h.cert, "tls-cert", "", "file of the server's certificate, if it speaks TLS")
	flags.BoolVar(&h.ready, "ready", false, "ask whether the store can be read and written too")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := checkListen("listen", h.listen); err != nil {
			return err
		}
		if err := h.load(); err != nil {
			return err
		}
		if err := h.run(cmd.Context()); err != nil {
			return &failure{err}
		}
		return c.print(fields{{"status", "ok"}})
	}
	return cmd
}

// load reads the certificate, if there is one.
func (h *healthCheck) load() error {
	if h.cert == "" {
		return nil
	}
	text, err := os.ReadFile(h.cert)
	if err != nil {
		return fmt.Errorf("--tls-cert: %w", err)
	}
	if h.leaf, err = certificates.First(text); err != nil {
		return fmt.Errorf("%w: %s", err, h.cert)
	}
	return nil
}

func (h *healthCheck) run(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	url, path := "http://"+near(h.listen), "/healthz"
	transport := &http.Transport{DisableKeepAlives: true}
	if h.leaf != nil {
		url = "https://" + near(h.listen)
		transport.TLSClientConfig = h.config()
	}
	if h.ready {
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
func (h *healthCheck) config() *tls.Config {
	return &tls.Config{
		InsecureSkipVerify: true, //nolint:gosec // VerifyConnection compares the certificate itself
		VerifyConnection: func(state tls.ConnectionState) error {
			if !h.leaf.Equal(state.PeerCertificates[0]) {
				return errors.New("another server listens there: it shows another certificate than --tls-cert")
			}
			return nil
		},
	}
}

// near returns the address at which this machine reaches a listening address. It
// needs no name, because an image from scratch has no file that localhost is in.
func near(listen string) string {
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
