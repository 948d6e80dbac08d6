package demo

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/mail/mailsim"
)

// mostMails is how many mails the page shows, the newest.
const mostMails = 50

const mailboxStyle = `body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}
article{border:1px solid #8886;border-radius:8px;padding:1rem;margin:1rem 0}h2{font-size:1.1rem;margin:0 0 .25rem}p{overflow-wrap:anywhere;margin:.5rem 0;white-space:pre-line}.quiet{opacity:.75;font-size:.875rem}`

var mailboxPage = template.Must(template.New("mailbox").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Mailbox of the demo</title><style>{{.Style}}</style></head>
<body><main><h1>Mailbox of the demo</h1><p class="quiet">Mails that the demo sends arrive here, whatever their address. Reload the page to see new ones.</p>
{{range .Mails}}<article><h2>{{.Subject}}</h2><p class="quiet">To {{.To}} &middot; from {{.From}} &middot; {{.At}}</p>
{{range .Lines}}{{if .Link}}<p><a href="{{.Text}}">{{.Text}}</a></p>{{else}}<p>{{.Text}}</p>{{end}}{{end}}</article>
{{else}}<p>There are no mails yet. Invite somebody in Settings, Members.</p>{{end}}</main></body></html>
`))

// A Mailbox takes the mails of a demo, and shows them.
type Mailbox struct {
	Server *mailsim.Server
	Desk   *desk.Desk
	Log    *slog.Logger
}

// A shownMail is what the page shows of a mail.
type shownMail struct {
	Subject, To, From, At string
	Lines                 []shownLine
}

type shownLine struct {
	Text string
	Link bool
}

// Handler returns the handler of /mailbox. It answers 404 without the demo's workspace,
// because anyone who reaches it may read the mails.
func (m *Mailbox) Handler() http.Handler {
	sum := sha256.Sum256([]byte(mailboxStyle))
	policy := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
	show := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, err := m.page(r)
		if err != nil {
			httpjson.WriteError(w, r, m.Log, err)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Cache-Control", "no-store")
		_, _ = w.Write(page) //nolint:gosec // html/template made the page; a caller who has left needs none
	})
	return httpjson.CleanPaths(httpjson.PageHeaders(httpjson.NewMux([]httpjson.Route{{Method: http.MethodGet, Path: "/mailbox", Handler: show}})))
}

func (m *Mailbox) page(r *http.Request) ([]byte, error) {
	if _, err := demoWorkspace(r.Context(), m.Desk); err != nil {
		return nil, err
	}
	all := m.Server.Mails()
	slices.Reverse(all)
	var shown []shownMail
	for _, one := range all[:min(len(all), mostMails)] {
		if s, err := readMail(one); err == nil {
			shown = append(shown, s)
		}
	}
	var page bytes.Buffer
	err := mailboxPage.Execute(&page, struct {
		Style template.CSS
		Mails []shownMail
	}{mailboxStyle, shown})
	return page.Bytes(), err
}

// readMail reads the text of a mail.
func readMail(m mailsim.Mail) (shownMail, error) {
	letter, err := m.Letter()
	if err != nil {
		return shownMail{}, err
	}
	shown := shownMail{Subject: letter.Subject, To: m.To, From: m.From, At: m.At.UTC().Format("2006-01-02 15:04 UTC")}
	for paragraph := range strings.SplitSeq(letter.Plain, "\n\n") {
		paragraph = strings.TrimSpace(paragraph)
		link := (strings.HasPrefix(paragraph, "https://") || strings.HasPrefix(paragraph, "http://")) && !strings.ContainsAny(paragraph, " \n")
		shown.Lines = append(shown.Lines, shownLine{paragraph, link})
	}
	return shown, nil
}
