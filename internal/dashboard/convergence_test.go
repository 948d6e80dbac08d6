package dashboard_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley"
	"parley/internal/dashboard"
	"parley/internal/publicapi"
	"parley/internal/widget"
)

// A record is a resource in the JSON of the API, with the number of the event
// up to which it is known.
type record struct {
	value map[string]any
	seq   int64
	shown string // of a message: the conversation that shows it, its own or the one that this was merged into
}

// A mirror is the state of a dashboard: loaded in parts, each at its own
// position, and brought forward by events. It implements the rule that
// docs/api.md gives for clients.
type mirror struct {
	t       testing.TB
	kinds   map[string]map[string]*record // by kind and id
	threads map[string]int64              // by conversation: the latest position at which its messages were loaded
	former  map[string]bool               // removed members
	from    int64                         // the oldest position at which something was loaded
	place   string                        // the position at which it continues
}

func seqOf(position string) int64 {
	at, _ := parley.ParseLogPosition(position)
	return at.Seq
}

// lower records a position at which something was loaded, and returns its
// number.
func (m *mirror) lower(position string) int64 {
	seq := seqOf(position)
	if m.place == "" || seq < m.from {
		m.from, m.place = seq, position
	}
	return seq
}

func object(value any) map[string]any { o, _ := value.(map[string]any); return o }

func text(value any) string { s, _ := value.(string); return s }

// idOf returns what identifies a record among those of its kind.
func idOf(kind string, value map[string]any) string {
	switch kind {
	case "label":
		return text(value["name"])
	case "help_center":
		return text(value["productId"])
	}
	return text(cmp.Or(value["id"], value["name"]))
}

// keep stores a record read at a position, unless a newer one is known.
func (m *mirror) keep(kind string, value map[string]any, seq int64) {
	id := idOf(kind, value)
	if m.kinds[kind] == nil {
		m.kinds[kind] = map[string]*record{}
	}
	if known := m.kinds[kind][id]; known == nil || known.seq <= seq {
		kept := &record{value: value, seq: seq}
		if kind == "message" {
			kept.shown = text(value["conversationId"])
		}
		if known != nil && known.shown != "" {
			kept.shown = known.shown
		}
		m.kinds[kind][id] = kept
	}
}

// load reads everything, page by page, while others may be writing.
func load(t testing.TB, from source) *mirror {
	t.Helper()
	m := &mirror{t: t, kinds: map[string]map[string]*record{}, threads: map[string]int64{}, former: map[string]bool{}}
	state := from.read("/v1/dashboard/state")
	s := state.object(m.t)
	m.lower(text(s["position"]))
	if got := seqOf(state.Position); got != m.from {
		t.Errorf("the header says %d, the state %d", got, m.from)
	}
	m.keep("workspace", object(s["workspace"]), m.from)
	for name, kind := range map[string]string{
		"members": "member", "formerMembers": "member", "inboxes": "inbox", "products": "product", "labels": "label",
		"cannedAnswers": "canned_answer", "numbers": "number", "teams": "team",
	} {
		for _, item := range s[name].([]any) {
			m.keep(kind, object(item), m.from)
			if name == "formerMembers" {
				m.former[text(object(item)["id"])] = true
			}
		}
	}
	m.duplicates(from)
	m.macros(from)
	m.views(from)
	m.pages(from, "contact", "/v1/public/contacts?limit=7")
	m.pages(from, "company", "/v1/public/companies?limit=7")
	m.pages(from, "article", "/v1/public/articles?limit=7")
	m.pages(from, "article_category", "/v1/public/article-categories?limit=7")
	m.pages(from, "help_center", "/v1/public/help-centers?limit=7")
	m.pages(from, "conversation", "/v1/public/conversations?spam=any&limit=7")
	for _, id := range slices.Sorted(maps.Keys(m.kinds["conversation"])) {
		m.thread(from, id)
	}
	return m
}

