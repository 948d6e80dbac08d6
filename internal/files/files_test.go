package files_test

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/blob"
	"parley/internal/desk"
	"parley/internal/files"
	"parley/internal/httpjson"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/wire"
)

func TestMain(m *testing.M) { apitest.Main(m, apitest.Coverage{Operations: []string{"getFile"}}) }

// A world has a second workspace, and reads the folder of files.
type world struct {
	*apitest.World
	place       string
	home, other parley.WorkspaceID
}

func newWorld(t *testing.T, o store.Options) *world {
	t.Helper()
	w := &world{place: filepath.Join(t.TempDir(), "files")}
	w.World = apitest.New(t, apitest.Options{Store: o, Files: blob.NewFolder(w.place)})
	w.MoveTo(time.Date(2026, time.November, 21, 10, 7, 0, 0, time.UTC))
	w.home, w.other = w.Home.Workspace.ID, w.Found("Other").Workspace.ID
	return w
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	storetest.EachOptions(t, func(t *testing.T, o store.Options) { test(t, newWorld(t, o)) })
}

func (w *world) upload(name, kind, content string) parley.Attachment {
	w.T.Helper()
	a, err := w.Desk.Attachments().Upload(w.T.Context(), desk.Caller{Workspace: w.home}, desk.NewUpload{FileName: name, ContentType: kind, Content: strings.NewReader(content)})
	if err != nil {
		w.T.Fatal(err)
	}
	return a
}

// address returns the address that a workspace's messages show.
func (w *world) address(ws parley.WorkspaceID, a parley.Attachment) string {
	return wire.FilesPath + a.ID.String() + "/x?" + w.Desk.Attachments().FileSigner(ws).Query(a.ID)
}

func (w *world) get(address string, header ...string) *httptest.ResponseRecorder {
	w.T.Helper()
	r := httptest.NewRequest("GET", address, nil)
	for pair := range slices.Chunk(header, 2) {
		r.Header.Set(pair[0], pair[1])
	}
	return apitest.Gate().Do(w.T, w.Handler, r)
}

func picture() string {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		panic(err) // a Buffer takes everything
	}
	return b.String()
}

