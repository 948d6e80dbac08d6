package live

import "time"

// Sweep checks the streams as if it were a later time.
func (h *Hub) Sweep(now, clock time.Time) {
	for _, r := range h.allFeeds() {
		r.sweep(now, clock)
	}
}

// Idle reports whether no stream is reading the log.
func (h *Hub) Idle() bool { return len(h.readers) == 0 }

// Feeds returns the number of feeds.
func (h *Hub) Feeds() int { return len(h.allFeeds()) }

// KeepUp returns the number of streams that keep up.
func (h *Hub) KeepUp() int {
	n := 0
	for _, r := range h.allFeeds() {
		r.mu.Lock()
		for _, s := range r.streams {
			if s.keepsUp {
				n++
			}
		}
		r.mu.Unlock()
	}
	return n
}

// Reserve counts a stream that is about to begin, or returns the limit; see
// Hub.reserve.
func Reserve(h *Hub, sub Subscription) int {
	full, _ := h.reserve(&stream{quotas: h.quotas(&sub)})
	return full.limit
}

// Release releases a reserved stream.
func Release(h *Hub, sub Subscription) { h.release(&stream{quotas: h.quotas(&sub)}) }