// missed loads the conversation of a message event that was on a page not
// loaded yet, and that a message moved to a loaded page.
func (m *mirror) missed(from source, id string) {
	if m.kinds["conversation"][id] != nil {
		return
	}
	got := from.read("/v1/public/conversations/" + id)
	c := got.object(m.t)
	if c == nil {
		return
	}
	delete(c, "messages")
	m.keep("conversation", c, seqOf(got.Position))
	m.thread(from, id)
}

// parted loads the messages of a conversation that was parted from another one while the
// messages of that were loaded, or before: then neither of them showed these. It also does
// if the other one was deleted since: the log has lost what was written there.
func (m *mirror) parted(from source, e event) {
	of := map[string]string{"conversation.split": "fromId", "conversation.unmerged": "id"}[e.Type]
	if of == "" {
		return
	}
	at, loaded := m.threads[text(e.Data[of])]
	if !loaded || at >= e.Seq || from.read("/v1/public/conversations/"+text(e.Data[of])).object(m.t) == nil {
		m.thread(from, text(e.Data["id"]))
	}
}

// duplicates loads the possible duplicates; a world has fewer than the limit.
func (m *mirror) duplicates(from source) {
	list := from.read("/v1/dashboard/contact-duplicates")
	seq := m.lower(list.Position)
	for _, item := range list.object(m.t)["data"].([]any) {
		m.keep("contact_duplicate", object(item), seq)
	}
}

// views loads the saved views of everybody, which alone have events.
func (m *mirror) views(from source) {
	list := from.read("/v1/dashboard/views")
	seq := m.lower(list.Position)
	for _, item := range list.object(m.t)["data"].([]any) {
		if object(item)["scope"] == "all" {
			m.keep("view", object(item), seq)
		}
	}
}

// macros loads the macros of everybody, which alone have events.
func (m *mirror) macros(from source) {
	list := from.read("/v1/dashboard/macros")
	seq := m.lower(list.Position)
	for _, item := range list.object(m.t)["data"].([]any) {
		if object(item)["scope"] == "all" {
			m.keep("macro", object(item), seq)
		}
	}
}

// pages loads a list to its end.
func (m *mirror) pages(from source, kind, path string) {
	for cursor := ""; ; {
		got := from.read(path + "&cursor=" + cursor)
		page, seq := got.object(m.t), m.lower(got.Position)
		for _, item := range page["data"].([]any) {
			m.keep(kind, object(item), seq)
		}
		if cursor = text(page["next_cursor"]); cursor == "" {
			return
		}
	}
}

// thread loads the messages of a conversation, and those that are to be sent later.
func (m *mirror) thread(from source, id string) {
	if got := from.read("/v1/dashboard/conversations/" + id + "/scheduled"); got.object(m.t) != nil {
		seq := m.lower(got.Position)
		for _, item := range got.object(m.t)["data"].([]any) {
			m.keep("scheduled_message", object(item), seq)
		}
	}
	for cursor := ""; ; {
		got := from.read("/v1/public/conversations/" + id + "?messages_limit=5&messages_cursor=" + cursor)
		if got.object(m.t) == nil {
			return
		}
		page, seq := object(got.object(m.t)["messages"]), m.lower(got.Position)
		m.threads[id] = seq
		for _, item := range page["data"].([]any) {
			m.keep("message", object(item), seq)
			if kept := m.kinds["message"][text(object(item)["id"])]; kept.seq == seq {
				kept.shown = text(got.object(m.t)["id"]) // another one, if id was merged into that
			}
			m.threads[text(object(item)["conversationId"])] = seq
		}
		if cursor = text(page["next_cursor"]); cursor == "" {
			return
		}
	}
}

// event is one of the log.
type event struct {
	Seq            int64
	Type           string
	ConversationID string
	Data           map[string]any
	Moved          map[string]any
}

