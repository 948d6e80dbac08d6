package threads_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/threads"
)

// A pair is what a test merges.
type pair struct {
	*desktest.World
	svc  *threads.Service
	from parley.ID
	into parley.ID
}

func eachPair(t *testing.T, test func(t *testing.T, p *pair)) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		ann := w.Contact(w.By(), "Ann").ID
		test(t, &pair{w, threads.New(w.Desk), w.Conversation(w.By(), ann).ID, w.Conversation(w.By(), ann).ID})
	})
}

func (p *pair) read(id parley.ID) parley.Conversation {
	p.T.Helper()
	var c parley.Conversation
	storetest.View(p.T, p.Store, func(v *store.View) (err error) {
		c, err = v.Conversation(p.By().Visibility(), id)
		return err
	})
	return c
}

// shown returns the texts of a conversation's messages, in pages of two from either end.
func (p *pair) shown(id parley.ID) []string {
	p.T.Helper()
	var all [2][]string
	for i, order := range []parley.Order{parley.Ascending, parley.Descending} {
		q := desk.MessageQuery{ConversationID: id, Order: order, Limit: 2}
		for {
			page, err := p.Desk.Messages(p.By().Visibility(), q).Now(p.T.Context())
			p.Must(err)
			for _, m := range page.Items {
				all[i] = append(all[i], m.Content)
			}
			if !page.HasMore {
				break
			}
			q.After = page.Next
		}
	}
	slices.Reverse(all[1])
	if !slices.Equal(all[0], all[1]) {
		p.T.Fatalf("forward the messages are %q, backward %q", all[0], all[1])
	}
	return all[0]
}

func (p *pair) shows(id parley.ID, want ...string) {
	p.T.Helper()
	if got := p.shown(id); !slices.Equal(got, want) {
		p.T.Errorf("the messages are %q, want %q", got, want)
	}
}

func (p *pair) say(id parley.ID, text string, direction parley.Direction) parley.Message {
	p.T.Helper()
	p.Advance(time.Second)
	in := desk.NewMessage{Content: text, Direction: direction}
	if direction == parley.Outgoing {
		in.AgentID = p.Home.Owner.ID
	}
	m, err := p.Desk.PostMessage(p.T.Context(), p.By(), id, in)
	p.Must(err)
	return m
}

func (p *pair) merge(from, into parley.ID) parley.Conversation {
	p.T.Helper()
	p.Advance(time.Second)
	c, err := p.svc.Merge(p.T.Context(), p.By(), from, into)
	p.Must(err)
	return c
}

func (p *pair) unmerge(id parley.ID) parley.Conversation {
	p.T.Helper()
	p.Advance(time.Second)
	c, err := p.svc.Unmerge(p.T.Context(), p.By(), id)
	p.Must(err)
	return c
}

// TestMerge merges a conversation into another one, in which its messages are shown by
// time and to which its id leads, and takes them apart again.
func TestMerge(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair) {
		p.say(p.into, "1", parley.Incoming)
		p.say(p.from, "2", parley.Incoming)
		p.say(p.into, "3", parley.Outgoing)
		p.say(p.from, "4", parley.Incoming)
		from, into := p.read(p.from), p.read(p.into)
		got := p.merge(p.from, p.into)
		if got.ID != p.into || got.UnreadCount != 2 || !got.WaitingSince.Equal(from.WaitingSince) || !got.LastActivityAt.Equal(from.LastActivityAt) {
			t.Errorf("the target became %+v", got)
		}
		if c := p.read(p.from); c.MergedInto != p.into || c.Status != parley.Resolved || !c.MergedAt.Equal(p.Now()) {
			t.Errorf("the source became %+v", c)
		}
		p.shows(p.into, "1", "2", "3", "4")
		p.shows(p.from, "1", "2", "3", "4")
		p.say(p.from, "5", parley.Incoming)
		if c := p.read(p.into); c.UnreadCount != 3 {
			t.Errorf("%d are unread, want 3", c.UnreadCount)
		}
		thread, err := p.Desk.Thread(p.By().Visibility(), p.from, parley.Position{}, 9).Now(t.Context())
		p.Must(err)
		if thread.Conversation.ID != p.into || len(thread.Messages.Items) != 5 {
			t.Errorf("the id leads to %s with %d messages", thread.Conversation.ID, len(thread.Messages.Items))
		}
		back := p.unmerge(p.from)
		back.UpdatedAt, from.UpdatedAt, back.OpenedAt, from.OpenedAt = time.Time{}, time.Time{}, time.Time{}, time.Time{}
		if back.Status != from.Status || !back.MergedInto.IsZero() || back.UnreadCount != 2 || !back.WaitingSince.Equal(from.WaitingSince) {
			t.Errorf("the source came back as %+v, was %+v", back, from)
		}
		p.shows(p.from, "2", "4")
		p.shows(p.into, "1", "3", "5")
		after := p.read(p.into)
		if after.UnreadCount != into.UnreadCount+1 || after.WaitingSince.Equal(from.WaitingSince) || after.WaitingSince.IsZero() {
			t.Errorf("the target is left as %+v", after)
		}
	})
}

