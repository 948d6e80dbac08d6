// Package contracttest is the contract gate: it checks HTTP exchanges against
// an OpenAPI 3.1 document, whose schemas are JSON Schema. A test whose
// exchanges go through [Gate.Transport] or [Gate.Do] fails on the first
// exchange that violates the document, including errors. The gate records which
// responses it has seen, so that a test can require all documented ones.
//
// It is only for tests and imports nothing of this module.
package contracttest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const documentURL = "https://parley.invalid/openapi.json"

// An Operation is an operation of the document.
type Operation struct {
	ID       string
	Method   string
	Path     string
	Scopes   [][]string // x-scopes
	Role     string     // x-role
	Older    [][]string // x-legacy-scopes
	Open     bool       // requires no key
	Statuses []int
	Inputs   []string // names of parameters, in path, query and headers
	Members  []Member // of the JSON body of a request

	takes     bool     // has a body
	fields    []string // of the body, as errors name them: a.b inside a
	segments  []string
	responses map[int]*response
	body      *jsonschema.Schema // of the request; nil for none
}

type response struct {
	example any // of JSON; nil for none
	headers map[string]header
	content map[string]*jsonschema.Schema // by media type
	page    *page                         // of JSON; nil for another body
	valid   *items
}

type header struct {
	required bool
	schema   *jsonschema.Schema
}

// A Gate checks exchanges against a document.
type Gate struct {
	operations []*Operation
	unknown    *jsonschema.Schema // for errors outside of all operations
	fault      *jsonschema.Schema // of the header Parley-Error
	beginning  *regexp.Regexp     // of a message about a field
	uuid       *regexp.Regexp

	mu   sync.Mutex
	seen map[string]bool
	said map[string]bool // messages of errors
}

