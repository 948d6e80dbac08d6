package reranking

import (
	"container/list"
	"crypto/sha256"
	"sync"
)

const (
	// maxBytes is the most memory of the vectors of a node: those of about 7,000
	// passages with 1,024 numbers each.
	maxBytes = 32 << 20
	// overhead is about how many bytes a vector takes besides its numbers.
	overhead = 400
)

// A key names the vector of a passage.
type key struct {
	server server
	text   [sha256.Size]byte
}

func keyOf(s server, passage string) key { return key{s, sha256.Sum256([]byte(passage))} }

// A cache has the vectors that were used last. Its methods may be called by many
// goroutines.
type cache struct {
	most int // bytes

	mu    sync.Mutex
	size  int
	order *list.List // of *cached, the last used first
	all   map[key]*list.Element
}

type cached struct {
	key    key
	vector vector
}

func (c *cached) size() int { return overhead + 4*len(c.vector) }

func newCache(most int) *cache {
	return &cache{most: most, order: list.New(), all: map[key]*list.Element{}}
}

// get returns the vector of a key, nil if it is not there.
func (c *cache) get(k key) vector {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := c.all[k]
	if at == nil {
		return nil
	}
	c.order.MoveToFront(at)
	return at.Value.(*cached).vector
}

// put adds a vector, and drops those that were not used for the longest time.
func (c *cache) put(k key, v vector) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.all[k]; at != nil { // another question was faster
		c.drop(at)
	}
	one := &cached{k, v}
	c.all[k] = c.order.PushFront(one)
	c.size += one.size()
	for c.size > c.most {
		c.drop(c.order.Back())
	}
}

func (c *cache) drop(at *list.Element) {
	one := c.order.Remove(at).(*cached)
	delete(c.all, one.key)
	c.size -= one.size()
}
