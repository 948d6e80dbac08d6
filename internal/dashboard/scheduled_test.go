package dashboard_test

import (
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
)

// scheduledSamples have a row for each operation in scheduledRoutes.
func scheduledSamples(w *world) map[string]func() apitest.Sample {
	of := func() string { return "/v1/dashboard/conversations/" + w.Conversation() + "/scheduled" }
	const body = `{"content":"Good morning!","sendAt":"2026-11-22T08:00:00Z"}`
	one := func() string { return "/v1/dashboard/scheduled/" + w.Post(of(), body).Want(201).Text("id") }
	return map[string]func() apitest.Sample{
		"listScheduled":    func() apitest.Sample { return apitest.NewSample(of(), "", 200) },
		"createScheduled":  func() apitest.Sample { return apitest.NewSample(of(), body, 201) },
		"updateScheduled":  func() apitest.Sample { return apitest.NewSample(one(), `{"ifQuiet":false}`, 200) },
		"deleteScheduled":  func() apitest.Sample { return apitest.NewSample(one(), "", 200) },
		"sendScheduledNow": func() apitest.Sample { return apitest.NewSample(one()+"/send", "", 201) },
	}
}

// TestScheduled schedules, changes, deletes and sends messages: with files, which stay
// as long as they are needed, by others than the author, and too many.
func TestScheduled(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, annToken := w.member(parley.Agent)
		_, boToken := w.member(parley.Agent)
		c := w.Conversation()
		of := "/v1/dashboard/conversations/" + c + "/scheduled"
		send := func(who parley.Token, method, path, body string) apitest.Answer {
			w.Advance(time.Millisecond)
			return w.Send(apitest.Request{Method: method, Path: path, Body: body, Session: who})
		}
		upload := func() string {
			return w.Send(apitest.Request{Method: "POST", Path: "/v1/public/attachments?fileName=plan.txt", Body: "a plan"}).Want(201).Text("id")
		}
		in := func(d time.Duration) string { return `"` + w.Now().Add(d).Format(time.RFC3339Nano) + `"` }

		const far = "sendAt: must be 1 minute to 90 days ahead"
		for _, ahead := range []time.Duration{-time.Hour, 58 * time.Second, 90*24*time.Hour + time.Minute} {
			send(annToken, "POST", of, `{"content":"x","sendAt":`+in(ahead)+`}`).Refused(400, far)
		}
		send(annToken, "POST", of, `{"content":" ","sendAt":"tomorrow"}`).Want(400)

		file, other := upload(), upload()
		made := send(annToken, "POST", of, `{"attachmentIds":["`+file+`","`+other+`"],"sendAt":`+in(80*time.Hour)+`}`).Want(201)
		made.Is("content", `""`, "contentType", `"file"`, "state", `"waiting"`, "ifQuiet", "true", "version", "1", "attachments.1.id", `"`+other+`"`)
		if address := made.Text("attachments.0.url"); !strings.Contains(address, "&s=") {
			t.Errorf("the address of the file is %s", address)
		}
		one := "/v1/dashboard/scheduled/" + made.Text("id")
		w.Post("/v1/public/conversations/"+c+"/messages", `{"attachmentIds":["`+file+`"]}`).
			Refused(409, "attachmentIds: must not be those of another message; "+file+" is")
		send(annToken, "PATCH", one, `{"content":""}`).Want(200).Is("version", "1")
		send(annToken, "PATCH", one, `{"content":"The plan","version":1}`).Want(200).Is("version", "2", "content", `"The plan"`)
		send(annToken, "PATCH", one, `{"content":"Our plan","version":1}`).Refused(409, "version: must be that of the scheduled message, which is 2")
		for method, path := range map[string]string{"PATCH": one, "DELETE": one, "POST": one + "/send"} {
			send(boToken, method, path, map[string]string{"PATCH": "{}"}[method]).Refused(403, "your role is agent; this needs admin")
			send(annToken, method, strings.Replace(path, made.Text("id"), c, 1), map[string]string{"PATCH": "{}"}[method]).Refused(404, "no such scheduled message in this workspace")
		}

		send(boToken, "GET", strings.Replace(of, c, file, 1), "").Refused(404, "no such conversation in this workspace")
		send(annToken, "POST", strings.Replace(of, c, file, 1), `{"content":"x","sendAt":`+in(time.Hour)+`}`).Refused(404, "no such conversation in this workspace")

		// Its files outlive the purge, and are unattached for a day after it was deleted.
		w.Advance(30 * time.Hour)
		w.Expire()
		send(boToken, "GET", of, "").Want(200).Is("data.0.attachments.1.id", `"`+other+`"`, "data.0.author.name", `"The agent"`)
		send(annToken, "DELETE", one, "").Want(200)
		w.Advance(20 * time.Hour)
		w.Expire()
		again := send(annToken, "POST", of, `{"content":"Once more","attachmentIds":["`+other+`"],"sendAt":`+in(time.Hour)+`}`).Want(201).Text("id")
		w.Advance(8 * time.Hour)
		w.Expire()
		sent := w.Get("/v1/public/conversations/" + c + "/messages").Want(200)
		sent.Is("data.0.content", `"Once more"`, "data.0.sender.name", `"The agent"`, "data.0.attachments.0.id", `"`+other+`"`)
		w.Get("/v1/public/attachments/" + file).Want(404)
		send(annToken, "PATCH", "/v1/dashboard/scheduled/"+again, `{}`).Want(404)

		for range parley.MaxScheduled {
			made = send(annToken, "POST", of, `{"content":"x","sendAt":`+in(time.Hour)+`}`).Want(201)
		}
		send(annToken, "POST", of, `{"content":"x","sendAt":`+in(time.Hour)+`}`).Refused(409, "a conversation has at most 20 scheduled messages; send or delete one first")
		send(annToken, "PATCH", "/v1/dashboard/scheduled/"+made.Text("id"), `{"content":""}`).Refused(400, "content: must be a string of 1 to 65536 bytes of UTF-8, not blank")
		// An owner sends it in the own name.
		w.Post("/v1/dashboard/scheduled/"+made.Text("id")+"/send", "").Want(201).Is("content", `"x"`, "senderId", `"`+string(w.Home.Owner.ID)+`"`)
	})
}

