package chatsim

import (
	"sync"

	waBinary "go.mau.fi/whatsmeow/binary"
	"go.mau.fi/whatsmeow/types"
)

// text returns an attribute, "" for none.
func text(n *waBinary.Node, key string) string {
	switch v := n.Attrs[key].(type) {
	case string:
		return v
	case types.JID:
		return v.String()
	}
	return ""
}

// address returns an attribute that is a JID, the empty one for none.
func address(n *waBinary.Node, key string) types.JID {
	jid, _ := n.Attrs[key].(types.JID)
	return jid
}

// content returns the content of a node. Text arrives as either type, depending
// on its encoding.
func content(n waBinary.Node) []byte {
	switch v := n.Content.(type) {
	case []byte:
		return v
	case string:
		return []byte(v)
	}
	return nil
}

// first returns the first child, the empty node for none.
func first(n *waBinary.Node) waBinary.Node {
	if children := n.GetChildren(); len(children) > 0 {
		return children[0]
	}
	return waBinary.Node{}
}

// node builds a node with children.
func node(tag string, attrs waBinary.Attrs, children ...waBinary.Node) waBinary.Node {
	n := waBinary.Node{Tag: tag, Attrs: attrs}
	if len(children) > 0 {
		n.Content = children
	}
	return n
}

// leaf builds a node with content.
func leaf(tag string, data []byte) waBinary.Node {
	return waBinary.Node{Tag: tag, Content: data}
}

// queue is an unbounded queue of stanzas, so that sending while holding a lock
// never blocks on a slow reader. Only one goroutine may pop.
type queue struct {
	mu    sync.Mutex
	items []waBinary.Node
	ready chan struct{} // buffer of one
}

func newQueue() *queue { return &queue{ready: make(chan struct{}, 1)} }

func (q *queue) push(n waBinary.Node) {
	q.mu.Lock()
	q.items = append(q.items, n)
	q.mu.Unlock()
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// pop waits for the next stanza, or until done.
func (q *queue) pop(done <-chan struct{}) (waBinary.Node, bool) {
	for {
		if n, ok := q.take(); ok {
			return n, true
		}
		select {
		case <-q.ready:
		case <-done:
			return waBinary.Node{}, false
		}
	}
}

func (q *queue) take() (waBinary.Node, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return waBinary.Node{}, false
	}
	n := q.items[0]
	q.items = q.items[1:]
	return n, true
}
