package dashboard_test

import (
	"testing"

	"parley/internal/apitest"
	"parley/internal/store"
)

// TestHostileRequests sends generated requests of signed-in owners to the dashboard's API.
func TestHostileRequests(t *testing.T) {
	apitest.SurviveHostility(t, 5_000, 1_500, func(t *testing.T, o store.Options) apitest.HostileWorld {
		w := newWorld(t, o)
		return apitest.HostileWorld{World: w.World, Surface: surface(w), IDs: []string{string(w.Home.Owner.ID), w.Home.Inbox.ID.String()}}
	})
}
