package parley

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Kind classifies an error in terms that a caller can act on. Only the HTTP
// layer maps kinds to statuses.
type Kind int

// The kinds of errors.
const (
	Internal        Kind = iota // a fault of the server; the message is never shown
	Invalid                     // the request breaks a rule
	Unauthenticated             // no credential, or an invalid or expired one
	Forbidden                   // the caller may not do this
	NotFound                    // no such record in this workspace
	Conflict                    // the request contradicts the current state
	Mismatch                    // an idempotency key was reused for another request
	Gone                        // the resource existed and has been removed
	TooLarge                    // the request exceeds a size limit
	Unsupported                 // the media type of the body is not supported
	NotAllowed                  // the path does not support the method
	Limited                     // too many requests; try again after RetryAfter
	Unavailable                 // the store cannot answer now; try again after RetryAfter
	BadUpstream                 // the messaging application answered with an error
	UpstreamTimeout             // the messaging application did not answer
)

// A Code identifies an error for programs. Codes are part of the API: a
// released code keeps its meaning.
type Code string

// The codes of errors. Each kind has one, and Forbidden and Conflict have a second one.
const (
	CodeInternal        Code = "internal"
	CodeInvalid         Code = "invalid"
	CodeUnauthenticated Code = "unauthenticated"
	CodeForbidden       Code = "forbidden"
	CodeUnconfirmed     Code = "unconfirmed" // Forbidden until the member confirms the session
	CodeNotFound        Code = "not_found"
	CodeConflict        Code = "conflict"
	CodeInProgress      Code = "in_progress" // a Conflict with a request that is still running
	CodeMismatch        Code = "idempotency_mismatch"
	CodeGone            Code = "gone"
	CodeTooLarge        Code = "too_large"
	CodeUnsupported     Code = "unsupported_media_type"
	CodeNotAllowed      Code = "method_not_allowed"
	CodeLimited         Code = "limited"
	CodeUnavailable     Code = "unavailable"
	CodeBadUpstream     Code = "upstream_failed"
	CodeUpstreamTimeout Code = "upstream_timeout"
)

// Code returns the code of a kind.
func (k Kind) Code() Code {
	switch k {
	case Invalid:
		return CodeInvalid
	case Unauthenticated:
		return CodeUnauthenticated
	case Forbidden:
		return CodeForbidden
	case NotFound:
		return CodeNotFound
	case Conflict:
		return CodeConflict
	case Mismatch:
		return CodeMismatch
	case Gone:
		return CodeGone
	case TooLarge:
		return CodeTooLarge
	case Unsupported:
		return CodeUnsupported
	case NotAllowed:
		return CodeNotAllowed
	case Limited:
		return CodeLimited
	case Unavailable:
		return CodeUnavailable
	case BadUpstream:
		return CodeBadUpstream
	case UpstreamTimeout:
		return CodeUpstreamTimeout
	case Internal:
	}
	return CodeInternal
}

// An Error says why a request failed; every layer returns it. Message is
// written for the caller: it names the field and what it must be.
type Error struct {
	Kind       Kind
	Code       Code     // "" for the code of the kind
	Fields     []string // the invalid inputs, as the caller named them; the message starts with them
	IDs        []ID     // other records that the message names
	Message    string
	RetryAfter time.Duration // with Limited and Unavailable
	Cause      error         // for the log, never for the caller
}

// Error returns the message, followed by the cause if there is one.
func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Message + ": " + e.Cause.Error()
	}
	return e.Message
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// KindOf returns the kind of the first Error in the chain of err, or Internal
// if there is none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}

// Errorf returns an Error with a message for the caller.
func Errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// FieldErrorf returns an Error about an input. Its message starts with "field:
// ".
func FieldErrorf(kind Kind, field, format string, args ...any) *Error {
	return &Error{Kind: kind, Fields: []string{field}, Message: field + ": " + fmt.Sprintf(format, args...)}
}

// InvalidField returns the error for a field that breaks its rule. The rule
// completes "field must …", as in ("limit", "be an integer from 1 to 200").
func InvalidField(field, rule string) *Error {
	return FieldErrorf(Invalid, field, "must %s", rule)
}

// InvalidFields returns one error for several fields that break their rules.
func InvalidFields(faults []Fault) *Error {
	e := &Error{Kind: Invalid}
	texts := make([]string, len(faults))
	for i, fault := range faults {
		e.Fields = append(e.Fields, fault.Field)
		texts[i] = fault.Field + ": must " + fault.Rule
	}
	e.Message = strings.Join(texts, "; ")
	return e
}

// A Fault is a field that breaks its rule; see InvalidField.
type Fault struct {
	Field string
	Rule  string
}

// About adds the ids of other records that the message names, and returns e.
func (e *Error) About(ids ...ID) *Error {
	e.IDs = append(e.IDs, ids...)
	return e
}

// NotFoundf returns the error for a record that does not exist in the
// workspace.
func NotFoundf(format string, args ...any) *Error { return Errorf(NotFound, format, args...) }
