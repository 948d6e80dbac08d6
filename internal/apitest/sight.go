package apitest

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/store"
)

// A SightRule says what a member who sees only some conversations gets from an operation.
type SightRule string

const (
	// SightApart: the operation is about no conversation. The member gets what everybody gets.
	SightApart SightRule = "apart"
	// SightHidden: the request names a conversation, and one that the member does not see
	// is answered as one that does not exist.
	SightHidden SightRule = "hidden"
	// SightFiltered: the answer shows conversations, those that the member sees.
	SightFiltered SightRule = "filtered"
	// SightCounted: the answer counts conversations, those that the member sees.
	SightCounted SightRule = "counted"
	// SightRefused: the operation is for members who see the conversations of the inbox, or
	// all of them.
	SightRefused SightRule = "refused"
)

// secretWords are in a message that only some members see.
const secretWords = "quetzal"

// A SightWalk sends every operation as three members: one sees everything, one sees
// every conversation because all inboxes are theirs, and one sees none.
type SightWalk struct {
	World *World
	// Rules has a row for each operation that agents may use.
	Rules map[string]SightRule
	// Sample makes the records that an operation needs.
	Sample func(t *testing.T, row Row) Sample
	// Request returns a sample's request by a session.
	Request func(method string, s Sample, session parley.Token) Request
	// Member makes an agent who sees everything.
	Member func() parley.Member
	// SignIn starts a session of a member.
	SignIn func(parley.UserID) parley.Token

	all, seeing, blind parley.Member
	empty              parley.ID // an inbox without conversations
}

// Walk requires for each operation that it keeps its rule. A rule that the first member
// would keep as well proves nothing, and fails.
func (k *SightWalk) Walk(t *testing.T, s Surface) {
	t.Helper()
	k.empty = k.World.NewInbox(desk.NewInbox{Name: "Empty", Channel: parley.ChannelAPI})
	k.all, k.seeing, k.blind = k.Member(), k.Member(), k.Member()
	for _, m := range []parley.Member{k.all, k.seeing, k.blind} {
		k.involve(t, m.ID)
	}
	k.limit(t, k.blind.ID, k.empty)
	s.Each(t, k.World, func(t *testing.T, row Row) {
		if row.Open {
			return
		}
		rule, ok := k.Rules[row.Operation]
		everything := k.send(t, row, k.all.ID)
		if everything.Status == http.StatusForbidden && !ok {
			if got := k.send(t, row, k.blind.ID); got.Status != http.StatusForbidden {
				t.Errorf("an agent gets 403, and one who sees only some conversations %d", got.Status)
			}
			return
		}
		if !ok {
			t.Fatalf("the operation %s has no row: say what a member gets who sees only some conversations", row.Operation)
		}
		sees, blind := k.send(t, row, k.seeing.ID), k.send(t, row, k.blind.ID)
		k.check(t, rule, row, everything, sees, blind)
	})
	for operation := range k.Rules {
		if !slices.Contains(s.Operations(), operation) {
			t.Errorf("the rule of %s belongs to no operation", operation)
		}
	}
}

// An outcome is an answer with what it gives away of conversations that the third member
// does not see, and whether anything changed.
type outcome struct {
	Answer
	leaks   []string
	changed bool
}

