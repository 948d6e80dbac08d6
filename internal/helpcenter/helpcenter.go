// Package helpcenter serves the public pages of articles under /help: one help
// center for each product, rendered on the server, without any script.
//
//	/help/{center}                              the home page in the reader's best language
//	/help/{center}/{language}                   the home page: categories and popular articles
//	/help/{center}/{language}/{slug}            an article
//	/help/{center}/{language}/search            the articles that fit the query ?q=
//	/help/{center}/{language}/category/{id}     the articles of a category; "other" for those without
//	/help/{center}/{language}/category/{id}/{n} its second page, and so on
//	/help/{center}/{language}/feedback/{slug}   a reader's vote (POST)
//	/help/{center}/{language}/sitemap.xml       the addresses of a language's articles
//	/help/{center}/sitemap.xml                  the addresses of these lists
//	/help/pictures/{id}                         a picture of an article
//	/help/assets/…                              the style and the icon in a color
//	/robots.txt                                 lets search engines read /help alone
//
// It imports the vocabulary, the desk, the rules of articles, their search, the
// renderer of Markdown, the folding of text, httpjson and assets. It reads
// published versions only, always of one workspace and product, so that nothing
// else can be found.
//
// Pages are kept rendered (cache.go). Before one is sent, the event log of its
// workspace is compared, at most every freshTime (logs.go): after a change of
// what the public reads, all pages of the workspace are rendered again. All reads
// of the store wait for their turn, and one reader reads for all who need the same
// (flight.go).
package helpcenter

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/knowledge"
	"parley/internal/knowledge/answers"
)

// policy is what a page may load and do: the style, the icon and pictures of
// this server, and forms that lead to it. There is no script to allow.
const policy = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Options configure a Site.
type Options struct {
	Desk      *desk.Desk
	Knowledge *knowledge.Service
	Answers   *answers.Service
	Recorder  *knowledge.Recorder // counts readers, votes, and searches that found nothing
	Clock     parley.Clock
	Log       *slog.Logger
	Clients   *httpjson.Clients
	Turns     *httpjson.Turns // nil: reads do not wait for others
	// PublicURL is the address of this server, such as "https://help.example". If it
	// is empty, pages name their canonical address without a host.
	PublicURL string
	// CacheSize is the most bytes of rendered pages that are kept; 0 means 64 MiB.
	CacheSize int
}

// A Site serves all help centers of the server. Its methods may be called by
// many goroutines.
type Site struct {
	o       Options
	origin  string // of canonical addresses; "" if unknown
	pages   *cache
	misses  *cache // addresses without a page
	maps    *cache // sitemaps
	renders flights[rendering, *page]
	made    atomic.Int64 // pages that were rendered
	centers centers
	logs    *logs
	readers firsts                      // of texts
	voters  firsts                      // on texts
	voting  *httpjson.LimiterOf[string] // votes of a network address
	salt    [16]byte                    // of voter
}

// New returns a Site.
func New(o Options) *Site {
	if o.CacheSize == 0 {
		o.CacheSize = 64 << 20
	}
	s := &Site{o: o, origin: strings.TrimSuffix(o.PublicURL, "/"), pages: newCache(o.CacheSize), misses: newCache(missBytes), maps: newCache(sitemapBytes)}
	s.logs = newLogs(&s.o)
	s.newVotes()
	return s
}

// ServeHTTP answers a request below /help, and for /robots.txt.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "same-origin") // the form of a vote names its origin
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	if reads && s.kept(w, r) {
		return
	}
	if err := s.serve(w, r, reads); err != nil {
		s.Refuse(w, r, err)
	}
}

// errNoPage means that there is no page at an address.
var errNoPage = parley.NotFoundf("there is no such page")

// serve answers a request that no kept page answers.
func (s *Site) serve(w http.ResponseWriter, r *http.Request, reads bool) error {
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if last := len(parts) - 1; last > 0 && parts[last] == "" {
		return moved(w, r, strings.TrimSuffix(r.URL.Path, "/"))
	}
	at, err := s.route(parts)
	switch {
	case err != nil:
		return err
	case at.vote && r.Method != http.MethodPost:
		return notAllowed(w, http.MethodPost)
	case !at.vote && !reads:
		return notAllowed(w, "GET, HEAD")
	}
	return at.answer(s, w, r)
}

func notAllowed(w http.ResponseWriter, allow string) error {
	w.Header().Set("Allow", allow)
	return parley.Errorf(parley.NotAllowed, "the method must be one of %s", allow)
}

