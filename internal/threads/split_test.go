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
)

func (p *pair) split(id, message parley.ID) parley.Conversation {
	p.T.Helper()
	p.Advance(time.Second)
	c, err := p.svc.Split(p.T.Context(), p.By(), id, message)
	p.Must(err)
	return c
}

// TestSplit splits a conversation: the messages move with their ids and times, and both count
// what is theirs. Merging the new one back takes the split back.
func TestSplit(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair) {
		high := desk.ConversationChange{Priority: parley.Some(parley.High), AssigneeID: parley.Some(p.Home.Owner.ID), Labels: parley.Some([]string{"vip"})}
		_, err := p.Desk.UpdateConversation(t.Context(), p.By(), p.from, high)
		p.Must(err)
		p.say(p.from, "1", parley.Incoming)
		p.say(p.from, "2", parley.Outgoing)
		stays := p.say(p.from, "3", parley.Incoming)
		first := p.say(p.from, "4", parley.Incoming)
		last := p.say(p.from, "5", parley.Incoming)
		was := p.read(p.from)
		got := p.split(p.from, first.ID)
		p.shows(p.from, "1", "2", "3")
		p.shows(got.ID, "4", "5")
		is := p.read(got.ID)
		if is.SplitFrom != p.from || is.Status != parley.Open || is.Priority != parley.High || is.Assignee.ID != p.Home.Owner.ID || len(is.Labels) > 0 || is.Contact.ID != was.Contact.ID || is.Inbox.ID != was.Inbox.ID {
			t.Errorf("the new conversation is %+v", is)
		}
		if is.UnreadCount != 2 || !is.CreatedAt.Equal(first.CreatedAt) || !is.LastActivityAt.Equal(last.CreatedAt) || !is.WaitingSince.Equal(first.CreatedAt) {
			t.Errorf("the new conversation counts %d unread, from %s to %s, waiting since %s", is.UnreadCount, is.CreatedAt, is.LastActivityAt, is.WaitingSince)
		}
		if rest := p.read(p.from); rest.UnreadCount != 1 || !rest.LastActivityAt.Equal(stays.CreatedAt) || !rest.WaitingSince.Equal(stays.CreatedAt) || rest.Labels[0] != "vip" {
			t.Errorf("what stayed counts %d unread, to %s, waiting since %s", rest.UnreadCount, rest.LastActivityAt, rest.WaitingSince)
		}
		m, err := p.Desk.Message(p.By().Visibility(), first.ID).Now(t.Context())
		p.Must(err)
		if m.ConversationID != got.ID || !m.CreatedAt.Equal(first.CreatedAt) || m.Sender.ContactID != was.Contact.ID {
			t.Errorf("the message became %+v", m)
		}
		links, err := p.svc.Links(p.By().Visibility(), p.from).Now(t.Context())
		p.Must(err)
		if len(links) != 1 || links[0].ID != got.ID {
			t.Errorf("linked are %v", links)
		}
		p.merge(got.ID, p.from)
		p.shows(p.from, "1", "2", "3", "4", "5")
		if back := p.read(p.from); back.UnreadCount != was.UnreadCount || !back.WaitingSince.Equal(was.WaitingSince) || !back.LastActivityAt.Equal(was.LastActivityAt) || back.Status != was.Status {
			t.Errorf("taken back, it is %+v, was %+v", back, was)
		}
		p.shows(p.split(p.from, stays.ID).ID, "3", "4", "5")
		p.unmerge(got.ID)
		p.shows(got.ID)
		if c := p.read(got.ID); c.UnreadCount != 0 || !c.WaitingSince.IsZero() {
			t.Errorf("what was moved out of a merged conversation counts there as %d unread, waiting since %s", c.UnreadCount, c.WaitingSince)
		}
	})
}

