package dashboard_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/desk"
	"parley/internal/search"
)

// A searchHit is what a test looks at of a hit.
type searchHit struct {
	Kind, ID, Title string
	ConversationID  *string
	Snippet         []struct {
		Text  string
		Match bool
	}
	Contact *struct{ ID, Name string }
}

// String writes the kind, the title and the snippet with brackets around what
// matches.
func (h searchHit) String() string {
	text := h.Kind + " " + h.Title + ": "
	for _, s := range h.Snippet {
		if s.Match {
			text += "[" + s.Text + "]"
		} else {
			text += s.Text
		}
	}
	return text
}

// searchAs returns all hits of a query, read in pages, as the member of a
// token.
func (w *world) searchAs(token parley.Token, q string, parameters ...string) []searchHit {
	w.T.Helper()
	var all []searchHit
	for cursor := ""; ; {
		path := "/v1/dashboard/search?" + strings.Join(append(parameters, "q="+url.QueryEscape(q), "cursor="+cursor), "&")
		var page struct {
			Data       []searchHit
			HasMore    bool   `json:"has_more"`
			NextCursor string `json:"next_cursor"`
		}
		got := w.Send(apitest.Request{Method: "GET", Path: path, Session: token}).Want(200)
		if err := json.Unmarshal(got.Body, &page); err != nil {
			w.T.Fatal(err)
		}
		if page.HasMore == (page.NextCursor == "") {
			w.T.Fatalf("has_more is %v beside the cursor %q", page.HasMore, page.NextCursor)
		}
		all = append(all, page.Data...)
		if cursor = page.NextCursor; cursor == "" {
			return all
		}
	}
}

func (w *world) search(q string, parameters ...string) []searchHit {
	w.T.Helper()
	return w.searchAs(w.Owner, q, parameters...)
}

