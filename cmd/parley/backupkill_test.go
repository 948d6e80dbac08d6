//go:build unix

package main

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// lookPause is the time between two looks at what another process has done.
const lookPause = 100 * time.Microsecond

// points returns at how many points to kill a process.
func points(short, long int) int {
	if torture {
		return long
	}
	return short
}

// fillStore creates a workspace with a name and messages that do not compress, the last
// of them with a file.
func fillStore(t *testing.T, c *cli, name string, messages int) {
	t.Helper()
	if err := openFilled(t, c, name, messages).close(); err != nil {
		t.Fatal(err)
	}
}

// openFilled is fillStore, and leaves the store open.
func openFilled(t *testing.T, c *cli, name string, messages int) *app {
	t.Helper()
	made := c.command(t, "workspace", "create", "--name", name, "--owner-email", "ann@acme.example")
	ws, _ := parley.ParseWorkspaceID(made["id"].(string))
	opened := *c
	opened.master = os.Getenv("PARLEY_MASTER_KEY")
	a, err := opened.open(t.Context(), appOptions{log: storetest.Quiet(), clock: time.Now, existing: true, attachments: &attachmentFlags{}})
	if err != nil {
		t.Fatal(err)
	}
	by := desk.Caller{Workspace: ws}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	contact, err := a.desk.SaveContact(t.Context(), by, desk.ContactFields{Name: parley.Some("Ann")})
	must(err)
	inbox, err := a.desk.CreateInbox(t.Context(), by, desk.NewInbox{Name: "API 2", Channel: parley.ChannelAPI})
	must(err)
	talk, err := a.desk.CreateConversation(t.Context(), by, desk.NewConversation{ContactID: contact.Record.ID, InboxID: inbox.ID})
	must(err)
	random := rand.New(rand.NewPCG(1, 2))
	file, err := a.desk.Attachments().Upload(t.Context(), by, desk.NewUpload{FileName: "a", Content: strings.NewReader("of " + name)})
	must(err)
	for n := range messages {
		text := ""
		for len(text) < 2000 {
			text += fmt.Sprintf("%016x", random.Uint64())
		}
		message := desk.NewMessage{Content: text, Direction: parley.Incoming}
		if n == messages-1 {
			message.AttachmentIDs = []parley.ID{file.ID}
		}
		_, err := a.desk.PostMessage(t.Context(), by, talk.ID, message)
		must(err)
	}
	return a
}

// The stores of these tests differ in their workspace and in their messages.
const oldMessages, newMessages = 5, 600

// outcome returns "old" or "new" if all parts of the store are those of that one, and
// otherwise a description.
func (c *cli) outcome(t *testing.T) string {
	t.Helper()
	status, stdout, stderr := c.run2(t, "backup", "--to", filepath.Join(t.TempDir(), "x.backup"))
	var counted struct{ Messages, Files, MissingFiles int }
	if err := json.Unmarshal([]byte(stdout), &counted); status != 0 || err != nil {
		return "unreadable: " + stderr
	}
	_, stdout, _ = c.run2(t, "workspace", "list")
	var listed struct{ Data []struct{ ID, Name string } }
	if err := json.Unmarshal([]byte(stdout), &listed); err != nil || len(listed.Data) != 1 {
		return "unreadable: " + stdout
	}
	if status, _, stderr := c.run2(t, "identity", "sign", "--workspace", listed.Data[0].ID, "--id", "u1"); status != 0 {
		return "without its master key: " + stderr
	}
	if counted.Files != 1 || counted.MissingFiles != 0 {
		return fmt.Sprintf("without its file: %+v", counted)
	}
	for state, want := range map[string]int{"old": oldMessages, "new": newMessages} {
		if listed.Data[0].Name == state && counted.Messages == want {
			return state
		}
	}
	return fmt.Sprintf("%s with %d messages", listed.Data[0].Name, counted.Messages)
}

// process starts a command in a process of its own.
func (c *cli) process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], c.arguments(args...)...)
	cmd.Env = append(os.Environ(), nodeMain+"=yes")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

func kill(cmd *exec.Cmd) {
	_ = cmd.Process.Kill() // it may be over
	_ = cmd.Wait()         // it was killed
}

