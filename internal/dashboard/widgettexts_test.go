package dashboard_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"parley/internal/apitest"
	"parley/internal/words"
)

func TestWidgetTexts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path := "/v1/dashboard/inboxes/" + w.webInbox().String() + "/texts"
		put := func(path, body string) apitest.Answer {
			return w.Send(apitest.Request{Method: http.MethodPut, Path: path, Body: body})
		}
		w.Get(path).Want(200).Is("languages", "[]")
		put(path, `{"language":"de","texts":{"home.write":" Frag\nuns ","writing":"{name} tippt <b>","composer.send":"Senden"}}`).
			Want(200).Is("languages", `[{"language":"de","texts":{"home.write":"Frag uns","writing":"{name} tippt \u003cb\u003e"}}]`)
		if got := put(path, `{"language":"ar","texts":{"articles.found.two":"اثنتان"}}`).Want(200).Count("languages"); got != 2 {
			t.Errorf("%d languages have texts", got)
		}
		put(path, `{"language":"de","texts":{"home.write":"Fragen"}}`).Want(200).Is("languages.1.texts", `{"home.write":"Fragen"}`)
		put(path, `{"language":"ar","texts":{}}`).Want(200)
		w.Get(path).Want(200).Is("languages", `[{"language":"de","texts":{"home.write":"Fragen"}}]`)
		const object, places, keys = "texts: must be an object of texts of 1 to 300 characters, not blank",
			"texts: must have the places of the chat's texts", "texts: must have only keys of the chat's texts"
		for body, message := range map[string]string{
			`{"language":"xx","texts":{}}`:                                                "language: must be one of " + strings.Join(words.Languages, ", "),
			`{"language":"de","texts":[]}`:                                                object,
			`{"language":"de","texts":null}`:                                              object,
			`{"language":"de","texts":{"home.write":7}}`:                                  object,
			`{"language":"de","texts":{"home.write":" "}}`:                                object,
			`{"language":"de","texts":{"home.write":"\u2028"}}`:                           object,
			`{"language":"de","texts":{"home.write":"` + strings.Repeat("ä", 301) + `"}}`: object,
			`{"language":"de","texts":{"home.other":"x"}}`:                                keys,
			`{"language":"de","texts":{"articles.found.two":"x"}}`:                        keys, // German has no such form
			`{"language":"de","texts":{"writing":"tippt"}}`:                               places,
			`{"language":"de","texts":{"home.write":"{name}"}}`:                           places,
			`{"language":"de","texts":{"writing":"{name} {"}}`:                            places,
			`{"language":"de","texts":{` + long(words.Chat("de")) + `}}`:                  "texts: must have at most 8192 bytes together",
		} {
			put(path, body).Refused(400, message)
		}
		const none = "the inbox has no widget; only those for the web have"
		api := "/v1/dashboard/inboxes/" + w.Home.Inbox.ID.String() + "/texts"
		w.Get(api).Refused(404, none)
		put(api, `{"language":"de","texts":{}}`).Refused(404, none)
	})
}

// long returns texts that are too long together.
func long(chat map[string]string) string {
	var members []string
	for key, text := range chat {
		if places, _ := words.Places(text); len(places) == 0 {
			members = append(members, strconv.Quote(key)+`:"`+strings.Repeat("x", 300)+`"`)
		}
	}
	return strings.Join(members, ",")
}
