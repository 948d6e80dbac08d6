package api_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

var update = flag.Bool("update", false, "write the examples of answers that are missing or incomplete into the documents")

// TestAnswersHaveExamples requires an example for every successful answer with
// a JSON body, with all members that the schema requires and no others.
// TestExamples checks them against the rest of the schema. With -update,
// missing examples are generated from those of the schemas; existing ones stay,
// so that an example can show what its own operation does.
func TestAnswersHaveExamples(t *testing.T) {
	public := parsed(t, "openapi.yaml")
	for _, file := range []string{"openapi.yaml", "dashboard.yaml", "widget.yaml"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		e := exampler{t: t, file: file, own: parsed(t, file), public: public}
		completed := e.complete(strings.Split(string(text), "\n"))
		if e.answers < 10 {
			t.Errorf("%s: only %d answers were found", file, e.answers)
		}
		if *update {
			if err := os.WriteFile(file, []byte(strings.Join(completed, "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func parsed(t *testing.T, file string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	asJSON, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	var document map[string]any
	if err := json.Unmarshal(asJSON, &document); err != nil {
		t.Fatal(err)
	}
	return document
}

// An exampler reads the text of a document.
type exampler struct {
	t           *testing.T
	file        string
	own, public map[string]any
	answers     int
}

var (
	goodStatus   = regexp.MustCompile(`^        '2\d\d':`)
	anyStatus    = regexp.MustCompile(`^        '\d\d\d':`)
	jsonSchema   = regexp.MustCompile(`^              schema: \{ \$ref: '([^']+)' \}$`)
	exampleStart = "              example:"
)

// complete returns the lines of a document with an example for each successful
// answer, below its schema.
func (e *exampler) complete(lines []string) []string {
	var out []string
	good, body := false, false
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		out = append(out, line)
		switch {
		case anyStatus.MatchString(line) || !strings.HasPrefix(line, "        "):
			good, body = goodStatus.MatchString(line), false
		case strings.HasPrefix(line, "            application/"):
			body = strings.TrimSpace(line) == "application/json:"
		}
		match := jsonSchema.FindStringSubmatch(line)
		if !good || !body || match == nil || strings.HasSuffix(match[1], "/Document") {
			continue
		}
		e.answers++
		first, last := i+1, i+1
		if last < len(lines) && strings.HasPrefix(lines[last], exampleStart) {
			for last++; strings.HasPrefix(lines[last], "                "); last++ {
			}
		}
		out = append(out, e.below(first, strings.Join(lines[first:last], "\n"), map[string]any{"$ref": match[1]})...)
		i = last - 1
	}
	return out
}

// below returns the example to insert below a schema, if it can have one.
func (e *exampler) below(line int, written string, schema map[string]any) []string {
	var before any
	if written != "" {
		var entry map[string]any
		if err := yaml.Unmarshal([]byte(written), &entry); err != nil {
			e.t.Fatalf("%s:%d: %v", e.file, line, err)
		}
		before = entry["example"]
	}
	value := e.value(schema, before)
	if !*update && !same(before, value) {
		e.t.Errorf("%s:%d: the example is missing, or not all of the answer; go test ./api -update completes it", e.file, line)
	}
	if written != "" && same(before, value) {
		return strings.Split(written, "\n")
	}
	return wrapped(value.render())
}

func same(before any, value shown) bool {
	a, errA := json.Marshal(before)
	var after any
	errB := json.Unmarshal([]byte(value.render()), &after)
	b, errC := json.Marshal(after)
	return before != nil && errA == nil && errB == nil && errC == nil && bytes.Equal(a, b)
}

// resolve follows a reference, into the public document too.
func (e *exampler) resolve(schema map[string]any) map[string]any {
	ref, ok := schema["$ref"].(string)
	if !ok {
		return schema
	}
	_, pointer, _ := strings.Cut(ref, "#")
	for _, document := range []map[string]any{e.own, e.public} {
		if found, ok := pointed(document, "#"+pointer).(map[string]any); ok {
			return e.resolve(found)
		}
	}
	e.t.Fatalf("%s: nothing is at %s", e.file, ref)
	return nil
}

// shown is a value with the members of objects in the order of the schema.
type shown struct {
	names  []string
	values []shown
	array  bool
	plain  any
}

func (s shown) render() string {
	if s.names == nil && !s.array {
		text, err := json.Marshal(s.plain)
		if err != nil {
			panic(err) // what was read from YAML is JSON
		}
		return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(text))
	}
	parts := make([]string, len(s.values))
	for i, v := range s.values {
		parts[i] = v.render()
		if !s.array {
			parts[i] = fmt.Sprintf("%q: %s", s.names[i], parts[i])
		}
	}
	if s.array {
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// value returns a value of a schema: the written one, completed, or one made of
// the schema's examples.
func (e *exampler) value(schema map[string]any, before any) shown {
	own, _ := schema["examples"].([]any)
	schema = e.resolve(schema)
	if examples, ok := schema["examples"].([]any); ok && len(own) == 0 {
		own = examples
	}
	if branch := e.branch(schema, before); branch != nil && before == nil && len(own) == 0 || branch != nil && before != nil {
		return e.value(branch, before)
	}
	members, isObject := schema["properties"].(map[string]any)
	items, isArray := schema["items"].(map[string]any)
	switch {
	case before != nil && isObject:
		object, ok := before.(map[string]any)
		if !ok {
			return shown{plain: before}
		}
		return e.object(schema, members, object)
	case before != nil && isArray:
		list, _ := before.([]any)
		out := shown{array: true}
		for _, item := range list {
			out.values = append(out.values, e.value(items, item))
		}
		return out
	case before != nil:
		return shown{plain: before}
	case len(own) > 0:
		return shown{plain: own[0]}
	case isObject:
		return e.object(schema, members, nil)
	case isArray:
		return shown{array: true, values: []shown{e.value(items, nil)}}
	}
	return shown{plain: plain(schema)}
}

// branch returns the alternative of a schema that a value belongs to, or the
// first one that is not null. Null has none.
func (e *exampler) branch(schema map[string]any, before any) map[string]any {
	all, _ := schema["oneOf"].([]any)
	more, _ := schema["anyOf"].([]any)
	object, _ := before.(map[string]any)
	for _, one := range append(all, more...) {
		alternative, _ := one.(map[string]any)
		if alternative["type"] == "null" {
			continue
		}
		members, _ := e.resolve(alternative)["properties"].(map[string]any)
		kind, _ := members["type"].(map[string]any)
		if object["type"] == nil || kind["const"] == nil || kind["const"] == object["type"] {
			return alternative
		}
	}
	return nil
}

func (e *exampler) object(schema, members, before map[string]any) shown {
	out := shown{names: []string{}}
	add := func(name string) {
		member, _ := members[name].(map[string]any)
		written, given := before[name]
		value := shown{plain: written}
		if !given || written != nil {
			value = e.value(member, written)
		}
		out.names, out.values = append(out.names, name), append(out.values, value)
	}
	required, _ := schema["required"].([]any)
	isRequired := map[string]bool{}
	for _, name := range required {
		isRequired[name.(string)] = true
		add(name.(string))
	}
	for name := range members { // at most one such member is shown, so the order does not matter
		if _, given := before[name]; given && !isRequired[name] {
			add(name)
		}
	}
	return out
}

// plain returns a value for a schema without an example.
func plain(schema map[string]any) any {
	if value, ok := schema["const"]; ok {
		return value
	}
	if values, ok := schema["enum"].([]any); ok {
		return values[0]
	}
	kind, _ := schema["type"].(string)
	if kinds, ok := schema["type"].([]any); ok {
		kind, _ = kinds[0].(string)
	}
	format, _ := schema["format"].(string)
	switch {
	case format == "uuid":
		return "0193480f-2c4a-7d1e-8f00-3a5b9c2d1e01"
	case format == "date-time":
		return "2026-11-20T09:02:11.480Z"
	case kind == "boolean":
		return false
	case kind == "integer", kind == "number":
		return 1
	case kind == "object":
		return map[string]any{}
	}
	return ""
}

// wrapped returns the lines of an example, split between members.
func wrapped(text string) []string {
	const indent, width = "                ", 120
	lines, line := []string{exampleStart}, indent
	quoted, from := false, 0
	emit := func(part string) {
		if len(line)+len(part) > width && line != indent {
			lines, line = append(lines, strings.TrimRight(line, " ")), indent
		}
		line += part
	}
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == '"':
			quoted = !quoted
		case text[i] == ' ' && !quoted && text[i-1] == ',':
			emit(text[from : i+1])
			from = i + 1
		}
	}
	emit(text[from:])
	return append(lines, line)
}
