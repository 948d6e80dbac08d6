// Package desk is the kernel of Parley's rules: conversations, messages,
// contacts, companies, products, inboxes, files, and the log of events. It has
// one file per noun, and one method per verb of the product. A verb is a rule, a
// transaction and its events; its caller has decoded a request before and
// encodes an answer after.
//
// Packages over the desk have subjects of their own: numbers, access,
// customers, merging, search, settings and others. They write in the desk's
// transaction, [Tx], or embed it in theirs, and so follow its rules. The desk
// knows none of them. A message that goes out by a number is a row in
// deliveries, which numbers reads.
//
// It may import the vocabulary, the store, reports and bot/results, which it counts for,
// audit/recording, the JSON shapes of events, the vault, and media. It knows nothing about HTTP, nor
// about any network.
//
// Every change happens inside [Write], which gives a verb its transaction, its
// time and its events. Closures may run more than once, so a verb calls other
// systems between its transactions, never inside one.
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
	"parley/internal/audit/recording"
	"parley/internal/clockwatch"
	"parley/internal/store"
	"parley/internal/tracing"
	"parley/internal/vault"
	"parley/internal/wire"
)

// A ConversationFilter narrows a list of conversations.
type ConversationFilter = store.ConversationFilter

// Options configure a Desk.
type Options struct {
	Store  *store.Store
	Vault  *vault.Vault
	Clock  parley.Clock
	IDs    *parley.IDs
	Log    *slog.Logger
	Tracer *tracing.Tracer // nil: nothing is traced
	// Capabilities are those of the networks, by driver.
	Capabilities map[parley.Driver]Capabilities
	// Files stores uploads; nil: nothing can be uploaded.
	Files Files
	// MaxUpload is the most bytes of a file; 0 means parley.MaxUpload.
	MaxUpload int64
	// UploadQuota is the most bytes in unattached files of a workspace's
	// members and keys; 0 means parley.MaxTeamWaitingBytes.
	UploadQuota int64
	// PublicURL is the origin under which callers reach the server, such as
	// https://support.example; "" if unknown. File addresses begin with it.
	PublicURL string
	// Elapsed is the running time of the process, independent of the clock;
	// nil: the clock is always trusted.
	Elapsed func() time.Duration
}

// A Desk has the verbs of the product. Its methods may be called by many
// goroutines.
type Desk struct {
	options Options // see WithClock
	store   *store.Store
	vault   *vault.Vault
	clock   parley.Clock
	ids     *parley.IDs
	log     *slog.Logger
	// capabilities are those of the networks, by driver.
	capabilities map[parley.Driver]Capabilities
	queued       chan struct{} // see Queued
	writes       atomic.Uint64 // see Writes
	attachments  *Attachments
	watch        clockwatch.Watch
	running      sync.Mutex // guards inFlight
	inFlight     map[requestName]bool
}

// New returns a Desk.
func New(o Options) *Desk {
	d := &Desk{
		options: o,
		store:   o.Store, vault: o.Vault, clock: o.Clock, ids: o.IDs, log: o.Log,
		capabilities: o.Capabilities,
		queued:       make(chan struct{}, 1),
		inFlight:     map[requestName]bool{},
		watch:        clockwatch.Watch{Elapsed: o.Elapsed},
	}
	d.attachments = &Attachments{
		desk: d, place: o.Files, publicURL: o.PublicURL,
		max: cmp.Or(o.MaxUpload, parley.MaxUpload), quota: cmp.Or(o.UploadQuota, parley.MaxTeamWaitingBytes),
	}
	return d
}

// WithClock returns a Desk over the same store with another clock.
func (d *Desk) WithClock(clock parley.Clock) *Desk {
	o := d.options
	o.Clock = clock
	return New(o)
}

// A Base is what the packages over the desk share with it.
type Base struct {
	Store  *store.Store
	Vault  *vault.Vault
	Clock  parley.Clock
	IDs    *parley.IDs
	Log    *slog.Logger
	Files  Files // nil: nothing can be uploaded
	Tracer *tracing.Tracer
}

// Base returns what the packages over the desk share with it.
func (d *Desk) Base() Base {
	return Base{Store: d.store, Vault: d.vault, Clock: d.clock, IDs: d.ids, Log: d.log, Files: d.attachments.place, Tracer: d.options.Tracer}
}

// Ready reports whether reads and writes of the store succeed.
func (d *Desk) Ready(ctx context.Context) error { return d.store.Ready(ctx) }

// Saved is a record that was created, or found and updated.
type Saved[T any] struct {
	Record  T
	Created bool
	Ignored []string // given fields without effect, by their names in the API
}

// A Tx is the transaction of one verb. The packages over the desk embed it into
// their own, so that their verbs follow the same rules.
type Tx struct {
	*store.Tx
	WS         parley.WorkspaceID // the caller's workspace
	Visibility parley.Visibility  // what the caller may see of it
	MemberID   parley.UserID      // the signed-in member; "" for an API key
	Now        time.Time          // the time of everything that the verb does
	IDs        *parley.IDs
	Origin     parley.Origin       // of the events
	Audit      *recording.Recorder // records what the transaction does
	// ofConversations are the events so far that the history may record.
	ofConversations []*parley.Event

	capabilities map[parley.Driver]Capabilities
	queued       bool // a message was queued
	known        knownRecords
}

