package threads_test

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/drafts"
	"parley/internal/later"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// colleague is another member of the workspace.
func (p *pair) colleague() desk.Caller {
	p.T.Helper()
	m := parley.Member{ID: parley.NewIDs(nil).NewUserID(), Email: "cleo@home.example", Name: "Cleo", Role: parley.Agent, CreatedAt: p.Now()}
	storetest.Write(p.T, p.Store, p.Home.Workspace.ID, func(tx *store.Tx) error {
		return storetest.Did(tx.InsertMember(p.Home.Workspace.ID, &m))
	})
	return desk.Caller{Workspace: p.Home.Workspace.ID, Member: m.ID}
}

// TestMergedDrafts merges what members have begun in a conversation: a draft moves, or joins
// the one that its author has in the other. The undo moves back what nobody has changed.
func TestMergedDrafts(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair) {
		svc, cleo := drafts.New(p.Desk), p.colleague()
		put := func(by desk.Caller, id parley.ID, content string) {
			t.Helper()
			was, err := svc.Draft(by.Visibility(), by.Member, id).Now(t.Context())
			p.Must(err)
			_, err = svc.PutDraft(t.Context(), by, parley.Draft{ConversationID: id, MemberID: by.Member, Content: content, Version: was.Version})
			p.Must(err)
		}
		has := func(by desk.Caller, id parley.ID, want string) {
			t.Helper()
			got, err := svc.Draft(by.Visibility(), by.Member, id).Now(t.Context())
			p.Must(err)
			if got.Content != want {
				t.Errorf("the draft is %q, want %q", got.Content, want)
			}
		}
		put(cleo, p.from, "from Cleo")
		put(p.By(), p.from, "second")
		put(p.By(), p.into, "first")
		p.merge(p.from, p.into)
		has(cleo, p.into, "from Cleo")
		has(cleo, p.from, "from Cleo") // its id leads on
		has(p.By(), p.into, "first\n\nsecond")
		p.unmerge(p.from)
		has(cleo, p.from, "from Cleo")
		has(cleo, p.into, "")
		has(p.By(), p.into, "first\n\nsecond") // nobody can tell the two apart any more
		p.merge(p.from, p.into)
		put(cleo, p.into, "changed since")
		p.unmerge(p.from)
		has(cleo, p.into, "changed since")
		has(cleo, p.from, "")
	})
}

// TestMergedScheduled merges a conversation with a message that is sent later.
func TestMergedScheduled(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair) {
		svc := later.New(p.Desk)
		_, err := svc.Schedule(t.Context(), p.By(), p.from, later.NewScheduled{Content: "tomorrow", ContentType: parley.Text, SendAt: p.Now().Add(24 * time.Hour)})
		p.Must(err)
		waits := func(id parley.ID, want int) {
			t.Helper()
			found, err := svc.List(p.By().Visibility(), id).Now(t.Context())
			p.Must(err)
			if len(found) != want {
				t.Errorf("%d messages wait, want %d", len(found), want)
			}
		}
		p.merge(p.from, p.into)
		waits(p.into, 1)
		p.unmerge(p.from)
		waits(p.into, 0)
		waits(p.from, 1)
	})
}

// TestMergedReadMarks merges a conversation with news into one that a member has read: it is
// unread again, and stays read where the merged one was. The undo gives back what was unread.
func TestMergedReadMarks(t *testing.T) {
	eachPair(t, func(t *testing.T, p *pair) {
		p.say(p.from, "news", parley.Incoming)
		p.say(p.into, "old", parley.Incoming)
		read := func(id parley.ID) {
			t.Helper()
			_, err := p.Desk.ReadConversation(t.Context(), p.By(), id)
			p.Must(err)
		}
		unread := func(want ...parley.ID) {
			t.Helper()
			var got []parley.ID
			storetest.View(t, p.Store, func(v *store.View) error {
				u, err := desk.SelectUnread(v, p.By().Visibility(), p.By().Member)
				got = slices.Concat(u.New, u.Marked)
				return err
			})
			if !slices.Equal(got, want) {
				t.Errorf("unread are %v, want %v", got, want)
			}
		}
		read(p.into)
		unread(p.from)
		p.merge(p.from, p.into)
		unread(p.into)
		p.unmerge(p.from)
		if c := p.read(p.from); c.UnreadCount != 1 {
			t.Errorf("%d are unread in what came back", c.UnreadCount)
		}
		p.merge(p.from, p.into)
		read(p.from) // its id leads on
		unread()
	})
}

// torture has the long forms of the tests run: see the target torture of the Makefile.
var torture = os.Getenv("PARLEY_TORTURE") != ""

// TestMergeOfManyMessages merges a long conversation. No message moves, so it takes as long
// as a short one.
func TestMergeOfManyMessages(t *testing.T) {
	many := 5000
	if torture {
		many = 100_000
	}
	eachPair(t, func(t *testing.T, p *pair) {
		ids := parley.NewIDs(nil)
		ws, contact := p.Home.Workspace.ID, p.read(p.into).Contact.ID
		storetest.Fill(t, p.Store, ws, many, func(tx *store.Tx, i int) error {
			at := p.Now().Add(time.Duration(i) * time.Millisecond)
			return tx.InsertMessage(ws, &parley.Message{
				ID: ids.New(at), ConversationID: p.from, Content: fmt.Sprint(i), ContentType: parley.Text, Direction: parley.Incoming,
				Sender: parley.Sender{Type: parley.SenderContact, ContactID: contact}, Status: parley.Delivered, CreatedAt: at,
			})
		})
		p.Advance(time.Hour)
		p.say(p.into, "last", parley.Incoming)
		took := func(what string, do func()) {
			start := time.Now()
			do()
			t.Logf("%d messages: %s took %s", many, what, time.Since(start))
		}
		newest := func(of parley.ID) func() {
			return func() {
				page, err := p.Desk.Thread(p.By().Visibility(), of, parley.Position{}, 50).Now(t.Context())
				p.Must(err)
				if n := len(page.Messages.Items); n != 50 || !page.Messages.HasMore {
					t.Errorf("the page has %d messages", n)
				}
			}
		}
		took("the newest page before", newest(p.from))
		took("merge", func() { p.merge(p.from, p.into) })
		took("the newest page", newest(p.into))
		took("the newest page again", newest(p.into))
		took("undo", func() { p.unmerge(p.from) })
	})
}
