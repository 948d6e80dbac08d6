package workload

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	public = "/v1/public"
	// repeatPause is the time between two tries of a change.
	repeatPause = 20 * time.Millisecond
	// firstName is the name of a contact, until it gets something after it.
	firstName = "Ann"
)

// Options is how a load behaves.
type Options struct {
	Writers int // each has a contact and a conversation of its own
	// Patient makes writers repeat what the server did not answer. Otherwise the
	// first such change ends its writer, and its outcome stays unknown.
	Patient bool
	// Bytes is the size of each message, at least.
	Bytes int
	Pause time.Duration // of each writer after a change
}

// A Load is writers that post changes until it ends.
type Load struct {
	client  *Client
	options Options
	writers []*writer
	running sync.WaitGroup
	ended   atomic.Bool

	acknowledged atomic.Int64
	refused      atomic.Int64
	slowest      atomic.Int64 // answer, in nanoseconds

	mu    sync.Mutex
	wrong []string
	last  time.Time     // when a change was acknowledged
	pause time.Duration // see Pause
}

// Begin starts a load.
func Begin(ctx context.Context, c *Client, o Options) *Load {
	l := &Load{client: c, options: o}
	prefix := strings.ToLower(rand.Text()[:10])
	for n := range o.Writers {
		w := &writer{load: l, name: fmt.Sprintf("%s-%d", prefix, n)}
		l.writers = append(l.writers, w)
		l.running.Go(func() { w.run(ctx) })
	}
	return l
}

// Acknowledged returns how many changes were acknowledged so far.
func (l *Load) Acknowledged() int64 { return l.acknowledged.Load() }

// Refused returns how many requests were refused for now so far.
func (l *Load) Refused() int64 { return l.refused.Load() }

// Slowest returns the longest time that an answer took.
func (l *Load) Slowest() time.Duration { return time.Duration(l.slowest.Load()) }

// Pause returns the longest time in which no change was acknowledged.
func (l *Load) Pause() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.pause
}

// Unknown returns of how many changes nobody knows whether they took effect.
func (l *Load) Unknown() int {
	count := 0
	for _, w := range l.writers {
		if w.pending != nil {
			count++
		}
	}
	return count
}

// Wait waits until so many changes are acknowledged, or an end of the context.
func (l *Load) Wait(ctx context.Context, count int64) {
	for l.Acknowledged() < count && ctx.Err() == nil {
		time.Sleep(time.Millisecond) // writers send no signal, which would slow them
	}
}

// End lets the writers finish what they have begun, and waits for them.
func (l *Load) End() {
	l.ended.Store(true)
	l.running.Wait()
}

func (l *Load) faultf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.wrong = append(l.wrong, fmt.Sprintf(format, args...))
}

// faults returns the faults so far, and forgets them.
func (l *Load) faults() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	wrong := l.wrong
	l.wrong = nil
	return wrong
}

// What a change does.
const (
	newContact      = "contact"
	newConversation = "conversation"
	newMessage      = "message"
	newFile         = "file"
	patchContact    = "name of the contact"
	patchAttribute  = "attribute of the conversation"
)

// A change is what a writer asked for.
type change struct {
	request

	what   string
	value  string // content of a message or file, address of a contact, or the new value
	status int    // of the answer; 0 while none has acknowledged it
	answer []byte
	id     string // of the record
}

// A writer posts one change after another.
type writer struct {
	load         *Load
	name         string
	contact      string
	conversation string
	done         []*change // acknowledged
	pending      *change   // its outcome is unknown; nil if it is known
}

// run posts changes until the load ends, or the server answers no more.
func (w *writer) run(ctx context.Context) {
	contact := w.newContact(0)
	if !w.do(ctx, contact) {
		return
	}
	w.contact = contact.id
	conversation := &change{what: newConversation, request: w.post("/conversations", "conversation", map[string]any{"contactId": w.contact})}
	if !w.do(ctx, conversation) {
		return
	}
	w.conversation = conversation.id
	for n := 1; !w.load.ended.Load() && ctx.Err() == nil; n++ {
		if !w.do(ctx, w.next(ctx, n)) {
			return
		}
		time.Sleep(w.load.options.Pause)
	}
}