// apply brings the mirror forward by one event.
func (m *mirror) apply(e event) {
	kind, what, _ := strings.Cut(e.Type, ".")
	switch {
	case e.Type == "erased":
		return
	case e.Type == "conversation.merged" || e.Type == "conversation.unmerged":
		return // their events of updates say what became of the conversations
	case e.Type == "conversation.split":
		m.split(text(e.Data["id"]), text(e.Data["fromId"]), text(e.Data["messageId"]), e.Seq)
	case e.Type == "conversation.deleted":
		delete(m.kinds[kind], e.ConversationID)
		for _, of := range []string{"message", "scheduled_message"} {
			maps.DeleteFunc(m.kinds[of], func(_ string, r *record) bool { return r.value["conversationId"] == e.ConversationID })
		}
	case what == "deleted":
		delete(m.kinds[kind], idOf(kind, e.Data))
	case e.Type == "contact.merged":
		m.merge(text(e.Data["id"]), text(e.Data["intoId"]), e.Seq)
	default:
		m.keep(kind, e.Data, e.Seq)
	}
	switch kind {
	case "member":
		if m.former[text(e.Data["id"])] = true; what != "removed" {
			delete(m.former, text(e.Data["id"]))
		}
		m.follow(e, "conversation", "assignee")
		m.follow(e, "scheduled_message", "author")
		m.senders(e, "image")
		if what == "removed" {
			m.leave(e)
		}
	case "contact":
		if what != "merged" {
			m.follow(e, "conversation", "contact")
			m.follow(e, "contact_duplicate", "contact")
			m.follow(e, "contact_duplicate", "other")
			m.senders(e, "avatarUrl")
		}
	case "inbox":
		m.follow(e, "conversation", "inbox")
	case "conversation":
		for _, r := range m.kinds["message"] {
			if r.seq < e.Seq && text(r.value["conversationId"]) == e.ConversationID {
				r.shown = cmp.Or(text(e.Data["mergedInto"]), e.ConversationID)
			}
		}
	case "team":
		if what == "deleted" {
			m.clear(e)
		} else {
			m.follow(e, "conversation", "team")
		}
	case "product":
		m.follow(e, "conversation", "product")
	case "company":
		m.follow(e, "contact", "company")
	case "article_category":
		if what == "deleted" {
			m.uncategorize(e)
		}
	case "message":
		m.moved(e)
	}
}

// leave takes a removed member out of the teams.
func (m *mirror) leave(e event) {
	for _, r := range m.kinds["team"] {
		if r.seq < e.Seq {
			r.value["memberIds"] = slices.DeleteFunc(r.value["memberIds"].([]any), func(id any) bool { return id == e.Data["id"] })
		}
	}
}

// clear takes the conversations of a deleted team out of it.
func (m *mirror) clear(e event) {
	for _, r := range m.kinds["conversation"] {
		if object(r.value["team"])["id"] == e.Data["id"] && r.seq < e.Seq {
			r.value["team"] = nil
		}
	}
}

// uncategorize takes the articles of a deleted category out of it.
func (m *mirror) uncategorize(e event) {
	for _, r := range m.kinds["article"] {
		if r.value["categoryId"] == e.Data["id"] && r.seq < e.Seq {
			r.value["categoryId"] = nil
		}
	}
}

// moved applies what a new message changed.
func (m *mirror) moved(e event) {
	if e.Moved == nil {
		return
	}
	c := m.kinds["conversation"][e.ConversationID]
	if c == nil {
		return
	}
	if c.seq < e.Seq {
		for _, member := range []string{"unreadCount", "lastActivityAt", "updatedAt", "waitingSince", "wokeAt"} {
			c.value[member] = e.Moved[member]
		}
	}
	contact := m.kinds["contact"][text(object(c.value["contact"])["id"])]
	if at := e.Moved["contactLastActivityAt"]; at != nil && contact != nil && contact.seq < e.Seq {
		contact.value["lastActivityAt"] = at
	}
}

// follow copies a changed record into the references to it.
func (m *mirror) follow(e event, kind, name string) {
	for _, r := range m.kinds[kind] {
		reference := object(r.value[name])
		if reference == nil || reference["id"] != e.Data["id"] || r.seq >= e.Seq {
			continue
		}
		for member := range reference {
			reference[member] = e.Data[member]
		}
	}
}

