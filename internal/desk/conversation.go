package desk

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"parley"
	"parley/internal/store"
	"parley/internal/wire"
)

// A MessageQuery asks for messages of a conversation in an order.
type MessageQuery = store.MessageQuery

// Conversations returns conversations: most recently active first, with
// UpdatedSince in order of their changes, with Waiting longest waiting first.
func (d *Desk) Conversations(vis parley.Visibility, f ConversationFilter, after parley.Position, limit int) Read[parley.Page[parley.Conversation]] {
	return View(d, func(v *store.View) (parley.Page[parley.Conversation], error) {
		return v.Conversations(vis, f, after, limit)
	})
}

// A ListedConversation is a conversation with its newest message, or nil.
type ListedConversation struct {
	Conversation parley.Conversation
	Last         *parley.MessagePreview
}

// ListedConversations is [Desk.Conversations] with the newest message of each.
func (d *Desk) ListedConversations(vis parley.Visibility, f ConversationFilter, after parley.Position, limit int) Read[parley.Page[ListedConversation]] {
	return Snapshot(d, func(v *store.View) (parley.Page[ListedConversation], error) {
		var listed parley.Page[ListedConversation]
		p, err := v.ConversationsToPreview(vis, f, after, limit)
		if err != nil {
			return listed, err
		}
		ids, at := make([]parley.ID, len(p.Items)), make(map[parley.ID]int, len(p.Items))
		listed = parley.Page[ListedConversation]{Items: make([]ListedConversation, len(p.Items)), HasMore: p.HasMore, Next: p.Next}
		for i := range p.Items {
			ids[i], at[p.Items[i].ID] = p.Items[i].ID, i
			listed.Items[i].Conversation = p.Items[i]
		}
		previews, err := v.MessagePreviews(vis, ids)
		for i := range previews {
			listed.Items[at[previews[i].ConversationID]].Last = &previews[i]
		}
		return listed, err
	})
}

// A Thread is a conversation with a page of its messages.
type Thread struct {
	Conversation parley.Conversation
	Messages     parley.Page[parley.Message]
}

// Thread returns a conversation with its newest messages before a position. The id of a
// merged one leads to the other.
func (d *Desk) Thread(vis parley.Visibility, id parley.ID, before parley.Position, limit int) Read[Thread] {
	return Snapshot(d, func(v *store.View) (t Thread, err error) {
		if t.Conversation, err = ConversationNow(v, vis, id); err != nil {
			return t, err
		}
		t.Messages, err = v.Messages(vis, t.Conversation.ID, before, limit)
		return t, err
	})
}

// Messages returns messages of a conversation in an order.
func (d *Desk) Messages(vis parley.Visibility, q MessageQuery) Read[parley.Page[parley.Message]] {
	return Snapshot(d, func(v *store.View) (parley.Page[parley.Message], error) {
		c, err := ConversationNow(v, vis, q.ConversationID)
		if err != nil {
			return parley.Page[parley.Message]{}, err
		}
		q.ConversationID = c.ID
		if !q.From.IsZero() {
			if _, err := v.Message(vis, q.ConversationID, q.From); err != nil {
				return parley.Page[parley.Message]{}, Reference("from", err)
			}
		}
		return v.MessagesInOrder(vis, q)
	})
}

// Message returns a message.
func (d *Desk) Message(vis parley.Visibility, id parley.ID) Read[parley.Message] {
	return View(d, func(v *store.View) (parley.Message, error) { return v.MessageByID(vis, id) })
}

// NewConversation has the inputs of a new conversation.
type NewConversation struct {
	ContactID parley.ID
	InboxID   parley.ID                  // zero: the workspace's first inbox
	ProductID parley.Optional[parley.ID] // absent: the inbox's; null: explicitly none
	TeamID    parley.Optional[parley.ID] // absent: that of the inbox, else of the product; null: explicitly none

	Status           parley.Status // "": open
	Priority         parley.Priority
	Labels           []string
	AssigneeID       parley.UserID // "": nobody
	CustomAttributes parley.Attributes
	// CreatedAt marks an import: a conversation of the past, which lists and
	// reports show at that time. Zero: now.
	CreatedAt time.Time
}