// New compiles a document, or several into one: later documents refer to the
// first as openapi.yaml, and no two may share a path or a name.
func New(documents ...[]byte) (*Gate, error) {
	parsed := map[string]any{}
	for _, document := range documents {
		text, err := yaml.YAMLToJSON(bytes.ReplaceAll(document, []byte("openapi.yaml#/"), []byte("#/")))
		if err != nil {
			return nil, err
		}
		part, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		join(parsed, part)
	}
	root := node{value: any(parsed), root: any(parsed), pointer: "#"}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	if err := compiler.AddResource(documentURL, parsed); err != nil {
		return nil, err
	}
	g := &Gate{
		seen:      map[string]bool{},
		said:      map[string]bool{},
		beginning: regexp.MustCompile(`^[A-Za-z_-]+:`),
		uuid:      regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`),
	}
	valid := &items{known: map[[sha256.Size]byte]bool{}}
	for path, item := range root.at("paths").members() {
		for method, op := range item.members() {
			o, err := compile(compiler, strings.ToUpper(method), path, op, valid)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", method, path, err)
			}
			g.operations = append(g.operations, o)
		}
	}
	slices.SortFunc(g.operations, func(a, b *Operation) int { return strings.Compare(a.ID, b.ID) })
	var err error
	if g.unknown, err = compiler.Compile(documentURL + "#/components/schemas/Error"); err != nil {
		return nil, err
	}
	g.fault, err = compiler.Compile(documentURL + "#/components/headers/ParleyError/schema")
	return g, err
}

// join merges the members of a document into another; objects are merged
// recursively.
func join(into map[string]any, part any) {
	members, _ := part.(map[string]any)
	for name, value := range members {
		if inner, ok := into[name].(map[string]any); ok {
			join(inner, value)
		} else {
			into[name] = value
		}
	}
}

func compile(c *jsonschema.Compiler, method, path string, op node, valid *items) (*Operation, error) {
	o := &Operation{
		ID: op.at("operationId").text(), Method: method, Path: path,
		Scopes: op.at("x-scopes").lists(), Role: op.at("x-role").text(), Older: op.at("x-legacy-scopes").lists(),
		segments: strings.Split(path, "/"), responses: map[int]*response{},
	}
	security, given := op.at("security").value.([]any)
	o.Open = given && len(security) == 0
	for _, parameter := range op.at("parameters").items() {
		o.Inputs = append(o.Inputs, parameter.resolve().at("name").text())
	}
	o.takes = op.at("requestBody").value != nil
	for _, content := range op.at("requestBody").resolve().at("content").members() {
		o.fields = append(o.fields, fieldsOf(content.at("schema"), "")...)
	}
	if schema := op.at("requestBody").at("content").at("application/json").at("schema"); schema.value != nil {
		var err error
		if o.body, err = c.Compile(documentURL + schema.pointer); err != nil {
			return nil, err
		}
		o.Members = membersOf(schema.resolve())
	}
	for code, r := range op.at("responses").members() {
		var status int
		if _, err := fmt.Sscan(code, &status); err != nil {
			return nil, fmt.Errorf("status %q: %w", code, err)
		}
		compiled, err := compileResponse(c, r.resolve(), valid)
		if err != nil {
			return nil, err
		}
		o.responses[status] = compiled
		o.Statuses = append(o.Statuses, status)
	}
	slices.Sort(o.Statuses)
	return o, nil
}

func compileResponse(c *jsonschema.Compiler, r node, valid *items) (*response, error) {
	out := &response{headers: map[string]header{}, content: map[string]*jsonschema.Schema{}, valid: valid}
	for name, h := range r.at("headers").members() {
		h = h.resolve()
		schema, err := c.Compile(documentURL + h.at("schema").pointer)
		if err != nil {
			return nil, err
		}
		out.headers[name] = header{required: h.at("required").value == true, schema: schema}
	}
	out.example = r.at("content").at("application/json").at("example").value
	out.page = pageOf(r.at("content").at("application/json").at("schema"), valid)
	for kind, content := range r.at("content").members() {
		schema, err := c.Compile(documentURL + content.at("schema").pointer)
		if err != nil {
			return nil, err
		}
		out.content[kind] = schema
	}
	return out, nil
}

// Operations returns the operations of the document.
func (g *Gate) Operations() []*Operation { return g.operations }

// Example returns the documented example of a JSON response, or nil.
func (o *Operation) Example(status int) any {
	if r := o.responses[status]; r != nil {
		return r.example
	}
	return nil
}

// Unseen returns the documented responses that no exchange has shown yet, as
// "operation status".
func (g *Gate) Unseen() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var missing []string
	for _, o := range g.operations {
		for _, status := range o.Statuses {
			if name := fmt.Sprint(o.ID, " ", status); !g.seen[name] {
				missing = append(missing, name)
			}
		}
	}
	return missing
}

// Unsaid returns the examples of errors that no exchange has shown yet, as
// "operation status message".
func (g *Gate) Unsaid() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var missing []string
	for _, o := range g.operations {
		for _, status := range o.Statuses {
			example, _ := o.responses[status].example.(map[string]any)
			message, _ := example["error"].(string)
			if name := fmt.Sprint(o.ID, " ", status, " ", g.comparable(message)); message != "" && !g.said[name] {
				missing = append(missing, name)
			}
		}
	}
	return missing
}

// comparable returns a message without the parts that vary between runs.
func (g *Gate) comparable(message string) string { return g.uuid.ReplaceAllString(message, "<id>") }

// messageOf returns the message of an error, or "".
func messageOf(body []byte) string {
	var said struct {
		Error string `json:"error"`
	}
	_ = json.Unmarshal(body, &said) // only errors have a message
	return said.Error
}

// find returns the operation of a request, and whether the path is known.
func (g *Gate) find(method, address string) (op *Operation, known bool) {
	if method == http.MethodHead {
		method = http.MethodGet
	}
	segments := strings.Split(address, "/")
	concrete := false
	for _, o := range g.operations {
		if !matches(o.segments, segments) {
			continue
		}
		known = true
		// A path without parameters takes precedence, also where only the other
		// has the method.
		if !concrete && !strings.Contains(o.Path, "{") {
			concrete, op = true, nil
		}
		if o.Method == method && concrete == !strings.Contains(o.Path, "{") {
			op = o
		}
	}
	return op, known
}

func matches(template, segments []string) bool {
	if len(template) != len(segments) {
		return false
	}
	for i, name := range template {
		wild := strings.HasPrefix(name, "{") && segments[i] != ""
		if !wild && name != segments[i] {
			return false
		}
	}
	return true
}

// Check returns the violation of an exchange, or nil.
func (g *Gate) Check(r *http.Request, status int, h http.Header, body []byte) error {
	if err := g.checkFault(r, status, h, body); err != nil {
		return fmt.Errorf("%s %s %d: %w", r.Method, r.URL.Path, status, err)
	}
	// A router rejects a path that is not clean after decoding, however it was
	// written.
	if clean := path.Clean(r.URL.Path); status == http.StatusNotFound && clean != strings.TrimSuffix(r.URL.Path, "/") {
		return g.checkError(r, h, body)
	}
	if err := checkOrigins(r, h); err != nil {
		return err
	}
	op, known := g.find(r.Method, r.URL.EscapedPath())
	if err := checkInputs(op, r, h); err != nil {
		return fmt.Errorf("%s %s %d: %w", r.Method, r.URL.Path, status, err)
	}
	if op == nil {
		return g.checkUnknown(r, known, status, h, body)
	}
	documented := op.responses[status]
	if documented == nil {
		return fmt.Errorf("%s: status %d is not documented: %.300s", op.ID, status, body)
	}
	if _, named := documented.headers["Parley-Error"]; !named && status >= http.StatusBadRequest {
		return fmt.Errorf("%s: the answer %d must document the header Parley-Error", op.ID, status)
	}
	for name, rule := range documented.headers {
		if err := checkHeader(name, rule, h); err != nil {
			return fmt.Errorf("%s %d: %w", op.ID, status, err)
		}
	}
	if err := documented.checkBody(r, h, body); err != nil {
		return fmt.Errorf("%s %d: %w: %.300s", op.ID, status, err, body)
	}
	g.mu.Lock()
	g.seen[fmt.Sprint(op.ID, " ", status)] = true
	if status >= http.StatusBadRequest {
		g.said[fmt.Sprint(op.ID, " ", status, " ", g.comparable(messageOf(body)))] = true
	}
	g.mu.Unlock()
	return nil
}

// checkOrigins checks that a response to another site's page allows only the
// origin of that page, and that it varies by origin.
func checkOrigins(r *http.Request, h http.Header) error {
	allowed := h.Get("Access-Control-Allow-Origin")
	if allowed == "" {
		return nil
	}
	if allowed != r.Header.Get("Origin") || !slices.Contains(h.Values("Vary"), "Origin") || h.Get("Access-Control-Allow-Credentials") != "" {
		return fmt.Errorf("%s %s: what the origin %q may read is allowed to %q (Vary: %q)",
			r.Method, r.URL.Path, r.Header.Get("Origin"), allowed, h.Values("Vary"))
	}
	return nil
}

func checkHeader(name string, rule header, h http.Header) error {
	value := h.Get(name)
	if value == "" {
		if rule.required {
			return fmt.Errorf("the header %s is missing", name)
		}
		return nil
	}
	if rule.schema.Validate(value) == nil {
		return nil
	}
	var number any
	if json.Unmarshal([]byte(value), &number) == nil && rule.schema.Validate(number) == nil {
		return nil
	}
	return fmt.Errorf("the header %s: %q is not allowed", name, value)
}

func (d *response) checkBody(r *http.Request, h http.Header, body []byte) error {
	kind, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	schema, ok := d.content[kind]
	switch {
	case len(d.content) == 0 && kind == "" && len(body) == 0: // as with 304
		return nil
	case !ok:
		return fmt.Errorf("the content type %q is not documented", kind)
	case r.Method == http.MethodHead:
		return nil
	case !strings.HasSuffix(kind, "json") || kind == "application/x-ndjson":
		return schema.Validate(string(body))
	}
	whole := keyOf(schema.Location, body)
	if d.valid.has(whole) {
		return nil
	}
	if err := d.checkJSON(schema, kind, body); err != nil {
		return err
	}
	d.valid.add(whole)
	return nil
}

func (d *response) checkJSON(schema *jsonschema.Schema, kind string, body []byte) error {
	if kind != "application/json" || d.page == nil {
		return validate(schema, body)
	}
	reduced, unknown, err := d.page.reduce(body)
	if err != nil {
		return err
	}
	if err := validate(schema, reduced); err != nil {
		return err
	}
	d.valid.add(unknown...)
	return nil
}

func validate(schema *jsonschema.Schema, body []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("the body is not JSON: %w", err)
	}
	return schema.Validate(value)
}

// checkUnknown checks the response for an unknown path or method: 404, 405 with
// Allow, or 410 for removed paths.
func (g *Gate) checkUnknown(r *http.Request, known bool, status int, h http.Header, body []byte) error {
	if preflight := r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""; preflight && known &&
		status == http.StatusNoContent && len(body) == 0 && h.Get("Access-Control-Allow-Origin") == r.Header.Get("Origin") {
		return nil // only to this origin, see checkOrigins
	}
	switch {
	case status == http.StatusMethodNotAllowed && known && h.Get("Allow") != "":
	case status == http.StatusNotFound && !known, status == http.StatusGone:
	default:
		return fmt.Errorf("%s %s: the status %d is wrong for what is no operation (path known: %t, Allow: %q)",
			r.Method, r.URL.Path, status, known, h.Get("Allow"))
	}
	return g.checkError(r, h, body)
}

func (g *Gate) checkError(r *http.Request, h http.Header, body []byte) error {
	if h.Get("Content-Type") != "application/json" || h.Get("X-Request-Id") == "" {
		return errors.New("an error must be JSON and carry X-Request-Id")
	}
	if r.Method == http.MethodHead {
		return nil
	}
	return validate(g.unknown, body)
}

// AllowsBody reports whether the document allows a JSON body for an operation.
func (o *Operation) AllowsBody(body []byte) bool {
	return o.body != nil && validate(o.body, body) == nil
}

// TakesBody reports whether the operation takes a body.
func (o *Operation) TakesBody() bool { return o.body != nil }
