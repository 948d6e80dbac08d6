package dashboard

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

func (d *Dashboard) listIdentityKeys(c *call) (httpjson.Reply, error) {
	return get(c, func(keys []parley.IdentityKey) []byte {
		return wire.AppendData(nil, keys, wire.AppendIdentityKey)
	}, d.desk.IdentityKeys)
}

func (d *Dashboard) createIdentityKey(c *call) (httpjson.Reply, error) {
	type made struct {
		key    parley.IdentityKey
		secret string
	}
	return do(c, func(m made) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendNewIdentityKey(nil, &m.key, m.secret))
	}, func(ctx context.Context, by desk.Caller) (m made, err error) {
		m.key, m.secret, err = d.desk.CreateIdentityKey(ctx, by)
		return m, err
	})
}

func (d *Dashboard) deleteIdentityKey(c *call) (httpjson.Reply, error) {
	kid := c.PathText("kid")
	return do(c, func(k parley.IdentityKey) httpjson.Reply {
		return httpjson.OK(wire.AppendIdentityKey(nil, &k))
	}, func(ctx context.Context, by desk.Caller) (parley.IdentityKey, error) {
		return d.desk.DeleteIdentityKey(ctx, by, kid)
	})
}
