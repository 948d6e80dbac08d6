package dashboard_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/access"
	"parley/internal/apitest"
	"parley/internal/store"
	"parley/internal/wire"
)

// dataOf returns the data of an event of a type.
func dataOf(t *testing.T, kind parley.EventType) []byte {
	t.Helper()
	id, at := parley.NewIDs(nil).New(apitest.Start()), apitest.Start()
	noun, verb, _ := strings.Cut(string(kind), ".")
	if kind == parley.ConversationDeleted {
		return wire.AppendDeletedConversation(nil, id, id)
	}
	if kind == parley.HelpCenterDeleted {
		return wire.AppendProductID(nil, id)
	}
	if verb == "deleted" && noun != "label" {
		return wire.AppendID(nil, id)
	}
	if data, ok := dataOfWork()[kind]; ok {
		return []byte(data)
	}
	switch noun {
	case "conversation":
		return wire.AppendConversation(nil, &parley.Conversation{
			ID: id, Status: parley.Open, Contact: parley.ContactRef{ID: id}, Inbox: parley.InboxRef{ID: id, Channel: parley.ChannelAPI}, LastActivityAt: at, CreatedAt: at,
		})
	case "message":
		return wire.AppendMessage(nil, &parley.Message{
			ID: id, ConversationID: id, Content: "x", ContentType: parley.Text, Direction: parley.Incoming, Status: parley.Sent,
			Sender: parley.Sender{Type: parley.SenderSystem}, CreatedAt: at,
		})
	case "contact":
		if verb == "merged" {
			return wire.AppendMerge(nil, id, id)
		}
		return wire.AppendContact(nil, &parley.Contact{ID: id, Email: "secret@acme.example", CreatedAt: at, UpdatedAt: at, LastActivityAt: at}, false)
	case "company":
		return wire.AppendCompany(nil, &parley.Company{ID: id, Name: "x", CreatedAt: at, UpdatedAt: at})
	case "product":
		return wire.AppendProduct(nil, &parley.Product{ID: id, Name: "x", CreatedAt: at, UpdatedAt: at})
	case "article":
		return wire.AppendArticle(nil, &parley.Article{ID: id, Slug: "x", State: parley.ArticleDraft, Texts: []parley.ArticleHead{{Language: "en", Title: "x", Version: 1, UpdatedAt: at}}, CreatedAt: at, UpdatedAt: at})
	case "article_category":
		return wire.AppendArticleCategory(nil, &parley.ArticleCategory{ID: id, Names: map[parley.Language]string{"en": "x"}, CreatedAt: at, UpdatedAt: at})
	case "help_center":
		return wire.AppendHelpCenter(nil, &parley.HelpCenter{ProductID: id, Slug: "x", Title: "x", Languages: []parley.Language{"en"}, Color: "#1d4ed8", CreatedAt: at, UpdatedAt: at})
	case "inbox":
		return wire.AppendInbox(nil, &parley.Inbox{ID: id, Name: "x", Channel: parley.ChannelAPI, CreatedAt: at, UpdatedAt: at})
	case "member":
		return wire.AppendMember(nil, &parley.Member{ID: "usr_a", Role: parley.Agent, CreatedAt: at, UpdatedAt: at})
	case "number":
		return wire.AppendNumber(nil, &parley.Number{ID: id, Phone: "15550109", Driver: parley.DriverSandbox, Status: parley.NumberConnected, InboxID: id, CreatedAt: at, UpdatedAt: at})
	case "workspace":
		return wire.AppendWorkspace(nil, &parley.Workspace{ID: parley.WorkspaceID(id), Name: "x"})
	case "label":
		if verb == "deleted" {
			return wire.AppendLabelName(nil, "x")
		}
		return wire.AppendLabel(nil, &parley.Label{Name: "x", Color: "teal", CreatedAt: at, UpdatedAt: at})
	case "view":
		return wire.AppendSavedView(nil, &parley.SavedView{ID: id, Name: "x", Scope: parley.ViewAll, Query: "status=open", CreatedAt: at, UpdatedAt: at})
	case "team":
		return wire.AppendTeam(nil, &parley.Team{ID: id, Name: "x", Color: "teal", CreatedAt: at, UpdatedAt: at})
	case "macro":
		return wire.AppendMacro(nil, &parley.Macro{ID: id, Name: "x", Scope: parley.MacroAll, Version: 1, CreatedAt: at, UpdatedAt: at})
	case "scheduled_message":
		return wire.AppendScheduledMessage(nil, &parley.ScheduledMessage{
			ID: id, ConversationID: id, Author: parley.MemberRef{ID: "usr_a"}, Content: "x", ContentType: parley.Text, SendAt: at, State: parley.ScheduledWaiting, Version: 1,
		})
	case "canned_answer", "contact_duplicate":
		if noun == "canned_answer" {
			return wire.AppendCannedAnswer(nil, &parley.CannedAnswer{ID: id, Shortcut: "x", Content: "x", CreatedAt: at, UpdatedAt: at})
		}
		return wire.AppendDuplicate(nil, &parley.ContactDuplicate{ID: id, Contact: parley.ContactRef{ID: id}, Other: parley.ContactRef{ID: id}, CreatedAt: at})
	}
	t.Fatalf("no event of the type %s is known here", kind)
	return nil
}

