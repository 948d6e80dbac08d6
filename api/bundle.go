package api

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
)

// publicFile is how another document names the public one.
const publicFile = "openapi.yaml"

// bundle returns a document together with the components of the public one that
// it refers to, directly or indirectly, so that the result alone is enough to
// generate a client. No component of the two may share kind and name.
func bundle(document, public string) ([]byte, error) {
	b := bundling{taken: map[string]bool{}}
	var err error
	if b.document, err = ordered(document); err != nil {
		return nil, err
	}
	if b.public, err = ordered(public); err != nil {
		return nil, err
	}
	b.point(b.document, publicFile+"#/")
	for len(b.missing) > 0 {
		name := b.missing[0]
		b.missing = b.missing[1:]
		if err := b.take(name); err != nil {
			return nil, err
		}
	}
	return yaml.MarshalWithOptions(b.document, yaml.IndentSequence(true))
}

// ordered parses a document and keeps the order of members.
func ordered(text string) (yaml.MapSlice, error) {
	var document yaml.MapSlice
	if err := yaml.UnmarshalWithOptions([]byte(text), &document, yaml.UseOrderedMap()); err != nil {
		return nil, fmt.Errorf("the OpenAPI document is not YAML: %w", err)
	}
	return document, nil
}

// A bundling is a document that is being completed with everything that it
// refers to.
type bundling struct {
	document, public yaml.MapSlice
	taken            map[string]bool // components, as "schemas/Error"
	missing          []string        // those that are not in the document yet
}

// point makes the references that begin with prefix point into the document
// itself, and records their targets.
func (b *bundling) point(value any, prefix string) {
	switch v := value.(type) {
	case yaml.MapSlice:
		for i := range v {
			ref, ok := v[i].Value.(string)
			if !ok || v[i].Key != "$ref" {
				b.point(v[i].Value, prefix)
				continue
			}
			if pointer, ok := strings.CutPrefix(ref, prefix); ok {
				v[i].Value = "#/" + pointer
				b.note(strings.TrimPrefix(pointer, "components/"))
			}
		}
	case []any:
		for _, inner := range v {
			b.point(inner, prefix)
		}
	}
}

func (b *bundling) note(name string) {
	if !b.taken[name] {
		b.taken[name] = true
		b.missing = append(b.missing, name)
	}
}

// take copies a component of the public document, and records its references in
// turn.
func (b *bundling) take(name string) error {
	kind, of, _ := strings.Cut(name, "/")
	component := member(member(member(b.public, "components"), kind), of)
	if component == nil {
		return fmt.Errorf("the public document has no component %s", name)
	}
	b.point(component, "#/")
	components, _ := member(b.document, "components").(yaml.MapSlice)
	own, _ := member(components, kind).(yaml.MapSlice)
	if member(own, of) != nil {
		return fmt.Errorf("both documents have a component %s", name)
	}
	components = with(components, kind, with(own, of, component))
	b.document = with(b.document, "components", components)
	return nil
}

// member returns a member of an object, nil if there is none.
func member(object any, name string) any {
	members, _ := object.(yaml.MapSlice)
	for _, m := range members {
		if m.Key == name {
			return m.Value
		}
	}
	return nil
}

// with returns an object with a member set; a new member is last.
func with(object yaml.MapSlice, name string, value any) yaml.MapSlice {
	for i := range object {
		if object[i].Key == name {
			object[i].Value = value
			return object
		}
	}
	return append(object, yaml.MapItem{Key: name, Value: value})
}
