package simulating_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/bot/bottest"
	"parley/internal/bot/simulating"
	"parley/internal/desk"
	"parley/internal/knowledge"
	"parley/internal/model/modelsim/modelsimtest"
	"parley/internal/pgtest"
	"parley/internal/providers"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

type world struct {
	*bottest.World

	svc *simulating.Service
}

func (w *world) plan() simulating.Plan {
	return simulating.Plan{Workspace: w.Home.Workspace.ID, Product: w.Shop, Since: w.Now().Add(-90 * 24 * time.Hour), MaxTokens: 100_000}
}

// talk makes a conversation of the product: lines of the customer ("c: "), of the
// team ("m: ") and notes ("n: ").
func (w *world) talk(name string, product parley.ID, lines ...string) parley.Conversation {
	w.T.Helper()
	w.Advance(time.Minute)
	by := w.By()
	c, err := w.Desk.CreateConversation(w.T.Context(), by, desk.NewConversation{ContactID: w.Contact(by, name).ID, ProductID: parley.Some(product)})
	w.Must(err)
	for _, line := range lines {
		w.Advance(time.Second)
		from, text, _ := strings.Cut(line, ": ")
		m := desk.NewMessage{Content: text, ContentType: parley.Text, Direction: parley.Outgoing, AgentID: w.Home.Owner.ID, Private: from == "n"}
		if from == "c" {
			m.Direction, m.AgentID = parley.Incoming, ""
		}
		_, err := w.Desk.PostMessage(w.T.Context(), by, c.ID, m)
		w.Must(err)
	}
	return c
}

func (w *world) run(r simulating.Run) string {
	w.T.Helper()
	var out bytes.Buffer
	w.Must(w.svc.Write(w.T.Context(), &out, r))
	return out.String()
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	bottest.Each(t, modelsimtest.Times(), func(t *testing.T, b *bottest.World) {
		test(t, &world{b, simulating.New(b.Desk, b.Answerer)})
	})
}

// TestSimulation replays conversations without a model and with one, within a
// limit of tokens, and compares the results.
func TestSimulation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx, by := t.Context(), w.By()
		other, err := w.Desk.CreateProduct(ctx, by, "Other", "")
		w.Must(err)
		w.talk("Old", w.Shop, "c: how long is my tent covered if something breaks")
		w.Advance(100 * 24 * time.Hour)
		warranty := w.talk("Ann", w.Shop, "c: hi", "c: how long is my tent covered if something breaks", "n: a secret note", "m: Two years: https://x.example/help/shop/en/warranty-and-repairs.", "m: Bye!", "c: thanks")
		mountain := w.talk("Bo", w.Shop, "c: whats your favourite mountain")
		w.talk("Cleo", w.Shop, "c: I want to talk to a human", "m: Here I am.")
		w.talk("Dan", w.Shop, "m: Hello from us", "c: how long is my tent covered if something breaks")
		w.talk("Eve", other.ID, "c: how long is my tent covered if something breaks")
		spam := w.talk("Fay", w.Shop, "c: how long is my tent covered if something breaks")
		_, err = w.Desk.UpdateConversation(ctx, by, spam.ID, desk.ConversationChange{Spam: parley.Some(true)})
		w.Must(err)
		before := w.run(simulating.Run{Plan: w.plan(), Limit: 100, JSON: true})
		var result simulating.Result
		w.Must(json.Unmarshal([]byte(before), &result))
		if got := fmt.Sprint(result.Questions, result.Kinds, result.Reasons, result.Articles["warranty-and-repairs"], result.Human, result.Linked, result.Tokens, result.Comparison == nil); got !=
			"3 map[cards:1 hand_over:2] map[asked:1 no_article:1 no_provider:1] 1 2 1 0 true" {
			t.Errorf("the result is %s:\n%s", got, before)
		}
		if strings.Contains(before, "secret note") || !strings.Contains(before, warranty.ID.String()) || !strings.Contains(before, `"human":"Two years: https://x.example/help/shop/en/warranty-and-repairs.\nBye!"`) {
			t.Errorf("the rows are %s", before)
		}
		step, err := w.svc.Step(ctx, w.plan(), parley.Position{}, 2)
		w.Must(err)
		if step.Read != 2 || !step.HasMore || len(step.Answers) != 1 {
			t.Errorf("two conversations are %+v", step)
		}
		file := filepath.Join(t.TempDir(), "before.json")
		w.Must(os.WriteFile(file, []byte(before), 0o600))
		a, err := w.Articles.CreateArticle(ctx, by, knowledge.NewArticle{ProductID: w.Shop, Language: "en", ArticleContent: parley.ArticleContent{
			Title: "What’s your favourite mountain?", Body: "Our favourite mountain is the Watzmann.",
		}})
		w.Must(err)
		_, err = w.Articles.PublishArticle(ctx, by, a.ID, nil)
		w.Must(err)
		baseline, err := simulating.ReadBaseline(file)
		w.Must(err)
		text := w.run(simulating.Run{Plan: w.plan(), Limit: 100, Baseline: baseline})
		for _, want := range []string{"cards", "warranty-and-repairs*", "hand_over (asked)", "3 first questions: 2 cards, 1 hand_over.", "of 3 of them: 1 are helped only now, 0 only then, 0 by another article."} {
			if !strings.Contains(text, want) {
				t.Errorf("the table lacks %q:\n%s", want, text)
			}
		}
		w.Must(os.WriteFile(file, []byte("[]"), 0o600))
		if _, err := simulating.ReadBaseline(file); err == nil || !strings.Contains(err.Error(), "is not the result of a simulation") {
			t.Errorf("a file of something else: %v", err)
		}
		w.withModel(mountain.ID)
		plan := w.plan()
		plan.Product = parley.ID{1}
		if _, err := w.svc.Step(ctx, plan, parley.Position{}, 1); parley.KindOf(err) != parley.NotFound {
			t.Errorf("an unknown product: %v", err)
		}
	})
}

