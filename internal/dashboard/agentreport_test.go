package dashboard_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"maps"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/bot/results"
	"parley/internal/desk"
	"parley/internal/model"
)

const agentReportPath = "/v1/dashboard/agent-report"

// answeredBy makes a product with the agent.
func (w *world) answeredBy(name string) parley.ID {
	w.T.Helper()
	id, _ := parley.ParseID(w.Post("/v1/dashboard/products", `{"name":`+strconv.Quote(name)+`}`).Want(201).Text("id"))
	w.Patch("/v1/dashboard/products/"+id.String()+"/agent", `{"mode":"answer","dailyTokens":10000,"dailyCost":30000}`).Want(200)
	return id
}

// met has the agent meet a conversation about a product, and count what became of it.
func (w *world) met(product parley.ID, after func(t *desk.Tx, c parley.ID) error) {
	w.T.Helper()
	c := w.begin("", desk.NewConversation{ProductID: parley.Some(product)})
	_, err := desk.Write(w.T.Context(), w.Desk, w.By(), func(t *desk.Tx) (struct{}, error) {
		found, err := t.Conversation(t.Visibility, c.id)
		return struct{}{}, errors.Join(err, results.Begin(t, t.WS, &found, t.Now), after(t, c.id))
	})
	if err != nil {
		w.T.Fatal(err)
	}
}

// spent pays for a call of a model; one without usage never ends.
func (w *world) spent(product parley.ID, feature parley.ModelFeature, usage model.Usage) {
	w.T.Helper()
	chosen, err := w.Providers.Choose(w.T.Context(), w.Home.Workspace.ID, product)
	if err != nil {
		w.T.Fatal(err)
	}
	chosen.Feature = feature
	taken, err := w.Providers.Reserve(w.T.Context(), w.Home.Workspace.ID, chosen, model.Usage{In: 1000, Out: 100})
	if err == nil && usage.In > 0 {
		err = w.Providers.Settle(w.T.Context(), taken, usage)
	}
	if err != nil {
		w.T.Fatal(err)
	}
}

// agentWork is two days of the agent in two products, the first of which it returns.
func agentWork(w *world) parley.ID {
	w.Post("/v1/dashboard/model-providers", `{"name":"N","baseUrl":"https://models.example","model":"m","currency":"EUR","inputPrice":2000000,"outputPrice":8000000}`).Want(201)
	shop, app := w.answeredBy("=Shop"), w.answeredBy("App")
	said := func(kind parley.AnswerKind) func(*desk.Tx, parley.ID) error {
		return func(t *desk.Tx, c parley.ID) error { return results.Said(t, t.WS, c, kind, false) }
	}
	over := func(reason parley.HandOverReason) func(*desk.Tx, parley.ID) error {
		return func(t *desk.Tx, c parley.ID) error { return results.HandOver(t, t.WS, c, reason) }
	}
	w.met(shop, said(parley.AnswerText))
	w.met(shop, over(parley.NoArticleFound))
	w.met(app, said(parley.AnswerCards))
	w.spent(shop, parley.FeatureAgent, model.Usage{In: 500, Out: 50})
	w.spent(shop, parley.FeatureDraft, model.Usage{In: 100, Out: 10})
	w.Advance(24 * time.Hour)
	w.met(shop, func(t *desk.Tx, c parley.ID) error { return results.Confirm(t, t.WS, c) })
	w.met(shop, over(parley.NoArticleFound))
	w.met(shop, over(parley.AskedForPerson))
	w.met(shop, said(parley.AnswerQuestion))
	w.met(shop, func(t *desk.Tx, c parley.ID) error { return results.Take(t, t.WS, c, parley.AgentAnswering) })
	w.met(app, func(*desk.Tx, parley.ID) error { return nil })
	w.spent(shop, parley.FeatureAgent, model.Usage{})
	w.spent(app, parley.FeatureAgent, model.Usage{In: 1000, Out: 200})
	return shop
}

