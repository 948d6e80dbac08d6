package answering

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parley"
	"parley/internal/bot/wish"
	"parley/internal/knowledge"
	"parley/internal/providers"
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
	out    Outcome
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
		return w.say(Clarify, Greeting, phrasebook.asking), nil
	case w.out.Failed && len(w.talk.burst) == 1:
		return w.say(Clarify, Unhelped, phrasebook.apology), nil
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

// say makes an outcome of a sentence of the phrasebook.
func (w *work) say(kind Kind, reason Reason, sentence func(phrasebook) string) Outcome {
	book, language := phrasesOf(w.out.Language)
	w.out.Kind, w.out.Reason, w.out.Text, w.out.Language = kind, reason, sentence(book), language
	return w.out
}

func (b phrasebook) asking() string      { return b.ask }
func (b phrasebook) apology() string     { return b.sorry }
func (b phrasebook) introducing() string { return b.cards }
func (b phrasebook) passingOn() string   { return b.handOver }

// cards shows articles.
func (w *work) cards(reason Reason, sources []Source) Outcome {
	w.out.Sources = sources[:min(len(sources), MaxCards)]
	return w.say(Cards, reason, phrasebook.introducing)
}

// handOver calls a person, and shows articles meanwhile if any are likely.
func (w *work) handOver(reason Reason, sources []Source) Outcome {
	kind := HandOver
	if w.out.Draft != "" {
		kind = Suggestion
	}
	w.out.Sources = sources[:min(len(sources), MaxCards)]
	sentence := phrasebook.passingOn
	if len(w.out.Sources) > 0 {
		sentence = func(b phrasebook) string { return b.handOver + "\n" + b.meantime }
	}
	w.say(kind, reason, sentence)
	w.out.Summary = w.summary()
	return w.out
}

// whys are the reasons as members read them.
var whys = map[Reason]string{
	Asked:       "The customer asks for a person.",
	NoArticle:   "No published article is likely to answer the question.",
	FailedTwice: "Two answers did not help.",
	Turns:       "The limit of answers in a row is reached.",
	OtherTongue: "The agent does not answer in the customer’s language.",
	Budget:      "The product has used its tokens for today.",
	ModelDown:   "The language model could not be used.",
	Declined:    "The model found no answer in the articles.",
	Unchecked:   "The model’s answer has claims that no article supports, so it was not sent.",
}

// Limits of a summary, in characters.
const (
	maxQuoted = 600
	maxFirst  = 300
)

// summary describes the conversation to whoever takes over. It needs no model.
func (w *work) summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Handed over by the automated agent: %s\n", whys[w.out.Reason])
	first, _ := burst(w.q.Turns, w.firstBurst())
	if question := quoted(queryOf(first), maxFirst); question != "" && len(w.talk.earlier) > 0 {
		fmt.Fprintf(&b, "First question: %s\n", question)
	}
	fmt.Fprintf(&b, "Last message: %s\n", quoted(w.talk.text(), maxQuoted))
	if w.q.Answers > 0 {
		fmt.Fprintf(&b, "Messages of the agent: %d, of which %d did not help.\n", w.q.Answers, w.q.Failures+number(w.out.Failed))
	}
	if len(w.out.Sources) > 0 {
		titles := make([]string, len(w.out.Sources))
		for i, source := range w.out.Sources {
			titles[i] = source.Title
		}
		fmt.Fprintf(&b, "Articles: %s\n", strings.Join(titles, "; "))
	}
	if w.out.Draft != "" {
		claimed := make([]string, len(w.out.Unchecked))
		for i, claim := range w.out.Unchecked {
			claimed[i] = claim.Text
		}
		fmt.Fprintf(&b, "Suggested answer, not sent: %s\n", w.out.Draft)
		if len(claimed) > 0 {
			fmt.Fprintf(&b, "Check: %s\n", strings.Join(claimed, "; "))
		}
	}
	return strings.TrimSpace(b.String())
}

// firstBurst returns where the customer's first burst ends.
func (w *work) firstBurst() int {
	start := slices.IndexFunc(w.q.Turns, func(t Turn) bool { return t.From == Customer })
	end := start
	for end < len(w.q.Turns) && w.q.Turns[end].From == Customer {
		end++
	}
	return end
}

func quoted(text string, most int) string {
	return characters(strings.Join(strings.Fields(text), " "), most)
}

func number(is bool) int {
	if is {
		return 1
	}
	return 0
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