// finds requires the hits of a query, in order.
func (w *world) finds(q string, want ...string) {
	w.T.Helper()
	var got []string
	for _, hit := range w.search(q) {
		got = append(got, hit.String())
	}
	if !slices.Equal(got, want) {
		w.T.Errorf("the search for %q gave\n%s\nwant\n%s", q, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// indexed brings the index up to date.
func (w *world) indexed() {
	w.T.Helper()
	if err := w.Search.IndexSearch(w.T.Context()); err != nil {
		w.T.Fatal(err)
	}
}

// message posts a message at its own time and returns its id.
func (w *world) message(conversation, content, more string) string {
	w.T.Helper()
	w.Advance(time.Second)
	text, err := json.Marshal(content)
	if err != nil {
		w.T.Fatal(err)
	}
	return w.Post("/v1/public/conversations/"+conversation+"/messages", `{"content":`+string(text)+more+`}`).Want(201).Text("id")
}

func (w *world) record(path, body string) string {
	w.T.Helper()
	w.Advance(time.Second)
	return w.Post(path, body).Want(201).Text("id")
}

// TestSearch looks for words of every kind of record, script and form.
func TestSearch(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const contacts, companies = "/v1/public/contacts", "/v1/public/companies"
		ann := w.record(contacts, `{"name":"Ann Müller","email":"ann.mueller@example.com","phoneNumber":"+49 (151) 234-5678","shopName":"Blumenhaus"}`)
		w.record(contacts, `{"name":"Annika Øst","identifier":"crm-77"}`)
		w.record(contacts, `{"email":"info@日本.example.org"}`[:0]+`{"email":"info@shop.example.org"}`)
		w.record(companies, `{"name":"Große Straße GmbH","website":"https://www.strasse.example","externalId":"acct-42"}`)
		c := w.record("/v1/public/conversations", `{"contactId":"`+ann+`"}`)
		w.message(c, "Wo ist meine Bestellung 4711? Grüße aus KÖLN", `,"messageType":"incoming"`)
		w.message(c, "private: she is angry about order 4711", `,"isPrivate":true`)
		w.message(c, "私は東京都に住んでいます", "")
		w.message(c, `<script>alert("x")</script> NOT here OR there`, "")
		w.message(c, "Işık ve İstanbul", "")
		w.message(c, "Ring 0170 / 99 88 77 6 or write to help@parley.example today", "")
		w.message(c, "second order, first the refund", "")
		w.message(c, "about the refund order: done", "")
		w.message(c, "refund and an order", "")
		w.indexed()
		const annHit = "contact Ann Müller: ann.mueller@example.com · +491512345678 · Blumenhaus"
		for _, q := range []string{"muller", "MÜLLER an", "müll", "blumenhaus mu"} {
			if got := w.search(q, "kind=contact"); len(got) != 1 || got[0].Title != "Ann Müller" {
				t.Errorf("%q found %v", q, got)
			}
		}
		w.finds("ann", "contact Ann Müller: [ann.mueller@example.com] · +491512345678 · Blumenhaus", "contact Annika Øst: crm-77")
		w.finds("ost annika", "contact Annika Øst: crm-77")
		w.finds("4711 is:note", "message Ann Müller: private: she is angry about order [4711]")
		w.finds("bestellung 4711 -is:note label:vip")
		if got := w.search("refund order -from:me", "conversationId="+c); len(got) != 0 {
			t.Errorf("others wrote %v", got)
		}
		if got := w.search("refund order", "conversationId="+c); len(got) != 3 || !strings.HasPrefix(got[0].String(), "message Ann Müller: [refund] and an [order]") {
			t.Errorf("the conversation has %v", got)
		}
		w.finds("CRM-77", "contact Annika Øst: [crm]-[77]")
		w.finds("example.org", "contact info@shop.example.org: [info@shop.example.org]")
		w.finds("ann.mueller@example.com", strings.Replace(annHit, "ann.mueller@example.com", "[ann.mueller@example.com]", 1))
		w.finds("ann.mueller@ex", strings.Replace(annHit, "ann.mueller@example.com", "[ann.mueller@example.com]", 1))
		for _, q := range []string{"491512345678", "0151 2345678", "+49 151 234", "2345678", "0049-151-2345678", "45678"} {
			if got := w.search(q); len(got) != 1 || got[0].Title != "Ann Müller" {
				t.Errorf("%q found %v", q, got)
			}
		}
		w.finds("strasse grosse", "company Große Straße GmbH: https://www.[strasse].example · acct-42")
		w.finds("acct 42", "company Große Straße GmbH: https://www.strasse.example · [acct]-[42]")
		w.finds("4711",
			"message Ann Müller: private: she is angry about order [4711]",
			"message Ann Müller: Wo ist meine Bestellung [4711]? Grüße aus KÖLN")
		w.finds("koln grusse bestell", "message Ann Müller: Wo ist meine [Bestellung] 4711? [Grüße] aus [KÖLN]")
		w.finds("東京", "message Ann Müller: 私は[東京]都に住んでいます")
		w.finds("京", "message Ann Müller: 私は東[京都]に住んでいます")
		w.finds("京東")
		w.finds(`"script" -alert* (x`, `message Ann Müller: <[script]>[alert]("[x]")</[script]> NOT here OR there`)
		w.finds("there OR NOT", `message Ann Müller: <script>alert("x")</script> [NOT] here [OR] [there]`)
		w.finds("isik ISTANBUL", "message Ann Müller: [Işık] ve [İstanbul]")
		w.finds("help@parley.example", "message Ann Müller: Ring 0170 / 99 88 77 6 or write to [help@parley.example] today")
		w.finds("017099887", "message Ann Müller: Ring [0170 / 99 88 77 6] or write to help@parley.example today")
		w.finds("refund order", // next to each other first, then the newest
			"message Ann Müller: about the [refund] [order]: done",
			"message Ann Müller: [refund] and an [order]",
			"message Ann Müller: second [order], first the [refund]")
		w.finds("nothing at all")
		w.finds("x", `message Ann Müller: <script>alert("[x]")</script> NOT here OR there`) // a single letter is not a prefix in messages
		hit := w.search("4711", "limit=1")[1]
		if hit.ConversationID == nil || *hit.ConversationID != c || hit.Contact == nil || hit.Contact.ID != ann || hit.Contact.Name != "Ann Müller" {
			t.Errorf("the hit of a message is %+v", hit)
		}
		if hit := w.search("crm")[0]; hit.ConversationID != nil || hit.Contact != nil {
			t.Errorf("the hit of a contact is %+v", hit)
		}
	})
}

func TestSearchRefuses(t *testing.T) {
	w := onSQLite(t)
	const path, length = "/v1/dashboard/search", "q: must be 1 to 200 characters"
	for query, message := range map[string]string{
		"": length, "?q=": length, "?q=" + strings.Repeat("a", 201): length,
		"?q=%22*%22":            "q: must contain a letter or a digit",
		"?q=%F0%9F%8E%88":       "q: must contain a letter or a digit",
		"?q=a&kind=member":      "kind: must be one of message, contact, company",
		"?q=a&limit=0&cursor=x": "limit: must be an integer from 1 to 200; cursor: must be a next_cursor of this list with the same filters",
		"?q=a%00":               "q: must be UTF-8 without the NUL character",
	} {
		w.Get(path+query).Refused(400, message)
	}
	w.record("/v1/public/contacts", `{"name":"Ann"}`)
	w.record("/v1/public/contacts", `{"name":"Ann"}`)
	w.indexed()
	cursor := w.Get(path + "?q=ann&limit=1").Want(200).Text("next_cursor")
	w.Get(path+"?q=an&limit=1&cursor="+cursor).Refused(400, "cursor: must be a next_cursor of this list with the same filters")
	w.Get(path + "?q=ann&limit=1&cursor=" + cursor).Want(200)
}

// TestSearchChanges changes and merges records, and creates another workspace.
func TestSearchChanges(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const contacts = "/v1/public/contacts"
		loser := w.record(contacts, `{"name":"Elder Name","email":"old@example.com"}`)
		winner := w.record(contacts, `{"name":"Winner"}`)
		conversation := w.record("/v1/public/conversations", `{"contactId":"`+loser+`"}`)
		w.message(conversation, "hello from before", "")
		company := w.record("/v1/public/companies", `{"name":"Acme"}`)
		w.indexed()
		w.finds("old", "contact Elder Name: [old@example.com]")

		w.Patch(contacts+"/"+loser, `{"name":"New Name"}`).Want(200)
		w.Patch("/v1/public/companies/"+company, `{"notes":"pays late"}`).Want(200)
		w.indexed()
		w.finds("elder name")
		w.finds("new name", "contact New Name: old@example.com")
		w.finds("late", "company Acme: pays [late]")

		w.Post("/v1/dashboard/contacts/"+loser+"/merge", `{"intoId":"`+winner+`"}`).Want(200)
		w.finds("new name") // at once, because the record is deleted
		w.indexed()
		w.finds("new name")
		w.finds("old@example.com", "contact Winner: [old@example.com]")
		w.finds("hello", "message Winner: [hello] from before")

		other, err := w.Access.CreateWorkspace(t.Context(), "Other", "owner@other.example")
		if err != nil {
			t.Fatal(err)
		}
		by := desk.Caller{Workspace: other.Workspace.ID, Member: other.Owner.ID}
		if _, err := w.Desk.SaveContact(t.Context(), by, desk.ContactFields{Name: parley.Some("Winner of another")}); err != nil {
			t.Fatal(err)
		}
		_, token, err := w.Access.StartSession(t.Context(), by, other.Owner.ID, "test")
		if err != nil {
			t.Fatal(err)
		}
		w.indexed()
		w.finds("winner", "contact Winner: old@example.com")
		if got := w.searchAs(token, "winner"); len(got) != 1 || got[0].Title != "Winner of another" {
			t.Errorf("the other workspace found %v", got)
		}
	})
}

