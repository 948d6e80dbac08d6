package helpcenter_test

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/helpcenter"
	"parley/internal/httpjson"
	"parley/internal/knowledge"
	"parley/internal/knowledge/answers"
	"parley/internal/store/storetest"
	"parley/internal/vault"
)

// maxRatio is how much longer than a bare handler a kept page may take.
const maxRatio = 3

// BenchmarkArticle compares an article's page, after its first use, with a
// handler that only writes the same bytes and headers: over HTTP with its limits,
// as the program serves it, and without a connection. The log is looked at as
// often as in production.
func BenchmarkArticle(b *testing.B) {
	site, path := benchSite(b)
	clients := httpjson.NewClients(httpjson.Proxies{}, storetest.Quiet())
	limits := httpjson.NewAddressLimiter(httpjson.AddressLimiterOptions{
		Limits: httpjson.AddressLimits{AMinute: 1 << 40, AtOnce: 100}, Clock: time.Now, Log: storetest.Quiet(), Clients: clients,
	})
	first := send(site, http.MethodGet, path)
	body := first.Body.Bytes()
	bare := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		maps.Copy(w.Header(), first.Header())
		_, _ = w.Write(body)
	})
	for _, way := range []struct {
		name string
		get  func(b *testing.B, h http.Handler) func()
	}{{"http", overHTTP(path)}, {"direct", direct(path)}} {
		b.Run(way.name, func(b *testing.B) {
			kept, plain := way.get(b, limits.Wrap(site)), way.get(b, bare)
			var spent [2]time.Duration
			for b.Loop() { // in turns, so that other load meets both
				for i, get := range []func(){kept, plain} {
					begin := time.Now()
					get()
					spent[i] += time.Since(begin)
				}
			}
			ratio := float64(spent[0]) / float64(spent[1])
			b.ReportMetric(float64(spent[0].Nanoseconds())/float64(b.N), "ns/page")
			b.ReportMetric(float64(spent[1].Nanoseconds())/float64(b.N), "ns/bare")
			b.ReportMetric(ratio, "ratio")
			if ratio > maxRatio && b.N > 1000 {
				b.Errorf("a kept page takes %.1f times as long as a bare handler", ratio)
			}
		})
	}
}

func overHTTP(path string) func(b *testing.B, h http.Handler) func() {
	return func(b *testing.B, h http.Handler) func() {
		b.Helper()
		server := httptest.NewServer(h)
		b.Cleanup(server.Close)
		client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
		return func() {
			answer, err := client.Get(server.URL + path)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, answer.Body); err != nil {
				b.Fatal(err)
			}
			if err := answer.Body.Close(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// A sink takes an answer.
type sink struct{ header http.Header }

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }
func (s *sink) WriteHeader(int)             {}

func direct(path string) func(b *testing.B, h http.Handler) func() {
	return func(_ *testing.B, h http.Handler) func() {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		return func() { h.ServeHTTP(&sink{http.Header{}}, r) }
	}
}

// benchSite returns a site on SQLite and the path of an article of 8 KiB.
func benchSite(b *testing.B) (*helpcenter.Site, string) {
	b.Helper()
	must := func(err error) {
		b.Helper()
		if err != nil {
			b.Fatal(err)
		}
	}
	keys, err := vault.FromFile(filepath.Join(b.TempDir(), "master.key"))
	must(err)
	d := desk.New(desk.Options{
		Store: storetest.Open(b, storetest.MigratedSQLite(b)), Clock: time.Now, IDs: parley.NewIDs(nil), Log: storetest.Quiet(),
		Vault: keys.WithPasswordCost(vault.Cost{Memory: 8, Passes: 1}),
	})
	home, err := access.New(d).CreateWorkspace(b.Context(), "Home", "owner@home.example")
	must(err)
	by := desktest.OwnerOf(home)
	svc := knowledge.New(d)
	p, err := d.CreateProduct(b.Context(), by, "Shop", "")
	must(err)
	_, err = svc.SaveHelpCenter(b.Context(), by, p.ID, knowledge.HelpCenterChange{Slug: parley.Some("shop"), Title: parley.Some("Shop")})
	must(err)
	a, err := svc.CreateArticle(b.Context(), by, knowledge.NewArticle{Language: "en", ArticleContent: parley.ArticleContent{
		Title: "Known", Body: strings.Repeat("## A heading\n\nSome *words* about [that](that), which people read.\n\n", 128),
	}})
	must(err)
	_, err = svc.PublishArticle(b.Context(), by, a.ID, nil)
	must(err)
	return helpcenter.New(helpcenter.Options{
		Desk: d, Knowledge: svc, Answers: answers.New(d, svc), Recorder: knowledge.NewRecorder(svc, storetest.Quiet()), Clock: time.Now, Log: storetest.Quiet(), Clients: httpjson.NewClients(httpjson.Proxies{}, storetest.Quiet()),
	}), "/help/shop/en/known"
}
