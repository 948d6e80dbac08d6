package wire

import (
	"time"

	"parley"
)

// AppendIdentityKey appends a key that verifies customers' identities, in its
// state at a time, without its secret.
func AppendIdentityKey(b []byte, k *parley.IdentityKey, now time.Time) []byte {
	o := open(b)
	identityKeyMembers(&o, k, now)
	return o.close()
}

// AppendNewIdentityKey appends such a key with its new secret, which is shown
// only this once; "" if there is none.
func AppendNewIdentityKey(b []byte, k *parley.IdentityKey, secret string, now time.Time) []byte {
	o := open(b)
	identityKeyMembers(&o, k, now)
	o.textOrNull("secret", secret)
	return o.close()
}

func identityKeyMembers(o *object, k *parley.IdentityKey, now time.Time) {
	o.text("kid", k.KID)
	o.text("algorithm", k.Algorithm)
	o.text("kind", string(k.Kind))
	o.textOrNull("jwksUrl", k.JWKSURL)
	o.text("issuer", k.Issuer)
	o.text("audience", k.Audience)
	o.text("state", string(k.State(now)))
	o.timeOrNull("retireAt", k.RetireAt)
	o.time("createdAt", k.CreatedAt)
	o.timeOrNull("lastUsedAt", k.LastUsedAt)
}

// AppendRejectedIdentity appends a refused identity, for developers.
func AppendRejectedIdentity(b []byte, i *parley.RejectedIdentity) []byte {
	o := open(b)
	o.time("at", i.At)
	o.idOrNull("inboxId", i.InboxID)
	o.text("kid", i.KID)
	o.text("reason", i.Reason)
	o.text("subject", i.Subject)
	o.text("origin", i.Origin)
	return o.close()
}
