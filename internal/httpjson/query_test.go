package httpjson_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"parley"
	"parley/internal/httpjson"
)

func TestQuery(t *testing.T) {
	limit := func(in *httpjson.Reader) any { return in.QueryInt("limit", 50, 1, 200) }
	id := func(in *httpjson.Reader) any { return in.QueryID("a") }
	idOrNone := func(in *httpjson.Reader) any { o := in.QueryIDOrNone("a"); return fmt.Sprint(o.Set, o.Null, o.Value) }
	flag := func(in *httpjson.Reader) any { return in.QueryBool("a") }
	moment := func(in *httpjson.Reader) any { return in.QueryTime("a").UnixMilli() }
	status := func(in *httpjson.Reader) any { return httpjson.QueryOneOf(in, "a", parley.Statuses) }
	text := func(in *httpjson.Reader) any { return in.QueryText("a", 3, false) }
	cursor := func(in *httpjson.Reader) any { return in.QueryText("a", 3, true) }
	const (
		limitRule = "limit: must be an integer from 1 to 200"
		zero      = "00000000-0000-0000-0000-000000000000"
	)
	for _, c := range []struct {
		read           func(*httpjson.Reader) any
		query, message string
		want           any // nothing is compared when nil
	}{
		{limit, "", "", 50}, {limit, "limit=1", "", 1}, {limit, "limit=200", "", 200},
		{limit, "limit=0", limitRule, nil}, {limit, "limit=201", limitRule, nil}, {limit, "limit=", limitRule, nil}, {limit, "limit", limitRule, nil},
		{limit, "limit=%2B1", limitRule, nil}, {limit, "limit=1.0", limitRule, nil}, {limit, "limit=99999999999999999999", limitRule, nil},
		{limit, "limit=1&limit=1", "limit: must be given once", nil},
		{limit, "limit=%00", "limit: must be UTF-8 without the NUL character", nil},
		{limit, "limit=%ff", "limit: must be UTF-8 without the NUL character", nil},
		{limit, "limit=5&x=%00", "query: must be UTF-8 without the NUL character", nil},
		{limit, "limit=5&%ff=x", "query: must be UTF-8 without the NUL character", nil},
		{limit, "limit=5&x=%zz", "query: must be encoded correctly", nil},
		{limit, "limit=5;x=1", "query: must be encoded correctly", nil},
		{id, "", "", parley.ID{}}, {id, "a=x", "a: must be a UUID", nil}, {id, "a=", "a: must be a UUID", nil}, {id, "a=" + zero, "a: must be a UUID", nil},
		{idOrNone, "", "", "false false " + zero}, {idOrNone, "a=none", "", "true true " + zero}, {idOrNone, "a=" + someID, "", "true false " + someID},
		{idOrNone, "a=None", "a: must be a UUID or none", nil}, {idOrNone, "a=", "a: must be a UUID or none", nil}, {idOrNone, "a=" + zero, "a: must be a UUID or none", nil},
		{flag, "", "", false}, {flag, "a=true", "", true}, {flag, "a=false", "", false}, {flag, "a=1", "a: must be true or false", nil}, {flag, "a", "a: must be true or false", nil},
		{moment, "a=1970-01-01T00:00:00Z", "", int64(0)}, {moment, "a=1970-01-01T00:00:01.5%2B00:00", "", int64(1500)},
		{moment, "a=2026-11-20T08:15:30%2B01:00", "", int64(1795158930000)},
		{moment, "a=2026-11-20t08:15:30z", "", int64(1795162530000)},
		{moment, "a=2026-11-20T08:15:30+01:00", "a: must be a time such as 2026-11-20T08:15:30Z, not before 1970; a + in an offset is written %2B in a query", nil},
		{moment, "a=yesterday", "a: must be a time such as 2026-11-20T08:15:30Z, not before 1970", nil},
		{status, "", "", parley.Status("")}, {status, "a=open", "", parley.Open}, {status, "a=", "a: must be one of open, pending, resolved", nil},
		{text, "", "", ""}, {text, "a=%C3%A4bc", "", "äbc"}, {text, "a=", "a: must be 1 to 3 characters", nil}, {text, "a=abcd", "a: must be 1 to 3 characters", nil},
		{cursor, "a=", "", ""}, {cursor, "a=abcd", "a: must be 1 to 3 characters", nil},
	} {
		in := withQuery(c.query)
		got := c.read(in)
		if message(in) != c.message || c.want != nil && got != c.want {
			t.Errorf("%q is %v (%s), want %v (%s)", c.query, got, message(in), c.want, c.message)
		}
		if again := message(in); again != c.message {
			t.Errorf("%q: asked again, the error is %q", c.query, again)
		}
	}
}

