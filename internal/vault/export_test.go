package vault

// Occupy takes a turn until release is called.
func (p *Passwords) Occupy() (release func()) {
	p.turns <- struct{}{}
	return p.leave
}

// MakeKeyFile is what FromFile does when it finds no file.
var MakeKeyFile = makeKeyFile
