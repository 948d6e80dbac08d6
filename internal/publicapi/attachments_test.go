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
	"parley/internal/apitest"
	"parley/internal/blob"
	"parley/internal/desk"
)

// maxUpload is the limit of the tests' server, in bytes.
const maxUpload = 128 << 10

// A place stores files, fails on demand, and counts them.
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

// hold makes one file unchangeable.
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
func (w *world) upload(name, kind, content string, more ...string) apitest.Answer {
	w.T.Helper()
	h := http.Header{"Content-Type": {kind}}
	for pair := range slices.Chunk(more, 2) {
		h[pair[0]] = []string{pair[1]}
	}
	return w.Send(apitest.Request{Method: "POST", Path: "/v1/public/attachments?fileName=" + name, Body: content, Header: h})
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
		conversation := w.Conversation()
		messages := "/v1/public/conversations/" + conversation + "/messages"
		position := ""
		w.events(&position)
		shown := w.upload("..%2F..%2Fetc%2Fpass%20wd.png", "text/html", picture(30, 20)).Want(201).
			Is("fileName", `"pass wd.png"`, "contentType", `"image/png"`, "width", "30", "height", "20", "duration", "null")
		kind, body := form([3]string{"note", "", "ignored"}, [3]string{"file", `C:\papers\Rechnung für März.pdf`, "%PDF-1.7 x"})
		paper := w.Send(apitest.Request{Method: "POST", Path: "/v1/public/attachments", Body: body, Header: http.Header{"Content-Type": {kind}}}).
			Want(201).Is("fileName", `"Rechnung für März.pdf"`, "contentType", `"application/pdf"`, "size", "10", "width", "null")
		if told := w.events(&position); len(told) != 0 {
			t.Errorf("an upload told %q", told)
		}
		pictureID, paperID := shown.Text("id"), paper.Text("id")
		w.Get("/v1/public/attachments/"+pictureID).Want(200).Is("fileName", `"pass wd.png"`)

		both := fmt.Sprintf(`{"attachmentIds":[%q,%q]}`, pictureID, paperID)
		sent := w.Post(messages, both).Want(201).Is("content", `""`, "contentType", `"image"`, "attachments.0.id", `"`+pictureID+`"`,
			"attachments.1.fileName", `"Rechnung für März.pdf"`)
		want := sent.Text("attachments.0.url")
		if !strings.HasPrefix(want, "/v1/files/"+pictureID+"/pass%20wd.png?e=") || !strings.Contains(want, "&s=") {
			t.Errorf("the address is %s", want)
		}
		w.Get("/v1/public/conversations/"+conversation).Want(200).Is("messages.data.0.attachments.0.url", quoted(want), "messages.data.0.contentType", `"image"`)
		events := w.Get("/v1/public/events?after=" + position).Want(200)
		events.Is("data.0.type", `"message.created"`, "data.0.data.attachments.0.url", quoted(want))
		w.events(&position)

		w.Post(messages, both).Refused(409, "attachmentIds: must not be those of another message; "+pictureID+" is")
		if told := w.events(&position); len(told) != 0 {
			t.Errorf("a message that was refused told %q", told)
		}
		// The address is another one later, also in the stored answer of a
		// repeated request.
		third := w.upload("a.txt", "text/plain", "hello").Want(201).Text("id")
		again := apitest.Request{Method: "POST", Path: messages, Body: `{"content":"look","attachmentIds":["` + third + `"]}`, Header: http.Header{"Idempotency-Key": {"k"}}}
		first := w.Send(again).Want(201).Is("contentType", `"file"`, "content", `"look"`)
		w.Advance(2 * time.Hour)
		replayed := w.Send(again).Want(201).Is("id", quoted(first.Text("id")))
		if replayed.Header.Get("Idempotent-Replayed") != "true" || replayed.Text("attachments.0.url") == first.Text("attachments.0.url") {
			t.Errorf("the repeated answer is %s", replayed.Body)
		}
	})
}

func quoted(text string) string {
	b, _ := json.Marshal(text) // a string is always JSON
	return string(b)
}