// dataOfWork is the data of events about how members share and order their work.
func dataOfWork() map[parley.EventType]string {
	const id = `"id":"0193480f-2c4a-7d1e-8f00-3a5b9c2d1e01"`
	return map[parley.EventType]string{
		parley.ConversationMerged:   `{` + id + `,"intoId":"0193480f-2c4a-7d1e-8f00-3a5b9c2d1e02"}`,
		parley.ConversationUnmerged: `{` + id + `,"intoId":"0193480f-2c4a-7d1e-8f00-3a5b9c2d1e02"}`,
		parley.ConversationSplit:    `{` + id + `,"fromId":"0193480f-2c4a-7d1e-8f00-3a5b9c2d1e02","messageId":"0193480f-2c4a-7d1e-8f00-3a5b9c2d1e03"}`,
	}
}

// scopeOf is the table of docs/api.md, repeated here so that a mistake shows.
func scopeOf(kind parley.EventType) parley.Scope {
	noun, _, _ := strings.Cut(string(kind), ".")
	switch noun {
	case "conversation", "message", "inbox", "member", "number", "label", "canned_answer", "workspace", "team", "view", "macro", "scheduled_message":
		return "conversations:read"
	case "contact", "contact_duplicate":
		return "contacts:read"
	case "company":
		return "companies:read"
	case "product":
		return "products:read"
	case "article", "article_category", "help_center":
		return "knowledge:read"
	}
	panic("no rule for " + string(kind))
}

