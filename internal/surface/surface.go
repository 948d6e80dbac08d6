// Package surface is the frame of an HTTP API, which the public API, the
// dashboard's and the widget's share. A surface supplies a table of routes, a
// function that admits callers, and a handler for each operation. The frame
// reads the inputs, makes reads wait for their turn, reports the position of
// the log, stores the answer for an Idempotency-Key, signs the addresses of
// files, and writes the answer.
//
// It imports the vocabulary, the desk, the JSON shapes, live and httpjson.
package surface

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/tracing"
	"parley/internal/wire"
)

// MaxKey is the most characters of an Idempotency-Key (contract, section 8).
const MaxKey = 200

// A Frame is what all calls of a surface share.
type Frame struct {
	Desk  *desk.Desk
	Live  *live.Hub
	Log   *slog.Logger
	Turns *httpjson.Turns          // of callers that read; nil: no limits
	Open  *httpjson.AddressLimiter // of routes without a credential; nil: no limits
	// Measure is told of each answer but streams; nil: nobody is.
	Measure Measure
}

// Measure is told with which status an operation was answered, and how long that took.
type Measure func(operation string, status int, took time.Duration)

// A Route is an operation of a surface.
type Route struct {
	Operation string // the operationId in the document
	Method    string
	Path      string
	Open      bool // needs no credential
	// Answer admits the caller and then calls Call.Handle with the handler.
	Answer func(*Call) (httpjson.Reply, error)
}

// Mux returns the router for a table of routes.
func (f *Frame) Mux(routes []Route) *http.ServeMux {
	all := make([]httpjson.Route, len(routes))
	for i, route := range routes {
		all[i] = httpjson.Route{Method: route.Method, Path: route.Path, Handler: f.handler(route)}
	}
	return httpjson.NewMux(all)
}

func (f *Frame) handler(route Route) http.Handler {
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &Call{Writer: w, frame: f, request: r, route: route}
		defer func() { c.leave() }() // after the answer is written
		began := time.Now()
		reply, err := route.Answer(c)
		c.trace()
		if err != nil {
			reply.Status = httpjson.Status(err)
			httpjson.WriteError(w, r, c.log(f.Log, route, reply.Status), err)
		} else if reply.Status != streamed {
			reply.Write(w)
		}
		f.measured(c, route, reply.Status, time.Since(began))
	})
	if route.Open {
		return f.Open.Wrap(answer)
	}
	return answer
}

// measured tells of an answer that has been written.
func (f *Frame) measured(c *Call, route Route, status int, took time.Duration) {
	if status == streamed {
		return
	}
	if f.Measure != nil {
		f.Measure(route.Operation, status, took)
	}
	if f.Log.Enabled(c.Context(), slog.LevelDebug) {
		log := httpjson.Traced(c.Context(), c.log(f.Log, route, http.StatusInternalServerError))
		log.Debug("http: request answered", "request", httpjson.RequestID(c.Context()), "status", status, "took", took)
	}
}

// log returns a log that names the operation and the caller, for what is logged of an
// answer with a status: nothing of one below 500.
func (c *Call) log(log *slog.Logger, route Route, status int) *slog.Logger {
	if status < http.StatusInternalServerError {
		return log
	}
	return log.With("operation", route.Operation, "workspace", c.Asker.Workspace, "credential", c.Asker.Credential)
}

// streamed is the status of a reply that has already been written.
const streamed = 0

// A Call is one request to a surface. The surface embeds it in its own call and
// fills in the fields as it admits the caller.
type Call struct {
	*httpjson.Reader // nil before Handle
	Writer           http.ResponseWriter
	// Asker is the caller whose reads wait for their turn, with the workspace
	// of the call; zero on an open route.
	Asker httpjson.Asker
	// Viewer is the signed-in member or the customer, whose reads report the position of
	// the log; zero for keys.
	Viewer desk.Viewer
	// Files says that the answer consists only of messages and files, whose
	// addresses are signed when it is written. A stored answer contains no
	// signatures: they expire before it does, and the public address of the
	// server may change.
	Files bool
	// Left, if set, is called after the answer was written.
	Left func()

	frame   *Frame
	route   Route
	request *http.Request
}

// Request returns the request.
func (c *Call) Request() *http.Request { return c.request }

// Context is the request's.
func (c *Call) Context() context.Context { return c.request.Context() }

// trace says in the span of the request what the request turned out to be.
func (c *Call) trace() {
	span := tracing.Of(c.Context())
	span.Name(c.route.Operation)
	span.Set(tracing.Route(c.route.Path), tracing.Workspace(c.Asker.Workspace), tracing.Credential(c.Asker.Credential))
}

