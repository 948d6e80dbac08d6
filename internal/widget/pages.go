package widget

import (
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"

	"parley"
	"parley/internal/assets"
	"parley/internal/desk"
	"parley/internal/httpjson"
)

// framePolicy is what the page in the frame may load and do: scripts, styles,
// files and data of this server alone, and pictures from anywhere (the faces of
// members). Who may put the page into a frame, frameAncestors adds.
const framePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https: http:; media-src 'self'; " +
	"connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors "

// PagesOptions are what Pages needs.
type PagesOptions struct {
	Built fs.FS // the built files of the widget, frame.html at the top
	Desk  *desk.Desk
	Log   *slog.Logger
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
	frame, err := builtFile(o.Built, "frame.html")
	if err != nil {
		return nil, err
	}
	tag, err := builtFile(o.Built, "widget.js")
	if err != nil {
		return nil, err
	}
	routes := []httpjson.Route{
		{Method: http.MethodGet, Path: "/widget.js", Handler: fromAnywhere(tag)},
		{Method: http.MethodGet, Path: "/widget/frame", Handler: framed(frame, o)},
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

// fromAnywhere serves a file that pages of other sites load, those too that load
// only what says so (Cross-Origin-Embedder-Policy), or that name its hash.
func fromAnywhere(file assets.File) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		w.Header().Set("Access-Control-Allow-Origin", "*")
		file.Serve(w, r)
	})
}

func framed(page assets.File, o PagesOptions) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ancestors, err := frameAncestors(r, o.Desk)
		if err != nil {
			httpjson.WriteError(w, r, o.Log, err)
			return
		}
		h := w.Header()
		h.Set("Content-Security-Policy", framePolicy+ancestors)
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		// The policy changes with the settings while the page does not: after a 304
		// a browser might hold on to the old one.
		r.Header.Del("If-None-Match")
		page.Serve(w, r)
	})
}

// frameAncestors returns the pages that may show the frame. An inbox that there
// is not has a page too, which says so to whoever puts the tag into a page.
func frameAncestors(r *http.Request, d *desk.Desk) (string, error) {
	id, ok := parley.ParseID(r.URL.Query().Get("inbox"))
	if !ok {
		return "*", nil
	}
	w, err := d.Widget(r.Context(), id)
	if parley.KindOf(err) == parley.NotFound {
		return "*", nil
	}
	if err != nil || len(w.Settings.Origins) == 0 {
		return "*", err
	}
	return "'self' " + strings.Join(w.Settings.Origins, " "), nil
}
