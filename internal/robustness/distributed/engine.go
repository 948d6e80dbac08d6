// Package distributed makes a PostgreSQL server behave like engines of the same protocol
// that are spread over many machines: each statement takes a while, LISTEN is refused, and
// some commits are answered by a serialization failure or a cut line.
//
// It is only for tests and imports nothing of this module.
package distributed

import (
	"encoding/binary"
	"io"
	"math/rand/v2"
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// An Engine passes connections on to a PostgreSQL server. Until Begin it refuses LISTEN alone.
type Engine struct {
	// Delay is the time that each statement takes longer.
	Delay time.Duration
	// Failing is one of how many commits fails; 0 is none.
	Failing int

	url     string
	socket  string
	running atomic.Bool

	repeats, statements  atomic.Int64
	failed, cut, listens atomic.Int64
}

// New returns an engine before a server that listens on a socket.
func New(t testing.TB, server string) *Engine {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	e := &Engine{Failing: 5, socket: u.Query().Get("host") + "/.s.PGSQL.5432"}
	e.url = "postgres://" + u.User.Username() + "@" + listener.Addr().String() + u.Path + "?sslmode=disable&default_transaction_isolation=serializable"
	var all sync.WaitGroup
	all.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go e.pass(client) // it ends with the client, which is another process
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		all.Wait()
	})
	return e
}

// URL returns the URL of the engine. Its transactions are serializable unless they ask
// for something else.
func (e *Engine) URL() string { return e.url }

// Begin makes the engine behave as described.
func (e *Engine) Begin() { e.running.Store(true) }

// Repeat lets the next commits fail with a serialization failure.
func (e *Engine) Repeat(commits int) { e.repeats.Store(int64(commits)) }

// Statements returns how many statements it has run since Begin.
func (e *Engine) Statements() int64 { return e.statements.Load() }

// Counts returns how many commits failed with a serialization failure, how many lost their
// line, and how many LISTEN were refused.
func (e *Engine) Counts() (failed, cut, listens int64) {
	return e.failed.Load(), e.cut.Load(), e.listens.Load()
}

// pass passes a connection on, request by request: what the client sends up to a Sync or a
// simple query, then the answer up to ReadyForQuery.
func (e *Engine) pass(client net.Conn) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial("unix", e.socket)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	startup := make([]byte, 4)
	if _, err := io.ReadFull(client, startup); err != nil {
		return
	}
	rest := make([]byte, binary.BigEndian.Uint32(startup)-4)
	if _, err := io.ReadFull(client, rest); err != nil {
		return
	}
	if _, err := server.Write(append(startup, rest...)); err != nil || answerTo(server, client) != nil {
		return
	}
	l := &line{engine: e, client: client, server: server, prepared: map[string]string{}}
	for l.request() {
	}
}

// answerTo copies messages of the server up to ReadyForQuery, or to a request for data.
func answerTo(server io.Reader, client io.Writer) error {
	for {
		kind, whole, err := message(server)
		if err != nil {
			return err
		}
		if _, err := client.Write(whole); err != nil {
			return err
		}
		if kind == 'Z' || kind == 'G' { // ReadyForQuery, CopyInResponse
			return nil
		}
	}
}

// message reads a message, and returns its type and the whole of it.
func message(from io.Reader) (byte, []byte, error) {
	header := make([]byte, 5)
	if _, err := io.ReadFull(from, header); err != nil {
		return 0, nil, err
	}
	whole := make([]byte, 1+binary.BigEndian.Uint32(header[1:]))
	copy(whole, header)
	_, err := io.ReadFull(from, whole[5:])
	return header[0], whole, err
}

// A line is a connection.
type line struct {
	engine         *Engine
	client, server net.Conn
	prepared       map[string]string // statements by name
}

// request passes one request on, and its answer back. It returns false when the line ends.
func (l *line) request() bool {
	var sent []byte
	statements, commits, listens := 0, false, false
	for {
		kind, whole, err := message(l.client)
		if err != nil {
			return false
		}
		sent = append(sent, whole...)
		switch sql := l.statement(kind, whole[5:]); {
		case sql == "":
		case strings.HasPrefix(strings.ToUpper(sql), "LISTEN"):
			listens = true
		default:
			statements++
			commits = commits || strings.EqualFold(sql, "COMMIT")
		}
		switch kind {
		case 'X': // Terminate
			_, _ = l.server.Write(sent)
			return false
		case 'Q', 'S', 'c', 'f': // simple query, Sync, the end of copied data
			return l.serve(sent, statements, commits, listens)
		case 'd': // copied data, which has no answer
			if _, err := l.server.Write(sent); err != nil {
				return false
			}
			sent = nil
		}
	}
}

// statement returns the statement that a message runs, or "".
func (l *line) statement(kind byte, body []byte) string {
	first, rest, _ := strings.Cut(string(body), "\x00")
	second, _, _ := strings.Cut(rest, "\x00")
	switch kind {
	case 'Q':
		return first
	case 'P': // Parse: the name and the text
		l.prepared[first] = second
		if strings.HasPrefix(strings.ToUpper(second), "LISTEN") {
			return second
		}
	case 'B': // Bind: the portal and the statement
		return l.prepared[second]
	}
	return ""
}

// serve answers a request like the engine.
func (l *line) serve(sent []byte, statements int, commits, listens bool) bool {
	e := l.engine
	if listens {
		e.listens.Add(1)
		return l.refuse("0A000", "LISTEN is not supported")
	}
	if !e.running.Load() {
		return l.passOn(sent)
	}
	e.statements.Add(int64(statements))
	time.Sleep(time.Duration(statements) * e.Delay)
	switch {
	case commits && e.repeats.Add(-1) >= 0:
		return l.restart()
	case !commits || e.Failing == 0 || rand.IntN(e.Failing) != 0:
		return l.passOn(sent)
	case rand.IntN(2) == 0:
		return l.restart()
	}
	e.cut.Add(1)
	if rand.IntN(2) == 0 {
		_, _ = l.server.Write(sent) // it takes effect, and nobody is told
		_ = answerTo(l.server, io.Discard)
	}
	return false
}

// restart answers a commit with a serialization failure.
func (l *line) restart() bool {
	l.engine.failed.Add(1)
	return l.quietly("ROLLBACK") && l.refuse("40001", "restart transaction")
}

func (l *line) passOn(sent []byte) bool {
	_, err := l.server.Write(sent)
	return err == nil && answerTo(l.server, l.client) == nil
}

// quietly runs a statement of which the client learns nothing.
func (l *line) quietly(sql string) bool {
	query := binary.BigEndian.AppendUint32([]byte{'Q'}, uint32(4+len(sql)+1))
	query = append(append(query, sql...), 0)
	_, err := l.server.Write(query)
	return err == nil && answerTo(l.server, io.Discard) == nil
}

// refuse answers with an error, outside of a transaction.
func (l *line) refuse(code, text string) bool {
	var body []byte
	for _, field := range []string{"SERROR", "VERROR", "C" + code, "M" + text} {
		body = append(append(body, field...), 0)
	}
	body = append(body, 0)
	answer := binary.BigEndian.AppendUint32([]byte{'E'}, uint32(4+len(body)))
	answer = append(answer, body...)
	answer = append(answer, 'Z', 0, 0, 0, 5, 'I')
	_, err := l.client.Write(answer)
	return err == nil
}
