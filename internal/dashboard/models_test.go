package dashboard_test

import (
	"strings"
	"testing"

	"parley"
	"parley/internal/model"
	"parley/internal/providers"
)

// TestModelProviders adds, changes, tests and deletes providers, and sees no key.
func TestModelProviders(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const path, key = "/v1/dashboard/model-providers", "sk-secret-0123456789"
		w.Post(path, `{"name":" ","baseUrl":"api.example","key":"a b","model":"m","inputPrice":-1}`).Want(400)
		w.Post(path, `{"name":"x","baseUrl":"api.example","model":"m"}`).
			Refused(400, "baseUrl: must be an http or https address of at most 500 characters, without a user, a query and a fragment, such as https://api.example/v1")
		first := w.Post(path, `{"name":"First","baseUrl":"https://127.0.0.1:1/v1","key":"`+key+`","model":"large","inputPrice":2500000}`).Want(201).
			Is("main", "true", "hasKey", "true", "embeddingModel", "null", "testedAt", "null", "problem", "null", "currency", `"USD"`, "inputPrice", "2500000", "capabilities.streaming", "false").Text("id")
		tested := w.Post(path+"/"+first+"/test", "").Want(200)
		if problem := tested.Text("problem"); !strings.Contains(problem, "could not be reached at a public address or at one that the operator allows") {
			t.Errorf("the problem is %q", problem)
		}
		w.Patch(path+"/"+first, `{"baseUrl":"https://evil.example"}`).Refused(400, "key: must be entered again if the address changes")
		w.Patch(path+"/"+first, `{"model":"larger","currency":"EUR"}`).Want(200).Is("testedAt", "null", "problem", "null", "currency", `"EUR"`)
		second := w.Post(path, `{"name":"Second","baseUrl":"https://models.example","model":"m","key":null}`).Want(201).Is("main", "false", "hasKey", "false").Text("id")
		w.Delete(path+"/"+first).Refused(409, "the main model provider must stay while there are others; make another one the main one first")
		product := "/v1/dashboard/products/" + w.Post("/v1/dashboard/products", `{"name":"P"}`).Want(201).Text("id") + "/agent"
		w.Get(product).Want(200).Is("providerId", "null", "dailyTokens", "500000", "dailyCost", "null", "maxTurns", "6", "updatedAt", "null", "languages", "[]", "hosts", "[]")
		w.Patch(product, `{"providerId":"`+second+`","instructions":"Be kind.","languages":["DE"],"hosts":["Shop.example"],"dailyTokens":1000,"dailyCost":2000000}`).Want(200).
			Is("providerId", `"`+second+`"`, "languages", `["de"]`, "hosts", `["shop.example"]`, "dailyTokens", "1000", "dailyCost", "2000000")
		w.Patch(product, `{"dailyCost":null}`).Want(200).Is("dailyCost", "null")
		w.Patch(product, `{"dailyCost":0}`).Refused(400, "dailyCost: must be a whole number from 1 to 1000000000000, or null")
		w.Delete(path+"/"+second).Refused(409, "a product uses the model provider; choose another one there first")
		w.Patch(product, `{"providerId":null,"maxTurns":21}`).Refused(400, "maxTurns: must be a whole number from 1 to 20")
		w.Patch(product, `{"providerId":"`+unknownID+`"}`).Refused(404, "no such model provider in this workspace")
		w.Patch(path+"/"+second, `{"main":true}`).Want(200).Is("main", "true")
		list := w.Get(path).Want(200).Is("data.0.main", "false", "data.1.main", "true")
		if strings.Contains(string(list.Body), key) {
			t.Error("the list shows a key")
		}
		w.Delete(path + "/" + first).Want(200)
		const none = "no such model provider in this workspace"
		w.Delete(path+"/"+first).Refused(404, none)
		w.Patch(path+"/"+first, `{"name":"x"}`).Refused(404, none)
		w.Post(path+"/"+first+"/test", "").Refused(404, none)
		w.Get("/v1/dashboard/products/"+unknownID+"/agent").Refused(404, "no such product in this workspace")
		w.Patch("/v1/dashboard/products/"+unknownID+"/agent", `{"tone":"x"}`).Refused(404, "no such product in this workspace")
		w.Post("/v1/dashboard/products/"+unknownID+"/agent/simulation", `{"since":"2026-01-01T00:00:00Z"}`).Refused(404, "no such product in this workspace")
		w.Post(product+"/simulation", `{"since":"2026-01-01T00:00:00Z","limit":51}`).Refused(400, "limit: must be a whole number from 1 to 50")
		w.Post(product+"/simulation", `{"since":"2026-01-01T00:00:00Z","noModel":true}`).Want(200).Is("data", "[]", "has_more", "false", "next_cursor", `""`)
		for range parley.MaxModelProviders - 1 {
			w.Post(path, `{"name":"N","baseUrl":"https://models.example","model":"m"}`).Want(201)
		}
		w.Post(path, `{"name":"N","baseUrl":"https://models.example","model":"m"}`).Refused(409, "the workspace has 20 model providers already; delete one first")
	})
}

// TestModelSpend shows what calls of models used.
func TestModelSpend(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.Home.Workspace.ID
		w.Post("/v1/dashboard/model-providers", `{"name":"N","baseUrl":"https://models.example","model":"m","currency":"EUR","inputPrice":2000000,"outputPrice":8000000}`).Want(201)
		product := w.Post("/v1/dashboard/products", `{"name":"P"}`).Want(201).Text("id")
		id, _ := parley.ParseID(product)
		chosen, err := w.Providers.Choose(t.Context(), ws, id)
		chosen.Feature = parley.FeatureSummary
		if err != nil {
			t.Fatal(err)
		}
		var taken [2]providers.Reservation
		for i := range taken {
			if taken[i], err = w.Providers.Reserve(t.Context(), ws, chosen, model.Usage{In: 300, Out: 100}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Providers.Settle(t.Context(), taken[0], model.Usage{In: 250, Out: 50}); err != nil {
			t.Fatal(err)
		}
		w.Get("/v1/dashboard/model-spend").Want(200).Is("data.0.productId", `"`+product+`"`, "data.0.day", `"2026-11-21"`, "data.0.currency", `"EUR"`, "data.0.feature", `"summary"`,
			"data.0.reserved", "400", "data.0.reservedCost", "1400", "data.0.tokensIn", "250", "data.0.tokensOut", "50", "data.0.calls", "1", "data.0.cost", "900")
	})
}
