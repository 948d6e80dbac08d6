package numbers

import (
	"sync"
	"time"

	"parley"
)

// senders are the numbers that this process sends messages by just now. The zero
// value is empty.
type senders struct {
	mu      sync.Mutex
	serving map[parley.ID]bool  // one goroutine takes what is due by a number
	flying  map[parley.ID]int   // numbers, and how many of their messages are on the way
	talks   map[parley.ID]bool  // the conversations of those messages
	rests   map[parley.ID]*rest // numbers that the network does not want to hear now
}

// A rest is why a number is not to be tried before a time.
type rest struct {
	until time.Time
	why   error
}

// begin reports whether the number is the caller's until end.
func (s *senders) begin(number parley.ID, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.serving == nil {
		s.serving, s.flying = map[parley.ID]bool{}, map[parley.ID]int{}
		s.talks, s.rests = map[parley.ID]bool{}, map[parley.ID]*rest{}
	}
	if r := s.rests[number]; s.serving[number] || s.flying[number] >= sendsAtOnce || r != nil && now.Before(r.until) {
		return false
	}
	s.serving[number] = true
	return true
}

func (s *senders) end(number parley.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.serving, number)
}

// flies reports whether a message of a conversation is on the way.
func (s *senders) flies(conversation parley.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.talks[conversation]
}

func (s *senders) start(number, conversation parley.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flying[number]++
	s.talks[conversation] = true
}

// land ends what start began.
func (s *senders) land(number, conversation parley.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flying[number]--
	delete(s.talks, conversation)
}

// room is how many more messages of a number may be on the way.
func (s *senders) room(number parley.ID) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return sendsAtOnce - s.flying[number]
}

// rest leaves a number in peace until a time.
func (s *senders) rest(number parley.ID, until time.Time, why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rests[number] = &rest{until, why}
}

// resting returns why a number is not to be tried now, or nil.
func (s *senders) resting(number parley.ID, now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.rests[number]; r != nil && now.Before(r.until) {
		return r.why
	}
	return nil
}

// wake ends the rest of a number.
func (s *senders) wake(number parley.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.rests, number)
}
