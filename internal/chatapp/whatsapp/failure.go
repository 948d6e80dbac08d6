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

// The duration of a limit if the network does not say when it ends.
const (
	rateLimit   = 5 * time.Minute
	strangerOff = time.Hour // the account may not write first to strangers
	banLimit    = time.Hour
)

// Error codes of the network.
const (
	codeUnauthorized  = 401 // not an admin
	codeForbidden     = 403 // not an admin, or not a member
	codeNotFound      = 404
	codeTimeout       = 408
	codeNotAcceptable = 406 // the name of a group
	codeFull          = 419
	codeRate          = 429
	codeStranger      = 463 // the account may not write first to strangers now
)

// failure converts an error of the library. Unknown errors stay as they are.
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

// queryFailure converts the error of a group query.
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

// sendFailure converts the error of a sent message. The library reports its
// code only in the error text.
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

// sendCode returns the number at the end of an error text, or 0.
func sendCode(err error) int {
	text := err.Error()
	code, parseErr := strconv.Atoi(text[strings.LastIndexByte(text, ' ')+1:])
	if parseErr != nil {
		return 0
	}
	return code
}
