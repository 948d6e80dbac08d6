package notices_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/notices"
	"parley/internal/pgtest"
	"parley/internal/snooze"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/timer"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A key is what a member has at most one unread notice of.
type key struct {
	member, talk int
	kind         parley.NoticeKind
}

// A told is what an unread notice says.
type told struct {
	actor   string
	message parley.ID
	count   int
}

// A model is three members who work on three conversations, in the store and as they
// should be told.
type model struct {
	*desktest.World
	random  *rand.Rand
	nodes   [2]*notices.Service
	members []parley.Member
	talks   []parley.ID
	dies    bool // the next notice ends its process

	mu      sync.Mutex // guards dies
	pending []func()   // what the follower has still to tell
	// The rest is what should be in the store.
	assignees []int // of each conversation; -1 for nobody
	marks     map[[2]int]parley.ID
	follows   map[[2]int]bool
	unread    map[key]told
	latest    []parley.ID // message of each conversation
}

func newModel(w *desktest.World, seed uint64) *model {
	m := &model{
		World: w, random: rand.New(rand.NewPCG(seed, 1)), members: []parley.Member{w.Home.Owner},
		marks: map[[2]int]parley.ID{}, follows: map[[2]int]bool{}, unread: map[key]told{},
	}
	for i := range m.nodes {
		m.nodes[i] = notices.New(notices.Options{Desk: w.Desk, Tell: tellNobody, Told: []notices.Told{m.told}})
	}
	ids := parley.NewIDs(nil)
	storetest.Write(w.T, w.Store, w.Home.Workspace.ID, func(tx *store.Tx) error {
		m.members = m.members[:1]
		for _, name := range []string{"Bo", "Cy"} {
			member := parley.Member{ID: ids.NewUserID(), Name: name, Email: name + "@home.example", Role: parley.Agent, CreatedAt: w.Now()}
			m.members = append(m.members, member)
			if err := storetest.Did(tx.InsertMember(w.Home.Workspace.ID, &member)); err != nil {
				return err
			}
		}
		return nil
	})
	for range 3 {
		m.talks = append(m.talks, w.Conversation(w.By(), w.Contact(w.By(), "Dee").ID).ID)
		m.assignees, m.latest = append(m.assignees, -1), append(m.latest, parley.ID{})
	}
	// What happens before the follower begins is not told.
	m.assign(0, 0, 1)
	m.pending = nil
	w.Must(m.nodes[0].CatchUp(w.T.Context()))
	return m
}

// told ends the process in which a notice is stored, now and then.
func (m *model) told(*desk.Tx, *parley.MemberNotice) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dies {
		m.dies = false
		return errors.New("the process ended")
	}
	return nil
}

func (m *model) by(member int) desk.Caller {
	return desk.Caller{Workspace: m.Home.Workspace.ID, Member: m.members[member].ID, Actor: parley.MemberActor(&m.members[member])}
}

// act does something to a conversation.
func (m *model) act() string {
	m.Advance(time.Second)
	member, other, talk := m.random.IntN(len(m.members)), m.random.IntN(len(m.members)), m.random.IntN(len(m.talks))
	at := fmt.Sprintf("%s in %d: ", m.members[member].Name, talk)
	switch m.random.IntN(10) {
	case 0, 1:
		return at + m.write(-1, talk, nil, false)
	case 2:
		return at + m.write(member, talk, nil, false)
	case 3, 4:
		named := m.random.Perm(len(m.members))[:m.random.IntN(3)]
		return at + m.write(member, talk, named, true)
	case 5:
		return at + m.assign(member, talk, m.random.IntN(len(m.members)+1)-1)
	case 6:
		_, err := m.Desk.ReadConversation(m.T.Context(), m.by(member), m.talks[talk])
		m.Must(err)
		m.reads(member, talk)
		m.marks[[2]int{member, talk}] = m.latest[talk]
		return at + "reads"
	case 7:
		on := m.random.IntN(2) == 0
		_, err := m.nodes[0].Follow(m.T.Context(), m.by(other), m.talks[talk], on)
		m.Must(err)
		m.follows[[2]int{other, talk}] = on
		return fmt.Sprintf("%s follows %d: %t", m.members[other].Name, talk, on)
	case 8:
		_, err := m.nodes[0].ReadNotices(m.T.Context(), m.by(member), notices.Reading{All: true})
		m.Must(err)
		for talk := range m.talks {
			m.reads(member, talk)
		}
		return at + "reads all notices"
	default: // history, which concerns nobody
		_, err := m.Desk.PostMessage(m.T.Context(), m.by(member), m.talks[talk], desk.NewMessage{
			Content: "long ago", Direction: parley.Incoming, CreatedAt: m.Now().Add(-time.Hour),
		})
		m.Must(err)
		return at + "a message of long ago"
	}
}

// write posts a message of a member, or of the customer if it is -1.
func (m *model) write(member, talk int, named []int, private bool) string {
	in, by, actor := desk.NewMessage{Content: "x", Direction: parley.Incoming}, desk.Caller{Workspace: m.Home.Workspace.ID}, ""
	if member >= 0 {
		in, by, actor = desk.NewMessage{Content: "x", Direction: parley.Outgoing, Private: private, AgentID: m.members[member].ID}, m.by(member), m.members[member].Name
	}
	for _, i := range named {
		in.Mentions = append(in.Mentions, m.members[i].ID)
	}
	message, err := m.Desk.PostMessage(m.T.Context(), by, m.talks[talk], in)
	m.Must(err)
	m.latest[talk] = message.ID
	assignee := m.assignees[talk]
	m.pending = append(m.pending, func() {
		kind := parley.NoticeAnswered
		if private {
			kind = parley.NoticeNote
		} else if member >= 0 {
			m.joins(member, talk)
			m.reads(member, talk)
		}
		for i := range m.members {
			switch {
			case slices.Contains(named, i):
				m.joins(i, talk)
				m.tells(member, i, key{i, talk, parley.NoticeMentioned}, told{actor, message.ID, 1})
			case i == assignee || m.follows[[2]int{i, talk}]:
				m.tells(member, i, key{i, talk, kind}, told{actor, message.ID, 1})
			}
		}
	})
	return fmt.Sprintf("by %d, private %t, naming %v", member, private, named)
}

