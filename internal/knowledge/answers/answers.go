// Package answers finds the published articles of a product that answer a
// question. It holds an index of package ranking for each product that is asked
// about, in the memory of this node.
//
// The first question starts to build an index from the published texts, and those
// who ask meanwhile wait for the same one. Few are built at a time on a node,
// without a caller's turn to read, and no caller waits for long. An index follows
// the event log without writing: each question reads where the log ends, and if
// that moved, whether it tells of a change of what the public may read. Such a
// change builds the index anew, at once for a small base; a large one answers
// with the old index meanwhile and is not built again for a while, so that an
// import of thousands of articles does not build it for each. What a hit shows is
// read from the store with every question. So a draft, an archived article and
// one of another product are never found, however old the index is.
//
// It stands over the desk. It may import the vocabulary, the store for views, the
// desk, knowledge, its Markdown, and ranking. It has no statements.
package answers

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/knowledge"
	"parley/internal/knowledge/ranking"
	"parley/internal/store"
)

const (
	// maxWait is the longest that a question waits for the first index of a product.
	maxWait = 4 * time.Second
	// quick is the longest that an index may take to build if questions are to wait
	// for it although an older one stands.
	quick = 250 * time.Millisecond
	// slots is how many indexes are built at a time.
	slots = 2
)

// A Service searches. Its methods may be called by many goroutines.
type Service struct {
	desk      *desk.Desk
	knowledge *knowledge.Service
	clock     parley.Clock
	log       *slog.Logger
	wait      time.Duration // maxWait
	largest   int           // maxIndex
	slots     chan struct{} // has a token for each index that is built
	indexes   indexes
}

// New returns a Service over a desk and its articles.
func New(d *desk.Desk, k *knowledge.Service) *Service {
	base := d.Base()
	return &Service{
		desk: d, knowledge: k, clock: base.Clock, log: base.Log, wait: maxWait, largest: maxIndex, slots: make(chan struct{}, slots),
		indexes: indexes{most: maxBytes, all: map[key]*entry{}},
	}
}

// A Query asks for the articles that answer a question.
type Query struct {
	// ProductID selects its articles and those for all products; zero: only the
	// latter.
	ProductID parley.ID
	// Language is that of the question. A language without articles, or none,
	// searches those in the default language: the first of the product's help
	// center, or the one with the most articles.
	Language parley.Language
	Text     string
	Limit    int // at most [parley.MaxArticleHits]
	// TellStrange asks for [Result.Strange], which costs as much as the search.
	TellStrange bool
}

// A Result is the answer to a Query.
type Result struct {
	// Language is the one that was searched, "" if there are no articles.
	Language parley.Language
	Hits     []parley.ArticleHit // the best first, equal ones by id
	// Words are the stems of the question's words, by which equal questions are
	// found; see [ranking.Index.Words].
	Words string
	// Strange says that a word of the question stands in no article, if the query
	// asks for it; see [ranking.Index.Strange].
	Strange bool
}

// wholeCoverage is the coverage of a text that has every word of a question.
const wholeCoverage = 1000

// Answered reports whether the search probably was of use: an article is likely
// to answer the question, or has each of its words, which is all that a question
// of one or two words can show.
func (r Result) Answered() bool {
	return slices.ContainsFunc(r.Hits, func(h parley.ArticleHit) bool { return h.Likely || h.Coverage >= wholeCoverage })
}

// Ready waits until there is an index for a product (zero: the articles for all
// products). Who makes reads wait for their turn calls it first, so that nobody
// waits in a turn. A product that does not exist is NotFound. If it takes too
// long, or failed a moment ago, the error is Unavailable.
func (svc *Service) Ready(ctx context.Context, ws parley.WorkspaceID, product parley.ID) error {
	e := svc.indexes.entry(key{ws, product}, svc.clock)
	if e.state.Load() != nil {
		return nil
	}
	_, err := svc.start(e).wait(ctx, svc.wait)
	return err
}

// Search returns the published articles that fit a question best. It finds what
// was committed before, unless the index is large; see the package. A product that
// does not exist is NotFound. Without an index, it does as [Service.Ready].
func (svc *Service) Search(ws parley.WorkspaceID, q Query) desk.Read[Result] {
	k := key{ws, q.ProductID}
	return desk.Then(svc.head(k), func(ctx context.Context, at parley.LogPosition) (Result, error) {
		current, err := svc.current(ctx, k, at)
		if err != nil {
			return Result{}, err
		}
		found := current.index.Search(q.Text, string(q.Language), min(q.Limit, parley.MaxArticleHits))
		result := Result{Language: parley.Language(found.Language), Words: current.index.Words(q.Text, string(q.Language))}
		result.Strange = q.TellStrange && current.index.Strange(q.Text, string(q.Language))
		result.Hits, err = svc.load(ctx, k, result.Language, found.Hits)
		return result, err
	})
}

// head returns the end of the workspace's log, if the product exists.
func (svc *Service) head(k key) desk.Read[parley.LogPosition] {
	return desk.View(svc.desk, func(v *store.View) (parley.LogPosition, error) {
		if !k.product.IsZero() {
			if _, err := v.Product(k.ws, k.product); err != nil {
				return parley.LogPosition{}, desk.Reference("productId", err)
			}
		}
		w, err := v.Workspace(k.ws)
		return w.End(), err
	})
}

// load reads what hits show. An article that was changed since the index was
// built is shown as it is now, or left out.
func (svc *Service) load(ctx context.Context, k key, language parley.Language, found []ranking.Hit) ([]parley.ArticleHit, error) {
	if len(found) == 0 {
		return nil, nil
	}
	ids := make([]parley.ID, len(found))
	for i, hit := range found {
		ids[i], _ = parley.ParseID(hit.ID)
	}
	heads, err := svc.knowledge.PublishedByID(k.ws, k.filter(language), ids).Now(ctx)
	hits := make([]parley.ArticleHit, 0, len(found))
	for i, hit := range found {
		at := slices.IndexFunc(heads, func(p parley.PublishedText) bool { return p.ArticleID == ids[i] })
		if at >= 0 {
			hits = append(hits, parley.ArticleHit{PublishedText: heads[at], Score: hit.Score, Coverage: hit.Coverage, Likely: hit.Likely})
		}
	}
	return hits, err
}
