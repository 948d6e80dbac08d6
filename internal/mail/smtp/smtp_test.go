package smtp_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"parley/internal/mail/mailsim"
	"parley/internal/mail/smtp"
)

// quick are times for servers that never answer.
var quick = smtp.Times{Connect: time.Second, Reply: 150 * time.Millisecond, Accept: 150 * time.Millisecond, Whole: 2 * time.Second}

func start(t *testing.T, o mailsim.Options) *mailsim.Server {
	t.Helper()
	s, err := mailsim.Start("127.0.0.1:0", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func client(t *testing.T, url string) *smtp.Client {
	t.Helper()
	server, err := smtp.Parse(url)
	if err != nil {
		t.Fatal(err)
	}
	return &smtp.Client{Server: server, Local: "parley.example"}
}

func mail(content string) smtp.Mail {
	return smtp.Mail{From: "support@acme.example", To: "ann@home.example", Content: []byte(content)}
}

// end returns what a failed sending says about its mail.
func end(t *testing.T, err error) smtp.End {
	t.Helper()
	var failure *smtp.Error
	if !errors.As(err, &failure) || failure.Problem == "" || strings.ContainsAny(failure.Problem, "\r\n") {
		t.Fatalf("the error is %#v", err)
	}
	return failure.End
}

// TestFaults lets a server misbehave in each way at each answer: what the client says
// about the mail is what the server did.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, at := range mailsim.Stages {
		for _, do := range mailsim.Deeds {
			for _, taken := range []bool{false, true} {
				if taken && at != mailsim.End {
					continue
				}
				t.Run(fmt.Sprint(at, do, taken), func(t *testing.T) {
					t.Parallel()
					s := start(t, mailsim.Options{Fault: func() mailsim.Fault { return mailsim.Fault{At: at, Do: do, Taken: taken} }})
					c := client(t, "smtp://"+s.Addr()+"?tls=off")
					c.Times = quick
					err := c.Send(t.Context(), mail("Subject: x\r\n\r\nx\r\n"))
					checkFault(t, at, do, err, len(s.Mails()))
				})
			}
		}
	}
}

func checkFault(t *testing.T, at mailsim.Stage, do mailsim.Deed, err error, taken int) {
	t.Helper()
	if at == mailsim.End && do == mailsim.OutOfTurn { // behind the answer, so it does no harm
		if err != nil || taken != 1 {
			t.Errorf("accepted %d, %v", taken, err)
		}
		return
	}
	if err == nil {
		t.Fatalf("no error, accepted %d", taken)
	}
	want := smtp.Later
	switch refuses := do == mailsim.Refuse || do == mailsim.NoMailbox; {
	case refuses && at == mailsim.Recipient && do == mailsim.NoMailbox:
		want = smtp.NoMailbox
	case refuses && (at == mailsim.Recipient || at == mailsim.Data || at == mailsim.End):
		want = smtp.Refused
	case at == mailsim.End && do != mailsim.Postpone && do != mailsim.Leave:
		want = smtp.Unknown
	}
	if got := end(t, err); got != want || taken > 0 && got != smtp.Unknown {
		t.Errorf("the mail's end is %d (%v), want %d; accepted %d", got, err, want, taken)
	}
}

// TestContent hands over what a server must not take for commands or for the end.
func TestContent(t *testing.T) {
	t.Parallel()
	s := start(t, mailsim.Options{})
	c := client(t, "smtp://"+s.Addr()+"?tls=off")
	content := "Subject: x\r\n\r\n.\r\n..\r\n.QUIT\r\nMAIL FROM:<x@y.example>\r\n\r\n."
	m := mail(content)
	m.From, m.To = "support@bücher.example", "ann@home.example"
	if err := c.Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	m.To = "zoë@home.example"
	if err := c.Send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	got := s.Mails()
	if len(got) != 2 || got[0].Content != content+"\r\n" || got[0].From != "support@xn--bcher-kva.example" || got[1].To != m.To || got[0].Local != "parley.example" {
		t.Errorf("accepted %+v", got)
	}
	for _, to := range []string{"", "x", "@home.example", "a b@home.example", "a@home.example>\r\nRCPT TO:<b@home.example", "a@-.example"} {
		m.To = to
		if got := end(t, c.Send(t.Context(), m)); got != smtp.Refused {
			t.Errorf("to %q the end is %d", to, got)
		}
	}
	stopped := errors.New("stopped")
	m = mail("x")
	m.Ready = func(context.Context) error { return stopped }
	if got := end(t, c.Send(t.Context(), m)); got != smtp.Later || len(s.Mails()) != 2 {
		t.Errorf("a mail that is stopped before its content has the end %d", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got := end(t, c.Send(ctx, mail("x"))); got != smtp.Later {
		t.Errorf("a cancelled sending has the end %d", got)
	}
}

// certificate returns a certificate of this machine, and the pool that trusts it.
func certificate(t *testing.T) (*tls.Config, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	made, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(made)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{made}, PrivateKey: key}}}, pool
}

