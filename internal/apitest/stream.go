package apitest

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/live"
)

// A Stream is an event stream over a real connection.
type Stream struct {
	T testing.TB
	// Frames are the received frames; closed at the end of the stream.
	Frames <-chan Frame

	res *http.Response
}

// A Frame is an event or a signal of a stream.
type Frame struct{ Name, Data string }

// Serve serves the world over real connections.
func (w *World) Serve(t testing.TB) *httptest.Server {
	s := httptest.NewServer(w.Handler)
	t.Cleanup(s.Close)
	return s
}

// Follow opens a stream; sign adds a credential to the request.
func Follow(t testing.TB, address string, sign func(*http.Request)) *Stream {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	sign(req)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	if err := Gate().Check(req, res.StatusCode, res.Header, nil); err != nil {
		t.Errorf("contract: %v", err)
	}
	if res.StatusCode != http.StatusOK {
		t.Fatalf("the stream's status is %d", res.StatusCode)
	}
	frames := make(chan Frame, 10000)
	go read(res, frames)
	return &Stream{T: t, Frames: frames, res: res}
}

// read sends the frames of a stream until it ends, which may happen within a
// frame.
func read(res *http.Response, frames chan<- Frame) {
	defer close(frames)
	var f Frame
	for lines := bufio.NewScanner(res.Body); lines.Scan(); {
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch field {
		case "event":
			f.Name = value
		case "data":
			f.Data = value
		case "":
			if f.Name != "" {
				frames <- f
			}
			f = Frame{}
		}
	}
}

// Joined waits until a stream of a member hears signals. One that still reads the log
// misses those that do not stay, and a page lists what they tell of when it begins.
func (w *World) Joined(s *Stream, member parley.UserID) {
	w.T.Helper()
	w.hub.Signal(w.T.Context(), w.Home.Workspace.ID, live.Signal{Name: "joined", Key: string(member), Member: member, Data: []byte("{}"), Stays: time.Minute})
	s.Is("joined")
}

// Next returns the name and data of the next frame; "" at the end of the
// stream.
func (s *Stream) Next() (name, data string) {
	s.T.Helper()
	select {
	case f := <-s.Frames:
		return f.Name, f.Data
	case <-time.After(time.Minute):
		s.T.Fatal("the stream tells nothing")
		return "", ""
	}
}

// Is requires the name of the next frame and returns its data.
func (s *Stream) Is(name string) string {
	s.T.Helper()
	got, data := s.Next()
	if got != name {
		s.T.Fatalf("the stream tells %q %s, want %q", got, data, name)
	}
	return data
}

// Close ends the stream.
func (s *Stream) Close() { _ = s.res.Body.Close() } // it was only read
