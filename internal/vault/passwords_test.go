package vault_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"parley/internal/vault"
)

func TestPasswords(t *testing.T) {
	p := vault.NewPasswords(2, vault.Recommended())
	hash, err := p.Hash(t.Context(), "right")
	if err != nil {
		t.Fatal(err)
	}
	for password, want := range map[string]bool{"right": true, "wrong": false} {
		if got, err := p.Verify(t.Context(), password, hash); err != nil || got != want {
			t.Errorf("Verify of %q gave %t, %v", password, got, err)
		}
	}
	if _, err := p.Verify(t.Context(), "right", "damaged"); !errors.Is(err, vault.ErrHash) {
		t.Errorf("Verify of a damaged hash gave %v", err)
	}
	if err := p.VerifyNone(t.Context(), "right"); err != nil {
		t.Errorf("VerifyNone gave %v", err)
	}
}

// TestVerifyNoneCostsAHash compares the memory and the passes of VerifyNone with
// those of a hash.
func TestVerifyNoneCostsAHash(t *testing.T) {
	parameters := func(phc string) string { return strings.Join(strings.Split(phc, "$")[:4], "$") }
	for _, cost := range []vault.Cost{{Memory: 64, Passes: 1}, {Memory: 64, Passes: 3}, {Memory: 128, Passes: 1}} {
		p := vault.NewPasswords(1, cost)
		hash, err := p.Hash(t.Context(), "right")
		if err != nil {
			t.Fatal(err)
		}
		if got, want := parameters(p.Nobody()), parameters(hash); got != want {
			t.Errorf("VerifyNone costs %s, a hash %s", got, want)
		}
		if err := p.VerifyNone(t.Context(), "right"); err != nil {
			t.Errorf("VerifyNone gave %v", err)
		}
	}
}

// TestPasswordsWait fills all slots. A caller that stops waiting gets nothing,
// and one that waits continues as soon as a slot is free.
func TestPasswordsWait(t *testing.T) {
	p := vault.NewPasswords(2, vault.Recommended())
	leave := []func(){p.Occupy(t.Context()), p.Occupy(t.Context())}
	gone, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	waits := func(call func(context.Context) error) {
		all.Go(func() {
			if err := call(gone); !errors.Is(err, context.Canceled) {
				t.Errorf("the error is %v, want that of the context", err)
			}
		})
	}
	waits(func(ctx context.Context) error { _, err := p.Hash(ctx, "x"); return err })
	waits(func(ctx context.Context) error { _, err := p.Verify(ctx, "x", "damaged"); return err })
	waits(func(ctx context.Context) error { return p.VerifyNone(ctx, "x") })
	cancel()
	all.Wait()
	done := make(chan error)
	go func() { done <- p.VerifyNone(t.Context(), "x") }()
	leave[0]()
	if err := <-done; err != nil {
		t.Errorf("with a free slot the error is %v", err)
	}
	leave[1]()
}
