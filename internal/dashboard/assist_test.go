package dashboard_test

import (
	"strings"
	"testing"

	"parley/internal/apitest"
	"parley/internal/model/modelsim"
	"parley/internal/model/modelsim/modelsimtest"
	"parley/internal/store/storetest"
)

// TestAssist lets a model help with a conversation, over the stream of its
// pieces.
func TestAssist(t *testing.T) {
	t.Parallel()
	models := modelsimtest.New(t, modelsim.Options{}, modelsimtest.Times())
	w := newWorldOf(t, apitest.Options{Store: storetest.MigratedSQLite(t), Models: models.Network})
	const base = "/v1/dashboard/"
	path := base + "conversations/" + w.Conversation() + "/assist"
	const text = `{"task":"rewrite","style":"friendlier","text":"No refunds after 30 days."}`
	w.Get(base+"assist").Want(200).Is("available", "false")
	w.Post(path, text).Refused(409, "the conversation has no product, so no language model helps with it")
	product := w.Post(base+"products", `{"name":"Shop"}`).Want(201).Text("id")
	w.Patch("/v1/public/"+strings.TrimSuffix(strings.TrimPrefix(path, base), "/assist"), `{"productId":"`+product+`"}`).Want(200)
	w.Post(path, text).Refused(409, "the workspace has no language model")
	provider := w.Post(base+"model-providers", `{"name":"Sim","baseUrl":"`+models.URL+`","model":"quote"}`).Want(201).Text("id")
	w.Post(base+"model-providers/"+provider+"/test", "").Want(200).Is("problem", "null")
	w.Get(base+"assist").Want(200).Is("available", "true")
	got := w.Post(path, text).Want(200)
	if kind := got.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Errorf("the type is %q", kind)
	}
	if body := string(got.Body); strings.Count(body, "event: piece\n") < 2 || !strings.Contains(body, `event: done`+"\n"+`data: {"text":"No refunds after 30 days.","language":null,"sources":[],"unchecked":[],"problem":null}`) {
		t.Errorf("the stream is %s", body)
	}
	w.Patch(base+"model-providers/"+provider, `{"model":"lie"}`).Want(200)
	w.Post(base+"model-providers/"+provider+"/test", "").Want(200)
	if body := string(w.Post(path, text).Want(200).Body); !strings.Contains(body, `"kind":`) {
		t.Errorf("a lie: %s", body)
	}
	w.Patch(base+"model-providers/"+provider, `{"model":"500"}`).Want(200)
	if body := string(w.Post(path, text).Want(200).Body); strings.Contains(body, "event: piece") || !strings.Contains(body, `"text":""`) || strings.Contains(body, `"problem":null`) {
		t.Errorf("a fault: %s", body)
	}
	w.Post(path, `{"task":"rewrite"}`).Refused(400, "style: must be set to rewrite")
	w.Post(path, `{"task":"translate","text":"x"}`).Refused(400, "reader: must be set to translate")
	w.Post(path, `{"task":"rewrite","style":"formal"}`).Refused(400, "text: must not be empty")
	w.Post(path, `{"task":"summarize","language":"1"}`).Refused(400, "language: must be a language such as pt-BR or en")
	w.Post(path, `{"task":"summarize"}`).Refused(409, "the conversation has no text")
	w.Post(path, `{"task":"draft"}`).Refused(409, "the customer has written nothing")
	w.Post(path, `{"task":"translate","reader":"customer","text":"x"}`).Refused(409, "the customer's language is not known")
	w.Post(base+"conversations/"+unknownID+"/assist", text).Refused(404, "no such conversation in this workspace")
}