// TestSearchRanks creates more contacts than are ranked: a name equal to the
// query comes before all that only begin with it, however new they are.
func TestSearchRanks(t *testing.T) {
	w := onSQLite(t)
	w.record("/v1/public/contacts", `{"name":"An"}`)
	for i := range 230 {
		w.record("/v1/public/contacts", fmt.Sprintf(`{"name":"Anna %d"}`, i))
	}
	w.indexed()
	got := w.search("an", "kind=contact", "limit=100")
	titles := map[string]bool{}
	for _, hit := range got {
		titles[hit.Title] = true
	}
	if len(got) != 231 || len(titles) != 231 || got[0].Title != "An" || got[1].Title != "Anna 229" {
		t.Errorf("%d hits, %d different, begin with %v", len(got), len(titles), got[:3])
	}
	if got := w.search("an"); len(got) != 20 {
		t.Errorf("beside messages there are %d contacts, want 20", len(got))
	}
}

// TestSearchIndexFollows posts while the indexer runs: messages are found soon,
// even if nothing wakes it.
func TestSearchIndexFollows(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx, cancel := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { w.Search.RunSearchIndex(ctx) })
		defer running.Wait()
		defer cancel()
		conversation := w.Conversation()
		w.eventually(time.Minute, func() bool { return len(w.search("ann")) == 1 }) // from here on the index waits
		for round, word := range []string{"asleep", "awake"} {
			begin := time.Now()
			w.message(conversation, word, "")
			if round == 1 {
				w.SearchWake <- struct{}{}
			}
			w.eventually(time.Minute, func() bool { return len(w.search(word)) == 1 })
			t.Logf("%s: found after %v", word, time.Since(begin))
		}
	})
}

// eventually repeats a check until it succeeds.
func (w *world) eventually(patience time.Duration, ask func() bool) {
	w.T.Helper()
	deadline := time.After(patience)
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	for !ask() {
		select {
		case <-deadline:
			w.T.Fatalf("it did not come about in %v", patience)
		case <-ticker.C:
		}
	}
}

