package publicapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"parley"
	"parley/internal/blob"
	"parley/internal/desk"
)

// maxUpload is the limit of the tests' server, in bytes.
const maxUpload = 128 << 10

// A place keeps files, or does not when it is told so, and counts them.
type place struct {
	blob.Place

	mu     sync.Mutex
	failed error
	stuck  parley.ID // a file that cannot be changed
	files  map[parley.ID]bool
}

func (p *place) fail(with error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed = with
}

// hold makes one file resist.
func (p *place) hold(file parley.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stuck = file
}

// change runs what changes a file, unless the place fails.
func (p *place) change(file parley.ID, there bool, do func() error) error {
	p.mu.Lock()
	failed := p.failed
	if file == p.stuck {
		failed = errors.New("the file is stuck")
	}
	p.mu.Unlock()
	if failed != nil {
		return failed
	}
	if err := do(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.files == nil {
		p.files = map[parley.ID]bool{}
	}
	p.files[file] = there
	if !there {
		delete(p.files, file)
	}
	return nil
}

// Put keeps a file.
func (p *place) Put(ctx context.Context, ws parley.WorkspaceID, file parley.ID, content io.Reader) error {
	return p.change(file, true, func() error { return p.Place.Put(ctx, ws, file, content) })
}

// Delete forgets a file.
func (p *place) Delete(ctx context.Context, ws parley.WorkspaceID, file parley.ID) error {
	return p.change(file, false, func() error { return p.Place.Delete(ctx, ws, file) })
}

func (p *place) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.files)
}

// picture returns a PNG of a size.
func picture(width, height int) string {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		panic(err) // a Buffer takes everything
	}
	return b.String()
}

// upload sends a file as the body.
func (w *world) upload(name, kind, content string, more ...string) answer {
	w.t.Helper()
	h := http.Header{"Content-Type": {kind}}
	for pair := range slices.Chunk(more, 2) {
		h[pair[0]] = []string{pair[1]}
	}
	return w.send(request{method: "POST", path: "/v1/public/attachments?fileName=" + name, body: content, header: h})
}

// form writes a form of parts: a name, a file's name ("" for none), a content.
func form(parts ...[3]string) (kind, body string) {
	var b strings.Builder
	m := multipart.NewWriter(&b)
	for _, part := range parts {
		var w io.Writer
		var err error
		if part[1] == "" {
			w, err = m.CreateFormField(part[0])
		} else {
			w, err = m.CreateFormFile(part[0], part[1])
		}
		if err == nil {
			_, err = io.WriteString(w, part[2])
		}
		if err != nil {
			panic(err) // a Builder takes everything
		}
	}
	_ = m.Close() // as above
	return m.FormDataContentType(), b.String()
}

