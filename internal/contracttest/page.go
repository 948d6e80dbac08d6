package contracttest

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"slices"
	"sync"
)

// A page is a kind of body that is a list of records, in the member data. Tests
// read the same records again and again, and to hold them against their schema
// costs more than all else of a request, so each is held against it once.
type page struct {
	items string // where the schema of an item is
	most  int    // items
	valid *items
}

// items are the JSON texts that were valid, by a hash of their schema and their
// text: items of pages, and whole bodies, because most errors are the same few.
type items struct {
	mu    sync.Mutex
	known map[[sha256.Size]byte]bool
}

func keyOf(schema string, text []byte) [sha256.Size]byte {
	return sha256.Sum256(append([]byte(schema+" "), text...))
}

func (v *items) has(key [sha256.Size]byte) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.known[key]
}

func (v *items) add(keys ...[sha256.Size]byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, key := range keys {
		v.known[key] = true
	}
}

// pageOf returns the page that a schema describes, nil for any other body.
func pageOf(schema node, valid *items) *page {
	schema = schema.resolve()
	data := schema.at("properties").at("data")
	only := func(n node, names ...string) bool {
		for name := range n.members() {
			if !slices.Contains(names, name) {
				return false
			}
		}
		return true
	}
	if !only(schema, "type", "description", "additionalProperties", "required", "properties") ||
		!only(data, "type", "description", "maxItems", "items") || data.at("items").value == nil {
		return nil
	}
	p := &page{items: data.at("items").pointer, valid: valid}
	if ref, ok := data.at("items").at("$ref").value.(string); ok {
		p.items = ref
	}
	if most, ok := data.at("maxItems").value.(json.Number); ok {
		n, _ := most.Int64() // another text is no schema
		p.most = int(n)
	}
	return p
}

// reduce returns a body without the items that were valid before, and the keys of
// the others.
func (p *page) reduce(body []byte) (reduced []byte, keys [][sha256.Size]byte, err error) {
	var members map[string]json.RawMessage
	var all, unknown []json.RawMessage
	if json.Unmarshal(body, &members) != nil || json.Unmarshal(members["data"], &all) != nil {
		return body, nil, nil //nolint:nilerr // the schema tells what is wrong
	}
	if p.most > 0 && len(all) > p.most {
		return nil, nil, errors.New("the page has too many items")
	}
	for _, item := range all {
		if key := keyOf(p.items, item); !p.valid.has(key) {
			unknown, keys = append(unknown, item), append(keys, key)
		}
	}
	if len(unknown) == len(all) {
		return body, keys, nil
	}
	if unknown == nil {
		unknown = []json.RawMessage{}
	}
	data, err := json.Marshal(unknown)
	if err != nil {
		return nil, nil, err
	}
	members["data"] = data
	reduced, err = json.Marshal(members)
	return reduced, keys, err
}
