package vault

import "context"

// Passwords hashes and verifies passwords with bounded concurrency: each takes
// 19 MiB and tens of milliseconds of processor time. Its methods are safe for
// concurrent use.
type Passwords struct {
	cost   Cost
	nobody string // a hash of that cost, of no known password
	slots  chan struct{}
}

// NewPasswords returns Passwords that process at most atOnce passwords at a
// time.
func NewPasswords(atOnce int, c Cost) *Passwords {
	return &Passwords{cost: c, nobody: c.phc(make([]byte, argonSalt), make([]byte, argonHash)), slots: make(chan struct{}, atOnce)}
}

// Hash calls [Cost.Hash] after waiting for a slot. It returns the error of the
// context if that ends first.
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	if err := p.enter(ctx); err != nil {
		return "", err
	}
	defer p.leave()
	return p.cost.Hash(password)
}

// Verify calls [VerifyPassword] after waiting for a slot. It returns the error
// of the context if that ends first.
func (p *Passwords) Verify(ctx context.Context, password, phc string) (bool, error) {
	if phc == "" {
		return false, p.VerifyNone(ctx, password)
	}
	if err := p.enter(ctx); err != nil {
		return false, err
	}
	defer p.leave()
	return VerifyPassword(password, phc)
}

// VerifyNone takes as long as Verify, for an unknown account, so that the
// response time does not reveal which accounts exist.
func (p *Passwords) VerifyNone(ctx context.Context, password string) error {
	_, err := p.Verify(ctx, password, p.nobody)
	return err
}

func (p *Passwords) enter(ctx context.Context) error {
	// select picks a ready case at random, and a caller that has gone should
	// get no slot.
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