// TestSplitWaits splits conversations whose customers wait or do not: a split makes nobody wait
// who did not before, unless the conversation was resolved.
func TestSplitWaits(t *testing.T) {
	for _, c := range []struct {
		name, said             string // q: the customer asks, a: a member answers; the split is at the third
		resolved, rests, moves bool
		unread                 [2]int
	}{
		{"the moved one", "qaq", false, false, true, [2]int{0, 1}},
		{"both", "qqq", false, true, true, [2]int{2, 1}},
		{"answered in what moves", "qqa", false, false, false, [2]int{0, 0}},
		{"asked again after the answer", "qqaq", false, false, true, [2]int{0, 1}},
		{"nobody", "qqqa", false, false, false, [2]int{0, 0}},
		{"resolved without an answer", "qaq", true, false, true, [2]int{0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachPair(t, func(t *testing.T, p *pair) {
				var messages []parley.Message
				for _, said := range c.said {
					messages = append(messages, p.say(p.from, string(said), map[rune]parley.Direction{'q': parley.Incoming, 'a': parley.Outgoing}[said]))
				}
				if c.resolved {
					_, err := p.Desk.UpdateConversation(t.Context(), p.By(), p.from, desk.ConversationChange{Status: parley.Some(parley.Resolved)})
					p.Must(err)
				}
				made := p.read(p.split(p.from, messages[2].ID).ID)
				rest := p.read(p.from)
				if rest.WaitingSince.IsZero() == c.rests || made.WaitingSince.IsZero() == c.moves {
					t.Errorf("one waits since %s, the new one since %s", rest.WaitingSince, made.WaitingSince)
				}
				if rest.UnreadCount != c.unread[0] || made.UnreadCount != c.unread[1] {
					t.Errorf("%d and %d are unread, want %v", rest.UnreadCount, made.UnreadCount, c.unread)
				}
			})
		})
	}
}

// TestRefusedSplits refuses splits that must not be; nothing changes.
func TestRefusedSplits(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair) {
		first, second := p.say(p.from, "1", parley.Incoming), p.say(p.from, "2", parley.Incoming)
		other := p.say(p.into, "3", parley.Incoming)
		unknown := parley.NewIDs(nil).New(p.Now())
		refused := func(by desk.Caller, id, message parley.ID, kind parley.Kind, text string) {
			t.Helper()
			_, err := p.svc.Split(t.Context(), by, id, message)
			p.Refused(err, kind, text)
		}
		const noMessage = "messageId: no such message in this conversation"
		refused(p.By(), p.from, first.ID, parley.Invalid, "messageId: must be a later message than the first one, because nothing would stay")
		refused(p.By(), p.from, other.ID, parley.NotFound, noMessage)
		refused(p.By(), p.from, unknown, parley.NotFound, noMessage)
		refused(p.By(), unknown, second.ID, parley.NotFound, "no such conversation in this workspace")
		refused(desktest.OwnerOf(p.Found("Elsewhere")), p.from, second.ID, parley.NotFound, "no such conversation in this workspace")
		spam := func(is bool) {
			_, err := p.Desk.UpdateConversation(t.Context(), p.By(), p.from, desk.ConversationChange{Spam: parley.Some(is)})
			p.Must(err)
		}
		spam(true)
		refused(p.By(), p.from, second.ID, parley.Conflict, "a conversation that is marked as spam cannot be split")
		spam(false)
		for range parley.MaxSplit - 1 {
			p.say(p.from, "more", parley.Incoming)
		}
		p.split(p.from, second.ID)
		more := p.say(p.from, "more", parley.Incoming)
		for range parley.MaxSplit {
			p.say(p.from, "more", parley.Incoming)
		}
		refused(p.By(), p.from, more.ID, parley.Invalid, "messageId: must be one of the newest 1000 messages, because no more can be moved at once")
		if c := p.read(p.from); c.UnreadCount != parley.MaxSplit+2 {
			t.Errorf("%d are unread after refused splits", c.UnreadCount)
		}
	})
}

// TestSplitWhileSomebodyPosts splits while somebody posts in the same conversation: every
// message is in one of the two, once, and the counts add up.
func TestSplitWhileSomebodyPosts(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair) {
		p.say(p.from, "1", parley.Incoming)
		at := p.say(p.from, "2", parley.Incoming)
		posted := make(chan error)
		go func() {
			for range 20 {
				if _, err := p.Desk.PostMessage(t.Context(), p.By(), p.from, desk.NewMessage{Content: "x", Direction: parley.Incoming}); err != nil {
					posted <- err
					return
				}
			}
			posted <- nil
		}()
		made, err := p.svc.Split(t.Context(), p.By(), p.from, at.ID)
		p.Must(err)
		p.Must(<-posted)
		if n := len(p.shown(p.from)) + len(p.shown(made.ID)); n != 22 {
			t.Errorf("there are %d messages, want 22", n)
		}
		if a, b := p.read(p.from), p.read(made.ID); a.UnreadCount != len(p.shown(p.from)) || b.UnreadCount != len(p.shown(made.ID)) {
			t.Errorf("%d and %d are unread", a.UnreadCount, b.UnreadCount)
		}
	})
}

