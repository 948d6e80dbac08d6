package numbers

import (
	"context"
	"errors"
	"fmt"

	"parley/internal/chatapp"
)

// Why a message was not sent: for people, and for the outbox.

// A failedFor is why a message failed, in words for people.
type failedFor string

// Error returns the words.
func (f failedFor) Error() string { return string(f) }

// errNoPhone is why a message to one person cannot go out.
const errNoPhone failedFor = "the contact has no phone number that the messaging application could reach"

// reasonOf says in words for people why a message failed. A driver's own text
// is for the log.
func reasonOf(err error) string {
	var words failedFor
	if errors.As(err, &words) {
		return words.Error()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return chatapp.ErrTimeout.Error()
	}
	for _, known := range knownErrors() {
		if errors.Is(err, known.err) {
			return known.err.Error()
		}
	}
	return fmt.Sprintf("the network did not take it, though it was asked %d times", outboxTries)
}

// final reports whether it is no use to send again.
func final(err error) bool {
	var words failedFor
	return errors.Is(err, chatapp.ErrNotMember) || errors.Is(err, chatapp.ErrNotOnChatapp) || errors.Is(err, chatapp.ErrNoGroup) ||
		errors.Is(err, chatapp.ErrRefused) || errors.As(err, &words)
}
