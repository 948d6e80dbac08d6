package dashboard_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/bulk"
	"parley/internal/store"
)

const bulkPath = "/v1/dashboard/bulk"

// bulkSamples have a row for each operation in bulkRoutes.
func bulkSamples(w *world) map[string]func() apitest.Sample {
	return map[string]func() apitest.Sample{
		"listBulks": func() apitest.Sample { return apitest.NewSample(bulkPath, "", 200) },
		"startBulk": func() apitest.Sample {
			w.Expire() // a member has one job at a time
			return apitest.NewSample(bulkPath, `{"ids":["`+w.Conversation()+`"],"label":"vip"}`, 202)
		},
		"getBulk":    func() apitest.Sample { return apitest.NewSample(bulkPath+"/{bulk}", "", 200) },
		"cancelBulk": func() apitest.Sample { return apitest.NewSample(bulkPath+"/{bulk}/cancel", "", 200) },
		"undoBulk": func() apitest.Sample {
			w.Expire()
			return apitest.NewSample(bulkPath+"/{bulk}/undo", "", 202)
		},
	}
}

// conversationID makes a conversation and returns its id.
func (w *world) conversationID() parley.ID {
	w.T.Helper()
	id, ok := parley.ParseID(w.Conversation())
	if !ok {
		w.T.Fatal("a conversation has no id")
	}
	return id
}

// bulkOf makes a job of a member that has ended.
func (w *world) bulkOf(member parley.UserID) string {
	w.T.Helper()
	by := w.By()
	by.Member = member
	start := func() (parley.BulkJob, error) {
		return w.Work.Bulk.Start(w.T.Context(), by, bulk.Request{IDs: []parley.ID{w.conversationID()}, Do: bulk.Action{Label: "vip"}})
	}
	job, err := start()
	for range 30 { // those of other samples run, and mails may take the places of one run
		w.Expire()
		if parley.KindOf(err) == parley.Conflict {
			job, err = start()
		}
	}
	if err != nil {
		w.T.Fatal(err)
	}
	return job.ID.String()
}

