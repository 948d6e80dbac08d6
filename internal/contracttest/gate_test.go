package contracttest

import (
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
  responses:
    NotFound:
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
			for _, field := range strings.Fields(x.headers) {
				h.Set(field, "x")
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
	h := http.Header{"Content-Type": {"application/json"}}
	if err := g.Check(httptest.NewRequest("GET", "/things/1", nil), 404, h, []byte(`{"error":"no"}`)); err != nil {
		t.Fatal(err)
	}
	if got := g.Unseen(); len(got) != 1 || got[0] != "getThing 200" {
		t.Errorf("unseen are %v, want getThing 200", got)
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