// next returns the nth change: mostly messages.
func (w *writer) next(ctx context.Context, n int) *change {
	switch n % 12 {
	case 3:
		return w.newContact(n)
	case 6:
		value := fmt.Sprint(" the ", n)
		return &change{what: patchContact, value: value, request: patch("/contacts/"+w.contact, map[string]any{"name": firstName + value})}
	case 9:
		value := fmt.Sprint(n)
		return &change{what: patchAttribute, value: value, request: patch("/conversations/"+w.conversation, map[string]any{
			"customAttributes": map[string]any{"n": value},
		})}
	case 11:
		file := &change{what: newFile, value: fmt.Sprintf("file %d of %s %s", n, w.name, rand.Text())}
		file.request = request{
			method: http.MethodPost, path: public + "/attachments?fileName=" + url.QueryEscape(fmt.Sprintf("%d.txt", n)),
			body: file.value, key: w.name + "-file-" + fmt.Sprint(n), kind: "text/plain",
		}
		if !w.do(ctx, file) {
			return file
		}
		return w.newMessage(n, map[string]any{"attachmentIds": []string{file.id}})
	default:
		return w.newMessage(n, map[string]any{})
	}
}

func (w *writer) newContact(n int) *change {
	email := fmt.Sprintf("ann-%d@%s.example", n, w.name)
	return &change{what: newContact, value: email, request: w.post("/contacts", fmt.Sprint("contact-", n), map[string]any{"name": firstName, "email": email})}
}

func (w *writer) newMessage(n int, body map[string]any) *change {
	content := fmt.Sprintf("message %d of %s", n, w.name)
	if more := w.load.options.Bytes - len(content); more > 0 {
		content += " " + strings.Repeat("x", more)
	}
	body["content"], body["role"] = content, "incoming"
	return &change{what: newMessage, value: content, request: w.post("/conversations/"+w.conversation+"/messages", fmt.Sprint("message-", n), body)}
}

func (w *writer) post(path, key string, body map[string]any) request {
	return request{method: http.MethodPost, path: public + path, body: text(body), key: w.name + "-" + key}
}

func patch(path string, body map[string]any) request {
	return request{method: http.MethodPatch, path: public + path, body: text(body)}
}

func text(body map[string]any) string {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // it holds strings
	}
	return string(text)
}

// do sends a change, or repeats it, until it is acknowledged. It reports false if
// the writer must end.
func (w *writer) do(ctx context.Context, c *change) bool {
	w.pending = c
	for {
		a, err := w.try(ctx, c.request)
		switch {
		case err != nil && (!w.load.options.Patient || ctx.Err() != nil):
			return false
		case err == nil && a.Status/100 == 2:
			return w.acknowledge(c, a)
		case err == nil && !w.load.refuses(a):
			w.load.faultf("%s %s is answered %d: %.300s", c.method, c.path, a.Status, a.Body)
			return false
		}
		time.Sleep(repeatPause)
	}
}

// try sends a request once.
func (w *writer) try(ctx context.Context, r request) (Answer, error) {
	begun := time.Now()
	a, err := w.load.client.send(ctx, r)
	took := int64(time.Since(begun))
	for old := w.load.slowest.Load(); took > old && !w.load.slowest.CompareAndSwap(old, took); {
		old = w.load.slowest.Load()
	}
	return a, err
}

// refuses reports whether an answer refuses a change for now: it is 503 and says when to
// repeat the change, or the first request with the key still runs, whose client was cut
// off.
func (l *Load) refuses(a Answer) bool {
	l.refused.Add(1)
	if a.Status == http.StatusServiceUnavailable {
		return a.Header.Get("Retry-After") != ""
	}
	return a.Status == http.StatusConflict && strings.HasPrefix(a.Header.Get("Parley-Error"), "in_progress")
}

func (w *writer) acknowledge(c *change, a Answer) bool {
	var made struct{ ID string }
	if err := json.Unmarshal(a.Body, &made); err != nil || made.ID == "" {
		w.load.faultf("%s is answered without an id: %s", c.path, a.Body)
		return false
	}
	c.status, c.answer, c.id = a.Status, a.Body, made.ID
	w.pending = nil
	w.done = append(w.done, c)
	w.load.counted()
	return true
}

func (l *Load) counted() {
	l.acknowledged.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if !l.last.IsZero() {
		l.pause = max(l.pause, now.Sub(l.last))
	}
	l.last = now
}
