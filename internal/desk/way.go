package desk

import (
	"time"

	"parley"
	"parley/internal/store"
)

// maxWays is how many inboxes of each kind are considered for a contact.
const maxWays = 200

// Ways returns the inboxes through which a contact, also given the id of one
// that was merged into it, can be written to first: those of the messaging
// application whose number is connected and may write to the contact's phone;
// those for the web in which the contact has a session; and those of the API
// through which the contact has written before, since only the program behind
// them knows whom it reaches.
func (d *Desk) Ways(ws parley.WorkspaceID, contact parley.ID) Read[[]parley.Way] {
	now := d.clock.Now()
	return Snapshot(d, func(v *store.View) ([]parley.Way, error) {
		c, err := ContactNow(v, ws, contact)
		if err != nil {
			return nil, err
		}
		ways, err := phoneWays(v, ws, &c, now)
		if err != nil {
			return nil, err
		}
		inboxes, err := SelectInboxesReaching(v, ws, c.ID, now, maxWays)
		for _, inbox := range inboxes {
			ways = append(ways, parley.Way{Inbox: inbox})
		}
		return ways, err
	})
}

// phoneWays returns the inboxes that reach a contact's phone.
func phoneWays(v *store.View, ws parley.WorkspaceID, c *parley.Contact, now time.Time) ([]parley.Way, error) {
	phone, ok := parley.ParsePhone(c.PhoneNumber)
	if !ok {
		return nil, nil
	}
	numbers, err := v.ConnectedNumbers(ws, maxWays)
	if err != nil || len(numbers) == 0 {
		return nil, err
	}
	refs, err := SelectConnectedInboxes(v, ws, maxWays)
	if err != nil {
		return nil, err
	}
	inboxes := map[parley.ID]parley.InboxRef{}
	for _, inbox := range refs {
		inboxes[inbox.ID] = inbox
	}
	chats, err := SelectChatsWith(v, ws, c.ID)
	if err != nil {
		return nil, err
	}
	wrote := map[parley.ID]bool{}
	for _, chat := range chats {
		wrote[chat.NumberID] = true
	}
	var ways []parley.Way
	for _, n := range numbers {
		if n.Is(phone) || n.RestrictedUntil.After(now) && !wrote[n.ID] {
			continue
		}
		ways = append(ways, parley.Way{Inbox: inboxes[n.InboxID], Phone: phone})
	}
	return ways, nil
}
