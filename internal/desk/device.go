package desk

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"strings"
	"time"

	"parley"
	"parley/internal/vault"
)

// A browser that signed in keeps a ticket for that account: random bytes, the
// time, and a signature over both and the account. It opens nothing. It only
// has its failures counted apart from everybody else's; see ADR 36. Nothing of
// it is stored.
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

// known names the browser where one of its tickets is the account's; else it is
// "".
func (b browsers) known(tickets Tickets, email string, now time.Time) string {
	for _, ticket := range tickets.each() {
		if b.of(ticket, email, now) {
			return ticket[:base64.RawURLEncoding.EncodedLen(ticketRandom)]
		}
	}
	return ""
}

// of reports whether a ticket is the account's.
func (b browsers) of(ticket, email string, now time.Time) bool {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(ticket)
	if err != nil || len(raw) <= ticketSize || !b.vault.Signed(ticketSeal, statement(raw[:ticketSize], email), raw[ticketSize:]) {
		return false
	}
	issued := time.Unix(int64(binary.BigEndian.Uint32(raw[ticketRandom:ticketSize]))*3600, 0)
	return now.Before(issued.Add(ticketLife))
}

// issue adds a new ticket of the account, in place of the one it had.
func (b browsers) issue(tickets Tickets, email string, now time.Time) (Tickets, error) {
	raw := make([]byte, ticketSize)
	if _, err := rand.Read(raw[:ticketRandom]); err != nil {
		return "", err
	}
	binary.BigEndian.PutUint32(raw[ticketRandom:], uint32(now.Unix()/3600)) // until the year 491,000
	kept := []string{base64.RawURLEncoding.EncodeToString(append(raw, b.vault.Sign(ticketSeal, statement(raw, email))...))}
	for _, other := range tickets.each() {
		if len(kept) < maxTickets && !b.of(other, email, now) {
			kept = append(kept, other)
		}
	}
	return Tickets(strings.Join(kept, ticketGlue)), nil
}

// statement is what a ticket's signature says. The first part has one length.
func statement(raw []byte, email string) []byte {
	return append(append([]byte{}, raw...), parley.EmailKey(email)...)
}
