package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	stdlog "log"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/pflag"

	"parley"
)

// tlsFlags name the files of the server's own certificate.
type tlsFlags struct{ cert, key string }

func (f *tlsFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.cert, "tls-cert", "", "file with the server's certificate and those between it and its authority, in PEM form (default: no TLS)")
	flags.StringVar(&f.key, "tls-key", "", "file with the key of that certificate, in PEM form")
}

// open reads the files. It returns nil if none are named.
func (f *tlsFlags) open(clock parley.Clock, log *slog.Logger) (*certificates, error) {
	switch {
	case f.cert == "" && f.key == "":
		return nil, nil
	case f.key == "":
		return nil, errors.New("--tls-cert: needs --tls-key too")
	case f.cert == "":
		return nil, errors.New("--tls-key: needs --tls-cert too")
	}
	c := &certificates{files: *f, clock: clock, log: log}
	pair, err := f.load()
	if err != nil {
		return nil, err
	}
	c.pair, c.lookedAt = pair, clock.Now()
	if now := clock.Now(); now.Before(pair.Leaf.NotBefore) || now.After(pair.Leaf.NotAfter) {
		log.Warn("tls: the certificate is not valid now", "from", pair.Leaf.NotBefore, "until", pair.Leaf.NotAfter)
	}
	return c, nil
}

// load reads the certificate and its key. Its errors name the flag whose file
// is wrong.
func (f *tlsFlags) load() (*tls.Certificate, error) {
	cert, err := os.ReadFile(f.cert)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert: %w", err)
	}
	key, err := os.ReadFile(f.key)
	if err != nil {
		return nil, fmt.Errorf("--tls-key: %w", err)
	}
	if _, err := firstCertificate(cert); err != nil {
		return nil, fmt.Errorf("%w: %s", err, f.cert)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("--tls-key: must name the key of the first certificate in --tls-cert, in PEM form and without a password: %s: %w", f.key, err)
	}
	return &pair, nil
}

// errCertificate is the error of a file without a certificate.
var errCertificate = errors.New("--tls-cert: must name a file of certificates in PEM form, the server's own first")

// firstCertificate returns the first certificate of a text in PEM form, which is
// the server's own. Blocks of other types, such as a key, may stand before it.
func firstCertificate(text []byte) (*x509.Certificate, error) {
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			continue
		}
		if leaf, err := x509.ParseCertificate(block.Bytes); err == nil {
			return leaf, nil
		}
		break
	}
	return nil, errCertificate
}

// certificateTime is how long a look at the files of the certificate is enough.
const certificateTime = time.Second

// certificates are the server's certificate as its files have it now. A pair
// that cannot be used, such as one that is half written, leaves the one before
// in place. Its methods are safe for concurrent use.
type certificates struct {
	files tlsFlags
	clock parley.Clock
	log   *slog.Logger

	mu       sync.Mutex
	pair     *tls.Certificate
	lookedAt time.Time
	complain string // the error that was logged; "" if the files were right
}

// current returns the certificate, after a look at the files if the latest look
// is older than certificateTime.
func (c *certificates) current() *tls.Certificate {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.clock.Now()
	if since := now.Sub(c.lookedAt); since >= 0 && since < certificateTime {
		return c.pair
	}
	c.lookedAt = now
	pair, err := c.files.load()
	switch {
	case err != nil:
		if text := err.Error(); text != c.complain {
			c.complain = text
			c.log.Error("tls: certificate not loaded, the one before stays", "until", c.pair.Leaf.NotAfter, "error", err)
		}
		return c.pair
	case !pair.Leaf.Equal(c.pair.Leaf):
		c.log.Info("tls: certificate loaded", "until", pair.Leaf.NotAfter)
	}
	c.pair, c.complain = pair, ""
	return c.pair
}

// config returns the settings of a server's side.
func (c *certificates) config() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current(), nil },
	}
}

// measure registers the end of the certificate. It does nothing for a nil c.
func (c *certificates) measure(registry *prometheus.Registry) {
	if c == nil {
		return
	}
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "parley_tls_certificate_end_seconds", Help: "When the server's certificate ends, in seconds since 1970.",
	}, func() float64 { return float64(c.current().Leaf.NotAfter.Unix()) }))
}

// connectionLog returns a logger for what net/http reports about connections.
// Anybody can cause failed handshakes, as many as they like.
func connectionLog(log *slog.Logger) *stdlog.Logger {
	faults, handshakes := slog.NewLogLogger(log.Handler(), slog.LevelWarn), slog.NewLogLogger(log.Handler(), slog.LevelDebug)
	return stdlog.New(lines(func(line string) {
		if strings.HasPrefix(line, "http: TLS handshake error") {
			handshakes.Print(line)
		} else {
			faults.Print(line)
		}
	}), "", 0)
}

// lines calls a function with each line that is written.
type lines func(line string)

func (l lines) Write(line []byte) (int, error) {
	l(string(line))
	return len(line), nil
}
