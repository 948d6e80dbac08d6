package backup_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/backup"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/schema"
	"parley/internal/store/storetest"
)

// TestBackupUnderLoad makes backups while messages are posted as fast as the
// store takes them, and files are uploaded, attached and deleted. Each copy is the
// store at one moment: it has every message that was acknowledged before the backup
// began, its log has no gap and ends where the workspace says, and tells of exactly
// its messages. It has every file that is not deleted in the source.
func TestBackupUnderLoad(t *testing.T) {
	rounds := 1
	if torture {
		rounds = 10
	}
	for engine := range engines {
		t.Run(engine, func(t *testing.T) {
			l := newLoaded(t, engines[engine](t))
			var all sync.WaitGroup
			stop := make(chan struct{})
			for range 3 {
				all.Go(func() { l.post(t, stop) })
			}
			all.Go(func() { l.postFiles(t, stop) })
			for l.posted() < 200 || l.attached.Load() < 10 {
				time.Sleep(time.Millisecond) // until there is a load
			}
			for range rounds {
				before := l.posted()
				content, lost := l.backup(t)
				l.checkFiles(t, l.check(t, content, before))
				if lost > 0 {
					t.Errorf("%d files count as lost", lost)
				}
			}
			close(stop)
			all.Wait()
		})
	}
}

// A loaded store is written to all the time.
type loaded struct {
	store    *store.Store
	files    *memory
	desk     *desk.Desk
	past     *desk.Desk // whose uploads expire at once
	ws       parley.WorkspaceID
	inbox    parley.ID
	talk     parley.ID
	talks    []parley.ID // where latencies posts
	count    atomic.Int64
	attached atomic.Int64
}

