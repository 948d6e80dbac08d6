package widget_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/desk"
	"parley/internal/store"
)

// upload sends a file of a customer.
func (c *customer) upload(content string) apitest.Answer {
	c.w.T.Helper()
	return c.w.Send(apitest.Request{
		Method: "POST", Path: "/v1/widget/attachments?fileName=a.txt", Body: content, Bearer: string(c.token), Address: c.address,
		Header: http.Header{"Content-Type": {"text/plain"}},
	})
}

// TestThrottlesOfAnAddress writes and uploads as many visitors of one address:
// sessions are free to create, so their limits must not add up.
func TestThrottlesOfAnAddress(t *testing.T) {
	w := onSQLite(t)
	const address = "10.200.0.1:1"
	here := func() *customer {
		v := w.visitor()
		v.address = address
		return v
	}
	count := func(want int, each func(v *customer) int) {
		t.Helper()
		taken, refused := 0, 0
		for tried := 0; refused < 25 && tried < 50; tried++ { // also for a new session
			v := here()
			for range 10 {
				switch each(v) {
				case 201, 200:
					taken++
				case 429:
					refused++
				default:
					t.Fatal("the request failed")
				}
			}
		}
		if taken != want {
			t.Errorf("%d were taken, want %d", taken, want)
		}
	}
	count(300, func(v *customer) int { return v.post("conversations", `{"content":"x"}`).Status })
	count(60, func(v *customer) int { return v.upload("x").Status })
	count(240, func(v *customer) int {
		return w.Send(apitest.Request{Method: "HEAD", Path: "/v1/widget/events", Bearer: string(v.token), Address: address}).Status
	})
	elsewhere := w.visitor()
	elsewhere.begin("hi")
	elsewhere.upload("x").Want(201)
	w.Advance(time.Minute)
	again := here()
	again.begin("hi")
	again.upload("x").Want(201)
}

// TestBytesOfAnAddress uploads more than an address may in an hour.
func TestBytesOfAnAddress(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		v, other := w.visitor(), w.visitor()
		other.address = v.address
		for range uploadedAnHour / maxUpload {
			v.upload(strings.Repeat("x", maxUpload)).Want(201)
		}
		got := other.upload("x").Want(429)
		if got.Header.Get("Retry-After") == "" || got.Text("error") != "too much at once; try again in a moment" {
			t.Errorf("the answer is %v %s", got.Header, got.Body)
		}
		w.visitor().upload("x").Want(201) // elsewhere
		w.Advance(time.Hour)
		v.upload("x").Want(201)
		var left int64
		err := w.Store.View(t.Context(), func(v *store.View) (err error) {
			left, err = desk.SelectWaitingBytes(v, w.Home.Workspace.ID, 1<<30)
			return err
		})
		if err != nil || left >= 1<<30 {
			t.Errorf("%d bytes are counted, so what was refused left a row; %v", left, err)
		}
	})
}

// TestRequestsOfASessionAtOnce sends one visitor's messages slowly: others at
// the same address are not affected.
func TestRequestsOfASessionAtOnce(t *testing.T) {
	w := onSQLite(t)
	v, other := w.visitor(), w.visitor()
	other.address = v.address
	path := "/v1/widget/conversations/" + v.begin("hello") + "/messages"
	const most = 16
	var begun, ended sync.WaitGroup
	var bodies []*io.PipeWriter
	begun.Add(most)
	for range most {
		body, writer := io.Pipe()
		bodies = append(bodies, writer)
		ended.Go(func() {
			req := httptest.NewRequest("POST", path, &announced{Reader: body, begin: sync.OnceFunc(begun.Done)})
			req.RemoteAddr = v.address
			req.Header = http.Header{"Authorization": {"Bearer " + string(v.token)}, "Content-Type": {"application/json"}}
			apitest.Gate().Do(t, w.Handler, req)
		})
	}
	all := make(chan struct{})
	go func() { begun.Wait(); close(all) }()
	select {
	case <-all:
	case <-time.After(time.Minute):
		for _, body := range bodies {
			_ = body.Close() // ends the requests; a pipe's Close returns nil
		}
		t.Fatal("some requests were refused before they were read")
	}
	v.get("session").Refused(429, "too much at once; try again in a moment")
	other.get("session").Want(200)
	for _, body := range bodies {
		if err := body.Close(); err != nil {
			t.Fatal(err)
		}
	}
	ended.Wait()
	v.get("session").Want(200)
}