func TestAttachments(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		conversation := w.conversation()
		messages := "/v1/public/conversations/" + conversation + "/messages"
		position := ""
		w.events(&position)
		shown := w.upload("..%2F..%2Fetc%2Fpass%20wd.png", "text/html", picture(30, 20)).want(201).
			is("fileName", `"pass wd.png"`, "contentType", `"image/png"`, "width", "30", "height", "20", "duration", "null")
		kind, body := form([3]string{"note", "", "ignored"}, [3]string{"file", `C:\papers\Rechnung für März.pdf`, "%PDF-1.7 x"})
		paper := w.send(request{method: "POST", path: "/v1/public/attachments", body: body, header: http.Header{"Content-Type": {kind}}}).
			want(201).is("fileName", `"Rechnung für März.pdf"`, "contentType", `"application/pdf"`, "size", "10", "width", "null")
		if told := w.events(&position); len(told) != 0 {
			t.Errorf("an upload told %q", told)
		}
		pictureID, paperID := shown.text("id"), paper.text("id")
		w.get("/v1/public/attachments/"+pictureID).want(200).is("fileName", `"pass wd.png"`)

		both := fmt.Sprintf(`{"attachmentIds":[%q,%q]}`, pictureID, paperID)
		sent := w.post(messages, both).want(201).is("content", `""`, "contentType", `"image"`, "attachments.0.id", `"`+pictureID+`"`,
			"attachments.1.fileName", `"Rechnung für März.pdf"`)
		want := sent.text("attachments.0.url")
		if !strings.HasPrefix(want, "/v1/files/"+pictureID+"/pass%20wd.png?e=") || !strings.Contains(want, "&s=") {
			t.Errorf("the address is %s", want)
		}
		w.get("/v1/public/conversations/"+conversation).want(200).is("messages.data.0.attachments.0.url", quoted(want), "messages.data.0.contentType", `"image"`)
		events := w.get("/v1/public/events?after=" + position).want(200)
		events.is("data.0.type", `"message.created"`, "data.0.data.attachments.0.url", quoted(want))
		w.events(&position)

		w.post(messages, both).refused(409, "attachmentIds: must not be those of another message; "+pictureID+" is")
		if told := w.events(&position); len(told) != 0 {
			t.Errorf("a message that was refused told %q", told)
		}
		// The address is another one later, and the one that was kept for a
		// repeated request too.
		third := w.upload("a.txt", "text/plain", "hello").want(201).text("id")
		again := request{method: "POST", path: messages, body: `{"content":"look","attachmentIds":["` + third + `"]}`, header: http.Header{"Idempotency-Key": {"k"}}}
		first := w.send(again).want(201).is("contentType", `"file"`, "content", `"look"`)
		w.advance(2 * time.Hour)
		replayed := w.send(again).want(201).is("id", quoted(first.text("id")))
		if replayed.header.Get("Idempotent-Replayed") != "true" || replayed.text("attachments.0.url") == first.text("attachments.0.url") {
			t.Errorf("the repeated answer is %s", replayed.body)
		}
	})
}

func quoted(text string) string {
	b, _ := json.Marshal(text) // a string is always JSON
	return string(b)
}

// TestMessagesRefuseAttachments sends messages whose files are not in order.
func TestMessagesRefuseAttachments(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	records := w.records()
	messages := "/v1/public/conversations/" + records.conversation + "/messages"
	ids := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf("01a1fb68-2f6a-7000-87d8-%012d", i)
		}
		b, _ := json.Marshal(list) // as above
		return string(b)
	}
	for body, want := range map[string]string{
		`{"attachmentIds":[]}`:                                                            "content: must be given",
		`{"content":" ","attachmentIds":[]}`:                                              "content: must be 1 to 65536 bytes, not blank",
		`{"attachmentIds":["x"]}`:                                                         "attachmentIds: ",
		`{"attachmentIds":"` + records.file + `"}`:                                        "attachmentIds: ",
		`{"attachmentIds":` + ids(11) + `}`:                                               "attachmentIds: ",
		`{"attachmentIds":["` + records.file + `","` + records.file + `"]}`:               "attachmentIds: ",
		`{"content":"` + strings.Repeat("x", 65537) + `","attachmentIds":` + ids(1) + `}`: "content: ",
	} {
		got := w.post(messages, body).want(400).text("error")
		if field, _, _ := strings.Cut(want, ":"); !strings.HasPrefix(got, field+": must ") {
			t.Errorf("%.80s: the error is %q, want %q", body, got, want)
		}
	}
	w.post(messages, `{"attachmentIds":`+ids(1)+`}`).want(404)
	// What a customer uploaded is the customer's until it was sent.
	customer := w.home.Inbox.ID // any id
	theirs, err := w.uploadOf(customer)
	if err != nil {
		t.Fatal(err)
	}
	for range parley.MaxWaiting - 1 {
		if _, err := w.uploadOf(customer); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.uploadOf(customer); parley.KindOf(err) != parley.Limited {
		t.Errorf("one file too many of a customer: %v", err)
	}
	if _, err := w.uploadOf(w.product.ID); err != nil {
		t.Errorf("another customer's file: %v", err)
	}
	w.post(messages, `{"attachmentIds":["`+theirs.ID.String()+`"]}`).want(404)
	w.get("/v1/public/attachments/" + theirs.ID.String()).want(404)
	w.post(messages, `{"attachmentIds":["`+records.file+`"],"content":""}`).want(201)
}

