// Package desk is the kernel of what can be done with Parley: conversations,
// messages, contacts, companies, products, inboxes, files, reports, and the log of
// what happened. One file per noun, one method per verb of the product. A verb is
// a rule, a transaction and its events; whoever calls it has decoded a request
// before and encodes an answer after.
//
// Packages over it hold what has a life of its own: numbers, access, customers,
// search, settings. They write in the desk's transaction, Tx, or embed it into
// theirs, and so follow its rules. The desk knows none of them. What goes out by a number is a row in
// deliveries, which numbers reads.
//
// It may import the vocabulary, the store, the JSON shapes of events, the vault,
// and what tells files apart. It knows nothing of HTTP, and of no network.
//
// Every change happens inside Write, which gives a verb its transaction, the
// time, and the events that belong to it. Closures may run more than once, so
// a verb talks to the world outside between its transactions, never inside one.
package desk

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"parley"
	"parley/internal/store"
	"parley/internal/vault"
)

// A ConversationFilter narrows a list of conversations.
type ConversationFilter = store.ConversationFilter

// Options are what a Desk works with.
type Options struct {
	Store *store.Store
	Vault *vault.Vault
	Clock parley.Clock
	IDs   *parley.IDs
	Log   *slog.Logger
	// Capabilities are those of the networks, by the drivers that reach them.
	Capabilities map[parley.Driver]Capabilities
	// Files keeps what is uploaded. Without it, nothing can be.
	Files Files
	// MaxUpload is how many bytes a file has at most; 0 is parley.MaxUpload.
	MaxUpload int64
	// UploadQuota is how many bytes the files of members and keys of a workspace
	// have together at most that no message took; 0 is parley.MaxTeamWaitingBytes.
	UploadQuota int64
	// PublicURL is the origin under which callers reach the server, such as
	// https://support.example; "" where it is not known. The addresses of files
	// begin with it.
	PublicURL string
	// Elapsed is how long the process lives, whatever the clock does; nil where
	// the clock is always believed.
	Elapsed func() time.Duration
}

// A Desk carries out the verbs of the product. Its methods may be called by
// many goroutines.
type Desk struct {
	store *store.Store
	vault *vault.Vault
	clock parley.Clock
	ids   *parley.IDs
	log   *slog.Logger
	// capabilities are those of the networks by driver.
	capabilities map[parley.Driver]Capabilities
	queued       chan struct{} // see Queued
	writes       atomic.Uint64 // see Writes
	attachments  *Attachments

	watch clockWatch

	running  sync.Mutex // guards inFlight
	inFlight map[requestName]bool
}

// New returns a Desk.
func New(o Options) *Desk {
	d := &Desk{
		store: o.Store, vault: o.Vault, clock: o.Clock, ids: o.IDs, log: o.Log,
		capabilities: o.Capabilities,
		queued:       make(chan struct{}, 1),
		inFlight:     map[requestName]bool{},
		watch:        clockWatch{elapsed: o.Elapsed},
	}
	d.attachments = &Attachments{
		desk: d, place: o.Files, publicURL: o.PublicURL,
		max: cmp.Or(o.MaxUpload, parley.MaxUpload), quota: cmp.Or(o.UploadQuota, parley.MaxTeamWaitingBytes),
	}
	return d
}

// WithClock returns a Desk over the same store with another clock.
func (d *Desk) WithClock(clock parley.Clock) *Desk {
	files := d.attachments
	return New(Options{
		Store: d.store, Vault: d.vault, Clock: clock, IDs: d.ids, Log: d.log, Capabilities: d.capabilities,
		Files: files.place, MaxUpload: files.max, UploadQuota: files.quota, PublicURL: files.publicURL,
	})
}

// A Base is what the packages over the desk work with as it does.
type Base struct {
	Store *store.Store
	Vault *vault.Vault
	Clock parley.Clock
	IDs   *parley.IDs
	Log   *slog.Logger
	Files Files // nil where none are kept
}

// Base returns what the desk works with.
func (d *Desk) Base() Base {
	return Base{Store: d.store, Vault: d.vault, Clock: d.clock, IDs: d.ids, Log: d.log, Files: d.attachments.place}
}

// Ready reports whether the store can be read and written.
func (d *Desk) Ready(ctx context.Context) error { return d.store.Ready(ctx) }

// Saved is a record that was created, or found and updated.
type Saved[T any] struct {
	Record  T
	Created bool
	Ignored []string // fields that were given and had no effect, by their names in the API
}

// A Tx is the transaction of one verb. The packages over the desk embed it into
// their own, so that a verb of theirs follows the same rules.
type Tx struct {
	*store.Tx
	WS       parley.WorkspaceID // the caller's workspace
	MemberID parley.UserID      // who is signed in; "" for an API key
	Now      time.Time          // one time for all that the verb does
	IDs      *parley.IDs
	Origin   parley.Origin // of the events
	// ofConversations are the events so far of which the history keeps something.
	ofConversations []*parley.Event

	capabilities map[parley.Driver]Capabilities
	queued       bool // a message was queued
}

// Announce puts an event into the log. data is the resource in the JSON of the
// API.
func (t *Tx) Announce(kind parley.EventType, conversation parley.ID, changed []string, data []byte) {
	e := parley.Event{Type: kind, CreatedAt: t.Now, Origin: t.Origin, ConversationID: conversation, Changed: changed, Data: data}
	t.Emit(t.WS, e)
	if kind == parley.ConversationCreated || kind == parley.ConversationUpdated {
		t.ofConversations = append(t.ofConversations, &e)
	}
}

