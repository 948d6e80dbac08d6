package chatsim_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"

	"parley/internal/chatapp/chatsim"
)

// create has the host create a group with these phones.
func (h *host) create(name string, phones ...string) *types.GroupInfo {
	h.t.Helper()
	var members []types.JID
	for _, phone := range phones {
		members = append(members, user(phone))
	}
	info, err := h.CreateGroup(within(h.t), whatsmeow.ReqCreateGroup{
		Name: name, Participants: members, MemberAddMode: types.GroupMemberAddModeAdmin,
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return info
}

// result returns the entry of a phone in the answer about participants.
func result(t *testing.T, all []types.GroupParticipant, phone string) types.GroupParticipant {
	t.Helper()
	for _, p := range all {
		if p.PhoneNumber.User == phone {
			return p
		}
	}
	t.Fatalf("nothing about %s in %v", phone, all)
	return types.GroupParticipant{}
}

// change adds, removes, promotes or demotes one participant, and returns the code.
func (h *host) change(group types.JID, phone string, what whatsmeow.ParticipantChange) types.GroupParticipant {
	h.t.Helper()
	results, err := h.UpdateGroupParticipants(within(h.t), group, []types.JID{user(phone)}, what)
	if err != nil {
		h.t.Fatalf("%s %s: %v", what, phone, err)
	}
	return result(h.t, results, phone)
}

func TestWhoIsOnTheNetwork(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	s.AddAccount("553187654321", chatsim.AccountOptions{Aliases: []string{"5531987654321"}})
	h := newPairedHost(t, s)
	answers, err := h.IsOnWhatsApp(within(t), []string{"+" + alicePhone, "+" + nobody, "+5531987654321", "+123"})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]types.IsOnWhatsAppResponse{}
	for _, a := range answers {
		got[a.Query] = a
	}
	if a := got["+"+alicePhone]; !a.IsIn || a.PhoneNumber.User != alicePhone || a.JID.Server != types.HiddenUserServer {
		t.Errorf("alice: %+v", a)
	}
	if a, ok := got["+"+nobody]; !ok || a.IsIn {
		t.Errorf("nobody: %+v, %t", a, ok)
	}
	if a := got["+5531987654321"]; !a.IsIn || a.PhoneNumber.User != "553187654321" {
		t.Errorf("another spelling: %+v", a)
	}
	if a, ok := got["+123"]; ok {
		t.Errorf("what is no number: %+v", a)
	}
}

func TestCreateGroup(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	h, alice := newPairedHost(t, s), newPhone(t, s, alicePhone)
	info := h.create("Acme support", alicePhone, bobPhone, nobody)

	if p := result(t, info.Participants, hostPhone); !p.IsSuperAdmin {
		t.Errorf("the creator: %+v", p)
	}
	if p := result(t, info.Participants, alicePhone); p.Error != 0 {
		t.Errorf("one who can be added: %+v", p)
	}
	bob := result(t, info.Participants, bobPhone)
	if bob.Error != 403 || bob.AddRequest == nil || bob.AddRequest.Code == "" {
		t.Errorf("one who must be invited: %+v", bob)
	}
	if p := result(t, info.Participants, nobody); p.Error != 404 {
		t.Errorf("one who is not there: %+v", p)
	}
	if joined := await[*events.JoinedGroup](h); joined.JID != info.JID {
		t.Errorf("the host hears of %s", joined.JID)
	}

	g, ok := s.Group(info.JID.String())
	want := []chatsim.Member{{Phone: hostPhone, Admin: true, Super: true}, {Phone: alicePhone}}
	if !ok || g.Name != "Acme support" || !g.AdminAdds || g.Creator != hostPhone || !slices.Equal(g.Members, want) {
		t.Errorf("the network has %+v", g)
	}
	groups, err := alice.Groups(within(t))
	if err != nil || len(groups) != 1 || groups[0].JID != g.JID || !slices.Equal(groups[0].Members, want) {
		t.Errorf("alice is in %+v, %v", groups, err)
	}
	_, err = h.CreateGroup(within(t), whatsmeow.ReqCreateGroup{Name: strings.Repeat("x", 101)})
	if !errors.Is(err, whatsmeow.ErrIQNotAcceptable) {
		t.Errorf("a name that is too long: %v", err)
	}
	if all := s.Groups(); len(all) != 1 {
		t.Errorf("there are %d groups", len(all))
	}
}

func TestConversation(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	h, alice, bob := newPairedHost(t, s), newPhone(t, s, alicePhone), newPhone(t, s, bobPhone)
	group := h.create("Acme support", alicePhone, bobPhone).JID

	id := h.say(group, "hello")
	got := hear(t, alice, hostPhone, "hello")
	if got.ID != id || got.Chat != group.String() || got.FromName != "Acme" {
		t.Errorf("%+v", got)
	}
	arrived := awaitIf(h, func(r *events.Receipt) bool { return slices.Contains(r.MessageIDs, id) })
	if arrived.Type != types.ReceiptTypeInactive && arrived.Type != types.ReceiptTypeDelivered {
		t.Errorf("first receipt: %+v", arrived)
	}
	if err := alice.Read(within(t), got); err != nil {
		t.Fatal(err)
	}
	awaitIf(h, func(r *events.Receipt) bool {
		return r.Type == types.ReceiptTypeRead && slices.Contains(r.MessageIDs, id) && r.Chat == group
	})

	answer, err := alice.Send(within(t), group.String(), "hi")
	if err != nil {
		t.Fatal(err)
	}
	m := awaitText(h, "hi")
	if m.Info.ID != answer || m.Info.SenderAlt.User != alicePhone || m.Info.PushName != "Alice" || m.Info.IsFromMe {
		t.Errorf("%+v", m.Info)
	}
	if err := alice.Receipt(within(t), answer, chatsim.Delivered); err != nil {
		t.Error(err)
	}

	link, err := h.GetGroupInviteLink(within(t), group, false)
	if err != nil {
		t.Fatal(err)
	}
	h.say(user(bobPhone), "join us: "+link)
	sent := hear(t, bob, hostPhone, "join us: "+link)
	if sent.Chat != hostPhone {
		t.Errorf("bob's chat is %s", sent.Chat)
	}
	if jid, err := bob.Join(within(t), link); err != nil || jid != group.String() {
		t.Fatalf("bob joins %s, %v", jid, err)
	}
	joined := awaitIf(h, func(e *events.GroupInfo) bool { return len(e.Join) > 0 })
	if joined.JoinReason != "invite" || joined.Sender == nil || joined.SenderPN.User != bobPhone {
		t.Errorf("%+v", joined)
	}
	if _, err := bob.Send(within(t), group.String(), "here I am"); err != nil {
		t.Fatal(err)
	}
	awaitText(h, "here I am")
	hear(t, alice, bobPhone, "here I am")
	h.say(group, "welcome")
	hear(t, bob, hostPhone, "welcome")
	if err := bob.Read(within(t), sent); err != nil {
		t.Fatal(err)
	}
	awaitIf(h, func(r *events.Receipt) bool { return r.Type == types.ReceiptTypeRead && !r.IsGroup })
}

func TestMembers(t *testing.T) {
	s := newServer(t, chatsim.Options{})
	h, alice, bob := newPairedHost(t, s), newPhone(t, s, alicePhone), newPhone(t, s, bobPhone)
	group := h.create("Acme support", alicePhone).JID

	if p := h.change(group, alicePhone, whatsmeow.ParticipantChangeAdd); p.Error != 409 {
		t.Errorf("one who is a member: %+v", p)
	}
	_, err := alice.Client().UpdateGroupParticipants(within(t), group, []types.JID{user(bobPhone)}, whatsmeow.ParticipantChangePromote)
	if !errors.Is(err, whatsmeow.ErrIQForbidden) {
		t.Errorf("a member promotes: %v", err)
	}
	if _, err := alice.Client().GetGroupInviteLink(within(t), group, false); !errors.Is(err, whatsmeow.ErrGroupInviteLinkUnauthorized) {
		t.Errorf("a member wants the link: %v", err)
	}
	if _, err := bob.Client().GetGroupInfo(within(t), group); !errors.Is(err, whatsmeow.ErrNotInGroup) {
		t.Errorf("a stranger looks: %v", err)
	}
	if p := h.change(group, alicePhone, whatsmeow.ParticipantChangePromote); p.Error != 0 {
		t.Errorf("promote: %+v", p)
	}
	awaitIf(h, func(e *events.GroupInfo) bool { return len(e.Promote) == 1 })
	if err := alice.Promote(within(t), group.String(), bobPhone); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("one who is no member: %v", err)
	}
	if err := alice.Demote(within(t), group.String(), hostPhone); err == nil {
		t.Error("the creator was demoted")
	}

	invited := h.change(group, bobPhone, whatsmeow.ParticipantChangeAdd)
	if invited.Error != 403 || invited.AddRequest == nil {
		t.Fatalf("bob: %+v", invited)
	}
	accept := func(p *chatsim.Phone) error {
		return p.Client().JoinGroupWithInvite(within(t), group, user(hostPhone), invited.AddRequest.Code, invited.AddRequest.Expiration.Unix())
	}
	if err := accept(alice); err == nil {
		// Alice is already a member; an invitation for another person must
		// still be refused.
		t.Error("an invitation worked for another")
	}
	if err := accept(bob); err != nil {
		t.Fatal(err)
	}
	awaitIf(h, func(e *events.GroupInfo) bool { return len(e.Join) == 1 })

	if err := bob.Leave(within(t), group.String()); err != nil {
		t.Fatal(err)
	}
	awaitIf(h, func(e *events.GroupInfo) bool { return len(e.Leave) == 1 && e.SenderPN.User == bobPhone })
	s.AddAccount(bobPhone, chatsim.AccountOptions{Name: "Bob"})
	if p := h.change(group, bobPhone, whatsmeow.ParticipantChangeAdd); p.Error != 408 {
		t.Errorf("one who left: %+v", p)
	}
	if err := alice.Remove(within(t), group.String(), nobody); err == nil {
		t.Error("one who is not there was removed")
	}
	if p := h.change(group, alicePhone, whatsmeow.ParticipantChangeRemove); p.Error != 0 {
		t.Errorf("remove: %+v", p)
	}
	if _, err := alice.Send(within(t), group.String(), "still there?"); err == nil {
		t.Error("one who was removed wrote")
	}
}

