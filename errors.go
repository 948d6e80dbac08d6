package parley

import (
	"errors"
	"fmt"
	"time"
)

// A Kind says what went wrong in terms that a caller can act on. Which HTTP
// status belongs to it is the business of the HTTP layer alone.
type Kind int

// The kinds of errors.
const (
	Internal        Kind = iota // our fault; the message is never shown
	Invalid                     // the request breaks a rule
	Unauthenticated             // no key, or one that is not valid (any more)
	Forbidden                   // the caller may not do this
	NotFound                    // there is no such record in this workspace
	Conflict                    // the request contradicts what is there
	Mismatch                    // an idempotency key came back with another request
	Gone                        // there was such a thing, and it has been removed
	TooLarge                    // the request is larger than is taken
	Unsupported                 // the body is of a media type that is not taken
	NotAllowed                  // the address has no such method
	Limited                     // too many requests; try again after RetryAfter
	Unavailable                 // the store cannot answer now; try again after RetryAfter
	BadUpstream                 // the messaging application answered with an error
	UpstreamTimeout             // the messaging application did not answer
)

// An Error is what every layer returns when a request cannot be carried out.
// Message is fit for the caller: it names the field and what it must be.
type Error struct {
	Kind       Kind
	Message    string
	RetryAfter time.Duration // with Limited and Unavailable
	Cause      error         // for the log, never for the caller
}

// Error returns the message, and the cause behind it if there is one.
func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Message + ": " + e.Cause.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// KindOf returns the kind of err: the Kind of the Error in its chain, or
// Internal where there is none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

// Errorf makes an Error of a kind with a message fit for the caller.
func Errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// InvalidField makes the error of a field that breaks its rule. The rule
// completes the sentence "field must …", as in ("limit", "be an integer from
// 1 to 200").
func InvalidField(field, rule string) *Error {
	return &Error{Kind: Invalid, Message: field + ": must " + rule}
}

// NotFoundf makes the error of a record that is not in the workspace.
func NotFoundf(format string, args ...any) *Error { return Errorf(NotFound, format, args...) }
