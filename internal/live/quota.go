package live

import (
	"fmt"

	"parley"
)

// Limits for open streams on one node. A stream that does not read keeps up to
// a page of the log in memory until it is cut.
const (
	maxOpen         = 200 // per session of a member, or per key
	maxOpenCustomer = 20  // per session of a customer, who may be anyone on the web
	// maxOpenContact limits a customer across sessions, because a signed
	// identity can start any number of sessions.
	maxOpenContact = 60
	// Per network address: for visitors, whose sessions are free to create; for
	// customers with an identity; for keys.
	maxOpenVisitors = 100
	maxOpenKnown    = 1_000
	maxOpenKeys     = 10_000
	// maxOpenWorkspace limits a workspace as a whole, not counting members, so
	// that it leaves streams to the others.
	maxOpenWorkspace = 20_000
)

// A quotaKey identifies a count of streams: its kind, and the one other field
// that this kind uses.
type quotaKey struct {
	kind       quotaKind
	credential parley.Credential
	workspace  parley.WorkspaceID
	contact    parley.ID
	address    string
}

type quotaKind int

const (
	byCredential quotaKind = iota
	byContact
	byVisitorsAddress
	byKnownAddress
	byKeysAddress
	byWorkspace
	byNode
)

// A quota limits the streams with a key.
type quota struct {
	key   quotaKey
	limit int
}

// quotas returns the quotas of a stream.
func (sub *Subscription) quotas() []quota {
	credential := quotaKey{kind: byCredential, credential: sub.Credential}
	workspace := quota{quotaKey{kind: byWorkspace, workspace: sub.Visibility.Workspace()}, maxOpenWorkspace}
	from := func(kind quotaKind, limit int) quota { return quota{quotaKey{kind: kind, address: sub.Address}, limit} }
	switch {
	case sub.Visibility.Team() && sub.Credential.Kind != parley.CredentialKey:
		return []quota{{credential, maxOpen}}
	case sub.Visibility.Team():
		return withAddress(sub, []quota{{credential, maxOpen}, workspace}, from(byKeysAddress, maxOpenKeys))
	}
	contact := quota{quotaKey{kind: byContact, workspace: sub.Visibility.Workspace(), contact: sub.Visibility.Audience().ContactID}, maxOpenContact}
	all := []quota{{credential, maxOpenCustomer}, contact, workspace}
	if sub.Known {
		return withAddress(sub, all, from(byKnownAddress, maxOpenKnown))
	}
	return withAddress(sub, all, from(byVisitorsAddress, maxOpenVisitors))
}

func withAddress(sub *Subscription, all []quota, from quota) []quota {
	if sub.Address == "" {
		return all
	}
	return append(all, from)
}

// quotas returns the quotas of a stream. That of the node comes last, so that a
// client who exceeds a quota of its own learns of that one.
func (h *Hub) quotas(sub *Subscription) []quota {
	all := sub.quotas()
	if h.maxStreams > 0 {
		all = append(all, quota{quotaKey{kind: byNode}, h.maxStreams})
	}
	return all
}

// refusal is the error for a client that exceeds a quota. The quota of the node
// is not the client's fault, and another node may have capacity.
func (q quota) refusal() error {
	if q.key.kind == byNode {
		return &parley.Error{Kind: parley.Unavailable, Message: "the server holds as many streams as it can; try again", RetryAfter: heartbeatTime}
	}
	return &parley.Error{Kind: parley.Limited, Message: fmt.Sprintf("at most %d streams may be open at once", q.limit), RetryAfter: heartbeatTime}
}

// reserve counts a stream that is about to start. If one of its quotas is full,
// it counts nothing and returns that quota.
func (h *Hub) reserve(s *stream) (full quota, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, q := range s.quotas {
		if h.open[q.key] >= q.limit {
			return q, false
		}
	}
	for _, q := range s.quotas {
		h.open[q.key]++
	}
	return quota{}, true
}

func (h *Hub) release(s *stream) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.uncount(s)
}

// uncount removes a stream from its counts. The caller holds h.mu.
func (h *Hub) uncount(s *stream) {
	for _, q := range s.quotas {
		if h.open[q.key]--; h.open[q.key] == 0 {
			delete(h.open, q.key)
		}
	}
}
