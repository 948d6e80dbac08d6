package live

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"time"

	"parley"
)

// A Subscription is what a stream is to carry.
type Subscription struct {
	Workspace  parley.WorkspaceID
	Credential parley.Credential
	Until      time.Time // when the credential ends; zero: never
	// After is where the stream begins; absent: now.
	After parley.Optional[parley.LogPosition]
	Types []parley.EventType // of the events to carry; nil: all
	// Signals says whether to carry what is beside the log. Customers' streams do.
	Signals bool
	// Member is who hears what is for one member alone; "": such signals are left out.
	Member parley.UserID
	// Address is the network address by which streams are counted too; "" where
	// they are not, as those of members.
	Address string
	// Known says of a customer that an identity vouches for them: many of them may
	// share an address.
	Known bool
	// Audience is the customer whose part of the log the stream carries, as the
	// hub's View shows it; zero: a member or a key, who hears everything.
	Audience parley.Audience
}

// Serve turns a request into a stream. It takes the connection over from
// net/http, so nothing may be written to w before or after. An error means that
// the request is still to be answered.
func (h *Hub) Serve(w http.ResponseWriter, r *http.Request, sub Subscription) error {
	s := &stream{
		hub: h, credential: sub.Credential, until: sub.Until, filter: newFilter(sub.Types, sub.Credential), audience: sub.Audience, index: -1,
		member:  sub.Member,
		quotas:  h.quotas(&sub),
		signals: sub.Signals || !sub.Audience.IsZero(),
	}
	if h.ctx.Err() != nil {
		return &parley.Error{Kind: parley.Unavailable, Message: "the server stops; try again", RetryAfter: time.Second}
	}
	if full, ok := h.reserve(s); !ok {
		return full.refusal()
	}
	defer func() {
		if s.room == nil { // it never began
			h.release(s)
		}
	}()
	conn, buffer, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return &parley.Error{Kind: parley.Unavailable, Message: "the event stream needs a connection of HTTP/1.1", Cause: err, RetryAfter: time.Second}
	}
	s.conn = conn
	if system, ok := conn.(syscall.Conn); ok {
		// Without it, writes wait briefly.
		s.raw, _ = system.SyscallConn()
	}
	// The request's own context ends with its handler, and the check must not.
	admitted, err := h.admit(context.WithoutCancel(r.Context()), s, sub)
	if err != nil {
		h.logger.Warn("a stream could not begin; its reader tries again", "error", err)
	}
	// Only now, for whoever reads the head counts on what happens from then on.
	admitted = writeHead(conn, buffer.Writer, w.Header()) && admitted
	switch {
	case s.room == nil:
		_ = conn.Close() // it has no place in a room
	case !admitted:
		s.cut()
	default:
		s.begin()
	}
	return nil
}

// admit puts a stream into its room, where it stands at its place. It asks for
// the credential once more after that: whoever lost it before is found now,
// which is no error, whoever loses it later is found by the room.
func (h *Hub) admit(ctx context.Context, s *stream, sub Subscription) (admitted bool, err error) {
	if err := h.enter(ctx, s, sub.Workspace); err != nil {
		return false, err
	}
	h.opened.Add(1)
	if s.at = sub.After.Value; !sub.After.Set {
		s.at = s.room.place()
	}
	ended, err := h.log.EndedCredentials(ctx, sub.Workspace, []parley.Credential{sub.Credential})
	return err == nil && len(ended) == 0, err
}

// headTime is how long the head of the answer may take.
const headTime = 5 * time.Second

// writeHead writes the head of the answer. The body ends with the connection.
func writeHead(conn net.Conn, b *bufio.Writer, header http.Header) bool {
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	header.Set("Connection", "close")
	header.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	header.Set("X-Accel-Buffering", "no") // nginx would keep events back
	header.Set("X-Content-Type-Options", "nosniff")
	err := conn.SetDeadline(time.Now().Add(headTime))
	if err == nil {
		_, err = fmt.Fprintf(b, "HTTP/1.1 200 OK\r\n")
	}
	if err == nil {
		err = header.Write(b)
	}
	if err == nil {
		_, err = b.WriteString("\r\n")
	}
	if err == nil {
		err = b.Flush()
	}
	if err == nil {
		err = conn.SetDeadline(time.Time{})
	}
	if err != nil {
		_ = conn.Close() // the other side is gone
	}
	return err == nil
}

func newFilter(types []parley.EventType, credential parley.Credential) *filter {
	f := &filter{reader: credential.Reader()}
	if !f.reader.Everything() {
		f.name = credential.Scopes
	}
	if types == nil {
		if f.reader.Everything() {
			return nil
		}
		return f
	}
	f.types = slices.Compact(slices.Sorted(slices.Values(types)))
	names := make([]string, len(f.types))
	for i, t := range f.types {
		names[i] = string(t)
	}
	f.name += ";" + strings.Join(names, ",")
	return f
}
