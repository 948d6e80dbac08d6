package publicapi_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/publicapi"
	"parley/internal/store"
	"parley/internal/teams"
)

// growing are texts that become larger in JSON, each by another rule.
var growing = []string{"<", "\u2028", "\x01", `"`, "\\\n", "&>é"}

// TestPagesByBytes reads every paged route, over records whose texts grow in
// JSON. No page exceeds 1 MiB, and everything is shown.
func TestPagesByBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("writes many rows, and nothing at once")
	}
	each(t, func(t *testing.T, w *world) {
		const count = 24
		conversation := w.fillPages(count)
		const thread = "/v1/public/conversations/"
		paths := map[string]string{
			"listConversations": "/v1/public/conversations?", "getConversation": thread + conversation + "?messages_limit=200&", "listMessages": thread + conversation + "/messages?",
			"getConversationHistory": thread + conversation + "/history?", "listContacts": "/v1/public/contacts?", "listCompanies": "/v1/public/companies?",
			"listStores": "/v1/public/stores?", "listProducts": "/v1/public/products?", "listInboxes": "/v1/public/inboxes?", "listMembers": "/v1/public/members?", "listTeams": "/v1/public/teams?",
			"listNumbers": "/v1/public/chatapp/numbers?", "listEvents": "/v1/public/events?",
			"listArticles": "/v1/public/articles?", "listArticleVersions": w.fillArticles(count), "listArticleCategories": "/v1/public/article-categories?",
			"listConversations with previews": "/v1/public/conversations?include=lastMessage&contactId=" + w.previewed() + "&",
		}
		for _, route := range publicapi.Routes() {
			inPieces := route.Operation == "listCompanyContacts" || route.Operation == "listStoreContacts"
			if route.Operation == "listHelpCenters" { // 200 of the largest have less than 300 KB
				continue
			}
			if pages := strings.HasPrefix(route.Operation, "list") || strings.HasSuffix(route.Operation, "History"); pages && !inPieces && paths[route.Operation] == "" {
				t.Errorf("%s has pages, which this test does not walk through", route.Operation)
			}
		}
		for operation, path := range paths {
			if shown := w.walk(operation, path+"limit=200&"); shown < count {
				t.Errorf("%s shows %d items, want %d", operation, shown, count)
			}
		}
	})
}

// walk reads all pages of a route and returns how many items they have.
func (w *world) walk(operation, path string) (shown int) {
	w.T.Helper()
	const most = 1 << 20
	position, within := "cursor", ""
	switch operation {
	case "getConversation":
		position, within = "messages_cursor", "messages."
	case "listEvents":
		position = "after"
	}
	for pages, cursor := 0, ""; pages < 500; pages++ {
		got := w.Get(path + position + "=" + url.QueryEscape(cursor)).Want(http.StatusOK)
		items := len(got.Field(within + "data").([]any))
		if items == 0 || items > 1 && len(got.Body) > most {
			w.T.Errorf("%s: page %d has %d items in %d bytes", operation, pages, items, len(got.Body))
		}
		shown += items
		if cursor = got.Text(within + "next_cursor"); got.Field(within+"has_more") == false {
			if pages == 0 {
				w.T.Errorf("%s: all is on one page", operation)
			}
			return shown
		}
	}
	w.T.Errorf("%s does not end", operation)
	return shown
}

