package providers

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/model"
	"parley/internal/store"
)

// Providers returns the providers of a workspace, oldest first.
func (svc *Service) Providers(ws parley.WorkspaceID) desk.Read[[]parley.ModelProvider] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.ModelProvider, error) { return SelectProviders(v, ws) })
}

// Any reports whether a workspace has a provider. Then every product has one.
func (svc *Service) Any(ws parley.WorkspaceID) desk.Read[bool] {
	return desk.View(svc.desk, func(v *store.View) (bool, error) {
		all, err := SelectProviders(v, ws)
		return len(all) > 0, err
	})
}

// NewProvider has the inputs of a new provider.
type NewProvider struct {
	Name           string
	BaseURL        string
	Key            string // "" for none
	Model          string
	EmbeddingModel string // "" for none
	Currency       string // "" for USD
	InputPrice     int64  // of a million tokens, in millionths
	OutputPrice    int64
}

// CreateProvider adds a provider. The first one of a workspace is its main one.
// More than parley.MaxModelProviders are a Conflict.
func (svc *Service) CreateProvider(ctx context.Context, by desk.Caller, in NewProvider) (parley.ModelProvider, error) {
	p := parley.ModelProvider{
		Name: in.Name, BaseURL: in.BaseURL, HasKey: in.Key != "", Model: in.Model, EmbeddingModel: in.EmbeddingModel,
		Currency: in.Currency, InputPrice: in.InputPrice, OutputPrice: in.OutputPrice,
	}
	if p.Currency == "" {
		p.Currency = "USD"
	}
	if err := cmp.Or(check(&p, in.Key), svc.checkToy(&p)); err != nil {
		return p, err
	}
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.ModelProvider, error) {
		p := p // the closure may run more than once
		all, err := SelectProviders(t, t.WS)
		if err != nil {
			return p, err
		}
		if len(all) >= parley.MaxModelProviders {
			return p, parley.Errorf(parley.Conflict, "the workspace has %d model providers already; delete one first", parley.MaxModelProviders)
		}
		p.ID, p.Main, p.CreatedAt, p.UpdatedAt = t.IDs.New(t.Now), len(all) == 0, t.Now, t.Now
		sealed, err := svc.seal(t.WS, &p, in.Key)
		if err != nil {
			return p, err
		}
		if err := t.Audit.Of(entry.ProviderCreated, entry.SubjectProvider, p.ID.String()); err != nil {
			return p, err
		}
		return p, InsertProvider(t, t.WS, &p, sealed)
	})
}

// seal encrypts the key of a provider.
func (svc *Service) seal(ws parley.WorkspaceID, p *parley.ModelProvider, key string) ([]byte, error) {
	if key == "" {
		return nil, nil
	}
	return svc.base.Vault.Seal([]byte(key), ws.String(), record(p.ID))
}

// ProviderChange is an update of a provider. Absent fields stay unchanged.
type ProviderChange struct {
	Name           parley.Optional[string]
	BaseURL        parley.Optional[string]
	Key            parley.Optional[string] // null removes it
	Model          parley.Optional[string]
	EmbeddingModel parley.Optional[string]
	Currency       parley.Optional[string]
	InputPrice     parley.Optional[int64]
	OutputPrice    parley.Optional[int64]
	Main           parley.Optional[bool] // true makes it the main one, instead of another; false has no effect
}

