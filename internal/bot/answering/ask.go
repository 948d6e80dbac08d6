package answering

import (
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"unicode"

	"parley"
	"parley/internal/bot/prompt"
	"parley/internal/bot/reply"
	"parley/internal/model"
	"parley/internal/providers"
	"parley/internal/words"
)

const (
	// maxTokens limits what a model writes. Some think aloud before they answer.
	maxTokens = 1500
	// maxReply is the most bytes of it, and maxAnswer the most characters that a
	// customer gets.
	maxReply  = 32 << 10
	maxAnswer = 2000
	// maxQuestion is the most characters of a question to the customer.
	maxQuestion = 400
	// attempts is how often a model is asked that answers nothing.
	attempts = 2
)

// errTooLong ends an answer that does not end by itself.
var errTooLong = errors.New("answering: the model's answer is too long")

// errNoTokens says that a question may use fewer tokens than a model could need.
var errNoTokens = errors.New("answering: too few tokens")

// ask lets the product's model answer from the hits.
func (w *work) ask(ctx context.Context, hits []parley.ArticleHit, sources []Source) (Outcome, error) {
	if w.q.NoModel || w.q.Product.IsZero() {
		return w.cards(ModelOff, sources), nil
	}
	chosen, err := w.choose(ctx)
	if parley.KindOf(err) == parley.NotFound {
		return w.cards(NoProvider, sources), nil
	}
	if err != nil {
		return Outcome{}, err
	}
	texts, err := w.read(ctx, hits, sources)
	if err != nil {
		return Outcome{}, err
	}
	if len(texts) == 0 { // unpublished meanwhile
		return w.handOver(NoArticle, nil), nil
	}
	product, err := w.o.Desk.Product(w.q.Workspace, w.q.Product).Now(ctx)
	if err != nil {
		return Outcome{}, err
	}
	p, err := prompt.Build(prompt.Question{
		Product: product.Name, Instructions: chosen.Agent.Instructions, Tone: chosen.Agent.Tone, Language: string(w.talk.language),
		Sources: texts, Turns: w.talk.turns(), Text: w.talk.text(),
	}, rand.Reader)
	if err != nil {
		return Outcome{}, err
	}
	w.out.Model = chosen.Provider.Model
	s := &stream{work: w, prompt: p, hosts: chosen.Agent.Hosts, all: sources}
	return w.settle(ctx, s, chosen)
}

// choose returns the product's provider, as it was when the question first needed
// it. It is NotFound if there is none.
func (w *work) choose(ctx context.Context) (providers.Chosen, error) {
	if w.chosen == nil {
		chosen, err := w.o.Providers.Choose(ctx, w.q.Workspace, w.q.Product)
		if err != nil {
			return chosen, err
		}
		chosen.Feature = w.feature
		w.chosen = &chosen
	}
	return *w.chosen, nil
}

// settle asks the model, and makes an outcome of what it said.
func (w *work) settle(ctx context.Context, s *stream, chosen providers.Chosen) (Outcome, error) {
	err := w.call(ctx, s, chosen)
	var failed *model.Error
	switch {
	case ctx.Err() != nil:
		return Outcome{}, ctx.Err()
	case errors.Is(err, errNoTokens), parley.KindOf(err) == parley.Limited && !errors.As(err, &failed):
		return w.handOver(Budget, s.all), nil
	case s.refused != nil:
		return Outcome{}, s.refused
	case errors.As(err, &failed), errors.Is(err, errTooLong):
		w.o.Log.Warn("agent: model failed", "workspace", w.q.Workspace, "product", w.q.Product, "error", err)
		return w.handOver(ModelDown, s.all), nil
	case err != nil:
		return Outcome{}, err
	}
	return w.judge(s)
}

// call asks the model, again if it answered nothing. Tokens are reserved before.
func (w *work) call(ctx context.Context, s *stream, chosen providers.Chosen) error {
	request := model.Request{Messages: s.prompt.Messages, MaxTokens: maxTokens, Schema: prompt.Schema()}
	for attempt := 1; ; attempt++ {
		used := w.out.Usage.Add(request.Estimate())
		if w.q.MaxTokens > 0 && used.In+used.Out > w.q.MaxTokens {
			return errNoTokens
		}
		reserved, err := w.o.Providers.Reserve(ctx, w.q.Workspace, chosen, request.Estimate())
		if err != nil {
			return err
		}
		answer, failed := chosen.Client.Stream(ctx, request, s.take)
		w.out.Usage = w.out.Usage.Add(answer.Usage)
		if err := w.o.Providers.Settle(ctx, reserved, answer.Usage); err != nil {
			w.o.Log.Error("agent: usage not stored", "workspace", w.q.Workspace, "error", err)
		}
		if failed == nil || attempt == attempts || s.text.Len() > 0 || !again(failed) {
			return failed
		}
	}
}

// again reports whether the same request may succeed at once.
func again(err error) bool {
	var failed *model.Error
	if !errors.As(err, &failed) || failed.RetryAfter > 0 {
		return false
	}
	return slices.Contains([]model.Fault{model.Failed, model.Cut, model.Broken, model.Empty, model.UnknownTool}, failed.Fault)
}

// judge decides what a whole reply is good for.
func (w *work) judge(s *stream) (Outcome, error) {
	r, ok := reply.Parse(s.text.String())
	switch {
	case !ok:
		return w.handOver(ModelDown, s.all), nil
	case r.Action == reply.Handover:
		return w.handOver(Declined, nil), nil
	}
	text, unchecked := s.verify(r)
	if !strings.ContainsFunc(text, unicode.IsLetter) {
		return w.handOver(ModelDown, s.all), nil
	}
	if len(unchecked) > 0 {
		w.out.Draft, w.out.Unchecked = characters(text, 2*maxAnswer), unchecked
		return w.handOver(Unchecked, s.cited), nil
	}
	if r.Action == reply.Clarify {
		return w.say(Clarify, Unclear, func(words.Catalogue) string { return text }), nil
	}
	if err := s.rest(r); err != nil {
		return Outcome{}, err
	}
	w.out.Kind, w.out.Text, w.out.Sources = Answer, strings.TrimSpace(text), s.cited
	return w.out, nil
}
