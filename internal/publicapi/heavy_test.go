package publicapi_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestHeavyAnswers reads lists of large records. A page ends early, with a cursor
// that leads on; what has no cursor is there in full.
func TestHeavyAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("writes many rows, and nothing at once")
	}
	each(t, func(t *testing.T, w *world) {
		const count = 24
		company := w.Post("/v1/public/companies", `{"name":"Acme"}`).Want(201).Text("id")
		conversation := w.Conversation()
		attributes := `{"a":"` + strings.Repeat("<", 60<<10) + `"}`
		var contacts, conversations, messages []string
		for i := range count {
			w.Advance(time.Second)
			id := w.Contact(fmt.Sprintf(`{"name":"C","identifier":"i-%d","customAttributes":%s}`, i, attributes))
			w.Patch("/v1/public/contacts/"+id, `{"companyId":"`+company+`"}`).Want(200)
			made := w.Post("/v1/public/conversations", `{"contactId":"`+id+`","customAttributes":`+attributes+`}`).Want(201).Text("id")
			written := w.Post("/v1/public/conversations/"+conversation+"/messages", `{"content":"`+strings.Repeat("<", 60<<10)+`"}`).Want(201).Text("id")
			contacts, conversations, messages = append(contacts, id), append(conversations, made), append(messages, written)
		}
		for path, want := range map[string][]string{"/v1/public/contacts": contacts, "/v1/public/conversations": conversations} {
			var got []string
			for cursor, pages := "", 0; pages < 2*count; pages++ {
				page := w.Get(path + "?limit=200&cursor=" + url.QueryEscape(cursor)).Want(200)
				if len(page.Body) > 6*(1<<20)+count*4096 {
					t.Errorf("%s: a page has %d bytes", path, len(page.Body))
				}
				got = append(got, page.IDs()...)
				if cursor = page.Text("next_cursor"); cursor == "" {
					break
				}
			}
			for _, id := range want {
				if n := len(got) - len(slices.DeleteFunc(slices.Clone(got), func(other string) bool { return other == id })); n != 1 {
					t.Errorf("%s shows %s %d times", path, id, n)
				}
			}
		}
		read := 0
		for cursor, pages := "", 0; pages < 2*count; pages++ {
			page := w.Get("/v1/public/conversations/" + conversation + "?messages_limit=200&messages_cursor=" + url.QueryEscape(cursor)).Want(200)
			items := page.Field("messages.data").([]any)
			for i := range items {
				// Newest page first, each in the order of writing.
				if want := messages[count-read-len(items)+i]; page.Text(fmt.Sprintf("messages.data.%d.id", i)) != want {
					t.Errorf("page %d: message %d is another one than %s", pages, i, want)
				}
			}
			read += len(items)
			if cursor = page.Text("messages.next_cursor"); cursor == "" {
				break
			}
		}
		if read != count {
			t.Errorf("%d messages of %d were read", read, count)
		}
		slices.Reverse(contacts)
		for _, path := range []string{"/v1/public/companies/", "/v1/public/stores/"} {
			if got := w.Get(path + company + "/contacts?limit=200").Want(200).IDs(); !slices.Equal(got, contacts) {
				t.Errorf("%s: the contacts are %v, want %v", path, got, contacts)
			}
		}
	})
}
