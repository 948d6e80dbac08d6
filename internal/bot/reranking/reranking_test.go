package reranking

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/desk/desktest"
	"parley/internal/model/modelsim"
	"parley/internal/model/modelsim/modelsimtest"
	"parley/internal/pgtest"
	"parley/internal/providers"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A world has a product with a provider whose embeddings were tested.
type world struct {
	*desktest.World

	models    *modelsimtest.World
	providers *providers.Service
	provider  parley.ModelProvider
	product   parley.ID
	log       bytes.Buffer
	reranker  *Reranker
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	desktest.Each(t, func(t *testing.T, d *desktest.World) {
		w := &world{World: d, models: modelsimtest.New(t, modelsim.Options{}, modelsimtest.Times())}
		w.providers = providers.New(d.Desk, w.models.Network)
		product, err := d.Desk.CreateProduct(t.Context(), d.By(), "Shop", "")
		d.Must(err)
		w.product = product.ID
		made, err := w.providers.CreateProvider(t.Context(), d.By(), providers.NewProvider{
			Name: "Sim", BaseURL: w.models.URL, Model: "quote", EmbeddingModel: "embed", InputPrice: 2_000_000,
		})
		d.Must(err)
		w.provider, err = w.providers.TestProvider(t.Context(), d.By(), made.ID)
		d.Must(err)
		w.reranker = New(Options{Providers: w.providers, Clock: w.Now, Log: slog.New(slog.NewTextHandler(&w.log, nil))})
		w.reranker.wait = 20 * time.Second // the machine may be busy
		test(t, w)
	})
}

// near is nearer to the question than far, which comes first by its words.
const (
	asked = "how long is my tent covered"
	far   = "Tent pegs\nA hammer for pegs costs little."
	near  = "Warranty\nHow long is my tent covered?"
)

// order asks for the order of far and near.
func (w *world) order(ctx context.Context, change func(*Question)) []int {
	w.T.Helper()
	chosen, err := w.providers.Choose(w.T.Context(), w.Home.Workspace.ID, w.product)
	w.Must(err)
	q := Question{Workspace: w.Home.Workspace.ID, Chosen: chosen, Text: asked, Articles: [][]string{{far}, {"Repairs\nSend it in.", near}}}
	if change != nil {
		change(&q)
	}
	order, _ := w.reranker.Order(ctx, q)
	return order
}

// inputs returns what was sent to be embedded, by request.
func (w *world) inputs() [][]string {
	w.T.Helper()
	var all [][]string
	for _, r := range w.models.Sim.Requests() {
		if r.Path == "embeddings" {
			var body struct{ Input []string }
			w.Must(json.Unmarshal([]byte(r.Body), &body))
			all = append(all, body.Input)
		}
	}
	return all[1:] // the first one was the provider's test
}

func (w *world) spend() parley.ModelSpend {
	w.T.Helper()
	all, err := w.providers.Spend(w.Home.Workspace.ID, w.Now().Add(-24*time.Hour)).Now(w.T.Context())
	w.Must(err)
	if len(all) == 0 {
		return parley.ModelSpend{}
	}
	return all[0]
}

var byWords, byMeaning = []int{0, 1}, []int{1, 0}

// TestOrder orders articles, with one call that sends what is not yet known.
func TestOrder(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx := t.Context()
		if got := w.order(ctx, nil); !slices.Equal(got, byMeaning) {
			t.Fatalf("the order is %v", got)
		}
		w.order(ctx, func(q *Question) { q.Text = "pegs"; q.Articles[0] = append(q.Articles[0], near, far, "a fourth one") })
		w.order(ctx, func(q *Question) {
			q.Chosen.Feature = parley.FeatureDraft
			q.Chosen.Provider.TestedAt = w.Now().Add(time.Second)
		})
		want := [][]string{{asked, far, "Repairs\nSend it in.", near}, {"pegs"}, {asked, far, "Repairs\nSend it in.", near}}
		if got := w.inputs(); !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("what was sent is %q, want %q", got, want)
		}
		all, err := w.providers.Spend(w.Home.Workspace.ID, w.Now().Add(-24*time.Hour)).Now(ctx)
		w.Must(err)
		if len(all) != 2 || all[0].Calls != 2 || all[0].Feature != parley.FeatureAgent || all[0].TokensIn < 20 || all[0].Cost != 2*all[0].TokensIn || all[0].Reserved != 0 ||
			all[1].Calls != 1 || all[1].Feature != parley.FeatureDraft {
			t.Errorf("the spend is %+v", all)
		}
		for name, change := range map[string]func(*Question){
			"one article":         func(q *Question) { q.Articles = q.Articles[:1] },
			"no embeddings model": func(q *Question) { q.Chosen.Provider.EmbeddingModel = "" },
			"a test without":      func(q *Question) { q.Chosen.Provider.Capabilities.Dimension = 0 },
			"few tokens":          func(q *Question) { q.MaxTokens = 3 },
		} {
			before := len(w.inputs())
			if got := w.order(ctx, change); !slices.IsSorted(got) || len(w.inputs()) != before {
				t.Errorf("%s: the order is %v, after %d requests", name, got, len(w.inputs())-before)
			}
		}
		ended, end := context.WithCancel(ctx)
		end()
		if got := w.order(ended, nil); !slices.Equal(got, byWords) {
			t.Errorf("when nobody waits the order is %v", got)
		}
		_, err = w.providers.SaveAgent(ctx, w.By(), w.product, providers.AgentChange{DailyTokens: parley.Some(int64(10))})
		w.Must(err)
		before := len(w.inputs())
		if got := w.order(ctx, nil); !slices.Equal(got, byWords) || len(w.inputs()) != before {
			t.Errorf("with an empty budget the order is %v, after %d requests", got, len(w.inputs())-before)
		}
		if w.log.Len() > 0 {
			t.Errorf("without a failure, the log has %s", &w.log)
		}
	})
}

