package mail_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	netmail "net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/mail"
	"parley/internal/mail/mailsim"
)

// read parses a mail as a mail program does.
func read(t *testing.T, content string) (netmail.Header, map[string]string) {
	t.Helper()
	parsed, err := netmail.ReadMessage(strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	kind, parameters, err := mime.ParseMediaType(parsed.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatal(kind, err)
	}
	parts := map[string]string{}
	for all := multipart.NewReader(parsed.Body, parameters["boundary"]); ; {
		part, err := all.NextPart()
		if errors.Is(err, io.EOF) {
			return parsed.Header, parts
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(part) // decoded from quoted-printable
		if err != nil {
			t.Fatal(err)
		}
		parts[part.Header.Get("Content-Type")] = string(text)
	}
}

// TestMailHeaders sends texts that members and customers could choose: whatever they
// are, no text becomes a header, a part or markup, and each is read back as it was.
func TestMailHeaders(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		hostile := []string{
			"plain", "Grüße, 世界 🌍", "a\r\nBcc: eve@evil.example", "a\nSubject: b", "a\x00b", "a\u2028b", "\r\n\r\nbody", "=?utf-8?q?x?=", strings.Repeat("🌍", 300), strings.Repeat("x", 5000),
			"<script>alert(1)</script>", "--=_\r\n.\r\n", "</a><img src=x onerror=y>", `"><b>`, "\xff\xfe", "tab\there",
		}
		for i, text := range hostile {
			kind := []parley.MailKind{parley.MailInvitation, parley.MailMissed}[i%2]
			w.queue(mail.Draft{Kind: kind, To: fmt.Sprintf("ann%d@bücher.example", i), Content: mail.Content{
				Language: "de", Subject: text, Paragraphs: []string{text, "end"}, Action: text, Link: "https://support.example/invite#x&<" + fmt.Sprint(i), After: []string{text},
			}})
		}
		for id, m := range w.settle() {
			if m.State != parley.MailSent {
				t.Fatalf("%s: %+v", id, m)
			}
		}
		for _, got := range w.server.Mails() {
			checkHeaders(t, got, hostile)
		}
	})
}

func checkHeaders(t *testing.T, got mailsim.Mail, hostile []string) {
	t.Helper()
	var i int
	if _, err := fmt.Sscanf(got.To, "ann%d@xn--bcher-kva.example", &i); err != nil {
		t.Fatal(got.To)
	}
	for line := range strings.Lines(got.Content) {
		if !strings.HasSuffix(line, "\r\n") || len(line) > 1000 || strings.ContainsFunc(line, func(r rune) bool { return r > '~' || r == 0 }) {
			t.Errorf("%q: the line %q", hostile[i], line)
		}
	}
	header, parts := read(t, got.Content)
	names := []string{"Auto-Submitted", "Content-Language", "Content-Type", "Date", "From", "Message-Id", "Mime-Version", "Subject", "To"}
	if i%2 == 1 {
		names = append(names, "List-Unsubscribe", "List-Unsubscribe-Post")
	}
	for name, values := range header {
		if !slices.Contains(names, name) || len(values) != 1 {
			t.Errorf("%q: %s is %q", hostile[i], name, values)
		}
	}
	if len(header) != len(names) || header.Get("To") != "<"+got.To+">" || header.Get("From") != `"Acme" <support@acme.example>` || header.Get("Auto-Submitted") != "auto-generated" {
		t.Errorf("%q: the headers are %v", hostile[i], header)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(header.Get("Subject"))
	clean := strings.Join(strings.Fields(strings.NewReplacer("\x00", " ", "\u2028", " ", "\xff", " ", "\xfe", " ", "=?", "= ?").Replace(hostile[i])), " ")
	if runes := []rune(clean); len(runes) > 150 {
		clean = string(runes[:149]) + "…"
	}
	if err != nil || subject != clean {
		t.Errorf("%q: the subject is %q, want %q, %v", hostile[i], subject, clean, err)
	}
	if len(parts) != 2 || !strings.Contains(parts["text/plain; charset=utf-8"], "https://support.example/invite#x&<"+fmt.Sprint(i)) {
		t.Errorf("%q: the parts are %q", hostile[i], parts)
	}
	shown := parts["text/html; charset=utf-8"]
	for _, markup := range []string{"<script", "<img", "<b>", "</a><img"} {
		if strings.Contains(shown, markup) {
			t.Errorf("%q: the page has %s", hostile[i], markup)
		}
	}
	if strings.Count(shown, "<a ") != 1 || !strings.Contains(shown, `lang="de" dir="ltr"`) {
		t.Errorf("%q: the page is %s", hostile[i], shown)
	}
}

// TestMailSecretsNotInStore looks for a token and an address in every byte that the
// server stores and logs, while a mail waits, when it has failed, and after it was sent.
func TestMailSecretsNotInStore(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		const address, token = "only.here@home.example", "pi_thetokenofalink"
		look := func(when string) {
			t.Helper()
			for _, secret := range []string{address, token, "ONLY.HERE"} {
				if strings.Contains(w.log.String(), secret) {
					t.Errorf("%s: the log has %s", when, secret)
				}
				for _, file := range w.files() {
					content, err := os.ReadFile(file)
					w.must(err)
					if bytes.Contains(content, []byte(secret)) {
						t.Errorf("%s: %s has %s", when, file, secret)
					}
				}
			}
		}
		w.misbehave(func() mailsim.Fault { return mailsim.Fault{At: mailsim.End, Do: mailsim.Refuse} })
		id := w.queue(mail.Draft{Kind: parley.MailMissed, To: address, Content: mail.Content{Subject: token, Paragraphs: []string{token}, Link: token}})
		look("while it waits")
		if m := w.settle()[id]; m.State != parley.MailFailed {
			t.Fatalf("%+v", m)
		}
		look("after it failed")
		w.misbehave(nil)
		_, err := w.mail.Resend(t.Context(), w.by(), id)
		w.must(err)
		w.settle()
		sent := w.server.Mails()
		if len(sent) != 1 || !strings.Contains(sent[0].Content, token) {
			t.Fatalf("sent was %+v", sent)
		}
		_, after, _ := strings.Cut(sent[0].Content, "List-Unsubscribe: <https://support.example/m/stop/")
		stop, _, _ := strings.Cut(after, ">")
		w.must(w.mail.Stop(t.Context(), stop))
		look("after it was sent and stopped")
	})
}

// files returns the files of a store on SQLite; the same rows are in PostgreSQL.
func (w *world) files() []string {
	w.t.Helper()
	if w.options.Dir == "" {
		return nil
	}
	all, err := filepath.Glob(filepath.Join(w.options.Dir, "*"))
	w.must(err)
	return slices.DeleteFunc(all, func(file string) bool { info, err := os.Stat(file); return err != nil || info.IsDir() })
}