// TestBackupKilled kills a backup while it writes: its file does not exist, and the next
// one with the same name is complete.
func TestBackupKilled(t *testing.T) {
	for engine, newStore := range map[string]func(*testing.T) *cli{"sqlite": onSQLite, "postgres": onPostgres} {
		t.Run(engine, func(t *testing.T) {
			c := newStore(t)
			fillStore(t, c, "new", newMessages)
			path := filepath.Join(t.TempDir(), "x.backup")
			c.command(t, "backup", "--to", path)
			whole, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			caught := 0
			count := points(4, 60)
			for n := range count {
				_ = os.Remove(path) // there is none after a kill
				size := int64(len(whole)) * int64(n) / int64(count)
				cmd := c.process(t, "backup", "--to", path)
				done := make(chan struct{})
				go func() {
					defer close(done)
					for ; ; time.Sleep(lookPause) {
						for _, draft := range backupDrafts(t, path) {
							if info, err := os.Stat(draft); err == nil && info.Size() >= size {
								return
							}
						}
						if _, err := os.Stat(path); err == nil {
							return
						}
					}
				}()
				<-done
				kill(cmd)
				for _, draft := range backupDrafts(t, path) {
					_ = os.Remove(draft) // the kill left it
				}
				if _, err := os.Stat(path); err != nil {
					caught++
					continue
				}
				c.command(t, "backup", "--verify", "--to", path) // it was complete already
			}
			if caught == 0 {
				t.Error("no backup was killed before its end, so the test sees nothing")
			}
			_ = os.Remove(path) // there is none after a kill
			if made := c.command(t, "backup", "--to", path); made["messages"] != float64(newMessages) {
				t.Errorf("the next backup prints %v", made)
			}
			// The control: a half file under the name is refused.
			if err := os.WriteFile(path, whole[:len(whole)/2], 0o600); err != nil {
				t.Fatal(err)
			}
			if status, _, _ := c.run2(t, "backup", "--verify", "--to", path); status == 0 {
				t.Error("half a backup passes, so the test sees nothing")
			}
		})
	}
}

// backupDrafts returns the drafts of a backup.
func backupDrafts(t *testing.T, path string) []string {
	t.Helper()
	found, err := filepath.Glob(path + ".*.draft")
	if err != nil {
		t.Error(err)
	}
	return found
}

// A fed restore is a process that restores from what the test gives it.
type fed struct {
	t     *testing.T
	cmd   *exec.Cmd
	pipe  *os.File // of the second reading
	ended chan struct{}
}

// feed starts a restore and gives it the backup to check. The restore opens the
// backup a second time and waits.
func (c *cli) feed(t *testing.T, content []byte, flags ...string) *fed {
	t.Helper()
	path := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	f := &fed{t: t, cmd: c.process(t, append([]string{"restore", "--from", path, "--replace"}, flags...)...), ended: make(chan struct{})}
	first := f.open(path)
	// The second reading must not meet the first writer.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := first.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	f.pipe = f.open(path)
	go func() {
		_ = f.cmd.Wait() // it may be killed
		close(f.ended)
	}()
	return f
}

func (f *fed) open(path string) *os.File {
	f.t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY, 0) // waits for the reader
	if err != nil {
		f.t.Fatal(err)
	}
	return file
}

func (f *fed) kill() {
	_ = f.cmd.Process.Kill() // it may be over
	<-f.ended
	_ = f.pipe.Close() // its reader is gone
}

// TestRestoreKilledWhileReading kills a restore that has read some part of the
// backup: the store is the old one.
func TestRestoreKilledWhileReading(t *testing.T) {
	sameKey(t)
	content := backupOfNew(t)
	for engine, newStore := range map[string]func(*testing.T) *cli{"sqlite": onSQLite, "postgres": onPostgres} {
		t.Run(engine, func(t *testing.T) {
			c := newStore(t)
			fillStore(t, c, "old", oldMessages)
			count := points(3, 40)
			for n := range count + 1 {
				f := c.feed(t, content)
				if _, err := f.pipe.Write(content[:len(content)*n/count]); err != nil {
					t.Fatal(err)
				}
				f.kill()
				if got := c.outcome(t); got != "old" {
					t.Errorf("behind %d of %d parts of the backup the store is %s", n, count, got)
				}
			}
			f := c.feed(t, content)
			if _, err := f.pipe.Write(content); err != nil {
				t.Fatal(err)
			}
			if err := f.pipe.Close(); err != nil {
				t.Fatal(err)
			}
			<-f.ended
			if got := c.outcome(t); got != "new" {
				t.Errorf("after a whole restore the store is %s", got)
			}
		})
	}
}

