package vault

// Occupy takes a turn until release is called.
func (p *Passwords) Occupy() (release func()) {
	p.turns <- struct{}{}
	return p.leave
}
