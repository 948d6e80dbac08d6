package access_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk/desktest"
)

// signIn tries a password of the owner.
func signIn(w *desktest.World, password, address string, tickets access.Tickets) (access.Entry, error) {
	return w.Access.SignIn(w.T.Context(), access.SignIn{
		Email: w.Home.Owner.Email, Password: password, Address: address, Tickets: tickets,
	})
}

// limited requires that an attempt must wait, and for how long.
func limited(t *testing.T, what string, err error, wait time.Duration) {
	t.Helper()
	var refused *parley.Error
	if !errors.As(err, &refused) || refused.Kind != parley.Limited || refused.RetryAfter != wait {
		t.Errorf("%s: the error is %+v, want a wait of %v", what, err, wait)
	}
}

// TestThrottle guesses the owner's password from one address: that address waits
// for the end of its window, another one for the delay of the account, and a
// browser that signed in before for nothing.
func TestThrottle(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		right := w.Home.OwnerPassword
		known, err := signIn(w, right, "192.0.2.1", "")
		w.Must(err)
		for range 10 {
			_, err := signIn(w, "wrong", "192.0.2.1", "")
			w.Refused(err, parley.Unauthenticated, "email or password is wrong")
		}
		w.Advance(500 * time.Millisecond)
		_, err = signIn(w, right, "192.0.2.1", "")
		limited(t, "the guessing address", err, 15*time.Minute-500*time.Millisecond)
		_, err = signIn(w, right, "192.0.2.2", "")
		limited(t, "another address", err, 500*time.Millisecond)
		if again, err := signIn(w, right, "192.0.2.1", known.Tickets); err != nil || again.SignedIn.Member.ID != w.Home.Owner.ID {
			t.Errorf("a browser that signed in before gets %+v, %v", again, err)
		}
		w.Advance(500 * time.Millisecond)
		_, err = signIn(w, right, "192.0.2.2", "")
		w.Must(err)
		_, err = signIn(w, right, "192.0.2.1", "")
		limited(t, "the guessing address, after another one's success", err, 14*time.Minute+59*time.Second)
		w.Advance(15 * time.Minute)
		_, err = signIn(w, right, "192.0.2.1", "")
		w.Must(err)
	})
}

// TestThrottleOfMany sends many guesses concurrently: they must not all be
// counted too late.
func TestThrottleOfMany(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		var tried, limited atomic.Int64
		var all sync.WaitGroup
		for range 30 {
			all.Go(func() {
				_, err := w.Access.SignIn(t.Context(), access.SignIn{Email: "owner@home.example", Password: "wrong", Address: "192.0.2.1"})
				switch parley.KindOf(err) {
				case parley.Unauthenticated:
					tried.Add(1)
				case parley.Limited:
					limited.Add(1)
				default:
					t.Errorf("the error is %v", err)
				}
			})
		}
		all.Wait()
		if tried.Load() != 10 || limited.Load() != 20 {
			t.Errorf("%d passwords were tried and %d refused, want 10 and 20", tried.Load(), limited.Load())
		}
	})
}