// TestSearchIndexIsExact stops the index in the middle, lets two nodes continue
// concurrently while messages are posted, and then finds every message once.
func TestSearchIndexIsExact(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		conversation, ok := parley.ParseID(w.Conversation())
		if !ok {
			t.Fatal("the conversation has no id")
		}
		post := func(count int) {
			var all sync.WaitGroup
			for range 8 {
				all.Go(func() {
					for range count / 8 {
						_, err := w.Desk.PostMessage(t.Context(), w.By(), conversation, desk.NewMessage{
							Content: "needle " + strings.Repeat("some words to fill it with ", 5), ContentType: parley.Text, Direction: parley.Outgoing,
						})
						if err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			all.Wait()
		}
		post(800)
		ctx, stop := context.WithCancel(t.Context())
		var nodes sync.WaitGroup
		nodes.Go(func() { _ = w.Search.IndexSearch(ctx) }) // ends with the context
		w.eventually(20*time.Second, func() bool { return len(w.Get("/v1/dashboard/search?q=needle&limit=1").Want(200).Body) > 100 })
		stop()
		nodes.Wait()
		for range 2 {
			node := search.New(search.Options{Desk: w.Desk})
			nodes.Go(func() {
				if err := node.IndexSearch(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		post(80)
		nodes.Wait()
		w.indexed()
		found := map[string]bool{}
		hits := w.search("needle", "limit=200")
		for _, hit := range hits {
			found[hit.ID] = true
		}
		if len(hits) != 880 || len(found) != 880 {
			t.Errorf("%d hits, %d different, want 880", len(hits), len(found))
		}
	})
}

// TestSearchIndexIsFair fills one workspace with texts that cost most: a message
// of another one is in the index after one more round, not when that queue ends,
// and each turn takes one or two of the texts.
func TestSearchIndexIsFair(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		heavy, light := w.By(), w.another("light")
		post := func(by desk.Caller, text string) {
			t.Helper()
			contact, err := w.Desk.SaveContact(t.Context(), by, desk.ContactFields{Name: parley.Some("Writer")})
			if err != nil {
				t.Fatal(err)
			}
			c, err := w.Desk.CreateConversation(t.Context(), by, desk.NewConversation{ContactID: contact.Record.ID})
			if err != nil {
				t.Fatal(err)
			}
			message := desk.NewMessage{Content: text, ContentType: parley.Text, Direction: parley.Incoming}
			if _, err := w.Desk.PostMessage(t.Context(), by, c.ID, message); err != nil {
				t.Fatal(err)
			}
		}
		w.indexed()
		hostile := []string{"(", "0", "+ ", "()./-", "9", "a", "a.", "@", "東", "각", "\ufdfa", "e\u0301", "<a "}
		for _, unit := range hostile {
			post(heavy, strings.Repeat(unit, parley.MaxContent/len(unit)))
		}
		round := func() bool {
			t.Helper()
			more, err := w.Search.IndexSearchRound(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return more
		}
		if !round() {
			t.Fatal("all of the hostile messages were one turn")
		}
		post(light, "needle")
		round()
		found, err := w.Search.Search(parley.WholeWorkspace(light.Workspace), search.Search{Text: "needle", Limit: 10}).Now(t.Context())
		if err != nil || len(found.Items) != 1 {
			t.Fatalf("after one round more there are %d hits: %v", len(found.Items), err)
		}
		rounds := 2
		for round() {
			rounds++
		}
		if rounds < len(hostile)/2 || rounds > 2*len(hostile) {
			t.Errorf("%d hostile messages took %d rounds", len(hostile), rounds)
		}
		ended, end := context.WithCancel(t.Context())
		post(heavy, "more")
		end()
		if _, err := w.Search.IndexSearchRound(ended); !errors.Is(err, context.Canceled) && parley.KindOf(err) != parley.Unavailable {
			t.Errorf("a round behind the end gave %v", err)
		}
	})
}

// another founds a workspace with a name.
func (w *world) another(name string) desk.Caller {
	w.T.Helper()
	founding, err := w.Access.CreateWorkspace(w.T.Context(), name, "owner@"+name+".example")
	if err != nil {
		w.T.Fatal(err)
	}
	return desk.Caller{Workspace: founding.Workspace.ID, Member: founding.Owner.ID}
}

// TestSearchBeginsAnew indexes a workspace whose oldest events were deleted:
// its records come from the tables.
func TestSearchBeginsAnew(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first := w.Conversation()
		w.message(first, "long ago", "")
		for range 3 {
			w.message(w.Conversation(), "long ago", "")
		}
		w.record("/v1/public/companies", `{"name":"Ago Ltd"}`)
		w.Advance(30 * 24 * time.Hour)
		w.Owner = w.signIn(w.Home.Owner.ID) // the first session is over
		w.message(first, "just now", "")
		w.Expire()
		if got := w.Get("/v1/public/events").Want(200).Count("data"); got > 2 {
			t.Fatalf("%d events are left", got)
		}
		w.indexed()
		if got := w.search("ago", "limit=2"); len(got) != 5 || got[0].Title != "Ago Ltd" {
			t.Errorf("from before the log there is %v", got)
		}
		if got := w.search("ann"); len(got) != 4 {
			t.Errorf("of four contacts %v are found", got)
		}
		w.finds("just now", "message Ann: [just] [now]")
	})
}
