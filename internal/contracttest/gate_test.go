package contracttest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const small = `
openapi: 3.1.0
paths:
  /things/{id}:
    get:
      operationId: getThing
      responses:
        '200':
          headers:
            X-Request-Id: { required: true, schema: { type: string } }
          content:
            application/json: { schema: { $ref: '#/components/schemas/Thing' } }
        '404': { $ref: '#/components/responses/NotFound' }
components:
  headers:
    ParleyError:
      required: true
      schema: { type: string, pattern: '^(not_found|method_not_allowed|invalid|conflict|in_progress)(; field=[^ ]+)?(; id=[^ ]+)?$' }
  responses:
    NotFound:
      headers:
        Parley-Error: { $ref: '#/components/headers/ParleyError' }
      content:
        application/json: { schema: { $ref: '#/components/schemas/Error' } }
  schemas:
    Thing:
      type: object
      additionalProperties: false
      required: [id, kind]
      properties:
        id: { type: string, format: uuid }
        kind: { type: string, enum: [a, b] }
    Error:
      type: object
      additionalProperties: false
      required: [error]
      properties: { error: { type: string } }
`

func TestCheck(t *testing.T) {
	const id = "0193480f-2c4a-7d1e-8f00-3a5b9c2d1e4f"
	good := `{"id":"` + id + `","kind":"a"}`
	for name, x := range map[string]struct {
		method, path string
		status       int
		headers      string
		body         string
		allowed      bool
	}{
		"good":              {"GET", "/things/1", 200, "X-Request-Id", good, true},
		"good head":         {"HEAD", "/things/1", 200, "X-Request-Id", "", true},
		"good error":        {"GET", "/things/1", 404, "", `{"error":"no"}`, true},
		"missing member":    {"GET", "/things/1", 200, "X-Request-Id", `{"id":"` + id + `"}`, false},
		"additional member": {"GET", "/things/1", 200, "X-Request-Id", strings.Replace(good, "{", `{"more":1,`, 1), false},
		"wrong enum":        {"GET", "/things/1", 200, "X-Request-Id", strings.Replace(good, `"a"`, `"c"`, 1), false},
		"wrong format":      {"GET", "/things/1", 200, "X-Request-Id", `{"id":"1","kind":"a"}`, false},
		"no JSON":           {"GET", "/things/1", 200, "X-Request-Id", good + "x", false},
		"missing header":    {"GET", "/things/1", 200, "", good, false},
		"unknown status":    {"GET", "/things/1", 500, "X-Request-Id", `{"error":"no"}`, false},
		"error with more":   {"GET", "/things/1", 404, "", `{"error":"no","stack":"x"}`, false},
		"unknown path":      {"GET", "/nothing", 404, "X-Request-Id", `{"error":"no"}`, true},
		"unknown path 200":  {"GET", "/nothing", 200, "X-Request-Id", good, false},
		"method":            {"PUT", "/things/1", 405, "X-Request-Id Allow", `{"error":"no"}`, true},
		"method w/o Allow":  {"PUT", "/things/1", 405, "X-Request-Id", `{"error":"no"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := New([]byte(small))
			if err != nil {
				t.Fatal(err)
			}
			h := http.Header{"Content-Type": {"application/json"}}
			for field := range strings.FieldsSeq(x.headers) {
				h.Set(field, "x")
			}
			switch x.status {
			case 404:
				h.Set("Parley-Error", "not_found")
			case 405:
				h.Set("Parley-Error", "method_not_allowed")
			}
			err = g.Check(httptest.NewRequest(x.method, x.path, nil), x.status, h, []byte(x.body))
			if (err == nil) != x.allowed {
				t.Errorf("allowed is %t (%v), want %t", err == nil, err, x.allowed)
			}
		})
	}
}

func TestUnseen(t *testing.T) {
	g, err := New([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	h := http.Header{"Content-Type": {"application/json"}, "Parley-Error": {"not_found"}}
	if err := g.Check(httptest.NewRequest("GET", "/things/1", nil), 404, h, []byte(`{"error":"no"}`)); err != nil {
		t.Fatal(err)
	}
	if got := g.Unseen(); len(got) != 1 || got[0] != "getThing 200" {
		t.Errorf("unseen are %v, want getThing 200", got)
	}
}

func TestCheckFault(t *testing.T) {
	const id = "0193480f-2c4a-7d1e-8f00-3a5b9c2d1e4f"
	for name, x := range map[string]struct {
		status        int
		fault, text   string
		allowed, head bool
	}{
		"code":                    {404, "not_found", "no such thing", true, false},
		"no code":                 {404, "", "no such thing", false, false},
		"unknown code":            {404, "lost", "no such thing", false, false},
		"code of another status":  {404, "conflict", "no such thing", false, false},
		"second code of a status": {409, "in_progress; field=Idempotency-Key", "Idempotency-Key: the first still runs", true, false},
		"field":                   {400, "invalid; field=limit", "limit: must be an integer", true, false},
		"fields":                  {400, `invalid; field="limit,cursor"`, "limit: must be an integer; cursor: must be given", true, false},
		"field not in message":    {400, "invalid; field=limit", "cursor: must be given", false, false},
		"field not in header":     {400, "invalid", "cursor: must be given", false, false},
		"id":                      {409, "conflict; field=email; id=" + id, "email: it belongs to " + id, true, false},
		"id not in header":        {409, "conflict; field=email", "email: it belongs to " + id, false, false},
		"id not in message":       {409, "conflict; id=" + id, "it is taken", false, false},
		"no error":                {200, "not_found", "", false, false},
		"head":                    {404, "not_found", "", true, true},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := New([]byte(small))
			if err != nil {
				t.Fatal(err)
			}
			h, method := http.Header{}, "GET"
			if x.fault != "" {
				h.Set("Parley-Error", x.fault)
			}
			if x.head {
				method = "HEAD"
			}
			body, err := json.Marshal(map[string]string{"error": x.text})
			if err != nil {
				t.Fatal(err)
			}
			if err := g.checkFault(httptest.NewRequest(method, "/things/1", nil), x.status, h, body); (err == nil) != x.allowed {
				t.Errorf("allowed is %t (%v), want %t", err == nil, err, x.allowed)
			}
		})
	}
}

func TestCheckInputs(t *testing.T) {
	document := strings.Replace(small, "operationId: getThing\n", "operationId: getThing\n      parameters: [{ name: id, in: path }, { name: limit, in: query }]\n", 1)
	document = strings.Replace(document, "    get:\n", `    post:
      operationId: changeThing
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Change' } } } }
    get:
`, 1) + `
    Change:
      type: object
      properties:
        name: { type: string }
        rules: { type: array, items: { allOf: [{ type: object, properties: { value: { type: string } } }] } }
`
	g, err := New([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		method, path, field string
		allowed             bool
	}{
		{"GET", "/things/1", "id", true}, {"GET", "/things/1", "limit", true}, {"GET", "/things/1", "Authorization", true}, {"GET", "/things/1?limt=1", "limt", true},
		{"GET", "/things/1", "limt", false}, {"GET", "/things/1", "method", false}, {"PUT", "/things/1", "id", false}, {"PUT", "/things/1", "method", false}, {"GET", "/", "id", false},
		{"GET", "/things/1?limit=abc", "abc", false}, {"GET", "/things/1?limits=1", "imit", false}, {"GET", "/things/1", "body", false}, {"GET", "/things/1?a%62=1", "ab", true},
		{"POST", "/things/1", "name", true}, {"POST", "/things/1", "body", true}, {"POST", "/things/1", "rules.value", true}, {"POST", "/things/1", "rules", true},
		{"POST", "/things/1", "value", false}, {"POST", "/things/1", "nam", false}, {"POST", "/things/1", "anything", false},
	} {
		r := httptest.NewRequest(x.method, x.path, nil)
		op, _ := g.find(r.Method, r.URL.Path)
		h := http.Header{"Parley-Error": {"invalid; field=" + x.field}}
		if err := checkInputs(op, r, h); (err == nil) != x.allowed {
			t.Errorf("%s %s may name %s: %t (%v), want %t", x.method, x.path, x.field, err == nil, err, x.allowed)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	g, err := New([]byte(small))
	if err != nil {
		b.Fatal(err)
	}
	r := httptest.NewRequest("GET", "/things/1", nil)
	h := http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"x"}}
	body := []byte(`{"id":"0193480f-2c4a-7d1e-8f00-3a5b9c2d1e4f","kind":"a"}`)
	for b.Loop() {
		if err := g.Check(r, 200, h, body); err != nil {
			b.Fatal(err)
		}
	}
}

// TestPages holds pages against a schema, over again: what was valid before, also
// against another schema, does not hide what is not.
func TestPages(t *testing.T) {
	document := small + `
    Things:
      type: object
      additionalProperties: false
      required: [data]
      properties:
        data: { type: array, maxItems: 2, items: { $ref: '#/components/schemas/Thing' } }
`
	document = strings.Replace(document, "paths:\n", `paths:
  /things:
    get:
      operationId: listThings
      responses:
        '200': { content: { application/json: { schema: { $ref: '#/components/schemas/Things' } } } }
  /thing:
    get:
      operationId: getThing
      responses:
        '200': { content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } }
`, 1)
	g, err := New([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	const good, other = `{"id":"0193480f-2c4a-7d1e-8f00-3a5b9c2d1e4f","kind":"a"}`, `{"id":"0193480f-2c4a-7d1e-8f00-3a5b9c2d1e4f","kind":"b"}`
	for range 2 {
		for body, allowed := range map[string]bool{
			`{"data":[]}`: true, `{"data":[` + good + `]}`: true, `{"data":[` + good + `,` + other + `]}`: true,
			`{"data":[` + good + `,` + good + `,` + good + `]}`: false, `{"data":[` + good + `,{"id":"x","kind":"a"}]}`: false,
			`{"data":[` + good + `],"more":1}`: false, `{"data":` + good + `}`: false, `{}`: false, `{"data":[` + strings.Replace(good, `"a"`, `"c"`, 1) + `]}`: false,
		} {
			err := g.Check(httptest.NewRequest("GET", "/things", nil), 200, http.Header{"Content-Type": {"application/json"}}, []byte(body))
			if (err == nil) != allowed {
				t.Errorf("%s: allowed is %t (%v), want %t", body, err == nil, err, allowed)
			}
			if g.Check(httptest.NewRequest("GET", "/thing", nil), 200, http.Header{"Content-Type": {"application/json"}}, []byte(body)) == nil {
				t.Errorf("%s: the page is allowed where a thing is documented", body)
			}
		}
	}
}
