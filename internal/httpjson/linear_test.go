package httpjson

import (
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures everything here that reads untrusted input.
func TestLinear(t *testing.T) {
	body := func(raw string) {
		r := httptest.NewRequest("POST", "/", strings.NewReader(raw))
		r.Header.Set("Content-Type", "application/json")
		in := NewReader(r)
		in.ReadBody()
		in.take("content")
		_ = in.Err() // only its cost counts
		in.Ignored()
		in.BodyHash()
	}
	quoted := func(text string) json.RawMessage {
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	rule := func(text string, rules ...func(json.RawMessage) error) {
		raw := quoted(text)
		for _, rule := range rules {
			_ = rule(raw)
		}
	}
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"ReadBody", "readBody"}, Run: func(text string) {
			body(text)
			body(`{"a":` + strings.Repeat("[", len(text)/2) + strings.Repeat("]", len(text)/2) + "}")
		}},
		{Functions: []string{"split", "value", "take"}, Run: func(text string) { body(`{"content":` + string(quoted(text)) + `}`) }},
		{Functions: []string{"Text", "Content", "Email", "URL", "PhoneText"}, Run: func(text string) {
			rule(text, with(Text(64<<10)), with(Content(64<<10)), with(ContentOrNothing(64<<10)), with(Filled(64<<10)),
				with(Email), with(EmailOrStored), with(URL), with(Phone), with(PhoneText), with(Time))
		}},
		{Functions: []string{"webAddress"}, Run: func(text string) { webAddress("http://" + text) }},
		{Functions: []string{"NamesByLanguage"}, Run: func(text string) {
			_, _ = NamesByLanguage(json.RawMessage(`{"en":` + string(quoted(text)) + `}`)) // only its cost counts
		}},
		{Functions: []string{"Object"}, Run: func(text string) {
			r := httptest.NewRequest("POST", "/", strings.NewReader(`{"a":{`+strings.Repeat(string(quoted(text[:1]))+":1,", len(text)/8)+string(quoted(text))+`:1}}`))
			r.Header.Set("Content-Type", "application/json")
			in := NewReader(r)
			in.ReadBody()
			Object(in, "a", func(in *Reader) { in.take("content") })
			_ = in.Err() // only its cost counts
		}},
		{Functions: []string{"Attributes", "Facts"}, Run: func(text string) {
			_, _ = Facts(json.RawMessage(`{"a":` + string(quoted(text)) + `}`))
			_, _ = Attributes(json.RawMessage(`{"a":` + string(quoted(text)) + `}`))
		}},
		{Functions: []string{"items"}, Run: func(text string) {
			_, _ = ListOf(0, 100_000, Text(10))(json.RawMessage("[" + strings.Repeat(string(quoted(text[:1]))+",", len(text)/4) + "1]"))
		}},
		{Functions: []string{"NewReader", "QueryList", "QueryFilledList"}, Run: func(text string) {
			r := httptest.NewRequest("GET", "/", nil)
			r.URL.RawQuery = text + "&q=" + url.QueryEscape(text)
			in := NewReader(r)
			QueryList(in, "q", []string{"a", "b"})
			in.QueryFilledList("q", len(text), len(text))
			_ = in.Err()
			in.Ignored()
		}},
		{Functions: []string{"refused"}, Run: func(text string) { refused(text) }},
		{Functions: []string{"repeats", "repeated", "BodyHash", "canonical", "canonicalNumber"}, Run: func(text string) {
			names := strings.Repeat(string(quoted(text[:1]))+":1e1,", len(text)/8)
			body("{" + names + `"a":{` + names + `"b":` + strings.Repeat("1", len(text)) + "}}")
			repeats(json.RawMessage("[{" + names + `"c":[` + string(quoted(text)) + "]}]"))
		}},
		{Functions: []string{"Prefer", "document", "takesGzip"}, Run: func(text string) {
			r := httptest.NewRequest("GET", "/", nil)
			for _, name := range []string{"Prefer", "If-None-Match", "Accept-Encoding"} {
				r.Header.Set(name, text)
			}
			NewReader(r).Prefer(r.Header)
			document(r, "", nil)
			takesGzip(r.Header)
		}},
		{Functions: []string{"clean"}, Run: func(text string) {
			clean("/" + url.PathEscape(text))
			clean("/" + strings.Repeat("/%2e.", len(text)/5))
			clean(text)
		}},
		{Functions: []string{"lastFirst", "client", "ParseProxies"}, Run: func(text string) {
			r := httptest.NewRequest("GET", "/", nil)
			r.RemoteAddr = "10.1.2.3:80"
			r.Header["X-Forwarded-For"] = []string{text, strings.Repeat("10.1.2.3,", len(text)/9)}
			NewClients(Proxies{networks: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}, slog.New(slog.DiscardHandler)).Address(r)
			for range lastFirst([]string{text}) {
				continue
			}
			_, _ = ParseProxies(text)
		}},
		{Functions: []string{"unquote"}, Run: func(text string) { unquote(`"` + text) }},
		{Functions: []string{"headerName", "parameter"}, Run: func(text string) { headerName(text); parameter("field", []string{text, text}) }},
		{Functions: []string{"jsonType"}, Run: func(text string) { jsonType("a/b;" + text) }},
	}, map[string]string{
		"Write":      "sends pieces of one size",
		"SetIgnored": "shows 20 names at most",
	})
}

// with drops the value.
func with[T any](rule Rule[T]) func(json.RawMessage) error {
	return func(raw json.RawMessage) error {
		_, err := rule(raw)
		return err
	}
}
