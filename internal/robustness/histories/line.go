package histories

import (
	"net"
	"sync"
	"testing"
)

// A Line passes connections on, and breaks when a test wants it to.
type Line struct {
	network, to string
	listener    net.Listener

	mu   sync.Mutex
	held chan struct{} // closed when the pause ends; nil without one
	open map[net.Conn]bool
}

// NewLine returns a line to an address of a network, such as "tcp" or "unix".
func NewLine(t testing.TB, network, to string) *Line {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := &Line{network: network, to: to, listener: listener, open: map[net.Conn]bool{}}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			in, err := listener.Accept()
			if err != nil {
				return // the test is over
			}
			running.Go(func() { l.carry(in) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		l.Cut()
		running.Wait()
	})
	return l
}

// Address returns where the line begins.
func (l *Line) Address() string { return l.listener.Addr().String() }

// Cut ends all connections. New ones can be made at once.
func (l *Line) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for conn := range l.open {
		_ = conn.Close() // that is the point
	}
	clear(l.open)
}

// Pause holds everything that is on its way, until Resume.
func (l *Line) Pause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held = make(chan struct{})
}

// Resume ends a pause.
func (l *Line) Resume() {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.held)
	l.held = nil
}

// pass waits for the end of a pause.
func (l *Line) pass() {
	l.mu.Lock()
	held := l.held
	l.mu.Unlock()
	if held != nil {
		<-held
	}
}

func (l *Line) keep(conn net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open[conn] = true
}

// carry passes a connection on in both directions until one of its ends closes.
func (l *Line) carry(in net.Conn) {
	out, err := net.Dial(l.network, l.to)
	if err != nil {
		_ = in.Close()
		return
	}
	l.keep(in)
	l.keep(out)
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{in, out}, {out, in}} {
		both.Go(func() {
			part := make([]byte, 32<<10)
			for {
				n, err := way[0].Read(part)
				l.pass()
				if n > 0 {
					_, err = way[1].Write(part[:n])
				}
				if err != nil {
					break
				}
			}
			_ = in.Close()
			_ = out.Close()
		})
	}
	both.Wait()
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, in)
	delete(l.open, out)
}
