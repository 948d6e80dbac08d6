package numbers

import (
	"cmp"
	"context"
	"strings"

	"parley"
	"parley/internal/chatapp"
	"parley/internal/desk"
)

// unnamedGroup is the name of a group until the network reports it.
const unnamedGroup = "Group"

// groupChatOf returns the conversation of a message in a group, and the contact
// who wrote it. An unknown group was created elsewhere, or is just being
// created here; see adopt.
func (t *tx) groupChatOf(n parley.Number, m chatapp.Incoming) (parley.Conversation, parley.Contact, error) {
	var c parley.Conversation
	group, err := SelectGroupByJID(t, t.WS, n.ID, m.Chat.JID)
	if parley.KindOf(err) == parley.NotFound {
		group, err = t.findGroup(n, m.Chat)
	}
	if err != nil {
		return c, parley.Contact{}, err
	}
	if c, err = t.Conversation(t.Visibility, group.ConversationID); err != nil {
		return c, parley.Contact{}, err
	}
	if c.Contact.Name == unnamedGroup {
		if _, err := t.renameGroup(&c, m.Chat.Name); err != nil {
			return c, parley.Contact{}, err
		}
	}
	if m.FromMe || m.From == "" {
		// The network hides the number of the author: the message came from the
		// group.
		contact, err := t.Contact(t.WS, c.Contact.ID)
		return c, contact, err
	}
	phone, err := t.ensureMember(c.ID, m.From)
	if err != nil {
		return c, parley.Contact{}, err
	}
	sender, err := t.networkContact(phone, "", m.FromName)
	return c, sender, err
}

// findGroup stores a group that was not created here, with its conversation.
func (t *tx) findGroup(n parley.Number, chat chatapp.Chat) (parley.Group, error) {
	group := parley.Group{NumberID: n.ID, JID: chat.JID, Found: true}
	c, err := t.groupConversation(n, NewGroup{Name: cmp.Or(truncateName(chat.Name), unnamedGroup)}, group)
	if err != nil {
		return group, err
	}
	group.ConversationID = c.ID
	if err := InsertGroup(t, t.WS, &group); err != nil {
		return group, err
	}
	return group, UpsertGroupMember(t, t.WS, c.ID, GroupMember{Phone: n.Phone, Network: n.NetworkPhone, Joined: true})
}

// ensureMember stores the author of a message in a group as a member, and
// returns the number as it is known here.
func (t *tx) ensureMember(conversation parley.ID, phone parley.Phone) (parley.Phone, error) {
	member, err := SelectGroupMember(t, t.WS, conversation, phone)
	switch {
	case parley.KindOf(err) == parley.NotFound:
		member = GroupMember{Phone: phone}
	case err != nil || member.Joined:
		return member.Phone, err
	}
	member.Joined = true
	return member.Phone, UpsertGroupMember(t, t.WS, conversation, member)
}

// Membership updates the members of a group, and notes the change in its
// conversation. Changes by the number itself are not noted, because whoever
// made them knows.
func (l *inboundHandler) Membership(ctx context.Context, _ chatapp.Host, change chatapp.MemberChange) error {
	return l.keep(ctx, func(t *tx, n parley.Number) error {
		group, err := SelectGroupByJID(t, t.WS, n.ID, change.JID)
		if parley.KindOf(err) == parley.NotFound {
			return nil // it is stored with its first message
		}
		if err != nil {
			return err
		}
		c, err := t.Conversation(t.Visibility, group.ConversationID)
		if err != nil {
			return err
		}
		text, err := t.changeMembers(&c, n, change)
		if err != nil || text == "" || n.Is(change.By) && change.Kind != chatapp.Renamed {
			return err
		}
		id, at := t.MessagePlace(&c)
		return t.Record(&c, &parley.Message{
			ID: id, ConversationID: c.ID, Content: text, ContentType: parley.Notice, CreatedAt: at,
			Direction: parley.Outgoing, Status: parley.Sent, Sender: parley.Sender{Type: parley.SenderSystem},
		}, false)
	})
}

// changeMembers stores a change of a group and returns the note for it, "" if
// nothing changed.
func (t *tx) changeMembers(c *parley.Conversation, n parley.Number, change chatapp.MemberChange) (string, error) {
	if change.Kind == chatapp.Renamed {
		return t.renameGroup(c, change.Name)
	}
	var names []string
	for _, phone := range change.Phones {
		if n.Is(phone) {
			phone = n.Phone
		}
		member, err := SelectGroupMember(t, t.WS, c.ID, phone)
		known := err == nil
		if err != nil && parley.KindOf(err) != parley.NotFound {
			return "", err
		}
		if !known {
			member = GroupMember{Phone: phone}
		}
		changed, err := t.changeMember(c.ID, member, known, change.Kind)
		if err != nil {
			return "", err
		}
		if changed {
			name, err := t.nameOf(n, member.Phone, phone, member.Network)
			if err != nil {
				return "", err
			}
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return "", nil
	}
	return sayChange(strings.Join(names, ", "), change), nil
}

// changeMember stores the change of one member and reports whether there was
// one.
func (t *tx) changeMember(conversation parley.ID, m GroupMember, known bool, kind chatapp.MemberChangeKind) (bool, error) {
	switch kind {
	case chatapp.Joined:
		if known && m.Joined {
			return false, nil
		}
		m.Joined = true
		return true, UpsertGroupMember(t, t.WS, conversation, m)
	case chatapp.Left:
		if !known {
			return false, nil
		}
		return m.Joined, DeleteGroupMember(t, t.WS, conversation, m.Phone)
	case chatapp.Promoted, chatapp.Demoted:
		admin := kind == chatapp.Promoted
		if known && m.Admin == admin && m.Joined {
			return false, nil
		}
		m.Joined = true
		if err := UpsertGroupMember(t, t.WS, conversation, m); err != nil {
			return false, err
		}
		return m.Admin != admin, UpdateGroupAdmin(t, t.WS, conversation, m.Phone, admin)
	}
	return false, nil
}

func sayChange(names string, change chatapp.MemberChange) string {
	switch {
	case change.Kind == chatapp.Joined && change.ByLink:
		return names + " joined by the link"
	case change.Kind == chatapp.Joined:
		return names + " joined"
	case change.Kind == chatapp.Left:
		return names + " left"
	case change.Kind == chatapp.Promoted:
		return names + " can manage the group now"
	}
	return names + " cannot manage the group any more"
}

// nameOf returns the name of a member of a group: that of the contact with one
// of the spellings of the number, else the first spelling.
func (t *tx) nameOf(n parley.Number, spellings ...parley.Phone) (string, error) {
	for _, phone := range spellings {
		if n.Is(phone) {
			return "This number", nil
		}
		if phone == "" {
			continue
		}
		contact, err := t.ContactByPhone(t.WS, string(phone))
		if parley.KindOf(err) == parley.NotFound {
			continue
		}
		if err != nil || contact.Name != "" {
			return contact.Name, err
		}
	}
	return spellings[0].Display(), nil
}

// renameGroup renames the contact that stands for a group.
func (t *tx) renameGroup(c *parley.Conversation, name string) (string, error) {
	name = truncateName(name)
	if name == "" || name == c.Contact.Name {
		return "", nil
	}
	contact, err := t.Contact(t.WS, c.Contact.ID)
	if err != nil {
		return "", err
	}
	if contact, err = t.ChangeContact(contact, desk.ContactFields{Name: parley.Some(name)}); err != nil {
		return "", err
	}
	c.Contact = desk.ContactRef(&contact)
	return "The group is called " + name + " now", nil
}
