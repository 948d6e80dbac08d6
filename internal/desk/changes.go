package desk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/bot/results"
	"parley/internal/reports"
	"parley/internal/store"
)

// ConversationNow returns a conversation or, if that was merged into another, the other
// one. Both must be visible.
func ConversationNow(v *store.View, vis parley.Visibility, id parley.ID) (parley.Conversation, error) {
	c, err := v.Conversation(vis, id)
	if err != nil || c.MergedInto.IsZero() {
		return c, err
	}
	return v.Conversation(vis, c.MergedInto)
}

// conversationsNow returns those of some conversations that the caller may see, by the
// ids asked for, as [ConversationNow] does. Ids of one conversation share it.
func (t *Tx) conversationsNow(ids []parley.ID) (map[parley.ID]*parley.Conversation, error) {
	found := map[parley.ID]*parley.Conversation{}
	add := func(ids []parley.ID) error {
		if len(ids) == 0 {
			return nil
		}
		read, err := t.ConversationsOf(t.Visibility, ids)
		for i := range read {
			found[read[i].ID] = &read[i]
		}
		return err
	}
	if err := add(ids); err != nil {
		return nil, err
	}
	into := map[parley.ID]parley.ID{}
	var unread []parley.ID
	for id, c := range found {
		if c.MergedInto.IsZero() {
			continue
		}
		into[id] = c.MergedInto
		if found[c.MergedInto] == nil {
			unread = append(unread, c.MergedInto)
		}
	}
	err := add(Unique(unread))
	for id, target := range into {
		found[id] = found[target] // nil if it is not visible
	}
	return found, err
}

// ConversationValues are values that a conversation may have. Absent ones do not count.
type ConversationValues struct {
	Status       parley.Optional[parley.Status]
	Priority     parley.Optional[parley.Priority]
	AssigneeID   parley.Optional[parley.UserID]
	TeamID       parley.Optional[parley.ID]
	ProductID    parley.Optional[parley.ID]
	Labels       parley.Optional[[]string] // in any order
	SnoozedUntil parley.Optional[time.Time]
	Spam         parley.Optional[bool]
}

// Check returns a Conflict unless c has all of the values. It names the first that
// differs, and what c has instead.
func (want *ConversationValues) Check(c *parley.Conversation) error {
	labels := func(all []string) string {
		quoted := make([]string, len(all))
		for i, label := range slices.Sorted(slices.Values(Unique(all))) {
			quoted[i] = fmt.Sprintf("%q", label)
		}
		return strings.Join(quoted, ", ")
	}
	until := ""
	if at := c.Snoozed(); !at.IsZero() {
		until = at.UTC().Format(time.RFC3339Nano)
	}
	for _, value := range []struct {
		name     string
		set      bool
		is, want string
	}{
		{"status", want.Status.Set, string(c.Status), string(want.Status.Value)},
		{"priority", want.Priority.Set, string(c.Priority), string(want.Priority.Or(""))},
		{"assigneeId", want.AssigneeID.Set, string(c.Assignee.ID), string(want.AssigneeID.Or(""))},
		{"teamId", want.TeamID.Set, idText(c.Team.ID), idText(want.TeamID.Or(parley.ID{}))},
		{"productId", want.ProductID.Set, idText(c.Product.ID), idText(want.ProductID.Or(parley.ID{}))},
		{"labels", want.Labels.Set, labels(c.Labels), labels(want.Labels.Or(nil))},
		{"snoozedUntil", want.SnoozedUntil.Set, until, until},
		{"spam", want.Spam.Set, fmt.Sprint(c.Spam), fmt.Sprint(want.Spam.Or(false))},
	} {
		same := value.is == value.want
		if value.name == "snoozedUntil" {
			same = c.Snoozed().Equal(want.SnoozedUntil.Or(time.Time{}).Truncate(time.Millisecond))
		}
		if value.set && !same {
			return parley.FieldErrorf(parley.Conflict, "if."+value.name, "must be the value of the conversation, which is %s", cmp.Or(value.is, "none"))
		}
	}
	return nil
}

func idText(id parley.ID) string {
	if id.IsZero() {
		return ""
	}
	return id.String()
}

// An Outcome is what [Tx.ChangeConversations] did for an id.
type Outcome struct {
	ID           parley.ID           // the one asked for
	Before       parley.Conversation // as it was
	Conversation parley.Conversation // as it is, zero with Err; with another id if the one asked for was merged into it
	Changed      []string            // members that changed; none if it was as wanted before
	Err          error               // why it was not changed
}

// A Decision returns how to change a conversation, or why not: a [parley.Error] of a
// kind other than Internal.
type Decision func(c *parley.Conversation) (ConversationChange, error)

