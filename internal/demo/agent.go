package demo

import (
	"net/http"
	"time"

	"parley"
	"parley/internal/model/modelsim"
	"parley/internal/providers"
)

// toyPace is the time between the words of the toy model in a server, so that
// people see an answer arrive.
const toyPace = 40 * time.Millisecond

// ToyModel returns the transport to the toy model, which answers in this
// process. pace is whether it answers word by word, as for people.
func ToyModel(pace bool) http.RoundTripper {
	o := modelsim.Options{Models: []string{modelsim.Toy}}
	if pace {
		o.Pace = toyPace
	}
	return modelsim.New(o)
}

// automatedAgent lets the automated agent answer for the shop, by the toy model.
// That comes last, because it would answer the customers of the past.
func (x *filler) automatedAgent() error {
	shop := x.products[0]
	p, err := x.providers.CreateProvider(x.ctx, x.by, providers.NewProvider{
		Name: "Toy model", BaseURL: parley.ToyModelURL, Model: modelsim.Toy, Currency: "EUR",
	})
	if err != nil {
		return err
	}
	if _, err := x.providers.TestProvider(x.ctx, x.by, p.ID); err != nil {
		return err
	}
	_, err = x.providers.SaveAgent(x.ctx, x.by, shop.ID, providers.AgentChange{Mode: parley.Some(parley.AgentAnswers)})
	return err
}
