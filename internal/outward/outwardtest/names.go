package outwardtest

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
)

// Names is a fake name server with changing answers: each query gets the next
// answer, and the last one repeats.
type Names struct {
	Resolver *net.Resolver
	Asked    atomic.Int64 // how often it was asked for a type of address that it has

	mu      sync.Mutex
	answers [][]netip.Addr
}

// NewNames returns a name server that gives the same answers for every name.
func NewNames(t *testing.T, answers ...[]netip.Addr) *Names {
	t.Helper()
	n := &Names{answers: answers}
	n.Resolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		t.Cleanup(func() { _ = ours.Close() }) // which ends serve
		go n.serve(ours)
		return theirs, nil
	}}
	return n
}

// serve answers queries in the stream framing (RFC 1035, section 4.2.2).
func (n *Names) serve(conn net.Conn) {
	for {
		var size [2]byte
		if _, err := io.ReadFull(conn, size[:]); err != nil {
			return
		}
		question := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(conn, question); err != nil {
			return
		}
		answer := n.answer(question)
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)); err != nil {
			return
		}
	}
}

func (n *Names) answer(question []byte) []byte {
	end := 12
	for question[end] != 0 { // skip the labels of the name
		end += int(question[end]) + 1
	}
	end += 5 // its end, the type and the class
	kind := binary.BigEndian.Uint16(question[end-4:])
	answer := append([]byte{question[0], question[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question[12:end]...)
	for _, addr := range n.next(kind) {
		raw := addr.AsSlice()
		answer = append(answer, 0xc0, 12, 0, byte(kind), 0, 1, 0, 0, 0, 0, 0, byte(len(raw)))
		answer = append(answer, raw...)
		answer[7]++
	}
	return answer
}

// next returns the answer for one address type. Both types are queried at once,
// so an answer is used up when its own type was asked for.
func (n *Names) next(kind uint16) []netip.Addr {
	n.mu.Lock()
	defer n.mu.Unlock()
	const typeA, typeAAAA = 1, 28
	now := n.answers[0]
	if is4 := now[0].Is4(); is4 && kind != typeA || !is4 && kind != typeAAAA {
		return nil
	}
	n.Asked.Add(1)
	if len(n.answers) > 1 {
		n.answers = n.answers[1:]
	}
	return now
}