// fillPages stores records of each kind that has pages, and returns the id of a
// conversation that has as many messages and changes.
func (w *world) fillPages(count int) (conversation string) {
	w.T.Helper()
	conversation = w.Conversation()
	thread, _ := parley.ParseID(conversation)
	contact, _ := parley.ParseID(w.Contact(`{"name":"Ann"}`))
	inbox, _ := parley.ParseID(w.inbox("API", parley.ID{}))
	made, ids, ws := w.Now(), parley.NewIDs(nil), w.Home.Workspace.ID
	for i := range count {
		kind := growing[i%len(growing)]
		text := "x" + strings.Repeat(kind, 60<<10/len(kind))
		name := strings.Repeat(kind, parley.MaxFileName/len([]rune(kind)))
		quoted, err := json.Marshal(text)
		if err != nil {
			w.T.Fatal(err)
		}
		attributes := parley.Attributes(`{"a":` + string(quoted) + `}`)
		now := made.Add(time.Duration(i) * time.Second)
		m := parley.Message{
			ID: ids.New(now), ConversationID: thread, Content: text, ContentType: parley.Text, Direction: parley.Incoming, Status: parley.Sent,
			Sender: parley.Sender{Type: parley.SenderContact, ContactID: contact}, CreatedAt: now,
		}
		for range parley.MaxAttachments {
			m.Attachments = append(m.Attachments, parley.Attachment{ID: ids.New(now), FileName: name, ContentType: "text/plain", Size: 1, CreatedAt: now})
		}
		k := parley.Contact{ID: ids.New(now), Name: name, Identifier: name + fmt.Sprint(i), CustomAttributes: attributes, CreatedAt: now, UpdatedAt: now, LastActivityAt: now}
		c := parley.Conversation{ID: ids.New(now), Status: parley.Open, CustomAttributes: attributes, CreatedAt: now, UpdatedAt: now, LastActivityAt: now}
		c.Contact.ID, c.Inbox.ID = k.ID, inbox
		in := parley.Inbox{ID: ids.New(now), Name: text, Channel: parley.ChannelAPI, CreatedAt: now}
		h := parley.HistoryEntry{ID: ids.New(now), ConversationID: thread, Type: parley.ConversationUpdated, CreatedAt: now, Changes: []byte(`{"labels":[` + string(quoted) + `]}`)}
		h.Origin.Actor = parley.Actor{Type: parley.ActorMember, ID: "usr_a", Name: name}
		err = w.Store.Write(w.T.Context(), ws, func(tx *store.Tx) error {
			_, companyErr := tx.InsertCompany(ws, &parley.Company{ID: ids.New(now), Name: name, Notes: &text, CreatedAt: now, UpdatedAt: now})
			_, memberErr := tx.InsertMember(ws, &parley.Member{ID: ids.NewUserID(), Name: name, Email: fmt.Sprint(i, "@acme.example"), Image: text, Role: parley.Agent, CreatedAt: now})
			errs := errors.Join(companyErr, memberErr, tx.InsertContact(ws, &k), tx.InsertConversation(ws, &c, now), tx.InsertMessage(ws, &m), tx.InsertInbox(ws, &in),
				tx.InsertHistoryEntry(ws, &h), tx.InsertProduct(ws, &parley.Product{ID: ids.New(now), Name: name, Description: text, CreatedAt: now, UpdatedAt: now}))
			n := parley.Number{ID: ids.New(now), InboxID: in.ID, Phone: parley.Phone(fmt.Sprint("4915100", 10000+i)), Driver: parley.DriverSandbox, Status: parley.NumberConnected, Reason: text, CreatedAt: now}
			_, numberErr := tx.InsertNumber(ws, &n)
			return errors.Join(errs, numberErr, teams.InsertTeam(tx, ws, &parley.Team{ID: ids.New(now), Name: text, Color: "teal", CreatedAt: now, UpdatedAt: now}))
		})
		if err != nil {
			w.T.Fatal(err)
		}
		w.Post("/v1/public/conversations/"+conversation+"/messages", `{"content":`+string(quoted)+`}`).Want(http.StatusCreated)
	}
	return conversation
}

// previewed stores conversations of a contact that fill a page, with messages
// whose beginnings grow as much as a text can in JSON.
func (w *world) previewed() (contact string) {
	w.T.Helper()
	contact = w.Contact(`{"name":"Bo"}`)
	k, _ := parley.ParseID(contact)
	inbox, _ := parley.ParseID(w.inbox("Previews", parley.ID{}))
	ids, ws, now := parley.NewIDs(nil), w.Home.Workspace.ID, w.Now()
	err := w.Store.Write(w.T.Context(), ws, func(tx *store.Tx) error {
		for range parley.MaxLimit {
			c := parley.Conversation{ID: ids.New(now), Status: parley.Open, CustomAttributes: parley.Attributes(`{"a":"` + strings.Repeat("x", 5<<10) + `"}`), CreatedAt: now, UpdatedAt: now, LastActivityAt: now}
			c.Contact.ID, c.Inbox.ID = k, inbox
			m := parley.Message{
				ID: ids.New(now), ConversationID: c.ID, Content: strings.Repeat("<", 2*parley.MaxPreview), ContentType: parley.Text, Direction: parley.Incoming, Status: parley.Sent,
				Sender: parley.Sender{Type: parley.SenderContact, ContactID: k}, CreatedAt: now,
			}
			if err := errors.Join(tx.InsertConversation(ws, &c, now), tx.InsertMessage(ws, &m)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return contact
}