// TestSecrets sends user and password over an encrypted connection alone, and shows the
// password nowhere.
func TestSecrets(t *testing.T) {
	t.Parallel()
	config, pool := certificate(t)
	for _, loginOnly := range []bool{false, true} {
		s := start(t, mailsim.Options{TLS: config, User: "ann", Password: "sëcret/1", LoginOnly: loginOnly})
		var steps strings.Builder
		trusting := func(url string) *smtp.Client {
			c := client(t, url)
			c.Roots, c.Times, c.Trace = pool, quick, func(step string) { steps.WriteString(step + "\n") }
			c.Times.Reply = time.Second
			return c
		}
		c := trusting("smtp://ann:s%C3%ABcret%2F1@" + s.Addr())
		if err := c.Send(t.Context(), mail("x")); err != nil {
			t.Fatal(err, steps.String())
		}
		if got := s.Mails(); len(got) != 1 || !got[0].TLS || got[0].User != "ann" {
			t.Errorf("accepted %+v", got)
		}
		if got := end(t, trusting("smtp://ann:other@"+s.Addr()).Send(t.Context(), mail("x"))); got != smtp.Later {
			t.Errorf("after a wrong password the end is %d", got)
		}
		if got := end(t, trusting("smtp://"+s.Addr()).Send(t.Context(), mail("x"))); got != smtp.Later { // a mistake of the operator's
			t.Errorf("without a password the end is %d", got)
		}
		stranger := client(t, "smtp://ann:s%C3%ABcret%2F1@"+s.Addr())
		if err := stranger.Send(t.Context(), mail("x")); end(t, err) != smtp.Later || !strings.Contains(err.Error(), "TLS") {
			t.Errorf("an unknown certificate gives %v", err)
		}
		if shown := steps.String() + fmt.Sprint(c.Server); strings.Contains(shown, "cret") || !strings.Contains(shown, "encrypted: TLS 1.3") || strings.Contains(shown, "c8OrY3JldC8x") {
			t.Errorf("shown is\n%s", shown)
		}
	}
	plain := start(t, mailsim.Options{})
	if err := client(t, "smtp://"+plain.Addr()).Send(t.Context(), mail("x")); end(t, err) != smtp.Later || len(plain.Mails()) != 0 {
		t.Errorf("a server without STARTTLS gives %v", err)
	}
	injecting := start(t, mailsim.Options{TLS: config, Fault: func() mailsim.Fault { return mailsim.Fault{At: mailsim.StartTLS, Do: mailsim.OutOfTurn} }})
	c := client(t, "smtp://"+injecting.Addr())
	c.Roots = pool
	if err := c.Send(t.Context(), mail("x")); end(t, err) != smtp.Later || !strings.Contains(err.Error(), "out of turn") {
		t.Errorf("text before the encryption gives %v", err)
	}
}

// TestParse reads addresses of servers.
func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                     "",
		"smtps://u:p@mail.example":             "smtps://mail.example:465",
		"smtps://u:p%40%2F@mail.example:99":    "smtps://mail.example:99",
		"smtp://mail.example":                  "smtp://mail.example:587",
		"smtp://u:p@mail.example?tls=starttls": "smtp://mail.example:587",
		"smtp://relay:25?tls=off":              "smtp://relay:25?tls=off",
		"smtp://u:p@[::1]:25?tls=off":          "smtp://[::1]:25?tls=off",
	} {
		if got, err := smtp.Parse(text); err != nil || got.String() != want {
			t.Errorf("%s is %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"x", "http://x", "smtp://", "smtp://x/y", "smtp://x?tls=no", "smtp://x?tls=tls", "smtps://x?tls=off", "smtp://x:0", "smtp://x:99999",
		"smtp://u@x", "smtp://u:@x", "smtp://u:secret@x?tls=off", "smtp://u:sec%00ret@x", "smtp://x#y", "smtp://x?a=b", "smtp:x", "smtp://u:secret@x:y"} {
		if got, err := smtp.Parse(text); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s is %+v, %v", text, got, err)
		}
	}
}
