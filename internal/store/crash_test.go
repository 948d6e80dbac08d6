package store_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// crashCycles is how often the writing process is killed.
const crashCycles = 20

// TestKilledProcessLosesNothing kills a process that writes, with SIGKILL, and
// checks that everything that it acknowledged is stored. A process that
// acknowledges before its commit is the control: there, something must be
// missing.
func TestKilledProcessLosesNothing(t *testing.T) {
	if dir := os.Getenv("STORE_CRASH_DIR"); dir != "" {
		crashingChild(t, dir, os.Getenv("STORE_CRASH_EARLY") == "1")
		return
	}
	o := storetest.MigratedSQLite(t)
	acknowledged := map[string]bool{}
	for range crashCycles {
		for _, text := range killWhileWriting(t, o.Dir, false) {
			acknowledged[text] = true
		}
		if lost := lostMessages(t, o, acknowledged); len(lost) > 0 {
			t.Fatalf("%d acknowledged messages are lost, as %q", len(lost), lost[0])
		}
	}
	t.Logf("%d messages acknowledged in %d kills, 0 lost", len(acknowledged), crashCycles)
	early := map[string]bool{}
	for _, text := range killWhileWriting(t, o.Dir, true) {
		early[text] = true
	}
	if len(lostMessages(t, o, early)) == 0 {
		t.Error("the control lost nothing: this test cannot see a loss")
	}
}

// crashingChild posts messages until it is killed and prints each when it is
// acknowledged or, if early is set, just before it is committed.
func crashingChild(t *testing.T, dir string, early bool) {
	s, err := store.Open(t.Context(), store.Options{Dir: dir, IDs: ids, Log: storetest.Quiet()})
	if err != nil {
		t.Fatal(err)
	}
	ws, c := found(t, s)
	fmt.Println("WORKSPACE", ws, c.ID)
	var printing sync.Mutex
	acknowledge := func(text string) {
		printing.Lock()
		defer printing.Unlock()
		fmt.Println("ACK", text)
	}
	for n := range 8 {
		go func() {
			for i := 0; ; i++ {
				text := fmt.Sprint(ws, " ", c.ID, " ", n, " ", i)
				err := s.Write(context.Background(), ws, func(tx *store.Tx) error {
					if early && i == 3 {
						acknowledge(text)
						select {} // until the kill
					}
					return post(ws, c.ID, text)(tx)
				})
				if err != nil {
					panic(err)
				}
				acknowledge(text)
			}
		}()
	}
	select {}
}

// killWhileWriting runs the child until it has acknowledged some messages,
// kills it and returns what it acknowledged.
func killWhileWriting(t *testing.T, dir string, early bool) []string {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestKilledProcessLosesNothing$")
	child.Env = append(os.Environ(), "STORE_CRASH_DIR="+dir)
	enough := 150
	if early {
		child.Env = append(child.Env, "STORE_CRASH_EARLY=1")
		enough = 1
	}
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		text, ok := strings.CutPrefix(lines.Text(), "ACK ")
		if early && !strings.HasSuffix(text, " 3") {
			continue
		}
		if ok {
			texts = append(texts, text)
		}
		if len(texts) == enough {
			_ = child.Process.Kill() // the scan continues with what was printed before
		}
	}
	_ = child.Wait() // it was killed
	if len(texts) < enough {
		t.Fatalf("the child ended after %d messages", len(texts))
	}
	return texts
}

// lostMessages returns the texts that are not in the store, and checks the log
// of every workspace. A text begins with its workspace and conversation.
func lostMessages(t *testing.T, o store.Options, texts map[string]bool) []string {
	t.Helper()
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	view(t, s, func(v *store.View) error {
		if verdict, err := v.Text("PRAGMA integrity_check"); verdict != "ok" {
			t.Errorf("the file is damaged: %s, %v", verdict, err)
		}
		return nil
	})
	there := map[string]map[string]int{}
	var lost []string
	for text := range texts {
		fields := strings.Fields(text)
		ws, _ := parley.ParseWorkspaceID(fields[0])
		c, _ := parley.ParseID(fields[1])
		if there[fields[0]] == nil {
			there[fields[0]] = messages(t, s, ws, c)
			if events := log(t, s, ws); len(events) != len(there[fields[0]]) {
				t.Errorf("%d messages have %d events", len(there[fields[0]]), len(events))
			}
		}
		if there[fields[0]][text] != 1 {
			lost = append(lost, text)
		}
	}
	return lost
}

