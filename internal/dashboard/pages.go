package dashboard

import (
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"

	"parley/internal/assets"
	"parley/internal/httpjson"
)

// pageRoots lists the first path elements of the dashboard's pages; "" is the
// start page.
func pageRoots() []string {
	return []string{"", "inbox", "search", "contacts", "companies", "articles", "reports", "settings", "signin", "invite", "welcome", "print", "styleguide"}
}

// Pages returns the handler for the dashboard's built files: index.html at the
// address of every page, in the language of the member if there is an
// index.<language>.html, the other files at their own.
func Pages(built fs.FS) (http.Handler, error) {
	files := map[string]assets.File{}
	err := fs.WalkDir(built, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(built, name)
		files["/"+name] = assets.New(name, content)
		return err
	})
	if _, found := files["/index.html"]; err == nil && !found {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, fmt.Errorf("read the files of the dashboard: %w", err)
	}
	indexes := indexesOf(files)
	page := httpjson.PageHeaders(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f, found := files[r.URL.Path]; found {
			f.Serve(w, r)
			return
		}
		indexes[languageOf(r, indexes)].Serve(w, r)
	}))
	missing := httpjson.PageHeaders(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		indexes[languageOf(r, indexes)].ServeNotFound(w, r)
	}))
	answer := httpjson.NewMux([]httpjson.Route{{Method: http.MethodGet, Path: "/", Handler: page}})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		root, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		if _, found := files[r.URL.Path]; !found && !slices.Contains(pageRoots(), root) {
			if reads(r) {
				missing.ServeHTTP(w, r)
			} else {
				httpjson.NotFound(w, r)
			}
			return
		}
		answer.ServeHTTP(w, r)
	}), nil
}

// reads reports whether a person navigates to the address in a browser. They
// get the page, which says that the address does not exist; programs get JSON.
func reads(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		strings.Contains(r.Header.Get("Accept"), "text/html") && !strings.HasPrefix(r.URL.Path, "/v1/")
}
