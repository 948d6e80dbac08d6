package publicapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"parley/internal/apitest"
	"parley/internal/publicapi"
)

// TestExamplesOfNewRecords compares the examples of new records with the
// server's answers: equal times, null values, and zero counts.
func TestExamplesOfNewRecords(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	records := 0
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s apitest.Sample) {
		if s.Status != http.StatusCreated {
			return
		}
		var made map[string]any
		if err := json.Unmarshal(w.Send(apitest.Request{Method: route.Method, Path: s.Path, Body: s.Body}).Want(http.StatusCreated).Body, &made); err != nil {
			t.Fatal(err)
		}
		for _, o := range apitest.Gate().Operations() {
			if example, ok := o.Example(http.StatusCreated).(map[string]any); ok && o.ID == route.Operation {
				records++
				sameAsNew(t, made, example)
			}
		}
	})
	if records < 6 {
		t.Errorf("only %d examples were found", records)
	}
	for _, o := range apitest.Gate().Operations() {
		if example, _ := o.Example(http.StatusOK).(map[string]any); o.ID == "markConversationRead" && fmt.Sprint(example["unreadCount"]) != "0" {
			t.Errorf("the example of %s has %v unread messages", o.ID, example["unreadCount"])
		}
	}
}

func sameAsNew(t *testing.T, made, example map[string]any) {
	t.Helper()
	isTime := func(name string) bool { return strings.HasSuffix(name, "At") || strings.HasSuffix(name, "Since") }
	for name, value := range made {
		switch {
		case isTime(name) && value == nil && example[name] != nil:
			t.Errorf("%s is %v, and null of a new record", name, example[name])
		case isTime(name) && value != nil && value == made["createdAt"] && example[name] != example["createdAt"]:
			t.Errorf("%s is %v, and createdAt %v", name, example[name], example["createdAt"])
		case strings.HasSuffix(name, "Count") && fmt.Sprint(value) != fmt.Sprint(example[name]):
			t.Errorf("%s is %v, and %v of a new record", name, example[name], value)
		}
	}
}

// TestMistakesOfExamples makes the mistakes in the examples of errors that no
// other test makes in every run.
func TestMistakesOfExamples(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	r := w.records()
	group, conversation := "/v1/public/chatapp/groups/"+r.group, "/v1/public/conversations/"+r.conversation
	w.Post(group+"/participants", `{}`).Refused(400, "participants: must be given")
	w.Get(conversation+"/history?limit=x").Refused(400, "limit: must be an integer from 1 to 200")
	w.Send(apitest.Request{Method: "DELETE", Path: conversation + "/labels/%20"}).Refused(400, "label: must be 1 to 100 characters, not blank")
	for _, document := range []string{"json", "yaml"} {
		w.Get("/v1/public/openapi."+document+"?%zz").Refused(400, "query: must be encoded correctly")
	}
}
