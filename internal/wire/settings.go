package wire

import (
	"time"

	"parley"
)

// AppendLabel appends a label.
func AppendLabel(b []byte, l *parley.Label) []byte {
	o := open(b)
	o.text("name", l.Name)
	o.text("color", string(l.Color))
	o.time("createdAt", l.CreatedAt)
	o.time("updatedAt", l.UpdatedAt)
	return o.close()
}

// AppendLabelName appends the data of the event of a deleted label.
func AppendLabelName(b []byte, name string) []byte {
	o := open(b)
	o.text("name", name)
	return o.close()
}

// AppendCannedAnswer appends a canned answer.
func AppendCannedAnswer(b []byte, a *parley.CannedAnswer) []byte {
	o := open(b)
	o.id("id", a.ID)
	o.text("shortcut", a.Shortcut)
	o.text("content", a.Content)
	o.time("createdAt", a.CreatedAt)
	o.time("updatedAt", a.UpdatedAt)
	return o.close()
}

// AppendID appends the data of the event of a deleted record.
func AppendID(b []byte, id parley.ID) []byte {
	o := open(b)
	o.id("id", id)
	return o.close()
}

// AppendMerge appends the data of the event of a merge: which contact was
// merged into which.
func AppendMerge(b []byte, id, into parley.ID) []byte {
	o := open(b)
	o.id("id", id)
	o.id("intoId", into)
	return o.close()
}

// AppendSplit appends the data of the event of a split: the new conversation, the one that
// its messages came from, and the first of them.
func AppendSplit(b []byte, id, from, message parley.ID) []byte {
	o := open(b)
	o.id("id", id)
	o.id("fromId", from)
	o.id("messageId", message)
	return o.close()
}

// AppendKey appends an API key without its secret.
func AppendKey(b []byte, k *parley.Key) []byte {
	o := open(b)
	keyMembers(&o, k)
	return o.close()
}

// AppendNewKey appends an API key with its secret, which is shown only this
// once.
func AppendNewKey(b []byte, k *parley.Key, secret parley.Secret) []byte {
	o := open(b)
	keyMembers(&o, k)
	o.text("key", string(secret))
	return o.close()
}

func keyMembers(o *object, k *parley.Key) {
	o.id("id", k.ID)
	o.text("name", k.Name)
	texts(o, "scopes", k.Scopes)
	o.text("display", k.Display())
	o.time("createdAt", k.CreatedAt)
	o.timeOrNull("expiresAt", k.ExpiresAt)
	o.timeOrNull("revokedAt", k.RevokedAt)
	o.timeOrNull("lastUsedAt", k.LastUsedAt)
	actor(o, "createdBy", k.CreatedBy)
}

// AppendStoresUse appends which keys still call the routes under
// /v1/public/stores, and how long those will exist: the days left are rounded
// up, and 0 from the sunset on.
func AppendStoresUse(b []byte, sunset, now time.Time, uses []parley.StoresUse) []byte {
	const day = 24 * time.Hour
	o := open(b)
	o.time("sunset", sunset)
	o.integer("daysLeft", int64(max(0, sunset.Sub(now)+day-1)/day))
	list(&o, "data", uses, appendStoresUse)
	return o.close()
}

func appendStoresUse(b []byte, u *parley.StoresUse) []byte {
	o := open(b)
	key := o.object("key")
	key.id("id", u.Key.ID)
	key.text("name", u.Key.Name)
	key.text("display", u.Key.Display())
	o.put(key)
	o.integer("calls", u.Calls)
	o.text("firstDay", day(u.Days[0].Day))
	o.time("lastAt", u.LastAt)
	list(&o, "days", u.Days, func(b []byte, d *parley.DayCalls) []byte {
		o := open(b)
		o.text("day", day(d.Day))
		o.integer("calls", d.Calls)
		return o.close()
	})
	return o.close()
}

// day writes a day as in 2026-11-20.
func day(at time.Time) string { return at.UTC().Format(time.DateOnly) }
