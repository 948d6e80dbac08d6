package media_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"parley/internal/media"
)

// drawn returns a picture of 7 by 5 pixels in a format.
func drawn(t testing.TB, format string) string {
	t.Helper()
	var b bytes.Buffer
	var err error
	picture := image.NewGray(image.Rect(0, 0, 7, 5))
	switch format {
	case "png":
		err = png.Encode(&b, picture)
	case "jpeg":
		err = jpeg.Encode(&b, picture, nil)
	case "gif":
		err = gif.Encode(&b, picture, nil)
	case "webp":
		var raw []byte
		raw, err = base64.StdEncoding.DecodeString("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==")
		b.Write(raw)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestExamine(t *testing.T) {
	for _, row := range []struct{ name, head, declared, want string }{
		{"a picture counts by its content", drawn(t, "png"), "text/html", "image/png"},
		{"jpeg", drawn(t, "jpeg"), "image/png", "image/jpeg"},
		{"gif", drawn(t, "gif"), "", "image/gif"},
		{"webp", drawn(t, "webp"), "application/octet-stream", "image/webp"},
		{"pdf", "%PDF-1.7\n", "text/plain", "application/pdf"},
		{"a page as a picture", "<html><script>alert(1)</script>", "image/png", "text/html"},
		{"a page behind spaces", " \n\t <!DOCTYPE html>", "image/jpeg", "text/html"},
		{"a drawing as a picture", `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`, "image/png", "text/plain"},
		{"a drawing as itself", `<svg xmlns="http://www.w3.org/2000/svg"/>`, "image/svg+xml", "text/plain"},
		{"a drawing with a prologue", `<?xml version="1.0"?><svg/>`, "image/svg+xml", "text/xml"},
		{"xhtml", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>`, "application/xhtml+xml", "text/xml"},
		{"text as a page", "hello", "text/html", "text/plain"},
		{"text as a page, with parameters", "hello", "text/HTML; charset=utf-8", "text/plain"},
		{"text as a script", "alert(1)", "text/javascript", "text/plain"},
		{"text as sound", "hello", "audio/mpeg", "text/plain"},
		{"text as film", "hello", "video/mp4", "text/plain"},
		{"bytes as a picture", "\x00\x01\x02\xfe", "image/png", "application/octet-stream"},
		{"bytes as a paper", "\x00\x01\x02\xfe", "application/pdf", "application/octet-stream"},
		{"text of a kind", "a,b\n", "text/csv; charset=utf-8", "text/csv"},
		{"json", `{"a":1}`, "application/json", "application/json"},
		{"a letter", "PK\x03\x04xx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
		{"an archive", "PK\x03\x04xx", "", "application/zip"},
		{"no type", "hello", "not a type", "text/plain"},
		{"a type with a line break", "hello", "text/x\r\nSet-Cookie: a=b", "text/plain"},
		{"a long type", "hello", "text/" + strings.Repeat("x", 200), "text/plain"},
		{"sound", "ID3\x03\x00", "", "audio/mpeg"},
		{"sound without a title", "\xff\xfb\x90\x64", "", "audio/mpeg"},
		{"sound of a phone", "\x00\x00\x00\x20ftypM4A \x00", "video/mp4", "audio/mp4"},
		{"film of a phone", "\x00\x00\x00\x20ftypisom\x00", "text/html", "video/mp4"},
		{"sound that says so", "\x00\x00\x00\x20ftypisom\x00", "audio/mp4", "audio/mp4"},
		{"a picture of a phone", "\x00\x00\x00\x20ftypheic\x00", "image/jpeg", "image/heic"},
		{"ogg", "OggS\x00\x02", "", "audio/ogg"},
		{"webm", "\x1a\x45\xdf\xa3\x01\x42\x82\x84webm", "", "video/webm"},
		{"a recording", "\x1a\x45\xdf\xa3\x01\x42\x82\x84webm", "audio/webm", "audio/webm"},
		{"nothing", "", "image/png", "text/plain"},
	} {
		got := media.Examine([]byte(row.head), row.declared)
		if got.Type != row.want {
			t.Errorf("%s: the type is %s, want %s", row.name, got.Type, row.want)
		}
		if sized := row.name == "jpeg" || row.name == "gif" || strings.HasPrefix(row.name, "a picture counts"); sized && (got.Width != 7 || got.Height != 5) {
			t.Errorf("%s: the size is %d × %d, want 7 × 5", row.name, got.Width, got.Height)
		}
	}
}

// TestInline names every type that a browser may show, so that another one is
// not let in by accident.
func TestInline(t *testing.T) {
	for _, kind := range []string{"text/html", "image/svg+xml", "text/xml", "application/xml", "application/xhtml+xml", "application/pdf", "text/plain",
		"text/javascript", "application/json", "image/avif", "image/heic", "video/ogg", "video/quicktime", "application/octet-stream", "", "image/png; charset=x", "IMAGE/PNG"} {
		if media.Inline(kind) {
			t.Errorf("%q is shown", kind)
		}
	}
	for _, kind := range []string{"image/png", "image/jpeg", "image/gif", "image/webp", "audio/mpeg", "audio/mp4", "audio/ogg", "video/mp4", "video/webm", "audio/webm"} {
		if !media.Inline(kind) {
			t.Errorf("%q is not shown", kind)
		}
	}
}

// FuzzExamine gives anything: what is shown in place must be of that type by its
// content alone, whatever was declared.
func FuzzExamine(f *testing.F) {
	for _, format := range []string{"png", "jpeg", "gif", "webp"} {
		f.Add([]byte(drawn(f, format)), "text/html")
	}
	f.Add([]byte("<svg/>"), "image/png")
	f.Add([]byte("hello"), "image/png")
	f.Fuzz(func(t *testing.T, head []byte, declared string) {
		got := media.Examine(head, declared)
		kind, _, _ := strings.Cut(got.Type, "/")
		if bare := media.Examine(head, ""); media.Inline(got.Type) && !media.Inline(bare.Type) {
			t.Errorf("%q is %s only because it is declared as %q", head, got.Type, declared)
		}
		if got.Width != 0 && kind != "image" || got.Width < 0 || got.Height < 0 {
			t.Errorf("%q has the size %d × %d", head, got.Width, got.Height)
		}
	})
}
