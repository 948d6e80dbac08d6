package vault

import "context"

// MakeKeyFile is what FromFile does when it finds no file.
var MakeKeyFile = makeKeyFile

// Nobody is the hash that VerifyNone goes by.
func (p *Passwords) Nobody() string { return p.nobody }

// Occupy takes a slot until leave is called.
func (p *Passwords) Occupy(ctx context.Context) (leave func()) {
	if err := p.enter(ctx); err != nil {
		panic(err)
	}
	return p.leave
}
