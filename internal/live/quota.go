package live

import (
	"fmt"

	"parley"
)

// How many streams may be open on a node. One that does not read holds up to a
// page of the log in memory until it is cut.
const (
	maxOpen         = 200 // of one session of a member, or of one key
	maxOpenCustomer = 20  // of one session of a customer, whom anybody on the web may be
	// maxOpenContact is how many a customer has in all sessions, of which a signed
	// identity begins as many as it likes.
	maxOpenContact = 60
	// By network address: of visitors, of whom each session is new; of customers
	// with an identity; of keys.
	maxOpenVisitors = 100
	maxOpenKnown    = 1_000
	maxOpenKeys     = 10_000
	// maxOpenWorkspace is how many a workspace has in all, but for its members', so
	// that it leaves something to others.
	maxOpenWorkspace = 20_000
)

// A counted is what streams are counted by: one of its members is set beside the
// kind of the count.
type counted struct {
	kind       countKind
	credential parley.Credential
	workspace  parley.WorkspaceID
	contact    parley.ID
	address    string
}

type countKind int

const (
	byCredential countKind = iota
	byContact
	byVisitorsAddress
	byKnownAddress
	byKeysAddress
	byWorkspace
	byNode
)

// A quota is how many streams of a kind there may be.
type quota struct {
	of   counted
	most int
}

// quotas returns what a stream is counted by.
func (sub *Subscription) quotas() []quota {
	credential := counted{kind: byCredential, credential: sub.Credential}
	workspace := quota{counted{kind: byWorkspace, workspace: sub.Workspace}, maxOpenWorkspace}
	from := func(kind countKind, most int) quota { return quota{counted{kind: kind, address: sub.Address}, most} }
	switch {
	case sub.Audience.IsZero() && sub.Credential.Kind != parley.CredentialKey:
		return []quota{{credential, maxOpen}}
	case sub.Audience.IsZero():
		return addressed(sub, []quota{{credential, maxOpen}, workspace}, from(byKeysAddress, maxOpenKeys))
	}
	contact := quota{counted{kind: byContact, workspace: sub.Workspace, contact: sub.Audience.ContactID}, maxOpenContact}
	all := []quota{{credential, maxOpenCustomer}, contact, workspace}
	if sub.Known {
		return addressed(sub, all, from(byKnownAddress, maxOpenKnown))
	}
	return addressed(sub, all, from(byVisitorsAddress, maxOpenVisitors))
}

func addressed(sub *Subscription, all []quota, from quota) []quota {
	if sub.Address == "" {
		return all
	}
	return append(all, from)
}

// quotas returns what a stream is counted by, the whole node last: whoever has
// too many of their own is told so.
func (h *Hub) quotas(sub *Subscription) []quota {
	all := sub.quotas()
	if h.most > 0 {
		all = append(all, quota{counted{kind: byNode}, h.most})
	}
	return all
}

// refusal is what a reader is told who meets a quota. That of the node is none
// of the reader's doing, and another node may have room.
func (q quota) refusal() error {
	if q.of.kind == byNode {
		return &parley.Error{Kind: parley.Unavailable, Message: "the server holds as many streams as it can; try again", RetryAfter: quietTime}
	}
	return &parley.Error{Kind: parley.Limited, Message: fmt.Sprintf("at most %d streams may be open at once", q.most), RetryAfter: quietTime}
}

// reserve counts a stream that is about to begin. Where there are as many as
// there may be, by any of its counts, it counts nothing and returns that quota.
func (h *Hub) reserve(s *stream) (full quota, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, q := range s.quotas {
		if h.open[q.of] >= q.most {
			return q, false
		}
	}
	for _, q := range s.quotas {
		h.open[q.of]++
	}
	return quota{}, true
}

func (h *Hub) release(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.forget(s)
}

// forget counts one stream less. h.mu is held.
func (h *Hub) forget(s *stream) {
	for _, q := range s.quotas {
		if h.open[q.of]--; h.open[q.of] == 0 {
			delete(h.open, q.of)
		}
	}
}
