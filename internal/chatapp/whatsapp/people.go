package whatsapp

import (
	"context"
	"strings"
	"sync"
	"time"

	"go.mau.fi/whatsmeow/types"

	"parley"
)

// How long lookups of numbers are cached. Frequent lookups of the same invalid
// number look like spam to the network.
const (
	presentTime = 4 * time.Hour
	absentTime  = 10 * time.Minute
	keptPeople  = 10_000
	askedAtOnce = 250 // numbers per request
)

// A person is what the network knows about a number.
type person struct {
	jid   types.JID    // zero if not on the application
	phone parley.Phone // as the network spells it
	until time.Time    // expiry of the entry
}

func (p person) absent() bool { return p.jid.IsEmpty() }

// people caches which numbers are on the application.
type people struct {
	clock parley.Clock
	mu    sync.Mutex
	known map[parley.Phone]person // by the caller's spelling
}

func newPeople(clock parley.Clock) *people {
	return &people{clock: clock, known: map[parley.Phone]person{}}
}

// forget removes a person from the cache.
func (p *people) forget(phone parley.Phone) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for asked, known := range p.known {
		if asked == phone || known.phone == phone {
			delete(p.known, asked)
		}
	}
}

// recall returns the cached persons, and the numbers to look up, each once.
func (p *people) recall(phones []parley.Phone) (found map[parley.Phone]person, ask []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clock.Now()
	found = map[parley.Phone]person{}
	asked := map[parley.Phone]bool{}
	for _, phone := range phones {
		if known, ok := p.known[phone]; ok && now.Before(known.until) {
			found[phone] = known
		} else if !asked[phone] {
			asked[phone] = true
			ask = append(ask, phone.Display())
		}
	}
	return found, ask
}

// keep caches the answers to one request and adds them to found. A number
// without an answer is not on the application: this is how the network treats
// malformed numbers.
func (p *people) keep(found map[parley.Phone]person, ask []string, answers []types.IsOnWhatsAppResponse) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clock.Now()
	if len(p.known)+len(ask) > keptPeople {
		clear(p.known)
	}
	for _, query := range ask {
		phone := parley.Phone(strings.TrimPrefix(query, "+"))
		one := person{until: now.Add(absentTime)}
		for _, a := range answers {
			if a.IsIn && strings.TrimPrefix(a.Query, "+") == string(phone) {
				one = person{jid: a.JID, phone: spelling(a, phone), until: now.Add(presentTime)}
			}
		}
		p.known[phone] = one
		found[phone] = one
	}
}

// spelling returns the network's own spelling of a number.
func spelling(a types.IsOnWhatsAppResponse, asked parley.Phone) parley.Phone {
	for _, jid := range []types.JID{a.PhoneNumber, a.JID} {
		if jid.Server == types.DefaultUserServer {
			return parley.Phone(jid.User)
		}
	}
	return asked
}

// resolve looks up numbers on the application.
func (s *session) resolve(ctx context.Context, phones []parley.Phone) (map[parley.Phone]person, error) {
	found, unknown := s.driver.people.recall(phones)
	for len(unknown) > 0 {
		some := unknown[:min(len(unknown), askedAtOnce)]
		unknown = unknown[len(some):]
		answers, err := request(ctx, s, func(ctx context.Context) ([]types.IsOnWhatsAppResponse, error) {
			return s.cli.IsOnWhatsApp(ctx, some)
		})
		if err != nil {
			return nil, failure(err, s.driver.clock.Now())
		}
		s.driver.people.keep(found, some, answers)
	}
	return found, nil
}

// phone returns the number behind a JID: from the JID itself, from the other
// JID that came with it, or from the library's store. It returns "" for a
// number that the network hides.
func (s *session) phone(ctx context.Context, jid, other types.JID) parley.Phone {
	if s.isOwn(jid) {
		return s.host.Phone
	}
	for _, j := range []types.JID{jid, other} {
		if j.Server == types.DefaultUserServer {
			return parley.Phone(j.User)
		}
	}
	if jid.Server != types.HiddenUserServer {
		return ""
	}
	number, err := s.cli.Store.LIDs.GetPNForLID(ctx, jid.ToNonAD())
	if err != nil {
		s.driver.log.Warn("whatsapp: lookup of hidden number failed", "error", err)
	}
	return parley.Phone(number.User)
}

// isOwn reports whether a JID belongs to the number itself.
func (s *session) isOwn(jid types.JID) bool {
	own, lid := s.own()
	jid = jid.ToNonAD()
	return !jid.IsEmpty() && (jid == own || jid == lid)
}
