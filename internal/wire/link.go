package wire

import "parley"

// AppendLinkSignal appends that two conversations are linked, or no longer.
func AppendLinkSignal(b []byte, id, other parley.ID) []byte {
	o := open(b)
	o.id("conversationId", id)
	o.id("otherId", other)
	return o.close()
}
