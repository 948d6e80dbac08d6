// Package certificates has the server's own certificate and key. It reads them
// from their files, and again when these change, so that a renewed certificate
// is shown without a restart.
//
// Its errors begin with the setting that is wrong, --tls-cert or --tls-key. It
// imports only the vocabulary.
package certificates

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"parley"
)

// Files name the files of a certificate, those between it and its authority, and
// of its key, in PEM form.
type Files struct{ Cert, Key string }

// load reads the certificate and its key.
func (f Files) load() (*tls.Certificate, error) {
	cert, err := os.ReadFile(f.Cert)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert: %w", err)
	}
	key, err := os.ReadFile(f.Key)
	if err != nil {
		return nil, fmt.Errorf("--tls-key: %w", err)
	}
	if _, err := First(cert); err != nil {
		return nil, fmt.Errorf("%w: %s", err, f.Cert)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, fmt.Errorf("--tls-key: must name the key of the first certificate in --tls-cert, in PEM form and without a password: %s: %w", f.Key, err)
	}
	return &pair, nil
}

// ErrNone is the error of a file without a certificate.
var ErrNone = errors.New("--tls-cert: must name a file of certificates in PEM form, the server's own first")

// First returns the first certificate of a text in PEM form, which is
// the server's own. Blocks of other types, such as a key, may stand before it.
func First(text []byte) (*x509.Certificate, error) {
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			continue
		}
		if leaf, err := x509.ParseCertificate(block.Bytes); err == nil {
			return leaf, nil
		}
		break
	}
	return nil, ErrNone
}

// LookTime is how long a look at the files is enough.
const LookTime = time.Second

// A Pair is the server's certificate, as its files have it now. A pair
// that cannot be used, such as one that is half written, leaves the one before
// in place. Its methods are safe for concurrent use.
type Pair struct {
	files Files
	clock parley.Clock
	log   *slog.Logger

	mu       sync.Mutex
	pair     *tls.Certificate
	lookedAt time.Time
	complain string // the error that was logged; "" if the files were right
}

// Open reads the files. It warns of a certificate that is not valid now.
func Open(files Files, clock parley.Clock, log *slog.Logger) (*Pair, error) {
	c := &Pair{files: files, clock: clock, log: log}
	pair, err := files.load()
	if err != nil {
		return nil, err
	}
	c.pair, c.lookedAt = pair, clock.Now()
	if now := clock.Now(); now.Before(pair.Leaf.NotBefore) || now.After(pair.Leaf.NotAfter) {
		log.Warn("tls: the certificate is not valid now", "from", pair.Leaf.NotBefore, "until", pair.Leaf.NotAfter)
	}
	return c, nil
}

// current returns the certificate, after a look at the files if the latest look
// is older than LookTime.
func (c *Pair) current() *tls.Certificate {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.clock.Now()
	if since := now.Sub(c.lookedAt); since >= 0 && since < LookTime {
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

// Config returns the settings of a server's side.
func (c *Pair) Config() *tls.Config {
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current(), nil },
	}
}

// End returns when the certificate ends.
func (c *Pair) End() time.Time { return c.current().Leaf.NotAfter }