// CreateConversation starts a conversation with a contact.
func (d *Desk) CreateConversation(ctx context.Context, by Caller, in NewConversation) (parley.Conversation, error) {
	return Write(ctx, d, by, func(t *Tx) (parley.Conversation, error) {
		var c parley.Conversation
		contact, err := ContactNow(&t.View, t.WS, in.ContactID)
		if err != nil {
			return c, Reference("contactId", err)
		}
		inbox, err := t.inboxOrFirst(in.InboxID)
		if err != nil {
			return c, err
		}
		product, err := t.productFor(inbox, in.ProductID)
		if err != nil {
			return c, err
		}
		at, err := past(in.CreatedAt, t.Now)
		if err != nil {
			return c, err
		}
		t.Origin.Imported = t.Origin.Imported || !in.CreatedAt.IsZero()
		c = t.newConversation(inbox, product, &contact, at)
		if in.TeamID.Set {
			if c.Team, err = teamFor(t, in.TeamID); err != nil {
				return c, err
			}
		}
		c.Status, c.Priority, c.Labels = cmp.Or(in.Status, parley.Open), in.Priority, Unique(in.Labels)
		if in.AssigneeID != "" {
			if c.Assignee, err = t.assignee(parley.Some(in.AssigneeID)); err != nil {
				return c, err
			}
		}
		if c.CustomAttributes, err = c.CustomAttributes.Merge(in.CustomAttributes); err != nil {
			return c, err
		}
		if !t.Visibility.IncludesPlace(c.Place()) {
			return c, parley.FieldErrorf(parley.Forbidden, "inboxId", "must be one of your inboxes, or the conversation be of your team or assigned to you")
		}
		return c, t.AddConversation(&c, contact.Company.ID)
	})
}

// StartConversation starts a conversation with a contact in an inbox, about the
// inbox's product.
func (t *Tx) StartConversation(inbox parley.ID, contact *parley.Contact, attributes parley.Attributes) (parley.Conversation, error) {
	in, err := t.Inbox(t.WS, inbox)
	if err != nil {
		return parley.Conversation{}, err
	}
	product, err := t.productFor(in, parley.Optional[parley.ID]{})
	if err != nil {
		return parley.Conversation{}, err
	}
	c := t.newConversation(in, product, contact, t.Now)
	c.CustomAttributes = attributes
	return c, t.AddConversation(&c, contact.Company.ID)
}

// newConversation returns an open conversation that is not stored yet. Its team is that of
// the inbox, else that of the product.
func (t *Tx) newConversation(inbox parley.Inbox, product parley.Product, contact *parley.Contact, at time.Time) parley.Conversation {
	return parley.Conversation{
		ID: t.IDs.New(at), Status: parley.Open, Contact: ContactRef(contact), Product: productRef(&product), Team: cmp.Or(inbox.Team, product.Team),
		Inbox:          parley.InboxRef{ID: inbox.ID, Name: inbox.Name, Channel: inbox.Channel},
		LastActivityAt: at, CreatedAt: at,
	}
}

// clockSkew is how far the clock of a caller who states a time may be ahead, as
// for signed identities.
const clockSkew = time.Minute

// past returns the stated time of a record of the past, or now if there is none
// or the caller's clock is ahead.
func past(createdAt, now time.Time) (time.Time, error) {
	switch {
	case createdAt.After(now.Add(clockSkew)):
		return now, parley.InvalidField("createdAt", "not be in the future")
	case createdAt.IsZero() || createdAt.After(now):
		return now, nil
	}
	return createdAt, nil
}

// AddConversation stores a new conversation with its event, and counts it in
// reports. company is that of the contact.
func (t *Tx) AddConversation(c *parley.Conversation, company parley.ID) error {
	c.OpenedAt = c.CreatedAt
	if t.Origin.Imported {
		c.FirstResponseAt = c.CreatedAt // the time is unknown, so no later answer counts as the first
	}
	if err := t.InsertConversation(t.WS, c, t.Now); err != nil {
		return err
	}
	if len(c.Labels) > 0 {
		if err := t.UpdateConversationLabels(t.WS, c.ID, nil, c.Labels); err != nil {
			return err
		}
	}
	if err := t.counter().Opened(c, company); err != nil {
		return err
	}
	if !t.Origin.Imported {
		if err := t.counter().StatusChanged(c, parley.Open); err != nil {
			return err
		}
	}
	t.AnnounceOf(c, parley.ConversationCreated, nil, wire.AppendConversation(nil, c))
	return nil
}

