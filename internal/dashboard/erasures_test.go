package dashboard_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/backup/schedule"
	"parley/internal/desk"
)

func erasureSamples(w *world) map[string]func() apitest.Sample {
	contact := func() string { return w.Contact(`{"name":"Ann"}`) }
	return map[string]func() apitest.Sample{
		"previewErasure": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/contacts/"+contact()+"/erasure", "", 200)
		},
		"eraseContact": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/contacts/"+contact()+"/erasure", "", 202)
		},
		"deleteConversation": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/conversations/"+w.Conversation(), "", 202)
		},
		"getRetention": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/inboxes/"+w.NewInbox(desk.NewInbox{Name: "Old", Channel: parley.ChannelAPI}).String()+"/retention", "", 200)
		},
		"setRetention": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/inboxes/"+w.NewInbox(desk.NewInbox{Name: "Old", Channel: parley.ChannelAPI}).String()+"/retention", `{"days":30}`, 200)
		},
		"listErasures": func() apitest.Sample { return apitest.NewSample("/v1/dashboard/erasures", "", 200) },
		"getErasure": func() apitest.Sample {
			id := w.Delete("/v1/dashboard/conversations/" + w.Conversation()).Want(202).Text("id")
			return apitest.NewSample("/v1/dashboard/erasures/"+id, "", 200)
		},
	}
}

// settle runs timers until nothing is due for a while.
func (w *world) settle() {
	w.T.Helper()
	for range 4 {
		w.Advance(3 * time.Second)
		w.Expire()
	}
}

// TestErasure erases a person as an admin does, and compares the preview with what
// was deleted, and the log before and after.
func TestErasure(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		contact := w.Contact(`{"name":"Ann","email":"ann@x.example"}`)
		conversation := w.Post("/v1/public/conversations", `{"contactId":"`+contact+`"}`).Want(201).Text("id")
		for range 3 {
			w.Post("/v1/public/conversations/"+conversation+"/messages", `{"content":"hello","role":"incoming"}`).Want(201)
		}
		path := "/v1/dashboard/contacts/" + contact + "/erasure"
		w.Get(path).Want(200).Is("contactId", `"`+contact+`"`, "conversations", "1", "messages", "3", "groups", "0", "files", "0", "mergedContacts", "0")
		before := w.Get("/v1/public/events?limit=200").Want(200)
		made := w.Post(path, "").Want(202).Is("kind", `"contact"`, "subjectId", `"`+contact+`"`, "askedBy", `"`+string(w.Home.Owner.ID)+`"`, "finishedAt", "null")
		w.Post(path, "").Want(202).Is("id", `"`+made.Text("id")+`"`)
		w.settle()
		ended := w.Get("/v1/dashboard/erasures/"+made.Text("id")).Want(200).Is("counts.conversations", "1", "counts.messages", "3")
		if ended.Field("finishedAt") == nil {
			t.Fatalf("the erasure goes on: %s", ended.Body)
		}
		w.Get("/v1/dashboard/erasures").Want(200).Is("data.0.id", `"`+made.Text("id")+`"`)
		w.Get("/v1/public/contacts/" + contact).Want(404)
		w.Get("/v1/public/conversations/" + conversation).Want(404)
		w.Get(path).Refused(404, "no such contact in this workspace")
		w.Post(path, "").Refused(404, "no such contact in this workspace")
		after := w.Get("/v1/public/events?limit=200").Want(200)
		if after.Count("data") != before.Count("data")+2 { // conversation.deleted, contact.deleted
			t.Errorf("there were %d events and are %d", before.Count("data"), after.Count("data"))
		}
		for i := range before.Count("data") {
			for _, member := range []string{"seq", "createdAt"} {
				name := fmt.Sprintf("data.%d.%s", i, member)
				if was, is := before.Field(name), after.Field(name); was != is {
					t.Errorf("%s was %v and is %v", name, was, is)
				}
			}
		}
		if erased := strings.Count(string(after.Body), `"type":"erased"`); erased != 5 { // two created, three messages
			t.Errorf("%d events are erased: %s", erased, after.Body)
		}
	})
}

// TestErasureNamesBackups shows which scheduled backups contain an erased person, in
// the preview, the answer and the list, without a schedule and with one.
func TestErasureNamesBackups(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		contact := w.Contact(`{"name":"Ann"}`)
		path := "/v1/dashboard/contacts/" + contact + "/erasure"
		w.Get(path).Want(200).Is("backups.scheduled", "false", "backups.unknown", "false", "backups.newestAt", "null", "backups.endAt", "null")
		if err := schedule.Plan(t.Context(), w.Desk, 24*time.Hour); err != nil {
			t.Fatal(err)
		}
		w.Get(path).Want(200).Is("backups.scheduled", "true", "backups.unknown", "true", "backups.newestAt", "null", "backups.endAt", "null")
		now := w.Now()
		if _, err := desk.Write(t.Context(), w.Desk, desk.Caller{}, func(t *desk.Tx) (struct{}, error) {
			return struct{}{}, schedule.UpdateDone(t, &schedule.State{DoneAt: now})
		}); err != nil {
			t.Fatal(err)
		}
		text := func(at time.Time) string { return `"` + at.UTC().Format("2006-01-02T15:04:05.000Z") + `"` }
		newest, end := text(now), text(now.Add(14*24*time.Hour))
		for _, answer := range []apitest.Answer{w.Get(path).Want(200), w.Post(path, "").Want(202)} {
			answer.Is("backups.scheduled", "true", "backups.unknown", "false", "backups.newestAt", newest, "backups.endAt", end)
		}
		w.Get("/v1/dashboard/erasures").Want(200).Is("data.0.backups.newestAt", newest)
	})
}

