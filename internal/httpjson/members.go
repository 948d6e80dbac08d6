package httpjson

import (
	"encoding/json"
	"net/http"

	"parley"
)

// A Rule reads a JSON value. It returns the value, or an error whose text
// completes "must …", as in "be true or false".
//
// Its input is valid JSON without NUL and without halves of surrogate pairs;
// ReadBody has refused those.
type Rule[T any] func(json.RawMessage) (T, error)

// broken is the error of a value that breaks a rule.
type broken string

func (b broken) Error() string { return string(b) }

// Required reads a member of the body that must be present and not null.
func Required[T any](in *Reader, name string, rule Rule[T]) T {
	o := change(in, name, rule, "")
	if !o.Set && in.fatal == nil {
		in.Refuse(name, "be given")
	}
	return o.Value
}

// Default reads a member of the body that has a default if it is absent. Null
// breaks the rule, except in a POST; see [Change].
func Default[T any](in *Reader, name string, rule Rule[T], fallback T) T {
	return Change(in, name, rule).Or(fallback)
}

// Change reads a member of the body that may be absent. Null breaks the rule,
// except in a POST, where it counts as absent: a new record has nothing to
// clear, and many encoders send null for unset fields.
func Change[T any](in *Reader, name string, rule Rule[T]) parley.Optional[T] {
	if raw, _ := in.take(name); string(raw) == "null" && in.request.Method == http.MethodPost {
		return parley.Optional[T]{}
	}
	return change(in, name, rule, "")
}

// ChangeOrNull reads a member of the body that may be absent or null.
func ChangeOrNull[T any](in *Reader, name string, rule Rule[T]) parley.Optional[T] {
	return change(in, name, rule, ", or null")
}

func change[T any](in *Reader, name string, rule Rule[T], orNull string) parley.Optional[T] {
	raw, given := in.take(name)
	switch {
	case !given:
		return parley.Optional[T]{}
	case raw == nil: // ReadBody refused it
		return parley.Optional[T]{Set: true}
	case string(raw) == "null" && orNull != "":
		return parley.Null[T]()
	}
	value, err := rule(raw)
	if err != nil {
		in.Refuse(name, err.Error()+orNull)
	}
	return parley.Some(value)
}

// Object reads a member of the body that is an object and may be absent. read takes the
// members of the object; their faults are named "name.member". Members that it does not
// take are faults too, because Parley-Ignored names only those of the body.
func Object(in *Reader, name string, read func(*Reader)) {
	raw, given := in.take(name)
	if !given || raw == nil {
		return
	}
	inner := &Reader{request: in.request, raw: raw}
	if raw[0] != '{' {
		in.Refuse(name, "be an object")
		return
	}
	if inner.split(); len(inner.problems) > 0 {
		in.Refuse(name, "have each member once")
		return
	}
	read(inner)
	for i := range inner.members {
		if m := &inner.members[i]; !m.taken {
			in.Refuse(name, "not have the member "+headerName(m.name)+", which has no effect")
		}
	}
	for _, p := range inner.problems {
		in.Refuse(name+"."+p.Field, p.Rule)
	}
}
