package httpjson_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/httpjson"
)

func TestBodyRefused(t *testing.T) {
	nested := func(n int) string {
		return `{"a":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}`
	}
	for name, c := range map[string]struct{ body, message string }{
		"truncated":         {`{"status":`, "body: must be a JSON object; the JSON is wrong at byte 10"},
		"not JSON":          {`hello`, "body: must be a JSON object; the JSON is wrong at byte 1"},
		"single quotes":     {`{'a':1}`, "body: must be a JSON object; the JSON is wrong at byte 2"},
		"trailing comma":    {`{"a":1,}`, "body: must be a JSON object; the JSON is wrong at byte 8"},
		"trailing data":     {`{} {}`, "body: must be a JSON object; the JSON is wrong at byte 4"},
		"trailing brace":    {`{}}`, "body: must be a JSON object; the JSON is wrong at byte 3"},
		"raw line break":    {"{\"a\":\"\n\"}", "body: must be a JSON object; the JSON is wrong at byte 7"},
		"only blank":        {` `, "body: must be a JSON object; the JSON is wrong at byte 1"},
		"array":             {`[]`, "body: must be a JSON object"},
		"null":              {`null`, "body: must be a JSON object"},
		"string":            {`"x"`, "body: must be a JSON object"},
		"number":            {` 1`, "body: must be a JSON object"},
		"not UTF-8":         {"{\"name\":\"\xff\"}", "body: must be UTF-8"},
		"name not UTF-8":    {"{\"\xff\":1}", "body: must be UTF-8"},
		"NUL":               {`{"name":"a\u0000"}`, "name: must not contain the NUL character"},
		"NUL inside":        {`{"x":{"y":["a\u0000"]}}`, "x: must not contain the NUL character"},
		"NUL in a key":      {`{"x":{"\u0000":1}}`, "x: must not contain the NUL character"},
		"NUL in a name":     {`{"a\u0000":1}`, "a%00: must not contain the NUL character"},
		"half pair":         {`{"x":"\ud83d"}`, "x: must not contain half of a surrogate pair"},
		"other half":        {`{"x":"\ude00"}`, "x: must not contain half of a surrogate pair"},
		"half, then letter": {`{"x":"\ud83d\u0041"}`, "x: must not contain half of a surrogate pair"},
		"half, then pair":   {`{"x":"\ud83d\ud83d\ude00"}`, "x: must not contain half of a surrogate pair"},
		"half, then escape": {`{"x":"\ud83d\n"}`, "x: must not contain half of a surrogate pair"},
		"two flaws":         {`{"x":"\ud83d","y":"\u0000"}`, "x: must not contain half of a surrogate pair; y: must not contain the NUL character"},
		"101 levels":        {nested(101), "body: must be nested at most 100 levels deep"},
		"5,000 levels":      {nested(5000), "body: must be nested at most 100 levels deep"},
		"never closed":      {strings.Repeat("[", 10_000), "body: must be a JSON object; the JSON is wrong at byte 10000"},
		"100 levels":        {nested(100), ""},
		"a pair":            {`{"x":"\ud83d\ude00"}`, ""},
		"no NUL at all":     {`{"x":"\\u0000"}`, ""},
		"blank around":      {" \r\n\t{ \"a\" : [ 1 , { } ] , \"b\":-1.5e3 } \n", ""},
		"empty object":      {`{}`, ""},
		"absent":            {"", "body: must be a JSON object; there is none"},
		"a name twice":      {`{"a":1,"b":2,"\u0061":1}`, "a: must be given once"},
		"no name twice":     {`{"":1,"a":[{"b":1},{"b":1}],"":1}`, ": must be given once"},
	} {
		t.Run(name, func(t *testing.T) {
			in := withBody(c.body)
			wantMessage(t, in, c.message)
			if err := in.Err(); err != nil {
				wantKind(t, err, parley.Invalid)
			}
		})
	}
}

// TestDeepBody sends the deepest body that fits; TestLinear measures one.
func TestDeepBody(t *testing.T) {
	half := (httpjson.MaxBody - len(`{"a":}`)) / 2
	body := `{"a":` + strings.Repeat("[", half) + strings.Repeat("]", half) + `}`
	if got := message(withBody(body)); !strings.HasPrefix(got, "body: must be a JSON object") {
		t.Errorf("the error is %q", got)
	}
}

// TestManyMembers sends the most members that fit, each of them unknown and
// invalid.
func TestManyMembers(t *testing.T) {
	in := withBody(`{"a":0` + strings.Repeat(`,"\u0000":0`, 95_000) + `}`)
	if n := len(message(in)); n == 0 || n > 10_000 {
		t.Errorf("the message has %d bytes", n)
	}
	if got := in.Ignored(); len(got) != 2 {
		t.Errorf("ignored are %q", got)
	}
}

