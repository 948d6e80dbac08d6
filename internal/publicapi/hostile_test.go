package publicapi_test

import (
	"testing"

	"parley/internal/apitest"
	"parley/internal/store"
)

// TestHostileRequests sends generated requests to the public API.
func TestHostileRequests(t *testing.T) {
	apitest.SurviveHostility(t, 20_000, 5_000, func(t *testing.T, o store.Options) apitest.HostileWorld {
		w := newWorld(t, o, worldOptions{})
		return apitest.HostileWorld{
			World: w.World, Surface: surface(samples(w.records())),
			IDs: []string{w.product.ID.String(), string(w.Home.Owner.ID), w.Home.Inbox.ID.String()},
		}
	})
}