// TestAgentReport reads what the automated agent did and cost, as an owner and as an
// agent.
func TestAgentReport(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.MoveTo(apitest.Start())
		w.Get(agentReportPath).Want(200).Is("from", `"2026-10-23"`, "to", `"2026-11-21"`, "products", "[]", "days", "[]", "total.met", "0", "total.spend", "[]")
		shop := agentWork(w)
		got := w.Get(agentReportPath).Want(200).Is("products.0.productId", `"`+shop.String()+`"`, "products.0.mode", `"answer"`,
			"total.met", "9", "total.resolved", "2", "total.confirmed", "1", "total.answered", "1", "total.cards", "1", "total.askedBack", "1",
			"total.handedOver", "3", "total.unanswered", "2", "total.handOvers", `[{"count":2,"reason":"no_article"},{"count":1,"reason":"asked"}]`,
			"total.taken", "1", "total.unfinished", "1",
			"products.0.figures.spend", `[{"agentCost":1400,"agentTokens":550,"calls":2,"currency":"EUR","memberCost":280,"memberTokens":110,"reservedCost":2800,"reservedTokens":1100}]`,
			"products.0.budget", `{"costLeft":27200,"currency":"EUR","dailyCost":30000,"dailyTokens":10000,"tokensLeft":8900}`,
			"products.1.budget.tokensLeft", "8800", "products.1.budget.costLeft", "26400",
			"days.0.day", `"2026-11-21"`, "days.0.figures.met", "3", "days.1.figures.met", "6", "days.1.figures.spend.0.agentTokens", "1200")
		addsUp(t, got.Body)
		w.Get(agentReportPath+"?to=2026-11-21&productId="+shop.String()).Is("total.met", "2", "total.spend.0.calls", "2", "products.0.budget.tokensLeft", "8900")
		w.Get(agentReportPath+"?productId="+unknownID).Is("total.met", "0", "products", "[]")
		w.Get(agentReportPath+"?productId=none&from=x").Refused(400, "from: must be a day of the form 2026-11-21, not before 1970; productId: must be a UUID")
		w.Get(agentReportPath+".csv?from=2025-11-21").Refused(400, "from: must be at most 365 days before to")

		_, token := w.member(parley.Agent)
		as := func(path string) apitest.Answer {
			return w.Send(apitest.Request{Method: "GET", Path: path, Session: token}).Want(200)
		}
		as(agentReportPath).Is("total.met", "9", "total.spend", "null", "products.0.figures.spend", "null", "products.0.budget", "null")
		table := w.Get(agentReportPath + ".csv").Want(200)
		if name := table.Header.Get("Content-Disposition"); name != `attachment; filename="agent-report-2026-10-24-to-2026-11-22.csv"` {
			t.Errorf("the file is %s", name)
		}
		lines, err := csv.NewReader(strings.NewReader(string(table.Body))).ReadAll()
		if err != nil || len(lines) != 5 {
			t.Fatalf("the table is %s, %v", table.Body, err)
		}
		if got, want := strings.Join(lines[3], ","), "2026-11-22,"+shop.String()+",'=Shop,5,1,1,0,0,1,2,1,1,0,EUR,0,0,0,1100,0,0,0.0028"; got != want {
			t.Errorf("a line is %s, want %s", got, want)
		}
		if body := string(as(agentReportPath + ".csv").Body); strings.Contains(body, "cost") || strings.Contains(body, "EUR") {
			t.Errorf("an agent is shown %s", body)
		}
	})
}

// addsUp checks that products, days and results have the same sums as the total.
func addsUp(t *testing.T, body []byte) {
	t.Helper()
	type figures = map[string]any
	var r struct {
		Products, Days []struct{ Figures figures }
		Total          figures
	}
	if err := json.Unmarshal(body, &r); err != nil {
		t.Fatal(err)
	}
	for _, rows := range [][]struct{ Figures figures }{r.Products, r.Days} {
		sums := map[string]float64{}
		for _, row := range rows {
			for name, n := range row.Figures {
				if n, ok := n.(float64); ok {
					sums[name] += n
				}
			}
		}
		want := map[string]float64{}
		for name, n := range r.Total {
			if n, ok := n.(float64); ok {
				want[name] = n
			}
		}
		if !maps.Equal(sums, want) {
			t.Errorf("the sums are %v, the total is %v", sums, want)
		}
		if parts := sums["resolved"] + sums["cards"] + sums["askedBack"] + sums["handedOver"] + sums["taken"] + sums["unfinished"]; parts != sums["met"] {
			t.Errorf("the results are %v together, not %v", parts, sums["met"])
		}
	}
}