func TestMembers(t *testing.T) {
	in := withBody(`{"Name":"x","cont\u0065nt":"a\n\"b\" \u00e9 \ud83d\ude00","name":"last","n":null,"":1}`)
	if got := httpjson.Required(in, "name", httpjson.Text(10)); got != "last" {
		t.Errorf("name is %q", got)
	}
	if got := httpjson.Required(in, "content", httpjson.Text(100)); got != "a\n\"b\" é 😀" {
		t.Errorf("content is %q", got)
	}
	if got := httpjson.Change(in, "absent", httpjson.Bool); got.Set {
		t.Errorf("an absent member is %v", got)
	}
	if got := httpjson.ChangeOrNull(in, "n", httpjson.Bool); got != parley.Null[bool]() {
		t.Errorf("a null member is %v", got)
	}
	if got := httpjson.Default(in, "absent", httpjson.Bool, true); !got {
		t.Error("the fallback is not used")
	}
	wantMessage(t, in, "")
	if got := in.Ignored(); !slices.Equal(got, []string{"", "Name"}) {
		t.Errorf("ignored are %q", got)
	}
}

func TestMembersRefused(t *testing.T) {
	in := changing(`{"b":null,"c":null,"d":1,"e":"x","nul":"\u0000"}`)
	httpjson.Required(in, "a", httpjson.Bool)
	httpjson.Required(in, "b", httpjson.Bool)
	httpjson.Default(in, "c", httpjson.Bool, true)
	httpjson.Change(in, "d", httpjson.Bool)
	httpjson.ChangeOrNull(in, "e", httpjson.Bool)
	httpjson.Required(in, "nul", httpjson.Filled(5))
	in.Refuse("f", "be something else")
	wantMessage(t, in, "nul: must not contain the NUL character; a: must be given; b: must be true or false; "+
		"c: must be true or false; d: must be true or false; e: must be true or false, or null; f: must be something else")
	wantKind(t, in.Err(), parley.Invalid)
}

// TestFatalStandsAlone checks that a body that cannot be read is reported
// without faults of its members.
func TestFatalStandsAlone(t *testing.T) {
	in := withBody(`[`)
	httpjson.Required(in, "a", httpjson.Bool)
	wantMessage(t, in, "body: must be a JSON object; the JSON is wrong at byte 1")
}

func TestMediaTypes(t *testing.T) {
	for _, c := range []struct {
		contentType, encoding, body, message string
	}{
		{"application/json", "", "{}", ""},
		{"Application/JSON; charset=UTF-8", "", "{}", ""},
		{"application/merge-patch+json", "", "{}", ""},
		{"application/json", "identity", "{}", ""},
		{"application/json; charset=latin1", "", "{}", "Content-Type: must be application/json in UTF-8, not with charset=latin1"},
		{"text/json", "", "{}", "Content-Type: must be application/json"},
		{"application/x-www-form-urlencoded", "", "a=b", "Content-Type: must be application/json"},
		{"nonsense/", "", "{}", "Content-Type: must be application/json"},
		{"", "", "{}", "Content-Type: must be application/json"},
		{"text/plain", "", "", "Content-Type: must be application/json"},
		{"text/plain", "", strings.Repeat("x", httpjson.MaxBody+1), "Content-Type: must be application/json"},
		{"application/json", "gzip", "{}", "Content-Encoding: must be absent"},
	} {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(c.body))
		r.Header.Set("Content-Encoding", c.encoding)
		if c.contentType != "" {
			r.Header.Set("Content-Type", c.contentType)
		}
		in := httpjson.NewReader(r)
		in.ReadBody()
		if got := message(in); got != c.message {
			t.Errorf("%q %q with %.10q: the error is %q, want %q", c.contentType, c.encoding, c.body, got, c.message)
		}
		if c.message != "" {
			wantKind(t, in.Err(), parley.Unsupported)
		}
	}
}

func TestLargestBody(t *testing.T) {
	body := `{"a":"` + strings.Repeat("x", httpjson.MaxBody-len(`{"a":""}`)) + `"}`
	in := withBody(body)
	wantMessage(t, in, "")
	if got := httpjson.Required(in, "a", httpjson.Text(httpjson.MaxBody)); len(got) != len(body)-len(`{"a":""}`) {
		t.Errorf("the value has %d bytes", len(got))
	}
	in = withBody(body + " ")
	wantMessage(t, in, "body: must be at most 1048576 bytes")
	wantKind(t, in.Err(), parley.TooLarge)
}

