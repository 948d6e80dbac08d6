package live_test

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"net/http"
	"testing"
	"time"

	"parley"
)

// start starts the server of a world, with TLS if a protocol is named.
func (w *world) start(protocol string) {
	if protocol == "" {
		w.server.Start()
		return
	}
	w.server.EnableHTTP2 = protocol == "h2"
	w.server.StartTLS()
}

// openSecure opens a stream under TLS by the protocol that the server offers.
func (w *world) openSecure(query string) *client {
	w.t.Helper()
	trust := w.server.Client().Transport.(*http.Transport)
	if w.server.EnableHTTP2 {
		res, err := w.server.Client().Get(w.server.URL + "/?" + query)
		if err != nil {
			w.t.Fatal(err)
		}
		w.t.Cleanup(func() { _ = res.Body.Close() })
		if res.ProtoMajor != 2 {
			w.t.Fatalf("the stream is of %s", res.Proto)
		}
		return &client{t: w.t, in: bufio.NewReaderSize(res.Body, 4096), res: res}
	}
	conn, err := tls.Dial("tcp", w.server.Listener.Addr().String(), &tls.Config{RootCAs: trust.TLSClientConfig.RootCAs, ServerName: "example.com"})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = conn.Close() })
	if _, err := fmt.Fprintf(conn, "GET /?%s HTTP/1.1\r\nHost: parley\r\n\r\n", query); err != nil {
		w.t.Fatal(err)
	}
	return &client{t: w.t, conn: conn, in: bufio.NewReaderSize(conn, 4096)}
}

// leave closes the client's end.
func (c *client) leave() {
	if c.res != nil {
		_ = c.res.Body.Close()
		return
	}
	_ = c.conn.Close()
}

// eachSecure runs a test over every protocol of TLS.
func eachSecure(t *testing.T, test func(t *testing.T, w *world)) {
	for _, protocol := range []string{"http/1.1", "h2"} {
		t.Run(protocol, func(t *testing.T) { test(t, newWorld(t, worldOptions{protocol: protocol})) })
	}
}

// TestSecureStreams delivers through TLS: from now, from a position, to a reader
// that stalls, and to keys that end.
func TestSecureStreams(t *testing.T) {
	eachSecure(t, func(t *testing.T, w *world) {
		key := w.ids.New(time.Now())
		now, ends := w.open("").begin(), w.open("key="+key.String()).begin()
		now.next()
		ends.next()
		w.append(w.ws, parley.MessageCreated, 700)
		now.wants(1, 700)
		ends.wants(1, 700)
		from := w.open("after=first.300").begin()
		from.next()
		from.wants(301, 700)
		w.end(key)
		if f := ends.next(); f != (frame{}) {
			t.Errorf("a revoked key's stream tells %+v", f)
		}
		eventually(t, "the stream of the revoked key is forgotten", func() bool { return w.hub.Stats().Streams == 2 })
		w.append(w.ws, parley.MessageCreated, 1)
		now.wants(701, 701)
		from.wants(701, 701)
	})
}

// TestSecureStalledReader has a client that reads nothing: it falls behind, and
// nobody waits for it.
func TestSecureStalledReader(t *testing.T) {
	eachSecure(t, func(t *testing.T, w *world) {
		w.open("after=first.0")
		reads := w.open("after=first.0").begin()
		reads.next()
		w.appendUntilSlowed(reads)
	})
}

// TestSecureClientsLeave closes the clients' ends: the heartbeats find that out.
func TestSecureClientsLeave(t *testing.T) {
	eachSecure(t, func(t *testing.T, w *world) {
		for range 20 {
			c := w.open("").begin()
			c.next()
			c.leave()
		}
		later := time.Now()
		eventually(t, "the streams that were left are forgotten", func() bool {
			later = later.Add(time.Minute)
			w.hub.Sweep(time.Now(), later)
			return w.hub.Stats().Streams == 0 && w.hub.Feeds() == 0
		})
	})
}

// A lingering writer runs what streams do after the handler.
type lingering struct {
	http.ResponseWriter
	rest func()
}

func (l *lingering) Linger(fn func()) { l.rest = fn }

func (l *lingering) Unwrap() http.ResponseWriter { return l.ResponseWriter }

// A wrapped writer hides the methods of another one.
type wrapped struct{ http.ResponseWriter }

func (w wrapped) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// TestSecureStreamsLinger has handlers that return while their streams go on.
func TestSecureStreamsLinger(t *testing.T) {
	returned := make(chan struct{}, 1)
	w := newWorld(t, worldOptions{protocol: "h2", handler: func(w *world) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			l := &lingering{ResponseWriter: rw}
			w.serve(wrapped{l}, r)
			returned <- struct{}{}
			l.rest()
		})
	}})
	c := w.open("").begin()
	c.next()
	<-returned
	w.append(w.ws, parley.MessageCreated, 3)
	c.wants(1, 3)
}
