// Package desktest is the world of tests that call the verbs of the desk and of
// the packages over it, without HTTP: one workspace on one engine, whose clock
// stands still until a test moves it.
//
// It is only for tests. The tests of a surface use apitest, which imports every
// surface.
package desktest

import (
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/vault"
)

// A World is a workspace with its owner.
type World struct {
	T      testing.TB
	Store  *store.Store
	Desk   *desk.Desk
	Access *access.Service
	Home   access.Founding

	clock atomic.Int64 // Unix milliseconds
}

// Each runs a test in a new world on each engine.
func Each(t *testing.T, test func(t *testing.T, w *World)) {
	t.Helper()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) { test(t, newWorld(t, o)) })
}

func newWorld(t *testing.T, o store.Options) *World {
	t.Helper()
	w := &World{T: t, Store: storetest.Open(t, o)}
	w.clock.Store(time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC).UnixMilli())
	keys, err := vault.FromFile(filepath.Join(t.TempDir(), "master.key"))
	w.Must(err)
	w.Desk = desk.New(desk.Options{
		Store: w.Store, Clock: w.Now, IDs: parley.NewIDs(nil), Log: storetest.Quiet(),
		Vault: keys.WithPasswordCost(vault.Cost{Memory: 8, Passes: 1}), // tests hash many passwords and protect none
	})
	w.Access = access.New(w.Desk)
	w.Home = w.Found("Home")
	return w
}

// Must requires that there is no error.
func (w *World) Must(err error) {
	w.T.Helper()
	if err != nil {
		w.T.Fatal(err)
	}
}

// Refused requires an error of a kind with a message.
func (w *World) Refused(err error, kind parley.Kind, message string) {
	w.T.Helper()
	if err == nil || parley.KindOf(err) != kind || err.Error() != message {
		w.T.Errorf("the error is %v, want %q", err, message)
	}
}

// Now is the time in the world.
func (w *World) Now() time.Time { return time.UnixMilli(w.clock.Load()).UTC() }

// Advance moves the clock.
func (w *World) Advance(d time.Duration) { w.clock.Add(d.Milliseconds()) }

// Found creates a workspace with an owner.
func (w *World) Found(name string) access.Founding {
	w.T.Helper()
	f, err := w.Access.CreateWorkspace(w.T.Context(), name, "owner@"+strings.ToLower(name)+".example")
	w.Must(err)
	return f
}

// By is the owner as a caller.
func (w *World) By() desk.Caller { return OwnerOf(w.Home) }

// OwnerOf is the owner of a workspace as a caller.
func OwnerOf(f access.Founding) desk.Caller {
	return desk.Caller{Workspace: f.Workspace.ID, Member: f.Owner.ID}
}

// Contact makes a contact with a name.
func (w *World) Contact(by desk.Caller, name string) parley.Contact {
	w.T.Helper()
	saved, err := w.Desk.SaveContact(w.T.Context(), by, desk.ContactFields{Name: parley.Some(name)})
	w.Must(err)
	return saved.Record
}

// Conversation starts a conversation with a contact, in the workspace's first
// inbox.
func (w *World) Conversation(by desk.Caller, contact parley.ID) parley.Conversation {
	w.T.Helper()
	c, err := w.Desk.CreateConversation(w.T.Context(), by, desk.NewConversation{ContactID: contact})
	w.Must(err)
	return c
}

// Post writes a message of the team, for members only if it is private.
func (w *World) Post(by desk.Caller, conversation parley.ID, content string, private bool) parley.Message {
	w.T.Helper()
	m, err := w.Desk.PostMessage(w.T.Context(), by, conversation, desk.NewMessage{
		Content: content, ContentType: parley.Text, Direction: parley.Outgoing, Private: private,
	})
	w.Must(err)
	return m
}

// Tells requires the events of what do does, as "type changed,…".
func (w *World) Tells(do func(), want ...string) {
	w.T.Helper()
	before, err := w.Desk.Workspace(w.T.Context(), w.Home.Workspace.ID)
	w.Must(err)
	do()
	page, err := w.Desk.Events(w.T.Context(), w.Home.Workspace.ID, parley.Some(before.End()), 200)
	w.Must(err)
	var got []string
	for _, e := range page.Events {
		got = append(got, strings.TrimSpace(string(e.Type)+" "+strings.Join(e.Changed, ",")))
	}
	if !slices.Equal(got, want) {
		w.T.Errorf("the events are %q, want %q", got, want)
	}
}
