package backup_test

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/backup"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestBackupUnderLoad makes backups while messages are posted as fast as the
// store takes them. Each copy is the store at one moment: it has every message
// that was acknowledged before the backup began, its log has no gap and ends
// where the workspace says, and tells of exactly its messages.
func TestBackupUnderLoad(t *testing.T) {
	for engine := range engines {
		t.Run(engine, func(t *testing.T) {
			l := newLoaded(t, engines[engine](t))
			var all sync.WaitGroup
			stop := make(chan struct{})
			for range 4 {
				all.Go(func() { l.post(t, stop) })
			}
			for l.posted() < 200 {
				time.Sleep(time.Millisecond) // until there is a load
			}
			for range 2 {
				before := l.posted()
				content := l.backup(t)
				l.check(t, content, before)
			}
			close(stop)
			all.Wait()
		})
	}
}

// A loaded store is written to all the time.
type loaded struct {
	store *store.Store
	desk  *desk.Desk
	ws    parley.WorkspaceID
	inbox parley.ID
	talk  parley.ID
	count atomic.Int64
}

func newLoaded(t *testing.T, o store.Options) *loaded {
	t.Helper()
	if _, _, err := store.Migrate(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	l := &loaded{store: storetest.Open(t, o)}
	ids := parley.NewIDs(nil)
	l.desk = desk.New(desk.Options{Store: l.store, Clock: time.Now, IDs: ids, Log: storetest.Quiet()})
	now := time.Now()
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

func (l *loaded) backup(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	from := backup.Source{Store: l.store, Files: newMemory(), Program: "test", Engine: "sqlite", Now: made, Log: storetest.Quiet()}
	if _, err := backup.Create(t.Context(), &out, from, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// check restores a copy and looks for what it lacks.
func (l *loaded) check(t *testing.T, content []byte, before int64) {
	t.Helper()
	o := storetest.SQLite(t)
	done, err := backup.Restore(t.Context(), opening(content), nil, target(o, newMemory()))
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
	eachRow(t, s, []string{"workspaces", "events"}, func(table *store.Table, values []any) {
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
	eachRow(t, s, []string{"messages"}, func(*store.Table, []any) { n++ })
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
func eachRow(t *testing.T, s *store.Store, names []string, each func(table *store.Table, values []any)) {
	t.Helper()
	err := s.Dump(t.Context(), func(d *store.Dump) error {
		tables, err := backup.Contents(d.Version())
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
