package answers

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/knowledge"
	"parley/internal/knowledge/markdown"
	"parley/internal/knowledge/ranking"
)

const (
	// patience is for how many times the time that it took to build an index
	// the index stays in use although articles have changed.
	patience = 10
	// buildTimeout is the longest that an index may take.
	buildTimeout = 10 * time.Minute
	// page is how many texts one read returns, each with up to
	// [parley.MaxArticleBody].
	page = 25
	// maxBody is how many bytes of a body are searched: about 10,000 words.
	maxBody = 64 << 10
	// eventPage is how many events one read of the log returns, and maxEventPages
	// how many reads a question takes at most. Beyond that, the index is built anew.
	eventPage     = 100
	maxEventPages = 10
)

// changes are the events after which an index may need other texts, or another
// default language.
var changes = []parley.EventType{
	parley.ArticleUpdated, parley.ArticleDeleted, parley.HelpCenterCreated, parley.HelpCenterUpdated, parley.HelpCenterDeleted,
}

// current returns the index as of a position of the log, or a later one; an older
// one while a large index is built anew.
func (svc *Service) current(ctx context.Context, k key, head parley.LogPosition) (*state, error) {
	e := svc.indexes.entry(k, svc.clock)
	s := e.state.Load()
	if s == nil {
		var err error
		if s, err = svc.start(e).wait(ctx, svc.wait); err != nil {
			return nil, err
		}
	}
	for range 3 { // what others began to build may be from before the position
		if !s.stale && !s.has(head) {
			var err error
			if s, err = svc.follow(ctx, e, s, head); err != nil {
				return nil, err
			}
		}
		if !s.stale || svc.clock().Sub(s.built) < patience*s.took {
			return s, nil
		}
		b := svc.start(e)
		if s.took > quick {
			return s, nil
		}
		next, err := b.wait(ctx, svc.wait)
		if err != nil {
			return s, ctx.Err() // the old index stands
		}
		s = next
	}
	return s, nil
}

// start builds an index unless somebody does.
func (svc *Service) start(e *entry) *building {
	b, first := svc.indexes.begin(e, svc.clock())
	if first {
		// Whoever asks while somebody types gives up often, and the work of each question
		// would be lost if it were done for that question alone.
		go svc.run(e, b)
	}
	return b
}

func (svc *Service) run(e *entry, b *building) {
	svc.slots <- struct{}{}
	defer func() { <-svc.slots }()
	ctx, cancel := context.WithTimeout(context.Background(), buildTimeout)
	defer cancel()
	defer func() {
		if cause := recover(); cause != nil {
			b.err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
		}
		if b.err != nil && parley.KindOf(b.err) != parley.NotFound {
			svc.log.Warn("answers: index not built", "workspace", e.key.ws, "product", e.key.product, "error", b.err)
		}
		svc.indexes.end(e, b, svc.clock())
	}()
	b.state, b.err = svc.build(ctx, e.key)
}

// build builds the index from what is published now.
func (svc *Service) build(ctx context.Context, k key) (*state, error) {
	begun := svc.clock()
	at, err := svc.head(k).Now(ctx)
	if err != nil {
		return nil, err
	}
	w, left := ranking.NewBuilder(), 0
	err = svc.published(ctx, k, func(p *parley.PublishedText) {
		size := w.Size()
		if size >= svc.largest {
			left++
			return
		}
		d := document(p, size < svc.largest/2)
		w.Add(&d)
	})
	if err != nil {
		return nil, err
	}
	if w.Size() >= svc.largest/2 {
		svc.log.Warn("answers: too many articles to index them in full", "workspace", k.ws, "product", k.product, "bytes", w.Size(), "left_out", left)
	}
	s := &state{index: w.Index(""), at: at}
	if s.index, err = svc.withFallback(ctx, k, s.index); err != nil {
		return nil, err
	}
	s.built = svc.clock()
	s.took = s.built.Sub(begun)
	return s, nil
}

