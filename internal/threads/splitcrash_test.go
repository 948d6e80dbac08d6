package threads_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/threads"
)

// TestKilledSplitIsWholeOrNot kills a process that splits one conversation after the other, with
// SIGKILL: each is split or is not, never half of it.
func TestKilledSplitIsWholeOrNot(t *testing.T) {
	if dir := os.Getenv("THREADS_CRASH_DIR"); dir != "" {
		splittingChild(t, dir)
	}
	o := storetest.MigratedSQLite(t)
	k := plantKilled(t, o)
	split := 0
	for i := range crashes / 2 {
		killChild(t, "TestKilledSplitIsWholeOrNot", o.Dir, &k, 3+i)
		split = k.areSplit(t, o)
	}
	if split < 2*crashes {
		t.Errorf("%d conversations were split", split)
	}
}

const inEach = 4 // messages in each conversation that is split, at the second

// splittingChild starts conversations and splits them until it is killed.
func splittingChild(t *testing.T, dir string) {
	t.Helper()
	ctx := context.Background()
	s, err := store.Open(ctx, store.Options{Dir: dir, IDs: parley.NewIDs(nil), Log: storetest.Quiet()})
	must(t, err)
	k, d := parseKilled(t, os.Getenv("THREADS_CRASH_PAIR")), deskOf(s)
	svc := threads.New(d)
	var like parley.Conversation
	storetest.View(t, s, func(v *store.View) (err error) {
		like, err = v.Conversation(k.by.Visibility(), k.from)
		return err
	})
	for {
		c, err := d.CreateConversation(ctx, k.by, desk.NewConversation{ContactID: like.Contact.ID, InboxID: like.Inbox.ID})
		must(t, err)
		var at parley.ID
		for i := range inEach {
			m, err := d.PostMessage(ctx, k.by, c.ID, desk.NewMessage{Content: "hello", Direction: parley.Incoming})
			must(t, err)
			if i == 1 {
				at = m.ID
			}
		}
		_, err = svc.Split(ctx, k.by, c.ID, at)
		must(t, err)
		fmt.Println("ACK")
	}
}

// areSplit requires that each conversation is split in every respect or in none, and counts those
// that are.
func (k *killed) areSplit(t *testing.T, o store.Options) (split int) {
	t.Helper()
	s, err := store.Open(t.Context(), o)
	must(t, err)
	defer func() { must(t, s.Close()) }()
	d := deskOf(s)
	messages := func(id parley.ID) int {
		thread, err := d.Thread(k.by.Visibility(), id, parley.Position{}, 9).Now(t.Context())
		must(t, err)
		return len(thread.Messages.Items)
	}
	all, err := d.Conversations(k.by.Visibility(), desk.ConversationFilter{}, parley.Position{}, 1000).Now(t.Context())
	must(t, err)
	rest := map[parley.ID]parley.Conversation{}
	for _, c := range all.Items {
		rest[c.ID] = c
	}
	for _, c := range all.Items {
		if c.SplitFrom.IsZero() {
			continue
		}
		split++
		from := rest[c.SplitFrom]
		delete(rest, c.ID)
		delete(rest, from.ID)
		if n, stay := messages(c.ID), messages(from.ID); n != inEach-1 || c.UnreadCount != n || stay != 1 || from.UnreadCount != 1 {
			t.Errorf("%d of %d unread messages moved, and %d of %d stayed", n, c.UnreadCount, stay, from.UnreadCount)
		}
		links, err := threads.New(d).Links(k.by.Visibility(), from.ID).Now(t.Context())
		must(t, err)
		history, err := d.ConversationHistory(k.by.Visibility(), from.ID, parley.Position{}, 9).Now(t.Context())
		must(t, err)
		if len(links) != 1 || len(history.Items) != 2 {
			t.Errorf("there are %d links and %d lines of the history", len(links), len(history.Items))
		}
	}
	whole := 0
	for id, c := range rest {
		if n := messages(id); n != c.UnreadCount {
			t.Errorf("of a whole conversation, %d of %d messages are unread", c.UnreadCount, n)
		}
		whole++
	}
	if most := 2 + crashes; whole > most { // those of the plan, and one for each kill
		t.Errorf("%d conversations are whole", whole)
	}
	return split
}