// TestBulk starts, follows, cancels and undoes jobs, and refuses what is no job.
func TestBulk(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, agent := w.member(parley.Agent)
		as := func(method, path, body string) apitest.Answer {
			return w.Send(apitest.Request{Method: method, Path: path, Body: body, Session: agent})
		}
		first, second := w.Conversation(), w.Conversation()
		w.Patch("/v1/public/conversations/"+second, `{"labels":["vip"]}`).Want(200)
		position := ""
		w.Events(&position)

		job := w.Post(bulkPath, `{"filter":"label=vip&status=open","change":{"status":"pending","priority":null,"assigneeId":"`+string(w.Home.Owner.ID)+`"}}`).
			Want(202).Is("state", `"running"`, "action", `"change"`, "total", "1", "changed", "0", "undoes", "null", "endedAt", "null").Text("id")
		w.Post(bulkPath, `{"ids":["`+first+`"],"read":true}`).Refused(409, "you change many conversations already; wait until that has ended, or cancel it")
		w.Post(bulkPath+"/"+job+"/undo", "").Refused(409, "the job still runs; cancel it first, or wait until it has ended")
		as("GET", bulkPath+"/"+job, "").Refused(404, "no such bulk job in this workspace")
		as("POST", bulkPath+"/"+job+"/cancel", "").Refused(404, "no such bulk job in this workspace")
		as("POST", bulkPath+"/"+job+"/undo", "").Refused(404, "no such bulk job in this workspace")
		w.Expire() // which runs it
		w.Get(bulkPath+"/"+job).Want(200).Is("state", `"done"`, "changed", "1", "skipped", "0", "failed", "0")
		undo := w.Post(bulkPath+"/"+job+"/undo", "").Want(202).Is("action", `"undo"`, "undoes", `"`+job+`"`).Text("id")
		w.Expire()
		w.Get(bulkPath+"/"+undo).Want(200).Is("changed", "1")
		if got := strings.Join(w.Events(&position), "; "); got != "conversation.updated status,assignee; conversation.updated status,assignee" {
			t.Errorf("the events are %s", got)
		}

		gone := parley.FirstID(w.Now()).String()
		job = w.Post(bulkPath, `{"ids":["`+first+`","`+gone+`"],"except":[],"unlabel":"vip"}`).Want(202).Is("total", "2", "action", `"unlabel"`).Text("id")
		w.Post(bulkPath+"/"+job+"/cancel", "").Want(200).Is("state", `"cancelled"`)
		w.Post(bulkPath+"/"+job+"/cancel", "").Want(200).Is("state", `"cancelled"`)
		own := as("POST", bulkPath, `{"ids":["`+first+`","`+gone+`"],"label":"vip"}`).Want(202).Text("id")
		w.Expire()
		w.Get(bulkPath+"/"+own).Want(200).Is("changed", "1", "skipped", "1", "reasons.gone", "1", "reasons.wrote", "0")
		var list struct{ Data []struct{ ID string } }
		if err := json.Unmarshal(as("GET", bulkPath, "").Want(200).Body, &list); err != nil || fmt.Sprint(list.Data) != "[{"+own+"}]" {
			t.Errorf("the agent has the jobs %v, %v", list, err)
		}

		const one = "change: must change something if there is no label, unlabel or read, and only then"
		archived := w.Post("/v1/dashboard/products", `{"name":"P"}`).Want(201).Text("id")
		w.Patch("/v1/dashboard/products/"+archived, `{"archived":true}`).Want(200)
		ids := `{"ids":["` + first + `"],`
		for body, want := range map[string]string{
			`{"read":true}`: "filter: must be given if ids are not, and only then",
			`{"ids":["` + first + `"],"filter":"status=open","read":true}`: "filter: must be given if ids are not, and only then",
			`{"filter":"status=blue","read":true}`:                         "filter: must be a filter of the list of conversations",
			ids + `"change":{}}`:                                           one,
			ids + `"change":{"spam":true},"label":"vip"}`:                  one,
			ids + `"label":"vip","unlabel":"vip"}`:                         one,
			ids + `"change":{"labels":["vip"]}}`:                           "change: must not have the member labels, which has no effect; " + one,
			ids + `"change":{"status":"blue"}}`:                            "change.status: must be one of open, pending, resolved",
			ids + `"change":{"productId":"` + archived + `"}}`:             "change.productId: must be an active product; this one is archived",
			ids + `"change":{"snoozedUntil":"2026-01-01T00:00:00Z"}}`:      "change.snoozedUntil: must be in the future, at most 400 days ahead",
			ids + `"change":{"snoozedUntil":"` + w.Now().Add(time.Hour).Format(time.RFC3339) + `","status":"open"}}`: "change.status: must be pending or absent beside snoozedUntil",
		} {
			w.Post(bulkPath, body).Refused(400, want)
		}
		w.Post(bulkPath, ids+`"change":{"assigneeId":"usr_nobody"}}`).Refused(404, "change.assigneeId: no such member in this workspace")
		w.Post(bulkPath, ids+`"change":{"productId":"`+gone+`"}}`).Refused(404, "change.productId: no such product in this workspace")
		w.Post(bulkPath, `{"filter":"label=unknown","read":true}`).Want(202).Is("state", `"done"`, "total", "0")
	})
}

// TestBulkTooMany starts a job over more conversations than a job may have.
func TestBulkTooMany(t *testing.T) {
	w := onSQLite(t)
	c, err := w.Desk.Thread(w.By().Visibility(), w.conversationID(), parley.Position{}, 1).Now(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Store.Write(t.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error {
		ids := parley.NewIDs(nil)
		for range parley.MaxBulk {
			more := c.Conversation
			more.ID = ids.New(w.Now())
			if err := tx.InsertConversation(w.Home.Workspace.ID, &more, w.Now()); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	w.Post(bulkPath, `{"filter":"status=open","read":true}`).Refused(400, "filter: must match at most 10000 conversations")
	w.Post(bulkPath, `{"filter":"status=open","except":["`+c.Conversation.ID.String()+`"],"read":true}`).Want(202).Is("total", "10000")
}
