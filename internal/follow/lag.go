package follow

import (
	"context"

	"parley/internal/desk"
	"parley/internal/store"
)

// A Lag is how many events a follower has not come to yet.
type Lag struct {
	Follower string
	Events   int64 // of all workspaces
	Furthest int64 // of the workspace where it is furthest behind
}

// A LogState is how long the logs are, and how far their followers lag behind.
type LogState struct {
	Events int64 // that the logs of all workspaces have had
	Lags   []Lag
}

// ReadLogState reads the state of the logs of a store.
func ReadLogState(ctx context.Context, d *desk.Desk) (LogState, error) {
	return desk.View(d, func(v *store.View) (state LogState, err error) {
		if state.Events, err = SelectLogLengthAcross(v); err != nil {
			return state, err
		}
		state.Lags, err = SelectLagsAcross(v)
		return state, err
	}).Now(ctx)
}
