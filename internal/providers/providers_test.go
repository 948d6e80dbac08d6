package providers_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/model"
	"parley/internal/model/modelsim"
	"parley/internal/model/modelsim/modelsimtest"
	"parley/internal/pgtest"
	"parley/internal/providers"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

const secretKey = "sk-secret-0123456789"

// A world is the desk's world with a fake server of models.
type world struct {
	*desktest.World

	svc     *providers.Service
	models  *modelsimtest.World
	product parley.ID
}

func each(t *testing.T, o modelsim.Options, test func(t *testing.T, w *world)) {
	t.Helper()
	desktest.Each(t, func(t *testing.T, d *desktest.World) {
		models := modelsimtest.New(t, o, modelsimtest.Times())
		product, err := d.Desk.CreateProduct(t.Context(), d.By(), "Shop", "")
		d.Must(err)
		test(t, &world{d, providers.New(d.Desk, models.Network), models, product.ID})
	})
}

// provider makes a provider of a model of the fake server.
func (w *world) provider(name string) parley.ModelProvider {
	w.T.Helper()
	p, err := w.svc.CreateProvider(w.T.Context(), w.By(), providers.NewProvider{
		Name: name, BaseURL: w.models.URL, Key: secretKey, Model: "quote", EmbeddingModel: "embed", InputPrice: 2_500_000, OutputPrice: 10_000_000,
	})
	w.Must(err)
	return p
}

func (w *world) all() []parley.ModelProvider {
	w.T.Helper()
	all, err := w.svc.Providers(w.Home.Workspace.ID).Now(w.T.Context())
	w.Must(err)
	return all
}

// refused requires an error of a kind with a part of its text.
func refused(t *testing.T, err error, kind parley.Kind, text string) {
	t.Helper()
	if parley.KindOf(err) != kind || err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("the error is %v, want %q", err, text)
	}
}

func TestProviders(t *testing.T) {
	each(t, modelsim.Options{Key: secretKey}, func(t *testing.T, w *world) {
		ctx, by := t.Context(), w.By()
		first := w.provider("First")
		if !first.Main || !first.HasKey || first.Currency != "USD" || !first.TestedAt.IsZero() {
			t.Errorf("the first one is %+v", first)
		}
		w.Advance(time.Second)
		tested, err := w.svc.TestProvider(ctx, by, first.ID)
		w.Must(err)
		if tested.Problem != "" || tested.Capabilities != parley.ModelCapabilities(modelsimtest.Able()) || !tested.TestedAt.Equal(w.Now()) {
			t.Errorf("the test found %+v", tested)
		}
		second := w.provider("Second")
		if all := w.all(); len(all) != 2 || all[0] != tested || all[1] != second || second.Main {
			t.Errorf("the providers are %+v", all)
		}
		elsewhere := parley.Some("https://elsewhere.example/v1")
		_, err = w.svc.UpdateProvider(ctx, by, first.ID, providers.ProviderChange{BaseURL: elsewhere})
		refused(t, err, parley.Invalid, "key: must be entered again if the address changes")
		renamed, err := w.svc.UpdateProvider(ctx, by, first.ID, providers.ProviderChange{Name: parley.Some("One"), OutputPrice: parley.Some(int64(7))})
		w.Must(err)
		if renamed.TestedAt.IsZero() || renamed.Capabilities != tested.Capabilities || renamed.OutputPrice != 7 {
			t.Errorf("another name changed the test: %+v", renamed)
		}
		moved, err := w.svc.UpdateProvider(ctx, by, first.ID, providers.ProviderChange{BaseURL: elsewhere, Key: parley.Null[string]()})
		w.Must(err)
		if moved.HasKey || !moved.TestedAt.IsZero() || moved.Capabilities != (parley.ModelCapabilities{}) {
			t.Errorf("at another address it is %+v", moved)
		}
		_, err = w.svc.UpdateProvider(ctx, by, second.ID, providers.ProviderChange{Main: parley.Some(true)})
		w.Must(err)
		if all := w.all(); all[0].Main || !all[1].Main {
			t.Errorf("the main one is of %+v", all)
		}
		_, err = w.svc.DeleteProvider(ctx, by, second.ID)
		refused(t, err, parley.Conflict, "the main model provider must stay while there are others")
		_, err = w.svc.DeleteProvider(ctx, by, first.ID)
		w.Must(err)
		_, err = w.svc.DeleteProvider(ctx, by, second.ID)
		w.Must(err)
		if all := w.all(); len(all) != 0 {
			t.Errorf("%+v are left", all)
		}
		_, err = w.svc.Choose(ctx, by.Workspace, w.product)
		refused(t, err, parley.NotFound, "model provider")
		for range parley.MaxModelProviders {
			w.provider("One of many")
		}
		_, err = w.svc.CreateProvider(ctx, by, providers.NewProvider{Name: "x", BaseURL: w.models.URL, Model: "m"})
		refused(t, err, parley.Conflict, "20 model providers already")
		_, err = w.svc.CreateProvider(ctx, by, providers.NewProvider{BaseURL: "x", Key: "a b", Currency: "eur", InputPrice: -1, EmbeddingModel: "\n"})
		refused(t, err, parley.Invalid, "baseUrl: must be an http or https address")
		for _, field := range []string{"currency", "embeddingModel", "inputPrice", "key", "model"} {
			refused(t, err, parley.Invalid, "; "+field+": must be ")
		}
	})
}