// ContactRef returns the part of a contact that a conversation shows.
func ContactRef(c *parley.Contact) parley.ContactRef {
	return parley.ContactRef{
		ID: c.ID, Name: c.Name, Email: c.Email, PhoneNumber: c.PhoneNumber, ShopName: c.ShopName, AvatarURL: c.AvatarURL,
	}
}

// inboxOrFirst returns the inbox, or the workspace's first one if id is zero.
func (t *Tx) inboxOrFirst(id parley.ID) (parley.Inbox, error) {
	if !id.IsZero() {
		inbox, err := t.Inbox(t.WS, id)
		return inbox, Reference("inboxId", err)
	}
	first, err := t.Inboxes(t.WS, parley.Position{}, 1)
	if err == nil && len(first.Items) == 0 {
		err = parley.InvalidField("inboxId", "be given, for the workspace has no inbox")
	}
	if err != nil {
		return parley.Inbox{}, err
	}
	return first.Items[0], nil
}

// productFor determines the product of a new conversation: the requested one,
// else the one of the inbox's routing if it is active.
func (t *Tx) productFor(inbox parley.Inbox, asked parley.Optional[parley.ID]) (parley.Product, error) {
	if asked.Set {
		return t.activeProduct(asked)
	}
	if inbox.ProductID.IsZero() {
		return parley.Product{}, nil
	}
	product, err := t.Product(t.WS, inbox.ProductID)
	if err != nil || product.Archived() {
		return parley.Product{}, err
	}
	return product, nil
}

// activeProduct returns the requested product, which must be active, or none.
func (t *Tx) activeProduct(asked parley.Optional[parley.ID]) (parley.Product, error) {
	if asked.Null {
		return parley.Product{}, nil
	}
	return knownOr(t.known.products, asked.Value, func() (parley.Product, error) {
		product, err := t.Product(t.WS, asked.Value)
		if err != nil {
			return product, Reference("productId", err)
		}
		if product.Archived() {
			return product, parley.InvalidField("productId", "be an active product; this one is archived")
		}
		return product, nil
	})
}

// teamFor returns the requested team, or none.
func teamFor(t *Tx, asked parley.Optional[parley.ID]) (parley.TeamRef, error) {
	if asked.Null {
		return parley.TeamRef{}, nil
	}
	return knownOr(t.known.teams, asked.Value, func() (parley.TeamRef, error) {
		team, err := t.Team(t.WS, asked.Value)
		return team, Reference("teamId", err)
	})
}

// ConversationChange is an update of a conversation's settings. Absent fields
// stay unchanged.
type ConversationChange struct {
	If               ConversationValues // what it must have before
	Status           parley.Optional[parley.Status]
	SnoozedUntil     parley.Optional[time.Time] // see Tx.snooze
	Priority         parley.Optional[parley.Priority]
	AssigneeID       parley.Optional[parley.UserID]
	Labels           parley.Optional[[]string]
	ProductID        parley.Optional[parley.ID] // gives its team to a conversation without one, unless TeamID is set
	TeamID           parley.Optional[parley.ID]
	Spam             parley.Optional[bool]
	CustomAttributes parley.Attributes // merged; null deletes an attribute
}

// UpdateConversation changes the settings of a conversation. If they already
// have the requested values, nothing happens and there is no event. A label
// that is not parley.Addressable is refused unless the conversation has it
// already.
func (d *Desk) UpdateConversation(ctx context.Context, by Caller, id parley.ID, in ConversationChange) (parley.Conversation, error) {
	return Write(ctx, d, by, func(t *Tx) (parley.Conversation, error) {
		c, err := ConversationNow(&t.View, t.Visibility, id)
		if err != nil {
			return c, err
		}
		for i, label := range in.Labels.Or(nil) {
			if !parley.Addressable(label) && !slices.ContainsFunc(c.Labels, sameLabel(label)) {
				return c, parley.InvalidField("labels", fmt.Sprintf("be an array of 0 to %d items; item %d must %s", parley.MaxLabels, i+1, parley.UnaddressableRule))
			}
		}
		return c, t.changeConversation(&c, in)
	})
}

// sameLabel reports whether two labels are spellings of the same one, from
// before names were trimmed and composed (parley.LabelName).
func sameLabel(label string) func(other string) bool {
	name := parley.LabelName(label)
	return func(other string) bool { return parley.LabelName(other) == name }
}

