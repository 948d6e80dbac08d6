package mail_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"parley"
	"parley/internal/mail"
)

// TestStopPage opens the page of a mail's link as a scanner does, which stops nothing, and
// presses its button.
func TestStopPage(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.queue(mail.Draft{Kind: parley.MailMissed})
		w.settle()
		_, after, _ := strings.Cut(w.server.Mails()[0].Content, "List-Unsubscribe: <https://support.example")
		path, _, _ := strings.Cut(after, ">")
		pages := w.mail.Pages(slog.New(slog.DiscardHandler))
		ask := func(method, path string) *httptest.ResponseRecorder {
			r := httptest.NewRequest(method, path, strings.NewReader("List-Unsubscribe=One-Click"))
			r.Header.Set("Accept-Language", "de")
			recorder := httptest.NewRecorder()
			pages.ServeHTTP(recorder, r)
			return recorder
		}
		next := func() bool { return !w.queue(mail.Draft{Kind: parley.MailMissed}).IsZero() }
		got := ask(http.MethodGet, path)
		if got.Code != 200 || !strings.Contains(got.Body.String(), "<form method=\"post\"><button type=\"submit\">Abbestellen</button>") || !next() {
			t.Errorf("the page is %d %s", got.Code, got.Body)
		}
		for name, want := range map[string]string{"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "Content-Type": "text/html; charset=utf-8"} {
			if got.Header().Get(name) != want {
				t.Errorf("%s is %q", name, got.Header().Get(name))
			}
		}
		if policy := got.Header().Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'; style-src 'sha256-") {
			t.Errorf("the policy is %s", policy)
		}
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			if got := ask(method, path+"x"); got.Code != 404 || !strings.Contains(got.Body.String(), "Dieser Link ist nicht gültig.") || !next() {
				t.Errorf("%s of another link is %d %s", method, got.Code, got.Body)
			}
		}
		for range 2 {
			if got := ask(http.MethodPost, path); got.Code != 200 || !strings.Contains(got.Body.String(), "Erledigt.") || next() {
				t.Errorf("the button answers %d %s", got.Code, got.Body)
			}
		}
	})
}