// Announce adds an event to the log. data is the resource in the JSON of the
// API. If the event concerns a conversation that the verb has read, AnnounceOf
// is cheaper.
func (t *Tx) Announce(kind parley.EventType, conversation parley.ID, changed []string, data []byte) {
	t.emit(parley.Event{Type: kind, ConversationID: conversation, Changed: changed, Data: data})
}

// AnnounceOf adds an event about c to the log, with its place.
func (t *Tx) AnnounceOf(c *parley.Conversation, kind parley.EventType, changed []string, data []byte) {
	t.emit(parley.Event{Type: kind, ConversationID: c.ID, Changed: changed, Data: data, Place: c.Place()})
}

// AnnounceChange adds the event about changed members of c to the log. before
// is where the conversation stood.
func (t *Tx) AnnounceChange(c *parley.Conversation, before parley.Place, changed ...string) {
	e := parley.Event{Type: parley.ConversationUpdated, ConversationID: c.ID, Changed: changed, Data: wire.AppendConversation(nil, c), Place: c.Place()}
	if before.TeamID != e.Place.TeamID || before.AssigneeID != e.Place.AssigneeID {
		e.Before = parley.Some(before)
	}
	t.emit(e)
}

func (t *Tx) emit(e parley.Event) {
	e.CreatedAt, e.Origin = t.Now, t.Origin
	t.Emit(t.WS, e)
	t.Audit.Announced(&e)
	if e.Type == parley.ConversationCreated || e.Type == parley.ConversationUpdated {
		t.ofConversations = append(t.ofConversations, &e)
	}
}

// Because marks the changes until done is called as caused by an event.
func (t *Tx) Because(kind parley.EventType, id parley.ID) (done func()) {
	before := t.Origin.Cause
	t.Origin.Cause = parley.Cause{Type: kind, ID: id}
	return func() { t.Origin.Cause = before }
}

// Write runs a verb's closure in a transaction and returns its result when it
// is durable. If the caller's request has been answered before, the closure
// does not run and the error wraps a [*Replay].
func Write[T any](ctx context.Context, d *Desk, by Caller, fn func(*Tx) (T, error)) (T, error) {
	leave, err := d.enter(by)
	if err != nil {
		var none T
		return none, err
	}
	defer leave()
	return Commit(ctx, d, by, fn)
}

// Writes counts the attempted changes through this desk. While the count stays
// the same, a cache filled through this desk contains all changes by this
// process.
func (d *Desk) Writes() uint64 { return d.writes.Load() }

// Guard runs a verb that calls the network before its transaction, which must
// use [Commit]. If the caller's request has been answered before, fn does not
// run, as with [Write].
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

// Commit is [Write] for use within [Guard], which has already marked the
// request as running.
func Commit[T any](ctx context.Context, d *Desk, by Caller, fn func(*Tx) (T, error)) (T, error) {
	var result, none T
	queued := false
	err := d.store.Write(ctx, by.Workspace, func(st *store.Tx) error {
		t := &Tx{Tx: st, WS: by.Workspace, Visibility: by.Visibility(), MemberID: by.Member, Now: d.clock.Now(), IDs: d.ids, Origin: by.Origin(), capabilities: d.capabilities}
		t.Audit = &recording.Recorder{Tx: st, WS: t.WS, IDs: t.IDs, Now: t.Now, Actor: t.Origin.Actor, Client: by.Client}
		if err := by.Once.replay(&t.View, t.WS); err != nil {
			return err
		}
		if err := t.admit(by); err != nil {
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
		// A write whose caller has stopped waiting may still set result.
		return none, err
	}
	if queued {
		d.notifyQueued()
	}
	return result, nil
}

// Set applies an update to *field, and adds the field's name to changed if its
// value changes.
func Set[T comparable](changed *[]string, name string, field *T, update parley.Optional[T]) {
	if next := update.Or(*field); next != *field {
		*field = next
		*changed = append(*changed, name)
	}
}

// MergeAttributes merges custom attributes into those of a record.
func MergeAttributes(changed *[]string, field *parley.Attributes, patch parley.Attributes) error {
	merged, err := field.Merge(patch)
	if err == nil && merged != *field {
		*field = merged
		*changed = append(*changed, "customAttributes")
	}
	return err
}

// Reference names the field in the error for a missing record.
func Reference(field string, err error) error {
	if parley.KindOf(err) != parley.NotFound {
		return err
	}
	return parley.FieldErrorf(parley.NotFound, field, "%s", err.Error())
}

// Unique removes duplicates and keeps the order.
func Unique[T comparable](items []T) []T {
	var kept []T
	for _, item := range items {
		if !slices.Contains(kept, item) {
			kept = append(kept, item)
		}
	}
	return kept
}