// TestKilledDatabaseLosesNothing kills PostgreSQL under load, several times.
func TestKilledDatabaseLosesNothing(t *testing.T) {
	cluster := pgtest.NewCluster(t)
	o := store.Options{Database: cluster.URL("postgres"), IDs: ids, Log: storetest.Quiet()}
	if _, _, err := store.Migrate(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	s := storetest.Open(t, o)
	ws, c := found(t, s)
	var acknowledged sync.Map
	var count atomic.Int64
	stop := make(chan struct{})
	var writers sync.WaitGroup
	for n := range 8 {
		writers.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				text := fmt.Sprint(n, " ", i)
				switch err := s.Write(t.Context(), ws, post(ws, c.ID, text)); {
				case err == nil:
					acknowledged.Store(text, true)
					count.Add(1)
				case parley.KindOf(err) != parley.Unavailable:
					t.Errorf("a write gave %v, want Unavailable", err)
				}
			}
		})
	}
	for range 4 {
		await(t, &count, count.Load()+100)
		cluster.Kill()
		if err := cluster.Start(); err != nil {
			t.Fatal(err)
		}
	}
	await(t, &count, count.Load()+100)
	close(stop)
	writers.Wait()
	got := messages(t, s, ws, c.ID)
	acknowledged.Range(func(text, _ any) bool {
		if got[text.(string)] != 1 {
			t.Errorf("message %s was acknowledged and is there %d times", text, got[text.(string)])
		}
		return true
	})
	log(t, s, ws)
}

// await waits until a count is reached.
func await(t *testing.T, count *atomic.Int64, target int64) {
	t.Helper()
	deadline := time.Now().Add(60 * time.Second)
	for count.Load() < target {
		if time.Now().After(deadline) {
			t.Fatalf("%d writes succeeded, want %d", count.Load(), target)
		}
		time.Sleep(time.Millisecond) // the count has no signal
	}
}

// TestLostAnswerToCommit cuts the connection after a commit, so that the writer
// cannot know whether it took effect. The write must have happened exactly
// once. The control cuts before the commit.
func TestLostAnswerToCommit(t *testing.T) {
	cluster := pgtest.NewCluster(t)
	direct := store.Options{Database: cluster.URL("postgres"), IDs: ids, Log: storetest.Quiet()}
	if _, _, err := store.Migrate(t.Context(), direct); err != nil {
		t.Fatal(err)
	}
	cut := newCutter(t, cluster.URL("postgres"))
	through := direct
	through.Database = cut.url
	s := storetest.Open(t, through)
	ws, c := found(t, s)
	for _, status := range []byte{'I', 'T'} { // after the commit; inside the transaction
		text := string(status)
		runs := 0
		write(t, s, ws, func(tx *store.Tx) error {
			if runs++; runs == 1 {
				cut.at.Store(int32(status))
				if status == 'T' {
					_, err := tx.Workspace(ws) // its answer is the one that is cut
					return err
				}
			}
			return post(ws, c.ID, text)(tx)
		})
		if got := messages(t, s, ws, c.ID)[text]; got != 1 {
			t.Errorf("cut at %c: the message is there %d times", status, got)
		}
		want := map[byte]int{'I': 1, 'T': 2}[status]
		if runs != want || cut.at.Load() != 0 {
			t.Errorf("cut at %c: the closure ran %d times, want %d", status, runs, want)
		}
	}
	log(t, s, ws)
}

// A cutter is between a client and PostgreSQL. It cuts the connection instead
// of passing on the next message with a transaction status (at): 'I' after a
// transaction, 'T' inside one.
type cutter struct {
	url string
	at  atomic.Int32
}

func newCutter(t *testing.T, server string) *cutter {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	socket := u.Query().Get("host") + "/.s.PGSQL.5432"
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	c := &cutter{url: "postgres://postgres@" + listener.Addr().String() + "/postgres?sslmode=disable"}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go c.pass(client, socket)
		}
	}()
	return c
}

func (c *cutter) pass(client net.Conn, socket string) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial("unix", socket)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	go func() { _, _ = io.Copy(server, client) }()
	header := make([]byte, 5)
	for {
		if _, err := io.ReadFull(server, header); err != nil {
			return
		}
		body := make([]byte, int(header[1])<<24|int(header[2])<<16|int(header[3])<<8|int(header[4])-4)
		if _, err := io.ReadFull(server, body); err != nil {
			return
		}
		if header[0] == 'Z' && c.at.CompareAndSwap(int32(body[0]), 0) {
			return
		}
		if _, err := client.Write(append(header, body...)); err != nil {
			return
		}
	}
}