// emitAll adds an event of every type to the log and returns the position
// before them.
func (w *world) emitAll(t *testing.T) string {
	t.Helper()
	ws := w.Home.Workspace.ID
	at, err := w.Desk.Workspace(t.Context(), ws)
	if err != nil {
		t.Fatal(err)
	}
	err = w.Store.Write(t.Context(), ws, func(tx *store.Tx) error {
		for _, kind := range parley.EventTypes {
			e := parley.Event{Type: kind, CreatedAt: apitest.Start(), Data: dataOf(t, kind), Origin: parley.Origin{Actor: parley.MemberActor(&w.Home.Owner)}}
			if strings.HasPrefix(string(kind), "conversation.") || strings.HasPrefix(string(kind), "message.") || strings.HasPrefix(string(kind), "scheduled_message.") {
				e.ConversationID = parley.NewIDs(nil).New(apitest.Start())
			}
			if strings.HasSuffix(string(kind), ".updated") {
				e.Changed = []string{"name"}
			}
			tx.Emit(ws, e)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return at.End().String()
}

func (w *world) keyOf(t *testing.T, scopes []parley.Scope) string {
	t.Helper()
	_, secret, err := w.Access.CreateKey(t.Context(), w.By(), access.NewKey{Name: "test", Scopes: scopes})
	if err != nil {
		t.Fatal(err)
	}
	return string(secret)
}

// ask sends a GET with a key.
func (w *world) ask(path, key string) apitest.Answer {
	w.T.Helper()
	return w.Send(apitest.Request{Method: "GET", Path: path, Session: apitest.None, Header: http.Header{"Authorization": {"Bearer " + key}}})
}

// A toldEvent is an event as seen by a reader.
type toldEvent struct {
	Seq   int64
	Type  string
	Scope string
	Actor struct{ ID, Name string }
	Data  json.RawMessage
}

// TestEventScopes reads an event of every type with every set of scopes, as a
// page and as a stream. Both must show the same: the events that the scopes
// allow, and the places of the others.
func TestEventScopes(t *testing.T) {
	w := onSQLite(t)
	after := w.emitAll(t)
	path := "/v1/public/events?limit=200&after=" + after
	s := w.Serve(t)
	for subset := 1; subset < 1<<len(parley.Scopes); subset++ {
		var held []parley.Scope
		for i, scope := range parley.Scopes {
			if subset&(1<<i) != 0 {
				held = append(held, scope)
			}
		}
		key := w.keyOf(t, held)
		if !slices.ContainsFunc(held, func(s parley.Scope) bool { return strings.HasSuffix(string(s), ":read") }) {
			w.ask(path, key).Refused(403, "the API key lacks a scope; this operation needs conversations:read or contacts:read or companies:read or products:read or knowledge:read")
			continue
		}
		var page struct{ Data []json.RawMessage }
		if err := json.Unmarshal(w.ask(path, key).Want(200).Body, &page); err != nil || len(page.Data) != len(parley.EventTypes) {
			t.Fatalf("with %v there are %d events (%v)", held, len(page.Data), err)
		}
		stream := w.follow(t, s, path, key)
		for i, kind := range parley.EventTypes {
			name, data := stream.Next()
			if data != string(page.Data[i]) {
				t.Errorf("with %v the page shows %s, the stream %s", held, page.Data[i], data)
			}
			checkTold(t, kind, name, data, held)
		}
		stream.Close()
	}
}

func checkTold(t *testing.T, kind parley.EventType, name, data string, held []parley.Scope) {
	t.Helper()
	var e toldEvent
	if err := json.Unmarshal([]byte(data), &e); err != nil {
		t.Fatal(err)
	}
	scope := scopeOf(kind)
	if !slices.Contains(held, scope) {
		want := fmt.Sprintf(`{"seq":%d,"type":"withheld","createdAt":"2026-11-21T10:00:00.000Z","scope":"%s"}`, e.Seq, scope)
		if name != "withheld" || data != want {
			t.Errorf("with %v an event %s is told as %s %s, want %s", held, kind, name, data, want)
		}
		return
	}
	if e.Type != string(kind) || name != e.Type || len(e.Data) < 3 {
		t.Errorf("with %v an event %s is told as %s %s", held, kind, name, data)
	}
	if named := e.Actor.Name != ""; e.Actor.ID == "" || named != slices.Contains(held, parley.ConversationsRead) {
		t.Errorf("with %v the actor is %+v", held, e.Actor)
	}
}

// TestEventTypesAskedFor requests each type by name: page and stream show only
// that type, or refuse if the key may not read it.
func TestEventTypesAskedFor(t *testing.T) {
	w := onSQLite(t)
	after := w.emitAll(t)
	s := w.Serve(t)
	for subset := 1; subset < 1<<len(parley.ReadScopes); subset++ {
		var held []parley.Scope
		for i, scope := range parley.ReadScopes {
			if subset&(1<<i) != 0 {
				held = append(held, scope)
			}
		}
		key := w.keyOf(t, held)
		for _, kind := range parley.EventTypes {
			path := fmt.Sprintf("/v1/public/events?after=%s&types=%s", after, kind)
			if scope := scopeOf(kind); !slices.Contains(held, scope) {
				refusal := fmt.Sprintf("types: the API key lacks a scope; %s needs %s", kind, scope)
				w.ask(path, key).Refused(403, refusal)
				w.ask(path+",nonsense&limit=0", key).Refused(403, refusal)
				w.Send(apitest.Request{Method: "GET", Path: path, Session: apitest.None, Header: http.Header{
					"Authorization": {"Bearer " + key}, "Accept": {"text/event-stream"},
				}}).Refused(403, refusal)
				continue
			}
			page := w.ask(path, key).Want(200).Is("data.0.type", `"`+string(kind)+`"`, "has_more", "false", "reset", "false")
			if page.Count("data") != 1 {
				t.Errorf("%s: the page holds %s", kind, page.Body)
			}
			stream := w.follow(t, s, path, key)
			stream.Is(string(kind))
			stream.Close()
		}
		w.ask("/v1/public/events?types=withheld", key).Want(400)
	}
	// The page ends at its limit and can be continued from there.
	all := w.Get("/v1/public/events?limit=1&types=message.created,message.updated&after="+after).Want(200).Is("has_more", "true", "data.0.type", `"message.created"`)
	rest := w.Get("/v1/public/events?limit=9&types=message.created,message.updated&after=" + all.Text("next_cursor")).Want(200)
	rest.Is("has_more", "false", "data.0.type", `"message.updated"`)
	w.Get("/v1/public/events?types=message.created&after="+rest.Text("next_cursor")).Want(200).Is("data", "[]", "next_cursor", `"`+rest.Text("next_cursor")+`"`)
}

// TestStreamEndsWithItsScopes changes the scopes of a key with an open stream:
// the stream ends, and after reconnecting it shows what the new scopes allow.
func TestStreamEndsWithItsScopes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		k, secret, err := w.Access.CreateKey(t.Context(), w.By(), access.NewKey{Name: "test", Scopes: []parley.Scope{parley.ContactsRead, parley.ProductsRead}})
		if err != nil {
			t.Fatal(err)
		}
		stream := w.follow(t, s, "/v1/public/events", string(secret))
		w.Contact(`{"name":"Ann"}`)
		stream.Is("contact.created")
		if _, err := w.Access.UpdateKey(t.Context(), w.By(), k.ID, access.KeyChange{Scopes: parley.Some([]parley.Scope{parley.ProductsRead})}); err != nil {
			t.Fatal(err)
		}
		stream.Is("")
	})
}
