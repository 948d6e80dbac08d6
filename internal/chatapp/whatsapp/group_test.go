package whatsapp_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatsim"
)

func outcomes(results []chatapp.MemberResult) string {
	var all []string
	for _, r := range results {
		all = append(all, fmt.Sprintf("%s %s", r.Phone, r.Outcome))
	}
	return strings.Join(all, ", ")
}

func TestCreateGroup(t *testing.T) {
	w := connected(t)
	before := time.Now().Add(-time.Second)
	// Carol is found by another spelling, too; the host may be among the
	// participants.
	spelled := parley.Phone("155500000044")
	g, results, err := w.driver.CreateGroup(w.ctx(), w.host, "Team", []parley.Phone{alice, bob, nobody, spelled, alice, hostPhone})
	if err != nil {
		t.Fatal(err)
	}
	want := alice + " added, " + bob + " needs invite, " + nobody + " not found, " + string(spelled) + " added, " + hostPhone + " already"
	if got := outcomes(results); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if results[3].Network != carol || results[0].Network != "" {
		t.Errorf("the network's spelling: %+v", results)
	}
	if r := results[1]; r.Code != 403 || r.Invite.Code == "" || !r.Invite.ExpiresAt.After(time.Now()) {
		t.Errorf("Bob's invitation: %+v", r)
	}
	if g.Name != "Team" || !strings.HasSuffix(g.JID, "@g.us") || g.CreatedAt.Before(before.Add(-time.Second)) {
		t.Errorf("%+v", g)
	}
	made, ok := w.sim.Group(g.JID)
	if !ok || len(made.Members) != 3 || !made.AdminAdds {
		t.Errorf("the network has %+v", made)
	}
	results, err = w.driver.AddMembers(w.ctx(), w.host, g.JID, []parley.Phone{alice, bob, nobody})
	if got, want := outcomes(results), alice+" already, "+bob+" needs invite, "+nobody+" not found"; got != want || err != nil {
		t.Errorf("asked again: %s, %v", got, err)
	}
	results, err = w.driver.AddMembers(w.ctx(), w.host, g.JID, []parley.Phone{nobody})
	if got := outcomes(results); got != nobody+" not found" || err != nil {
		t.Errorf("nobody there: %s, %v", got, err)
	}
}

// TestPersonalInvitation sends the network's own card to a person who could not
// be added. The person joins with it.
func TestPersonalInvitation(t *testing.T) {
	w := connected(t)
	b := w.phone(bob)
	g, results, err := w.driver.CreateGroup(w.ctx(), w.host, "Team", []parley.Phone{alice, bob})
	if err != nil {
		t.Fatal(err)
	}
	link, err := w.driver.InviteLink(w.ctx(), w.host, g.JID)
	if err != nil {
		t.Fatal(err)
	}
	err = w.driver.Send(w.ctx(), w.host, chatapp.Message{
		ID: newID(), JID: g.JID, Phone: bob, Text: link, Invite: results[1].Invite, GroupName: g.Name,
	})
	if err != nil {
		t.Fatal(err)
	}
	seen := w.next(b)
	if seen.Text != link || seen.Chat != hostPhone || !seen.Invited() {
		t.Errorf("Bob sees %+v", seen)
	}
	if err := b.Accept(w.ctx(), seen); err != nil {
		t.Fatal(err)
	}
	if made, _ := w.sim.Group(g.JID); len(made.Members) != 3 {
		t.Errorf("the network has %+v", made)
	}
	if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), JID: g.JID, Phone: bob, Text: link}); err != nil {
		t.Fatal(err)
	}
	if seen := w.next(b); seen.Text != link || seen.Invited() {
		t.Errorf("without a card Bob sees %+v", seen)
	}
}

