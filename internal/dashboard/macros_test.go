package dashboard_test

import (
	"fmt"
	"strings"
	"testing"

	"parley"
	"parley/internal/apitest"
	"parley/internal/macros"
	"parley/internal/store"
)

// macro makes a macro and returns its id.
func (w *world) macro(body string) string {
	w.T.Helper()
	return w.Post("/v1/dashboard/macros", body).Want(201).Text("id")
}

// macroOf makes a macro of a member's own.
func (w *world) macroOf(member parley.UserID) string {
	w.T.Helper()
	by := w.By()
	by.Member = member
	m, err := w.Work.Macros.CreateMacro(w.T.Context(), by, parley.Macro{Name: "M", Scope: parley.MacroOwn, Actions: parley.MacroActions{Status: parley.Resolved}})
	if err != nil {
		w.T.Fatal(err)
	}
	return m.ID.String()
}

// TestMacroOneTransaction runs a macro with everything, one that fails at its end, and
// one that is too late.
func TestMacroOneTransaction(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		id := w.Conversation()
		run := func(macro, body string) apitest.Answer {
			return w.Post("/v1/dashboard/conversations/"+id+"/macros/"+macro, body)
		}
		product := w.Post("/v1/dashboard/products", `{"name":"Tent"}`).Want(201).Text("id")
		all := w.macro(`{"name":"Close","shortcut":"close","scope":"all","actions":{"note":"Told {{contact.name}}.","reply":"Dear {{contact.name}}, bye. {{me.name}}",
			"status":"resolved","priority":"high","assigneeId":"me","productId":"` + product + `","addLabels":["done","b"],"removeLabels":["new"]}}`)
		w.Patch("/v1/public/conversations/"+id, `{"labels":["new","old"]}`).Want(200)
		position := ""
		w.Events(&position)
		run(all, `{}`).Want(200).Is("status", `"resolved"`, "labels", `["old","done","b"]`, "priority", `"high"`, "product.name", `"Tent"`, "assignee.id", `"`+string(w.Home.Owner.ID)+`"`)
		if got := strings.Join(w.Events(&position), "; "); got != "message.created; message.created; conversation.updated status,priority,assignee,labels,product" {
			t.Errorf("the events are %s", got)
		}
		messages := w.Get("/v1/public/conversations/"+id).Want(200).Is(
			"messages.data.0.content", `"Told Ann."`, "messages.data.0.isPrivate", "true",
			"messages.data.1.content", `"Dear Ann, bye. owner"`, "messages.data.1.senderType", `"agent"`)

		// A product that was archived refuses the whole macro.
		w.Patch("/v1/dashboard/products/"+product, `{"archived":true}`).Want(200)
		w.Patch("/v1/public/conversations/"+id, `{"productId":null}`).Want(200)
		w.Events(&position)
		run(all, `{}`).Want(409)
		last := messages.Text("messages.data.1.id")
		reply := w.macro(`{"name":"Twice","actions":{"note":"a","reply":"b"}}`)
		run(reply, `{"ifLastMessageId":"`+all+`"}`).Want(409)
		if told := w.Events(&position); len(told) > 0 {
			t.Errorf("a refused macro left %v", told)
		}
		run(reply, `{"ifLastMessageId":"`+last+`"}`).Want(200)
		w.Patch("/v1/public/contacts/"+messages.Text("contact.id"), `{"name":"Visitor"}`).Want(200)
		run(w.macro(`{"name":"Name","actions":{"reply":" {{contact.name}} "}}`), `{}`).Refused(409, "a text of the macro would be empty here, or too long for a message")
		run(product, `{}`).Refused(404, "no such macro in this workspace")
		w.Post("/v1/dashboard/conversations/"+product+"/macros/"+all, `{}`).Want(404)
	})
}

// TestMacrosOfMembers compares what members have, and may change.
func TestMacrosOfMembers(t *testing.T) {
	w := onSQLite(t)
	agent := w.join(w.By(), "ann@home.example", "a long password").Token
	as := func(session parley.Token, method, path, body string) apitest.Answer {
		return w.Send(apitest.Request{Method: method, Path: "/v1/dashboard/" + path, Body: body, Session: session})
	}
	position := ""
	w.Events(&position)
	all, own := w.macro(`{"name":"b","scope":"all","actions":{"status":"open"}}`), w.macro(`{"name":"A","actions":{"status":"open"}}`)
	if told := strings.Join(w.Events(&position), "; "); told != "macro.created" {
		t.Errorf("the events are %s", told)
	}
	w.Get("/v1/dashboard/macros").Want(200).Is("data.0.id", `"`+own+`"`, "data.1.id", `"`+all+`"`)
	as(agent, "GET", "macros", "").Want(200).Is("data.0.id", `"`+all+`"`)
	if text := string(as(agent, "GET", "macros", "").Body); strings.Contains(text, own) {
		t.Errorf("another member reads %s", text)
	}
	as(agent, "POST", "macros", `{"name":"x","scope":"all","actions":{"status":"open"}}`).Refused(403, "your role is agent; macros of everybody need admin")
	as(agent, "PATCH", "macros/"+all, `{"name":"x","version":1}`).Want(403)
	as(agent, "DELETE", "macros/"+all, "").Want(403)
	as(agent, "PATCH", "macros/"+own, `{"name":"x","version":1}`).Refused(404, "no such macro in this workspace")
	as(agent, "DELETE", "macros/"+own, "").Want(404)
	as(agent, "POST", "conversations/"+w.Conversation()+"/macros/"+own, "{}").Want(404)
	w.Events(&position)
	w.Patch("/v1/dashboard/macros/"+all, `{"name":"c","version":1}`).Want(200).Is("version", "2")
	w.Patch("/v1/dashboard/macros/"+all, `{"name":"d","version":1}`).Refused(409, "version: must be that of the macro, which is 2")
	w.Patch("/v1/dashboard/macros/"+own, `{"scope":"all","version":1}`).Want(200)
	w.Patch("/v1/dashboard/macros/"+all, `{"scope":"own","version":2}`).Want(200)
	w.Delete("/v1/dashboard/macros/" + own).Want(200)
	if told := strings.Join(w.Events(&position), "; "); told != "macro.updated name,shortcut,actions,version; macro.created; macro.deleted; macro.deleted" {
		t.Errorf("the events are %s", told)
	}
	for _, actions := range []string{
		`{}`, `[]`, `{"x":1}`, `{"status":"closed"}`, `{"priority":"x"}`, `{"assigneeId":"x"}`, `{"productId":"x"}`, `{"reply":"{{contact.email}}"}`, `{"note":"{{}}{{x}}"}`,
		`{"note":"` + strings.Repeat("x", 10_001) + `"}`, `{"addLabels":[" "]}`, `{"addLabels":["."]}`, `{"removeLabels":["` + strings.Repeat(`a","`, 20) + `a"]}`, `{"reply":1}`,
	} {
		w.Post("/v1/dashboard/macros", `{"name":"x","actions":`+actions+`}`).Want(400)
	}
	err := w.Store.Write(t.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error {
		for i := range parley.MaxMacros {
			m := parley.Macro{ID: parley.NewIDs(nil).New(w.Now()), Name: fmt.Sprint(i), Scope: parley.MacroOwn, Owner: w.Home.Owner.ID}
			if err := macros.PutMacro(tx, w.Home.Workspace.ID, &m); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	w.Post("/v1/dashboard/macros", `{"name":"x","actions":{"status":"open"}}`).Refused(409, "there are 500 macros already")
}
