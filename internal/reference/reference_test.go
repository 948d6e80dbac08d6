package reference_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"parley/internal/reference"
)

func get(t *testing.T, path string, header http.Header) *httptest.ResponseRecorder {
	t.Helper()
	return send(t, http.MethodGet, path, header)
}

func send(t *testing.T, method, path string, header http.Header) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(method, path, nil)
	maps.Copy(r.Header, header)
	w := httptest.NewRecorder()
	reference.Handler(bytes.Clone).ServeHTTP(w, r)
	return w
}

// directives returns the directives of a policy by their names.
func directives(policy string) map[string]string {
	all := map[string]string{}
	for directive := range strings.SplitSeq(policy, ";") {
		name, sources, _ := strings.Cut(strings.TrimSpace(directive), " ")
		all[name] = sources
	}
	return all
}

func TestHeaders(t *testing.T) {
	for path, contentType := range map[string]string{
		"/docs":                                         "text/html; charset=utf-8",
		"/docs/":                                        "text/html; charset=utf-8",
		"/docs/widget":                                  "text/html; charset=utf-8",
		"/docs/dashboard":                               "text/html; charset=utf-8",
		"/docs/deprecations/stores":                     "text/html; charset=utf-8",
		"/docs/assets/pages.css":                        "text/css; charset=utf-8",
		"/docs/assets/reference.js":                     "text/javascript; charset=utf-8",
		"/docs/assets/swagger-ui.css":                   "text/css; charset=utf-8",
		"/docs/assets/swagger-ui-bundle.js":             "text/javascript; charset=utf-8",
		"/docs/assets/LICENSE":                          "text/plain; charset=utf-8",
		"/docs/assets/NOTICE":                           "text/plain; charset=utf-8",
		"/docs/assets/swagger-ui-bundle.js.LICENSE.txt": "text/plain; charset=utf-8",
	} {
		t.Run(path, func(t *testing.T) {
			got := get(t, path, nil)
			if got.Code != http.StatusOK || got.Body.Len() == 0 {
				t.Fatalf("status is %d with %d bytes", got.Code, got.Body.Len())
			}
			for name, want := range map[string]string{
				"Content-Type": contentType, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
				"Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
				"Cache-Control":      "no-cache", "Vary": "Accept-Encoding",
			} {
				if value := got.Header().Get(name); value != want {
					t.Errorf("%s is %q, want %q", name, value, want)
				}
			}
			checkPolicy(t, got.Header().Get("Content-Security-Policy"))
		})
	}
}

// checkPolicy demands that a policy allows this origin alone and nothing
// inline.
func checkPolicy(t *testing.T, policy string) {
	t.Helper()
	rules := directives(policy)
	for name, want := range map[string]string{
		"default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "connect-src": "'self'",
		"base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "'none'", "img-src": "'self' data:",
	} {
		if rules[name] != want {
			t.Errorf("%s is %q, want %q", name, rules[name], want)
		}
		delete(rules, name)
	}
	if len(rules) > 0 {
		t.Errorf("the policy has more directives: %v", rules)
	}
}

var (
	loads    = regexp.MustCompile(`<(?:script|link|img|iframe|source|video|audio|object|embed)\b[^>]*>`)
	loadedBy = regexp.MustCompile(`\b(?:src|href|data)="([^"]*)"`)
	inline   = regexp.MustCompile(`<script>|<script [^>]*>[^<]|<style|\s(?:style|on[a-z]+)=`)
)

// TestPagesLoadOwnFilesAlone demands that whatever a page loads is served here,
// and that nothing is inline, which the policy would refuse.
func TestPagesLoadOwnFilesAlone(t *testing.T) {
	for _, path := range []string{"/docs", "/docs/deprecations/stores"} {
		t.Run(path, func(t *testing.T) {
			page := get(t, path, nil).Body.String()
			if found := inline.FindString(page); found != "" {
				t.Errorf("the page has something inline: %s", found)
			}
			loaded := 0
			for _, tag := range loads.FindAllString(page, -1) {
				for _, match := range loadedBy.FindAllStringSubmatch(tag, -1) {
					address, err := url.Parse(match[1])
					if err != nil {
						t.Fatal(err)
					}
					if address.Scheme == "data" {
						continue
					}
					loaded++
					if address.IsAbs() || address.Host != "" || get(t, address.Path, nil).Code != http.StatusOK {
						t.Errorf("the page loads what is not served here: %s", tag)
					}
				}
			}
			if loaded == 0 {
				t.Error("the page loads nothing at all")
			}
		})
	}
}

// TestStylesheetsLoadNothing demands that no stylesheet names an address that
// a browser would ask for.
func TestStylesheetsLoadNothing(t *testing.T) {
	address := regexp.MustCompile(`url\(\s*["']?([^"')]*)|@import[^;]*|sourceMappingURL=\S*`)
	for _, path := range []string{"/docs/assets/pages.css", "/docs/assets/swagger-ui.css"} {
		for _, match := range address.FindAllStringSubmatch(get(t, path, nil).Body.String(), -1) {
			if !strings.HasPrefix(match[1], "data:") {
				t.Errorf("%s loads %.80s", path, match[0])
			}
		}
	}
}