func (c *Call) leave() {
	if c.Left != nil {
		c.Left()
	}
}

// Handle runs the handler of an operation for an admitted caller.
func (c *Call) Handle(handler func() (httpjson.Reply, error)) (httpjson.Reply, error) {
	c.Reader = httpjson.NewReader(c.request)
	c.Prefer(c.Writer.Header())
	reply, err := handler()
	if err != nil {
		return reply, err
	}
	httpjson.SetIgnored(c.Writer.Header(), c.Ignored())
	if c.Files {
		reply.Body = wire.SignFiles(reply.Body, c.frame.Desk.Attachments().FileSigner(c.Asker.Workspace))
	}
	return reply, nil
}

// HandleMember is [Call.Handle] for a member. If a read finds that the member sees other
// conversations now than when admit ran, it admits the member anew and reads again.
func (c *Call) HandleMember(admit func() error, handler func() (httpjson.Reply, error)) (httpjson.Reply, error) {
	reply, err := c.Handle(handler)
	if !errors.Is(err, parley.ErrSightChanged) || c.request.Method != http.MethodGet && c.request.Method != http.MethodHead {
		return reply, err
	}
	if err := admit(); err != nil {
		return httpjson.Reply{}, err
	}
	return c.Handle(handler)
}

// Stream turns the request into a stream of events. HEAD gets only the headers.
func (c *Call) Stream(sub live.Subscription) (httpjson.Reply, error) {
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	if c.request.Method == http.MethodHead {
		return httpjson.Reply{Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}}, nil
	}
	httpjson.SetIgnored(c.Writer.Header(), c.Ignored())
	c.trace()
	span := tracing.Of(c.Context()) // ends where the stream begins, which lasts for days
	span.Set(tracing.Status(http.StatusOK))
	span.End(nil)
	return httpjson.Reply{Status: streamed}, c.frame.Live.Serve(c.Writer, c.request, sub)
}

// Places returns where a conversation stands, or nothing if the reader may not see it. A
// signal about a conversation names the place, so that it reaches only members who may
// see it.
func Places(ctx context.Context, d *desk.Desk, vis parley.Visibility, conversation parley.ID) ([]parley.Place, error) {
	thread, err := d.Thread(vis, conversation, parley.Position{}, 1).Now(ctx)
	switch {
	case parley.KindOf(err) == parley.NotFound:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return []parley.Place{thread.Conversation.Place()}, nil
}

// A Name is the scope of an Idempotency-Key.
type Name struct {
	Route   string
	Contact parley.ID // the customer who sent the request; zero for members and keys
}

// Do calls a verb that changes something and renders its result, unless the
// inputs have faults. If the operation has a name and the request an
// Idempotency-Key, the verb takes effect once, and a repeated request gets the
// first answer.
func Do[T any](c *Call, name *Name, render func(T) httpjson.Reply, verb func(context.Context, *desk.Once) (T, error)) (httpjson.Reply, error) {
	var once *desk.Once
	if name != nil {
		if key := c.IdempotencyKey(MaxKey); key != "" {
			once = &desk.Once{
				Route: name.Route, Key: key, BodyHash: c.BodyHash(), Contact: name.Contact,
				Render: func(result any) (int, []byte) {
					reply := render(result.(T)) // the verb's own result
					return reply.Status, reply.Body
				},
			}
		}
	}
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	result, err := verb(c.Context(), once)
	var replay *desk.Replay
	if errors.As(err, &replay) {
		return httpjson.Reply{Status: replay.Status, Body: replay.Body, Header: http.Header{"Idempotent-Replayed": {"true"}}}, nil
	}
	if err != nil {
		return httpjson.Reply{}, err
	}
	return render(result), nil
}

// Get answers with the result of a read; see [Read].
func Get[T any](c *Call, render func(T) []byte, read desk.Read[T]) (httpjson.Reply, error) {
	result, err := Read(c, read)
	if err != nil {
		return httpjson.Reply{}, err
	}
	return httpjson.OK(render(result)), nil
}

// Read returns the result of a read, made in the caller's turn, unless the inputs
// have faults. It is for answers that need more than one.
func Read[T any](c *Call, read desk.Read[T]) (T, error) {
	if err := c.Err(); err != nil {
		var none T
		return none, err
	}
	return httpjson.InTurn(c.Context(), c.frame.Turns, c.Asker, func(ctx context.Context) (T, error) {
		if c.Viewer.Workspace.IsZero() {
			return read.Now(ctx)
		}
		result, at, err := read.At(ctx, c.Viewer)
		if err == nil {
			c.Writer.Header().Set(httpjson.PositionHeader, at.String())
		}
		return result, err
	})
}
