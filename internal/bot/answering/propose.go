package answering

import (
	"context"

	"parley"
)

// Propose drafts an answer to a question for a member, who reads it before a
// customer does. It is [Answerer.Answer] without the limits that protect
// customers from the agent: those of turns, languages and failures, and the wish
// for a person. An outcome that is no Answer and has no Draft has a Reason. A
// question whose product has no model is NotFound.
func (a *Answerer) Propose(ctx context.Context, q Question, emit func(Sentence) error) (Outcome, error) {
	t, err := readTalk(q)
	if err != nil {
		return Outcome{}, err
	}
	w := a.begin(q, t, emit)
	w.feature = parley.FeatureDraft
	w.out.Language = t.language
	if _, err := w.choose(ctx); err != nil {
		return Outcome{}, err
	}
	hits, err := w.retrieve(ctx)
	if err != nil {
		return Outcome{}, err
	}
	if len(hits) == 0 {
		return w.handOver(NoArticle, nil), nil
	}
	sources, err := w.sources(ctx, hits)
	if err != nil {
		return Outcome{}, err
	}
	return w.ask(ctx, hits, sources)
}

// Why returns a reason in words for members, "" for those that are none to tell.
func Why(r Reason) string { return whys[r] }
