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
// time, and a signature over both, the workspace and the member. It opens
// nothing. It only has its failures counted apart from everybody else's; see ADR
// 36. It is not of the e-mail address, for whoever has a workspace can make a
// member of any address there. Nothing of it is stored.
const (
	ticketRandom = 12
	ticketSize   = ticketRandom + 4 // random bytes, and hours since 1970
	// ticketLife is for how long a browser is known after it last signed in.
	ticketLife = 180 * 24 * time.Hour
	// maxTickets is for how many accounts one browser is known, those used last.
	maxTickets   = 5
	ticketSeal   = "browser that signed in"
	ticketGlue   = "."
	maxTicketSet = 1000 // in characters
)

// Tickets are what a browser keeps, of all its accounts.
type Tickets string

func (t Tickets) each() []string {
	if t == "" || len(t) > maxTicketSet {
		return nil
	}
	return strings.Split(string(t), ticketGlue)
}

// A browsers issues and reads tickets.
type browsers struct{ vault *vault.Vault }

// known names the browser where it has a ticket for each of the logins that a
// password is tried for; else it is "".
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

// of reports whether a ticket is the member's.
func (b browsers) of(ticket string, ws parley.WorkspaceID, member parley.UserID, now time.Time) bool {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(ticket)
	if err != nil || len(raw) <= ticketSize || !b.vault.Signed(ticketSeal, statement(raw[:ticketSize], ws, member), raw[ticketSize:]) {
		return false
	}
	issued := time.Unix(int64(binary.BigEndian.Uint32(raw[ticketRandom:ticketSize]))*3600, 0)
	return now.Before(issued.Add(ticketLife))
}

// issue adds a new ticket of the member, in place of the one it had.
func (b browsers) issue(tickets Tickets, in SignedIn, now time.Time) (Tickets, error) {
	ws, member := in.Session.Workspace, in.Member.ID
	raw := make([]byte, ticketSize)
	if _, err := rand.Read(raw[:ticketRandom]); err != nil {
		return "", err
	}
	binary.BigEndian.PutUint32(raw[ticketRandom:], uint32(now.Unix()/3600)) // until the year 491,000
	kept := []string{base64.RawURLEncoding.EncodeToString(append(raw, b.vault.Sign(ticketSeal, statement(raw, ws, member))...))}
	for _, other := range tickets.each() {
		if len(kept) < maxTickets && !b.of(other, ws, member, now) {
			kept = append(kept, other)
		}
	}
	return Tickets(strings.Join(kept, ticketGlue)), nil
}

// statement is what a ticket's signature says. The first parts have one length.
func statement(raw []byte, ws parley.WorkspaceID, member parley.UserID) []byte {
	return slices.Concat(raw, ws[:], []byte(member))
}
