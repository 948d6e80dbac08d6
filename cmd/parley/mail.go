package main

import (
	"cmp"
	"errors"
	"fmt"
	netmail "net/mail"
	"net/url"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley"
	"parley/internal/mail"
	"parley/internal/mail/smtp"
)

// mailFlags are the settings of the mail server. Without a server no mail is sent.
type mailFlags struct {
	server smtp.Server
	from   netmail.Address
}

func (f *mailFlags) add(flags *pflag.FlagSet) {
	flags.Var(&checked[smtp.Server]{to: &f.server, parse: smtp.Parse}, "smtp-url", "mail server for invitations and links for new passwords: smtps://user:password@host:465, or smtp://user:password@host:587, which needs STARTTLS unless ?tls=off is added (default: no mail is sent)")
	flags.Var(&checked[netmail.Address]{to: &f.from, parse: parseSender}, "smtp-from", `sender of the mails, such as "Acme <support@acme.example>"`)
}

// parseSender parses an address with or without a name.
func parseSender(text string) (netmail.Address, error) {
	if text == "" {
		return netmail.Address{}, nil
	}
	from, err := netmail.ParseAddress(text)
	if err != nil || !parley.ValidEmail(from.Address) {
		return netmail.Address{}, errors.New(`must be an address such as "Acme <support@acme.example>"`)
	}
	return *from, nil
}

func (f *mailFlags) check(publicURL string) error {
	switch {
	case f.server.Host == "" && f.from.Address != "":
		return errors.New("--smtp-from: needs --smtp-url too")
	case f.server.Host == "":
		return nil
	case f.from.Address == "":
		return errors.New("--smtp-url: needs --smtp-from too")
	case publicURL == "":
		return errors.New("--smtp-url: needs --public-url too, because mails contain links")
	}
	return nil
}

// client returns a client of the mail server; nil if there is none.
func (f *mailFlags) client(publicURL string) *smtp.Client {
	if f.server.Host == "" {
		return nil
	}
	local := "localhost"
	if u, err := url.Parse(publicURL); err == nil {
		local = cmp.Or(u.Hostname(), local)
	}
	return &smtp.Client{Server: f.server, Local: local}
}

func (c *cli) mailCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "mail", Short: "Test the mail server"}
	var f mailFlags
	var publicURL string
	test := &cobra.Command{
		Use: "test ADDRESS", Short: "Send a mail to an address and print each step", Args: cobra.ExactArgs(1),
		Long: "Takes --smtp-url, --smtp-from and --public-url from the same environment and file as 'parley serve', sends a mail, and\n" +
			"prints each step of the exchange to standard error. It opens no store, and prints no password.",
		Example: "  parley mail test ann@acme.example",
	}
	f.add(test.Flags())
	test.Flags().Var(&checked[string]{to: &publicURL, parse: parsePublicURL}, "public-url", "address under which others reach the server, such as https://support.example")
	test.RunE = func(cmd *cobra.Command, args []string) error {
		if _, err := parseEmail(args[0]); err != nil {
			return fmt.Errorf("ADDRESS: %w", err)
		}
		if f.server.Host == "" {
			return errors.New("--smtp-url: must be set")
		}
		if err := f.check(publicURL); err != nil {
			return err
		}
		client := f.client(publicURL)
		client.Trace = func(step string) { fmt.Fprintln(cmd.ErrOrStderr(), step) }
		content := mail.Test("Parley", "en")
		err := client.Send(cmd.Context(), smtp.Mail{From: f.from.Address, To: args[0], Content: mail.Render(mail.Letter{
			Content: content, ID: parley.NewIDs(nil).New(time.Now()), From: f.from, To: args[0], At: time.Now(), Host: client.Local,
		})})
		if err != nil {
			return &failure{err}
		}
		return c.print(fields{{"status", "sent"}})
	}
	cmd.AddCommand(test)
	return cmd
}
