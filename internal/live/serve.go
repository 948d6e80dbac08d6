package live

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley"
)

// A Subscription describes a stream.
type Subscription struct {
	// Visibility limits the events to what the client may see. The hub's View
	// renders the events for customers.
	Visibility parley.Visibility
	Credential parley.Credential
	Until      time.Time // when the credential ends; zero: never
	// After is the position at which the stream starts; absent: now.
	After parley.Optional[parley.LogPosition]
	Types []parley.EventType // of events to send; nil: all
	// Signals says whether to send signals. Customers' streams always do.
	Signals bool
	// Member receives signals for one member; "": such signals are left out.
	Member parley.UserID
	// Address is the network address that the stream counts against; "" for
	// none, as with members.
	Address string
	// Known says that an identity vouches for the customer. Many such customers
	// may share an address.
	Known bool
}

// Serve turns a request into a stream. It takes the connection over from
// net/http, so the caller must not write to w before or after. After an error the
// caller must still answer the request. A stream over HTTP/2 ends with its
// handlers: it goes on in the method Linger of w, or of what w wraps, or else
// Serve returns at its end.
func (h *Hub) Serve(w http.ResponseWriter, r *http.Request, sub Subscription) error {
	s := &stream{
		hub: h, credential: sub.Credential, until: sub.Until, filter: newFilter(&sub), visibility: sub.Visibility, audience: sub.Visibility.Audience(), index: -1,
		member:  sub.Member,
		quotas:  h.quotas(&sub),
		signals: sub.Signals || !sub.Visibility.Team(),
	}
	if h.ctx.Err() != nil {
		return &parley.Error{Kind: parley.Unavailable, Message: "the server stops; try again", RetryAfter: time.Second}
	}
	if full, ok := h.reserve(s); !ok {
		return full.refusal()
	}
	defer func() {
		if s.feed == nil { // it never started
			h.release(s)
		}
	}()
	out, queued, head, err := takeOver(w, r)
	if err != nil {
		return err
	}
	s.out = out
	// The context of the request ends with its handler, but the check must not.
	admitted, err := h.admit(context.WithoutCancel(r.Context()), s, sub)
	if err != nil {
		h.logger.Warn("live: stream failed to start, client will retry", "error", err)
	}
	// The head goes out only now, because a client that has read it relies on
	// receiving everything from then on.
	admitted = head() && admitted
	switch {
	case s.feed == nil:
		out.close() // it is in no feed
	case !admitted:
		s.cut()
	default:
		s.start()
	}
	if queued != nil {
		h.send(queued, w, r)
	}
	return nil
}

// send runs a queue in a goroutine, or where the handler of an HTTP/2 request
// ends.
func (h *Hub) send(q *queue, w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor < 2 {
		if !h.spawn(q.run) {
			q.run() // it was closed
		}
		return
	}
	for {
		switch one := w.(type) {
		case interface{ Linger(fn func()) }:
			one.Linger(q.run)
			return
		case interface{ Unwrap() http.ResponseWriter }:
			w = one.Unwrap()
		default:
			q.run()
			return
		}
	}
}

// admit adds a stream to its feed and sets its position. Afterwards it checks
// the credential again: this finds access that ended earlier, and the feed
// finds access that ends later. Ended access is not an error.
func (h *Hub) admit(ctx context.Context, s *stream, sub Subscription) (admitted bool, err error) {
	if err := h.enter(ctx, s, sub.Visibility.Workspace()); err != nil {
		return false, err
	}
	h.opened.Add(1)
	if s.position = sub.After.Value; !sub.After.Set {
		s.position = s.feed.position()
	}
	ended, err := h.log.EndedCredentials(ctx, sub.Visibility.Workspace(), []parley.Credential{sub.Credential})
	return err == nil && len(ended) == 0, err
}

func newFilter(sub *Subscription) *filter {
	f := &filter{reader: sub.Credential.Reader(sub.Visibility)}
	if !f.reader.Everything() {
		f.name = sub.Credential.Scopes
	}
	if own := sub.Visibility.Own(); own != nil {
		f.name = string(own.Member) + " " + strconv.FormatInt(sub.Visibility.Since(), 10)
	}
	if sub.Types == nil {
		if f.reader.Everything() {
			return nil
		}
		return f
	}
	f.types = slices.Compact(slices.Sorted(slices.Values(sub.Types)))
	names := make([]string, len(f.types))
	for i, t := range f.types {
		names[i] = string(t)
	}
	f.name += ";" + strings.Join(names, ",")
	return f
}
