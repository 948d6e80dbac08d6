package continuing

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"log/slog"
	"net/http"

	"parley"
	"parley/internal/httpjson"
	"parley/internal/mail"
	"parley/internal/words"
)

// pageStyle is the only style of the page.
const pageStyle = `body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:10vh auto;padding:0 1.5rem;color-scheme:light dark}button{font:inherit;padding:.5rem 1rem}`

var page = template.Must(template.New("return").Parse(`<!doctype html>
<html lang="{{.Words.Language}}" dir="{{.Words.Direction}}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>{{.Title}}</title><style>{{.Style}}</style></head>
<body><main><h1>{{.Title}}</h1>{{if .Company}}<form method="post"><button type="submit">{{.Words.MissedAction}}</button></form>{{end}}</main></body></html>
`))

// Pages returns the handler of /c/…, where the links of mails lead. GET shows a page with a
// button, because mail programs and scanners open links; POST begins a session and leads to
// the chat. The token of the session is in the fragment of the address, which no server sees.
func (svc *Service) Pages(log *slog.Logger) http.Handler {
	return httpjson.PageHeaders(httpjson.NewMux([]httpjson.Route{
		{Method: http.MethodGet, Path: linkPath + "{token}", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			found, err := svc.find(r.Context(), parley.Token(r.PathValue("token")))
			show(w, r, shown{company: found.company, err: err, log: log})
		})},
		{Method: http.MethodPost, Path: linkPath + "{token}", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			entry, err := svc.Enter(r.Context(), parley.Token(r.PathValue("token")))
			if err != nil {
				show(w, r, shown{err: err, log: log})
				return
			}
			w.Header().Set("Cache-Control", "no-store")
			w.Header().Set("Referrer-Policy", "no-referrer")
			w.Header().Set("Location", "/widget/frame?inbox="+entry.Inbox.String()+"&conversation="+entry.Conversation.String()+"#"+string(entry.Token))
			w.WriteHeader(http.StatusSeeOther)
		})},
	}))
}

// What a page shows: a company, or an error.
type shown struct {
	company string
	err     error
	log     *slog.Logger
}

func show(w http.ResponseWriter, r *http.Request, s shown) {
	c := words.In(words.Choose(r.Header.Get("Accept-Language")))
	title, status := mail.Name(s.company), http.StatusOK
	if s.err != nil && parley.KindOf(s.err) == parley.NotFound {
		title, status = c.StopUnknown, http.StatusNotFound
	} else if s.err != nil {
		httpjson.WriteError(w, r, s.log, s.err)
		return
	}
	var text bytes.Buffer
	err := page.Execute(&text, struct {
		Words          words.Catalogue
		Style          template.CSS
		Title, Company string
	}{c, pageStyle, title, s.company})
	if err != nil {
		httpjson.WriteError(w, r, s.log, err)
		return
	}
	sum := sha256.Sum256([]byte(pageStyle))
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+
		"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Vary", "Accept-Language")
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes()) // a caller who has left needs no page
}