// TestNothingBecomesAPage downloads files that a browser would run in a page,
// and files that it may show.
func TestNothingBecomesAPage(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const script = "<script>alert(document.domain)</script>"
		for _, row := range []struct{ name, declared, content, kind, disposition string }{
			{"page.html", "text/html", "<html>" + script, "application/octet-stream", "attachment; filename=page.html"},
			{"picture.png", "image/png", "<html>" + script, "application/octet-stream", "attachment; filename=picture.png"},
			{"drawing.svg", "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg">` + script + `</svg>`, "application/octet-stream", "attachment; filename=drawing.svg"},
			{"drawing.svg", "image/png", `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`, "application/octet-stream", "attachment; filename=drawing.svg"},
			{"feed.xml", "application/xml", `<?xml version="1.0"?><a/>`, "application/octet-stream", "attachment; filename=feed.xml"},
			{"page.xhtml", "application/xhtml+xml", `<?xml version="1.0"?><html/>`, "application/octet-stream", "attachment; filename=page.xhtml"},
			{"a.js", "text/javascript", "alert(1)", "application/octet-stream", "attachment; filename=a.js"},
			{"a.pdf", "application/pdf", "%PDF-1.7", "application/octet-stream", "attachment; filename=a.pdf"},
			{"a.txt", "text/plain", "hello", "application/octet-stream", "attachment; filename=a.txt"},
			{"a.swf", "application/x-shockwave-flash", "CWS\x01", "application/octet-stream", "attachment; filename=a.swf"},
			{"tricky\"\r\nSet-Cookie: a=b; x.html", "text/html", script, "application/octet-stream", `attachment; filename="tricky\"Set-Cookie: a=b; x.html"`},
			{"Rechnung März.txt", "text/plain", "x", "application/octet-stream", "attachment; filename*=utf-8''Rechnung%20M%C3%A4rz.txt"},
			{"evil\u202egnp.exe", "", "MZ\x00\x01", "application/octet-stream", "attachment; filename=evilgnp.exe"},
			{"..", "", "\x00", "application/octet-stream", "attachment; filename=file"},
			{"shown.html", "text/html", picture(), "image/png", "inline; filename=shown.html"},
			{"a.gif", "", "GIF89a\x01\x00\x01\x00" + script, "image/gif", "inline; filename=a.gif"},
			{"a.mp3", "", "ID3\x03\x00", "audio/mpeg", "inline; filename=a.mp3"},
			{"a.mp4", "", "\x00\x00\x00\x20ftypisom\x00", "video/mp4", "inline; filename=a.mp4"},
		} {
			got := w.get(w.address(w.home, w.upload(row.name, row.declared, row.content)))
			h := got.Result().Header
			if got.Code != 200 || got.Body.String() != row.content {
				t.Errorf("%q: %d, %d bytes", row.name, got.Code, got.Body.Len())
			}
			for name, want := range map[string]string{
				"Content-Type": row.kind, "Content-Disposition": row.disposition, "X-Content-Type-Options": "nosniff",
				"Content-Security-Policy": "sandbox; default-src 'none'", "Cross-Origin-Resource-Policy": "same-site",
				"Cache-Control": "private, max-age=3180", "Set-Cookie": "", "Referrer-Policy": "no-referrer",
			} {
				if h.Get(name) != want {
					t.Errorf("%q as %s: %s is %q, want %q", row.name, row.declared, name, h.Get(name), want)
				}
			}
		}
	})
}

// TestAddresses changes an address in every way: only the unchanged one may
// open the file, until it expires.
func TestAddresses(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a, b := w.upload("a", "", "secret a"), w.upload("b", "", "secret b")
		good := w.address(w.home, a)
		path, query, _ := strings.Cut(good, "?")
		expires, signature, _ := strings.Cut(query, "&")
		refused := func(address string) {
			t.Helper()
			if got := w.get(address); got.Code != 403 || strings.Contains(got.Body.String(), "secret") {
				t.Errorf("%s is answered with %d: %s", address, got.Code, got.Body)
			}
		}
		refused(path)
		refused(path + "?" + expires)
		refused(path + "?" + signature)
		refused(path + "?" + expires + "0&" + signature)
		refused(path + "?e=-1&" + signature)
		refused(path + "?e=9223372036854775808&" + signature)
		refused(path + "?e=0" + strings.TrimPrefix(expires, "e=") + "x&" + signature)
		for i := len("s="); i < len(signature); i++ {
			wrong := []byte(signature)
			wrong[i] ^= 1
			refused(path + "?" + expires + "&" + string(wrong))
		}
		refused(good[:len(good)-1])
		refused(good + "AA")
		refused(good + "=")
		refused(strings.Replace(good, a.ID.String(), b.ID.String(), 1))
		refused(w.address(w.other, a)[:strings.Index(w.address(w.other, a), "&s=")] + "&s=")
		refused(strings.Replace(good, a.ID.String(), "not-an-id", 1))
		// Another workspace's signature is valid only there, and it has no such
		// file.
		if got := w.get(w.address(w.other, a)); got.Code != 404 {
			t.Errorf("another workspace's address is answered with %d: %s", got.Code, got.Body)
		}
		// The name is for people.
		if got := w.get(strings.Replace(good, "/x?", "/%2e%2e%2fanything?", 1)); got.Code != 200 && got.Code != 404 {
			t.Errorf("another name is answered with %d", got.Code)
		}
		w.Advance(52*time.Minute + 59*time.Second)
		if got := w.get(good); got.Code != 200 || got.Body.String() != "secret a" {
			t.Errorf("the address ended too early: %d", got.Code)
		}
		w.Advance(time.Second)
		refused(good)
	})
}

// TestParts requests ranges of a file, and a file that the client has already.
func TestParts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a := w.upload("a", "", "0123456789")
		address := w.address(w.home, a)
		for _, row := range []struct {
			header []string
			status int
			body   string
		}{
			{[]string{"Range", "bytes=2-4"}, 206, "234"},
			{[]string{"Range", "bytes=-2"}, 206, "89"},
			{[]string{"Range", "bytes=5-"}, 206, "56789"},
			{[]string{"Range", "bytes=20-"}, 416, `{"error":"Range: must lie within the file"}`},
			{[]string{"Range", "lines=1"}, 416, `{"error":"Range: must lie within the file"}`},
			{[]string{"If-None-Match", `"` + a.ID.String() + `"`}, 304, ""},
			{nil, 200, "0123456789"},
		} {
			if got := w.get(address, row.header...); got.Code != row.status || got.Body.String() != row.body {
				t.Errorf("%v: %d %q, want %d %q", row.header, got.Code, got.Body, row.status, row.body)
			}
		}
		r := httptest.NewRequest("HEAD", address, nil)
		if got := apitest.Gate().Do(t, w.Handler, r); got.Code != 200 || got.Header().Get("Content-Length") != "10" {
			t.Errorf("HEAD: %d, %v", got.Code, got.Header())
		}
		for _, method := range []string{"POST", "PUT", "DELETE"} {
			if got := apitest.Gate().Do(t, w.Handler, httptest.NewRequest(method, address, nil)); got.Code != 405 {
				t.Errorf("%s: %d", method, got.Code)
			}
		}
	})
}

// TestFileThatIsGone requests files whose content or row is missing, and one
// while the store is unavailable.
func TestFileThatIsGone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		lost, purged := w.upload("a", "", "x"), w.upload("b", "", "y")
		at := w.address(w.home, lost)
		if err := os.RemoveAll(filepath.Join(w.place, w.home.String())); err != nil {
			t.Fatal(err)
		}
		if got := w.get(at); got.Code != 404 || !strings.Contains(got.Body.String(), "not there any more") {
			t.Errorf("content that is lost: %d %s", got.Code, got.Body)
		}
		w.Advance(parley.UploadRetention + time.Second)
		w.Expire()
		if got := w.get(w.address(w.home, purged)); got.Code != 404 {
			t.Errorf("a file that was deleted: %d %s", got.Code, got.Body)
		}
		// A file in the place of a folder: an unexpected error.
		odd := w.upload("c", "", "z")
		path := filepath.Join(w.place, w.home.String())
		if err := errors.Join(os.RemoveAll(path), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
		if got := w.get(w.address(w.home, odd)); got.Code != 503 || strings.Contains(got.Body.String(), w.place) {
			t.Errorf("a place that fails: %d %s", got.Code, got.Body)
		}
		if err := w.Store.Close(); err != nil {
			t.Fatal(err)
		}
		if got := w.get(w.address(w.home, odd)); got.Code != 503 {
			t.Errorf("without a store: %d %s", got.Code, got.Body)
		}
	})
}

// TestOneAddressForAWhile checks that loading a message again does not load its
// files again.
func TestOneAddressForAWhile(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a := w.upload("a", "", "x")
		first := w.address(w.home, a)
		w.Advance(7 * time.Minute)
		if w.address(w.home, a) != first {
			t.Error("the address changes within a slot of 15 minutes")
		}
		w.Advance(2 * time.Minute)
		if w.address(w.home, a) == first {
			t.Error("the address stays the same")
		}
		if got := w.get(first); got.Code != 200 {
			t.Errorf("the older address is answered with %d", got.Code)
		}
	})
}

// TestFilesOfAnAddress requests more files than one network address may.
func TestFilesOfAnAddress(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a := w.upload("a.txt", "text/plain", "x")
		w.Handler = w.Enveloped(files.Handler(files.Options{
			Desk: w.Desk, Clock: w.Now, Log: apitest.Log(t),
			Requests: httpjson.AddressLimits{AMinute: 2, AtOnce: 2},
		}))
		address := w.address(w.home, a)
		for i, want := range []int{200, 200, 429} {
			if got := w.get(address); got.Code != want {
				t.Errorf("request %d is answered with %d, want %d", i, got.Code, want)
			}
		}
		w.Advance(time.Minute)
		if got := w.get(address); got.Code != 200 {
			t.Errorf("a minute later the answer is %d", got.Code)
		}
	})
}