// senders copies a new name or picture into messages.
func (m *mirror) senders(e event, picture string) {
	for _, r := range m.kinds["message"] {
		if r.value["senderId"] == e.Data["id"] && r.seq < e.Seq {
			image, _ := e.Data[picture].(string)
			object(r.value["sender"])["name"], object(r.value["sender"])["image"] = e.Data["name"], image
		}
	}
}

// split gives a conversation the messages of another one, and of what was merged into that, from
// one on.
func (m *mirror) split(id, from, message string, seq int64) {
	for _, r := range m.kinds["message"] {
		if r.seq <= seq && text(r.value["id"]) >= message && r.shown == from {
			r.value["conversationId"], r.shown, r.seq = id, id, seq
		}
	}
}

// merge redirects what belonged to a contact to the one it was merged into.
func (m *mirror) merge(id, into string, seq int64) {
	if gone := m.kinds["contact"][id]; gone != nil && gone.seq < seq {
		delete(m.kinds["contact"], id)
	}
	winner := m.kinds["contact"][into]
	if winner == nil {
		return
	}
	for _, r := range m.kinds["conversation"] {
		if reference := object(r.value["contact"]); reference["id"] == id && r.seq < seq {
			for member := range reference {
				reference[member] = winner.value[member]
			}
		}
	}
	for _, r := range m.kinds["message"] {
		if r.value["senderId"] == id && r.seq < seq {
			image, _ := winner.value["avatarUrl"].(string)
			r.value["senderId"], r.value["sender"] = into, map[string]any{"name": winner.value["name"], "image": image}
		}
	}
}

// catchUp applies all events after what was loaded.
func (m *mirror) catchUp(from source) {
	after := m.place
	for {
		var page struct {
			Data       []event
			HasMore    bool   `json:"has_more"`
			NextCursor string `json:"next_cursor"`
			Reset      bool
		}
		from.read("/v1/public/events?limit=200&after="+after).into(m.t, &page)
		if page.Reset {
			m.t.Fatal("the log begins behind what was loaded")
		}
		for _, e := range page.Data {
			if strings.HasPrefix(e.Type, "message.") {
				m.missed(from, e.ConversationID)
			}
			m.apply(e)
			m.parted(from, e)
		}
		if after = page.NextCursor; !page.HasMore {
			return
		}
	}
}

// followed removes what events do not tell. A message that changes by itself
// moves updatedAt of its conversation, and only readers of that conversation
// see it.
func followed(kind string, value map[string]any) map[string]any {
	if kind != "conversation" {
		return value
	}
	value = maps.Clone(value)
	delete(value, "updatedAt")
	return value
}

