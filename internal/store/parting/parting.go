// Package parting makes connections to PostgreSQL that end in order when nobody waits for an
// answer any more.
//
// pgx asks the server of such a connection to cancel what it does, and then takes up to 15
// seconds to part. The first does harm: a commit that waits for another machine to confirm
// it is not undone by that, but becomes visible, although it is lost if its server dies. So
// a connection of this package names no server that could be asked; what it does ends by
// the server's own limits. The second keeps a place in the pool taken for as long, where a
// server hangs or has vanished. So parting takes a second at most.
package parting

import (
	"context"
	"net"
	"time"
)

// Time is how long parting takes at most.
const Time = time.Second

// Keepalive probes close a dead connection after about ten seconds. No caller waits for
// that: it frees the connections of a partitioned network, and ends a LISTEN that would
// never hear anything again.
var dialer = net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 5 * time.Second, Interval: 2 * time.Second, Count: 3}}

// Dial connects to a server.
func Dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return connection{conn}, nil
}

type connection struct{ net.Conn }

// RemoteAddr returns an address that nobody can dial.
func (connection) RemoteAddr() net.Addr { return &net.UnixAddr{Net: "nowhere"} }

// SetDeadline is called by pgx with a time in the future only to part.
func (c connection) SetDeadline(at time.Time) error {
	if soon := time.Now().Add(Time); at.After(soon) {
		at = soon
	}
	return c.Conn.SetDeadline(at)
}
