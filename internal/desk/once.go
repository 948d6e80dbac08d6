package desk

import (
	"time"

	"parley"
	"parley/internal/store"
)

// AnswerRetention is how long the answer to a request with an Idempotency-Key
// is stored at least. Its deletion waits while the clock is in doubt, because a
// request repeated during a jump must not take effect again.
const AnswerRetention = 24 * time.Hour

// Once makes a verb take effect once for an Idempotency-Key: the answer is
// stored in the transaction of the effect, and returned if the same request is
// repeated. A verb that failed changed nothing, so its answer is not stored.
type Once struct {
	Route string // operation and path: a key belongs to one address
	Key   string
	// Contact is the customer who sent the request, zero for members and keys.
	// The route ends with the contact's id, so that keys of customers are
	// separate, and a key follows the contact in a merge.
	Contact  parley.ID
	BodyHash [32]byte
	// Render renders the verb's result.
	Render func(result any) (status int, body []byte)
}

// A Replay is the error of a verb whose request was answered before. It
// contains the first answer.
type Replay struct {
	Status int
	Body   []byte
}

// Error returns a text for logs.
func (r *Replay) Error() string { return "the request was answered before" }

type requestName struct {
	ws         parley.WorkspaceID
	route, key string
}

// enter marks the caller's request as running on this node until leave is
// called. A second request with the same key gets a Conflict.
func (d *Desk) enter(by Caller) (leave func(), err error) {
	if by.Once == nil {
		return func() {}, nil
	}
	name := requestName{by.Workspace, by.Once.Route, by.Once.Key}
	d.running.Lock()
	defer d.running.Unlock()
	if d.inFlight[name] {
		return nil, StillRunning()
	}
	d.inFlight[name] = true
	return func() {
		d.running.Lock()
		defer d.running.Unlock()
		delete(d.inFlight, name)
	}, nil
}

// StillRunning is the Conflict with a running request that has the same
// Idempotency-Key.
func StillRunning() error {
	e := parley.FieldErrorf(parley.Conflict, "Idempotency-Key", "the first request with this key is still running; try again when it is answered")
	e.Code = parley.CodeInProgress
	return e
}

// replay returns a [*Replay] if the request was answered before, and a Mismatch
// if its key was used with another body.
func (o *Once) replay(v *store.View, ws parley.WorkspaceID) error {
	if o == nil {
		return nil
	}
	answer, err := SelectAnswer(v, ws, o.Route, o.Key)
	switch {
	case err != nil && parley.KindOf(err) == parley.NotFound:
		return nil
	case err != nil:
		return err
	case answer.BodyHash != o.BodyHash:
		return parley.FieldErrorf(parley.Mismatch, "Idempotency-Key", "was used before with another body; use a new key for another request")
	}
	return &parley.Error{Kind: parley.Conflict, Message: "answered before", Cause: &Replay{Status: answer.Status, Body: []byte(answer.Body)}}
}

// keep stores the answer.
func (o *Once) keep(t *Tx, result any) error {
	if o == nil {
		return nil
	}
	status, body := o.Render(result)
	return InsertAnswer(t, t.WS, &Answer{
		Route: o.Route, Key: o.Key, ContactID: o.Contact, BodyHash: o.BodyHash, Status: status, Body: string(body), CreatedAt: t.Now,
	})
}
