package chatapp_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"parley/internal/chatapp"
)

func TestLimitError(t *testing.T) {
	until := time.Date(2026, 11, 20, 9, 15, 30, 0, time.FixedZone("", 3600))
	err := fmt.Errorf("send: %w", &chatapp.LimitError{Reason: chatapp.Banned, Until: until})
	var limit *chatapp.LimitError
	if !errors.As(err, &limit) || limit.Reason != chatapp.Banned {
		t.Errorf("%v", err)
	}
	if got, want := limit.Error(), "the host is banned until 2026-11-20T08:15:30Z"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOutcomeNames(t *testing.T) {
	seen := map[string]bool{}
	for o := chatapp.Added; o <= chatapp.Refused; o++ {
		seen[o.String()] = true
	}
	if len(seen) != 5 || chatapp.Outcome(9).String() != "Outcome(9)" {
		t.Errorf("%v, %s", seen, chatapp.Outcome(9))
	}
}
