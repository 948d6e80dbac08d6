package knowledge

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// A Miss is a question that no article answered.
type Miss struct {
	ProductID parley.ID // zero: none
	Language  parley.Language
	// Words are the stems of the question's words, sorted, by which equal questions
	// are found; at most maxGapWords bytes count.
	Words    string
	Question string
	Source   parley.GapSource
	Count    int64 // how often it was asked; 0 counts as 1
}

const (
	// maxGapWords is the most bytes of a gap's words.
	maxGapWords = 200
	// maxScanned is the most bytes of a question that are read for the sample.
	maxScanned = 8 * parley.MaxGapSample
)

// AddMisses counts questions that no article answered. Their words are kept
// without what could identify a person. In a week with parley.MaxGaps gaps, a
// question that is none of them is not counted. It has no event. Callers that
// serve readers collect misses in a [Recorder].
func (svc *Service) AddMisses(ctx context.Context, ws parley.WorkspaceID, misses []Miss) error {
	_, err := desk.Write(ctx, svc.desk, desk.Caller{Workspace: ws}, func(t *desk.Tx) (struct{}, error) {
		for i := range misses {
			if err := CountMiss(t, &misses[i]); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, nil
	})
	return err
}

// CountMiss is [Service.AddMisses] for one question, in a transaction.
func CountMiss(t *desk.Tx, in *Miss) error {
	words := Strike(cut(in.Words, maxGapWords))
	if words == "" {
		return nil
	}
	g := parley.KnowledgeGap{
		ProductID: in.ProductID, Week: weekOf(t.Now), Language: in.Language, Words: words, Source: in.Source,
		Sample: sampleOf(in.Question), Count: max(1, in.Count), LastAt: t.Now,
	}
	known, err := UpdateKnowledgeGap(t, t.WS, &g)
	if err != nil || known {
		return err
	}
	count, err := CountKnowledgeGaps(t, t.WS, g.Week)
	if err != nil || count >= parley.MaxGaps {
		return err
	}
	return InsertKnowledgeGap(t, t.WS, &g)
}

// sampleOf returns the beginning of a question, on one line and without personal
// data.
func sampleOf(question string) string {
	text := parley.OneLine(Strike(cut(question, maxScanned)))
	n := 0
	for i := range text {
		if n == parley.MaxGapSample {
			return text[:i]
		}
		n++
	}
	return text
}

// cut returns the first bytes of a text without half a character.
func cut(text string, most int) string {
	text = text[:min(len(text), most)]
	for len(text) > 0 {
		if r, size := utf8.DecodeLastRuneInString(text); r != utf8.RuneError || size != 1 {
			break
		}
		text = text[:len(text)-1]
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// weekOf returns the start of the Monday of a time's week, in UTC (ISO 8601).
func weekOf(at time.Time) time.Time {
	day := dayOf(at)
	return dayStart(day - (day+3)%7) // 1 January 1970 was a Thursday
}

// A GapFilter narrows a list of gaps.
type GapFilter struct {
	Since     time.Time                  // those of the weeks that began then or later
	Until     time.Time                  // those of the weeks that began then or earlier; zero: all
	ProductID parley.Optional[parley.ID] // null: those without product
}

// Gaps returns at most limit gaps, those with the most questions first. They are words
// of customers from all conversations, so a reader who does not see all is Forbidden.
func (svc *Service) Gaps(vis parley.Visibility, f GapFilter, limit int) desk.Read[[]parley.KnowledgeGap] {
	if err := vis.NeedsAll(); err != nil {
		return desk.Refused[[]parley.KnowledgeGap](err)
	}
	return desk.View(svc.desk, func(v *store.View) ([]parley.KnowledgeGap, error) {
		return SelectKnowledgeGaps(v, vis.Workspace(), f, limit)
	})
}

// A Question identifies what was asked, in all weeks and wherever it was asked.
type Question struct {
	ProductID parley.ID // zero: none
	Language  parley.Language
	Words     string
}

// DismissGaps deletes the gaps of a question. They return if somebody asks again.
// It has no event. It returns how many gaps there were.
func (svc *Service) DismissGaps(ctx context.Context, by desk.Caller, q Question) (int, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (int, error) {
		if err := t.Visibility.NeedsAll(); err != nil {
			return 0, err
		}
		return DeleteKnowledgeGaps(t, t.WS, q)
	})
}

// Expire deletes the gaps and counts of the transaction's workspace that are past
// their retention.
func Expire(t *desk.Tx) error {
	if err := DeleteKnowledgeGapsBefore(t, t.WS, t.Now.Add(-parley.GapRetention)); err != nil {
		return err
	}
	return DeleteFeedbackBefore(t, t.WS, t.Now.Add(-parley.FeedbackRetention))
}
