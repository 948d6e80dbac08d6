package httpjson_test

import (
	"bytes"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"parley"
	"parley/internal/httpjson"
)

// readUpload reads the file of a request to its end.
func readUpload(kind, query string, body []byte) (file httpjson.Upload, content []byte, err error) {
	r := httptest.NewRequest("POST", "/", bytes.NewReader(body))
	r.URL.RawQuery = query
	r.Header.Set("Content-Type", kind)
	in := httpjson.NewReader(r)
	file = in.ReadUpload(httptest.NewRecorder())
	if err := in.Err(); err != nil {
		return file, nil, err
	}
	content, err = io.ReadAll(file.Content)
	return file, content, err
}

const formOf = "multipart/form-data; boundary=b"

func TestReadUpload(t *testing.T) {
	part := func(disposition, more string) string {
		return "--b\r\nContent-Disposition: form-data; " + disposition + "\r\n" + more + "\r\nhello\r\n"
	}
	end := "--b--\r\n"
	for _, row := range []struct{ name, kind, query, body, file, declared, content, fault string }{
		{"raw", "text/plain", "fileName=a.txt", "hello", "a.txt", "text/plain", "hello", ""},
		{"raw without a type", "", "", "hello", "", "", "hello", ""},
		{"raw, of an odd type", "text/plain; =", "", "hello", "", "", "", "Content-Type: must be the media type of the file, or multipart/form-data with a boundary"},
		{"a form", formOf, "", part(`name="file"; filename="b.png"`, "Content-Type: image/png\r\n") + end, "b.png", "image/png", "hello", ""},
		{"a form without a name", formOf, "fileName=c", part(`name="file"`, "") + end, "c", "", "hello", ""},
		{"a form with more", formOf, "", part(`name="x"`, "") + part(`name="file"; filename="d"`, "") + part(`name="y"`, "") + end, "d", "", "hello", ""},
		{"a form with two files", formOf, "", part(`name="file"; filename="d"`, "") + part(`name="file"; filename="e"`, "") + end, "d", "", "hello", "file: must be there once"},
		{"a form without a file", formOf, "", part(`name="x"`, "") + end, "", "", "", "file: must be a part of the form"},
		{"a form that breaks off", formOf, "", part(`name="file"; filename="d"`, ""), "d", "", "hello", "body: must arrive as a whole form"},
		{"a form that is none", formOf, "", "hello", "", "", "", "file: must be a part of the form"},
		{"a name that is none", "text/plain", "fileName=%00", "hello", "", "", "", "fileName: must be UTF-8 without the NUL character"},
		{"a long name", "text/plain", "fileName=" + strings.Repeat("x", 1001), "hello", "", "", "", "fileName: must"},
	} {
		file, content, err := readUpload(row.kind, row.query, []byte(row.body))
		switch {
		case row.fault != "" && (err == nil || !strings.HasPrefix(err.Error(), row.fault)):
			t.Errorf("%s: the error is %v, want %s", row.name, err, row.fault)
		case row.fault == "" && (err != nil || file.FileName != row.file || file.ContentType != row.declared || string(content) != row.content):
			t.Errorf("%s: %q of %q, %q, %v", row.name, file.FileName, file.ContentType, content, err)
		}
	}
}

// FuzzReadUpload sends arbitrary bodies: each is refused with a reason for its
// sender, or gives a part of what was sent.
func FuzzReadUpload(f *testing.F) {
	f.Add("text/plain", "fileName=a", []byte("hello"))
	f.Add(formOf, "", []byte("--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nhello\r\n--b--\r\n"))
	f.Fuzz(func(t *testing.T, kind, query string, body []byte) {
		_, content, err := readUpload(kind, query, body)
		if err != nil {
			if k := parley.KindOf(err); k != parley.Invalid && k != parley.Unsupported && k != parley.TooLarge {
				t.Errorf("the error is %v (%v)", err, k)
			}
			return
		}
		if !bytes.Contains(body, content) && !strings.Contains(string(body), "quoted-printable") {
			t.Errorf("%q became %q", body, content)
		}
	})
}