// TestScheduledMentions has a note that is added later name members: those who are members
// then.
func TestScheduledMentions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		left, _ := w.member(parley.Agent)
		c := w.Conversation()
		of := "/v1/dashboard/conversations/" + c + "/scheduled"
		owner, leaver := string(w.Home.Owner.ID), string(left.ID)
		at := w.Now().Add(time.Hour).Format(time.RFC3339Nano)
		note := func(mentions string) string {
			return `{"content":"look","isPrivate":true,"sendAt":"` + at + `","mentions":[` + mentions + `]}`
		}
		w.Post(of, note(`"usr_nobody"`)).Refused(404, "mentions: no such member in this workspace")
		w.Post(of, note(`"`+owner+`","`+owner+`"`)).Refused(400, "mentions: must be at most 50 different ids")
		w.Post(of, strings.Replace(note(`"`+owner+`"`), "true", "false", 1)).Refused(400, "mentions: must be absent on a message that is not private")
		w.Post(of, note(`"`+owner+`","`+leaver+`"`)).Want(201).Is("mentions.0", `"`+owner+`"`, "mentions.1", `"`+leaver+`"`)
		w.Delete("/v1/dashboard/members/" + leaver).Want(200)
		w.Advance(2 * time.Hour)
		w.Expire()
		w.Get("/v1/public/conversations/"+c+"/messages").Want(200).Is("data.0.content", `"look"`, "data.0.mentions", `["`+owner+`"]`)
	})
}