func TestInviteLinks(t *testing.T) {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	s := newServer(t, chatsim.Options{Now: func() time.Time { return now }})
	h, bob := newPairedHost(t, s), newPhone(t, s, bobPhone)
	info := h.create("Acme support", bobPhone)
	if !info.GroupCreated.Equal(now) {
		t.Errorf("created at %s", info.GroupCreated)
	}
	old, err := h.GetGroupInviteLink(within(t), info.JID, false)
	if err != nil {
		t.Fatal(err)
	}
	link, err := h.GetGroupInviteLink(within(t), info.JID, true)
	if err != nil || link == old {
		t.Fatalf("the new link is %s, %v", link, err)
	}
	if _, err := bob.Join(within(t), old); !errors.Is(err, whatsmeow.ErrInviteLinkRevoked) {
		t.Errorf("the old link: %v", err)
	}
	if _, err := bob.Join(within(t), whatsmeow.InviteLinkPrefix+"nonsense"); !errors.Is(err, whatsmeow.ErrInviteLinkInvalid) {
		t.Errorf("no link at all: %v", err)
	}
	if seen, err := bob.Client().GetGroupInfoFromLink(within(t), link); err != nil || seen.Name != "Acme support" {
		t.Errorf("a look by the link: %+v, %v", seen, err)
	}
	if err := h.SetGroupName(within(t), info.JID, "Acme"); err != nil {
		t.Fatal(err)
	}
	if renamed := awaitIf(h, func(e *events.GroupInfo) bool { return e.Name != nil }); renamed.Name.Name != "Acme" {
		t.Errorf("%+v", renamed.Name)
	}
}
