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
		company := w.post("/v1/public/companies", `{"name":"Acme"}`).want(201).text("id")
		conversation := w.conversation()
		attributes := `{"a":"` + strings.Repeat("<", 60<<10) + `"}`
		var contacts, conversations, messages []string
		for i := range count {
			w.advance(time.Second)
			id := w.contact(fmt.Sprintf(`{"name":"C","identifier":"i-%d","customAttributes":%s}`, i, attributes))
			w.patch("/v1/public/contacts/"+id, `{"companyId":"`+company+`"}`).want(200)
			made := w.post("/v1/public/conversations", `{"contactId":"`+id+`","customAttributes":`+attributes+`}`).want(201).text("id")
			written := w.post("/v1/public/conversations/"+conversation+"/messages", `{"content":"`+strings.Repeat("<", 60<<10)+`"}`).want(201).text("id")
			contacts, conversations, messages = append(contacts, id), append(conversations, made), append(messages, written)
		}
		for path, want := range map[string][]string{"/v1/public/contacts": contacts, "/v1/public/conversations": conversations} {
			var got []string
			for cursor, pages := "", 0; pages < 2*count; pages++ {
				page := w.get(path + "?limit=200&cursor=" + url.QueryEscape(cursor)).want(200)
				if len(page.body) > 6*(1<<20)+count*4096 {
					t.Errorf("%s: a page has %d bytes", path, len(page.body))
				}
				got = append(got, page.ids()...)
				if cursor = page.text("next_cursor"); cursor == "" {
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
			page := w.get("/v1/public/conversations/" + conversation + "?messages_limit=200&messages_cursor=" + url.QueryEscape(cursor)).want(200)
			items := page.field("messages.data").([]any)
			for i := range items {
				// Newest page first, each in the order of writing.
				if want := messages[count-read-len(items)+i]; page.text(fmt.Sprintf("messages.data.%d.id", i)) != want {
					t.Errorf("page %d: message %d is another one than %s", pages, i, want)
				}
			}
			read += len(items)
			if cursor = page.text("messages.next_cursor"); cursor == "" {
				break
			}
		}
		if read != count {
			t.Errorf("%d messages of %d were read", read, count)
		}
		slices.Reverse(contacts)
		for _, path := range []string{"/v1/public/companies/", "/v1/public/stores/"} {
			if got := w.get(path + company + "/contacts?limit=200").want(200).ids(); !slices.Equal(got, contacts) {
				t.Errorf("%s: the contacts are %v, want %v", path, got, contacts)
			}
		}
	})
}
