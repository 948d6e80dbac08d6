//go:build !nodemo

package main

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/publicapi"
	"parley/internal/store/storetest"
	"parley/internal/timer"
)

// TestDemoAnswers fills the workspace of a demo, and lets its automated agent
// answer the questions of the past by the toy model, which only a demo reaches.
func TestDemoAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("fills the demo")
	}
	c := &cli{data: t.TempDir(), logLevel: "error"}
	p, err := c.newProgram(t.Context(), programOptions{
		log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: 7 * 24 * time.Hour, demo: true, simulation: simulated, listen: "127.0.0.1:0",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.work.mailbox.Close() }) // nothing serves that ends it
	founded, err := foundDemo(t.Context(), io.Discard, p.app)
	if err != nil {
		t.Fatal(err)
	}
	ws := founded.Workspace.ID
	providers, err := p.app.providers.Providers(ws).Now(t.Context())
	if err != nil || len(providers) != 1 || !providers[0].Toy() || !providers[0].Main || providers[0].Problem != "" || !providers[0].Capabilities.Streaming {
		t.Fatalf("the providers are %+v, %v", providers, err)
	}
	products, err := p.app.desk.Products(ws, false, parley.Position{}, 10).Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	shop := slices.IndexFunc(products.Items, func(one parley.Product) bool { return one.Agent == parley.AgentAnswers })
	if shop < 0 || products.Items[shop].Name != "Northwind Shop" {
		t.Fatalf("the agent answers for none of %+v", products.Items)
	}
	demoGoesOn(t, p, ws)
	if err := p.app.close(); err != nil {
		t.Fatal(err)
	}
	var result struct {
		Questions int            `json:"questions"`
		Kinds     map[string]int `json:"kinds"`
		Reasons   map[string]int `json:"reasons"`
	}
	simulate := func(more ...string) {
		t.Helper()
		args := []string{"bot", "simulate", "--workspace=" + ws.String(), "--product=" + products.Items[shop].ID.String(), "--limit=60", "--json"}
		status, stdout, stderr := c.run2(t, append(args, more...)...)
		clear(result.Kinds)
		clear(result.Reasons)
		if err := json.Unmarshal([]byte(stdout), &result); err != nil || status != 0 {
			t.Fatalf("status %d, %s, %s", status, stdout, stderr)
		}
	}
	simulate("--demo")
	answers := result.Kinds["answer"]
	if result.Questions != 60 || answers == 0 || result.Reasons["no_article"] == 0 || result.Reasons["model_down"] > 0 || result.Reasons["unchecked"] > 0 {
		t.Errorf("the demo gives %+v", result)
	}
	simulate()
	if result.Kinds["answer"] > 0 || result.Reasons["model_down"] != answers {
		t.Errorf("without the toy, it gives %+v, and with it %d answers", result, answers)
	}
}

// demoGoesOn runs what is due when a demo starts: two conversations come back, and a
// message is held, because its customer wrote.
func demoGoesOn(t *testing.T, p *program, ws parley.WorkspaceID) {
	t.Helper()
	ctx := t.Context()
	before, err := p.app.desk.Workspace(ctx, ws)
	if err != nil {
		t.Fatal(err)
	}
	if err := timer.New(p.app.desk, p.work.kinds()).RunDue(ctx, true); err != nil {
		t.Fatal(err)
	}
	page, err := p.app.desk.Events(ctx, ws, parley.Some(before.End()), 20)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range page.Events {
		got = append(got, string(e.Type)+" "+strings.Join(e.Changed, ","))
	}
	slices.Sort(got)
	want := []string{
		"conversation.updated status,snoozedUntil,wokeAt", "conversation.updated status,snoozedUntil,wokeAt",
		"scheduled_message.updated state,heldReason",
	}
	if !slices.Equal(got, want) {
		t.Errorf("when a demo starts, it tells %q, want %q", got, want)
	}
}
