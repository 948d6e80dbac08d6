// Package providers has the language models of a workspace: their servers with
// sealed keys, what the automated agent is told for each product, and the budget
// of tokens, which is taken before a model is called.
//
// It stands over the desk, in whose transactions it writes. Servers are called
// between transactions. It may import the vocabulary, the store, the desk, the
// vault, and the client of models.
package providers

import (
	"context"
	"errors"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/model"
	"parley/internal/store"
)

// testTime is how long a test may take. Requests of the dashboard may take 70
// seconds.
const testTime = time.Minute

// A Service has the verbs of providers. Its methods may be called by many
// goroutines.
type Service struct {
	desk    *desk.Desk
	base    desk.Base
	network *model.Network
}

// New returns a Service over a desk, whose servers are reached over a network.
func New(d *desk.Desk, network *model.Network) *Service {
	return &Service{desk: d, base: d.Base(), network: network}
}

// record is what the key of a provider is bound to in the vault.
func record(id parley.ID) string { return "model " + id.String() }

// A Chosen is the provider of a product, ready to be called.
type Chosen struct {
	Provider parley.ModelProvider
	Agent    parley.ProductAgent
	Client   *model.Client
	Feature  parley.ModelFeature // for the books; "" is FeatureAgent
}

// Choose returns the provider that a product uses: its own, else the main one of
// the workspace. It is NotFound if there is none.
func (svc *Service) Choose(ctx context.Context, ws parley.WorkspaceID, product parley.ID) (Chosen, error) {
	type found struct {
		agent  parley.ProductAgent
		sealed sealedProvider
	}
	f, err := desk.Snapshot(svc.desk, func(v *store.View) (f found, err error) {
		if f.agent, err = agentOf(v, ws, product); err != nil {
			return f, err
		}
		if f.agent.ProviderID.IsZero() {
			f.sealed, err = selectMainProvider(v, ws)
		} else {
			f.sealed, err = selectSealedProvider(v, ws, f.agent.ProviderID)
		}
		return f, err
	}).Now(ctx)
	if err != nil {
		return Chosen{}, err
	}
	client, err := svc.client(ws, &f.sealed)
	return Chosen{Provider: f.sealed.ModelProvider, Agent: f.agent, Client: client}, err
}

// client returns a client of a provider.
func (svc *Service) client(ws parley.WorkspaceID, p *sealedProvider) (*model.Client, error) {
	key := []byte(nil)
	if p.HasKey {
		var err error
		if key, err = svc.base.Vault.Open(p.Sealed, ws.String(), record(p.ID)); err != nil {
			return nil, err
		}
	}
	return svc.network.Client(model.Server{
		BaseURL: p.BaseURL, Key: string(key), Model: p.Model, EmbeddingModel: p.EmbeddingModel, Capabilities: model.Capabilities(p.Capabilities),
	})
}

// TestProvider asks a server what it can, and stores what it found, or why it
// failed. The error is not about the server. If the provider was changed
// meanwhile, nothing is stored.
func (svc *Service) TestProvider(ctx context.Context, by desk.Caller, id parley.ID) (parley.ModelProvider, error) {
	return desk.Guard(ctx, svc.desk, by, func() (parley.ModelProvider, error) {
		p, err := desk.View(svc.desk, func(v *store.View) (sealedProvider, error) { return selectSealedProvider(v, by.Workspace, id) }).Now(ctx)
		if err != nil {
			return p.ModelProvider, err
		}
		client, err := svc.client(by.Workspace, &p)
		if err != nil {
			return p.ModelProvider, err
		}
		limited, end := context.WithTimeout(ctx, testTime)
		defer end()
		can, failed := client.Probe(limited)
		if ctx.Err() != nil {
			return p.ModelProvider, ctx.Err()
		}
		return desk.Commit(ctx, svc.desk, by, func(t *desk.Tx) (parley.ModelProvider, error) {
			now, err := SelectProvider(t, t.WS, id)
			if err != nil || !now.UpdatedAt.Equal(p.UpdatedAt) {
				return now, err
			}
			now.Capabilities, now.Problem, now.TestedAt = parley.ModelCapabilities(can), problem(failed), t.Now
			return now, UpdateProviderTest(t, t.WS, &now)
		})
	})
}

// problem describes a failed test to whoever started it. The prompts of a test
// are ours, so it may tell what the server said.
func problem(err error) string {
	var e *model.Error
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &e):
		return (&model.Error{Fault: model.TimedOut}).Text()
	case e.Detail != "":
		return e.Text() + " It said: " + e.Detail
	}
	return e.Text()
}
