package numbers_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/chatapp/chatapptest"
	"parley/internal/desk"
	"parley/internal/numbers"
	"parley/internal/store"
)

func TestTalkWithOnePerson(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		first := chatapp.Incoming{ID: "1", Chat: chat(ann), From: ann, Text: "hello"}
		for range 2 { // a repeated message is stored once
			w.must(w.say(first))
		}
		all := w.conversations(a)
		if len(all) != 1 || all[0].Contact.Name != "+"+string(ann) || all[0].Inbox.ID != w.inbox || all[0].UnreadCount != 1 {
			t.Fatalf("the conversations are %+v", all)
		}
		c := all[0].ID
		// The same id from somebody else is another message; a later name names
		// the contact.
		w.must(w.say(chatapp.Incoming{ID: "1", Chat: chat(bea), From: bea, Text: "another"}))
		w.must(w.say(chatapp.Incoming{ID: "2", Chat: chat(ann), From: ann, FromName: "Ann", Text: "again"}))
		reply, err := w.post(a, c, "hi Ann")
		w.must(err)
		w.must(a.Deliver(t.Context()))
		w.must(w.say(chatapp.Incoming{ID: "P1", Chat: chat(ann), From: host, FromMe: true, Text: "from the phone"}))
		w.must(w.say(chatapp.Incoming{ID: reply.ID.String(), Chat: chat(ann), From: host, FromMe: true, Text: "our own"}))
		w.must(w.say(chatapp.Incoming{ID: "3", Chat: chat(ann), From: ann, Unsupported: "poll"}))
		w.wantTalk(a, c, "delivered contact/Ann: hello", "delivered contact/Ann: again", "sent bot/Automated agent: hi Ann",
			"sent agent/Phone: from the phone", "delivered contact/Ann: [This message cannot be shown here: poll]")
		// A resolved conversation reopens, and no second one begins.
		_, err = a.UpdateConversation(t.Context(), w.by(), c, desk.ConversationChange{Status: parley.Some(parley.Resolved)})
		w.must(err)
		w.advance(time.Second)
		w.must(w.say(chatapp.Incoming{ID: "4", Chat: chat(ann), From: ann, Text: "one more"}))
		if all := w.conversations(a); len(all) != 2 || all[0].ID != c || all[0].Status != parley.Open {
			t.Errorf("the conversations are %+v", all)
		}
	})
}

func TestOldMessageKeepsItsTime(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		w.must(w.say(chatapp.Incoming{ID: "2", Chat: chat(ann), From: ann, Text: strings.Repeat("é", parley.MaxContent)}))
		w.must(w.say(chatapp.Incoming{ID: "1", Chat: chat(ann), From: ann, Text: "an hour ago", At: w.now().Add(-time.Hour)}))
		thread, err := a.Thread(parley.WholeWorkspace(w.ws), w.conversations(a)[0].ID, parley.Position{}, 9).Now(t.Context())
		w.must(err)
		m := thread.Messages.Items
		if len(m) != 2 || m[0].Content != "an hour ago" || !m[0].CreatedAt.Equal(w.now().Add(-time.Hour)) || len(m[1].Content) != parley.MaxContent {
			t.Errorf("the messages are %.200v", m)
		}
		if !thread.Conversation.LastActivityAt.Equal(w.now()) {
			t.Errorf("the last activity is %v", thread.Conversation.LastActivityAt)
		}
	})
}

// TestLateMessageIsUnread delivers a message whose time lies before an answer
// that a member has read: it is shown as unread.
func TestLateMessageIsUnread(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		w.must(w.say(chatapp.Incoming{ID: "1", Chat: chat(ann), From: ann, Text: "hello"}))
		w.must(w.say(chatapp.Incoming{ID: "2", Chat: chat(bea), From: bea, Text: "hello"}))
		members, err := a.Members(w.ws, parley.Position{}, 1).Now(t.Context())
		w.must(err)
		reader := desk.Caller{Workspace: w.ws, Member: members.Items[0].ID}
		w.advance(10 * time.Minute)
		c := w.conversations(a)[0].ID
		for _, one := range w.conversations(a) {
			if one.Contact.PhoneNumber == "+"+string(ann) {
				c = one.ID
			}
			_, err := w.post(a, one.ID, "answer")
			w.must(err)
			_, err = a.ReadConversation(t.Context(), reader, one.ID)
			w.must(err)
		}
		unread := func(want ...parley.ID) {
			t.Helper()
			got, err := a.Unread(parley.WholeWorkspace(w.ws), reader.Member).Now(t.Context())
			w.must(err)
			counts, err := a.Counts(parley.WholeWorkspace(w.ws), reader.Member).Now(t.Context())
			w.must(err)
			if !slices.Equal(got.New, want) || counts.ToRead != len(want) {
				t.Errorf("%v are unread, %d to be read, want %v", got.New, counts.ToRead, want)
			}
		}
		unread()
		w.must(w.say(chatapp.Incoming{ID: "3", Chat: chat(ann), From: ann, Text: "are you there?", At: w.now().Add(-5 * time.Minute)}))
		unread(c)
		_, err = a.ReadConversation(t.Context(), reader, c)
		w.must(err)
		unread()
	})
}