func newLoaded(t *testing.T, o store.Options) *loaded {
	t.Helper()
	if _, _, err := store.Migrate(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	l := &loaded{store: storetest.Open(t, o), files: newMemory()}
	l.open()
	ids, now := parley.NewIDs(nil), time.Now()
	l.ws = parley.WorkspaceID(ids.New(now))
	err := l.store.Write(t.Context(), l.ws, func(tx *store.Tx) error {
		return tx.InsertWorkspace(&parley.Workspace{ID: l.ws, Name: "Acme", Epoch: ids.NewText(8), CreatedAt: now})
	})
	if err != nil {
		t.Fatal(err)
	}
	inbox, err := l.desk.CreateInbox(t.Context(), l.by(), desk.NewInbox{Name: "API", Channel: parley.ChannelAPI})
	if err != nil {
		t.Fatal(err)
	}
	l.inbox = inbox.ID
	l.talk = l.newTalk(t)
	return l
}

// open makes the desks of a store.
func (l *loaded) open() {
	options := desk.Options{Store: l.store, Clock: time.Now, IDs: parley.NewIDs(nil), Log: storetest.Quiet(), Files: l.files}
	l.desk = desk.New(options)
	options.Clock = func() time.Time { return time.Now().Add(-2 * parley.UploadRetention) }
	l.past = desk.New(options)
}

// newTalk creates a conversation.
func (l *loaded) newTalk(t *testing.T) parley.ID {
	t.Helper()
	contact, err := l.desk.SaveContact(t.Context(), l.by(), desk.ContactFields{Name: parley.Some("Ann")})
	if err != nil {
		t.Fatal(err)
	}
	c, err := l.desk.CreateConversation(t.Context(), l.by(), desk.NewConversation{ContactID: contact.Record.ID, InboxID: l.inbox})
	if err != nil {
		t.Fatal(err)
	}
	return c.ID
}

func (l *loaded) by() desk.Caller { return desk.Caller{Workspace: l.ws} }

func (l *loaded) posted() int64 { return l.count.Load() }

func (l *loaded) post(t *testing.T, stop <-chan struct{}) {
	for {
		select {
		case <-stop:
			return
		default:
		}
		if _, err := l.desk.PostMessage(t.Context(), l.by(), l.talk, desk.NewMessage{Content: "hi", Direction: parley.Incoming}); err != nil {
			t.Error(err)
			return
		}
		l.count.Add(1)
	}
}

// postFiles uploads files that a message takes, and others that have expired.
func (l *loaded) postFiles(t *testing.T, stop <-chan struct{}) {
	upload := func(d *desk.Desk) parley.ID {
		a, err := d.Attachments().Upload(t.Context(), l.by(), desk.NewUpload{FileName: "a", Content: strings.NewReader(fileContent)})
		if err != nil {
			t.Error(err)
		}
		return a.ID
	}
	for {
		select {
		case <-stop:
			return
		default:
		}
		upload(l.past)
		message := desk.NewMessage{Direction: parley.Incoming, AttachmentIDs: []parley.ID{upload(l.desk)}}
		if _, err := l.desk.PostMessage(t.Context(), l.by(), l.talk, message); err != nil {
			t.Error(err)
			return
		}
		l.count.Add(1)
		l.attached.Add(1)
	}
}

const fileContent = "of a file"

// purging are files of which those that have expired are deleted before any is read.
type purging struct {
	*memory
	once sync.Once
	of   *loaded
}

func (p *purging) Open(ctx context.Context, ws parley.WorkspaceID, id parley.ID) (content io.ReadSeekCloser, err error) {
	p.once.Do(func() { err = p.of.desk.Attachments().PurgeUploads(ctx, ws) })
	if err != nil {
		return nil, err
	}
	return p.memory.Open(ctx, ws, id)
}

func (l *loaded) backup(t *testing.T) (content []byte, lost int) {
	t.Helper()
	var out bytes.Buffer
	from := backup.Source{Store: l.store, Files: &purging{memory: l.files, of: l}, Program: "test", Engine: "sqlite", Now: made, Log: storetest.Quiet()}
	report, err := backup.Create(t.Context(), &out, from, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), report.Lost
}

// A copied store is one that was restored, with its files.
type copied struct {
	store *store.Store
	files *memory
}

// check restores a copy and looks for what its log lacks.
func (l *loaded) check(t *testing.T, content []byte, before int64) copied {
	t.Helper()
	o, files := storetest.SQLite(t), newMemory()
	done, err := backup.Restore(t.Context(), opening(content), nil, target(o, files))
	if err != nil {
		t.Fatal(err)
	}
	if done.Messages < before {
		t.Errorf("the copy has %d messages, and %d were acknowledged before", done.Messages, before)
	}
	s := storetest.Open(t, o)
	if fault := disagreement(logOf(t, s), messagesOf(t, s)); fault != "" {
		t.Error(fault)
	}
	return copied{s, files}
}

// checkFiles looks for files that a copy lacks and the source has.
func (l *loaded) checkFiles(t *testing.T, c copied) {
	t.Helper()
	kept, deleted, source := 0, 0, storedIn(t, l.store)
	for id := range storedIn(t, c.store) {
		got, came := c.files.files[l.ws.String()+id.String()]
		switch {
		case came && string(got) == fileContent:
			kept++
		case came || source[id]:
			t.Errorf("the file %s is %q in the copy", id, got)
		default:
			deleted++
		}
	}
	if kept == 0 || deleted == 0 {
		t.Errorf("%d files came and %d were deleted meanwhile, so the test sees little", kept, deleted)
	}
}

// storedIn returns the files that a store says it has.
func storedIn(t *testing.T, s *store.Store) map[parley.ID]bool {
	t.Helper()
	found := map[parley.ID]bool{}
	eachRow(t, s, []string{"attachments"}, func(table *schema.Table, values []any) {
		if values[table.Column("stored")].(bool) {
			found[values[table.Column("attachment_id")].(parley.ID)] = true
		}
	})
	return found
}

// A told is what the log of a store says.
type told struct {
	head, last int64 // as the workspace says, and as the events say
	gap        bool
	messages   int64 // that it tells of
}

// logOf reads the log of a store with one workspace.
func logOf(t *testing.T, s *store.Store) (log told) {
	t.Helper()
	eachRow(t, s, []string{"workspaces", "events"}, func(table *schema.Table, values []any) {
		seq := values[table.Column("seq")].(int64)
		if table.Name == "workspaces" {
			log.head = seq
			return
		}
		log.last++
		log.gap = log.gap || seq != log.last
		if values[table.Column("type")] == "message.created" {
			log.messages++
		}
	})
	return log
}

func messagesOf(t *testing.T, s *store.Store) (n int64) {
	t.Helper()
	eachRow(t, s, []string{"messages"}, func(*schema.Table, []any) { n++ })
	return n
}

// disagreement says how a log and the messages do not fit.
func disagreement(log told, messages int64) string {
	if log.gap || log.last != log.head || log.messages != messages {
		return fmt.Sprintf("the log is %+v, and there are %d messages", log, messages)
	}
	return ""
}

// eachRow reads tables, each at one moment.
func eachRow(t *testing.T, s *store.Store, names []string, each func(table *schema.Table, values []any)) {
	t.Helper()
	err := s.Dump(t.Context(), func(d *store.Dump) error {
		tables, err := contents(d)
		if err != nil {
			return err
		}
		for i := range tables {
			if !slices.Contains(names, tables[i].Name) {
				continue
			}
			err := d.Rows(&tables[i], func(values []any) error {
				each(&tables[i], values)
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestLeastBytes counts half of what cannot be compressed.
func TestLeastBytes(t *testing.T) {
	for engine := range engines {
		l := newLoaded(t, engines[engine](t))
		for _, content := range []string{"\xff\xd8\xff" + strings.Repeat("x", 9997), strings.Repeat("x", 10_000)} {
			if _, err := l.desk.Attachments().Upload(t.Context(), l.by(), desk.NewUpload{FileName: "a", Content: strings.NewReader(content)}); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := backup.LeastBytes(t.Context(), l.store); got != 5000 || err != nil {
			t.Errorf("on %s it is %d, %v", engine, got, err)
		}
	}
}

// TestTwoMomentsDisagree is the control of TestBackupUnderLoad: tables that were
// read at two moments do not fit.
func TestTwoMomentsDisagree(t *testing.T) {
	l := newLoaded(t, storetest.SQLite(t))
	l.fill(t, 10)
	log := logOf(t, l.store)
	if fault := disagreement(log, messagesOf(t, l.store)); fault != "" {
		t.Errorf("while nothing is posted: %s", fault)
	}
	l.fill(t, 1)
	if disagreement(log, messagesOf(t, l.store)) == "" {
		t.Error("a log and messages of two moments fit, so the tests see nothing")
	}
}