func TestBodyHash(t *testing.T) {
	for _, same := range [][]string{
		{`{"a":1,"b":[true,{"c":null}]}`, " {\n\t\"b\" : [true, {\"c\":null}], \"\\u0061\":1.0} ", `{"b":[true,{"c":null}],"a":10e-1}`},
		{`{"a":1500}`, `{"a":1.5e3}`, `{"a":15E+2}`, `{"a":1500.00}`},
		{`{"a":0}`, `{"a":-0}`, `{"a":0.00e5}`},
		{`{"a":-0.5}`, `{"a":-5e-1}`},
		{`{"a":"é/<"}`, `{"a":"\u00e9\/\u003c"}`},
		{`{"a":12345678901234567890}`, `{"a":1234567890123456789e1}`},
	} {
		for _, body := range same[1:] {
			if withBody(body).BodyHash() != withBody(same[0]).BodyHash() {
				t.Errorf("%s and %s are not the same", body, same[0])
			}
		}
	}
	seen := map[[32]byte]string{}
	for _, body := range []string{
		`{}`, `{"a":1}`, `{"a":"1"}`, `{"a":["1e0"]}`, `{"a":-1}`, `{"a":[1]}`, `{"a":[1,2]}`, `{"a":[2,1]}`, `{"a":12}`, `{"A":1}`, `{"a":null}`,
		`{"a":12345678901234567890}`, `{"a":12345678901234567891}`, `{"a":1e999999999}`, `{"a":1e99999999999999999999}`, `{"a":" 1"}`, `{"a":true}`,
	} {
		hash := withBody(body).BodyHash()
		if other, taken := seen[hash]; taken {
			t.Errorf("%s and %s are taken for the same", body, other)
		}
		seen[hash] = body
	}
}

// TestNullInPost checks what null means: nothing in a POST, unless the member
// has its own null.
func TestNullInPost(t *testing.T) {
	in := withBody(`{"a":null,"b":null,"c":null,"d":null}`)
	if got := httpjson.Default(in, "a", httpjson.Bool, true); !got {
		t.Error("null is not the fallback")
	}
	if got := httpjson.Change(in, "b", httpjson.Bool); got.Set {
		t.Errorf("null is %v, not absent", got)
	}
	if got := httpjson.ChangeOrNull(in, "c", httpjson.Bool); got != parley.Null[bool]() {
		t.Errorf("a null that means something is %v", got)
	}
	httpjson.Required(in, "d", httpjson.Bool)
	wantMessage(t, in, "d: must be true or false")
	if got := in.Ignored(); len(got) != 0 {
		t.Errorf("ignored are %q", got)
	}
}

func TestStrict(t *testing.T) {
	for _, c := range []struct {
		prefer []string
		strict bool
	}{
		{nil, false}, {[]string{"handling=strict"}, true}, {[]string{`respond-async, Handling="strict"; x=1`}, true},
		{[]string{"wait=5", "handling = STRICT"}, true}, {[]string{"handling=lenient"}, false},
		{[]string{"handling=lenient, handling=strict"}, false}, {[]string{"handling=strict", "handling=lenient"}, true}, {[]string{"strict"}, false},
	} {
		r := httptest.NewRequest(http.MethodPost, "/?limt=5", strings.NewReader(`{"a":true,"priv ate":true}`))
		r.Header["Prefer"] = c.prefer
		r.Header.Set("Content-Type", "application/json")
		in, answer := httpjson.NewReader(r), http.Header{}
		in.Prefer(answer)
		in.ReadBody()
		httpjson.Required(in, "a", httpjson.Bool)
		want, applied := "", ""
		if c.strict {
			want = "limt: must be absent, for it has no effect here; priv%20ate: must be absent, for it has no effect here"
			applied = "handling=strict"
		}
		wantMessage(t, in, want)
		if got := answer.Get("Preference-Applied"); got != applied {
			t.Errorf("%q: Preference-Applied is %q, want %q", c.prefer, got, applied)
		}
	}
}

func TestBearerToken(t *testing.T) {
	for _, c := range []struct {
		headers []string
		token   string
		ok      bool
	}{
		{nil, "", false}, {[]string{"Bearer a"}, "a", true}, {[]string{"bearer  a "}, "a", true}, {[]string{"Basic a"}, "", false},
		{[]string{"Bearer a", "Bearer a"}, "", false}, {[]string{"Bearer a", "Bearer b"}, "", false}, {[]string{"", "Bearer a"}, "", false},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header["Authorization"] = c.headers
		if token, ok := httpjson.BearerToken(r); token != c.token || ok != c.ok {
			t.Errorf("%q: the token is %q, %t", c.headers, token, ok)
		}
	}
}

