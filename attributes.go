package parley

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// MaxAttributes is the most bytes of JSON that custom attributes may take.
const MaxAttributes = 64 << 10

// Attributes are custom attributes: one JSON object, compact, with sorted keys.
// Empty means the empty object. They are kept as text because the product
// stores and returns them without looking inside.
type Attributes string

// JSON returns the text of the object, "{}" for none.
func (a Attributes) JSON() string {
	if a == "" {
		return "{}"
	}
	return string(a)
}

// Merge returns a copy of a with the members of patch applied: a value
// replaces, null deletes. It returns an Invalid error if either is not a JSON
// object or if the result exceeds MaxAttributes.
func (a Attributes) Merge(patch Attributes) (Attributes, error) {
	if patch == "" {
		return a, nil
	}
	merged, added := map[string]json.RawMessage{}, map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(a.JSON()), &merged); err != nil {
		return "", &Error{Kind: Internal, Message: "stored attributes are no object", Cause: err}
	}
	if err := json.Unmarshal([]byte(patch), &added); err != nil || added == nil {
		return "", InvalidField("customAttributes", "be an object")
	}
	for key, value := range added {
		if string(value) == "null" {
			delete(merged, key)
			continue
		}
		merged[key] = value
	}
	if len(merged) == 0 {
		return "", nil
	}
	return encodeAttributes(merged)
}

func encodeAttributes(members map[string]json.RawMessage) (Attributes, error) {
	var b bytes.Buffer
	for i, key := range slices.Sorted(maps.Keys(members)) {
		if i == 0 {
			b.WriteByte('{')
		} else {
			b.WriteByte(',')
		}
		name, err := json.Marshal(key)
		if err != nil {
			return "", &Error{Kind: Internal, Message: "encode an attribute's name", Cause: err}
		}
		b.Write(name)
		b.WriteByte(':')
		if err := json.Compact(&b, members[key]); err != nil {
			return "", InvalidField("customAttributes", "be an object of JSON values")
		}
	}
	b.WriteByte('}')
	if b.Len() > MaxAttributes {
		return "", InvalidField("customAttributes", "take at most 65536 bytes as JSON")
	}
	return Attributes(b.String()), nil
}
