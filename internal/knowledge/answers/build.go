package answers

import (
	"context"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/knowledge/markdown"
	"parley/internal/knowledge/ranking"
)

const (
	// patience is for how many times the time that it took to build an index
	// the index stays in use although articles have changed.
	patience = 10
	// buildTimeout is the longest that an index may take.
	buildTimeout = time.Minute
	page         = 100
)

// changes are the events after which an index may have other texts, or another
// default language.
var changes = []parley.EventType{
	parley.ArticleCreated, parley.ArticleUpdated, parley.ArticleDeleted,
	parley.HelpCenterCreated, parley.HelpCenterUpdated, parley.HelpCenterDeleted,
}

// current returns the index as of a position of the log, or later.
func (svc *Service) current(ctx context.Context, k key, head parley.LogPosition) (*state, error) {
	e := svc.indexes.entry(k, svc.clock)
	if s := e.state.Load(); s != nil && s.has(head) {
		return s, nil
	}
	select {
	case e.building <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-e.building }()
	// A page that asks while somebody types gives up often, and the work of each
	// question would be lost.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), buildTimeout)
	defer cancel()
	s := e.state.Load()
	if s != nil && s.has(head) { // another question has followed the log
		return s, nil
	}
	next, err := svc.follow(ctx, k, s, head)
	if err != nil {
		return nil, err
	}
	e.state.Store(next)
	return next, nil
}

// has reports whether the index is as of a position or a later one.
func (s *state) has(head parley.LogPosition) bool {
	return s.at == head || s.at.Epoch == head.Epoch && s.at.Seq > head.Seq
}

// follow returns the index of k as of a position; s is the one before, nil for
// none.
func (svc *Service) follow(ctx context.Context, k key, s *state, head parley.LogPosition) (*state, error) {
	if s == nil {
		return svc.build(ctx, k, head)
	}
	at, changed := s.at, false
	for {
		events, err := svc.desk.EventsOfTypes(k.ws, desk.EventQuery{After: parley.Some(at), Types: changes, Limit: page}).Now(ctx)
		if err != nil {
			return nil, err
		}
		if events.Reset {
			return svc.build(ctx, k, head)
		}
		at, changed = events.Next, changed || len(events.Events) > 0
		if !events.HasMore {
			break
		}
	}
	if changed {
		if svc.clock().Sub(s.built) < patience*s.took {
			return s, nil
		}
		texts, err := svc.versions(ctx, k)
		if err != nil {
			return nil, err
		}
		fallback, err := svc.fallback(ctx, k, texts)
		if err != nil {
			return nil, err
		}
		if fallback != s.fallback || !slices.Equal(texts, s.texts) {
			return svc.build(ctx, k, at)
		}
	}
	moved := *s
	moved.at = at
	return &moved, nil
}

// build builds the index from what is published now, which is at least what was
// published at the position.
func (svc *Service) build(ctx context.Context, k key, at parley.LogPosition) (*state, error) {
	begun := svc.clock()
	var documents []ranking.Document
	var texts []version
	err := svc.published(ctx, k, true, func(p *parley.PublishedText) {
		documents = append(documents, document(p))
		texts = append(texts, versionOf(p))
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(texts, compareVersions)
	s := &state{texts: texts, at: at}
	if s.fallback, err = svc.fallback(ctx, k, texts); err != nil {
		return nil, err
	}
	s.index = ranking.New(documents, string(s.fallback))
	s.built = svc.clock()
	s.took = s.built.Sub(begun)
	return s, nil
}

// versions returns what is published now.
func (svc *Service) versions(ctx context.Context, k key) ([]version, error) {
	var texts []version
	err := svc.published(ctx, k, false, func(p *parley.PublishedText) { texts = append(texts, versionOf(p)) })
	slices.SortFunc(texts, compareVersions)
	return texts, err
}

func versionOf(p *parley.PublishedText) version { return version{p.ArticleID, p.Language, p.Version} }

// published calls each with the published texts of all languages, with or without
// bodies.
func (svc *Service) published(ctx context.Context, k key, bodies bool, each func(*parley.PublishedText)) error {
	languages, err := svc.knowledge.PublishedLanguages(k.ws, k.product).Now(ctx)
	if err != nil {
		return err
	}
	list := svc.knowledge.PublishedHeads
	if bodies {
		list = svc.knowledge.Published
	}
	for _, language := range languages {
		for after := (parley.Position{}); ; {
			texts, err := list(k.ws, k.filter(language), after, page).Now(ctx)
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

// fallback returns the default language; of languages with equally many texts,
// the first by name.
func (svc *Service) fallback(ctx context.Context, k key, texts []version) (parley.Language, error) {
	if !k.product.IsZero() {
		center, err := svc.knowledge.HelpCenter(k.ws, k.product).Now(ctx)
		if err == nil && len(center.Languages) > 0 {
			return center.Languages[0], nil
		}
		if err != nil && parley.KindOf(err) != parley.NotFound {
			return "", err
		}
	}
	best, most := parley.Language(""), 0
	for start := 0; start < len(texts); {
		end := start
		for end < len(texts) && texts[end].language == texts[start].language {
			end++
		}
		if end-start > most {
			best, most = texts[start].language, end-start
		}
		start = end
	}
	return best, nil
}

// document returns a text as the ranking reads it.
func document(p *parley.PublishedText) ranking.Document {
	d := ranking.Document{
		ID: p.ArticleID.String(), Language: string(p.Language), Title: p.Title, Description: p.Description, Keywords: p.Keywords,
	}
	var body strings.Builder
	for _, section := range markdown.Sections(p.Body) {
		if len(section.Path) > 0 {
			d.Headings = append(d.Headings, section.Path[len(section.Path)-1])
		}
		body.WriteString(section.Text)
		body.WriteByte('\n')
	}
	d.Body = body.String()
	return d
}
