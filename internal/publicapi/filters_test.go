package publicapi_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// TestChangeIf changes a conversation only while it has the values that the caller names.
func TestChangeIf(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		contact := w.Contact(`{"name":"Ann"}`)
		id := w.Post("/v1/public/conversations", `{"contactId":"`+contact+`","labels":["vip","refund"],"priority":"low"}`).Want(201).Text("id")
		path := "/v1/public/conversations/" + id
		all := `{"status":"open","priority":"low","assigneeId":null,"teamId":null,"productId":null,"labels":["refund","vip"],"snoozedUntil":null,"spam":false}`
		w.Patch(path, `{"status":"resolved","if":`+all+`}`).Want(200).Is("status", `"resolved"`)
		for value, want := range map[string]string{
			`"status":"open"`: "status: must be the value of the conversation, which is resolved", `"priority":null`: "priority: must be the value of the conversation, which is low",
			`"assigneeId":"usr_x"`:                      "assigneeId: must be the value of the conversation, which is none",
			`"teamId":"` + id + `"`:                     "teamId: must be the value of the conversation, which is none",
			`"productId":"` + id + `"`:                  "productId: must be the value of the conversation, which is none",
			`"labels":["vip"]`:                          `labels: must be the value of the conversation, which is "refund", "vip"`,
			`"snoozedUntil":"2026-11-21T10:00:00.000Z"`: "snoozedUntil: must be the value of the conversation, which is none",
			`"spam":true`:                               "spam: must be the value of the conversation, which is false",
		} {
			w.Patch(path, `{"status":"open","labels":[],"if":{`+value+`}}`).Refused(409, "if."+want)
		}
		w.Patch(path, `{"if":{"status":"closed","nature":1},"priority":"high"}`).Refused(400, "if: must not have the member nature, which has no effect; if.status: must be one of open, pending, resolved")
		w.Patch(path, `{"if":{"spam":true,"spam":false}}`).Refused(400, "if: must have each member once")
		w.Patch(path, `{"if":[]}`).Refused(400, "if: must be an object")
		w.Patch(path, `{"if":{}}`).Want(200).Is("status", `"resolved"`)
	})
}