// TestRandomSplits writes, splits, merges and takes apart at random, and compares what the
// conversations show with a model.
func TestRandomSplits(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair) {
		random := rand.New(rand.NewPCG(6, 9))
		type message struct {
			id   parley.ID
			text string
			in   int // where it is
		}
		ids := []parley.ID{p.from, p.into}
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
		shownBy := func(k int) (found []int) {
			for i := range written {
				if top(written[i].in) == k {
					found = append(found, i)
				}
			}
			return found
		}
		parts := func(k int) (n int) {
			for i := range ids {
				if i != k && top(i) == k {
					n++
				}
			}
			return n
		}
		for step := range 120 {
			i, j := random.IntN(len(ids)), random.IntN(len(ids))
			_, isMerged := direct[i]
			switch kind := random.IntN(10); {
			case kind < 5:
				text := string(rune('a'+step%26)) + string(rune('a'+step/26))
				m := p.say(ids[i], text, []parley.Direction{parley.Incoming, parley.Outgoing}[random.IntN(2)])
				written = append(written, message{m.ID, text, top(i)})
			case kind < 7 && len(ids) < 12:
				shown := shownBy(top(i))
				if len(shown) < 2 {
					continue
				}
				at := shown[1+random.IntN(len(shown)-1)]
				ids = append(ids, p.split(ids[i], written[at].id).ID)
				for _, k := range shown {
					if k >= at {
						written[k].in = len(ids) - 1
					}
				}
			case kind < 9 && !isMerged && top(j) != i && parts(i)+parts(top(j)) < parley.MaxParts:
				p.merge(ids[i], ids[j])
				direct[i] = top(j)
			case isMerged && direct[i] == top(i):
				p.unmerge(ids[i])
				delete(direct, i)
			}
			if step%10 > 0 {
				continue // reading everything takes the longest
			}
			for k, id := range ids {
				var want []string
				for _, at := range shownBy(top(k)) {
					want = append(want, written[at].text)
				}
				p.shows(id, want...)
				if c := p.read(id); c.UnreadCount < 0 || c.LastActivityAt.IsZero() {
					t.Fatalf("step %d: the conversation became %+v", step, c)
				}
			}
		}
	})
}

// TestSplitOfManyMessages splits as many messages as possible out of a long conversation.
func TestSplitOfManyMessages(t *testing.T) {
	many := 2 * parley.MaxSplit
	if torture {
		many = 100_000
	}
	eachPair(t, func(t *testing.T, p *pair) {
		ids := parley.NewIDs(nil)
		ws, contact := p.Home.Workspace.ID, p.read(p.from).Contact.ID
		var at parley.ID
		storetest.Fill(t, p.Store, ws, many, func(tx *store.Tx, i int) error {
			now := p.Now().Add(time.Duration(i) * time.Millisecond)
			id := ids.New(now)
			if i == many-parley.MaxSplit {
				at = id
			}
			return tx.InsertMessage(ws, &parley.Message{
				ID: id, ConversationID: p.from, Content: "How long does a parcel take to Portugal?", ContentType: parley.Text, Direction: parley.Incoming,
				Sender: parley.Sender{Type: parley.SenderContact, ContactID: contact}, Status: parley.Delivered, CreatedAt: now,
			})
		})
		p.Advance(time.Hour)
		start := time.Now()
		made := p.split(p.from, at)
		t.Logf("%d of %d messages: split took %s", parley.MaxSplit, many, time.Since(start))
		if n := len(p.shown(made.ID)); n != parley.MaxSplit {
			t.Errorf("%d messages moved", n)
		}
		start = time.Now()
		p.merge(made.ID, p.from)
		t.Logf("taking it back took %s", time.Since(start))
	})
}

// TestSplitOfManyLinks splits a conversation that has as many links as it may have.
func TestSplitOfManyLinks(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair) {
		contact := p.read(p.from).Contact.ID
		for range parley.MaxLinks {
			_, err := p.svc.Link(t.Context(), p.By(), p.from, p.Conversation(p.By(), contact).ID)
			p.Must(err)
		}
		p.say(p.from, "1", parley.Incoming)
		made := p.split(p.from, p.say(p.from, "2", parley.Incoming).ID)
		links, err := p.svc.Links(p.By().Visibility(), p.from).Now(t.Context())
		p.Must(err)
		if len(links) != parley.MaxLinks || slices.ContainsFunc(links, func(c parley.Conversation) bool { return c.ID == made.ID }) {
			t.Errorf("there are %d links", len(links))
		}
	})
}
