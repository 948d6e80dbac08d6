package answering_test

import (
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/bot/answering"
	"parley/internal/bot/bottest"
	"parley/internal/knowledge"
	"parley/internal/model/modelsim/modelsimtest"
	"parley/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A world is that of the automated agent with a second product.
type world struct {
	*bottest.World

	app parley.ID
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	bottest.Each(t, modelsimtest.Times(), func(t *testing.T, b *bottest.World) { test(t, &world{b, b.Product("Trail App", "app")}) })
}

// question reads turns, such as "c: hello" of the customer, "b: Hi!" of the agent
// and "m: I am Ann" of a member.
func (w *world) question(lines ...string) answering.Question {
	q := answering.Question{Workspace: w.Home.Workspace.ID, Product: w.Shop}
	for _, line := range lines {
		from, text, _ := strings.Cut(line, ": ")
		speaker := map[string]answering.Speaker{"c": answering.Customer, "b": answering.Bot, "m": answering.Member}[from]
		if speaker == answering.Bot {
			q.Answers++
		}
		q.Turns = append(q.Turns, answering.Turn{From: speaker, Text: text, At: w.Now()})
	}
	return q
}

func (w *world) answer(q answering.Question) answering.Outcome {
	w.T.Helper()
	out, err := w.Answerer.Answer(w.T.Context(), q, nil)
	w.Must(err)
	return out
}

// short is an outcome as a test expects it: kind, reason, and the slugs of its
// sources.
func short(out answering.Outcome) string {
	said := []string{string(out.Kind)}
	if out.Reason != "" {
		said = append(said, string(out.Reason))
	}
	for _, source := range out.Sources {
		said = append(said, source.Slug)
	}
	return strings.Join(said, " ")
}

// TestWithoutModel goes through all that needs no model.
func TestWithoutModel(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, err := w.Articles.SaveHelpCenter(t.Context(), w.By(), w.Shop, knowledge.HelpCenterChange{
			Slug: parley.Some("shop"), Title: parley.Some("Help"), Languages: parley.Some([]parley.Language{"en", "de"}), Enabled: parley.Some(true),
		})
		w.Must(err)
		for _, one := range []struct {
			name  string
			lines []string
			want  string
			start string // of the text
		}{
			{"cards", []string{"c: how long is my tent covered if something breaks"}, "cards no_provider warranty-and-repairs", "These articles"},
			{"a burst", []string{"c: hi", "c: how long is my tent covered", "c: if something breaks"}, "cards no_provider warranty-and-repairs", "These articles"},
			{"a follow-up", []string{"c: how long is my tent covered if something breaks", "b: See the articles.", "c: and for the other one?"}, "cards no_provider warranty-and-repairs", ""},
			{"another subject", []string{"c: how long is my tent covered if something breaks", "b: See the articles.", "c: What is the capital of France?"}, "hand_over no_article", "I am passing"},
			{"in German", []string{"c: komm nicht mehr rein, kennwort vergessen"}, "cards no_provider reset-password", "Diese Artikel"},
			{"nothing fits", []string{"c: whats your favourite mountain"}, "hand_over no_article", "I am passing"},
			{"another product's", []string{"c: how do I download maps for offline use in the app"}, "hand_over no_article", "I am passing"},
			{"a person", []string{"c: how long is my tent covered", "c: I want to talk to a human"}, "hand_over asked", "I am passing"},
			{"a person in Czech", []string{"c: chci mluvit s člověkem"}, "hand_over asked", "Předávám"},
			{"a greeting", []string{"c: Guten Tag!"}, "clarify greeting", "Hallo! Worum"},
			{"a greeting in two messages", []string{"c: Hi there 👋", "c: can you help me please?"}, "clarify greeting", "Hello! What"},
			{"no help", []string{"c: how long is my tent covered", "b: See the articles.", "c: That didn't help."}, "clarify unhelped", "I am sorry"},
			{"the limit", []string{"c: a", "b: 1", "c: a", "b: 2", "c: a", "b: 3", "c: a", "b: 4", "c: a", "b: 5", "c: a", "b: 6", "c: how long is my tent covered"}, "hand_over turns", ""},
		} {
			out := w.answer(w.question(one.lines...))
			if got := short(out); !strings.HasPrefix(got, one.want) || !strings.HasPrefix(out.Text, one.start) {
				t.Errorf("%s: %s %q (%s), want %s", one.name, got, out.Text, out.Language, one.want)
			}
			if out.HandsOver() != (out.Summary != "") || out.HandsOver() && strings.Contains(out.Summary, ": \n") {
				t.Errorf("%s: the summary is %q", one.name, out.Summary)
			}
		}
		q := w.question("c: how long is my tent covered", "b: See the articles.", "c: das hilft mir nicht")
		q.Failures = 1
		out := w.answer(q)
		if short(out) != "hand_over failed_twice" || !out.Failed || !strings.Contains(out.Summary, "Messages of the agent: 1, of which 2 did not help.") {
			t.Errorf("after two failures: %s, %q", short(out), out.Summary)
		}
		out = w.answer(w.question("c: how long is my tent covered if something breaks"))
		if want := "/help/shop/en/warranty-and-repairs"; out.Sources[0].Path != want || out.Sources[0].Language != "en" || out.Sources[0].Version == 0 {
			t.Errorf("the source is %+v, want the path %s", out.Sources[0], want)
		}
		if _, err := w.Answerer.Answer(t.Context(), w.question("c: hi", "b: hello"), nil); err == nil {
			t.Error("a turn of the agent was answered")
		}
	})
}

// TestGreetings tells greetings from questions, through the outcome's reason.
func TestGreetings(t *testing.T) {
	greetings := []string{
		"hi", "Hello!", "Good morning", "hey team, can you help me?", "Hallo zusammen", "Grüezi", "Bonjour à tous !", "¡Buenas tardes!", "Buongiorno", "Olá, tudo bem?", "Hoi",
		"Dzień dobry", "Cześć", "Merhaba", "Günaydın", "Hej!", "Hej på er alla", "God dag", "Dobrý den, mám dotaz", "Hello, I have a question.",
	}
	questions := []string{"hi, where is my order", "morning delivery?", "hello kitty shirts", "help", "Guten Tag, Rechnung bitte", "order", "hola, factura"}
	for _, text := range slices.Concat(greetings, questions) {
		if got, want := answering.Greets(text), slices.Contains(greetings, text); got != want {
			t.Errorf("%q is a greeting: %v, want %v", text, got, want)
		}
	}
}