// TestRefusedMerges refuses merges and undos that must not be; nothing changes.
func TestRefusedMerges(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair) {
		other := p.Conversation(p.By(), p.Contact(p.By(), "Bo").ID).ID
		third := p.Conversation(p.By(), p.read(p.from).Contact.ID).ID
		spam := p.Conversation(p.By(), p.read(p.from).Contact.ID).ID
		_, err := p.Desk.UpdateConversation(t.Context(), p.By(), spam, desk.ConversationChange{Spam: parley.Some(true)})
		p.Must(err)
		stranger := desktest.OwnerOf(p.Found("Elsewhere"))
		refused := func(by desk.Caller, from, into parley.ID, kind parley.Kind, message string) {
			t.Helper()
			_, err := p.svc.Merge(t.Context(), by, from, into)
			p.Refused(err, kind, message)
		}
		unknown := parley.NewIDs(nil).New(p.Now())
		refused(p.By(), p.from, p.from, parley.Invalid, "intoId: must be another conversation")
		refused(p.By(), unknown, p.into, parley.NotFound, "no such conversation in this workspace")
		refused(p.By(), p.from, unknown, parley.NotFound, "intoId: no such conversation in this workspace")
		refused(stranger, p.from, p.into, parley.NotFound, "no such conversation in this workspace")
		refused(p.By(), p.from, other, parley.Conflict, "intoId: must be a conversation of the same contact; if both are one person, merge the contacts first")
		refused(p.By(), spam, p.into, parley.Conflict, "a conversation that is marked as spam cannot be merged")
		refused(p.By(), p.from, spam, parley.Conflict, "a conversation that is marked as spam cannot be merged")
		undo := func(id parley.ID, kind parley.Kind, message string) {
			t.Helper()
			_, err := p.svc.Unmerge(t.Context(), p.By(), id)
			p.Refused(err, kind, message)
		}
		undo(p.from, parley.Conflict, "the conversation is not merged into another one")
		undo(unknown, parley.NotFound, "no such conversation in this workspace")
		p.merge(p.from, p.into)
		refused(p.By(), p.from, third, parley.Conflict, "the conversation was merged into "+p.into.String()+" already; undo that first")
		refused(p.By(), p.into, p.from, parley.Invalid, "intoId: must be another conversation") // its id leads there
		p.merge(p.into, third)
		undo(p.from, parley.Conflict, p.into.String()+", which it was merged into, was merged itself; undo that first")
		if c := p.read(p.from); c.MergedInto != third {
			t.Errorf("the first one leads to %s", c.MergedInto)
		}
		p.Advance(parley.UndoMerge + time.Second)
		undo(p.into, parley.Conflict, "a merge can be undone for 30 days")
		for range parley.MaxParts - 2 {
			p.merge(p.Conversation(p.By(), p.read(p.from).Contact.ID).ID, third)
		}
		refused(p.By(), p.Conversation(p.By(), p.read(p.from).Contact.ID).ID, third, parley.Conflict, "at most 20 conversations can be merged into one")
	})
}

// TestRandomMerges merges, takes apart and writes at random, and compares what the
// conversations show, and how many messages are unread, with a model.
func TestRandomMerges(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair) {
		random := rand.New(rand.NewPCG(4, 2))
		contact := p.read(p.from).Contact.ID
		ids := []parley.ID{p.from, p.into}
		for range 4 {
			ids = append(ids, p.Conversation(p.By(), contact).ID)
		}
		type message struct {
			in   int // where it was written
			text string
		}
		var written []message
		direct := map[int]int{} // what each was merged into
		top := func(i int) int {
			for {
				into, ok := direct[i]
				if !ok {
					return i
				}
				i = into
			}
		}
		for step := range 60 {
			i, j := random.IntN(len(ids)), random.IntN(len(ids))
			_, isMerged := direct[i]
			switch kind := random.IntN(10); {
			case kind < 5:
				text := string(rune('a'+step%26)) + string(rune('a'+step/26))
				p.say(ids[i], text, []parley.Direction{parley.Incoming, parley.Outgoing}[random.IntN(2)])
				written = append(written, message{top(i), text})
			case kind < 8 && !isMerged && top(j) != i:
				p.merge(ids[i], ids[j])
				direct[i] = top(j)
			case isMerged && direct[i] == top(i):
				p.unmerge(ids[i])
				delete(direct, i)
			}
			if step%3 > 0 && step < 50 {
				continue // reading everything takes the longest
			}
			for k, id := range ids {
				var want []string
				for _, m := range written {
					if top(m.in) == top(k) {
						want = append(want, m.text)
					}
				}
				p.shows(id, want...)
				var at parley.ID
				if _, ok := direct[k]; ok {
					at = ids[top(k)]
				}
				c := p.read(id)
				if c.MergedInto != at {
					t.Fatalf("step %d: %d leads to %s, want %s", step, k, c.MergedInto, at)
				}
				if c.UnreadCount < 0 || c.UnreadCount > len(written) {
					t.Fatalf("step %d: %d are unread", step, c.UnreadCount)
				}
			}
		}
	})
}

// TestMergedRest merges what members have begun in a conversation, and links.
func TestMergedRest(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair) {
		other := p.Conversation(p.By(), p.Contact(p.By(), "Bo").ID).ID
		_, err := p.svc.Link(t.Context(), p.By(), p.from, other)
		p.Must(err)
		p.merge(p.from, p.into)
		linked := func(id parley.ID, want ...parley.ID) {
			t.Helper()
			found, err := p.svc.Links(p.By().Visibility(), id).Now(t.Context())
			p.Must(err)
			var got []parley.ID
			for i := range found {
				got = append(got, found[i].ID)
			}
			if !slices.Equal(got, want) {
				t.Errorf("linked are %v, want %v", got, want)
			}
		}
		linked(p.into, other)
		linked(other, p.into)
		_, err = p.svc.Link(t.Context(), p.By(), p.into, other)
		p.Must(err)
		linked(other, p.into)
		p.unmerge(p.from)
		linked(other, p.from)
		p.merge(p.from, p.into)
		_, err = p.svc.Unlink(t.Context(), p.By(), other, p.into)
		p.Must(err)
		linked(p.into)
		linked(other)
	})
}
