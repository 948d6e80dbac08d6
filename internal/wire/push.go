package wire

import "parley"

// AppendPushDevices appends the devices of a member, and the key by which browsers know
// the workspace; "" if the server pushes nothing. current is the session that asks.
func AppendPushDevices(b []byte, publicKey string, devices []parley.PushDevice, current parley.ID) []byte {
	o := open(b)
	o.textOrNull("publicKey", publicKey)
	list(&o, "data", devices, func(b []byte, d *parley.PushDevice) []byte { return AppendPushDevice(b, d, current) })
	return o.close()
}

// AppendPushDevice appends a device.
func AppendPushDevice(b []byte, d *parley.PushDevice, current parley.ID) []byte {
	o := open(b)
	o.id("id", d.ID)
	o.text("userAgent", d.UserAgent)
	o.time("createdAt", d.CreatedAt)
	o.timeOrNull("usedAt", d.UsedAt)
	o.boolean("current", d.SessionID == current)
	return o.close()
}

// AppendPushOutcome appends what became of a notice at a push service.
func AppendPushOutcome(b []byte, outcome parley.PushOutcome) []byte {
	o := open(b)
	o.text("outcome", string(outcome))
	return o.close()
}