func TestIgnored(t *testing.T) {
	in := withQuery("limit=1&colour=red&a%2Cb=1&shade=1&shade=2")
	in.QueryInt("limit", 1, 1, 2)
	in.Ignore("companyId")
	in.Ignore("companyId")
	want := []string{"a,b", "colour", "companyId", "shade"}
	if got := in.Ignored(); !slices.Equal(got, want) {
		t.Errorf("ignored are %q, want %q", got, want)
	}
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""}, {[]string{"a,b", "c d", "é", "x\r\ny", "%"}, "a%2Cb, c%20d, %C3%A9, x%0D%0Ay, %25"},
		{[]string{strings.Repeat("n", 500)}, strings.Repeat("n", 100)},
		{slices.Repeat([]string{"n"}, 30), strings.TrimSuffix(strings.Repeat("n, ", 20), ", ")},
	} {
		h := http.Header{}
		httpjson.SetIgnored(h, c.names)
		if got := h.Get("Parley-Ignored"); got != c.want {
			t.Errorf("Parley-Ignored is %q, want %q", got, c.want)
		}
	}
}

func TestPath(t *testing.T) {
	with := func(value string) *httpjson.Reader {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.SetPathValue("id", value)
		return httpjson.NewReader(r)
	}
	in := with(someID)
	again, err := in.PathIDOrNotFound("id", "company")
	if in.PathID("id").String() != someID || again.String() != someID || err != nil || in.Err() != nil {
		t.Errorf("the id is not taken: %v, %v", err, in.Err())
	}
	in = with("x")
	in.PathID("id")
	wantMessage(t, in, "id: must be a UUID")
	in = with("x")
	_, err = in.PathIDOrNotFound("id", "company")
	wantKind(t, err, parley.NotFound)
	if err.Error() != "no such company in this workspace" || in.Err() != nil {
		t.Errorf("the errors are %v and %v", err, in.Err())
	}
	for _, odd := range []string{"a\x00", "\xff"} {
		in = with(odd)
		in.PathID("id")
		wantMessage(t, in, "id: must be a UUID")
	}
}

func idempotencyKey(values ...string) (string, *httpjson.Reader) {
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	r.Header["Idempotency-Key"] = values
	in := httpjson.NewReader(r)
	return in.IdempotencyKey(200), in
}

func TestIdempotencyKey(t *testing.T) {
	const rule = "Idempotency-Key: must be one value of 1 to 200 printable characters"
	for _, c := range []struct{ value, want, message string }{
		{"key 1", "key 1", ""}, {`"key 1"`, "key 1", ""}, {`"a\"b\\c"`, `a"b\c`, ""}, {`a"b`, `a"b`, ""}, {"schlüssel", "schlüssel", ""},
		{strings.Repeat("é", 200), strings.Repeat("é", 200), ""}, {`"` + strings.Repeat("k", 200) + `"`, strings.Repeat("k", 200), ""},
		{"", "", rule}, {`""`, "", rule}, {strings.Repeat("k", 201), "", rule}, {`"open`, "", rule}, {`"a"b`, "", rule}, {`"a\x"`, "", rule}, {`"a\`, "", rule},
		{"a\x01", "", rule}, {"a\tb", "", rule}, {"a\x7f", "", rule}, {"a\u0085", "", rule}, {"a\xff", "", rule}, {"\x00", "", rule},
	} {
		got, in := idempotencyKey(c.value)
		if got != c.want || message(in) != c.message {
			t.Errorf("%q is %q (%s), want %q (%s)", c.value, got, message(in), c.want, c.message)
		}
	}
	if got, in := idempotencyKey(); got != "" || in.Err() != nil {
		t.Errorf("an absent key is %q (%v)", got, in.Err())
	}
	_, in := idempotencyKey("a", "b")
	wantMessage(t, in, rule)
}

func FuzzIdempotencyKey(f *testing.F) {
	for _, seed := range []string{"", "a", `"a"`, `"a\"b"`, `"`, `"\`, "\x00", "é", `a"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		key, in := idempotencyKey(value)
		if (key == "") != (in.Err() != nil) {
			t.Fatalf("the key is %q, the error %v", key, in.Err())
		}
		if key == "" {
			return
		}
		if !utf8.ValidString(key) || utf8.RuneCountInString(key) > 200 || strings.ContainsFunc(key, unicode.IsControl) {
			t.Errorf("the key %q breaks its rule", key)
		}
		quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"`
		if again, in := idempotencyKey(quoted); again != key {
			t.Errorf("quoted, %q is %q (%v)", key, again, in.Err())
		}
	})
}