// TestDeleteConversation deletes one conversation: it is gone with the answer, and
// its contact stays.
func TestDeleteConversation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		contact := w.Contact(`{"name":"Ann"}`)
		conversation := w.Post("/v1/public/conversations", `{"contactId":"`+contact+`"}`).Want(201).Text("id")
		w.Post("/v1/public/conversations/"+conversation+"/messages", `{"content":"hello"}`).Want(201)
		w.Delete("/v1/dashboard/conversations/"+conversation).Want(202).Is("kind", `"conversation"`, "counts.conversations", "1", "counts.messages", "1")
		w.Get("/v1/public/conversations/" + conversation).Want(404)
		w.Delete("/v1/dashboard/conversations/"+conversation).Refused(404, "no such conversation in this workspace")
		w.Get("/v1/public/contacts/" + contact).Want(200)
		w.Get("/v1/dashboard/erasures/"+unknownID).Refused(404, "no such erasure in this workspace")
	})
}

// TestGroupsAreNoPersons refuses to erase the contact that stands for a group, and
// returns the group again to the key of its creation after its conversation is gone.
func TestGroupsAreNoPersons(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Post("/v1/dashboard/numbers", `{"phone":"4930555001","driver":"sandbox"}`).Want(201)
		group := apitest.Request{Method: "POST", Path: "/v1/public/chatapp/groups", Body: `{"name":"Friends","participants":["4915112345678"]}`}
		group.Header = map[string][]string{"Idempotency-Key": {"friends"}}
		made := w.Send(group).Want(201).Is("added.0", `"4915112345678"`)
		conversation := made.Text("conversation_id")
		contact := w.Get("/v1/public/conversations/" + conversation).Want(200).Text("contact.id")
		const says = "the contact stands for a group; delete its conversation instead"
		w.Get("/v1/dashboard/contacts/"+contact+"/erasure").Refused(409, says)
		w.Post("/v1/dashboard/contacts/"+contact+"/erasure", "").Refused(409, says)
		w.Delete("/v1/dashboard/conversations/" + conversation).Want(202)
		w.settle()
		w.Send(group).Is("group_jid", `"`+made.Text("group_jid")+`"`, "conversation_id", `"`+conversation+`"`, "added", "[]")
		if _, ok := parley.ParseID(conversation); !ok {
			t.Error("the conversation has no id")
		}
	})
}

// TestRetention sets a rule for one of two inboxes: of its conversations, those that
// were resolved long ago are deleted, and all others stay.
func TestRetention(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		inbox, beside := w.NewInbox(desk.NewInbox{Name: "Old", Channel: parley.ChannelAPI}), w.NewInbox(desk.NewInbox{Name: "Kept", Channel: parley.ChannelAPI})
		contact := w.Contact(`{"name":"Ann"}`)
		begin := func(in parley.ID, resolve bool) string {
			id := w.Post("/v1/public/conversations", `{"contactId":"`+contact+`","inboxId":"`+in.String()+`"}`).Want(201).Text("id")
			w.Post("/v1/public/conversations/"+id+"/messages", `{"content":"hello","role":"incoming"}`).Want(201)
			if resolve {
				w.Patch("/v1/public/conversations/"+id, `{"status":"resolved"}`).Want(200)
			}
			return id
		}
		old, open, other := begin(inbox, true), begin(inbox, false), begin(beside, true)
		w.Advance(20 * 24 * time.Hour)
		w.Owner = w.SignIn(w.Home.Owner.ID)
		late := begin(inbox, true)
		path := "/v1/dashboard/inboxes/" + inbox.String() + "/retention"
		w.Get(path).Want(200).Is("days", "null", "due", "0")
		w.Get(path+"?days=10").Want(200).Is("days", "null", "due", "1")
		w.Send(apitest.Request{Method: "PUT", Path: path, Body: `{"days":0}`}).Refused(400, "days: must be a whole number from 1 to 36500, or null")
		w.Send(apitest.Request{Method: "PUT", Path: path, Body: `{}`}).Refused(400, "days: must be a whole number from 1 to 36500, or null")
		w.Send(apitest.Request{Method: "PUT", Path: path, Body: `{"days":10}`}).Want(200).Is("days", "10", "due", "1")
		w.settle()
		w.Get("/v1/public/conversations/" + old).Want(404)
		for _, id := range []string{open, other, late} {
			w.Get("/v1/public/conversations/" + id).Want(200)
		}
		w.Get("/v1/dashboard/erasures").Want(200).Is("data", "[]") // what a rule did is no erasure to repeat
		w.Send(apitest.Request{Method: "PUT", Path: path, Body: `{"days":null}`}).Want(200).Is("days", "null")
		w.Advance(30 * 24 * time.Hour)
		w.Owner = w.SignIn(w.Home.Owner.ID)
		w.settle()
		w.Get("/v1/public/conversations/" + late).Want(200)
		w.Send(apitest.Request{Method: "PUT", Path: "/v1/dashboard/inboxes/" + unknownID + "/retention", Body: `{"days":1}`}).Refused(404, "no such inbox in this workspace")
		w.Get("/v1/dashboard/inboxes/"+unknownID+"/retention").Refused(404, "no such inbox in this workspace")
	})
}
