package whatsapp

import "time"

// SetAskTime changes how long the network may take for one answer.
func (d *Driver) SetAskTime(limit time.Duration) { d.askTime = limit }

// OpenPostgres opens a database as a driver does.
var OpenPostgres = openPostgres