// TestFaults lets the server fail in each way: the order of words stands, the
// server is left alone for a while, and the log tells of changes only.
func TestFaults(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		faults := modelsim.Faults()
		if strings.HasSuffix(t.Name(), "/postgres") {
			faults = []string{"zero"} // the engine does not matter
		}
		for _, fault := range faults {
			if fault == "nousage" || fault == "failing" || fault == "unknowntool" || fault == "empty" || fault == "endless" {
				continue // of chats only
			}
			w.reranker.cache, w.reranker.wait = newCache(maxBytes), 20*time.Second
			if slices.Contains([]string{"hang", "stop", "drip", "longline"}, fault) {
				w.reranker.wait = 100 * time.Millisecond
			}
			w.log.Reset()
			before := len(w.inputs())
			if w.models.Sim.Next(fault); fault == "reset" {
				w.models.Sim.Next(fault) // the client tries once more
			}
			if got := w.order(t.Context(), nil); !slices.Equal(got, byWords) {
				t.Errorf("%s: the order is %v", fault, got)
			}
			asked := len(w.inputs())
			if got := w.order(t.Context(), nil); !slices.Equal(got, byWords) || asked == before || len(w.inputs()) != asked {
				t.Errorf("%s: right afterwards the order is %v", fault, got)
			}
			w.reranker.wait = 20 * time.Second
			w.Advance(minPause)
			if got := w.order(t.Context(), nil); !slices.Equal(got, byMeaning) {
				t.Errorf("%s: after a while the order is %v", fault, got)
			}
			if told := w.log.String(); strings.Count(told, "embeddings failed") != 1 || strings.Count(told, "work again") != 1 || strings.Count(told, "\n") != 2 || strings.Contains(told, "tent") {
				t.Errorf("%s: the log has %s", fault, told)
			}
			if s := w.spend(); s.Reserved != 0 || s.ReservedCost != 0 {
				t.Errorf("%s: nobody settled %+v", fault, s)
			}
		}
	})
}

// TestPause leaves a server alone for longer after each failure, and not for
// another one.
func TestPause(t *testing.T) {
	r := New(Options{Log: slog.New(slog.DiscardHandler)})
	now := time.Date(2026, time.November, 23, 10, 0, 0, 0, time.UTC)
	r.o.Clock = func() time.Time { return now }
	s := server{model: "embed"}
	for _, want := range []time.Duration{minPause, 2 * minPause, 4 * minPause, 8 * minPause, 16 * minPause, 32 * minPause, maxPause, maxPause} {
		r.failed(s, context.DeadlineExceeded)
		now = now.Add(want - time.Millisecond)
		if !r.paused(s) || r.paused(server{model: "other"}) {
			t.Fatalf("before %v it is asked again: %v", want, !r.paused(s))
		}
		if now = now.Add(time.Millisecond); r.paused(s) {
			t.Fatalf("after %v it is left alone", want)
		}
	}
	r.works(s)
	r.failed(s, context.DeadlineExceeded)
	if now = now.Add(minPause); r.paused(s) {
		t.Error("failures before a success count")
	}
	for i := range 3 * maxFailing {
		r.failed(server{tested: int64(i)}, context.DeadlineExceeded)
	}
	if len(r.failing) > maxFailing {
		t.Errorf("%d servers are remembered", len(r.failing))
	}
}
