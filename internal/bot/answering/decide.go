package answering

import (
	"context"
	"slices"

	"parley"
	"parley/internal/bot/wish"
	"parley/internal/knowledge"
	"parley/internal/providers"
	"parley/internal/words"
)

// maxFailures is how many answers may fail before a person takes over.
const maxFailures = 2

// work is one question on its way to an outcome.
type work struct {
	*Answerer

	q     Question
	talk  talk
	emit  func(Sentence) error
	asked string // what the articles were found by
	// missed is what no article was found for, as a gap counts it.
	missed *knowledge.Miss
	// texts are the published texts of articles that were read, by their ids.
	texts map[parley.ID][]parley.PublishedText
	out   Outcome
	// feature is what the model is used for, "" for the agent.
	feature parley.ModelFeature
	chosen  *providers.Chosen // nil: not needed yet
}

// decide goes through the reasons not to answer, and then answers.
func (w *work) decide(ctx context.Context) (Outcome, error) {
	w.out.Language = w.talk.language
	if slices.ContainsFunc(w.talk.burst, wish.ForPerson) {
		return w.handOver(Asked, nil), nil
	}
	agent, err := w.agent(ctx)
	if err != nil {
		return Outcome{}, err
	}
	failures := w.q.Failures
	if w.talk.answered && complains(w.talk.burst[len(w.talk.burst)-1]) {
		w.out.Failed = true
		failures++
	}
	switch {
	case !speaks(agent, w.talk.language):
		return w.handOver(OtherTongue, nil), nil
	case w.q.Answers >= agent.MaxTurns:
		return w.handOver(Turns, nil), nil
	case failures >= maxFailures:
		return w.handOver(FailedTwice, nil), nil
	case w.talk.query() == "":
		return w.say(Clarify, Greeting, asking), nil
	case w.out.Failed && len(w.talk.burst) == 1:
		return w.say(Clarify, Unhelped, apology), nil
	}
	hits, err := w.retrieve(ctx)
	if err != nil {
		return Outcome{}, err
	}
	sources, err := w.sources(ctx, hits)
	if err != nil {
		return Outcome{}, err
	}
	if len(hits) == 0 {
		w.out.Missed = w.missed
		return w.handOver(NoArticle, nil), nil
	}
	return w.ask(ctx, hits, sources)
}

// A sentence selects one of the texts that need no model.
type sentence func(words.Catalogue) string

func asking(c words.Catalogue) string      { return c.AgentAsk }
func apology(c words.Catalogue) string     { return c.AgentSorry }
func introducing(c words.Catalogue) string { return c.AgentCards }
func passingOn(c words.Catalogue) string   { return c.AgentHandOver }
func meanwhile(c words.Catalogue) string   { return c.AgentHandOver + "\n" + c.AgentMeantime }

// say makes an outcome of a sentence in the customer's language: English if there are no
// words in it.
func (w *work) say(kind Kind, reason Reason, text sentence) Outcome {
	c := words.In(string(w.out.Language))
	if c.Language != primary(w.out.Language) {
		w.out.Language = parley.Language(c.Language)
	}
	w.out.Kind, w.out.Reason, w.out.Text = kind, reason, text(c)
	return w.out
}

// cards shows articles.
func (w *work) cards(reason Reason, sources []Source) Outcome {
	w.out.Sources = sources[:min(len(sources), MaxCards)]
	return w.say(Cards, reason, introducing)
}

// handOver calls a person, and shows articles meanwhile if any are likely.
func (w *work) handOver(reason Reason, sources []Source) Outcome {
	kind := HandOver
	if w.out.Draft != "" {
		kind = Suggestion
	}
	w.out.Sources = sources[:min(len(sources), MaxCards)]
	text := passingOn
	if len(w.out.Sources) > 0 {
		text = meanwhile
	}
	w.say(kind, reason, text)
	w.out.Summary = w.note().String()
	return w.out
}

// note describes the conversation to whoever takes over.
func (w *work) note() *Note {
	n := &Note{
		Reason: w.out.Reason, Turns: w.q.Turns, Answers: w.q.Answers, Failures: w.q.Failures, Draft: w.out.Draft, Unchecked: w.out.Unchecked,
	}
	if w.out.Failed {
		n.Failures++
	}
	for _, source := range w.out.Sources {
		n.Articles = append(n.Articles, source.Title)
	}
	return n
}

// speaks reports whether an agent answers in a language. An unknown one is no
// reason not to.
func speaks(a parley.ProductAgent, l parley.Language) bool {
	return l == "" || len(a.Languages) == 0 || slices.ContainsFunc(a.Languages, func(one parley.Language) bool { return primary(one) == primary(l) })
}

// agent returns what the agent is told for the product.
func (w *work) agent(ctx context.Context) (parley.ProductAgent, error) {
	if w.q.Product.IsZero() {
		return parley.NewProductAgent(w.q.Product), nil
	}
	return w.o.Providers.Agent(w.q.Workspace, w.q.Product).Now(ctx)
}
