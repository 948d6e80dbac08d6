// Package reranking puts articles that are likely to answer a question in
// order: by their words, as package ranking found them, and by what they mean, as
// embeddings of the question and of their passages say.
//
// It returns an order of what it was given and nothing else, so it can neither add
// an article nor drop one. If anything about the embeddings fails, the order of
// words stands, and the answer goes on: a call has two seconds, and a server that
// failed is left alone for a while. Tokens are taken from the product's budget
// before a call. Vectors of passages stay in the memory of this node; nothing is
// stored.
//
// It may import the vocabulary, providers and the client of models.
package reranking

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"parley"
	"parley/internal/model"
	"parley/internal/providers"
)

const (
	// MaxPassages is how many passages of an article count. With those of the most
	// articles that a search finds, and the question, they fit into one request.
	MaxPassages = 3
	// maxWait is the longest that an answer waits for vectors.
	maxWait = 2 * time.Second
	// minPause and maxPause are how long a server is left alone after a failure:
	// twice as long after each further one.
	minPause, maxPause = time.Minute, time.Hour
	// maxFailing is how many servers that fail are remembered.
	maxFailing = 1000
)

// Options are what a Reranker uses.
type Options struct {
	Providers *providers.Service
	Clock     parley.Clock
	Log       *slog.Logger
}

// A Reranker orders articles. Its methods may be called by many goroutines.
type Reranker struct {
	o     Options
	wait  time.Duration // maxWait
	cache *cache

	mu      sync.Mutex
	failing map[server]failure
}

// A server is an embeddings model of a provider, as it was tested. After another
// test its vectors may be others.
type server struct {
	workspace parley.WorkspaceID
	provider  parley.ID
	model     string
	tested    int64 // Unix milliseconds
}

// A failure is that of a server.
type failure struct {
	count int
	until time.Time // when the server is asked again
}

// New returns a Reranker.
func New(o Options) *Reranker {
	return &Reranker{o: o, wait: maxWait, cache: newCache(maxBytes), failing: map[server]failure{}}
}

// Able reports whether a provider has a model for embeddings that worked when it
// was tested.
func Able(p *parley.ModelProvider) bool {
	return p.EmbeddingModel != "" && p.Capabilities.Dimension > 0
}

// A Question asks for an order of articles.
type Question struct {
	Workspace parley.WorkspaceID
	Chosen    providers.Chosen // the product's
	Text      string
	// Articles are those that are likely to answer, each by its passages, in the
	// order of their words. Of an article, MaxPassages count, and of a passage or
	// the question, its beginning.
	Articles  [][]string
	MaxTokens int // that the call may use, by estimate; 0: what the budget has left
}

// Order returns the positions of the articles, the best first, and what the call
// used. An article's place is that of reciprocal rank fusion: the sum of 1/(60 +
// place) of its places by words and by meaning. Of equal sums, the one nearer by
// meaning comes first.
//
// Without vectors, it is the order of words: if the server is not [Able], fails
// or is slow, if it failed a moment ago, and if the budget is used up.
func (r *Reranker) Order(ctx context.Context, q Question) ([]int, model.Usage) {
	order := make([]int, len(q.Articles))
	for i := range order {
		order[i] = i
	}
	p := &q.Chosen.Provider
	s := server{q.Workspace, p.ID, p.EmbeddingModel, p.TestedAt.UnixMilli()}
	if len(order) < 2 || !Able(p) || r.paused(s) {
		return order, model.Usage{}
	}
	near, used, err := r.nearness(ctx, s, &q)
	switch {
	case err == nil:
		r.works(s)
		return fuse(near), used
	case ctx.Err() != nil, errors.Is(err, errNotAsked):
		return order, used // the caller left, or the server was not asked
	}
	r.failed(s, err)
	return order, used
}

// nearness returns how near each article is to the question, by its best passage.
func (r *Reranker) nearness(ctx context.Context, s server, q *Question) ([]int, model.Usage, error) {
	texts := []string{beginning(q.Text)}
	missing := []key{{}}
	known := map[key]vector{}
	articles := make([][]key, len(q.Articles))
	for i, passages := range q.Articles {
		for _, passage := range passages[:min(len(passages), MaxPassages)] {
			passage = beginning(passage)
			k := keyOf(s, passage)
			articles[i] = append(articles[i], k)
			if _, met := known[k]; met {
				continue
			}
			known[k] = r.cache.get(k)
			if known[k] == nil {
				texts, missing = append(texts, passage), append(missing, k)
			}
		}
	}
	vectors, used, err := r.embed(ctx, q, texts)
	if err != nil {
		return nil, used, err
	}
	for i, k := range missing[1:] {
		known[k] = vectors[i+1]
		r.cache.put(k, vectors[i+1])
	}
	near := make([]int, len(articles))
	for i, keys := range articles {
		near[i] = -unit
		for _, k := range keys {
			near[i] = max(near[i], similarity(vectors[0], known[k]))
		}
	}
	return near, used, nil
}

// errNotAsked is the error of a call that was not made: it would use more than a
// question may, the budget is used up, or nothing could be reserved.
var errNotAsked = errors.New("reranking: not asked")

// embed returns the vectors of texts, all of the dimension that the server had
// when it was tested. Tokens are reserved before.
func (r *Reranker) embed(ctx context.Context, q *Question, texts []string) ([]vector, model.Usage, error) {
	estimate := model.EstimateTexts(texts)
	if q.MaxTokens > 0 && estimate.In > q.MaxTokens {
		return nil, model.Usage{}, errNotAsked
	}
	reserved, err := r.o.Providers.Reserve(ctx, q.Workspace, q.Chosen, estimate)
	if err != nil {
		return nil, model.Usage{}, errors.Join(errNotAsked, err)
	}
	limited, end := context.WithTimeout(ctx, r.wait)
	found, used, err := q.Chosen.Client.Embed(limited, texts)
	end()
	if err := r.o.Providers.Settle(ctx, reserved, used); err != nil {
		r.o.Log.Error("agent: usage not stored", "workspace", q.Workspace, "error", err)
	}
	if err != nil {
		return nil, used, err
	}
	vectors := make([]vector, len(found))
	for i, numbers := range found {
		if len(numbers) != q.Chosen.Provider.Capabilities.Dimension {
			return nil, used, fmt.Errorf("a vector has %d numbers, and had %d in the test", len(numbers), q.Chosen.Provider.Capabilities.Dimension)
		}
		if vectors[i] = direction(numbers); vectors[i] == nil {
			return nil, used, errors.New("a vector has no direction")
		}
	}
	return vectors, used, nil
}

// paused reports whether a server failed a moment ago.
func (r *Reranker) paused(s server) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.o.Clock.Now().Before(r.failing[s].until)
}

// failed remembers a failure. Only the first one in a row is logged.
func (r *Reranker) failed(s server, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f := r.failing[s]
	if f.count == 0 {
		if len(r.failing) >= maxFailing {
			clear(r.failing)
		}
		r.o.Log.Warn("agent: embeddings failed, articles stay in the order of their words", "workspace", s.workspace, "provider", s.provider, "error", err)
	}
	f.until = r.o.Clock.Now().Add(min(minPause<<min(f.count, 10), maxPause))
	f.count++
	r.failing[s] = f
}

// works forgets the failures of a server.
func (r *Reranker) works(s server) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if f, failed := r.failing[s]; failed {
		delete(r.failing, s)
		r.o.Log.Info("agent: embeddings work again", "workspace", s.workspace, "provider", s.provider, "failures", f.count)
	}
}
