package numbers

import (
	"encoding/json"
	"time"

	"parley"
	"parley/internal/chatapp"
)

// The types in this file are stored with group requests, forever, and sent
// between nodes of successive versions. Their names in JSON are written out
// here and must not change, whereas Go names may. A conversion from a type of
// the vocabulary or of the network stops compiling when that type's fields
// change. For types that are copied field by field, TestStoredGroups and
// TestCallsBetweenNodes require every field.

type storedGroup struct {
	ConversationID parley.ID `json:"ConversationID"`
	NumberID       parley.ID `json:"NumberID"`
	JID            string    `json:"JID"`
	InviteLink     string    `json:"InviteLink"`
	Found          bool      `json:"Found"`
}

// A storedOutcome is the answer to a request with an Idempotency-Key.
type storedOutcome struct {
	Group        storedGroup    `json:"Group"`
	Added        []parley.Phone `json:"Added"`
	Invited      []parley.Phone `json:"Invited"`
	InvitesSent  []parley.Phone `json:"InvitesSent"`
	NotOnChatapp []parley.Phone `json:"NotOnChatapp"`
}

func packOutcome(o *parley.GroupOutcome) (string, error) {
	text, err := json.Marshal(storedOutcome{
		Group: storedGroup(o.Group), Added: o.Added, Invited: o.Invited, InvitesSent: o.InvitesSent, NotOnChatapp: o.NotOnChatapp,
	})
	return string(text), err
}

func unpackOutcome(text string) (parley.GroupOutcome, error) {
	var s storedOutcome
	err := json.Unmarshal([]byte(text), &s)
	return parley.GroupOutcome{
		Group: parley.Group(s.Group), Added: s.Added, Invited: s.Invited, InvitesSent: s.InvitesSent, NotOnChatapp: s.NotOnChatapp,
	}, err
}

type storedShop struct {
	Set   bool   `json:"Set"`
	Null  bool   `json:"Null"`
	Value string `json:"Value"`
}

// A storedRequest has the inputs of the first call with an Idempotency-Key.
type storedRequest struct {
	Name             string            `json:"Name"`
	Participants     []parley.Phone    `json:"Participants"`
	HostID           parley.ID         `json:"HostID"`
	From             parley.Phone      `json:"From"`
	SendInviteLink   bool              `json:"SendInviteLink"`
	ShopName         storedShop        `json:"ShopName"`
	CustomAttributes parley.Attributes `json:"CustomAttributes"`
	Message          string            `json:"Message"`
	Key              string            `json:"Key"`
}

func packRequest(in *NewGroup) (string, error) {
	text, err := json.Marshal(storedRequest{
		Name: in.Name, Participants: in.Participants, HostID: in.HostID, From: in.From, SendInviteLink: in.SendInviteLink,
		ShopName: storedShop(in.ShopName), CustomAttributes: in.CustomAttributes, Message: in.Message, Key: in.Key,
	})
	return string(text), err
}

func unpackRequest(text string) (NewGroup, error) {
	var s storedRequest
	err := json.Unmarshal([]byte(text), &s)
	return NewGroup{
		Name: s.Name, Participants: s.Participants, HostID: s.HostID, From: s.From, SendInviteLink: s.SendInviteLink,
		ShopName: parley.Optional[string](s.ShopName), CustomAttributes: s.CustomAttributes, Message: s.Message, Key: s.Key,
	}, err
}

type callInvite struct {
	Code      string    `json:"Code"`
	ExpiresAt time.Time `json:"ExpiresAt"`
}

// A callRequest is a request to the node that holds a number.
type callRequest struct {
	Method string         `json:"Method"`
	Name   string         `json:"Name"`
	JID    string         `json:"JID"`
	Phones []parley.Phone `json:"Phones"`
	Since  time.Time      `json:"Since"`
	Admin  bool           `json:"Admin"`
	ID     string         `json:"ID"` // of a message
	Text   string         `json:"Text"`
	Invite callInvite     `json:"Invite"`
}

type callGroup struct {
	JID       string    `json:"JID"`
	Name      string    `json:"Name"`
	CreatedAt time.Time `json:"CreatedAt"`
}

type callResult struct {
	Phone   parley.Phone    `json:"Phone"`
	Network parley.Phone    `json:"Network"`
	Outcome chatapp.Outcome `json:"Outcome"` // a number
	Code    int             `json:"Code"`
	Invite  callInvite      `json:"Invite"`
}

// A callAnswer is the result of a callRequest.
type callAnswer struct {
	Group   callGroup    `json:"Group"`
	Results []callResult `json:"Results"`
	Groups  []callGroup  `json:"Groups"`
	Link    string       `json:"Link"`
	Error   *callError   `json:"Error"`
}

type callLimit struct {
	Reason chatapp.Limit `json:"Reason"`
	Until  time.Time     `json:"Until"`
}

// A callError carries an error to another node.
type callError struct {
	Known string     `json:"Known"` // the text of one of knownErrors
	Limit *callLimit `json:"Limit"` // else this one
	Text  string     `json:"Text"`  // else any other
}

func packGroups(groups []chatapp.Group) []callGroup {
	var packed []callGroup
	for _, g := range groups {
		packed = append(packed, callGroup(g))
	}
	return packed
}

func (a *callAnswer) groups() []chatapp.Group {
	var groups []chatapp.Group
	for _, g := range a.Groups {
		groups = append(groups, chatapp.Group(g))
	}
	return groups
}

func packResults(results []chatapp.MemberResult) []callResult {
	var packed []callResult
	for _, r := range results {
		packed = append(packed, callResult{Phone: r.Phone, Network: r.Network, Outcome: r.Outcome, Code: r.Code, Invite: callInvite(r.Invite)})
	}
	return packed
}

func (a *callAnswer) results() []chatapp.MemberResult {
	var results []chatapp.MemberResult
	for _, r := range a.Results {
		results = append(results, chatapp.MemberResult{Phone: r.Phone, Network: r.Network, Outcome: r.Outcome, Code: r.Code, Invite: chatapp.Invite(r.Invite)})
	}
	return results
}
