package identity

import (
	"context"
	"crypto"
	"encoding/json"
	"log/slog"
	"slices"
	"sync"
	"time"

	"parley"
)

const (
	// setFresh is how long a set is used before it is fetched again.
	setFresh = 10 * time.Minute
	// setKept is how long the last good set is used while fetching fails.
	setKept = 24 * time.Hour
	// setPause is the least time between two requests to one address. Tokens
	// with invented kids thus cost its owner at most one request a minute.
	setPause = time.Minute
	// firstPause is the same as long as no set was ever read.
	firstPause = 10 * time.Second
	// maxSets limits the memory, and maxSetKeys that of one set.
	maxSets    = 1000
	maxSetKeys = 100
)

// Sets caches the sets of public keys at the addresses that workspaces name.
// Its methods may be called by many goroutines.
type Sets struct {
	fetch Fetch
	clock parley.Clock
	log   *slog.Logger

	mu    sync.Mutex
	known map[string]*set
}

// NewSets returns Sets that use a function for fetching; servers use the one of
// [NewFetch]. Only the log shows why a set could not be fetched.
func NewSets(fetch Fetch, clock parley.Clock, log *slog.Logger) *Sets {
	return &Sets{fetch: fetch, clock: clock, log: log, known: map[string]*set{}}
}

// A set is the state of one address. It is guarded by Sets.mu.
type set struct {
	keys    []setKey
	readAt  time.Time     // when keys were read; zero: never
	askedAt time.Time     // when the address was last requested
	usedAt  time.Time     // to evict the least recently used
	err     error         // of the last request
	looking chan struct{} // closed when the running request ends; nil: none is running
}

type setKey struct {
	kid, alg string
	public   crypto.PublicKey
}

// key returns the key with a name and algorithm from the set at an address, or
// nil if the set has none. Concurrent callers share one request to the address.
func (s *Sets) key(ctx context.Context, address, kid, alg string) (crypto.PublicKey, error) {
	for {
		public, wait, err := s.look(ctx, address, kid, alg)
		if wait == nil {
			return public, err
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// look returns the known result, or a channel that is closed when there is
// news.
func (s *Sets) look(ctx context.Context, address, kid, alg string) (crypto.PublicKey, <-chan struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	known := s.of(address, now)
	age := now.Sub(known.readAt)
	there := !known.readAt.IsZero() && age < setKept
	var public crypto.PublicKey
	if there {
		public = known.find(kid, alg)
	}
	if public != nil && age < setFresh {
		return public, nil, nil
	}
	if known.looking != nil {
		return nil, known.looking, nil
	}
	pause := setPause
	if !there {
		pause = firstPause
	}
	if known.askedAt.IsZero() || now.Sub(known.askedAt) >= pause {
		known.looking, known.askedAt = make(chan struct{}), now
		go s.read(context.WithoutCancel(ctx), address, known)
		return nil, known.looking, nil
	}
	if !there {
		return nil, nil, known.err
	}
	return public, nil, nil
}

// of returns the set of an address. A new one evicts the least recently used.
func (s *Sets) of(address string, now time.Time) *set {
	known := s.known[address]
	if known == nil {
		if len(s.known) >= maxSets {
			oldest := ""
			for name, other := range s.known {
				if oldest == "" || other.usedAt.Before(s.known[oldest].usedAt) {
					oldest = name
				}
			}
			delete(s.known, oldest)
		}
		known = &set{}
		s.known[address] = known
	}
	known.usedAt = now
	return known
}

// read requests the address. It continues when the caller that started it has
// left, because others wait for the result.
func (s *Sets) read(ctx context.Context, address string, known *set) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	text, err := s.fetch(ctx, address)
	var keys []setKey
	if err == nil {
		keys, err = parseSet(text)
	}
	if err != nil {
		s.log.Warn("identity: key set not fetched", "url", address, "error", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known.err = err
	if err == nil {
		known.keys, known.readAt = keys, s.clock.Now()
	}
	close(known.looking)
	known.looking = nil
}

func (s *set) find(kid, alg string) crypto.PublicKey {
	for _, k := range s.keys {
		if k.kid == kid && (k.alg == "" || k.alg == alg) && slices.Contains(Algorithms(k.public), alg) {
			return k.public
		}
	}
	return nil
}

// parseSet parses a set (RFC 7517, section 5). It skips keys of other types,
// keys not for signatures, keys without a name, and secrets.
func parseSet(text []byte) ([]setKey, error) {
	var all struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(text, &all); err != nil || all.Keys == nil {
		return nil, failure("the answer is not a set of keys")
	}
	var keys []setKey
	for _, raw := range all.Keys[:min(len(all.Keys), maxSetKeys)] {
		var j jwk
		if err := json.Unmarshal(raw, &j); err != nil || j.KID == "" || j.Use != "" && j.Use != "sig" {
			continue
		}
		if public, err := j.public(); err == nil {
			keys = append(keys, setKey{kid: j.KID, alg: j.Alg, public: public})
		}
	}
	return keys, nil
}
