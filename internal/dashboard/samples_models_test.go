package dashboard_test

import (
	"strconv"

	"parley/internal/apitest"
)

func modelSamples(w *world) map[string]func() apitest.Sample {
	const base = "/v1/dashboard/"
	fields := `{"name":"N","baseUrl":"http://127.0.0.1:1/v1","key":"sk-1","model":"m"}`
	// provider makes one more that is not the main one, and deletes those of before.
	provider := func() string {
		w.T.Helper()
		list := w.Get(base + "model-providers").Want(200)
		for i := range list.Count("data") {
			if i > 0 {
				w.Delete(base + "model-providers/" + list.Text("data."+strconv.Itoa(i)+".id")).Want(200)
			}
		}
		if list.Count("data") == 0 {
			w.Post(base+"model-providers", fields).Want(201)
		}
		return base + "model-providers/" + w.Post(base+"model-providers", fields).Want(201).Text("id")
	}
	product := func() string {
		w.T.Helper()
		return base + "products/" + w.Post(base+"products", `{"name":"P"}`).Want(201).Text("id") + "/agent"
	}
	return map[string]func() apitest.Sample{
		"listModelProviders": func() apitest.Sample { return apitest.NewSample(base+"model-providers", "", 200) },
		"createModelProvider": func() apitest.Sample {
			provider() // leaves two
			return apitest.NewSample(base+"model-providers", fields, 201)
		},
		"updateModelProvider": func() apitest.Sample { return apitest.NewSample(provider(), `{"name":"M"}`, 200) },
		"deleteModelProvider": func() apitest.Sample { return apitest.NewSample(provider(), "", 200) },
		"testModelProvider":   func() apitest.Sample { return apitest.NewSample(provider()+"/test", "", 200) },
		"getProductAgent":     func() apitest.Sample { return apitest.NewSample(product(), "", 200) },
		"updateProductAgent":  func() apitest.Sample { return apitest.NewSample(product(), `{"tone":"warm"}`, 200) },
		"simulateProductAgent": func() apitest.Sample {
			return apitest.NewSample(product()+"/simulation", `{"since":"2026-01-01T00:00:00Z"}`, 200)
		},
		"getAssist": func() apitest.Sample { return apitest.NewSample(base+"assist", "", 200) },
		"assist": func() apitest.Sample {
			provider()
			id := w.Conversation()
			w.Patch("/v1/public/conversations/"+id, `{"productId":"`+w.Post(base+"products", `{"name":"P"}`).Want(201).Text("id")+`"}`).Want(200)
			return apitest.NewSample(base+"conversations/"+id+"/assist", `{"task":"rewrite","style":"formal","text":"x"}`, 200) // its server is away
		},
		"listModelSpend": func() apitest.Sample { return apitest.NewSample(base+"model-spend", "", 200) },
	}
}