// published calls each with the published texts, by language and article.
func (svc *Service) published(ctx context.Context, k key, each func(*parley.PublishedText)) error {
	languages, err := svc.knowledge.PublishedLanguages(k.ws, k.product).Now(ctx)
	if err != nil {
		return err
	}
	for _, language := range languages {
		for after := (parley.Position{}); ; {
			texts, err := svc.knowledge.Published(k.ws, k.filter(language), after, page).Now(ctx)
			if err != nil {
				return err
			}
			for i := range texts.Items {
				each(&texts.Items[i])
			}
			if !texts.HasMore {
				break
			}
			after = texts.Next
		}
	}
	return nil
}

// document returns a text as the ranking reads it.
func document(p *parley.PublishedText, whole bool) ranking.Document {
	d := ranking.Document{
		ID: p.ArticleID.String(), Language: string(p.Language), Title: p.Title, Description: p.Description, Keywords: p.Keywords,
	}
	if !whole {
		return d
	}
	var body strings.Builder
	for _, section := range markdown.Sections(p.Body[:min(len(p.Body), maxBody)]) {
		if len(section.Path) > 0 {
			d.Headings = append(d.Headings, section.Path[len(section.Path)-1])
		}
		body.WriteString(section.Text)
		body.WriteByte('\n')
	}
	d.Body = body.String()
	return d
}

// withFallback returns an index with its default language: the help center's, or
// the one with the most texts.
func (svc *Service) withFallback(ctx context.Context, k key, index *ranking.Index) (*ranking.Index, error) {
	if !k.product.IsZero() {
		center, err := svc.knowledge.HelpCenter(k.ws, k.product).Now(ctx)
		if err == nil && len(center.Languages) > 0 {
			return index.WithFallback(string(center.Languages[0])), nil
		}
		if err != nil && parley.KindOf(err) != parley.NotFound {
			return nil, err
		}
	}
	return index.WithFallback(index.Largest()), nil
}

// follow moves an index along the log, which may make it stale. One question
// reads the log for all.
func (svc *Service) follow(ctx context.Context, e *entry, s *state, head parley.LogPosition) (*state, error) {
	select {
	case e.following <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-e.following }()
	if now := e.state.Load(); now != nil && (now.stale || now.has(head)) {
		return now, nil
	}
	moved, err := svc.moved(ctx, e.key, s, head)
	if err == nil && !e.state.CompareAndSwap(s, moved) {
		if now := e.state.Load(); now != nil { // it was built anew
			return now, nil
		}
	}
	return moved, err
}

// moved reads the log from the position of a state up to another, or further.
func (svc *Service) moved(ctx context.Context, k key, s *state, head parley.LogPosition) (*state, error) {
	next, center := *s, false
	for pages := 0; ; pages++ {
		read, err := svc.desk.EventsOfTypes(k.ws, desk.EventQuery{After: parley.Some(next.at), Types: changes, Limit: eventPage}).Now(ctx)
		if err != nil {
			return nil, err
		}
		if read.Reset || pages == maxEventPages {
			next.at, next.stale = head, true
			return &next, nil
		}
		for i := range read.Events {
			e := &read.Events[i]
			if e.Type == parley.ArticleUpdated || e.Type == parley.ArticleDeleted {
				next.stale = next.stale || concerns(e, k, s.index)
			} else {
				center = true
			}
		}
		next.at = read.Next
		if !read.HasMore {
			break
		}
	}
	if center {
		index, err := svc.withFallback(ctx, k, s.index)
		if err != nil {
			return nil, err
		}
		next.index = index
	}
	return &next, nil
}

// concerns reports whether an index has other texts after an event of an article,
// or may have.
func concerns(e *parley.Event, k key, index *ranking.Index) bool {
	if !knowledge.ChangesPublic(e) {
		return false
	}
	var a struct {
		ID        string
		ProductID string
		State     parley.ArticleState
	}
	if err := json.Unmarshal(e.Data, &a); err != nil {
		return true
	}
	known := index.Has(a.ID)
	wanted := a.State == parley.ArticlePublished && (a.ProductID == "" || a.ProductID == k.product.String())
	return known != wanted || known && slices.Contains(e.Changed, "publishedAt")
}
