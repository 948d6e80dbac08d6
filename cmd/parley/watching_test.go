package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"parley/internal/publicapi"
	"parley/internal/store/storetest"
)

// TestWatching compares what the alerts, the dashboard for Grafana and the operator's guide
// name with what a server measures.
func TestWatching(t *testing.T) {
	measured := measuredBy(t)
	read := func(path string) string {
		text, err := os.ReadFile("../../" + path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	guide := read("docs/operating.md")
	for _, name := range measured {
		if strings.HasPrefix(name, "parley_") && !strings.Contains(guide, "`"+name+"`") {
			t.Errorf("docs/operating.md does not explain %s", name)
		}
	}
	named := regexp.MustCompile(`\b(?:parley|process)_[a-z_]+`)
	for _, path := range []string{"packaging/prometheus/alerts.yml", "packaging/grafana/parley.json", "docs/alerts.md"} {
		found := named.FindAllString(read(path), -1)
		if len(found) == 0 {
			t.Errorf("%s names no metric", path)
		}
		for _, name := range found {
			base := regexp.MustCompile(`_(bucket|sum|count)$`).ReplaceAllString(name, "")
			if !slices.Contains(measured, name) && !slices.Contains(measured, base) && name != "parley_tls_certificate_end_seconds" { // only with --tls-cert
				t.Errorf("%s names %s, which is not measured", path, name)
			}
		}
	}
	explained := read("docs/alerts.md")
	for _, rule := range alertRules(t, read("packaging/prometheus/alerts.yml")) {
		if rule.Expr == "" || rule.Annotations["summary"] == "" || !slices.Contains([]string{"page", "ticket"}, rule.Labels["severity"]) {
			t.Errorf("the alert %s is not complete: %+v", rule.Alert, rule)
		}
		if rule.Annotations["runbook"] != "docs/alerts.md#"+strings.ToLower(rule.Alert) || !strings.Contains(explained, "\n## "+rule.Alert+"\n") {
			t.Errorf("docs/alerts.md has no section for %s", rule.Alert)
		}
	}
}

// An alertRule is a rule of Prometheus.
type alertRule struct {
	Alert, Expr, For    string
	Labels, Annotations map[string]string
}

func alertRules(t *testing.T, text string) []alertRule {
	t.Helper()
	var file struct {
		Groups []struct{ Rules []alertRule }
	}
	if err := yaml.Unmarshal([]byte(text), &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Groups) != 1 || len(file.Groups[0].Rules) == 0 {
		t.Fatalf("there are no rules in %s", text)
	}
	return file.Groups[0].Rules
}

// measuredBy returns the names of the metrics of a server that has answered requests.
func measuredBy(t *testing.T) []string {
	t.Helper()
	c := onSQLite(t)
	c.command(t, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example")
	p, err := c.newProgram(t.Context(), programOptions{log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: 7 * 24 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.app.close(); err != nil {
			t.Error(err)
		}
	}()
	for _, path := range []string{"/healthz", "/v1/public/contacts", "/v1/dashboard/session"} {
		p.handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, path, nil))
	}
	if err := p.app.search.IndexSearch(t.Context()); err != nil { // a follower of the log
		t.Fatal(err)
	}
	families, err := p.metrics.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, family := range families {
		names = append(names, family.GetName())
		if family.GetName() != "parley_operation_seconds" {
			continue
		}
		for _, label := range family.GetMetric()[0].GetLabel() {
			if label.GetName() == "outcome" && label.GetValue() != "refused" {
				t.Errorf("a request without a credential counts as %s", label.GetValue())
			}
		}
	}
	return names
}
