package erasure

import (
	"context"
	"slices"
	"strings"

	"parley/internal/desk"
	"parley/internal/store"
)

// answersBatch is how many stored answers one read returns.
const answersBatch = 200

// readAnswers deletes the stored answers after one of them that name erased records or
// phones of the persons. A repeated request then counts as a new one. It returns up to
// which one it came, and whether there are no more.
func (p *pass) readAnswers(ctx context.Context, at keptAnswer) (to keptAnswer, all bool, err error) {
	erased, phones := p.named()
	for ; p.left > 0; p.left-- {
		answers, err := desk.View(p.desk, func(v *store.View) ([]keptAnswer, error) {
			return selectAnswers(v, p.ws, at, min(answersBatch, p.batch))
		}).Now(ctx)
		if err != nil || len(answers) == 0 {
			return at, err == nil, err
		}
		at = answers[len(answers)-1]
		var hits []keptAnswer
		for _, a := range answers {
			if mentions(a.route, erased) || mentions(a.body, erased) || mentionsPhone(a.body, phones) {
				hits = append(hits, a)
			}
		}
		if err := p.deleteAnswers(ctx, hits); err != nil {
			return at, false, err
		}
	}
	return at, false, nil
}

// named returns the ids and the phones that no stored answer may name. A conversation
// that a rule deleted in part stays, and so do the answers about it: those about its
// deleted messages expired before the rule applied.
func (p *pass) named() (ids map[string]bool, phones []string) {
	ids = map[string]bool{}
	for i := range p.of {
		e := &p.of[i]
		for _, id := range slices.Concat(e.Subjects.Contacts, e.Subjects.Conversations, e.working.Files, e.working.Origins) {
			ids[id.String()] = true
		}
		phones = append(phones, e.working.Phones...)
	}
	return ids, phones
}

func (p *pass) deleteAnswers(ctx context.Context, answers []keptAnswer) error {
	if len(answers) == 0 {
		return nil
	}
	_, err := desk.Write(ctx, p.desk, desk.Caller{Workspace: p.ws}, func(t *desk.Tx) (struct{}, error) {
		for _, a := range answers {
			if err := deleteAnswer(t, t.WS, a); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, nil
	})
	return err
}

// idLength is the length of an id as text; the other is the index of its first dash.
const idLength, idDash = 36, 8

// mentions reports whether a text contains one of the ids as text.
func mentions(text string, ids map[string]bool) bool {
	for at := 0; ; at++ {
		dash := strings.IndexByte(text[at:], '-')
		if dash < 0 {
			return false
		}
		at += dash
		if from := at - idDash; from >= 0 && from+idLength <= len(text) && ids[text[from:from+idLength]] {
			return true
		}
	}
}