// mostTries is how often a restore is killed until one kill meets an open plan.
const mostTries = 100

// TestRestoreKilledWhilePlacing kills a restore at each change that it makes in the
// data folder behind the reading, until one kill met a decision that was not carried
// out to its end: the store is the old one, whose rows only its log has, or the new
// one, each with its master key and its files.
func TestRestoreKilledWhilePlacing(t *testing.T) {
	identity, recipient := ageKey(t)
	content := backupOfNew(t, "--encrypt-to", recipient)
	old := diedStore(t)
	seen := map[string]int{}
	for n := range mostTries {
		if n >= points(1, 25) && seen["decided and not finished"] > 0 {
			break
		}
		for _, at := range []string{".restore/restore.json", "restore.json", "before-restore-*", "before-restore-*/" + store.FileName, "never"} {
			c := onSQLite(t)
			copyData(t, old, c.data)
			f := c.feed(t, content, "--identity", identity)
			if _, err := f.pipe.Write(content); err != nil {
				t.Fatal(err)
			}
			if err := f.pipe.Close(); err != nil {
				t.Fatal(err)
			}
			f.until(c.data, at)
			f.kill()
			if _, err := os.Stat(filepath.Join(c.data, "restore.json")); err == nil {
				seen["decided and not finished"]++
			}
			got := c.outcome(t)
			seen[got]++
			if got != "old" && got != "new" {
				t.Errorf("killed at %s, the store is %s", at, got)
			}
			if kept, err := filepath.Glob(filepath.Join(c.data, "before-restore-*")); err != nil || got == "new" && len(kept) != 1 {
				t.Errorf("killed at %s, the old store is in %v, %v", at, kept, err)
			}
		}
	}
	t.Logf("the stores were %v", seen)
	for _, state := range []string{"old", "new", "decided and not finished"} {
		if seen[state] == 0 && (state != "old" || torture) {
			t.Errorf("no store was %s, so the test sees nothing of that", state)
		}
	}
	for _, part := range []string{store.FileName, store.FileName + "-wal", masterKeyFile, attachmentsFolder} {
		broken := onSQLite(t)
		copyData(t, old, broken.data)
		if err := os.RemoveAll(filepath.Join(broken.data, part)); err != nil {
			t.Fatal(err)
		}
		if got := broken.outcome(t); got == "old" || got == "new" {
			t.Errorf("without %s a store is %s, so the test sees nothing", part, got)
		}
	}
}

// diedStore returns the data folder of an old store whose server died.
func diedStore(t *testing.T) string {
	t.Helper()
	c, died := onSQLite(t), filepath.Join(t.TempDir(), "died")
	a := openFilled(t, c, "old", oldMessages)
	copyData(t, c.data, died)
	if err := a.close(); err != nil {
		t.Fatal(err)
	}
	return died
}

// copyData copies a data folder.
func copyData(t *testing.T, from, to string) {
	t.Helper()
	// A copy would be readable by others, which a key must not be.
	if err := errors.Join(os.CopyFS(to, os.DirFS(from)), os.Chmod(filepath.Join(to, masterKeyFile), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// until waits until a name is in a folder or the process has ended. It does not sleep,
// because some names are there for less than a millisecond.
func (f *fed) until(dir, pattern string) {
	for {
		select {
		case <-f.ended:
			return
		default:
		}
		if _, err := os.Lstat(filepath.Join(dir, pattern)); err == nil {
			return
		}
		if found, err := filepath.Glob(filepath.Join(dir, pattern)); strings.Contains(pattern, "*") && (err != nil || len(found) > 0) {
			return
		}
	}
}

// sameKey gives all stores of a test the same master key.
func sameKey(t *testing.T) {
	t.Helper()
	t.Setenv("PARLEY_MASTER_KEY", base64.StdEncoding.EncodeToString(make([]byte, 32)))
}

// backupOfNew returns a backup of the new store.
func backupOfNew(t *testing.T, flags ...string) []byte {
	t.Helper()
	c := onSQLite(t)
	fillStore(t, c, "new", newMessages)
	path := filepath.Join(t.TempDir(), "new.backup")
	c.command(t, append([]string{"backup", "--to", path}, flags...)...)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}
