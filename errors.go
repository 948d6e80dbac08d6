package parley

import (
	"errors"
	"fmt"
	"strings"
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

// A Code names an error for programs. Codes are part of the API: one that was
// released keeps its meaning.
type Code string

// The codes of errors. Each kind has one, and Conflict a second.
const (
	CodeInternal        Code = "internal"
	CodeInvalid         Code = "invalid"
	CodeUnauthenticated Code = "unauthenticated"
	CodeForbidden       Code = "forbidden"
	CodeNotFound        Code = "not_found"
	CodeConflict        Code = "conflict"
	CodeInProgress      Code = "in_progress" // a Conflict with a request that still runs
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

// An Error is what every layer returns when a request cannot be carried out.
// Message is fit for the caller: it names the field and what it must be.
type Error struct {
	Kind       Kind
	Code       Code     // "" for the code of the kind
	Fields     []string // the inputs at fault, as the caller named them; the message begins with them
	IDs        []ID     // other records that the message names
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

// FieldErrorf makes an Error of a kind about an input, whose name begins the
// message: "field: " and the text.
func FieldErrorf(kind Kind, field, format string, args ...any) *Error {
	return &Error{Kind: kind, Fields: []string{field}, Message: field + ": " + fmt.Sprintf(format, args...)}
}

// InvalidField makes the error of a field that breaks its rule. The rule
// completes the sentence "field must …", as in ("limit", "be an integer from
// 1 to 200").
func InvalidField(field, rule string) *Error {
	return FieldErrorf(Invalid, field, "must %s", rule)
}

// InvalidFields makes one error of several fields that break their rules.
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

// About adds other records that the message names, and returns the error.
func (e *Error) About(ids ...ID) *Error {
	e.IDs = append(e.IDs, ids...)
	return e
}

// NotFoundf makes the error of a record that is not in the workspace.
func NotFoundf(format string, args ...any) *Error { return Errorf(NotFound, format, args...) }
