// Package bottest is the world of tests that answer customers from articles: the
// world of desktest with a product, the demo's articles about it, a fake server of
// language models, and an answerer.
//
// It is only for tests.
package bottest

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"parley"
	"parley/internal/bot/answering"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/knowledge"
	"parley/internal/knowledge/answers"
	"parley/internal/knowledge/importing"
	"parley/internal/model"
	"parley/internal/model/modelsim"
	"parley/internal/model/modelsim/modelsimtest"
	"parley/internal/providers"
	"parley/internal/store/storetest"
)

// A World is a workspace whose product Northwind Shop has articles.
type World struct {
	*desktest.World

	Articles  *knowledge.Service
	Models    *modelsimtest.World
	Providers *providers.Service
	Answerer  *answering.Answerer
	Shop      parley.ID
}

// Each runs a test in a new world on each engine. times are those of the network
// that reaches the models; see [modelsimtest.Times].
func Each(t *testing.T, times model.Times, test func(t *testing.T, w *World)) {
	t.Helper()
	desktest.Each(t, func(t *testing.T, d *desktest.World) {
		w := &World{World: d, Articles: knowledge.New(d.Desk), Models: modelsimtest.New(t, modelsim.Options{}, times)}
		w.Providers = providers.New(d.Desk, w.Models.Network)
		w.Shop = w.Product("Northwind Shop", "shop")
		w.Answerer = answering.New(answering.Options{
			Desk: d.Desk, Knowledge: w.Articles, Articles: answers.New(d.Desk, w.Articles), Providers: w.Providers,
			PublicURL: "https://help.example", Log: storetest.Quiet(),
		})
		test(t, w)
	})
}

// Product creates a product and imports its articles from a folder of the demo's;
// they name the product.
func (w *World) Product(name, folder string) parley.ID {
	w.T.Helper()
	p, err := w.Desk.CreateProduct(w.T.Context(), w.By(), name, "")
	w.Must(err)
	im := importing.Importer{Desk: w.Desk, Knowledge: w.Articles, By: w.By()}
	w.Must(im.Report(w.T.Context(), filepath.Join(w.module(), "internal", "demo", "articles", folder), io.Discard, false))
	return p.ID
}

// module returns the folder of the module, in one of whose folders every test runs.
func (w *World) module() string {
	w.T.Helper()
	folder, err := os.Getwd()
	w.Must(err)
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		above := filepath.Dir(folder)
		if above == folder {
			w.T.Fatal("the test runs outside of the module")
		}
		folder = above
	}
}

// Use makes the workspace's model one of the fake server, with all that the server
// can: a server that fails passes no test of a provider.
func (w *World) Use(name string) {
	w.T.Helper()
	ctx, by := w.T.Context(), w.By()
	all, err := w.Providers.Providers(by.Workspace).Now(ctx)
	w.Must(err)
	if len(all) == 0 {
		first, err := w.Providers.CreateProvider(ctx, by, providers.NewProvider{Name: "Sim", BaseURL: w.Models.URL, Model: "quote"})
		w.Must(err)
		all = append(all, first)
	}
	p, err := w.Providers.UpdateProvider(ctx, by, all[0].ID, providers.ProviderChange{Model: parley.Some(name)})
	w.Must(err)
	p.Capabilities = parley.ModelCapabilities(modelsimtest.Able())
	_, err = desk.Write(ctx, w.Desk, by, func(t *desk.Tx) (struct{}, error) { return struct{}{}, providers.UpdateProviderTest(t, t.WS, &p) })
	w.Must(err)
}

// Says posts a message of the customer, a millisecond after what was before.
func (w *World) Says(conversation parley.ID, text string) {
	w.T.Helper()
	w.Advance(time.Millisecond)
	_, err := w.Desk.PostMessage(w.T.Context(), w.By(), conversation, desk.NewMessage{Content: text, ContentType: parley.Text, Direction: parley.Incoming})
	w.Must(err)
}
