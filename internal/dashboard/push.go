package dashboard

import (
	"context"
	"net/http"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/push"
	"parley/internal/wire"
)

// maxEndpoint is the most characters of an address at a push service; a maxPushKey those
// of a key.
const (
	maxEndpoint = 2000
	maxPushKey  = 200
)

func pushRoutes() []Route {
	const agent, path = parley.Agent, base + "push-devices"
	return []Route{
		{"listPushDevices", methodGet, path, agent, false, listPushDevices},
		{"addPushDevice", methodPost, path, agent, false, addPushDevice},
		{"removePushDevice", methodDelete, path + "/{id}", agent, false, removePushDevice},
		{"testPushDevice", methodPost, path + "/{id}/test", agent, false, testPushDevice},
	}
}

func listPushDevices(d *Dashboard, c *call) (httpjson.Reply, error) {
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	key, err := d.work.Push.PublicKey(c.Context(), c.ws())
	if err != nil {
		return httpjson.Reply{}, err
	}
	return get(c, func(devices []parley.PushDevice) []byte {
		return wire.AppendPushDevices(nil, key, devices, c.in.Session.ID)
	},
		d.work.Push.Devices(c.ws(), c.in.Member.ID))
}

func addPushDevice(d *Dashboard, c *call) (httpjson.Reply, error) {
	c.ReadBody()
	endpoint := httpjson.Required(c.Reader, "endpoint", httpjson.Filled(maxEndpoint))
	public := httpjson.Required(c.Reader, "p256dh", httpjson.Filled(maxPushKey))
	auth := httpjson.Required(c.Reader, "auth", httpjson.Filled(maxPushKey))
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	subscription, err := push.NewSubscription(endpoint, public, auth)
	if err != nil {
		return httpjson.Reply{}, err
	}
	return do(c, func(device parley.PushDevice) httpjson.Reply {
		return httpjson.Reply{Status: http.StatusCreated, Body: wire.AppendPushDevice(nil, &device, c.in.Session.ID)}
	}, func(ctx context.Context, by desk.Caller) (parley.PushDevice, error) {
		return d.work.Push.AddDevice(ctx, by, c.in.Session, subscription)
	})
}

func removePushDevice(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	key, err := d.work.Push.PublicKey(c.Context(), c.ws())
	if err != nil {
		return httpjson.Reply{}, err
	}
	return do(c, func(left []parley.PushDevice) httpjson.Reply {
		return httpjson.OK(wire.AppendPushDevices(nil, key, left, c.in.Session.ID))
	}, func(ctx context.Context, by desk.Caller) ([]parley.PushDevice, error) {
		return d.work.Push.RemoveDevice(ctx, by, id)
	})
}

func testPushDevice(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, func(outcome parley.PushOutcome) httpjson.Reply {
		return httpjson.OK(wire.AppendPushOutcome(nil, outcome))
	}, func(ctx context.Context, by desk.Caller) (parley.PushOutcome, error) {
		return d.work.Push.Test(ctx, by, id)
	})
}