// differences returns the differences between two mirrors.
func (m *mirror) differences(fresh *mirror) []string {
	var all []string
	kinds := map[string]bool{}
	for _, each := range []*mirror{m, fresh} { // kinds of which all may be gone
		for kind := range each.kinds {
			kinds[kind] = true
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		ids := map[string]bool{}
		for id := range m.kinds[kind] {
			ids[id] = true
		}
		for id := range fresh.kinds[kind] {
			ids[id] = true
		}
		for id := range ids {
			have, want := m.kinds[kind][id], fresh.kinds[kind][id]
			if have != nil && have.value["mergedInto"] != nil {
				have = nil // lists leave it out
			}
			switch {
			case have == nil && want == nil:
			case have == nil:
				all = append(all, fmt.Sprintf("the %s %s is missing", kind, id))
			case want == nil:
				all = append(all, fmt.Sprintf("the %s %s is too many", kind, id))
			case !reflect.DeepEqual(followed(kind, have.value), followed(kind, want.value)):
				all = append(all, fmt.Sprintf("the %s is\n  %v, want\n  %v", kind, have.value, want.value))
			}
		}
	}
	if !maps.Equal(m.former, fresh.former) {
		all = append(all, fmt.Sprintf("the former members are %v, want %v", m.former, fresh.former))
	}
	return all
}

// TestStateAndEventsAreFreshState writes at random, with every operation, while
// dashboards load, and requires that each of them, brought forward by the log,
// equals a fresh one.
func TestStateAndEventsAreFreshState(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		x := newWriting(w, rand.New(rand.NewPCG(rand.Uint64(), 1)))
		for _, operation := range slices.Sorted(maps.Keys(x.operations())) {
			x.run(operation) // each of them once
		}
		var writers sync.WaitGroup
		for seed := range uint64(4) {
			writers.Go(func() {
				random := rand.New(rand.NewPCG(seed, 3))
				names := slices.Sorted(maps.Keys(x.operations()))
				for range 60 {
					x.run(names[random.IntN(len(names))])
				}
			})
		}
		mirrors := make([]*mirror, 3)
		for i := range mirrors {
			mirrors[i] = load(t, present{w})
		}
		writers.Wait()
		w.settle()
		fresh := load(t, present{w})
		for i, m := range mirrors {
			m.catchUp(present{w})
			for _, difference := range m.differences(fresh) {
				t.Errorf("mirror %d: %s", i, difference)
			}
		}
		lazy := load(t, present{w})
		x.run("createContact") // what others need may be deleted
		if len(lazy.differences(load(t, present{w}))) == 0 {
			t.Error("a mirror that applies no events differs in nothing, so this test proves nothing")
		}
	})
}

// unseen are the operations that change nothing in a dashboard's state. An answer
// that can help is beyond this test, in which no agent runs.
var unseen = []string{
	"confirmSession", "signInByCode", "beginRequiredSecondFactor", "setRequiredSecondFactor", "beginSecondFactor", "setSecondFactor", "turnOffSecondFactor", "renewRecoveryCodes", "requireSecondFactor",
	"beginProviderSignIn", "logOutByProvider", "connectProviderAccount", "disconnectMember", "updateSignInProvider", "deleteSignInProvider",
	"resetSecondFactor", "signIn", "signOut", "signOutEverywhere", "endSession", "endOtherSessions", "endMemberSessions", "changePassword", "openInvitation", "createInvitation", "deleteInvitation",
	"resetMember", "createKey", "updateKey", "revokeKey", "createIdentityKey", "retireIdentityKey", "revokeIdentityKey", "setPresence",
	"updateWidgetSettings", "signOutContact", "endCustomerSession", "setCustomerTyping", "putVisit", "giveAddress", "uploadAttachment", "uploadCustomerAttachment", "setBudgets", "setRetention", "previewArticle", "addArticlePicture",
	"suggestWidgetArticles", "rateWidgetArticle", "dismissKnowledgeGap", "setArticleOrigin",
	"createModelProvider", "updateModelProvider", "deleteModelProvider", "testModelProvider", "simulateProductAgent", "assist", "markAnswerHelped", "finishWelcome", "updateOfficeHours", "updateWidgetTexts", "putDraft", "readNotices", "addPushDevice", "removePushDevice", "testPushDevice", "updateNoticePreferences", "followConversation", "unfollowConversation", "linkConversations", "unlinkConversations", "resendMail", "testMail", "forgotPassword",
}

// TestEveryOperationIsWritten requires that the test above knows every
// operation that changes something.
func TestEveryOperationIsWritten(t *testing.T) {
	w := onSQLite(t)
	known := newWriting(w, rand.New(rand.NewPCG(1, 1))).operations()
	check := func(operation, method string) {
		if method == http.MethodGet || slices.Contains(unseen, operation) {
			return
		}
		if known[operation] == nil {
			t.Errorf("the operation %s is missing in newWriting", operation)
		}
	}
	for _, route := range publicapi.Routes() {
		check(route.Operation, route.Method)
	}
	for _, route := range dashboard.Routes() {
		check(route.Operation, route.Method)
	}
	for _, route := range widget.Routes() {
		check(route.Operation, route.Method)
	}
}