// TestAnotherSpelling writes first to a person whose number the network spells
// differently: the receipt tells, and the answer finds its conversation.
func TestAnotherSpelling(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		c := w.conversation(a, "+55 31 98765-4321")
		m, err := w.post(a, c.ID, "hello")
		w.must(err)
		w.must(a.Deliver(t.Context()))
		network := chat("553187654321")
		w.receipt(chatapp.Receipt{IDs: []string{m.ID.String()}, Chat: network, Status: parley.Delivered, At: w.now()})
		w.must(w.say(chatapp.Incoming{ID: "1", Chat: network, From: "553187654321", FromName: "Ana", Text: "oi"}))
		if all := w.conversations(a); len(all) != 1 {
			t.Errorf("the conversations are %+v", all)
		}
		w.wantTalk(a, c.ID, "delivered bot/Automated agent: hello", "delivered contact/Ann: oi")
		// A second conversation with her takes the chat over.
		second, err := a.CreateConversation(t.Context(), w.by(), desk.NewConversation{ContactID: c.Contact.ID, InboxID: w.inbox})
		w.must(err)
		_, err = w.post(a, second.ID, "about another thing")
		w.must(err)
		w.must(w.say(chatapp.Incoming{ID: "2", Chat: network, From: "553187654321", Text: "yes?"}))
		w.wantTalk(a, second.ID, "queued bot/Automated agent: about another thing", "delivered contact/Ann: yes?")
	})
}

func TestReceiptsNeverGoBack(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		c := w.conversation(a, "+"+string(ann))
		m, err := w.post(a, c.ID, "one")
		w.must(err)
		receipt := func(status parley.MessageStatus) {
			w.receipt(chatapp.Receipt{IDs: []string{"unknown", m.ID.String()}, Chat: chat(ann), By: ann, Status: status, At: w.now()})
		}
		receipt(parley.Delivered) // before the network's answer
		w.wantTalk(a, c.ID, "delivered bot/Automated agent: one")
		w.must(a.Deliver(t.Context()))
		w.wantTexts()
		receipt(parley.Read)
		receipt(parley.Delivered)
		w.receipt(chatapp.Receipt{IDs: []string{m.ID.String()}, Chat: chatapp.Chat{JID: "77@hidden"}, Status: parley.Delivered, At: w.now()}) // by another name
		w.wantTalk(a, c.ID, "read bot/Automated agent: one")
		w.must(w.say(chatapp.Incoming{ID: "P", Chat: chat(ann), From: host, FromMe: true, Text: "two"}))
		w.receipt(chatapp.Receipt{IDs: []string{"P"}, Chat: chat(ann), By: ann, Status: parley.Read, At: w.now()})
		w.wantTalk(a, c.ID, "read bot/Automated agent: one", "read agent/Phone: two")
	})
}

func TestGroupFromTheNetwork(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		group := chatapp.Chat{JID: "g1", Group: true, Name: "Friends"}
		w.change(chatapp.MemberChange{Kind: chatapp.Joined, JID: "g1", Phones: []parley.Phone{ann}}) // unknown yet
		w.must(w.say(chatapp.Incoming{ID: "1", Chat: group, From: ann, FromName: "Ann", Text: "hello all"}))
		w.must(w.say(chatapp.Incoming{ID: "1", Chat: group, From: bea, Text: "hi"}))
		all := w.conversations(a)
		if len(all) != 1 || all[0].Contact.Name != "Friends" {
			t.Fatalf("the conversations are %+v", all)
		}
		c := all[0].ID
		for range 2 { // nothing happens the second time
			w.change(chatapp.MemberChange{Kind: chatapp.Joined, JID: "g1", Phones: []parley.Phone{"4915100000088"}, ByLink: true})
		}
		w.change(chatapp.MemberChange{Kind: chatapp.Promoted, JID: "g1", Phones: []parley.Phone{ann}, By: bea})
		w.change(chatapp.MemberChange{Kind: chatapp.Left, JID: "g1", Phones: []parley.Phone{bea}, By: host}) // our own doing
		w.change(chatapp.MemberChange{Kind: chatapp.Left, JID: "g1", Phones: []parley.Phone{ann}})
		w.change(chatapp.MemberChange{Kind: chatapp.Renamed, JID: "g1", Name: "Foes"})
		w.wantTalk(a, c, "delivered contact/Ann: hello all", "delivered contact/+4915100000071: hi",
			"sent system/: +4915100000088 joined by the link", "sent system/: Ann can manage the group now",
			"sent system/: Ann left", "sent system/: The group is called Foes now")
		if got := w.conversations(a)[0].Contact.Name; got != "Foes" {
			t.Errorf("the group's contact is called %q", got)
		}
		if got := w.members(a, c); !slices.Equal(got, []string{"4915100000088 joined", "4930555001 joined"}) {
			t.Errorf("the members are %q", got)
		}
		w.must(func() error { _, err := w.post(a, c, "bye"); return err }())
		w.must(a.Deliver(t.Context()))
		if got := w.network.Arrivals(); len(got) != 1 || got[0].JID != "g1" || got[0].Phone != "" {
			t.Errorf("the network got %+v", got)
		}
	})
}

