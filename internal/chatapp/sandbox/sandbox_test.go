package sandbox_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/sandbox"
)

// A world is a network, its journal, and a clock that a test moves.
type world struct {
	*sandbox.Network
	journal *memory
	now     time.Time
	ids     *parley.IDs
	host    chatapp.Host
}

func newWorld() *world {
	w := &world{
		journal: newMemory(), now: time.Date(2026, 11, 20, 8, 15, 30, 0, time.UTC),
		ids:  parley.NewIDs(rand.NewChaCha8([32]byte{1})),
		host: chatapp.Host{Workspace: parley.WorkspaceID{1}, NumberID: parley.ID{2}, Phone: "15550110"},
	}
	w.restart()
	return w
}

// restart ends the server's process and starts another. The network continues.
func (w *world) restart() {
	w.Network = sandbox.New(w.journal, func() time.Time { return w.now }, w.ids)
}

func (w *world) group(t *testing.T, participants ...parley.Phone) string {
	t.Helper()
	g, _, err := w.CreateGroup(t.Context(), w.host, "Team", participants)
	if err != nil {
		t.Fatal(err)
	}
	return g.JID
}

func outcomes(results []chatapp.MemberResult) string {
	var b strings.Builder
	for _, r := range results {
		fmt.Fprintf(&b, "%s %s, ", r.Phone, r.Outcome)
	}
	return strings.TrimSuffix(b.String(), ", ")
}

func TestOutcomes(t *testing.T) {
	w := newWorld()
	everyone := []parley.Phone{"15550150", "15550200", "15550201", "15550202", "15550204", "15550150", w.host.Phone}
	g, results, err := w.CreateGroup(t.Context(), w.host, "Team", everyone)
	if err != nil {
		t.Fatal(err)
	}
	const want = "15550150 added, 15550200 not found, 15550201 needs invite, 15550202 needs invite, 15550204 already, 15550110 already"
	if got := outcomes(results); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, r := range results {
		invited := r.Outcome == chatapp.NeedsInvite
		if invited != (r.Code == 403) || invited != (r.Invite.Code != "") || invited && !r.Invite.ExpiresAt.After(w.now) {
			t.Errorf("%+v", r)
		}
	}
	if !regexp.MustCompile(`^1203[0-9]{14}@g\.us$`).MatchString(g.JID) || g.Name != "Team" || !g.CreatedAt.Equal(w.now) {
		t.Errorf("%+v", g)
	}
	results, err = w.AddMembers(t.Context(), w.host, g.JID, append(everyone, "15550151"))
	const then = "15550150 already, 15550200 not found, 15550201 needs invite, 15550202 needs invite, 15550204 already, 15550110 already, 15550151 added"
	if got := outcomes(results); got != then || err != nil {
		t.Errorf("got  %s, %v\nwant %s", got, err, then)
	}
}

func TestNobody(t *testing.T) {
	w := newWorld()
	for _, participants := range [][]parley.Phone{nil, {"15550100"}, {"15550100", "15550200"}} {
		if _, _, err := w.CreateGroup(t.Context(), w.host, "Team", participants); !errors.Is(err, chatapp.ErrNobody) {
			t.Errorf("%v: %v", participants, err)
		}
	}
	if len(w.journal.groups) != 0 {
		t.Errorf("%d groups were made", len(w.journal.groups))
	}
	// A person who can only be invited uses the application.
	if _, results, err := w.CreateGroup(t.Context(), w.host, "Team", []parley.Phone{"15550101"}); err != nil || len(results) != 1 {
		t.Errorf("%v, %v", results, err)
	}
}

