package dashboard

import (
	"context"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/wire"
)

func keyRoutes() []Route {
	const admin = parley.Admin
	return []Route{
		{"listKeys", methodGet, base + "keys", admin, false, (*Dashboard).listKeys},
		{"createKey", methodPost, base + "keys", admin, false, (*Dashboard).createKey},
		{"updateKey", methodPatch, base + "keys/{id}", admin, false, (*Dashboard).updateKey},
		{"revokeKey", methodDelete, base + "keys/{id}", admin, false, (*Dashboard).revokeKey},
		{"getStoresUse", methodGet, base + "keys/stores", admin, false, (*Dashboard).getStoresUse},
	}
}

func keyReply(k parley.Key) httpjson.Reply { return httpjson.OK(wire.AppendKey(nil, &k)) }

func keyScopes() httpjson.Rule[[]parley.Scope] {
	return httpjson.ListOf(1, len(parley.Scopes), httpjson.OneOf(parley.Scopes))
}

func (d *Dashboard) listKeys(c *call) (httpjson.Reply, error) {
	return get(c, func(keys []parley.Key) []byte { return wire.AppendData(nil, keys, wire.AppendKey) }, d.access.Keys(c.ws()))
}

func (d *Dashboard) createKey(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	in := access.NewKey{
		Name:      httpjson.Required(c.Reader, "name", httpjson.Filled(parley.MaxName)),
		Scopes:    httpjson.Required(c.Reader, "scopes", keyScopes()),
		ExpiresAt: httpjson.ChangeOrNull(c.Reader, "expiresAt", httpjson.Time).Value,
	}
	type made struct {
		key    parley.Key
		secret parley.Secret
	}
	return do(c, func(m made) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendNewKey(nil, &m.key, m.secret))
	}, func(ctx context.Context, by desk.Caller) (m made, err error) {
		m.key, m.secret, err = d.access.CreateKey(ctx, by, in)
		return m, err
	})
}

func (d *Dashboard) updateKey(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	in := access.KeyChange{
		Name:   httpjson.Change(c.Reader, "name", httpjson.Filled(parley.MaxName)),
		Scopes: httpjson.Change(c.Reader, "scopes", keyScopes()),
	}
	return do(c, keyReply, func(ctx context.Context, by desk.Caller) (parley.Key, error) {
		return d.access.UpdateKey(ctx, by, id, in)
	})
}

func (d *Dashboard) revokeKey(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, keyReply, func(ctx context.Context, by desk.Caller) (parley.Key, error) {
		return d.access.RevokeKey(ctx, by, id)
	})
}

func (d *Dashboard) getStoresUse(c *call) (httpjson.Reply, error) {
	return get(c, func(uses []parley.StoresUse) []byte {
		return wire.AppendStoresUse(nil, d.sunset, d.clock.Now(), uses)
	}, d.access.StoresUse(c.ws()))
}