func (m *model) assign(member, talk, to int) string {
	id := parley.Null[parley.UserID]()
	if to >= 0 {
		id = parley.Some(m.members[to].ID)
	}
	_, err := m.Desk.UpdateConversation(m.T.Context(), m.by(member), m.talks[talk], desk.ConversationChange{AssigneeID: id})
	m.Must(err)
	former := m.assignees[talk]
	m.assignees[talk] = to
	if former != to {
		m.pending = append(m.pending, func() {
			delete(m.unread, key{former, talk, parley.NoticeAssigned})
			if to >= 0 {
				m.joins(to, talk)
				m.tells(member, to, key{to, talk, parley.NoticeAssigned}, told{actor: m.members[member].Name, count: 1})
			}
		})
	}
	return fmt.Sprintf("assigned to %d", to)
}

func (m *model) joins(member, talk int) {
	if _, decided := m.follows[[2]int{member, talk}]; !decided {
		m.follows[[2]int{member, talk}] = true
	}
}

func (m *model) tells(by, member int, k key, is told) {
	mark := m.marks[[2]int{member, k.talk}]
	if by == member || !is.message.IsZero() && bytes.Compare(mark[:], is.message[:]) >= 0 {
		return
	}
	is.count += m.unread[k].count
	m.unread[k] = is
}

// reads ends the notices of a member in a conversation.
func (m *model) reads(member, talk int) {
	maps.DeleteFunc(m.unread, func(k key, _ told) bool { return k.member == member && k.talk == talk })
}

// catchUp has two processes tell what has happened, one of which may end meanwhile.
func (m *model) catchUp() string {
	m.mu.Lock()
	m.dies = m.random.IntN(2) == 0
	dies := m.dies
	m.mu.Unlock()
	var running sync.WaitGroup
	for _, node := range m.nodes {
		running.Go(func() { _ = node.CatchUp(m.T.Context()) }) // ends on purpose
	}
	running.Wait()
	m.Advance(time.Minute) // the rest of a turn that failed
	m.Must(m.nodes[1].CatchUp(m.T.Context()))
	for _, tell := range m.pending {
		tell()
	}
	m.pending = nil
	return fmt.Sprintf("told, a process dies: %t", dies)
}

// stored returns the unread notices in the store.
func (m *model) stored() map[key]told {
	m.T.Helper()
	unread := map[key]told{}
	for i := range m.members {
		list, err := m.nodes[0].Notices(parley.WholeWorkspace(m.Home.Workspace.ID), m.members[i].ID).Now(m.T.Context())
		m.Must(err)
		before := len(unread)
		for _, n := range list.Items {
			if n.ReadAt.IsZero() {
				unread[key{i, slices.Index(m.talks, n.ConversationID), n.Kind}] = told{n.Actor.Name, n.MessageID, n.Count}
			}
		}
		if len(unread)-before != list.Unread {
			m.T.Errorf("%d notices are unread, and the count is %d", len(unread)-before, list.Unread)
		}
	}
	return unread
}

// TestNoticesModel lets members and customers act at random while two processes tell
// what concerns whom, and die between an effect and the position. Each fact is told
// exactly once, or superseded.
func TestNoticesModel(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		seed := rand.Uint64()
		t.Logf("the seed is %d", seed)
		m := newModel(w, seed)
		var acts []string
		changes := 0
		for range 40 {
			for range m.random.IntN(6) {
				acts = append(acts, m.act())
			}
			before := maps.Clone(m.unread)
			acts = append(acts, m.catchUp())
			unread := m.stored()
			if !maps.Equal(unread, m.unread) {
				t.Fatalf("the members are told %v, want %v after %s", unread, m.unread, strings.Join(acts, "; "))
			}
			if !maps.Equal(unread, before) {
				changes++
			}
		}
		if changes < 5 {
			t.Errorf("the notices changed %d times, so this test proves nothing", changes)
		}
	})
}

// TestWoke tells who has a conversation that it is back.
func TestWoke(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		m := newModel(w, 1)
		_, err := w.Desk.UpdateConversation(t.Context(), m.by(1), m.talks[0], desk.ConversationChange{SnoozedUntil: parley.Some(w.Now().Add(time.Hour))})
		w.Must(err)
		w.Advance(2 * time.Hour)
		w.Must(timer.New(w.Desk, snooze.Kinds()).RunDue(t.Context(), true))
		m.catchUp()
		if unread := m.stored(); !maps.Equal(unread, map[key]told{{1, 0, parley.NoticeWoke}: {count: 1}}) {
			t.Errorf("the notices are %v", unread)
		}
		w.Advance(parley.NoticeRetention + time.Hour)
		_, err = desk.Write(t.Context(), w.Desk, w.By(), func(t *desk.Tx) (struct{}, error) { return struct{}{}, notices.Expire(t) })
		w.Must(err)
		if unread := m.stored(); len(unread) > 0 {
			t.Errorf("after the retention the notices are %v", unread)
		}
	})
}

func tellNobody(context.Context, parley.WorkspaceID, parley.UserID) {}
