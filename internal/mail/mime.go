package mail

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"parley"
	"parley/internal/words"
)

// maxSubject is the most characters of a subject.
const maxSubject = 150

// A Content is what a mail says. Its texts may contain what members or customers wrote:
// they are shown as they are, never as markup, and cannot become a header.
type Content struct {
	Language   string // a tag of RFC 5646
	Subject    string
	Paragraphs []string // the text, before the button
	Items      []Item   // below it
	Action     string   // what the button says; "" for no button
	Link       string   // where it leads
	After      []string // paragraphs below the button
}

// An Item is a paragraph that leads to a page of its own.
type Item struct{ Text, Link string }

// A Letter is a mail with what its headers say.
type Letter struct {
	Content
	ID       parley.ID
	From     mail.Address
	ReplyTo  string // "" for the sender
	To       string // an address of [parley.ValidEmail]
	At       time.Time
	Host     string // of the message id
	StopLink string // "" if it cannot be stopped
}

// oneLine returns a text that fits into a header: without control characters, line
// separators and invalid bytes.
func oneLine(text string) string {
	mapped := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || r == utf8.RuneError {
			return ' '
		}
		return r
	}, text)
	return strings.Join(strings.Fields(mapped), " ")
}

// shortened returns at most n characters of a text.
func shortened(text string, n int) string {
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n-1]) + "…"
}

// encoded returns a text as a header says it (RFC 2047), folded. A text that looks
// encoded itself is not decoded by mail programs.
func encoded(text string) string {
	text = strings.ReplaceAll(oneLine(text), "=?", "= ?")
	return strings.ReplaceAll(mime.QEncoding.Encode("utf-8", text), "?= =?", "?=\r\n =?")
}

// asciiDomain returns an address whose domain is written in ASCII.
func asciiDomain(address string) string {
	at := strings.LastIndexByte(address, '@')
	if domain, err := idna.Lookup.ToASCII(address[at+1:]); err == nil {
		return address[:at+1] + domain
	}
	return address
}

// Render writes a letter as it is handed over (RFC 5322), in lines that end in CRLF. All
// of it but an address beyond ASCII is ASCII.
func Render(l Letter) []byte {
	var b bytes.Buffer
	header := func(name, value string) { b.WriteString(name + ": " + value + "\r\n") }
	from := mail.Address{Name: oneLine(l.From.Name), Address: asciiDomain(l.From.Address)}
	header("From", from.String())
	header("To", "<"+asciiDomain(l.To)+">")
	if l.ReplyTo != "" {
		header("Reply-To", "<"+asciiDomain(l.ReplyTo)+">")
	}
	header("Subject", encoded(shortened(oneLine(l.Subject), maxSubject)))
	header("Date", l.At.UTC().Format(time.RFC1123Z))
	header("Message-ID", "<"+l.ID.String()+"@"+l.Host+">")
	header("Auto-Submitted", "auto-generated")
	header("Content-Language", cmp.Or(oneLine(l.Language), words.Languages[0]))
	if l.StopLink != "" { // RFC 8058
		header("List-Unsubscribe", "<"+l.StopLink+">")
		header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	}
	boundary := "=_" + l.ID.String() // no line of quoted-printable contains it
	header("MIME-Version", "1.0")
	header("Content-Type", `multipart/alternative; boundary="`+boundary+`"`)
	for _, part := range []struct{ kind, text string }{{"text/plain", l.plain()}, {"text/html", l.html()}} {
		fmt.Fprintf(&b, "\r\n--%s\r\nContent-Type: %s; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n", boundary, part.kind)
		w := quotedprintable.NewWriter(&b)
		_, _ = w.Write([]byte(part.text)) // a buffer takes everything
		_ = w.Close()
	}
	b.WriteString("\r\n--" + boundary + "--\r\n")
	return b.Bytes()
}

func (l *Letter) footer() string {
	if l.StopLink == "" {
		return ""
	}
	return words.Fill(words.In(l.Language).FooterStop, "link", l.StopLink)
}

func (l *Letter) plain() string {
	parts := append([]string{}, l.Paragraphs...)
	for _, item := range l.Items {
		parts = append(parts, item.Text+"\n"+item.Link)
	}
	if l.Link != "" {
		parts = append(parts, l.Link)
	}
	parts = append(parts, l.After...)
	if footer := l.footer(); footer != "" {
		parts = append(parts, "-- \n"+footer)
	}
	return strings.ReplaceAll(strings.Join(parts, "\n\n")+"\n", "\n", "\r\n")
}

func (l *Letter) html() string {
	var b strings.Builder
	c := words.In(l.Language)
	b.WriteString(`<!doctype html><html lang="` + html.EscapeString(c.Language) + `" dir="` + c.Direction + `"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"></head>` +
		`<body style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;margin:0 auto;padding:24px;max-width:560px">` + "\r\n")
	paragraphs := func(all []string, style string) {
		for _, text := range all {
			b.WriteString("<p" + style + ">" + strings.ReplaceAll(html.EscapeString(text), "\n", "<br>\r\n") + "</p>\r\n")
		}
	}
	paragraphs(l.Paragraphs, "")
	for _, item := range l.Items {
		link := html.EscapeString(item.Link)
		b.WriteString("<p>" + strings.ReplaceAll(html.EscapeString(item.Text), "\n", "<br>\r\n") + `<br>` + "\r\n" +
			`<a href="` + link + `" dir="ltr" style="font-size:13px;word-break:break-all">` + link + "</a></p>\r\n")
	}
	if l.Link != "" {
		link := html.EscapeString(l.Link)
		b.WriteString(`<p><a href="` + link + `" style="display:inline-block;padding:10px 18px;border-radius:8px;background:#2b5bd7;color:#ffffff;text-decoration:none">` +
			html.EscapeString(cmp.Or(l.Action, l.Link)) + "</a></p>\r\n" + `<p dir="ltr" style="font-size:13px;word-break:break-all">` + link + "</p>\r\n")
	}
	paragraphs(l.After, ` style="font-size:14px"`)
	if footer := l.footer(); footer != "" {
		paragraphs([]string{footer}, ` style="font-size:13px"`)
	}
	b.WriteString("</body></html>\r\n")
	return b.String()
}
