package main

import (
	"errors"
	stdlog "log"
	"log/slog"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/pflag"

	"parley"
	"parley/internal/certificates"
)

// tlsFlags name the files of the server's own certificate.
type tlsFlags struct{ cert, key string }

func (f *tlsFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.cert, "tls-cert", "", "file with the server's certificate and those between it and its authority, in PEM form (default: no TLS)")
	flags.StringVar(&f.key, "tls-key", "", "file with the key of that certificate, in PEM form")
}

// open reads the files. It returns nil if none are named.
func (f *tlsFlags) open(clock parley.Clock, log *slog.Logger) (*certificates.Pair, error) {
	switch {
	case f.cert == "" && f.key == "":
		return nil, nil
	case f.key == "":
		return nil, errors.New("--tls-cert: needs --tls-key too")
	case f.cert == "":
		return nil, errors.New("--tls-key: needs --tls-cert too")
	}
	return certificates.Open(certificates.Files{Cert: f.cert, Key: f.key}, clock, log)
}

// measureTLS registers the end of the certificate, if there is one.
func measureTLS(registry prometheus.Registerer, pair *certificates.Pair) {
	if pair == nil {
		return
	}
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "parley_tls_certificate_end_seconds", Help: "When the server's certificate ends, in seconds since 1970.",
	}, func() float64 { return float64(pair.End().Unix()) }))
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
