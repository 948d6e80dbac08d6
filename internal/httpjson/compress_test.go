package httpjson_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"parley/internal/httpjson"
)

func TestCompressor(t *testing.T) {
	var z httpjson.Compressor
	large := []byte(strings.Repeat("0123456789abcdef", 256)) // 4 KiB
	for _, c := range []struct {
		accept string
		body   []byte
		zipped bool
	}{
		{"gzip", large, true}, {"br, GZIP;q=0.5", large, true}, {"gzip", large[1:], false}, {"", large, false},
		{"gzip;q=0", large, false}, {"identity", large, false}, {"gzip", nil, false},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", c.accept)
		w := httptest.NewRecorder()
		z.Reply(r, httpjson.OK(c.body)).Write(w)
		got := w.Body.Bytes()
		if zipped := w.Header().Get("Content-Encoding") == "gzip"; zipped != c.zipped {
			t.Errorf("%q with %d bytes: zipped is %t", c.accept, len(c.body), zipped)
		} else if zipped {
			got = unzip(t, got)
		}
		if !bytes.Equal(got, c.body) {
			t.Errorf("%q with %d bytes: the body is %.40q", c.accept, len(c.body), got)
		}
		if vary := w.Header().Get("Vary"); (vary == "Accept-Encoding") != (len(c.body) >= len(large)) {
			t.Errorf("%d bytes: Vary is %q", len(c.body), vary)
		}
	}
	pieces := z.Reply(httptest.NewRequest(http.MethodGet, "/", nil), httpjson.Reply{Status: 200, Body: large, Header: http.Header{"Etag": {"x"}}})
	if pieces.Header.Get("Etag") != "x" {
		t.Error("the headers of a reply are lost")
	}
}

// TestCompressorTogether uses one compressor concurrently.
func TestCompressorTogether(t *testing.T) {
	var z httpjson.Compressor
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			body := bytes.Repeat([]byte{byte(i)}, 10_000+i)
			r := httptest.NewRequest(http.MethodGet, "/", nil)
			r.Header.Set("Accept-Encoding", "gzip")
			if got := unzip(t, z.Reply(r, httpjson.OK(body)).Body); !bytes.Equal(got, body) {
				t.Errorf("body %d came back as another", i)
			}
		})
	}
	all.Wait()
}

func unzip(t *testing.T, body []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Error(err)
		return nil
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Error(err)
	}
	return text
}

func BenchmarkCompressor(b *testing.B) {
	var z httpjson.Compressor
	body := []byte(strings.Repeat(`{"id":"0193480f-2c4a-7d1e-8f00-3a5b9c2d1e05","name":"Ada Lovelace","email":"ada@example.com"},`, 1000))
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	for b.Loop() {
		z.Reply(r, httpjson.OK(body))
	}
}
