package answering_test

import (
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/bot/answering"
	"parley/internal/bot/reranking"
	"parley/internal/knowledge"
	"parley/internal/providers"
	"parley/internal/store/storetest"
)

// embeds gives the product's provider a model for embeddings, as if tested.
func (w *world) embeds(name string) {
	w.T.Helper()
	all, err := w.Providers.Providers(w.By().Workspace).Now(w.T.Context())
	w.Must(err)
	_, err = w.Providers.UpdateProvider(w.T.Context(), w.By(), all[0].ID, providers.ProviderChange{EmbeddingModel: parley.Some("embed")})
	w.Must(err)
	w.Use(name)
}

// paddles publishes three articles about a question: the first has its words in
// the title, the second in the description, and the third most of them in the
// body, which is too little to be likely. By what the fake server's vectors say, the
// third is the nearest and the first the farthest.
func (w *world) paddles() (question string, texts [][]string) {
	w.T.Helper()
	question = "How do I varnish my kayak paddle?"
	for _, a := range []parley.ArticleContent{
		{Title: "Kayak paddle varnish, with further advice about storage, transport, seasons, cleaning and repairs", Body: "Ask us before the summer begins."},
		{Title: "Oars for rivers, lakes and seas", Description: question, Body: "Sand them first."},
		{Title: "Oddments", Body: "How do I varnish my kayak?"},
	} {
		made, err := w.Articles.CreateArticle(w.T.Context(), w.By(), knowledge.NewArticle{ProductID: w.Shop, Language: "en", ArticleContent: a})
		w.Must(err)
		_, err = w.Articles.PublishArticle(w.T.Context(), w.By(), made.ID, nil)
		w.Must(err)
		texts = append(texts, []string{a.Title + "\n" + a.Description, a.Title + "\n" + a.Body})
	}
	return question, texts
}

// TestRerank lets embeddings order the likely articles, and do nothing else.
func TestRerank(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const description, body = "oars-for-rivers-lakes-and-seas", "oddments"
		question, texts := w.paddles()
		q := w.question("c: " + question)
		w.Use("500") // after retrieval, the articles are shown
		words := w.answer(q)
		if got := short(words); got != "hand_over model_down "+words.Sources[0].Slug+" "+description || !strings.HasPrefix(words.Sources[0].Slug, "kayak-paddle") {
			t.Fatalf("by words: %s", got)
		}
		w.embeds("500")
		if got := short(w.answer(q)); got != "hand_over model_down "+description+" "+words.Sources[0].Slug {
			t.Errorf("by words and meaning: %s", got)
		}
		chosen, err := w.Providers.Choose(t.Context(), q.Workspace, q.Product)
		w.Must(err)
		control := reranking.New(reranking.Options{Providers: w.Providers, Clock: w.Now, Log: storetest.Quiet()})
		if got, _ := control.Order(t.Context(), reranking.Question{Workspace: q.Workspace, Chosen: chosen, Text: question, Articles: texts}); got[0] != 2 {
			t.Errorf("if %s were likely it would not come first: %v", body, got) // and this test could not tell
		}
		w.embeds("quote")
		draft, err := w.Answerer.Propose(t.Context(), q, nil)
		w.Must(err)
		requests := w.Models.Sim.Requests()
		prompt := requests[len(requests)-1].Prompt
		if first, second := strings.Index(prompt, "Oars for rivers"), strings.Index(prompt, "Kayak paddle varnish"); first < 0 || second < first || strings.Contains(prompt, "Oddments") {
			t.Errorf("the model reads, for %s:\n%s", short(draft), prompt)
		}
		before := w.embedded()
		for name, one := range map[string]struct {
			change func(*answering.Question)
			want   string
		}{
			"cards only":    {func(q *answering.Question) { q.NoModel = true }, "cards model_off " + words.Sources[0].Slug + " " + description},
			"few tokens":    {func(q *answering.Question) { q.MaxTokens = 10 }, "hand_over budget " + words.Sources[0].Slug + " " + description},
			"one article":   {func(q *answering.Question) { q.Turns[0].Text = covered[3:] }, "answer warranty-and-repairs"},
			"none":          {func(q *answering.Question) { q.Turns[0].Text = "who won the football match last night" }, "hand_over no_article"},
			"small talk":    {func(q *answering.Question) { q.Turns[0].Text = "hi" }, "clarify greeting"},
			"other product": {func(q *answering.Question) { q.Product = w.app }, "hand_over no_article"},
		} {
			asked := q
			asked.Turns = slices.Clone(q.Turns)
			one.change(&asked)
			if got := short(w.answer(asked)); got != one.want || w.embedded() != before {
				t.Errorf("%s: %s, and %d requests for embeddings", name, got, w.embedded()-before)
			}
		}
		w.embeds("500")
		w.Models.Sim.Next("zero")
		if got := short(w.answer(q)); got != short(words) {
			t.Errorf("after a failure: %s", got)
		}
	})
}

// embedded is how often embeddings were asked for.
func (w *world) embedded() int {
	n := 0
	for _, r := range w.Models.Sim.Requests() {
		n += strings.Count(r.Path, "embeddings")
	}
	return n
}