type failingBody struct{ closed bool }

func (*failingBody) Read([]byte) (int, error) { return 0, errors.New("connection lost") }
func (b *failingBody) Close() error           { b.closed = true; return nil }

func TestBodyThatBreaksOff(t *testing.T) {
	body := &failingBody{}
	r := httptest.NewRequest(http.MethodPost, "/", body)
	r.Header.Set("Content-Type", "application/json")
	in := httpjson.NewReader(r)
	in.ReadBody()
	wantMessage(t, in, "body: must arrive as a whole")
	if body.closed {
		t.Error("the body was closed, which is for net/http to do")
	}
}

// TestRestOfALargeBodyIsNoRequest sends a body that is too large and contains a
// request after the limit: the server must not answer that one.
func TestRestOfALargeBodyIsNoRequest(t *testing.T) {
	log, _ := logged()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in := httpjson.NewReader(r)
		in.ReadBody()
		if err := in.Err(); err != nil {
			httpjson.WriteError(w, r, log, err)
			return
		}
		httpjson.OK([]byte(`{"inner":true}`)).Write(w)
	}))
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	inner := "POST /inner HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
	body := strings.Repeat("x", httpjson.MaxBody+1) + strings.Repeat(inner, 10)
	head := "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
	go func() { // the server may close the connection before it has read everything
		_, _ = io.WriteString(conn, head+hex(len(body))+"\r\n"+body+"\r\n0\r\n\r\n")
	}()
	answers := bufio.NewReader(conn)
	first, err := http.ReadResponse(answers, nil)
	if err != nil {
		t.Fatal(err)
	}
	if first.StatusCode != http.StatusRequestEntityTooLarge || !first.Close {
		t.Errorf("the answer is %d, close %t", first.StatusCode, first.Close)
	}
	if _, err := io.Copy(io.Discard, first.Body); err != nil {
		t.Fatal(err)
	}
	if second, err := http.ReadResponse(answers, nil); err == nil {
		t.Errorf("there is a second answer: %d", second.StatusCode)
	}
}

func hex(n int) string {
	const digits = "0123456789abcdef"
	s := ""
	for ; n > 0; n /= 16 {
		s = string(digits[n%16]) + s
	}
	return s
}

// FuzzBody compares the Reader with encoding/json.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"a":1}`, `{"a":"x","a":"y"}`, `{"a":"\ud83d\ude00 \u0041\\\""}`, `{"a":"\ud83d"}`, `{"a":[[],{"b":null}]}`,
		` { "a" : -1.5e3 , "b" : [ true , false ] } `, `{"a\u0000":1}`, `[]`, `{"a":`, "{\"a\":\"\xff\"}", `{"":{}}`, `{"a":""} x`, ``,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		in := withBody(body)
		err := in.Err()
		var want map[string]json.RawMessage
		if jsonErr := json.Unmarshal([]byte(body), &want); body != "" && (jsonErr != nil || want == nil) {
			wantKind(t, err, parley.Invalid)
			return
		}
		if err != nil {
			wantKind(t, err, parley.Invalid)
			return
		}
		keep := func(raw json.RawMessage) (string, error) { return string(raw), nil }
		for name, value := range want {
			if got := httpjson.Change(in, name, keep); got != parley.Some(string(value)) {
				t.Errorf("%q is %q, want %q", name, got.Value, value)
			}
			var text string
			if value[0] == '"' && json.Unmarshal(value, &text) == nil {
				if got, err := httpjson.Text(len(body))(value); err != nil || got != text || strings.ContainsAny(got, "\x00\uFFFD") && !strings.Contains(body, "\uFFFD") && !strings.Contains(strings.ToLower(body), `\ufffd`) {
					t.Errorf("%s says %q, want %q (%v)", value, got, text, err)
				}
			}
			var list []json.RawMessage
			if value[0] == '[' && json.Unmarshal(value, &list) == nil {
				got, err := httpjson.ListOf(0, len(body), keep)(value)
				if err != nil || len(got) != len(list) {
					t.Fatalf("%s has the items %q, want %q (%v)", value, got, list, err)
				}
				for i := range list {
					if got[i] != string(list[i]) {
						t.Errorf("item %d of %s is %q", i, value, got[i])
					}
				}
			}
		}
		if left := in.Ignored(); len(left) > 0 {
			t.Errorf("left are %q", left)
		}
	})
}