// TestMessagesRefuseAttachments sends messages with invalid attachments.
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
		got := w.Post(messages, body).Want(400).Text("error")
		if field, _, _ := strings.Cut(want, ":"); !strings.HasPrefix(got, field+": must ") {
			t.Errorf("%.80s: the error is %q, want %q", body, got, want)
		}
	}
	w.Post(messages, `{"attachmentIds":`+ids(1)+`}`).Want(404)
	// A customer's upload belongs to the customer until it is sent.
	customer := w.Home.Inbox.ID // any id
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
	w.Post(messages, `{"attachmentIds":["`+theirs.ID.String()+`"]}`).Want(404)
	w.Get("/v1/public/attachments/" + theirs.ID.String()).Want(404)
	w.Post(messages, `{"attachmentIds":["`+records.file+`"],"content":""}`).Want(201)
}

// uploadOf uploads a file as a customer, like the widget.
func (w *world) uploadOf(customer parley.ID) (parley.Attachment, error) {
	return w.Desk.Attachments().Upload(w.T.Context(), w.by(), desk.NewUpload{FileName: "a", Contact: customer, Content: strings.NewReader("x")})
}

// TestRefusedUploads sends invalid uploads, of which nothing may remain.
func TestRefusedUploads(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		send := func(kind, body string) apitest.Answer {
			return w.Send(apitest.Request{Method: "POST", Path: "/v1/public/attachments", Body: body, Header: http.Header{"Content-Type": {kind}}})
		}
		large := strings.Repeat("x", maxUpload+1)
		send("text/plain", large).Refused(413, fmt.Sprintf("file: must be at most %d bytes", maxUpload))
		send("text/plain", large[1:]).Want(201).Is("size", fmt.Sprint(maxUpload))
		send(form([3]string{"file", "a", large})).Want(413)
		send(form([3]string{"other", "", large}, [3]string{"file", "a", "x"})).Refused(413, "body: must have at most 65536 bytes beside the file")
		send(form([3]string{"file", "a", ""})).Refused(400, "file: must not be empty")
		w.Send(apitest.Request{Method: "POST", Path: "/v1/public/attachments"}).Refused(400, "file: must not be empty")
		send(form([3]string{"document", "a", "x"})).Refused(400, "file: must be a part of the form")
		send(form([3]string{"file", "a", "x"}, [3]string{"file", "b", "y"})).Refused(400, "file: must be there once")
		kind, body := form([3]string{"file", "a", strings.Repeat("y", 5000)})
		for _, end := range []int{0, 10, 100, 2000, len(body) - 60, len(body) - 6} {
			if got := send(kind, body[:end]); got.Status != 400 {
				t.Errorf("a form that ends after %d bytes of %d is answered with %d: %s", end, len(body), got.Status, got.Body)
			}
		}
		send("multipart/form-data", body).Want(415)
		send("multipart/form-data; boundary=\"", body).Want(415)
		w.upload("a", "text/plain", "x", "Content-Encoding", "gzip").Refused(415, "Content-Encoding: must be absent")

		r := httptest.NewRequest("POST", "/v1/public/attachments", io.MultiReader(strings.NewReader("begin"), iotest.ErrReader(io.ErrUnexpectedEOF)))
		r.Header.Set("Authorization", "Bearer "+w.key)
		if got := apitest.Gate().Do(t, w.Handler, r); got.Code != 400 {
			t.Errorf("a body that broke off is answered with %d: %s", got.Code, got.Body)
		}
		if w.files.count() != 1 {
			t.Errorf("%d files are kept, want the one that was small enough", w.files.count())
		}
		w.files.fail(errors.New("the disk is full"))
		if got := w.upload("a", "text/plain", "x").Want(503); got.Text("error") != "the file cannot be kept now; try again" {
			t.Errorf("the error shows what is inside: %s", got.Body)
		}
		w.files.fail(nil)
	})
}