func TestCreateGroupRefused(t *testing.T) {
	w := connected(t)
	for _, name := range []string{"", "  ", strings.Repeat("ä", 101)} {
		if _, _, err := w.driver.CreateGroup(w.ctx(), w.host, name, []parley.Phone{alice}); !errors.Is(err, chatapp.ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, participants := range [][]parley.Phone{nil, {nobody}, {hostPhone}} {
		if _, _, err := w.driver.CreateGroup(w.ctx(), w.host, "Team", participants); !errors.Is(err, chatapp.ErrNobody) {
			t.Errorf("%v: %v", participants, err)
		}
	}
	w.fault("w:g2 create", chatsim.Fault{Code: 406})
	if _, _, err := w.driver.CreateGroup(w.ctx(), w.host, "Team", []parley.Phone{alice}); !errors.Is(err, chatapp.ErrName) {
		t.Errorf("406: %v", err)
	}
	w.fault("w:g2 create", chatsim.Fault{Code: 429})
	_, _, err := w.driver.CreateGroup(w.ctx(), w.host, "Team", []parley.Phone{alice})
	w.limited(err, chatapp.RateLimited)
	if groups := w.sim.Groups(); len(groups) != 0 {
		t.Errorf("groups were made: %+v", groups)
	}
}

// fault makes every later request of a kind fail.
func (w *world) fault(kind string, f chatsim.Fault) {
	w.sim.SetHooks(chatsim.Hooks{Before: func(r chatsim.Request) chatsim.Fault {
		if (r.Phone == hostPhone || r.Phone == "") && r.Kind == kind {
			return f
		}
		return chatsim.Fault{}
	}})
}

func (w *world) limited(err error, reason chatapp.Limit) {
	w.t.Helper()
	var limit *chatapp.LimitError
	if !errors.As(err, &limit) || limit.Reason != reason || !limit.Until.After(time.Now()) {
		w.t.Errorf("not %s: %v", reason, err)
	}
}

// The connection breaks after the network has created the group and before it
// has answered. There is one group, and it can be found.
func TestCreateGroupCutOff(t *testing.T) {
	w := connected(t)
	var made atomic.Int32
	w.sim.SetHooks(chatsim.Hooks{After: func(r chatsim.Request) chatsim.Fault {
		return chatsim.Fault{Cut: r.Kind == "w:g2 create" && made.Add(1) == 1}
	}})
	since := time.Now()
	_, _, err := w.driver.CreateGroup(w.ctx(), w.host, "Team", []parley.Phone{alice})
	if !errors.Is(err, chatapp.ErrTimeout) {
		t.Errorf("the error is %v", err)
	}
	found, err := w.driver.FindGroups(w.ctx(), w.host, "Team", since)
	if err != nil || len(found) != 1 || len(w.sim.Groups()) != 1 {
		t.Fatalf("found %+v of %+v, %v", found, w.sim.Groups(), err)
	}
	results, err := w.driver.AddMembers(w.ctx(), w.host, found[0].JID, []parley.Phone{alice, bob})
	if got := outcomes(results); got != alice+" already, "+bob+" needs invite" || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// The network does not answer, but has created the group.
func TestSilence(t *testing.T) {
	w := connected(t)
	jid, _ := w.group()
	w.driver.SetRequestTime(500 * time.Millisecond)
	w.sim.SetHooks(chatsim.Hooks{After: func(r chatsim.Request) chatsim.Fault {
		return chatsim.Fault{Silent: r.Phone == hostPhone && (strings.HasPrefix(r.Kind, "w:g2") || r.Kind == "message")}
	}})
	_, _, createErr := w.driver.CreateGroup(w.ctx(), w.host, "Silent", []parley.Phone{alice})
	_, findErr := w.driver.FindGroups(w.ctx(), w.host, "Silent", time.Now())
	_, addErr := w.driver.AddMembers(w.ctx(), w.host, jid, []parley.Phone{carol})
	adminErr := w.driver.SetAdmin(w.ctx(), w.host, jid, alice, true)
	_, linkErr := w.driver.InviteLink(w.ctx(), w.host, jid)
	sendErr := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), JID: jid, Text: "hello"})
	for i, err := range []error{createErr, findErr, addErr, adminErr, linkErr, sendErr} {
		if !errors.Is(err, chatapp.ErrTimeout) {
			t.Errorf("call %d: %v", i, err)
		}
	}
	w.sim.SetHooks(chatsim.Hooks{})
	found, err := w.driver.FindGroups(w.ctx(), w.host, "Silent", time.Now())
	if err != nil || len(found) != 1 {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestFindGroups(t *testing.T) {
	w := connected(t)
	p := w.phone(alice)
	if _, err := p.CreateGroup(w.ctx(), "Team", hostPhone); err != nil { // another's
		t.Fatal(err)
	}
	var want []string
	for _, name := range []string{"Team", "Other", "Team"} {
		g, _, err := w.driver.CreateGroup(w.ctx(), w.host, name, []parley.Phone{carol})
		if err != nil {
			t.Fatal(err)
		}
		if name == "Team" {
			want = append(want, g.JID)
		}
	}
	found, err := w.driver.FindGroups(w.ctx(), w.host, "Team", time.Now().Add(-time.Second))
	if err != nil || len(found) != 2 || found[0].JID == found[1].JID || !strings.Contains(strings.Join(want, " "), found[0].JID) {
		t.Errorf("%+v, want %v, %v", found, want, err)
	}
	if found, err = w.driver.FindGroups(w.ctx(), w.host, "Team", time.Now().Add(time.Hour)); err != nil || found != nil {
		t.Errorf("groups of the future: %+v, %v", found, err)
	}
}

func TestJoinByLink(t *testing.T) {
	w := connected(t)
	jid, _ := w.group()
	link, err := w.driver.InviteLink(w.ctx(), w.host, jid)
	if err != nil || !strings.HasPrefix(link, "https://chat.whatsapp.com/") {
		t.Fatalf("%q, %v", link, err)
	}
	b := w.phone(bob)
	if _, err := b.Join(w.ctx(), link); err != nil {
		t.Fatal(err)
	}
	w.change(jid, chatapp.MemberChange{Kind: chatapp.Joined, Phones: []parley.Phone{bob}, ByLink: true})
	if err := b.Leave(w.ctx(), jid); err != nil {
		t.Fatal(err)
	}
	w.change(jid, chatapp.MemberChange{Kind: chatapp.Left, Phones: []parley.Phone{bob}, By: bob})
}

// change waits for a change to a group.
func (w *world) change(jid string, want chatapp.MemberChange) {
	w.t.Helper()
	want.JID = jid
	w.await(fmt.Sprintf("%+v", want), func(h *heard) bool {
		return h.count(func(e any) bool {
			c, ok := e.(chatapp.MemberChange)
			if !ok || time.Since(c.At) > time.Minute {
				return false
			}
			c.At = want.At
			if want.By == "" {
				c.By = ""
			}
			return fmt.Sprint(c) == fmt.Sprint(want)
		}) > 0
	})
}

func TestAdmins(t *testing.T) {
	w := connected(t)
	jid, a := w.group()
	for range 2 { // a second call has no effect
		if err := w.driver.SetAdmin(w.ctx(), w.host, jid, alice, true); err != nil {
			t.Fatal(err)
		}
	}
	w.change(jid, chatapp.MemberChange{Kind: chatapp.Promoted, Phones: []parley.Phone{alice}, By: hostPhone})
	for _, phone := range []parley.Phone{carol, nobody} {
		if err := w.driver.SetAdmin(w.ctx(), w.host, jid, phone, true); !errors.Is(err, chatapp.ErrNotMember) {
			t.Errorf("%s: %v", phone, err)
		}
	}
	if err := w.driver.SetAdmin(w.ctx(), w.host, jid, alice, false); err != nil {
		t.Fatal(err)
	}
	w.change(jid, chatapp.MemberChange{Kind: chatapp.Demoted, Phones: []parley.Phone{alice}, By: hostPhone})

	// In a group that Alice created, the host is not an admin until she
	// appoints it.
	if jid, _ = a.CreateGroup(w.ctx(), "Hers", hostPhone); jid == "" {
		t.Fatal("she made no group")
	}
	for _, phone := range []parley.Phone{alice, carol} { // a member, and a non-member, who may not ask
		if err := w.driver.SetAdmin(w.ctx(), w.host, jid, phone, false); !errors.Is(err, chatapp.ErrNotAdmin) {
			t.Errorf("no admin: %v", err)
		}
	}
	if _, err := w.driver.AddMembers(w.ctx(), w.host, jid, []parley.Phone{carol}); !errors.Is(err, chatapp.ErrNotAdmin) {
		t.Errorf("no admin adds: %v", err)
	}
	if _, err := w.driver.InviteLink(w.ctx(), w.host, jid); !errors.Is(err, chatapp.ErrNotAdmin) {
		t.Errorf("no admin invites: %v", err)
	}
	if err := a.Promote(w.ctx(), jid, hostPhone); err != nil {
		t.Fatal(err)
	}
	w.change(jid, chatapp.MemberChange{Kind: chatapp.Promoted, Phones: []parley.Phone{hostPhone}, By: alice})
	if _, err := w.driver.InviteLink(w.ctx(), w.host, jid); err != nil {
		t.Errorf("an admin invites: %v", err)
	}
}

func TestRemovedFromTheGroup(t *testing.T) {
	w := connected(t)
	a := w.phone(alice)
	jid, err := a.CreateGroup(w.ctx(), "Hers", hostPhone)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Remove(w.ctx(), jid, hostPhone); err != nil {
		t.Fatal(err)
	}
	w.change(jid, chatapp.MemberChange{Kind: chatapp.Left, Phones: []parley.Phone{hostPhone}, By: alice})
	if err := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), JID: jid, Text: "hello"}); !errors.Is(err, chatapp.ErrNotMember) {
		t.Errorf("send: %v", err)
	}
	if err := w.driver.SetAdmin(w.ctx(), w.host, jid, alice, false); !errors.Is(err, chatapp.ErrNoGroup) {
		t.Errorf("promote: %v", err)
	}
	if _, err := w.driver.InviteLink(w.ctx(), w.host, jid); !errors.Is(err, chatapp.ErrNoGroup) {
		t.Errorf("link: %v", err)
	}
}

func TestNoSuchGroup(t *testing.T) {
	w := connected(t)
	for _, jid := range []string{"", "nonsense", "15550000002@s.whatsapp.net", "120300000000000000@g.us"} {
		_, addErr := w.driver.AddMembers(w.ctx(), w.host, jid, []parley.Phone{alice})
		adminErr := w.driver.SetAdmin(w.ctx(), w.host, jid, alice, true)
		_, linkErr := w.driver.InviteLink(w.ctx(), w.host, jid)
		sendErr := w.driver.Send(w.ctx(), w.host, chatapp.Message{ID: newID(), JID: jid, Text: "hello"})
		for i, err := range []error{addErr, adminErr, linkErr, sendErr} {
			if !errors.Is(err, chatapp.ErrNoGroup) {
				t.Errorf("%q, call %d: %v", jid, i, err)
			}
		}
	}
}