// ChangeConversations changes up to 200 conversations of the workspace as if one after
// the other, each by what decide returns. It reads a few times, however many they are. An
// id that leads to the conversation of an earlier one has no effect. An error of one
// is in its Outcome; the Outcomes are in the order of the ids.
func (t *Tx) ChangeConversations(ids []parley.ID, decide Decision) ([]Outcome, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	found, err := t.conversationsNow(ids)
	if err != nil {
		return nil, err
	}
	t.known = knownRecords{map[parley.UserID]parley.MemberRef{}, map[parley.ID]parley.Product{}, map[parley.ID]parley.TeamRef{}}
	defer func() { t.known = knownRecords{} }()
	outcomes := make([]Outcome, len(ids))
	var changes []*conversationUpdate
	first := map[*parley.Conversation]int{}
	for i, id := range ids {
		o, c := &outcomes[i], found[id]
		o.ID = id
		if c == nil {
			o.Err = parley.NotFoundf("no such conversation in this workspace")
			continue
		}
		if earlier, again := first[c]; again {
			o.Before, o.Err = *c, outcomes[earlier].Err
			continue
		}
		first[c] = i
		o.Before = *c
		update, err := t.decided(c, decide)
		if parley.KindOf(err) == parley.Internal && err != nil {
			return nil, err
		}
		if o.Err = err; err == nil && len(update.changed) > 0 {
			changes = append(changes, update)
		}
	}
	if err := t.storeChanges(changes); err != nil {
		return nil, err
	}
	changed := map[parley.ID][]string{}
	for _, u := range changes {
		changed[u.c.ID] = u.changed
	}
	for i := range outcomes {
		if o := &outcomes[i]; o.Err == nil {
			o.Conversation = *found[o.ID]
			o.Changed = changed[o.Conversation.ID]
			delete(changed, o.Conversation.ID)
		}
	}
	return outcomes, nil
}

// decided applies what decide returns to c. After an error, c is as before.
func (t *Tx) decided(c *parley.Conversation, decide Decision) (*conversationUpdate, error) {
	in, err := decide(c)
	if err != nil {
		return nil, err
	}
	before := *c
	u, err := t.newUpdate(c, in)
	if err != nil {
		*c = before
	}
	return u, err
}

// A conversationUpdate is a change of a conversation that is not stored yet.
type conversationUpdate struct {
	c       *parley.Conversation // as it will be
	changed []string

	// As it was:
	labels []string
	status parley.Status
	place  parley.Place
	agent  parley.AgentPart

	assignee parley.UserID // whose replacement takes the conversation from the automated agent
}

func (t *Tx) newUpdate(c *parley.Conversation, in ConversationChange) (*conversationUpdate, error) {
	if err := in.If.Check(c); err != nil {
		return nil, err
	}
	u := &conversationUpdate{c: c, labels: slices.Clone(c.Labels), status: c.Status, place: c.Place(), agent: c.Agent, assignee: c.Assignee.ID}
	var err error
	u.changed, err = t.applyChange(c, in)
	return u, err
}

// changeConversation changes a conversation, and emits an event if that makes a
// difference.
func (t *Tx) changeConversation(c *parley.Conversation, in ConversationChange) error {
	u, err := t.newUpdate(c, in)
	if err != nil || len(u.changed) == 0 {
		return err
	}
	return t.storeChanges([]*conversationUpdate{u})
}

// storeChanges counts and stores changes of different conversations, and emits their
// events in order.
func (t *Tx) storeChanges(all []*conversationUpdate) error {
	if len(all) == 0 {
		return nil
	}
	statuses, ends := make([]reports.StatusChange, len(all)), make([]agentEnd, len(all))
	for i, u := range all {
		statuses[i] = reports.StatusChange{Conversation: u.c, Before: u.status}
	}
	if err := t.counter().StatusesChanged(statuses); err != nil {
		return err
	}
	taken := make([]results.Taken, 0, len(all))
	for i, u := range all {
		if ends[i] = agentAfterChange(u.c, u.status, u.assignee); ends[i].counts {
			taken = append(taken, results.Taken{ConversationID: u.c.ID, State: u.agent.State})
		}
	}
	if err := results.TakeAll(t, t.WS, taken); err != nil {
		return err
	}
	for i, u := range all {
		if ends[i].job {
			if err := DeleteAgentJob(t, t.WS, u.c.ID); err != nil {
				return err
			}
		}
		if u.c.Agent.Shown() != u.agent.Shown() {
			u.changed = append(u.changed, "agent")
		}
		if err := t.UpdateConversation(t.WS, u.c, t.Now); err != nil {
			return err
		}
		if u.c.Place() != u.place {
			if err := store.MoveParts(t.Tx, t.WS, u.c); err != nil {
				return err
			}
		}
		if slices.Contains(u.changed, "labels") {
			if err := t.UpdateConversationLabels(t.WS, u.c.ID, u.labels, u.c.Labels); err != nil {
				return err
			}
		}
		t.AnnounceChange(u.c, u.place, u.changed...)
	}
	return nil
}

// knownRecords are records that a change of many conversations has read. A change of one
// has no maps, and so reads them.
type knownRecords struct {
	members  map[parley.UserID]parley.MemberRef
	products map[parley.ID]parley.Product
	teams    map[parley.ID]parley.TeamRef
}

// knownOr returns what known has for a key, or adds what read returns.
func knownOr[K comparable, V any](known map[K]V, key K, read func() (V, error)) (V, error) {
	if v, ok := known[key]; ok {
		return v, nil
	}
	v, err := read()
	if err == nil && known != nil {
		known[key] = v
	}
	return v, err
}