// An announced reader signals the first read.
type announced struct {
	io.Reader
	begin func()
}

func (a *announced) Read(b []byte) (int, error) {
	a.begin()
	return a.Reader.Read(b)
}

// TestUploadsAtOnce sends the files of an address slowly.
func TestUploadsAtOnce(t *testing.T) {
	w := onSQLite(t)
	v := w.visitor()
	send := func(body io.Reader) int {
		req := httptest.NewRequest("POST", "/v1/widget/attachments", body)
		req.RemoteAddr = v.address
		req.Header = http.Header{"Authorization": {"Bearer " + string(v.token)}, "Content-Type": {"text/plain"}}
		return apitest.Gate().Do(t, w.Handler, req).Code
	}
	const most = 10
	done := make(chan int)
	var rest []*io.PipeWriter
	for range most {
		body, writer := io.Pipe()
		go func() { done <- send(body) }()
		if _, err := writer.Write([]byte("x")); err != nil { // it arrives
			t.Fatal(err)
		}
		rest = append(rest, writer)
	}
	if got := send(strings.NewReader("x")); got != 429 {
		t.Errorf("one more is answered with %d", got)
	}
	w.visitor().upload("x").Want(201)
	for _, writer := range rest {
		if err := writer.Close(); err != nil {
			t.Fatal(err)
		}
		if got := <-done; got != 201 {
			t.Errorf("a slow one is answered with %d", got)
		}
	}
	v.upload("x").Want(201)
}

// TestWaitingFilesOfAWorkspace fills the limit of unattached files: visitors
// are refused first, then all customers; members have a separate limit.
func TestWaitingFilesOfAWorkspace(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		fillBy := func(contact parley.ID, size int64) {
			t.Helper()
			ids := parley.NewIDs(nil)
			a := desk.Attachment{
				ContactID: contact, Stored: true,
				Attachment: parley.Attachment{ID: ids.New(w.Now()), FileName: "a", Size: size, CreatedAt: w.Now()},
			}
			err := w.Store.Write(t.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error { return desk.InsertAttachment(tx, w.Home.Workspace.ID, &a) })
			if err != nil {
				t.Fatal(err)
			}
		}
		fill := func(size int64) {
			t.Helper()
			fillBy(parley.NewIDs(nil).New(w.Now()), size)
		}
		v, ada := w.visitor(), w.login(claims("ada", ""))
		const message = "too many files wait for messages; try again later"
		fill(512<<20 - 1)
		v.upload("x").Want(201)
		v.upload("x").Refused(429, message)
		ada.upload("x").Want(201)
		fill(512 << 20)
		ada.upload("x").Refused(429, message)
		w.Send(apitest.Request{Method: "POST", Path: "/v1/public/attachments?fileName=a", Body: "x", Session: w.Owner, Header: http.Header{"Content-Type": {"text/plain"}}}).
			Want(201)
		fillBy(parley.ID{}, parley.MaxTeamWaitingBytes)
		w.Send(apitest.Request{Method: "POST", Path: "/v1/public/attachments?fileName=a", Body: "x", Session: w.Owner, Header: http.Header{"Content-Type": {"text/plain"}}}).
			Refused(429, "too many files were uploaded that no message took; send or leave them")
		w.Advance(parley.UploadRetention + time.Millisecond)
		w.Expire()
		w.visitor().upload("x").Want(201)
	})
}

// TestStreamsOfVisitors opens more visitors' streams than one address may have;
// signed-in customers are not counted.
func TestStreamsOfVisitors(t *testing.T) {
	w := onSQLite(t)
	s := w.Serve(t)
	stream := func(c *customer) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/v1/widget/events", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header = http.Header{"Authorization": {"Bearer " + string(c.token)}, "Accept": {"text/event-stream"}}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = res.Body.Close() })
		return res.StatusCode
	}
	var all []string
	for range 101 {
		all = append(all, fmt.Sprint(stream(w.visitor())))
	}
	if got := strings.Join(all, " "); got != strings.Repeat("200 ", 100)+"429" {
		t.Errorf("the answers are %s", got)
	}
	if got := stream(w.login(claims("ada", ""))); got != 200 {
		t.Errorf("a customer who signed in gets %d", got)
	}
	// One identity may start any number of sessions.
	for range 59 {
		if got := stream(w.login(claims("ada", ""))); got != 200 {
			t.Fatalf("another session of the customer gets %d", got)
		}
	}
	if got := stream(w.login(claims("ada", ""))); got != 429 {
		t.Errorf("too many streams of one customer are answered with %d", got)
	}
	if got := stream(w.login(claims("ben", ""))); got != 200 {
		t.Errorf("another customer gets %d", got)
	}
}