// uploadOf uploads a file of a customer, as the widget does.
func (w *world) uploadOf(customer parley.ID) (parley.Attachment, error) {
	return w.desk.Upload(w.t.Context(), w.by(), desk.NewUpload{FileName: "a", Contact: customer, Content: strings.NewReader("x")})
}

// TestRefusedUploads sends what is no upload: nothing may be left of it.
func TestRefusedUploads(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		send := func(kind, body string) answer {
			return w.send(request{method: "POST", path: "/v1/public/attachments", body: body, header: http.Header{"Content-Type": {kind}}})
		}
		large := strings.Repeat("x", maxUpload+1)
		send("text/plain", large).refused(413, fmt.Sprintf("file: must be at most %d bytes", maxUpload))
		send("text/plain", large[1:]).want(201).is("size", fmt.Sprint(maxUpload))
		send(form([3]string{"file", "a", large})).want(413)
		send(form([3]string{"other", "", large}, [3]string{"file", "a", "x"})).refused(413, "body: must have at most 65536 bytes beside the file")
		send(form([3]string{"file", "a", ""})).refused(400, "file: must not be empty")
		w.send(request{method: "POST", path: "/v1/public/attachments"}).refused(400, "file: must not be empty")
		send(form([3]string{"document", "a", "x"})).refused(400, "file: must be a part of the form")
		send(form([3]string{"file", "a", "x"}, [3]string{"file", "b", "y"})).refused(400, "file: must be there once")
		kind, body := form([3]string{"file", "a", strings.Repeat("y", 5000)})
		for _, end := range []int{0, 10, 100, 2000, len(body) - 60, len(body) - 6} {
			if got := send(kind, body[:end]); got.status != 400 {
				t.Errorf("a form that ends after %d bytes of %d is answered with %d: %s", end, len(body), got.status, got.body)
			}
		}
		send("multipart/form-data", body).want(415)
		send("multipart/form-data; boundary=\"", body).want(415)
		w.upload("a", "text/plain", "x", "Content-Encoding", "gzip").refused(415, "Content-Encoding: must be absent")

		r := httptest.NewRequest("POST", "/v1/public/attachments", io.MultiReader(strings.NewReader("begin"), iotest.ErrReader(io.ErrUnexpectedEOF)))
		r.Header.Set("Authorization", "Bearer "+w.key)
		if got := gate().Do(t, w.handler, r); got.Code != 400 {
			t.Errorf("a body that broke off is answered with %d: %s", got.Code, got.Body)
		}
		if w.files.count() != 1 {
			t.Errorf("%d files are kept, want the one that was small enough", w.files.count())
		}
		w.files.fail(errors.New("the disk is full"))
		if got := w.upload("a", "text/plain", "x").want(503); got.text("error") != "the file cannot be kept now; try again" {
			t.Errorf("the error shows what is inside: %s", got.body)
		}
		w.files.fail(nil)
	})
}

// TestRepeatedUploads sends an upload again, another one with the same key, and
// one while the first still arrives.
func TestRepeatedUploads(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		send := func(content string) answer { return w.upload("a.txt", "text/plain", content, "Idempotency-Key", "k1") }
		first := send("one").want(201)
		w.advance(time.Hour)
		again := send("one").want(201).is("id", quoted(first.text("id")))
		if again.header.Get("Idempotent-Replayed") != "true" || again.text("url") == first.text("url") {
			t.Errorf("the repeated answer is %s", again.body)
		}
		send("two").want(422)
		w.upload("b.txt", "text/plain", "one", "Idempotency-Key", "k1").want(422)
		if w.files.count() != 1 {
			t.Errorf("%d files are kept, want 1", w.files.count())
		}
		content, arrives := io.Pipe()
		done := make(chan int)
		go func() {
			r := httptest.NewRequest("POST", "/v1/public/attachments", content)
			r.Header.Set("Authorization", "Bearer "+w.key)
			r.Header.Set("Idempotency-Key", "k2")
			done <- gate().Do(t, w.handler, r).Code
		}()
		if _, err := io.WriteString(arrives, "slow"); err != nil { // it is being read now
			t.Fatal(err)
		}
		w.upload("", "", "slow", "Idempotency-Key", "k2").want(409)
		if err := arrives.Close(); err != nil {
			t.Fatal(err)
		}
		if status := <-done; status != 201 {
			t.Errorf("the first request is answered with %d", status)
		}
	})
}