// LabelConversation adds a label to a conversation or removes it, in every
// spelling (see sameLabel). An added label replaces an older spelling, so that
// the filter finds it. If nothing changes, nothing happens.
func (d *Desk) LabelConversation(ctx context.Context, by Caller, id parley.ID, label string, on bool) (parley.Conversation, error) {
	return Write(ctx, d, by, func(t *Tx) (parley.Conversation, error) {
		c, err := ConversationNow(&t.View, t.Visibility, id)
		if err != nil {
			return c, err
		}
		labels, err := Labelled(c.Labels, label, on)
		if err != nil {
			return c, err
		}
		return c, t.changeConversation(&c, ConversationChange{Labels: parley.Some(labels)})
	})
}

// Labelled returns the labels of a conversation with a label, or without it; see
// [Desk.LabelConversation]. More than parley.MaxLabels are Invalid.
func Labelled(of []string, label string, on bool) ([]string, error) {
	labels := slices.Clone(of)
	if at := slices.IndexFunc(labels, sameLabel(label)); on && at >= 0 {
		labels[at] = label
		labels = append(labels[:at+1], slices.DeleteFunc(labels[at+1:], sameLabel(label))...)
	} else if on {
		labels = append(labels, label)
	} else {
		labels = slices.DeleteFunc(labels, sameLabel(label))
	}
	if len(labels) > max(len(of), parley.MaxLabels) {
		return nil, parley.InvalidField("label", fmt.Sprintf("be one of at most %d, and the conversation has as many", parley.MaxLabels))
	}
	return labels, nil
}

// applyChange applies a change to c and returns the names of the changed
// fields.
func (t *Tx) applyChange(c *parley.Conversation, in ConversationChange) (changed []string, err error) {
	if changed, err = t.changeStatus(c, in); err != nil {
		return nil, err
	}
	if c.Status == parley.Resolved && !c.WaitingSince.IsZero() {
		c.WaitingSince = time.Time{}
		changed = append(changed, "waitingSince")
	}
	Set(&changed, "priority", &c.Priority, in.Priority)
	Set(&changed, "spam", &c.Spam, in.Spam)
	if in.AssigneeID.Set && in.AssigneeID.Or("") != c.Assignee.ID {
		if c.Assignee, err = t.assignee(in.AssigneeID); err != nil {
			return nil, err
		}
		changed = append(changed, "assignee")
	}
	if in.Labels.Set {
		if labels := Unique(in.Labels.Value); !slices.Equal(labels, c.Labels) {
			c.Labels = labels
			changed = append(changed, "labels")
		}
	}
	if err := changeProduct(t, &changed, c, in); err != nil {
		return nil, err
	}
	return changed, MergeAttributes(&changed, &c.CustomAttributes, in.CustomAttributes)
}

// changeProduct applies the product and the team of a change to c. A conversation without
// a team gets that of a new product, unless the change says which team it has.
func changeProduct(t *Tx, changed *[]string, c *parley.Conversation, in ConversationChange) error {
	team := c.Team
	if in.ProductID.Set && in.ProductID.Or(parley.ID{}) != c.Product.ID {
		product, err := t.activeProduct(in.ProductID)
		if err != nil {
			return err
		}
		c.Product, team = productRef(&product), cmp.Or(team, product.Team)
		*changed = append(*changed, "product")
	}
	switch asked := in.TeamID.Or(parley.ID{}); {
	case !in.TeamID.Set:
	case asked == c.Team.ID:
		team = c.Team
	default:
		var err error
		if team, err = teamFor(t, in.TeamID); err != nil {
			return err
		}
	}
	if team != c.Team {
		c.Team, *changed = team, append(*changed, "team")
	}
	return nil
}

func productRef(p *parley.Product) parley.ProductRef {
	return parley.ProductRef{ID: p.ID, Name: p.Name, Agent: p.Agent}
}

func (t *Tx) assignee(asked parley.Optional[parley.UserID]) (parley.MemberRef, error) {
	if asked.Null {
		return parley.MemberRef{}, nil
	}
	return knownOr(t.known.members, asked.Value, func() (parley.MemberRef, error) {
		m, err := t.Member(t.WS, asked.Value)
		if err != nil {
			return parley.MemberRef{}, Reference("assigneeId", err)
		}
		return parley.MemberRef{ID: m.ID, Name: m.Name, Image: m.Image}, nil
	})
}
