package httpjson

import (
	"net/http"
	"slices"
	"strings"

	"parley"
)

// A Route is a method and a path, as in http.ServeMux, with its handler.
type Route struct {
	Method  string
	Path    string
	Handler http.Handler
}

// NewMux returns a mux of the routes. A GET route also answers HEAD. An
// unsupported method gets 405 with Allow, an unknown path 404, both in JSON.
// Like http.ServeMux it panics on a duplicate route.
func NewMux(routes []Route) *http.ServeMux {
	byPath := map[string]map[string]http.Handler{}
	for _, route := range routes {
		if byPath[route.Path] == nil {
			byPath[route.Path] = map[string]http.Handler{}
		}
		if byPath[route.Path][route.Method] != nil {
			panic("httpjson: the route " + route.Method + " " + route.Path + " is there twice")
		}
		byPath[route.Path][route.Method] = route.Handler
	}
	mux := http.NewServeMux()
	for path, methods := range byPath {
		mux.Handle(path, methodHandler(methods))
	}
	if byPath["/"] == nil {
		mux.HandleFunc("/", NotFound)
	}
	return mux
}

func methodHandler(methods map[string]http.Handler) http.Handler {
	if get := methods[http.MethodGet]; get != nil && methods[http.MethodHead] == nil {
		methods[http.MethodHead] = get
	}
	names := make([]string, 0, len(methods))
	for name := range methods {
		names = append(names, name)
	}
	slices.Sort(names)
	allow := strings.Join(names, ", ")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h := methods[r.Method]; h != nil {
			h.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Allow", allow)
		refuse(w, parley.Errorf(parley.NotAllowed, "the method must be one of %s", allow))
	})
}