// Because says that what changes until done is called follows from an event.
func (t *Tx) Because(kind parley.EventType, id parley.ID) (done func()) {
	before := t.Origin.Cause
	t.Origin.Cause = parley.Cause{Type: kind, ID: id}
	return func() { t.Origin.Cause = before }
}

// Write runs a verb's closure in a transaction and returns its result when
// that is durable. Where the caller's request has been answered before, the
// closure does not run and the error wraps a *Replay.
func Write[T any](ctx context.Context, d *Desk, by Caller, fn func(*Tx) (T, error)) (T, error) {
	leave, err := d.enter(by)
	if err != nil {
		var none T
		return none, err
	}
	defer leave()
	return Commit(ctx, d, by, fn)
}

// Writes counts the changes that were tried through this desk. A cache of what is
// read by it is up to date with this process for as long as the count stands
// still.
func (d *Desk) Writes() uint64 { return d.writes.Load() }

// Guard runs a verb that asks the network before its transaction, which is a
// commit. Where the caller's request has been answered before, fn does not
// run, as with Write.
func Guard[T any](ctx context.Context, d *Desk, by Caller, fn func() (T, error)) (T, error) {
	var none T
	leave, err := d.enter(by)
	if err != nil {
		return none, err
	}
	defer leave()
	err = d.store.View(ctx, func(v *store.View) error { return by.Once.replay(v, by.Workspace) })
	if err != nil {
		return none, err
	}
	return fn()
}

// Commit is Write within Guard: the request has been noted as running already.
func Commit[T any](ctx context.Context, d *Desk, by Caller, fn func(*Tx) (T, error)) (T, error) {
	var result, none T
	queued := false
	err := d.store.Write(ctx, by.Workspace, func(st *store.Tx) error {
		t := &Tx{Tx: st, WS: by.Workspace, MemberID: by.Member, Now: d.clock.Now(), IDs: d.ids, Origin: by.Origin(), capabilities: d.capabilities}
		if err := by.Once.replay(&t.View, t.WS); err != nil {
			return err
		}
		if err := t.may(by); err != nil {
			return err
		}
		r, err := fn(t)
		if err != nil {
			return err
		}
		if err := t.keepHistory(); err != nil {
			return err
		}
		result, queued = r, t.queued
		return by.Once.keep(t, r)
	})
	d.writes.Add(1)
	if err != nil {
		// A write that nobody waits for any more may still set result.
		return none, err
	}
	if queued {
		d.tellQueued()
	}
	return result, nil
}

// View runs fn on a view in which each query sees the newest state, unless the
// context asks for the log's position.
func View[T any](ctx context.Context, d *Desk, fn func(*store.View) (T, error)) (T, error) {
	if ctx.Value(positionKey{}) != nil {
		return Snapshot(ctx, d, fn)
	}
	return read(ctx, d.store.View, fn)
}

// Snapshot runs fn on a view in which all queries see one state.
func Snapshot[T any](ctx context.Context, d *Desk, fn func(*store.View) (T, error)) (T, error) {
	p, ok := ctx.Value(positionKey{}).(*position)
	if !ok {
		return read(ctx, d.store.Snapshot, fn)
	}
	return read(ctx, d.store.Snapshot, func(v *store.View) (T, error) {
		if err := p.read(v); err != nil {
			var none T
			return none, err
		}
		return fn(v)
	})
}

func read[T any](ctx context.Context, open func(context.Context, func(*store.View) error) error, fn func(*store.View) (T, error)) (T, error) {
	var result T
	err := open(ctx, func(v *store.View) (err error) {
		result, err = fn(v)
		return err
	})
	return result, err
}

// read notes the position of a view's log.
func (p *position) read(v *store.View) error {
	w, err := v.Workspace(p.ws)
	p.at = w.End()
	return err
}

type positionKey struct{}

// A position is where a reader wants to know how far the log was.
type position struct {
	ws parley.WorkspaceID
	at parley.LogPosition
}

// WithPosition returns a context for one reading verb, and a function that
// tells afterwards where the workspace's log was in the very snapshot that the
// verb read: what came later is what the log tells behind that position.
func WithPosition(ctx context.Context, ws parley.WorkspaceID) (context.Context, func() parley.LogPosition) {
	p := &position{ws: ws}
	return context.WithValue(ctx, positionKey{}, p), func() parley.LogPosition { return p.at }
}

// Set gives *field the value of an update and notes the field's name where
// that changes it.
func Set[T comparable](changed *[]string, name string, field *T, update parley.Optional[T]) {
	if next := update.Or(*field); next != *field {
		*field = next
		*changed = append(*changed, name)
	}
}

// MergeAttributes puts custom attributes into those of a record.
func MergeAttributes(changed *[]string, field *parley.Attributes, patch parley.Attributes) error {
	merged, err := field.Merge(patch)
	if err == nil && merged != *field {
		*field = merged
		*changed = append(*changed, "customAttributes")
	}
	return err
}

// Reference names the field in the error of a record that is not there.
func Reference(field string, err error) error {
	if parley.KindOf(err) != parley.NotFound {
		return err
	}
	return parley.FieldErrorf(parley.NotFound, field, "%s", err.Error())
}

// Unique drops what stands twice and keeps the order.
func Unique[T comparable](items []T) []T {
	var kept []T
	for _, item := range items {
		if !slices.Contains(kept, item) {
			kept = append(kept, item)
		}
	}
	return kept
}