// send sends a new sample as a member.
func (k *SightWalk) send(t *testing.T, row Row, member parley.UserID) outcome {
	t.Helper()
	w := k.World
	sample := k.Sample(t, row)
	k.seesAll(t) // the sample may have made an inbox
	if err := w.Search.IndexSearch(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := k.Request(row.Method, sample, k.SignIn(member))
	before := k.position(t)
	w.Advance(1)
	got := outcome{Answer: w.Send(r)}
	got.changed = k.position(t) != before
	for _, secret := range k.secrets(t) {
		if strings.Contains(string(got.Body), secret) && !strings.Contains(r.Path+r.Body, secret) {
			got.leaks = append(got.leaks, secret)
		}
	}
	return got
}

// check compares what the three members got with a rule.
func (k *SightWalk) check(t *testing.T, rule SightRule, row Row, everything, sees, blind outcome) {
	t.Helper()
	if len(blind.leaks) > 0 {
		t.Errorf("the answer gives %v away: %s", blind.leaks, blind.Body)
	}
	if rule != SightRefused && sees.Status != everything.Status {
		t.Errorf("a member of all inboxes gets %d, and one who sees everything %d: %s", sees.Status, everything.Status, sees.Body)
	}
	switch rule {
	case SightApart:
		if blind.Status != everything.Status {
			t.Errorf("the status is %d, want %d: %s", blind.Status, everything.Status, blind.Body)
		}
	case SightHidden:
		if blind.Status != http.StatusNotFound || blind.changed {
			t.Errorf("the status is %d, want 404, changed is %t: %s", blind.Status, blind.changed, blind.Body)
		}
		if everything.Status == http.StatusNotFound {
			t.Error("a member who sees everything gets 404 too, so this proves nothing")
		}
	case SightFiltered, SightCounted:
		if blind.Status != everything.Status {
			t.Errorf("the status is %d, want %d: %s", blind.Status, everything.Status, blind.Body)
		}
		if rule == SightFiltered && len(everything.leaks) == 0 || string(everything.Body) == string(blind.Body) {
			t.Errorf("a member who sees everything reads no more, so this proves nothing: %s", everything.Body)
		}
	case SightRefused:
		if blind.Status != http.StatusForbidden || blind.changed {
			t.Errorf("the status is %d, want 403, changed is %t: %s", blind.Status, blind.changed, blind.Body)
		}
		if everything.Status >= 300 {
			t.Errorf("a member who sees everything gets %d, so this proves nothing", everything.Status)
		}
	default:
		t.Errorf("%s has the rule %q, which is none", row.Operation, rule)
	}
}

// position returns the end of the workspace's log.
func (k *SightWalk) position(t *testing.T) string {
	t.Helper()
	heads, err := k.World.Desk.LogHeads(t.Context(), []parley.WorkspaceID{k.World.Home.Workspace.ID})
	if err != nil || len(heads) != 1 {
		t.Fatalf("the log has the heads %v, %v", heads, err)
	}
	return heads[0].LogPosition.String()
}

// secrets returns the ids of all conversations, and words that customers wrote in one. The
// blind member sees none of them.
func (k *SightWalk) secrets(t *testing.T) []string {
	t.Helper()
	all := parley.WholeWorkspace(k.World.Home.Workspace.ID)
	page, err := desk.View(k.World.Desk, func(v *store.View) (parley.Page[parley.ID], error) {
		return v.ConversationIDs(all, desk.ConversationFilter{Spam: parley.AnySpam, AnyMerged: true}, parley.Position{}, 10_000)
	}).Now(t.Context())
	if err != nil || page.HasMore {
		t.Fatalf("the conversations are %v, %v", page, err)
	}
	secrets := []string{secretWords}
	for _, id := range page.Items {
		secrets = append(secrets, id.String())
	}
	return secrets
}

// involve gives a member what a member has of a conversation: an assignment, a draft, a
// follow, a mention, an unread mark and a link. Then the owner takes it over.
func (k *SightWalk) involve(t *testing.T, member parley.UserID) {
	t.Helper()
	w := k.World
	id, other := w.Conversation(), w.Conversation()
	conversation, board := "/v1/public/conversations/"+id, "/v1/dashboard/conversations/"+id
	session := k.SignIn(member)
	as := func(method, path, body string) Answer {
		w.Advance(1)
		return w.Send(Request{Method: method, Path: path, Body: body, Session: session})
	}
	as("PATCH", conversation, `{"assigneeId":"`+string(member)+`","subject":"`+secretWords+`"}`).Want(http.StatusOK)
	as("PUT", board+"/follow", "").Want(http.StatusOK)
	as("PUT", board+"/draft", `{"content":"`+secretWords+`","version":0}`).Want(http.StatusOK)
	as("PUT", board+"/links/"+other, "").Want(http.StatusOK)
	as("POST", board+"/unread", "").Want(http.StatusOK)
	owner := Request{Method: "POST", Path: conversation + "/messages", Session: w.Owner}
	owner.Body = `{"content":"ann, see the ` + secretWords + `","isPrivate":true,"mentions":["` + string(member) + `"]}`
	w.Send(owner).Want(http.StatusCreated)
	if err := w.Notices.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Send(Request{Method: "PATCH", Path: conversation, Body: `{"assigneeId":null}`, Session: w.Owner}).Want(http.StatusOK)
}

// limit lets a member see the conversations of some inboxes.
func (k *SightWalk) limit(t *testing.T, member parley.UserID, inboxes ...parley.ID) {
	t.Helper()
	change := access.MemberChange{}
	change.Access, change.InboxIDs = parley.Some(parley.AccessOwn), parley.Some(inboxes)
	if _, err := k.World.Access.UpdateMember(t.Context(), k.World.By(), member, change); err != nil {
		t.Fatal(err)
	}
}

// seesAll makes all inboxes those of the second member.
func (k *SightWalk) seesAll(t *testing.T) {
	t.Helper()
	var list struct{ Data []struct{ ID parley.ID } }
	got := k.World.Send(Request{Method: "GET", Path: "/v1/public/inboxes", Session: k.World.Owner}).Want(http.StatusOK)
	if err := json.Unmarshal(got.Body, &list); err != nil {
		t.Fatal(err)
	}
	var ids []parley.ID
	for _, inbox := range list.Data {
		ids = append(ids, inbox.ID)
	}
	k.limit(t, k.seeing.ID, ids...)
}