// An action answers a request.
type action struct {
	vote   bool
	answer func(s *Site, w http.ResponseWriter, r *http.Request) error
}

// route finds the action for the parts of a path.
func (s *Site) route(parts []string) (action, error) {
	answer := func(fn func(s *Site, w http.ResponseWriter, r *http.Request) error) (action, error) {
		return action{answer: fn}, nil
	}
	if len(parts) == 1 && parts[0] == "robots.txt" {
		return answer(func(_ *Site, w http.ResponseWriter, r *http.Request) error {
			robots.Serve(w, r)
			return nil
		})
	}
	if len(parts) < 2 || parts[0] != "help" {
		return action{}, errNoPage
	}
	place := parts[1]
	switch {
	case place == "pictures" && len(parts) == 3:
		return answer(func(s *Site, w http.ResponseWriter, r *http.Request) error { return s.picture(w, r, parts[2]) })
	case place == "assets" && len(parts) == 3:
		return answer(func(_ *Site, w http.ResponseWriter, r *http.Request) error { return asset(w, r, parts[2]) })
	case !parley.WellFormedHelpCenterSlug(place) || len(parts) > 6:
		return action{}, errNoPage
	case len(parts) == 2:
		return answer(func(s *Site, w http.ResponseWriter, r *http.Request) error { return s.chooseLanguage(w, r, place) })
	case len(parts) == 3 && parts[2] == sitemapName:
		return answer(func(s *Site, w http.ResponseWriter, r *http.Request) error { return s.sitemaps(w, r, place) })
	}
	return routePage(place, parts[2], parts[3:])
}

// routePage finds the action for what follows the language in a path.
func routePage(center, language string, rest []string) (action, error) {
	page := func(by maker) (action, error) {
		at := pageID{center: center, language: language, rest: strings.Join(rest, "/")}
		return action{answer: func(s *Site, w http.ResponseWriter, r *http.Request) error { return s.page(w, r, at, by) }}, nil
	}
	switch {
	case len(rest) == 0:
		return page(homePage)
	case len(rest) == 1 && rest[0] == sitemapName:
		return action{answer: func(s *Site, w http.ResponseWriter, r *http.Request) error { return s.sitemap(w, r, center, language) }}, nil
	case len(rest) == 1 && rest[0] == "search":
		return action{answer: func(s *Site, w http.ResponseWriter, r *http.Request) error {
			return s.search(w, r, pageID{center: center, language: language})
		}}, nil
	case len(rest) == 1 && parley.WellFormedSlug(rest[0]):
		return page(articlePage(rest[0]))
	case len(rest) == 2 && rest[0] == "category":
		return page(categoryPage(rest[1], 1))
	case len(rest) == 3 && rest[0] == "category":
		if n, err := strconv.Atoi(rest[2]); err == nil && n > 1 && strconv.Itoa(n) == rest[2] {
			return page(categoryPage(rest[1], n))
		}
	case len(rest) == 2 && rest[0] == "feedback" && parley.WellFormedSlug(rest[1]):
		return action{vote: true, answer: func(s *Site, w http.ResponseWriter, r *http.Request) error {
			return s.vote(w, r, pageID{center: center, language: language}, rest[1])
		}}, nil
	}
	return action{}, errNoPage
}

// moved redirects to a path of this server for good.
func moved(w http.ResponseWriter, _ *http.Request, path string) error {
	w.Header().Set("Location", (&url.URL{Path: path}).EscapedPath())
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusMovedPermanently)
	return nil
}

// picture serves a picture of an article. Its content never changes.
func (s *Site) picture(w http.ResponseWriter, r *http.Request, name string) error {
	id, ok := parley.ParseID(name)
	if !ok {
		return errNoPage
	}
	p, err := httpjson.InTurn(r.Context(), s.o.Turns, httpjson.Asker{}, func(ctx context.Context) (knowledge.PictureFile, error) {
		return s.o.Knowledge.OpenPicture(ctx, id)
	})
	if err != nil {
		return err
	}
	defer func() { _ = p.Content.Close() }() // it was only read
	h := w.Header()
	h.Set("Content-Type", p.ContentType)
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // the widget shows articles on other sites
	h.Set("ETag", `"`+id.String()+`"`)
	h.Set("Cache-Control", "public, max-age=86400")
	http.ServeContent(w, r, "", p.CreatedAt, p.Content)
	return nil
}
