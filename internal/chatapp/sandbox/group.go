package sandbox

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/chatapp"
)

const (
	// keptMessages is how many messages of a group are stored.
	keptMessages = 50
	// keptIDs is how many message ids a group remembers: at least the
	// invitations of a whole group.
	keptIDs = MaxMembers
	// inviteTime is how long a personal invitation is valid.
	inviteTime = 3 * 24 * time.Hour
)

// The codes with which the application refuses to add a number.
const (
	codePrivate = 403 // only by invitation
	codeFull    = 419
)

// A group is the state of a group in the journal.
type group struct {
	JID       string                `json:"jid"`
	Name      string                `json:"name"`
	Code      string                `json:"code"` // of the invite link
	CreatedAt time.Time             `json:"createdAt"`
	Members   map[parley.Phone]bool `json:"members"`  // value: admin
	TimedOut  map[parley.Phone]bool `json:"timedOut"` // numbers that have already timed out
	SentIDs   []string              `json:"sentIds"`  // the newest keptIDs
	Sent      []storedMessage       `json:"sent"`     // the newest keptMessages
}

// A storedMessage is a chatapp.Message without its file. Its names in JSON are
// in journals and must not change.
type storedMessage struct {
	ID        string       `json:"ID"`
	JID       string       `json:"JID"`
	Phone     parley.Phone `json:"Phone"`
	Text      string       `json:"Text"`
	Invite    storedInvite `json:"Invite"`
	GroupName string       `json:"GroupName"`
}

type storedInvite struct {
	Code      string    `json:"Code"`
	ExpiresAt time.Time `json:"ExpiresAt"`
}

func newGroup(ids *parley.IDs, at time.Time, host chatapp.Host, name string) *group {
	return &group{
		JID: newJID(ids.New(at)), Name: name, Code: ids.NewText(22), CreatedAt: at,
		Members:  map[parley.Phone]bool{host.Phone: !ends(host.Phone, "09")},
		TimedOut: map[parley.Phone]bool{},
	}
}

// newJID derives a group id in the application's format: 18 digits that start
// with 1203. A hash spreads the whole id over the other 14 digits, so the
// probability that two groups collide is 1 in 10^14.
func newJID(id parley.ID) string {
	sum := sha256.Sum256(id[:])
	return fmt.Sprintf("1203%014d@g.us", binary.BigEndian.Uint64(sum[:])%1e14)
}

// add determines the outcome of each participant, once each, and adds those
// that can be added. slow are the new members that cause the network to time
// out for the first time.
func (g *group) add(ids *parley.IDs, now time.Time, participants []parley.Phone) (results []chatapp.MemberResult, slow []parley.Phone) {
	for i, p := range participants {
		if slices.Contains(participants[:i], p) {
			continue
		}
		r := chatapp.MemberResult{Phone: p, Outcome: chatapp.Added}
		switch {
		case !onChatapp(p):
			r.Outcome = chatapp.NotFound
		case g.has(p):
			r.Outcome = chatapp.Already
			if _, added := g.Members[p]; !added {
				g.Members[p] = false // already a member by rule; store it
			}
		case ends(p, "01"), ends(p, "02"):
			r.Outcome, r.Code = chatapp.NeedsInvite, codePrivate
			r.Invite = chatapp.Invite{Code: ids.NewText(16), ExpiresAt: now.Add(inviteTime)}
		case len(g.Members) >= MaxMembers:
			r.Outcome, r.Code = chatapp.Refused, codeFull
		default:
			g.Members[p] = false
			if ends(p, "03") {
				slow = append(slow, p)
			}
		}
		results = append(results, r)
	}
	return results, slow
}

// keep stores a message unless it is already known. It stores the text of a
// file, not the file.
func (g *group) keep(m chatapp.Message) {
	if slices.Contains(g.SentIDs, m.ID) {
		return
	}
	g.SentIDs = newest(append(g.SentIDs, m.ID), keptIDs)
	g.Sent = newest(append(g.Sent, storedMessage{
		ID: m.ID, JID: m.JID, Phone: m.Phone, Text: m.Text, Invite: storedInvite(m.Invite), GroupName: m.GroupName,
	}), keptMessages)
}

func (g *group) sent() []chatapp.Message {
	var sent []chatapp.Message
	for _, m := range g.Sent {
		sent = append(sent, chatapp.Message{
			ID: m.ID, JID: m.JID, Phone: m.Phone, Text: m.Text, Invite: chatapp.Invite(m.Invite), GroupName: m.GroupName,
		})
	}
	return sent
}

func newest[T any](items []T, n int) []T { return items[max(0, len(items)-n):] }

// has reports whether a number is a member.
func (g *group) has(p parley.Phone) bool {
	_, member := g.Members[p]
	return member || ends(p, "04")
}

func (g *group) shown() chatapp.Group {
	return chatapp.Group{JID: g.JID, Name: g.Name, CreatedAt: g.CreatedAt}
}

func onChatapp(p parley.Phone) bool { return !ends(p, "00") }

func ends(p parley.Phone, digits string) bool { return strings.HasSuffix(string(p), digits) }

// forget removes persons and reports whether there was anything of them.
func (g *group) forget(phones []parley.Phone) (changed bool) {
	for _, phone := range phones {
		_, member := g.Members[phone]
		changed = changed || member || g.TimedOut[phone]
		delete(g.Members, phone)
		delete(g.TimedOut, phone)
	}
	before := len(g.Sent)
	g.Sent = slices.DeleteFunc(g.Sent, func(m storedMessage) bool { return slices.Contains(phones, m.Phone) })
	return changed || len(g.Sent) < before
}
