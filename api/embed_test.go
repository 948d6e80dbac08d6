package api_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"parley/api"
)

// A document is the part of the OpenAPI document that these tests read.
type document struct {
	OpenAPI    string                          `json:"openapi"`
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Headers    map[string]parameter `json:"headers"`
		Parameters map[string]parameter `json:"parameters"`
		Responses  map[string]response  `json:"responses"`
		Schemas    map[string]schema    `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	OperationID  string              `json:"operationId"`
	Tags         []string            `json:"tags"`
	Summary      string              `json:"summary"`
	Description  string              `json:"description"`
	Deprecated   bool                `json:"deprecated"`
	Security     *[]json.RawMessage  `json:"security"`
	Scopes       [][]string          `json:"x-scopes"`
	LegacyScopes [][]string          `json:"x-legacy-scopes"`
	Parameters   []parameter         `json:"parameters"`
	RequestBody  *response           `json:"requestBody"`
	Responses    map[string]response `json:"responses"`
}

type parameter struct {
	Ref         string `json:"$ref"`
	Description string `json:"description"`
	Schema      schema `json:"schema"`
}

type response struct {
	Ref     string                     `json:"$ref"`
	Headers map[string]json.RawMessage `json:"headers"`
	Content map[string]struct {
		Schema  schema          `json:"schema"`
		Example json.RawMessage `json:"example"`
	} `json:"content"`
}

type schema struct {
	Ref         string            `json:"$ref"`
	Type        json.RawMessage   `json:"type"`
	Description string            `json:"description"`
	Additional  json.RawMessage   `json:"additionalProperties"`
	Required    []string          `json:"required"`
	Properties  map[string]schema `json:"properties"`
	Examples    []json.RawMessage `json:"examples"`
	OneOf       []schema          `json:"oneOf"`
	AnyOf       []schema          `json:"anyOf"`
	Items       *schema           `json:"items"`
}

func read(t *testing.T) document {
	t.Helper()
	text, err := api.Public().JSON()
	if err != nil {
		t.Fatal(err)
	}
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// each runs a test for every operation.
func (d document) each(t *testing.T, test func(t *testing.T, path, method string, o operation)) {
	t.Helper()
	for path, item := range d.Paths {
		for method, o := range item {
			t.Run(o.OperationID, func(t *testing.T) { test(t, path, method, o) })
		}
	}
}

func (d document) response(r response) response {
	if name, ok := strings.CutPrefix(r.Ref, "#/components/responses/"); ok {
		return d.Components.Responses[name]
	}
	return r
}

func TestJSONKeepsTheOrder(t *testing.T) {
	for name, d := range documents() {
		if _, text := texts(t, d); !bytes.HasPrefix(text, []byte(`{"openapi": "3.1.0", "info": {`)) {
			t.Errorf("%s: the members are not in the order of the YAML: %.60s", name, text)
		}
	}
}

func TestJSONIsACopy(t *testing.T) {
	first, err := api.Public().JSON()
	if err != nil {
		t.Fatal(err)
	}
	first[0] = 'x'
	if second, err := api.Public().JSON(); err != nil || second[0] != '{' {
		t.Errorf("a caller changed the document: %.20s (%v)", second, err)
	}
}

func TestOperations(t *testing.T) {
	d := read(t)
	if len(d.Paths) == 0 || d.OpenAPI != "3.1.0" {
		t.Fatalf("this is no OpenAPI 3.1 document: %q, %d paths", d.OpenAPI, len(d.Paths))
	}
	named := regexp.MustCompile(`^[a-z]+[A-Za-z]+$`)
	seen := map[string]bool{}
	d.each(t, func(t *testing.T, path, method string, o operation) {
		if !named.MatchString(o.OperationID) || seen[o.OperationID] {
			t.Errorf("%s %s has no operationId of its own: %q", method, path, o.OperationID)
		}
		seen[o.OperationID] = true
		if o.Summary == "" || o.Description == "" || len(o.Tags) != 1 {
			t.Error("it must have a summary, a description and one tag")
		}
		stores := strings.HasPrefix(path, "/v1/public/stores")
		if o.Deprecated != stores {
			t.Errorf("deprecated is %t", o.Deprecated)
		}
		for status, r := range o.Responses {
			r = d.response(r)
			for name, want := range map[string]bool{
				"X-Request-Id": true, "WWW-Authenticate": status == "401", "Retry-After": status == "429" || status == "503",
				"Deprecation": stores, "Sunset": stores, "Link": stores,
			} {
				if _, ok := r.Headers[name]; ok != want {
					t.Errorf("%s: the header %s is documented: %t, want %t", status, name, ok, want)
				}
			}
		}
		_, limited := o.Responses["429"]
		keyless := o.Security != nil && len(*o.Security) == 0
		if !keyless && !limited || keyless == (len(o.Scopes) > 0) {
			t.Errorf("with a key: %t, limited: %t, scopes: %v", !keyless, limited, o.Scopes)
		}
		for _, scope := range slices.Concat(slices.Concat(o.Scopes...), slices.Concat(o.LegacyScopes...)) {
			if !strings.Contains(o.Description, "`"+scope+"`") {
				t.Errorf("the description does not tell of the scope %s", scope)
			}
		}
		if posts := method == "post"; posts != slices.ContainsFunc(o.Parameters, func(p parameter) bool { return strings.HasSuffix(p.Ref, "IdempotencyKey") }) {
			t.Errorf("only a POST takes an Idempotency-Key")
		}
	})
}

// TestWords requires plain words and an example for everything that has a name.
func TestWords(t *testing.T) {
	d := read(t)
	for name, p := range d.Components.Parameters {
		if p.Description == "" || len(p.Schema.Examples) == 0 && p.Schema.Ref == "" {
			t.Errorf("the parameter %s lacks a description or an example", name)
		}
	}
	for name, h := range d.Components.Headers {
		if h.Description == "" || len(h.Schema.Examples) == 0 {
			t.Errorf("the header %s lacks a description or an example", name)
		}
	}
	for name, s := range d.Components.Schemas {
		if s.Description == "" {
			t.Errorf("the schema %s lacks a description", name)
		}
		for member, p := range s.Properties {
			if p.Description == "" {
				t.Errorf("%s.%s lacks a description", name, member)
			}
			if len(p.Examples) == 0 && !p.shared() {
				t.Errorf("%s.%s lacks an example", name, member)
			}
		}
	}
	for path, item := range d.Paths {
		for method, o := range item {
			if o.RequestBody == nil {
				continue
			}
			for kind, content := range o.RequestBody.Content {
				if len(content.Example) == 0 {
					t.Errorf("%s %s lacks an example of its body as %s", method, path, kind)
				}
			}
		}
	}
}

// shared reports whether the schema is, or is made of, schemas that have
// examples of their own.
func (s schema) shared() bool {
	return s.Ref != "" || slices.ContainsFunc(slices.Concat(s.OneOf, s.AnyOf), schema.shared) || s.Items != nil && s.Items.Ref != ""
}

// TestAnswersAreClosed requires that the schema of an answer names everything
// that the answer contains.
func TestAnswersAreClosed(t *testing.T) {
	d := read(t)
	absent := map[string][]string{ // members that may be absent
		"HistoryChanges":      {"status", "priority", "spam", "labels", "assignee", "product", "inbox", "contactId", "snoozedUntil", "team", "mergedInto", "splitFrom", "mergedFrom", "unmergedFrom", "splitInto"}, // those that did not change
		"ListedConversation":  {"lastMessage"},                                                                                                                                                                     // in a list that was asked for it
		"Message":             {"error"},
		"Contact":             {"storeId"}, // absent after the sunset
		"MessageCreatedEvent": {"moved"},   // absent from older events
	}
	var check func(name string)
	checked := map[string]bool{"Document": true} // OpenAPI's own shape
	check = func(name string) {
		if checked[name] {
			return
		}
		checked[name] = true
		s, ok := d.Components.Schemas[name]
		if !ok {
			t.Errorf("there is no schema %s", name)
		}
		if string(s.Type) == `"object"` {
			names := slices.Sorted(maps.Keys(s.Properties))
			names = slices.DeleteFunc(names, func(n string) bool { return slices.Contains(absent[name], n) })
			if got := slices.Sorted(slices.Values(s.Required)); !slices.Equal(got, names) || string(s.Additional) != "false" {
				t.Errorf("%s requires %v of %v; additionalProperties: %s", name, got, names, s.Additional)
			}
		}
		for _, ref := range s.refs() {
			check(strings.TrimPrefix(ref, "#/components/schemas/"))
		}
	}
	for _, item := range d.Paths {
		for _, o := range item {
			for _, r := range o.Responses {
				for _, content := range d.response(r).Content {
					for _, ref := range content.Schema.refs() {
						check(strings.TrimPrefix(ref, "#/components/schemas/"))
					}
				}
			}
		}
	}
	if len(checked) < 20 {
		t.Errorf("only %d schemas of answers were found", len(checked))
	}
}

// refs returns the schemas that a schema refers to.
func (s schema) refs() []string {
	var all []string
	if s.Ref != "" {
		all = append(all, s.Ref)
	}
	for _, p := range s.Properties {
		all = append(all, p.refs()...)
	}
	for _, x := range slices.Concat(s.OneOf, s.AnyOf) {
		all = append(all, x.refs()...)
	}
	if s.Items != nil {
		all = append(all, s.Items.refs()...)
	}
	return all
}

// TestExamples checks every example of every document against its schema.
func TestExamples(t *testing.T) {
	for name, d := range documents() {
		t.Run(name, func(t *testing.T) { holdExamples(t, d) })
	}
}

func holdExamples(t *testing.T, d api.Document) {
	t.Helper()
	const url = "https://parley.invalid/openapi.json"
	_, text := texts(t, d)
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource(url, parsed); err != nil {
		t.Fatal(err)
	}
	examples := 0
	hold := func(pointer string, example any) {
		examples++
		s, err := c.Compile(url + "#" + pointer)
		if err != nil {
			t.Errorf("%s: %v", pointer, err)
			return
		}
		if err := s.Validate(example); err != nil {
			t.Errorf("%s: the example %v: %v", pointer, example, err)
		}
	}
	walk(parsed, "", hold)
	if examples < 50 {
		t.Errorf("only %d examples were found", examples)
	}
}

// walk visits each example of a value in the document, with the path to its
// schema.
func walk(value any, pointer string, visit func(pointer string, example any)) {
	switch v := value.(type) {
	case map[string]any:
		if examples, ok := v["examples"].([]any); ok {
			for _, example := range examples {
				visit(pointer, example)
			}
		}
		if example, ok := v["example"]; ok && v["schema"] != nil {
			visit(pointer+"/schema", example)
		}
		escape := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")
		for name, inner := range v {
			if name != "example" && name != "examples" {
				walk(inner, pointer+"/"+escape.Replace(name), visit)
			}
		}
	case []any:
		for i, inner := range v {
			walk(inner, fmt.Sprintf("%s/%d", pointer, i), visit)
		}
	}
}
