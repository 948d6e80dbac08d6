package mail

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"log/slog"
	"net/http"

	"parley"
	"parley/internal/httpjson"
	"parley/internal/words"
)

// stopStyle is the only style of the page.
const stopStyle = `body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:10vh auto;padding:0 1.5rem;color-scheme:light dark}button{font:inherit;padding:.5rem 1rem}`

var stopPage = template.Must(template.New("stop").Parse(`<!doctype html>
<html lang="{{.Words.Language}}" dir="{{.Words.Direction}}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>{{.Words.StopTitle}}</title><style>{{.Style}}</style></head>
<body><main><h1>{{.Words.StopTitle}}</h1>{{if .Text}}<p role="status">{{.Text}}</p>{{else}}<p>{{.Words.StopText}}</p>
<form method="post"><button type="submit">{{.Words.StopAction}}</button></form>{{end}}</main></body></html>
`))

// Pages returns the handler of /m/stop/…: GET shows a page with a button, because mail
// programs and scanners open links; POST stops, from that page or from the button of a
// mail program (RFC 8058).
func (svc *Service) Pages(log *slog.Logger) http.Handler {
	return httpjson.PageHeaders(httpjson.NewMux([]httpjson.Route{
		{Method: http.MethodGet, Path: stopPath + "{token}", Handler: svc.page(log, false)},
		{Method: http.MethodPost, Path: stopPath + "{token}", Handler: svc.page(log, true)},
	}))
}

func (svc *Service) page(log *slog.Logger, stops bool) http.Handler {
	sum := sha256.Sum256([]byte(stopStyle))
	policy := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shown := words.In(words.Choose(r.Header.Get("Accept-Language")))
		text, token := "", r.PathValue("token")
		var err error
		if stops {
			text, err = shown.StopDone, svc.Stop(r.Context(), token)
		} else {
			_, err = svc.MayStop(token).Now(r.Context())
		}
		status := http.StatusOK
		if parley.KindOf(err) == parley.NotFound && err != nil {
			text, status, err = shown.StopUnknown, http.StatusNotFound, nil
		}
		if err != nil {
			httpjson.WriteError(w, r, log, err)
			return
		}
		var page bytes.Buffer
		err = stopPage.Execute(&page, struct {
			Words words.Catalogue
			Style template.CSS
			Text  string
		}{shown, stopStyle, text})
		if err != nil {
			httpjson.WriteError(w, r, log, err)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Vary", "Accept-Language")
		w.WriteHeader(status)
		_, _ = w.Write(page.Bytes()) // a caller who has left needs no page
	})
}
