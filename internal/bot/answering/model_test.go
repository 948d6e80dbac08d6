package answering_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/bot/answering"
	"parley/internal/model/modelsim"
	"parley/internal/providers"
)

// streamed answers, and returns what was emitted too.
func (w *world) streamed(q answering.Question) (answering.Outcome, string) {
	w.T.Helper()
	var shown strings.Builder
	out, err := w.Answerer.Answer(w.T.Context(), q, func(s answering.Sentence) error {
		shown.WriteString(s.Text)
		return nil
	})
	w.Must(err)
	return out, shown.String()
}

const covered = "c: how long is my tent covered if something breaks"

// TestModels asks each model of the fake server, and each that fails.
func TestModels(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Use("quote")
		out, shown := w.streamed(w.question(covered))
		if out.Kind != answering.Answer || out.Sources[0].Slug != "warranty-and-repairs" || shown != out.Text || out.Usage.In == 0 || out.Model != "quote" {
			t.Errorf("quote: %s %q, shown %q, %+v", short(out), out.Text, shown, out.Usage)
		}
		if unseen := w.answer(w.question(covered)); unseen.Text != out.Text {
			t.Errorf("nobody watches: %q, want %q", unseen.Text, out.Text)
		}
		gone := errors.New("gone")
		if _, err := w.Answerer.Answer(t.Context(), w.question(covered), func(answering.Sentence) error { return gone }); !errors.Is(err, gone) {
			t.Errorf("emit failed: %v", err)
		}
		w.Use("lie")
		out, shown = w.streamed(w.question(covered))
		if out.Kind != answering.Suggestion || out.Reason != answering.Unchecked || shown != "" || strings.Contains(out.Text, "987") || len(out.Unchecked) < 4 ||
			!strings.Contains(out.Draft, "987.65") || !strings.Contains(out.Summary, "Check: ") {
			t.Errorf("lie: %s, %q, shown %q, draft %q, %+v\n%s", short(out), out.Text, shown, out.Draft, out.Unchecked, out.Summary)
		}
		before := len(w.Models.Sim.Requests())
		for _, fault := range modelsim.Faults() {
			want := answering.ModelDown
			switch fault {
			case "drip", "stop", "hang", "longline", "endless":
				continue // as slow as the limits of package model
			}
			if fault == "nousage" || slices.Contains(modelsim.VectorFaults(), fault) {
				want = ""
			}
			w.Use(fault)
			out, shown = w.streamed(w.question(covered))
			if out.Reason != want || shown != "" && want != "" && fault != "failing" && fault != "cut" || want != "" && len(out.Sources) == 0 {
				t.Errorf("%s: %s %q, shown %q", fault, short(out), out.Text, shown)
			}
			if strings.Contains(out.Text+out.Summary, "status") {
				t.Errorf("%s tells about the server: %q", fault, out.Text)
			}
		}
		if after := len(w.Models.Sim.Requests()); after == before {
			t.Error("no model was asked")
		}
		w.Use("quote")
		w.Models.Sim.Next("500")
		if out := w.answer(w.question(covered)); out.Kind != answering.Answer {
			t.Errorf("after one failure: %s", short(out))
		}
	})
}

// TestContextOfProduct changes what the agent of a product is told and allowed.
func TestContextOfProduct(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Use("quote")
		save := func(change providers.AgentChange) {
			t.Helper()
			_, err := w.Providers.SaveAgent(t.Context(), w.By(), w.Shop, change)
			w.Must(err)
		}
		save(providers.AgentChange{Instructions: parley.Some("Call everybody captain."), Tone: parley.Some("salty"), DailyTokens: parley.Some(int64(9000))})
		if out := w.answer(w.question(covered)); out.Kind != answering.Answer {
			t.Fatalf("within the budget: %s", short(out))
		}
		requests := w.Models.Sim.Requests()
		prompt := requests[len(requests)-1].Prompt
		for _, want := range []string{"captain", "salty", "Northwind Shop", "language with the code en", "Warranty"} {
			if !strings.Contains(prompt, want) {
				t.Errorf("the prompt lacks %q", want)
			}
		}
		save(providers.AgentChange{DailyTokens: parley.Some(int64(100))})
		if out := w.answer(w.question(covered)); short(out) != "hand_over budget "+out.Sources[0].Slug || !strings.Contains(out.Text, "Until then") {
			t.Errorf("without a budget: %s %q", short(out), out.Text)
		}
		if now := w.Models.Sim.Requests(); len(now) != len(requests) {
			t.Error("a model was asked without a budget")
		}
		off := w.question(covered)
		off.NoModel = true
		if out := w.answer(off); out.Kind != answering.Cards || out.Reason != answering.ModelOff {
			t.Errorf("with cards only: %s", short(out))
		}
		save(providers.AgentChange{Languages: parley.Some([]parley.Language{"de", "fr"}), MaxTurns: parley.Some(1), DailyTokens: parley.Some(int64(100_000))})
		if out := w.answer(w.question(covered)); short(out) != "hand_over language" {
			t.Errorf("in a language that is not the agent's: %s", short(out))
		}
		if out := w.answer(w.question("c: kennwort vergessen", "b: Ja.", "c: komm nicht mehr rein, kennwort vergessen")); short(out) != "hand_over turns" {
			t.Errorf("after the limit: %s", short(out))
		}
		other := w.question(covered)
		other.Product = parley.ID{}
		if out := w.answer(other); out.Kind != answering.HandOver || out.Reason != answering.NoArticle {
			t.Errorf("without a product: %s", short(out))
		}
		requests = w.Models.Sim.Requests()
		if slices.ContainsFunc(requests, func(r modelsim.Request) bool { return strings.Contains(r.Prompt, "Trail App") }) {
			t.Error("a prompt has texts of another product")
		}
	})
}