// TestPurgedUploads looks at which files a purge deletes, also one that cannot.
func TestPurgedUploads(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		purge := func() error { return w.desk.Purge(t.Context(), parley.EventRetention) }
		messages := "/v1/public/conversations/" + w.conversation() + "/messages"
		upload := func() string { return w.upload("a", "text/plain", "x").want(201).text("id") }
		sent, old := upload(), upload()
		w.post(messages, `{"attachmentIds":["`+sent+`"]}`).want(201)
		w.advance(parley.UploadRetention + time.Millisecond)
		young := upload()
		w.files.fail(errors.New("the disk is away"))
		if purge() == nil {
			t.Error("a purge that could not delete says nothing")
		}
		w.post(messages, `{"attachmentIds":["`+old+`"]}`).want(404) // half of it may be gone
		w.files.fail(nil)
		for range 2 {
			if err := purge(); err != nil {
				t.Fatal(err)
			}
		}
		if w.files.count() != 2 {
			t.Errorf("%d files are kept, want 2", w.files.count())
		}
		w.get("/v1/public/attachments/" + old).want(404)
		w.get("/v1/public/attachments/" + sent).want(200)
		w.post(messages, `{"attachmentIds":["`+young+`"]}`).want(201)
	})
}

// TestAFileThatCannotBeDeleted has the oldest file of the first workspace resist:
// all others go, those of other workspaces too, and it when it can be.
func TestAFileThatCannotBeDeleted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		foreign := w.found("Foreign")
		upload := func(ws parley.WorkspaceID) parley.ID {
			w.advance(time.Millisecond)
			a, err := w.desk.Upload(t.Context(), desk.Caller{Workspace: ws}, desk.NewUpload{FileName: "a", Content: strings.NewReader("x")})
			if err != nil {
				t.Fatal(err)
			}
			return a.ID
		}
		stuck := upload(w.by().Workspace)
		for range 3 {
			upload(w.by().Workspace)
			upload(foreign.Workspace.ID)
		}
		w.files.hold(stuck)
		w.advance(parley.UploadRetention + time.Millisecond)
		if err := w.desk.Purge(t.Context(), parley.EventRetention); err == nil || !strings.Contains(err.Error(), "1 files") {
			t.Errorf("the purge says %v", err)
		}
		if n := w.files.count(); n != 1 {
			t.Errorf("%d files are kept, want the one that cannot be deleted", n)
		}
		w.files.hold(parley.ID{})
		if err := w.desk.Purge(t.Context(), parley.EventRetention); err != nil || w.files.count() != 0 {
			t.Errorf("%d files are kept, %v", w.files.count(), err)
		}
	})
}

// TestUploadsAtOnce has many files of one key arrive slowly.
func TestUploadsAtOnce(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	key, other := w.keyWith(parley.Scopes...), w.keyWith(parley.Scopes...)
	send := func(key string, body io.Reader) int {
		req := httptest.NewRequest("POST", "/v1/public/attachments?fileName=a.txt", body)
		req.Header = http.Header{"Authorization": {"Bearer " + key}, "Content-Type": {"text/plain"}}
		return gate().Do(t, w.handler, req).Code
	}
	done := make(chan int)
	var rest []*io.PipeWriter
	for range 20 {
		body, writer := io.Pipe()
		go func() { done <- send(key, body) }()
		if _, err := writer.Write([]byte("x")); err != nil { // it arrives
			t.Fatal(err)
		}
		rest = append(rest, writer)
	}
	if got := send(key, strings.NewReader("x")); got != 429 {
		t.Errorf("one more is answered with %d", got)
	}
	if got := send(other, strings.NewReader("x")); got != 201 {
		t.Errorf("another key is answered with %d", got)
	}
	for _, writer := range rest {
		if err := writer.Close(); err != nil {
			t.Fatal(err)
		}
		if got := <-done; got != 201 {
			t.Errorf("a slow one is answered with %d", got)
		}
	}
	if got := send(key, strings.NewReader("x")); got != 201 {
		t.Errorf("afterwards the answer is %d", got)
	}
}
