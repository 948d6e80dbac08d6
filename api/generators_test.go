package api_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestRequestsAreTyped requires schemas of requests from which generators make
// types that detect mistakes. An explicit "any member" accepts every typing
// error (a request is open by default), a default makes some generators require
// the member, and alternatives become a union that allows anything.
func TestRequestsAreTyped(t *testing.T) {
	for name, d := range documents() {
		root := rootOf(t, d)
		bodies := 0
		eachOperation(root, func(id string, operation map[string]any) {
			body, ok := pointed(operation, "#/requestBody/content").(map[string]any)
			if !ok {
				return
			}
			bodies++
			eachSchema(root, body, map[string]bool{}, func(path string, s map[string]any) {
				_, described := s["properties"]
				if described && s["additionalProperties"] == true {
					t.Errorf("%s: %s: %s allows any member", name, id, path)
				}
				if _, ok := s["default"]; ok {
					t.Errorf("%s: %s: %s has a default; say it in words", name, id, path)
				}
				if len(alternatives(s)) > 1 {
					t.Errorf("%s: %s: %s has alternatives", name, id, path)
				}
			})
		})
		if bodies < 3 {
			t.Errorf("%s: only %d bodies were found", name, bodies)
		}
	}
}

// TestParametersArePlain requires that every parameter has one plain type.
func TestParametersArePlain(t *testing.T) {
	for name, d := range documents() {
		root := rootOf(t, d)
		eachOperation(root, func(id string, operation map[string]any) {
			parameters, _ := operation["parameters"].([]any)
			for _, p := range parameters {
				parameter := resolved(root, p)
				if kind, ok := resolved(root, parameter["schema"])["type"].(string); !ok {
					t.Errorf("%s: %s: the parameter %v has no plain type: %v", name, id, parameter["name"], kind)
				}
			}
		})
	}
}

// TestTypesHaveNamesOfTheirOwn requires that no parameter has a schema's name,
// because generators make a type of each, and oapi-codegen fails.
func TestTypesHaveNamesOfTheirOwn(t *testing.T) {
	for name, d := range documents() {
		root := rootOf(t, d)
		schemas, _ := pointed(root, "#/components/schemas").(map[string]any)
		parameters, _ := pointed(root, "#/components/parameters").(map[string]any)
		for parameter := range parameters {
			if _, ok := schemas[parameter]; ok {
				t.Errorf("%s: a parameter and a schema are called %s", name, parameter)
			}
		}
		if len(schemas) < 3 || len(parameters) < 3 {
			t.Errorf("%s: only %d schemas and %d parameters were found", name, len(schemas), len(parameters))
		}
	}
}

func rootOf(t *testing.T, d interface{ JSON() ([]byte, error) }) map[string]any {
	t.Helper()
	text, err := d.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	return root
}

func eachOperation(root map[string]any, visit func(id string, operation map[string]any)) {
	paths, _ := root["paths"].(map[string]any)
	for _, item := range paths {
		methods, _ := item.(map[string]any)
		for _, o := range methods {
			operation, _ := o.(map[string]any)
			id, _ := operation["operationId"].(string)
			visit(id, operation)
		}
	}
}

// resolved follows a value that is a reference.
func resolved(root map[string]any, value any) map[string]any {
	object, _ := value.(map[string]any)
	if ref, ok := object["$ref"].(string); ok {
		return resolved(root, pointed(root, ref))
	}
	return object
}

// eachSchema visits a value and everything in it, including the targets of its
// references, each target once.
func eachSchema(root map[string]any, value any, seen map[string]bool, visit func(path string, s map[string]any)) {
	var walk func(path string, value any)
	walk = func(path string, value any) {
		switch v := value.(type) {
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				if !seen[ref] {
					seen[ref] = true
					walk(strings.TrimPrefix(ref, "#/components/"), pointed(root, ref))
				}
				return
			}
			visit(path, v)
			for name, inner := range v {
				if !slices.Contains([]string{"example", "examples", "mapping"}, name) {
					walk(path+"/"+name, inner)
				}
			}
		case []any:
			for _, inner := range v {
				walk(path, inner)
			}
		}
	}
	walk("", value)
}

// alternatives returns those of a schema, without null.
func alternatives(s map[string]any) []any {
	one, _ := s["oneOf"].([]any)
	other, _ := s["anyOf"].([]any)
	return slices.DeleteFunc(slices.Concat(one, other), func(a any) bool {
		object, _ := a.(map[string]any)
		return object["type"] == "null"
	})
}

// TestUnionsAreTagged requires that the alternatives in an answer, except null,
// are distinguished by one member.
func TestUnionsAreTagged(t *testing.T) {
	for name, d := range documents() {
		root := rootOf(t, d)
		eachOperation(root, func(id string, operation map[string]any) {
			eachSchema(root, operation["responses"], map[string]bool{}, func(path string, s map[string]any) {
				if all := alternatives(s); len(all) > 1 && s["discriminator"] == nil {
					t.Errorf("%s: %s: %s is one of %d kinds that no member tells apart", name, id, path, len(all))
				}
			})
		})
	}
}