// TestRepeatedUploads repeats an upload, sends another one with the same key,
// and one while the first is still arriving.
func TestRepeatedUploads(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		send := func(content string) apitest.Answer {
			return w.upload("a.txt", "text/plain", content, "Idempotency-Key", "k1")
		}
		first := send("one").Want(201)
		w.Advance(time.Hour)
		again := send("one").Want(201).Is("id", quoted(first.Text("id")))
		if again.Header.Get("Idempotent-Replayed") != "true" || again.Text("url") == first.Text("url") {
			t.Errorf("the repeated answer is %s", again.Body)
		}
		send("two").Want(422)
		w.upload("b.txt", "text/plain", "one", "Idempotency-Key", "k1").Want(422)
		if w.files.count() != 1 {
			t.Errorf("%d files are kept, want 1", w.files.count())
		}
		content, arrives := io.Pipe()
		done := make(chan int)
		go func() {
			r := httptest.NewRequest("POST", "/v1/public/attachments", content)
			r.Header.Set("Authorization", "Bearer "+w.key)
			r.Header.Set("Idempotency-Key", "k2")
			done <- apitest.Gate().Do(t, w.Handler, r).Code
		}()
		if _, err := io.WriteString(arrives, "slow"); err != nil { // it is being read now
			t.Fatal(err)
		}
		w.upload("", "", "slow", "Idempotency-Key", "k2").Want(409)
		if err := arrives.Close(); err != nil {
			t.Fatal(err)
		}
		if status := <-done; status != 201 {
			t.Errorf("the first request is answered with %d", status)
		}
	})
}

// TestPurgedUploads checks which files a purge deletes, and what happens to one
// that cannot be deleted.
func TestPurgedUploads(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		messages := "/v1/public/conversations/" + w.Conversation() + "/messages"
		upload := func() string { return w.upload("a", "text/plain", "x").Want(201).Text("id") }
		sent, old := upload(), upload()
		w.Post(messages, `{"attachmentIds":["`+sent+`"]}`).Want(201)
		w.Advance(parley.UploadRetention + time.Millisecond)
		young := upload()
		w.files.fail(errors.New("the disk is away"))
		w.Expire()
		if strings.Count(w.Logged.String(), "1 files of the workspace") != 1 {
			t.Error("a purge that could not delete says nothing")
		}
		w.Post(messages, `{"attachmentIds":["`+old+`"]}`).Want(404) // half of it may be gone
		w.files.fail(nil)
		for range 2 {
			w.Advance(time.Minute) // it is tried again
			w.Expire()
		}
		if w.files.count() != 2 {
			t.Errorf("%d files are kept, want 2", w.files.count())
		}
		w.Get("/v1/public/attachments/" + old).Want(404)
		w.Get("/v1/public/attachments/" + sent).Want(200)
		w.Post(messages, `{"attachmentIds":["`+young+`"]}`).Want(201)
	})
}

// TestAFileThatCannotBeDeleted makes the oldest file of the first workspace
// unchangeable: all others are deleted, those of other workspaces too, and that
// one as soon as it can be.
func TestAFileThatCannotBeDeleted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		foreign := w.Found("Foreign")
		upload := func(ws parley.WorkspaceID) parley.ID {
			w.Advance(time.Millisecond)
			a, err := w.Desk.Attachments().Upload(t.Context(), desk.Caller{Workspace: ws}, desk.NewUpload{FileName: "a", Content: strings.NewReader("x")})
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
		w.Advance(parley.UploadRetention + time.Millisecond)
		w.Expire()
		if strings.Count(w.Logged.String(), "1 files of the workspace") != 1 {
			t.Error("the purge does not tell what it could not delete")
		}
		if n := w.files.count(); n != 1 {
			t.Errorf("%d files are kept, want the one that cannot be deleted", n)
		}
		w.files.hold(parley.ID{})
		w.Advance(time.Minute)
		w.Expire()
		if n := w.files.count(); n != 0 {
			t.Errorf("%d files are kept", n)
		}
	})
}

// TestUploadsAtOnce uploads many files of one key slowly.
func TestUploadsAtOnce(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	key, other := w.keyWith(parley.Scopes...), w.keyWith(parley.Scopes...)
	send := func(key string, body io.Reader) int {
		req := httptest.NewRequest("POST", "/v1/public/attachments?fileName=a.txt", body)
		req.Header = http.Header{"Authorization": {"Bearer " + key}, "Content-Type": {"text/plain"}}
		return apitest.Gate().Do(t, w.Handler, req).Code
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