func (w *world) members(n *node, conversation parley.ID) []string {
	w.t.Helper()
	var lines []string
	w.must(n.store.View(w.t.Context(), func(v *store.View) error {
		members, err := numbers.SelectGroupMembers(v, w.ws, conversation)
		for _, m := range members {
			line := string(m.Phone) + " invited"
			if m.Joined {
				line = string(m.Phone) + " joined"
			}
			if m.Admin {
				line += " admin"
			}
			lines = append(lines, line)
		}
		return err
	}))
	return lines
}

// TestInvitedMemberJoins joins an invited person by the link.
func TestInvitedMemberJoins(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		made, err := a.CreateGroup(t.Context(), w.by(), numbers.NewGroup{Name: "G", Participants: []parley.Phone{ann, bea}})
		w.must(err)
		g := made.Record.Group
		w.change(chatapp.MemberChange{Kind: chatapp.Joined, JID: g.JID, Phones: []parley.Phone{ann}, By: host}) // of the creation
		w.change(chatapp.MemberChange{Kind: chatapp.Joined, JID: g.JID, Phones: []parley.Phone{bea}, ByLink: true})
		w.wantTalk(a, g.ConversationID, "sent system/: +4915100000071 joined by the link")
		if got := w.members(a, g.ConversationID); !slices.Equal(got, []string{"4915100000071 joined", "4915100000077 joined", "4930555001 joined admin"}) {
			t.Errorf("the members are %q", got)
		}
	})
}

// TestNamesInAGroup names people after their contacts, whatever the spelling of
// the number, and the group as the network reports.
func TestNamesInAGroup(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		save := func(name, phone string) {
			_, err := a.SaveContact(t.Context(), w.by(), desk.ContactFields{Name: parley.Some(name), PhoneNumber: parley.Some(phone)})
			w.must(err)
		}
		save("Ana", "+55 31 98765-4321")
		save("Bea", "+49 151 00000071")
		group := chatapp.Chat{JID: "g1", Group: true}
		w.must(w.say(chatapp.Incoming{ID: "1", Chat: group, From: ann, FromName: "Ann", Text: "hello all"}))
		c := w.conversations(a)[0]
		if c.Contact.Name != "Group" {
			t.Errorf("a group without a name is called %q", c.Contact.Name)
		}
		// The network spells Ana's number in a way known from the member.
		w.must(a.store.Write(t.Context(), w.ws, func(tx *store.Tx) error {
			return numbers.UpsertGroupMember(tx, w.ws, c.ID, numbers.GroupMember{Phone: "5531987654321", Network: "553187654321"})
		}))
		w.change(chatapp.MemberChange{Kind: chatapp.Joined, JID: "g1", Phones: []parley.Phone{"553187654321", bea}, ByLink: true})
		w.change(chatapp.MemberChange{Kind: chatapp.Left, JID: "g1", Phones: []parley.Phone{bea, "4915100000088"}})
		w.change(chatapp.MemberChange{Kind: chatapp.Left, JID: "g1", Phones: []parley.Phone{"553187654321"}, By: ann})
		group.Name = "Friends"
		w.must(w.say(chatapp.Incoming{ID: "2", Chat: group, From: ann, Text: "bye"}))
		w.wantTalk(a, c.ID, "delivered contact/Ann: hello all", "sent system/: Ana, Bea joined by the link", "sent system/: Bea left",
			"sent system/: Ana left", "delivered contact/Ann: bye")
		if got := w.conversations(a)[0].Contact.Name; got != "Friends" {
			t.Errorf("the group is called %q", got)
		}
	})
}

// TestTalkBeforeTheGroupIsStored writes in a group as a member while it is
// being created: it becomes one conversation.
func TestTalkBeforeTheGroupIsStored(t *testing.T) {
	each(t, func(t *testing.T, w *world, a *node) {
		w.pair(a)
		a.driver.After(chatapptest.InviteLink, func(context.Context) error {
			return w.say(chatapp.Incoming{ID: "1", Chat: chatapp.Chat{JID: "1@g", Group: true}, From: ann, Text: "first!"})
		})
		made, err := a.CreateGroup(t.Context(), w.by(), numbers.NewGroup{Name: "G", Participants: []parley.Phone{ann}, Message: "Welcome"})
		w.must(err)
		all := w.conversations(a)
		if len(all) != 1 || all[0].ID != made.Record.Group.ConversationID || all[0].Contact.Name != "G" {
			t.Fatalf("the conversations are %+v", all)
		}
		w.must(a.Deliver(t.Context()))
		if got := w.talk(a, all[0].ID); len(got) != 2 || got[1] != "sent bot/Automated agent: Welcome" {
			t.Errorf("the conversation is %q", got)
		}
	})
}
