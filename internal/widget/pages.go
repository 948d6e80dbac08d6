package widget

import (
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"

	"parley"
	"parley/internal/assets"
	"parley/internal/customers"
	"parley/internal/httpjson"
)

// framePolicy is what the page in the frame may load and do: scripts, styles,
// files and data from this server only, and pictures from anywhere (avatars of
// members). frameAncestors adds who may frame the page.
const framePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https: http:; media-src 'self'; " +
	"connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors "

// PagesOptions configure Pages.
type PagesOptions struct {
	Built     fs.FS // the built files of the widget, frame.html at the top
	Customers *customers.Service
	Log       *slog.Logger
}

// Pages returns the handler of the widget's built files:
//
//	/widget.js          the script that a shop puts into its pages
//	/widget/frame       the page in the frame, ?inbox=<id>
//	/widget/assets/…    what that page loads
//
// The frame of an inbox that lists origins is shown on those alone, which the
// browser enforces, and by the dashboard in its settings.
func Pages(o PagesOptions) (http.Handler, error) {
	frame, err := newFramePage(o)
	if err != nil {
		return nil, err
	}
	tag, err := builtFile(o.Built, "widget.js")
	if err != nil {
		return nil, err
	}
	routes := []httpjson.Route{
		{Method: http.MethodGet, Path: "/widget.js", Handler: fromAnywhere(tag)},
		{Method: http.MethodGet, Path: "/widget/frame", Handler: frame},
	}
	names, err := fs.Glob(o.Built, "assets/*")
	if err != nil {
		return nil, fmt.Errorf("read the files of the widget: %w", err)
	}
	for _, name := range names {
		file, err := builtFile(o.Built, name)
		if err != nil {
			return nil, err
		}
		routes = append(routes, httpjson.Route{Method: http.MethodGet, Path: "/widget/" + name, Handler: http.HandlerFunc(file.Serve)})
	}
	return httpjson.PageHeaders(httpjson.NewMux(routes)), nil
}

func builtFile(built fs.FS, name string) (assets.File, error) {
	text, err := fs.ReadFile(built, name)
	if err != nil {
		return assets.File{}, fmt.Errorf("read the files of the widget: %w", err)
	}
	return assets.New(name, text), nil
}

// fromAnywhere serves a file to pages of other sites, including pages that only
// load files that allow it (Cross-Origin-Embedder-Policy) or that match a hash.
func fromAnywhere(file assets.File) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		file.Serve(w, r)
	})
}

// inboxMark is the place of the inbox in the frame's page, and inboxLine the
// text there without an inbox.
const (
	inboxMark = `data-inbox="`
	inboxLine = inboxMark + `"`
)

// A framePage is the page in the frame, split at the id of its inbox.
type framePage struct {
	before, after string
	o             PagesOptions
}

func newFramePage(o PagesOptions) (*framePage, error) {
	text, err := fs.ReadFile(o.Built, "frame.html")
	if err != nil {
		return nil, fmt.Errorf("read the files of the widget: %w", err)
	}
	before, after, found := strings.Cut(string(text), inboxLine)
	if !found {
		return nil, fmt.Errorf("read the files of the widget: frame.html has no place %s for the inbox", inboxLine)
	}
	return &framePage{before: before + inboxMark, after: `"` + after, o: o}, nil
}

// ServeHTTP writes into the page the id by which the policy was chosen. If the
// page's script read the address itself, it might find another id.
func (p *framePage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	in := httpjson.NewReader(r)
	asked, _ := in.Query("inbox")
	_, preview := in.Query("preview")
	if err := in.Err(); err != nil {
		httpjson.WriteError(w, r, p.o.Log, err)
		return
	}
	inbox, ancestors, err := p.inbox(r, asked, !preview)
	if err != nil {
		httpjson.WriteError(w, r, p.o.Log, err)
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", framePolicy+ancestors)
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")               // the policy changes with the settings
	_, _ = io.WriteString(w, p.before+inbox+p.after) // a caller who has left needs no page
}

// inbox returns the id in an address in the form that the page contains, and
// who may frame that page. For anything that is not the inbox of a widget, the
// page has no id and nobody may frame it. With record, the website that shows the
// widget is stored.
func (p *framePage) inbox(r *http.Request, asked string, record bool) (inbox, ancestors string, err error) {
	const nobody = "'none'"
	id, ok := parley.ParseID(asked)
	if !ok {
		return "", nobody, nil
	}
	w, err := p.o.Customers.ShownWidget(r.Context(), id)
	switch {
	case parley.KindOf(err) == parley.NotFound:
		return "", nobody, nil
	case err != nil:
		return "", "", err
	}
	if record {
		p.record(r, &w)
	}
	if len(w.Settings.Origins) == 0 {
		return id.String(), "*", nil
	}
	return id.String(), "'self' " + strings.Join(w.Settings.Origins, " "), nil
}

// record stores which website shows the widget: the tag lets browsers name it. A
// browser that opens the page on its own shows no website. A failure must not
// keep the chat from customers.
func (p *framePage) record(r *http.Request, w *customers.Widget) {
	if r.Header.Get("Sec-Fetch-Dest") != "iframe" {
		return
	}
	if err := p.o.Customers.RecordView(r.Context(), w, r.Referer()); err != nil {
		p.o.Log.Warn("widget: first view not recorded", "inbox", w.Inbox.ID, "err", err)
	}
}