func TestReferenceShowsTheServersDocuments(t *testing.T) {
	page := get(t, "/docs", nil).Body.String()
	for address, document := range map[string]string{
		"/docs": "/v1/public/openapi.json", "/docs/widget": "/v1/widget/openapi.json", "/docs/dashboard": "/v1/dashboard/openapi.json",
	} {
		if link := `<a href="` + address + `" data-document="` + document + `">`; !strings.Contains(page, link) {
			t.Errorf("the navigation lacks %s", link)
		}
	}
	settings := get(t, "/docs/assets/reference.js", nil).Body.String()
	for _, want := range []string{"url: current.dataset.document", "validatorUrl: null", "persistAuthorization: false"} {
		if !strings.Contains(settings, want) {
			t.Errorf("the viewer's settings lack %s", want)
		}
	}
	if strings.Contains(settings, "//validator") || strings.Contains(settings, "http:") || strings.Contains(settings, "https:") {
		t.Error("the viewer's settings name another origin")
	}
	if bundle := get(t, "/docs/assets/swagger-ui-bundle.js", nil).Body.String(); strings.Contains(bundle, "sourceMappingURL=swagger") {
		t.Error("the viewer names a source map that is not served")
	}
}

func TestNoticeOnStores(t *testing.T) {
	page := get(t, "/docs/deprecations/stores", nil).Body.String()
	for _, want := range []string{
		"16 February 2026", "16 February 2027", "/v1/public/stores", "/v1/public/companies", "storeId", "companyId",
		"companies:read", "companies:write", "@1771200000", "Tue, 16 Feb 2027 00:00:00 GMT", "410",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the notice does not tell of %s", want)
		}
	}
}

func TestRefusals(t *testing.T) {
	for name, x := range map[string]struct {
		method, path string
		status       int
		allow        string
	}{
		"unknown page":       {"GET", "/docs/nothing", 404, ""},
		"unknown asset":      {"GET", "/docs/assets/nothing.js", 404, ""},
		"folder":             {"GET", "/docs/assets/", 404, ""},
		"source of a page":   {"GET", "/docs/pages/reference.html", 404, ""},
		"way out":            {"GET", "/docs/assets/../../reference.go", 404, ""},
		"writing":            {"POST", "/docs", 405, "GET, HEAD"},
		"writing an asset":   {"DELETE", "/docs/assets/pages.css", 405, "GET, HEAD"},
		"writing on no page": {"POST", "/docs/nothing", 404, ""},
		"head of a page":     {"HEAD", "/docs", 200, ""},
		"head of no page":    {"HEAD", "/docs/nothing", 404, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := send(t, x.method, x.path, nil)
			if got.Code != x.status || got.Header().Get("Allow") != x.allow {
				t.Errorf("status is %d, Allow %q; want %d, %q", got.Code, got.Header().Get("Allow"), x.status, x.allow)
			}
			checkPolicy(t, got.Header().Get("Content-Security-Policy"))
			if x.method == http.MethodHead && got.Body.Len() > 0 {
				t.Error("the answer to HEAD has a body")
			}
		})
	}
}

func TestAgainWithETag(t *testing.T) {
	const path = "/docs/assets/swagger-ui-bundle.js"
	etag := get(t, path, nil).Header().Get("ETag")
	again := get(t, path, http.Header{"If-None-Match": {etag}})
	if again.Code != http.StatusNotModified || again.Body.Len() > 0 {
		t.Errorf("status is %d with %d bytes, want 304 and none", again.Code, again.Body.Len())
	}
	if other := get(t, path, http.Header{"If-None-Match": {`W/"another"`}}); other.Code != http.StatusOK {
		t.Errorf("status for another ETag is %d, want 200", other.Code)
	}
	if other := get(t, "/docs/assets/reference.js", nil).Header().Get("ETag"); other == etag {
		t.Error("two files have the same ETag")
	}
}

func TestGzip(t *testing.T) {
	const path = "/docs/assets/swagger-ui.css"
	whole := get(t, path, nil).Body.Bytes()
	for accepted, zipped := range map[string]bool{
		"gzip": true, "br, GZIP;q=0.5": true, "gzip; q=1.0": true, "deflate, gzip": true,
		"": false, "identity": false, "gzip;q=0": false, "gzip; q=0.000": false, "gzipped": false,
	} {
		t.Run(accepted, func(t *testing.T) {
			got := get(t, path, http.Header{"Accept-Encoding": {accepted}})
			if is := got.Header().Get("Content-Encoding") == "gzip"; is != zipped {
				t.Fatalf("zipped is %t, want %t", is, zipped)
			}
			body := got.Body.Bytes()
			if zipped {
				z, err := gzip.NewReader(got.Body)
				if err != nil {
					t.Fatal(err)
				}
				if body, err = io.ReadAll(z); err != nil {
					t.Fatal(err)
				}
			}
			if !bytes.Equal(body, whole) {
				t.Errorf("%d bytes arrived, want %d", len(body), len(whole))
			}
		})
	}
}
