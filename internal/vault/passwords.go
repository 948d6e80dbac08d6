package vault

import "context"

// Passwords hashes and verifies passwords for callers from outside, a bounded
// number at once: each takes 19 MiB and tens of milliseconds of a processor.
// Its methods may be called by many goroutines.
type Passwords struct{ slots chan struct{} }

// NewPasswords returns Passwords that work on at most atOnce passwords at a
// time.
func NewPasswords(atOnce int) *Passwords {
	return &Passwords{slots: make(chan struct{}, atOnce)}
}

// Hash is HashPassword after waiting for a slot. A context that ends first is
// its error.
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	if err := p.enter(ctx); err != nil {
		return "", err
	}
	defer p.leave()
	return HashPassword(password)
}

// Verify is VerifyPassword after waiting for a slot. A context that ends first
// is its error.
func (p *Passwords) Verify(ctx context.Context, password, phc string) (bool, error) {
	if err := p.enter(ctx); err != nil {
		return false, err
	}
	defer p.leave()
	return VerifyPassword(password, phc)
}

// VerifyNone takes the time of Verify for somebody who is not known, so that
// the time of an answer does not tell who is.
func (p *Passwords) VerifyNone(ctx context.Context, password string) error {
	_, err := p.Hash(ctx, password)
	return err
}

func (p *Passwords) enter(ctx context.Context) error {
	// Of two that are ready, a select takes either; who has left gets nothing.
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case p.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (p *Passwords) leave() { <-p.slots }
