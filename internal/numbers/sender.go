package numbers

import (
	"sync"
	"time"

	"parley"
)

// senders are the numbers through which this process is sending. The zero value
// is empty.
type senders struct {
	mu            sync.Mutex
	serving       map[parley.ID]bool   // only one goroutine claims the due messages of a number
	inFlight      map[parley.ID]int    // the messages in flight, by number
	conversations map[parley.ID]bool   // the conversations of messages in flight
	pauses        map[parley.ID]*pause // numbers whose network refuses for now
}

// A pause is the reason for pausing a number until a time.
type pause struct {
	until time.Time
	why   error
}

// begin reserves the number for the caller until end, and reports whether it
// was free.
func (s *senders) begin(number parley.ID, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.serving == nil {
		s.serving, s.inFlight = map[parley.ID]bool{}, map[parley.ID]int{}
		s.conversations, s.pauses = map[parley.ID]bool{}, map[parley.ID]*pause{}
	}
	if r := s.pauses[number]; s.serving[number] || s.inFlight[number] >= sendsAtOnce || r != nil && now.Before(r.until) {
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

// isSending reports whether a message of a conversation is in flight.
func (s *senders) isSending(conversation parley.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conversations[conversation]
}

func (s *senders) start(number, conversation parley.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight[number]++
	s.conversations[conversation] = true
}

// finish ends what start began.
func (s *senders) finish(number, conversation parley.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight[number]--
	delete(s.conversations, conversation)
}

// capacity is how many more messages of a number may be in flight.
func (s *senders) capacity(number parley.ID) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return sendsAtOnce - s.inFlight[number]
}

// pause pauses a number until a time.
func (s *senders) pause(number parley.ID, until time.Time, why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pauses[number] = &pause{until, why}
}

// paused returns why a number is paused, or nil.
func (s *senders) paused(number parley.ID, now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r := s.pauses[number]; r != nil && now.Before(r.until) {
		return r.why
	}
	return nil
}

// resume ends the pause of a number.
func (s *senders) resume(number parley.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.pauses, number)
}
