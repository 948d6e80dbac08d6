package dashboard

import (
	"context"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

// maxPublicKey is the most bytes of a pasted public key, which may be a
// certificate.
const maxPublicKey = 16 << 10

// identityRoutes manage the keys that verify customers' identities, for owners
// and admins, and list refused identities for the workspace's developers.
func identityRoutes() []Route {
	const admin, owner = parley.Admin, parley.Owner
	return []Route{
		{"listIdentityKeys", methodGet, base + "identity-keys", owner, false, (*Dashboard).listIdentityKeys},
		{"createIdentityKey", methodPost, base + "identity-keys", owner, false, (*Dashboard).createIdentityKey},
		{"retireIdentityKey", methodPost, base + "identity-keys/{kid}/retire", owner, false, (*Dashboard).retireIdentityKey},
		{"revokeIdentityKey", methodDelete, base + "identity-keys/{kid}", owner, false, (*Dashboard).revokeIdentityKey},
		{"listIdentityRejections", methodGet, base + "identity-rejections", admin, false, (*Dashboard).listIdentityRejections},
	}
}

func (d *Dashboard) appendIdentityKey(b []byte, k *parley.IdentityKey) []byte {
	return wire.AppendIdentityKey(b, k, d.clock.Now())
}

func (d *Dashboard) identityKeyReply(k parley.IdentityKey) httpjson.Reply {
	return httpjson.OK(d.appendIdentityKey(nil, &k))
}

func (d *Dashboard) listIdentityKeys(c *call) (httpjson.Reply, error) {
	return get(c, func(keys []parley.IdentityKey) []byte {
		return wire.AppendData(nil, keys, d.appendIdentityKey)
	}, d.customers.IdentityKeys(c.ws()))
}

func (d *Dashboard) createIdentityKey(c *call) (httpjson.Reply, error) {
	c.ReadOptionalBody()
	orNull := func(name string, rule httpjson.Rule[string]) string {
		return httpjson.ChangeOrNull(c.Reader, name, rule).Value
	}
	in := customers.NewIdentityKey{
		Kind:      httpjson.Default(c.Reader, "kind", httpjson.OneOf(parley.IdentityKeyKinds), parley.SecretKey),
		Algorithm: orNull("algorithm", httpjson.OneOf(parley.IdentityAlgorithms)),
		Secret:    orNull("secret", httpjson.Filled(parley.MaxName)),
		PublicKey: orNull("publicKey", httpjson.Content(maxPublicKey)),
		JWKSURL:   orNull("jwksUrl", httpjson.URL),
		Issuer:    orNull("issuer", httpjson.Text(parley.MaxName)),
		Audience:  orNull("audience", httpjson.Text(parley.MaxName)),
	}
	type made struct {
		key    parley.IdentityKey
		secret string
	}
	return do(c, func(m made) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendNewIdentityKey(nil, &m.key, m.secret, d.clock.Now()))
	}, func(ctx context.Context, by desk.Caller) (m made, err error) {
		m.key, m.secret, err = d.customers.CreateIdentityKey(ctx, by, in)
		return m, err
	})
}

func (d *Dashboard) retireIdentityKey(c *call) (httpjson.Reply, error) {
	kid := c.PathText("kid")
	c.ReadBody()
	days := httpjson.Required(c.Reader, "days", httpjson.Whole(0, parley.MaxRetireDays))
	return do(c, d.identityKeyReply, func(ctx context.Context, by desk.Caller) (parley.IdentityKey, error) {
		return d.customers.RetireIdentityKey(ctx, by, kid, days)
	})
}

func (d *Dashboard) revokeIdentityKey(c *call) (httpjson.Reply, error) {
	kid := c.PathText("kid")
	return do(c, d.identityKeyReply, func(ctx context.Context, by desk.Caller) (parley.IdentityKey, error) {
		return d.customers.RevokeIdentityKey(ctx, by, kid)
	})
}

func (d *Dashboard) listIdentityRejections(c *call) (httpjson.Reply, error) {
	return get(c, func(all []parley.RejectedIdentity) []byte {
		return wire.AppendData(nil, all, wire.AppendRejectedIdentity)
	}, d.customers.RejectedIdentities(c.ws()))
}
