package whatsapp

import (
	"time"

	"parley"
)

// SetRequestTime sets the time limit for one response of the network.
func (d *Driver) SetRequestTime(limit time.Duration) { d.requestTime = limit }

// OpenPostgres opens a database like a driver does.
var OpenPostgres = openPostgres

// SetReturnTime changes how long a number may take to reconnect.
func (d *Driver) SetReturnTime(limit time.Duration) { d.returnTime = limit }

// Tell delivers an event of the library to the session of a number, as if it
// were late.
func (d *Driver) Tell(number parley.ID, event any) {
	d.mu.Lock()
	s := d.sessions[number]
	d.mu.Unlock()
	s.handle(event)
}
