package access

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

// A browser that signed in keeps a ticket for that member: random bytes, the
// time, and a signature over both, the workspace and the member. A ticket
// grants no access; it only makes failures of its browser count separately (ADR
// 36). It belongs to the member and not to the e-mail address, because any
// workspace can create a member with any address. Nothing of it is stored.
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

// A browsers issues and reads tickets.
type browsers struct{ vault *vault.Vault }

// known returns a name for the browser if it has a ticket for each of the
// logins for which a password is tried, else "".
func (b browsers) known(tickets Tickets, logins []Login, now time.Time) (name string) {
	held := tickets.each()
	for _, login := range logins {
		i := slices.IndexFunc(held, func(ticket string) bool { return b.of(ticket, login.Workspace, login.Member.ID, now) })
		if i < 0 {
			return ""
		}
		name = held[i][:base64.RawURLEncoding.EncodedLen(ticketRandom)]
	}
	return name
}

// of reports whether a ticket belongs to a member.
func (b browsers) of(ticket string, ws parley.WorkspaceID, member parley.UserID, now time.Time) bool {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(ticket)
	if err != nil || len(raw) <= ticketSize || !b.vault.Signed(ticketSeal, statement(raw[:ticketSize], ws, member), raw[ticketSize:]) {
		return false
	}
	issued := time.Unix(int64(binary.BigEndian.Uint32(raw[ticketRandom:ticketSize]))*3600, 0)
	return now.Before(issued.Add(ticketLife))
}

// issue adds a new ticket for the member and removes the previous one.
func (b browsers) issue(tickets Tickets, in SignedIn, now time.Time) (Tickets, error) {
	ws, member := in.Session.Workspace, in.Member.ID
	raw := make([]byte, ticketSize)
	if _, err := rand.Read(raw[:ticketRandom]); err != nil {
		return "", err
	}
	binary.BigEndian.PutUint32(raw[ticketRandom:], uint32(now.Unix()/3600)) // valid until the year 491,000
	kept := []string{base64.RawURLEncoding.EncodeToString(append(raw, b.vault.Sign(ticketSeal, statement(raw, ws, member))...))}
	for _, other := range tickets.each() {
		if len(kept) < maxTickets && !b.of(other, ws, member, now) {
			kept = append(kept, other)
		}
	}
	return Tickets(strings.Join(kept, ticketGlue)), nil
}

// statement is what a ticket's signature covers. The first parts have fixed
// lengths.
func statement(raw []byte, ws parley.WorkspaceID, member parley.UserID) []byte {
	return slices.Concat(raw, ws[:], []byte(member))
}
