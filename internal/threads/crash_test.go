package threads_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/threads"
)

// crashes is how often the merging process is killed.
const crashes = 12

// A killed world is two conversations of a workspace that a process merges.
type killed struct {
	by         desk.Caller
	from, into parley.ID
}

func (k *killed) String() string {
	return fmt.Sprint(k.by.Workspace, " ", k.by.Member, " ", k.from, " ", k.into)
}

func parseKilled(t *testing.T, text string) killed {
	t.Helper()
	parts := strings.Fields(text)
	var ids [3]parley.ID
	for i, at := range []int{0, 2, 3} {
		if err := ids[i].UnmarshalText([]byte(parts[at])); err != nil {
			t.Fatal(err)
		}
	}
	return killed{desk.Caller{Workspace: parley.WorkspaceID(ids[0]), Member: parley.UserID(parts[1])}, ids[1], ids[2]}
}

// TestKilledMergeIsWholeOrNot kills a process that merges two conversations and takes them
// apart, over and over, with SIGKILL: afterwards they are one or two, never half of it.
func TestKilledMergeIsWholeOrNot(t *testing.T) {
	if dir := os.Getenv("THREADS_CRASH_DIR"); dir != "" {
		mergingChild(t, dir)
	}
	o := storetest.MigratedSQLite(t)
	k := plantKilled(t, o)
	were := map[bool]int{}
	for i := range crashes {
		killChild(t, "TestKilledMergeIsWholeOrNot", o.Dir, &k, 3+i)
		were[k.isMerged(t, o)]++
	}
	t.Logf("killed %d times: %d times they were one, %d times two", crashes, were[true], were[false])
}

func deskOf(s *store.Store) *desk.Desk {
	return desk.New(desk.Options{Store: s, Clock: time.Now, IDs: parley.NewIDs(nil), Log: storetest.Quiet()})
}

func plantKilled(t *testing.T, o store.Options) killed {
	t.Helper()
	s, err := store.Open(t.Context(), o)
	must(t, err)
	h := storetest.NewHome(t, s)
	d := deskOf(s)
	k := killed{by: desk.Caller{Workspace: h.WS, Member: h.Member.ID}, from: h.Conversation.ID}
	into, err := d.CreateConversation(t.Context(), k.by, desk.NewConversation{ContactID: h.Contact.ID, InboxID: h.Inbox.ID})
	must(t, err)
	k.into = into.ID
	for _, id := range []parley.ID{k.from, k.into} {
		_, err := d.PostMessage(t.Context(), k.by, id, desk.NewMessage{Content: "hello", Direction: parley.Incoming})
		must(t, err)
	}
	must(t, s.Close())
	return k
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// mergingChild merges and takes apart until it is killed.
func mergingChild(t *testing.T, dir string) {
	t.Helper()
	s, err := store.Open(context.Background(), store.Options{Dir: dir, IDs: parley.NewIDs(nil), Log: storetest.Quiet()})
	must(t, err)
	k, svc := parseKilled(t, os.Getenv("THREADS_CRASH_PAIR")), threads.New(deskOf(s))
	for {
		_, err := svc.Merge(context.Background(), k.by, k.from, k.into)
		if parley.KindOf(err) != parley.Conflict { // it was merged when its predecessor was killed
			must(t, err)
		}
		fmt.Println("ACK")
		_, err = svc.Unmerge(context.Background(), k.by, k.from)
		must(t, err)
		fmt.Println("ACK")
	}
}

// killChild runs a test's child until it has changed something some times, and kills it.
func killChild(t *testing.T, test, dir string, k *killed, after int) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^"+test+"$")
	child.Env = append(os.Environ(), "THREADS_CRASH_DIR="+dir, "THREADS_CRASH_PAIR="+k.String())
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	done := 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if done++; lines.Text() != "ACK" {
			t.Errorf("the child says %s", lines.Text())
		}
		if done == after {
			_ = child.Process.Kill() // the scan continues with what was printed before
		}
	}
	_ = child.Wait() // it was killed
	if done < after {
		t.Fatalf("the child ended after %d changes", done)
	}
}

// isMerged requires that the conversations are one in every respect, or two, and reports which.
func (k *killed) isMerged(t *testing.T, o store.Options) bool {
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
	var from, into parley.Conversation
	storetest.View(t, s, func(v *store.View) (err error) {
		if from, err = v.Conversation(k.by.Visibility(), k.from); err == nil {
			into, err = v.Conversation(k.by.Visibility(), k.into)
		}
		return err
	})
	_, err = threads.New(d).Unmerge(t.Context(), k.by, k.from)
	merged := !from.MergedInto.IsZero()
	if merged != (err == nil) {
		t.Errorf("merged: %t, and the undo says %v", merged, err)
	}
	want := parley.Conversation{Status: parley.Open, UnreadCount: 1}
	if merged {
		want = parley.Conversation{Status: parley.Resolved, UnreadCount: 2}
	}
	if from.Status != want.Status || into.UnreadCount != want.UnreadCount {
		t.Errorf("merged: %t, but the one is %s, and %d are unread in the other", merged, from.Status, into.UnreadCount)
	}
	if f, i := messages(k.from), messages(k.into); f != 1 || i != 1 {
		t.Errorf("taken apart, they have %d and %d messages", f, i)
	}
	return merged
}
