package erasure

import (
	"context"
	"strings"

	"parley/internal/desk"
	"parley/internal/store"
)

// answersBatch is how many stored answers one read returns.
const answersBatch = 200

// readAnswers deletes the stored answers that name erased records or phones of the
// persons. A repeated request then counts as a new one.
func (p *pass) readAnswers(ctx context.Context) error {
	erased := map[string]bool{}
	for id := range p.records {
		erased[id.String()] = true
	}
	var phones []string
	for i := range p.of {
		w := &p.of[i].working
		for _, id := range w.Files {
			erased[id.String()] = true
		}
		phones = append(phones, w.Phones...)
	}
	for at := (keptAnswer{}); ; {
		answers, err := desk.View(p.desk, func(v *store.View) ([]keptAnswer, error) {
			return selectAnswers(v, p.ws, at, min(answersBatch, p.batch))
		}).Now(ctx)
		if err != nil || len(answers) == 0 {
			return err
		}
		at = answers[len(answers)-1]
		var hits []keptAnswer
		for _, a := range answers {
			if mentions(a.route, erased) || mentions(a.body, erased) || mentionsPhone(a.body, phones) {
				hits = append(hits, a)
			}
		}
		if err := p.deleteAnswers(ctx, hits); err != nil {
			return err
		}
	}
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
