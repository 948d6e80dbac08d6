package parley

// An Optional is a field of an update: absent (the zero value), null, or a
// value.
type Optional[T any] struct {
	Set   bool // the field was given
	Null  bool // and was null
	Value T    // its value, unless null
}

// Some returns an Optional that holds v.
func Some[T any](v T) Optional[T] { return Optional[T]{Set: true, Value: v} }

// Null returns an Optional that was given as null.
func Null[T any]() Optional[T] { return Optional[T]{Set: true, Null: true} }

// Has reports whether there is a value that is not null.
func (o Optional[T]) Has() bool { return o.Set && !o.Null }

// Or returns the value, or fallback if absent, or the zero value if null.
func (o Optional[T]) Or(fallback T) T {
	switch {
	case !o.Set:
		return fallback
	case o.Null:
		var zero T
		return zero
	}
	return o.Value
}
