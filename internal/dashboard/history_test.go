package dashboard_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// history returns what a conversation's history says after its beginning, as "actor:
// changes", with the names of records and "a time" for times.
func (w *world) history(conversation string) []string {
	w.T.Helper()
	var told []string
	page := w.Get("/v1/public/conversations/" + conversation + "/history?limit=200").Want(200)
	for i := range page.Field("data").([]any)[1:] {
		at := fmt.Sprintf("data.%d.", i+1)
		var values []string
		for name, value := range page.Field(at + "changes").(map[string]any) {
			if record, ok := value.(map[string]any); ok {
				value = record["name"]
			}
			if _, err := time.Parse(time.RFC3339, fmt.Sprint(value)); err == nil {
				value = "a time"
			}
			values = append(values, fmt.Sprint(name, "=", value))
		}
		slices.Sort(values)
		told = append(told, page.Text(at+"actor.type")+": "+strings.Join(values, " "))
	}
	return told
}

// TestHistoryOfGround gives a conversation to teams and lets it sleep. Its history says so,
// also of what no member did: the end of a sleep and of a team.
func TestHistoryOfGround(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		c := w.Conversation()
		product := w.Post("/v1/dashboard/products", `{"name":"Tent"}`).Want(201).Text("id")
		returns := w.team("Returns", `,"productIds":["`+product+`"]`)
		change := func(body string) { w.Patch("/v1/public/conversations/"+c, body).Want(200) }
		later := func(d time.Duration) string { return `{"snoozedUntil":"` + w.Now().Add(d).Format(time.RFC3339) + `"}` }
		change(`{"productId":"` + product + `"}`)
		change(`{"teamId":"` + w.team("Tents", "") + `"}`)
		change(`{"teamId":"` + returns + `"}`)
		change(later(time.Hour))
		change(later(2 * time.Hour))
		change(`{"snoozedUntil":null}`)
		change(later(time.Hour))
		w.Advance(time.Hour)
		w.settle()
		w.Delete("/v1/dashboard/teams/" + returns).Want(200)
		w.settle()
		want := []string{
			"member: product=Tent team=Returns",
			"member: team=Tents",
			"member: team=Returns",
			"member: snoozedUntil=a time status=pending",
			"member: snoozedUntil=a time",
			"member: snoozedUntil=<nil> status=open",
			"member: snoozedUntil=a time status=pending",
			"system: snoozedUntil=<nil> status=open",
			"system: team=<nil>",
		}
		if told := w.history(c); !slices.Equal(told, want) {
			t.Errorf("the history is\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
		}
	})
}
