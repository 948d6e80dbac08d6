package main

import (
	"crypto/x509"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"parley/internal/certificates"
	"parley/internal/healthcheck"
)

func (c *cli) healthcheckCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "healthcheck", Short: "Tell whether the server with these settings serves, for containers", Args: cobra.NoArgs,
		Long: "Asks the server at --listen and ends with status 0 if it serves, else 1. It takes --listen and --tls-cert from the\n" +
			"same environment and file as 'parley serve'. It opens no store.",
		Example: "  parley healthcheck --listen 0.0.0.0:8080",
	}
	var h healthcheck.Check
	var cert string
	flags := cmd.Flags()
	flags.StringVar(&h.Listen, "listen", "127.0.0.1:8080", "address that the server listens on")
	flags.StringVar(&cert, "tls-cert", "", "file of the server's certificate, if it speaks TLS")
	flags.BoolVar(&h.Ready, "ready", false, "ask whether the store can be read and written too")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := checkListen("listen", h.Listen); err != nil {
			return err
		}
		var err error
		if h.Leaf, err = serverCertificate(cert); err != nil {
			return err
		}
		if err := h.Run(cmd.Context()); err != nil {
			return &failure{err}
		}
		return c.print(fields{{"status", "ok"}})
	}
	return cmd
}

// serverCertificate reads the server's certificate, if there is one.
func serverCertificate(path string) (*x509.Certificate, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert: %w", err)
	}
	leaf, err := certificates.First(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %s", err, path)
	}
	return leaf, nil
}