// withModel simulates with a model that quotes, within limits of tokens.
func (w *world) withModel(mountain parley.ID) {
	t := w.T
	t.Helper()
	p, err := w.Providers.CreateProvider(t.Context(), w.By(), providers.NewProvider{Name: "Sim", BaseURL: w.Models.URL, Model: "quote"})
	w.Must(err)
	_, err = w.Providers.TestProvider(t.Context(), w.By(), p.ID)
	w.Must(err)
	asked := len(w.Models.Sim.Requests())
	plan := w.plan()
	for _, one := range []struct {
		tokens int
		none   bool
		want   string
		calls  int
	}{{0, false, "cards", 0}, {100_000, true, "cards", 0}, {100, false, "hand_over budget", 0}, {100_000, false, "answer", 2}} {
		plan.MaxTokens, plan.NoModel = one.tokens, one.none
		step, err := w.svc.Step(t.Context(), plan, parley.Position{}, parley.MaxSimulationStep)
		w.Must(err)
		for _, a := range step.Answers {
			if a.ConversationID == mountain && !strings.HasPrefix(a.Kind+" "+a.Reason, one.want) {
				t.Errorf("with %d tokens, no model %v: %+v, want %s", one.tokens, one.none, a, one.want)
			}
		}
		calls := len(w.Models.Sim.Requests()) - asked
		asked += calls
		if calls != one.calls || (calls > 0) != (step.Tokens > 0) || int(step.Tokens) > max(one.tokens, 0) {
			t.Errorf("with %d tokens, no model %v: %d calls and %d tokens", one.tokens, one.none, calls, step.Tokens)
		}
	}
}

// TestParseAge reads ages.
func TestParseAge(t *testing.T) {
	for text, want := range map[string]time.Duration{"90d": 90 * 24 * time.Hour, "12h": 12 * time.Hour, "3660d": 3660 * 24 * time.Hour, "": 0, "0d": 0, "-1d": 0, "d": 0, "3661d": 0, "9999999999d": 0, "90": 0, "99999h": 0} {
		if got, err := simulating.ParseAge(text); got != want || (err == nil) != (want > 0) {
			t.Errorf("%q is %s, %v", text, got, err)
		}
	}
}
