package dashboard_test

import (
	"slices"
	"strings"
	"testing"
)

func TestWidgetSettings(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path := "/v1/dashboard/inboxes/" + w.webInbox().String() + "/widget"
		w.Get(path).Want(200).Is("origins", "[]", "identity", `"optional"`, "title", `"Chat with us"`, "color", `"#1d4ed8"`, "position", `"right"`)
		w.Patch(path, `{"origins":["https://Shop.example/","http://localhost:3000","https://shop.example"],"identity":"required","color":"#ABCDEF"}`).
			Want(200).Is("origins", `["https://shop.example","http://localhost:3000"]`, "identity", `"required"`, "color", `"#abcdef"`)
		w.Patch(path, `{"greeting":"","position":"left"}`).Want(200)
		w.Get(path).Want(200).Is("origins", `["https://shop.example","http://localhost:3000"]`, "greeting", `""`, "position", `"left"`)
		w.Patch(path, `{"origins":[]}`).Want(200).Is("origins", "[]")
		for body, message := range map[string]string{
			`{"title":" "}`:         "title: must be a string of 1 to 60 characters, not blank",
			`{"identity":"always"}`: "identity: must be one of off, optional, required",
			`{"position":"top"}`:    "position: must be one of right, left",
			`{"color":"red"}`:       "color: must be a colour such as #1d4ed8",
		} {
			w.Patch(path, body).Refused(400, message)
		}
		for _, origin := range []string{
			"shop.example", "ftp://shop.example", "https://shop.example/path", "https://shop.example?x", "https://user@shop.example",
			"https://", "*", "https://*", "https://a;script-src *", "https://a b", "javascript:alert(1)", "https://shop.example\\n'self'", "null",
		} {
			w.Patch(path, `{"origins":["`+origin+`"]}`).Refused(400,
				"origins: must be an array of 0 to 20 items; item 1 must be an origin such as https://shop.example")
		}
		w.Patch(path, `{"origins":[`+strings.Repeat(`"https://a.example",`, 20)+`"https://a.example"]}`).Want(400)

		const none = "the inbox has no widget; only those for the web have"
		api := "/v1/dashboard/inboxes/" + w.Home.Inbox.ID.String() + "/widget"
		w.Get(api).Refused(404, none)
		w.Patch(api, `{}`).Refused(404, none)
		away, err := w.Access.CreateWorkspace(t.Context(), "Away", "owner@away.example")
		if err != nil {
			t.Fatal(err)
		}
		w.Get("/v1/dashboard/inboxes/" + away.Inbox.ID.String() + "/widget").Want(404)
	})
}

func TestContactDuplicates(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const path = "/v1/dashboard/contact-duplicates"
		inbox := w.webInbox()
		after := ""
		told := func(want ...string) {
			t.Helper()
			got := slices.DeleteFunc(w.Events(&after), func(e string) bool { return !strings.HasPrefix(e, "contact_duplicate.") })
			if !slices.Equal(got, want) {
				t.Errorf("the events are %q, want %q", got, want)
			}
		}
		first, second := w.customer(inbox, "a", "x@x.example"), w.customer(inbox, "b", "X@x.example")
		told("contact_duplicate.created")
		w.customer(inbox, "b", "X@x.example")
		told()
		w.Get(path).Want(200).Is("data.0.contact.id", `"`+second.Contact.ID.String()+`"`, "data.0.other.email", `"x@x.example"`, "data.0.email", `"X@x.example"`)
		if n := w.Get(path + "?contactId=" + w.Contact(`{"name":"Cy"}`)).Want(200).Count("data"); n != 0 {
			t.Errorf("a contact without a duplicate has %d", n)
		}
		if n := w.Get(path + "?contactId=0193480f-2c4a-7d1e-8f00-3a5b9c2d1e01").Want(200).Count("data"); n != 0 {
			t.Errorf("no contact has %d duplicates", n)
		}
		id := w.Get(path + "?contactId=" + first.Contact.ID.String()).Want(200).Text("data.0.id")
		w.Delete(path + "/" + id).Want(200)
		w.Delete(path+"/"+id).Refused(404, "no such possible duplicate in this workspace")
		told("contact_duplicate.deleted")
		// Signing in with the other contact's address is then not reported
		// again, in either order.
		w.customer(inbox, "b", "b@x.example")
		w.customer(inbox, "a", "b@x.example")
		w.customer(inbox, "b", "x@x.example")
		told()
		if n := w.Get(path).Want(200).Count("data"); n != 0 {
			t.Errorf("%d pairs are back that were dismissed", n)
		}
		// Two merged contacts are not a pair.
		third := w.customer(inbox, "c", "x@x.example")
		told("contact_duplicate.created")
		w.Post("/v1/dashboard/contacts/"+third.Contact.ID.String()+"/merge", `{"intoId":"`+first.Contact.ID.String()+`"}`).Want(200)
		told("contact_duplicate.deleted")
		w.Get(path+"?contactId=x").Refused(400, "contactId: must be a UUID")
	})
}