// TestProblems has servers that fail, and says why without the key.
func TestProblems(t *testing.T) {
	each(t, modelsim.Options{}, func(t *testing.T, w *world) {
		p := w.provider("Faulty")
		for name, want := range map[string]string{
			"401": "The server does not accept the key.", "400": "It said: this prompt is refused", "html": "/v1", "429": "no more requests", "quote": "",
		} {
			_, err := w.svc.UpdateProvider(t.Context(), w.By(), p.ID, providers.ProviderChange{Model: parley.Some(name)})
			w.Must(err)
			tested, err := w.svc.TestProvider(t.Context(), w.By(), p.ID)
			w.Must(err)
			if !strings.Contains(tested.Problem, want) || (tested.Problem == "") != (want == "") || strings.Contains(tested.Problem, secretKey) || tested.TestedAt.IsZero() {
				t.Errorf("%s: %q", name, tested.Problem)
			}
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if _, err := w.svc.TestProvider(ended, w.By(), p.ID); err == nil {
			t.Error("a request that ended was answered")
		}
		secret, err := json.Marshal(w.all())
		w.Must(err)
		if strings.Contains(string(secret), secretKey) {
			t.Errorf("the providers show the key: %s", secret)
		}
	})
}

func TestAgents(t *testing.T) {
	each(t, modelsim.Options{Key: secretKey}, func(t *testing.T, w *world) {
		ctx, by := t.Context(), w.By()
		main, own := w.provider("Main"), w.provider("Own")
		a, err := w.svc.Agent(by.Workspace, w.product).Now(ctx)
		w.Must(err)
		if a.ProductID != w.product || a.DailyTokens != 500_000 || a.MaxTurns != 6 || !a.CreatedAt.IsZero() {
			t.Errorf("a product that nobody changed has %+v", a)
		}
		chosen, err := w.svc.Choose(ctx, by.Workspace, w.product)
		w.Must(err)
		if chosen.Provider != main {
			t.Errorf("it uses %+v", chosen.Provider)
		}
		saved, err := w.svc.SaveAgent(ctx, by, w.product, providers.AgentChange{
			ProviderID: parley.Some(own.ID), Instructions: parley.Some(" Be brief.\n"), Tone: parley.Some("warm"), Languages: parley.Some([]parley.Language{"EN", "de", "en"}),
			Hosts: parley.Some([]string{"Shop.example", "*.help.example"}), DailyTokens: parley.Some(int64(1000)), MaxTurns: parley.Some(3),
		})
		w.Must(err)
		read, err := w.svc.Agent(by.Workspace, w.product).Now(ctx)
		w.Must(err)
		if !slices.Equal(saved.Languages, []parley.Language{"en", "de"}) || !slices.Equal(saved.Hosts, []string{"shop.example", "*.help.example"}) || saved.Instructions != "Be brief." ||
			!slices.Equal(read.Languages, saved.Languages) || !slices.Equal(read.Hosts, saved.Hosts) || read.Instructions != saved.Instructions || read.MaxTurns != 3 {
			t.Errorf("saved %+v, read %+v", saved, read)
		}
		if chosen, err = w.svc.Choose(ctx, by.Workspace, w.product); err != nil || chosen.Provider.ID != own.ID {
			t.Errorf("it uses %+v, %v", chosen.Provider, err)
		}
		answer, err := chosen.Client.Chat(ctx, model.Request{Messages: []model.Message{{Role: model.User, Content: "Hello."}}})
		if err != nil || answer.Text != "Hello." {
			t.Errorf("the model says %+v, %v", answer, err)
		}
		_, err = w.svc.DeleteProvider(ctx, by, own.ID)
		refused(t, err, parley.Conflict, "a product uses the model provider")
		_, err = w.svc.SaveAgent(ctx, by, w.product, providers.AgentChange{
			Instructions: parley.Some(strings.Repeat("é", 8001)), Tone: parley.Some(strings.Repeat("é", 201)), Languages: parley.Some([]parley.Language{"x", "y"}),
			Hosts: parley.Some([]string{"https://shop.example", "shop"}), DailyTokens: parley.Some(int64(-1)), MaxTurns: parley.Some(0),
		})
		refused(t, err, parley.Invalid, "instructions: must be at most 8000 characters; tone: must be at most 200 characters; dailyTokens: must be from 0 to 1000000000; "+
			"maxTurns: must be from 1 to 20; languages: must have only languages such as en or pt-BR; hosts: must have only hosts such as shop.example or *.shop.example")
		_, err = w.svc.SaveAgent(ctx, by, w.product, providers.AgentChange{ProviderID: parley.Some(w.product)})
		refused(t, err, parley.NotFound, "model provider")
		_, err = w.svc.SaveAgent(ctx, by, main.ID, providers.AgentChange{})
		refused(t, err, parley.NotFound, "product")
		foreign := w.Found("Another")
		other := desk.Caller{Workspace: foreign.Workspace.ID}
		_, err = w.svc.TestProvider(ctx, other, main.ID)
		refused(t, err, parley.NotFound, "model provider")
		_, err = w.svc.Agent(other.Workspace, w.product).Now(ctx)
		refused(t, err, parley.NotFound, "product")
	})
}

// TestBudget lets calls take tokens at the same time: their sum never exceeds
// the limit, whatever they use at last.
func TestBudget(t *testing.T) {
	each(t, modelsim.Options{Key: secretKey}, func(t *testing.T, w *world) {
		ctx, by := t.Context(), w.By()
		w.provider("Main")
		_, err := w.svc.SaveAgent(ctx, by, w.product, providers.AgentChange{DailyTokens: parley.Some(int64(1000))})
		w.Must(err)
		chosen, err := w.svc.Choose(ctx, by.Workspace, w.product)
		w.Must(err)
		var taken []providers.Reservation
		var mu sync.Mutex
		var calls sync.WaitGroup
		for range 8 {
			calls.Go(func() {
				r, err := w.svc.Reserve(ctx, by.Workspace, chosen, model.Usage{In: 200, Out: 100})
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					taken = append(taken, r)
				} else if parley.KindOf(err) != parley.Limited {
					t.Error(err)
				}
			})
		}
		calls.Wait()
		if len(taken) != 3 {
			t.Fatalf("%d calls took 300 of 1000 tokens", len(taken))
		}
		ended, end := context.WithCancel(ctx)
		end()
		w.Must(w.svc.Settle(ended, taken[0], model.Usage{In: 100_000, Out: 20_000})) // far more than it took
		w.Must(w.svc.Settle(ctx, taken[1], model.Usage{}))                           // it failed
		spend, err := w.svc.Spend(by.Workspace, w.Now().Add(-48*time.Hour)).Now(ctx)
		w.Must(err)
		day := time.Date(2026, time.November, 21, 0, 0, 0, 0, time.UTC)
		want := parley.ModelSpend{ProductID: w.product, Day: day, Currency: "USD", Feature: parley.FeatureAgent, Reserved: 300, ReservedCost: 1500, TokensIn: 100_000, TokensOut: 20_000, Calls: 1, Cost: 250_000 + 200_000}
		if len(spend) != 1 || !spend[0].Day.Equal(day) {
			t.Fatalf("the spend is %+v", spend)
		}
		if spend[0].Day = day; spend[0] != want {
			t.Errorf("the spend is %+v, want %+v", spend[0], want)
		}
		_, err = w.svc.Reserve(ctx, by.Workspace, chosen, model.Usage{In: 1})
		var limited *parley.Error
		if !errors.As(err, &limited) || limited.Kind != parley.Limited || limited.RetryAfter != 14*time.Hour {
			t.Errorf("an empty budget: %+v", err)
		}
		w.Advance(14 * time.Hour)
		if _, err = w.svc.Reserve(ctx, by.Workspace, chosen, model.Usage{In: 1000}); err != nil {
			t.Errorf("the next day: %v", err)
		}
		_, err = w.svc.SaveAgent(ctx, by, w.product, providers.AgentChange{DailyTokens: parley.Some(int64(1_000_000)), DailyCost: parley.Some(int64(5600))})
		w.Must(err)
		chosen.Feature = parley.FeatureDraft // all share the budgets, and 1,000 tokens cost 2,500 already
		for _, left := range []bool{true, true, false} {
			if _, err = w.svc.Reserve(ctx, by.Workspace, chosen, model.Usage{In: 200, Out: 100}); (err == nil) != left {
				t.Errorf("with money left = %v: %v", left, err)
			}
		}
		refused(t, err, parley.Limited, "money")
		w.Advance(parley.ModelSpendRetention)
		_, err = desk.Write(ctx, w.Desk, by, func(t *desk.Tx) (struct{}, error) { return struct{}{}, providers.Expire(t) })
		w.Must(err)
		if spend, err = w.svc.Spend(by.Workspace, time.Unix(0, 0)).Now(ctx); err != nil || len(spend) != 2 {
			t.Errorf("after the retention there are %+v, %v", spend, err)
		}
	})
}