// TestBudgetsOfVisitors writes and uploads as visitors, more than they may in
// an hour and in a day. Signed-in customers and members are not affected.
func TestBudgetsOfVisitors(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		large := `{"content":"` + strings.Repeat("x", parley.MaxContent) + `"}`
		// write posts large messages, and returns how many were accepted before
		// the first refusal.
		write := func(c *customer, id string, most int) (taken int, last apitest.Answer) {
			for range most {
				if taken%25 == 24 {
					w.Advance(time.Minute) // the number of messages has a separate limit
				}
				if last = c.post("conversations/"+id+"/messages", large); last.Status != 201 {
					return taken, last
				}
				taken++
			}
			return taken, last
		}
		v, other := w.visitor(), w.visitor()
		other.address = v.address
		id := v.begin("hi")
		// A message costs five times its content plus 1 KiB; a visitor has 8
		// MiB an hour.
		const anHour = 8 << 20 / (5*parley.MaxContent + 1<<10)
		taken, last := write(v, id, 100)
		if taken != anHour {
			t.Errorf("%d messages were taken, want %d", taken, anHour)
		}
		last.Refused(429, "you sent more than fits into an hour; try again later")
		if wait := last.Header.Get("Retry-After"); wait != "3540" { // a minute has passed
			t.Errorf("Retry-After is %q", wait)
		}
		v.post("conversations", large).Want(429)
		other.begin("hi") // another visitor of the address
		ada := w.login(claims("ada", ""))
		ada.address = v.address
		mine := ada.begin("hi")
		if taken, last := write(ada, mine, anHour+5); taken != anHour+5 {
			t.Errorf("who signed in is answered with %d %s", last.Status, last.Body)
		}
		w.Send(apitest.Request{Method: "POST", Path: "/v1/public/conversations/" + id + "/messages", Body: large, Session: w.Owner}).Want(201)
		w.Advance(time.Hour)
		if taken, _ := write(v, id, 1); taken != 1 {
			t.Error("an hour later nothing is taken")
		}
		// Content that grows in JSON costs its size there.
		large = `{"content":"` + strings.Repeat(`\u0001`, parley.MaxContent) + `"}`
		v = w.visitor()
		if taken, _ := write(v, v.begin("hi"), anHour); taken != 8<<20/(5*6*parley.MaxContent+1<<10) {
			t.Errorf("%d messages of control characters were taken", taken)
		}
	})
}

// TestBudgetOfAnAddress writes as many visitors of one address.
func TestBudgetOfAnAddress(t *testing.T) {
	w := onSQLite(t)
	large := `{"content":"` + strings.Repeat("x", parley.MaxContent) + `"}`
	const (
		address = "10.200.0.7:1"
		cost    = 5*parley.MaxContent + 1<<10
	)
	taken := 0
	visit := func() (more bool) {
		v := w.visitor()
		v.address = address
		for range 20 {
			switch got := v.post("conversations", large); got.Status {
			case 201:
				taken++
			case 429:
				if !strings.HasPrefix(got.Text("error"), "you sent more than fits into a") {
					t.Errorf("the error is %s", got.Body)
				}
				return false
			default:
				t.Fatalf("the answer is %d %s", got.Status, got.Body)
			}
		}
		return true
	}
	for visit() {
	}
	if want := 64 << 20 / cost; taken != want {
		t.Errorf("%d messages were taken from an address in an hour, want %d", taken, want)
	}
	for hour := 1; hour < 10; hour++ {
		w.Advance(time.Hour)
		v := w.visitor()
		v.address = address
		if got := v.post("conversations", `{"content":"x"}`); got.Status == 429 {
			got.Refused(429, "you sent more than fits into a day; try again later")
			break
		}
		for visit() {
		}
	}
	if want := 256 << 20 / cost; taken < want-20 || taken > want {
		t.Errorf("%d messages were taken from an address in a day, want about %d", taken, want)
	}
}