// UpdateProvider changes a provider. What a test found is forgotten if it may no
// longer be so. With another address the key must be given again, or removed:
// otherwise a member could send it to a server of their own.
func (svc *Service) UpdateProvider(ctx context.Context, by desk.Caller, id parley.ID, in ProviderChange) (parley.ModelProvider, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.ModelProvider, error) {
		before, err := selectSealedProvider(t, t.WS, id)
		if err != nil {
			return before.ModelProvider, err
		}
		p, sealed := before.ModelProvider, before.Sealed
		var reached, changed []string
		desk.Set(&changed, "name", &p.Name, in.Name)
		desk.Set(&reached, "baseUrl", &p.BaseURL, in.BaseURL)
		desk.Set(&reached, "model", &p.Model, in.Model)
		desk.Set(&reached, "embeddingModel", &p.EmbeddingModel, in.EmbeddingModel)
		desk.Set(&changed, "currency", &p.Currency, in.Currency)
		desk.Set(&changed, "inputPrice", &p.InputPrice, in.InputPrice)
		desk.Set(&changed, "outputPrice", &p.OutputPrice, in.OutputPrice)
		if slices.Contains(reached, "baseUrl") && p.HasKey && !in.Key.Set {
			return p, parley.InvalidField("key", "be entered again if the address changes")
		}
		if err := check(&p, in.Key.Value); err != nil {
			return p, err
		}
		if slices.Contains(reached, "baseUrl") {
			if err := svc.checkToy(&p); err != nil {
				return p, err
			}
		}
		if in.Key.Set {
			p.HasKey = in.Key.Value != ""
			reached = append(reached, "key")
			if sealed, err = svc.seal(t.WS, &p, in.Key.Value); err != nil {
				return p, err
			}
		}
		if in.Main.Value && !p.Main {
			p.Main = true
			changed = append(changed, "main")
			if err := UpdateMainProvider(t, t.WS, id); err != nil {
				return p, err
			}
		}
		if len(reached) > 0 {
			p.Capabilities, p.Problem, p.TestedAt = parley.ModelCapabilities{}, "", parley.ModelProvider{}.TestedAt
		}
		if len(reached)+len(changed) == 0 {
			return p, nil
		}
		p.UpdatedAt = t.Now
		if err := t.Audit.Changed(entry.ProviderUpdated, entry.SubjectProvider, id.String(), append(reached, changed...)...); err != nil {
			return p, err
		}
		return p, UpdateProvider(t, t.WS, &p, sealed)
	})
}

// DeleteProvider deletes a provider with its key, and returns it. The main one is
// a Conflict while there are others, and so is one that a product uses.
func (svc *Service) DeleteProvider(ctx context.Context, by desk.Caller, id parley.ID) (parley.ModelProvider, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.ModelProvider, error) {
		p, err := SelectProvider(t, t.WS, id)
		if err != nil {
			return p, err
		}
		all, err := SelectProviders(t, t.WS)
		if err != nil {
			return p, err
		}
		users, err := SelectProductsOfProvider(t, t.WS, id)
		switch {
		case err != nil:
			return p, err
		case len(users) > 0:
			return p, parley.Errorf(parley.Conflict, "a product uses the model provider; choose another one there first")
		case p.Main && len(all) > 1:
			return p, parley.Errorf(parley.Conflict, "the main model provider must stay while there are others; make another one the main one first")
		}
		if err := t.Audit.Of(entry.ProviderDeleted, entry.SubjectProvider, id.String()); err != nil {
			return p, err
		}
		return p, DeleteProvider(t, t.WS, id)
	})
}

// checkToy refuses the demo's toy model on a server that is no demo. A store of
// a demo that is served as another one keeps its provider, which then cannot be
// reached.
func (svc *Service) checkToy(p *parley.ModelProvider) error {
	if p.Toy() && !svc.network.Inside(p.BaseURL) {
		return parley.InvalidField("baseUrl", "not be that of the toy model, which only a demo has")
	}
	return nil
}

// check checks the fields of a provider.
func check(p *parley.ModelProvider, key string) error {
	var faults []parley.Fault
	fault := func(field string, err error) {
		if err != nil {
			faults = append(faults, parley.Fault{Field: field, Rule: err.Error()})
		}
	}
	fault("baseUrl", model.CheckBaseURL(p.BaseURL))
	fault("key", model.CheckKey(key))
	fault("model", model.CheckName(p.Model))
	if p.EmbeddingModel != "" {
		fault("embeddingModel", model.CheckName(p.EmbeddingModel))
	}
	if len(p.Currency) != 3 || strings.Trim(p.Currency, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		faults = append(faults, parley.Fault{Field: "currency", Rule: "be three capital letters"})
	}
	if p.InputPrice < 0 || p.InputPrice > parley.MaxTokenPrice {
		faults = append(faults, parley.Fault{Field: "inputPrice", Rule: "be from 0 to 100000000000"})
	}
	if p.OutputPrice < 0 || p.OutputPrice > parley.MaxTokenPrice {
		faults = append(faults, parley.Fault{Field: "outputPrice", Rule: "be from 0 to 100000000000"})
	}
	if len(faults) == 0 {
		return nil
	}
	slices.SortFunc(faults, func(a, b parley.Fault) int { return strings.Compare(a.Field, b.Field) })
	return parley.InvalidFields(faults)
}
