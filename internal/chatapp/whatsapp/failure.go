package whatsapp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.mau.fi/whatsmeow"

	"parley/internal/chatapp"
)

// How long a limit holds whose end the network does not tell.
const (
	rateLimit   = 5 * time.Minute
	strangerOff = time.Hour // it lets nobody write to strangers
	banLimit    = time.Hour
)

// The codes of the network's refusals.
const (
	codeUnauthorized  = 401 // not an admin
	codeForbidden     = 403 // not an admin, or not a member
	codeNotFound      = 404
	codeTimeout       = 408
	codeNotAcceptable = 406 // the name of a group
	codeFull          = 419
	codeRate          = 429
	codeStranger      = 463 // the account may not write to strangers now
)

// failure translates an error of the library. What it does not know stays as
// it is.
func failure(err error, now time.Time) error {
	if err == nil {
		return nil
	}
	var iq *whatsmeow.IQError
	var cut *whatsmeow.DisconnectedError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, whatsmeow.ErrIQTimedOut), errors.Is(err, whatsmeow.ErrMessageTimedOut), errors.As(err, &cut):
		return fmt.Errorf("%w: %w", chatapp.ErrTimeout, err)
	case errors.Is(err, whatsmeow.ErrNotConnected), errors.Is(err, whatsmeow.ErrNotLoggedIn):
		return fmt.Errorf("%w: %w", chatapp.ErrNotConnected, err)
	case errors.As(err, &iq):
		return queryFailure(err, iq, now)
	case errors.Is(err, whatsmeow.ErrServerReturnedError):
		return sendFailure(err, now)
	}
	return err
}

// queryFailure translates the refusal of a query about groups.
func queryFailure(err error, iq *whatsmeow.IQError, now time.Time) error {
	switch iq.Code {
	case codeUnauthorized, codeForbidden:
		return fmt.Errorf("%w: %w", chatapp.ErrNotAdmin, err)
	case codeNotFound:
		return fmt.Errorf("%w: %w", chatapp.ErrNoGroup, err)
	case codeNotAcceptable:
		return fmt.Errorf("%w: %w", chatapp.ErrName, err)
	case codeFull:
		return fmt.Errorf("%w: %w", chatapp.ErrFull, err)
	case codeRate:
		wait := rateLimit
		if iq.ErrorNode != nil {
			wait = cmp.Or(time.Duration(iq.ErrorNode.AttrGetter().OptionalInt("backoff"))*time.Second, rateLimit)
		}
		return &chatapp.LimitError{Reason: chatapp.RateLimited, Until: now.Add(wait)}
	case codeTimeout:
		return fmt.Errorf("%w: %w", chatapp.ErrTimeout, err)
	}
	return err
}

// sendFailure translates the refusal of a message, whose code the library
// tells in its text alone.
func sendFailure(err error, now time.Time) error {
	code := sendCode(err)
	switch {
	case code == codeStranger:
		return &chatapp.LimitError{Reason: chatapp.Restricted, Until: now.Add(strangerOff)}
	case code == codeRate:
		return &chatapp.LimitError{Reason: chatapp.RateLimited, Until: now.Add(rateLimit)}
	case code == codeForbidden:
		return fmt.Errorf("%w: %w", chatapp.ErrNotMember, err)
	case code == codeNotFound:
		return fmt.Errorf("%w: %w", chatapp.ErrNoGroup, err)
	case code >= 400 && code < 500 && code != codeTimeout:
		return fmt.Errorf("%w: %w", chatapp.ErrRefused, err)
	}
	return err
}

// sendCode returns the number at the end of a refusal, or 0.
func sendCode(err error) int {
	text := err.Error()
	code, parseErr := strconv.Atoi(text[strings.LastIndexByte(text, ' ')+1:])
	if parseErr != nil {
		return 0
	}
	return code
}
