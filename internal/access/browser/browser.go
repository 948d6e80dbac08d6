// Package browser knows the browsers that have signed in. A browser keeps a ticket for each
// of its last members: random bytes, the time, and a signature over both, the workspace and
// the member. A ticket grants no access; it only makes failures of its browser count
// separately (ADR 36), and tells a new browser from a known one (ADR 119). It belongs to the
// member and not to the e-mail address, because any workspace can create a member with any
// address. Nothing of it is stored.
//
// It may import the vocabulary and the vault.
package browser

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/vault"
)

const (
	ticketRandom = 12
	ticketSize   = ticketRandom + 4 // random bytes, and hours since 1970
	// ticketLife is how long a browser is known after it last signed in.
	ticketLife = 180 * 24 * time.Hour
	// maxTickets is the most accounts for which a browser is known; older ones
	// are dropped.
	maxTickets   = 5
	ticketSeal   = "browser that signed in"
	ticketGlue   = "."
	maxTicketSet = 1000 // in characters
)

// Tickets are all tickets of a browser.
type Tickets string

func (t Tickets) each() []string {
	if t == "" || len(t) > maxTicketSet {
		return nil
	}
	return strings.Split(string(t), ticketGlue)
}

// An Account is a member of a workspace.
type Account struct {
	Workspace parley.WorkspaceID
	Member    parley.UserID
}

// A Register issues and reads tickets.
type Register struct{ Vault *vault.Vault }

// Known returns a name for the browser if it has a ticket for each of some accounts, else
// "".
func (r Register) Known(tickets Tickets, accounts []Account, now time.Time) (name string) {
	held := tickets.each()
	for _, account := range accounts {
		i := slices.IndexFunc(held, func(ticket string) bool { return r.of(ticket, account, now) })
		if i < 0 {
			return ""
		}
		name = held[i][:base64.RawURLEncoding.EncodedLen(ticketRandom)]
	}
	return name
}

// of reports whether a ticket belongs to a member.
func (r Register) of(ticket string, account Account, now time.Time) bool {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(ticket)
	if err != nil || len(raw) <= ticketSize || !r.Vault.Signed(ticketSeal, account.statement(raw[:ticketSize]), raw[ticketSize:]) {
		return false
	}
	issued := time.Unix(int64(binary.BigEndian.Uint32(raw[ticketRandom:ticketSize]))*3600, 0)
	return now.Before(issued.Add(ticketLife))
}

// Issue adds a new ticket for the account and removes the previous one.
func (r Register) Issue(tickets Tickets, account Account, now time.Time) (Tickets, error) {
	raw := make([]byte, ticketSize)
	if _, err := rand.Read(raw[:ticketRandom]); err != nil {
		return "", err
	}
	binary.BigEndian.PutUint32(raw[ticketRandom:], uint32(now.Unix()/3600)) // valid until the year 491,000
	kept := []string{base64.RawURLEncoding.EncodeToString(append(raw, r.Vault.Sign(ticketSeal, account.statement(raw))...))}
	for _, other := range tickets.each() {
		if len(kept) < maxTickets && !r.of(other, account, now) {
			kept = append(kept, other)
		}
	}
	return Tickets(strings.Join(kept, ticketGlue)), nil
}

// statement is what a ticket's signature covers. The first parts have fixed
// lengths.
func (a Account) statement(raw []byte) []byte {
	return slices.Concat(raw, a.Workspace[:], []byte(a.Member))
}