// TestToy enters the demo's toy model on a server that is a demo, and on one that
// is none.
func TestToy(t *testing.T) {
	each(t, modelsim.Options{}, func(t *testing.T, w *world) {
		ctx, by := t.Context(), w.By()
		in := providers.NewProvider{Name: "Toy", BaseURL: parley.ToyModelURL, Model: modelsim.Toy}
		_, err := w.svc.CreateProvider(ctx, by, in)
		refused(t, err, parley.Invalid, "baseUrl: must not be that of the toy model")
		usual := w.provider("Usual")
		_, err = w.svc.UpdateProvider(ctx, by, usual.ID, providers.ProviderChange{BaseURL: parley.Some(in.BaseURL), Key: parley.Null[string]()})
		refused(t, err, parley.Invalid, "baseUrl: must not be that of the toy model")
		sim := modelsim.New(modelsim.Options{Models: []string{modelsim.Toy}})
		demo := providers.New(w.Desk, w.models.Network.WithInside(parley.ToyModelURL, sim))
		toy, err := demo.CreateProvider(ctx, by, in)
		w.Must(err)
		tested, err := demo.TestProvider(ctx, by, toy.ID)
		w.Must(err)
		if !toy.Toy() || usual.Toy() || tested.Problem != "" || !tested.Capabilities.Streaming {
			t.Errorf("the toy is %+v", tested)
		}
		_, err = w.svc.UpdateProvider(ctx, by, toy.ID, providers.ProviderChange{Name: parley.Some("Of a demo")})
		w.Must(err)
		if tested, err = w.svc.TestProvider(ctx, by, toy.ID); err != nil || tested.Problem == "" {
			t.Errorf("without the demo, the test finds %+v, %v", tested, err)
		}
	})
}
