package desk

import (
	"context"

	"parley"
	"parley/internal/store"
)

// A Read is what a verb returns that only reads. Nothing has been read until a
// caller asks for the result by [Read.Now] or [Read.At].
type Read[T any] struct {
	run func(context.Context, *position) (T, error)
}

// A Viewer is a member or a customer for whom a read is made.
type Viewer struct {
	Workspace parley.WorkspaceID
	Member    parley.UserID // "" for a customer
	Since     int64         // of the member's [parley.Sight]
}

// A position is where a read notes the end of a workspace's log.
type position struct {
	viewer Viewer
	at     parley.LogPosition
}

// note reads the position in a view. It returns parley.ErrSightChanged if the member sees others now.
func (p *position) note(v *store.View) error {
	if p.viewer.Member != "" {
		if err := store.CheckSight(v, p.viewer.Workspace, p.viewer.Member, p.viewer.Since); parley.KindOf(err) == parley.NotFound {
			return ErrSignedOut()
		} else if err != nil {
			return err
		}
	}
	w, err := v.Workspace(p.viewer.Workspace)
	p.at = w.End()
	return err
}

// Now returns the result.
func (r Read[T]) Now(ctx context.Context) (T, error) { return r.run(ctx, nil) }

// At returns the result for a member, and the position of the workspace's log in the very
// snapshot that it was read from: later changes follow in the log after that
// position.
func (r Read[T]) At(ctx context.Context, viewer Viewer) (T, parley.LogPosition, error) {
	p := position{viewer: viewer}
	result, err := r.run(ctx, &p)
	return result, p.at, err
}

// View returns a read in which each query of fn sees the latest state. If a
// caller asks for the position, it is a [Snapshot].
func View[T any](d *Desk, fn func(*store.View) (T, error)) Read[T] {
	return Read[T]{func(ctx context.Context, p *position) (T, error) {
		if p != nil {
			return Snapshot(d, fn).run(ctx, p)
		}
		return read(ctx, d.store.View, fn)
	}}
}

// Snapshot returns a read in which all queries of fn see one state.
func Snapshot[T any](d *Desk, fn func(*store.View) (T, error)) Read[T] {
	return Read[T]{func(ctx context.Context, p *position) (T, error) {
		if p == nil {
			return read(ctx, d.store.Snapshot, fn)
		}
		return read(ctx, d.store.Snapshot, func(v *store.View) (T, error) {
			if err := p.note(v); err != nil {
				var none T
				return none, err
			}
			return fn(v)
		})
	}}
}

func read[T any](ctx context.Context, open func(context.Context, func(*store.View) error) error, fn func(*store.View) (T, error)) (T, error) {
	var result T
	err := open(ctx, func(v *store.View) (err error) {
		result, err = fn(v)
		return err
	})
	return result, err
}

// Then returns a read whose result fn makes of another's, after the view of that
// is closed.
func Then[T, U any](first Read[T], fn func(context.Context, T) (U, error)) Read[U] {
	return Read[U]{func(ctx context.Context, p *position) (U, error) {
		result, err := first.run(ctx, p)
		if err != nil {
			var none U
			return none, err
		}
		return fn(ctx, result)
	}}
}

// Refused returns a read that fails with err and does not open a view.
func Refused[T any](err error) Read[T] {
	return Read[T]{func(context.Context, *position) (T, error) {
		var none T
		return none, err
	}}
}
