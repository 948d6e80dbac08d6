package dashboard_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/apitest"
	"parley/internal/dashboard"
	"parley/internal/httpjson"
)

// samples has a row for every operation, joined from the rows of the nouns; an
// operation without one fails the tests below. A row creates the records that
// it needs, so that it can be called repeatedly.
func samples(w *world) map[string]func() apitest.Sample {
	all := map[string]func() apitest.Sample{}
	for _, part := range []map[string]func() apitest.Sample{
		sessionSamples(w), secondFactorSamples(w), confirmationSamples(), signInProviderSamples(w), memberSamples(w), auditSamples(), liveSamples(w), searchSamples(w), reportSamples(w),
		keySamples(w), settingSamples(w), numberSamples(w), identitySamples(w), contactSamples(w), widgetSamples(w), erasureSamples(w), documentSamples(), articleSamples(w), gapSamples(w), modelSamples(w), scheduledSamples(w), draftSamples(w), noticeSamples(w), pushSamples(), threadSamples(w), mailSamples(w), bulkSamples(w),
	} {
		maps.Copy(all, part)
	}
	return all
}

// everyRoute runs a test for each route with its sample.
func everyRoute(t *testing.T, w *world, test func(t *testing.T, route dashboard.Route, sample func() apitest.Sample)) {
	t.Helper()
	apitest.EachRoute(t, w.World, dashboard.Routes(), func(r dashboard.Route) string { return r.Operation }, samples(w), test)
}

func TestRouteTableIsTheDocument(t *testing.T) { surface(nil).Matches(t) }

func TestCrossSite(t *testing.T) {
	w := onSQLite(t)
	surface(w).RefusesCrossSite(t, w.World)
}

func TestBadInput(t *testing.T) {
	w := onSQLite(t)
	surface(w).RefusesBadInput(t, w.World)
}

func TestStoreAway(t *testing.T) {
	w := onSQLite(t)
	surface(w).NeedsTheStore(t, w.World)
}

func TestOpenRoutesAreCounted(t *testing.T) {
	w := onSQLite(t)
	surface(nil).CountsOpenRoutes(t, w.World, func(open *httpjson.AddressLimiter) http.Handler {
		return dashboard.New(dashboard.Options{Desk: w.Desk, Access: w.Access, Numbers: w.Numbers, Customers: w.Customers, Search: w.Search, Settings: w.Settings, Clock: w.Now, Log: apitest.Log(t), Open: open}).Handler()
	})
}

// ofAuthors are operations that agents may only use on what is theirs. The samples are
// the owner's.
var ofAuthors = []string{"updateScheduled", "deleteScheduled", "sendScheduledNow"}

// TestRoles sends every operation as each role, and without a session.
func TestRoles(t *testing.T) {
	w := onSQLite(t)
	everyRoute(t, w, func(t *testing.T, route dashboard.Route, sample func() apitest.Sample) {
		for _, role := range parley.Roles {
			s := sample()
			_, token := w.member(role)
			got := w.Send(w.request(route.Method, s, token))
			allowed := route.Open || !(role == parley.Agent && slices.Contains(ofAuthors, route.Operation)) && slices.Index(parley.Roles, role) <= slices.Index(parley.Roles, route.Role)
			switch {
			case allowed && got.Status != s.Status:
				t.Errorf("as %s the status is %d, want %d: %s", role, got.Status, s.Status, got.Body)
			case !allowed && got.Status != 403:
				t.Errorf("as %s the status is %d, want 403: %s", role, got.Status, got.Body)
			}
		}
		if route.Open {
			return
		}
		s := sample()
		w.Send(w.request(route.Method, s, apitest.None)).Want(401)
		w.Send(w.request(route.Method, s, "ps_"+parley.Token(strings.Repeat("a", 43)))).Want(401)
	})
}