func TestNames(t *testing.T) {
	w := newWorld()
	for name, want := range map[string]error{
		"": chatapp.ErrName, " \t": chatapp.ErrName, strings.Repeat("ü", 256): chatapp.ErrName, strings.Repeat("ü", 255): nil,
	} {
		if _, _, err := w.CreateGroup(t.Context(), w.host, name, []parley.Phone{"15550150"}); !errors.Is(err, want) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// The worst case: the group was created, and the answer was lost.
func TestTimeoutOfCreation(t *testing.T) {
	w := newWorld()
	start := w.now
	participants := []parley.Phone{"15550103", "15550150", "15550101"}
	g, results, err := w.CreateGroup(t.Context(), w.host, "Team", participants)
	if !errors.Is(err, chatapp.ErrTimeout) || g != (chatapp.Group{}) || results != nil {
		t.Fatalf("%v, %v, %v", g, results, err)
	}
	found, err := w.FindGroups(t.Context(), w.host, "Team", start)
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	results, err = w.AddMembers(t.Context(), w.host, found[0].JID, participants)
	const want = "15550103 already, 15550150 already, 15550101 needs invite"
	if got := outcomes(results); got != want || err != nil {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
	// From then on it works, also in another group and after a restart.
	w.restart()
	if _, results, err = w.CreateGroup(t.Context(), w.host, "Other", participants); err != nil || results[0].Outcome != chatapp.Added {
		t.Errorf("%v, %v", results, err)
	}
	// Another number and another host have timeouts of their own.
	if _, _, err = w.CreateGroup(t.Context(), w.host, "Third", []parley.Phone{"15550203"}); !errors.Is(err, chatapp.ErrTimeout) {
		t.Errorf("another number: %v", err)
	}
	w.host.Phone = "15550111"
	if _, _, err = w.CreateGroup(t.Context(), w.host, "Fourth", []parley.Phone{"15550103"}); !errors.Is(err, chatapp.ErrTimeout) {
		t.Errorf("another host: %v", err)
	}
}

func TestTimeoutOfAdding(t *testing.T) {
	w := newWorld()
	jid := w.group(t, "15550150")
	add := []parley.Phone{"15550103", "15550151"}
	if results, err := w.AddMembers(t.Context(), w.host, jid, add); !errors.Is(err, chatapp.ErrTimeout) || results != nil {
		t.Fatalf("%v, %v", results, err)
	}
	w.restart()
	results, err := w.AddMembers(t.Context(), w.host, jid, add)
	if got := outcomes(results); got != "15550103 already, 15550151 already" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

func TestFindGroups(t *testing.T) {
	w := newWorld()
	old := w.group(t, "15550150")
	w.now = w.now.Add(time.Minute)
	since := w.now
	first := w.group(t, "15550150")
	w.now = w.now.Add(time.Minute)
	second := w.group(t, "15550150")
	if _, _, err := w.CreateGroup(t.Context(), w.host, "Other", []parley.Phone{"15550150"}); err != nil {
		t.Fatal(err)
	}
	find := func(host chatapp.Host, since time.Time) []string {
		found, err := w.FindGroups(t.Context(), host, "Team", since)
		if err != nil {
			t.Fatal(err)
		}
		var jids []string
		for _, g := range found {
			jids = append(jids, g.JID)
		}
		return jids
	}
	if got, want := find(w.host, since), []string{second, first}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := find(w.host, time.Time{}), []string{second, first, old}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	otherNumber, otherWorkspace := w.host, w.host
	otherNumber.Phone, otherWorkspace.Workspace = "15550111", parley.WorkspaceID{9}
	if got := append(find(otherNumber, time.Time{}), find(otherWorkspace, time.Time{})...); got != nil {
		t.Errorf("others found %v", got)
	}
}

func TestSetAdmin(t *testing.T) {
	w := newWorld()
	jid := w.group(t, "15550150", "15550101")
	set := func(host chatapp.Host, jid string, phone parley.Phone, admin bool) error {
		return w.SetAdmin(t.Context(), host, jid, phone, admin)
	}
	for _, phone := range []parley.Phone{"15550150", "15550150", "15550104"} {
		if err := errors.Join(set(w.host, jid, phone, true), set(w.host, jid, phone, false)); err != nil {
			t.Errorf("%s: %v", phone, err)
		}
	}
	for _, phone := range []parley.Phone{"15550151", "15550100", "15550101"} {
		if err := set(w.host, jid, phone, true); !errors.Is(err, chatapp.ErrNotMember) {
			t.Errorf("%s: %v", phone, err)
		}
	}
	if err := set(w.host, "120300000000000000@g.us", "15550150", true); !errors.Is(err, chatapp.ErrNoGroup) {
		t.Errorf("no group: %v", err)
	}
	plain := w.host
	plain.Phone = "15550109"
	g, _, err := w.CreateGroup(t.Context(), plain, "Team", []parley.Phone{"15550150"})
	if err != nil {
		t.Fatal(err)
	}
	for _, phone := range []parley.Phone{"15550150", "15550151"} {
		if err := set(plain, g.JID, phone, true); !errors.Is(err, chatapp.ErrNotAdmin) {
			t.Errorf("a host that is no admin, %s: %v", phone, err)
		}
	}
	if err := errors.Join(set(w.host, jid, w.host.Phone, false)); err != nil {
		t.Fatal(err)
	}
	if err := set(w.host, jid, "15550150", true); !errors.Is(err, chatapp.ErrNotAdmin) {
		t.Errorf("a host that gave it up: %v", err)
	}
}

// Only the host of a group can see it.
func TestGroupsOfOthers(t *testing.T) {
	w := newWorld()
	jid := w.group(t, "15550150")
	for name, other := range map[string]chatapp.Host{
		"another number":    {Workspace: w.host.Workspace, Phone: "15550111"},
		"another workspace": {Workspace: parley.WorkspaceID{9}, Phone: w.host.Phone},
	} {
		_, addErr := w.AddMembers(t.Context(), other, jid, []parley.Phone{"15550151"})
		_, linkErr := w.InviteLink(t.Context(), other, jid)
		sendErr := w.Send(t.Context(), other, chatapp.Message{ID: "m", JID: jid, Text: "hello"})
		for _, err := range []error{addErr, linkErr, sendErr, w.SetAdmin(t.Context(), other, jid, "15550150", true)} {
			if !errors.Is(err, chatapp.ErrNoGroup) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestInviteLink(t *testing.T) {
	w := newWorld()
	jid, other := w.group(t, "15550150"), w.group(t, "15550150")
	link, err := w.InviteLink(t.Context(), w.host, jid)
	if err != nil || !regexp.MustCompile(`^https://chatapp\.example/[a-z2-7]{22}$`).MatchString(link) {
		t.Errorf("%q, %v", link, err)
	}
	w.restart()
	if again, err := w.InviteLink(t.Context(), w.host, jid); err != nil || again != link {
		t.Errorf("then %q, %v", again, err)
	}
	if otherLink, err := w.InviteLink(t.Context(), w.host, other); err != nil || otherLink == link {
		t.Errorf("another group has %q, %v", otherLink, err)
	}
}

func TestSend(t *testing.T) {
	w := newWorld()
	jid := w.group(t, "15550150")
	send := func(m chatapp.Message) error {
		m.JID = jid
		return w.Send(t.Context(), w.host, m)
	}
	// A message that is sent three times, the second time after a restart,
	// arrives once.
	for range 3 {
		if err := send(chatapp.Message{ID: "a", Text: "hello", Media: &chatapp.Media{ContentType: "image/png"}}); err != nil {
			t.Fatal(err)
		}
		w.restart()
	}
	for _, phone := range []parley.Phone{"15550101", "15550102"} {
		if err := send(chatapp.Message{ID: "to-" + string(phone), Phone: phone, Text: "join"}); err != nil {
			t.Errorf("%s: %v", phone, err)
		}
	}
	if err := send(chatapp.Message{ID: "b", Phone: "15550100", Text: "join"}); !errors.Is(err, chatapp.ErrNotOnChatapp) {
		t.Errorf("to nobody: %v", err)
	}
	if err := send(chatapp.Message{Text: "hello"}); err == nil {
		t.Error("a message without an id was sent")
	}
	// A message to one person belongs to no group, and the same numbers answer.
	alone := chatapp.Message{ID: "c", Phone: "15550150", Text: "hello"}
	if err := w.Send(t.Context(), w.host, alone); err != nil {
		t.Errorf("one to one: %v", err)
	}
	alone.Phone = "15550100"
	if err := w.Send(t.Context(), w.host, alone); !errors.Is(err, chatapp.ErrNotOnChatapp) {
		t.Errorf("one to one, to nobody: %v", err)
	}
	sent, err := w.Sent(t.Context(), w.host, jid)
	if err != nil || len(sent) != 3 || sent[0].Text != "hello" || sent[1].Phone != "15550101" || sent[2].Phone != "15550102" {
		t.Errorf("%+v, %v", sent, err)
	}
	// The message is recognized even after more messages than are kept.
	for i := range 60 {
		if err := send(chatapp.Message{ID: fmt.Sprint(i), Text: "more"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := send(chatapp.Message{ID: "a", Text: "hello"}); err != nil {
		t.Fatal(err)
	}
	if sent, err = w.Sent(t.Context(), w.host, jid); err != nil || len(sent) != 50 || sent[49].ID != "59" {
		t.Errorf("%d messages, %v", len(sent), err)
	}
}

// keptState is the state of a group as journals hold it.
const keptState = `{"jid":"120300000000000001@g.us","name":"Team","code":"abc","createdAt":"2026-11-20T08:15:30Z",` +
	`"members":{"15550110":true,"15550150":false},"timedOut":{"15550103":true},"sentIds":["m"],"sent":[` +
	`{"ID":"m","JID":"120300000000000001@g.us","Phone":"15550150","Text":"join","Media":null,` +
	`"Invite":{"Code":"c","ExpiresAt":"2026-11-23T08:15:30Z"},"GroupName":"Team"}]}`

// TestKeptState reads an older journal, writes it, and compares.
func TestKeptState(t *testing.T) {
	w := newWorld()
	jid := "120300000000000001@g.us"
	key := groupKey{w.host.Workspace, jid}
	w.journal.groups[key] = keptGroup{w.host.Phone, []byte(keptState)}
	want := chatapp.Message{
		ID: "m", JID: jid, Phone: "15550150", Text: "join", GroupName: "Team",
		Invite: chatapp.Invite{Code: "c", ExpiresAt: time.Date(2026, 11, 23, 8, 15, 30, 0, time.UTC)},
	}
	if sent, err := w.Sent(t.Context(), w.host, jid); err != nil || len(sent) != 1 || sent[0] != want {
		t.Errorf("the messages are %+v, %v, want %+v", sent, err, want)
	}
	next := want
	next.ID = "n"
	if err := w.Send(t.Context(), w.host, next); err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(keptState, `"sentIds"`)
	message := func(id string) string {
		return `{"ID":"` + id + `","JID":"` + jid + `","Phone":"15550150","Text":"join","Invite":{"Code":"c","ExpiresAt":"2026-11-23T08:15:30Z"},"GroupName":"Team"}`
	}
	stored := before + `"sentIds":["m","n"],"sent":[` + message("m") + "," + message("n") + `]}`
	if got := string(w.journal.groups[key].state); got != stored {
		t.Errorf("the state is stored as\n%s\nwant\n%s", got, stored)
	}
}

func TestFull(t *testing.T) {
	w := newWorld()
	var many []parley.Phone
	for i := range sandbox.MaxMembers {
		many = append(many, parley.Phone(fmt.Sprintf("4420%06d50", i)))
	}
	_, results, err := w.CreateGroup(t.Context(), w.host, "Team", many)
	if err != nil {
		t.Fatal(err)
	}
	last := results[len(results)-1]
	if results[len(results)-2].Outcome != chatapp.Added || last.Outcome != chatapp.Refused || last.Code != 419 {
		t.Errorf("%+v", results[len(results)-2:])
	}
}