// TestFiltersOfWork lists conversations by team, priority, labels, sleep and activity.
// Each list has its own cursor, those that were merged are left out everywhere unless
// asked, and the ids alone are listed by the same filters.
func TestFiltersOfWork(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		contact, ws := w.Contact(`{"name":"Ann"}`), w.Home.Workspace.ID
		team := parley.NewIDs(nil).New(w.Now())
		start, made := w.Now(), map[string]parley.ID{}
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			w.Advance(time.Second)
			made[name] = parseID(t, w.Post("/v1/public/conversations", `{"contactId":"`+contact+`"}`).Want(201).Text("id"))
		}
		path := func(name string) string { return "/v1/public/conversations/" + made[name].String() }
		w.Patch(path("a"), `{"priority":"urgent","labels":["vip","refund"]}`).Want(200)
		w.Patch(path("b"), `{"priority":"low","labels":["vip"],"status":"pending"}`).Want(200)
		change := func(name string, set func(*parley.Conversation)) func(tx *store.Tx) error {
			return func(tx *store.Tx) error {
				c, err := tx.Conversation(parley.WholeWorkspace(ws), made[name])
				if err != nil {
					return err
				}
				set(&c)
				return tx.UpdateConversation(ws, &c, w.Now())
			}
		}
		for _, write := range []func(tx *store.Tx) error{
			func(tx *store.Tx) error {
				return store.Exec(tx, ws, "INSERT INTO teams (workspace_id, team_id, name, color, created_at, updated_at) VALUES ($1, $2, 'Returns', 'teal', 1, 1)", team)
			},
			change("a", func(c *parley.Conversation) { c.Team.ID, c.WokeAt = team, w.Now() }),
			change("b", func(c *parley.Conversation) { c.SnoozedUntil = w.Now().Add(time.Hour) }),
			change("e", func(c *parley.Conversation) {
				c.MergedInto, c.MergedAt, c.UnreadCount, c.WaitingSince = made["d"], w.Now(), 1, w.Now()
			}),
		} {
			if err := w.Store.Write(t.Context(), ws, write); err != nil {
				t.Fatal(err)
			}
		}
		w.Get(path("a")).Want(200).Is("team.name", `"Returns"`, "wokeAt", `"2026-11-21T10:00:05.000Z"`)
		w.Get(path("e")).Want(200).Is("id", `"`+made["d"].String()+`"`, "mergedInto", "null") // its id leads on
		at := func(d time.Duration) string { return start.Add(d).Format(time.RFC3339) }
		for query, want := range map[string]string{
			"": "dcba", "merged=true": "e", "updatedSince=" + at(0): "cdabe", "teamId=" + team.String(): "a", "teamId=none": "dcb",
			"priority=urgent": "a", "priority=none": "dc", "label=vip": "ba", "label=vip&label=refund": "a", "notLabel=refund": "dcb",
			"label=vip&notLabel=refund": "b", "snoozed=true": "b", "snoozed=false": "dca", "woke=true": "a",
			"activeAfter=" + at(3*time.Second): "dc", "activeBefore=" + at(3*time.Second): "ba",
			"activeAfter=" + at(2*time.Second) + "&activeBefore=" + at(3*time.Second): "b", "snoozed=true&priority=low&label=vip": "b",
		} {
			ids := w.Get("/v1/public/conversations?" + query).Want(200).IDs()
			got := ""
			for _, id := range ids {
				for name, known := range made {
					if known.String() == id {
						got += name
					}
				}
			}
			if got != want {
				t.Errorf("%q finds %s, want %s", query, got, want)
			}
		}
		page := w.Get("/v1/public/conversations?snoozed=false&limit=1").Want(200)
		w.Get("/v1/public/conversations?limit=1&cursor="+page.Text("next_cursor")).Refused(400, "cursor: must be a next_cursor of this list with the same filters")
		six := strings.Repeat("&label=x", 6)
		w.Get("/v1/public/conversations?"+six[1:]).Refused(400, "label: must be given at most 5 times")
		w.Get("/v1/public/conversations?label=").Refused(400, "label: must be 1 to 100 characters, not blank")
		w.Get("/v1/public/conversations?snoozed=maybe").Want(400)

		counts := desk.View(w.Desk, func(v *store.View) ([]parley.ID, error) {
			counts, err := desk.SelectCounts(v, parley.WholeWorkspace(ws), w.Home.Owner.ID)
			if counts.Open != 3 || counts.Unread != 0 || counts.Waiting != 0 || counts.ToRead != 0 {
				t.Errorf("the counts are %+v", counts)
			}
			if err != nil {
				return nil, err
			}
			unread, err := desk.SelectUnread(v, parley.WholeWorkspace(ws), w.Home.Owner.ID)
			if len(unread.New) > 0 {
				t.Errorf("%v are unread", unread.New)
			}
			if err != nil {
				return nil, err
			}
			p, err := v.ConversationIDs(parley.WholeWorkspace(ws), store.ConversationFilter{IDs: []parley.ID{made["a"], made["b"], made["e"]}}, parley.Position{}, 1)
			if err != nil || !p.HasMore {
				t.Errorf("there is no second page (%v)", err)
			}
			rest, err := v.ConversationIDs(parley.WholeWorkspace(ws), store.ConversationFilter{IDs: []parley.ID{made["a"], made["b"], made["e"]}}, p.Next, 9)
			return append(p.Items, rest.Items...), err
		})
		if ids, err := counts.Now(t.Context()); err != nil || !slices.Equal(ids, []parley.ID{made["b"], made["a"]}) {
			t.Errorf("the ids are %v (%v)", ids, err)
		}
	})
}
