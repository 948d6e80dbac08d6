package numbers

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"parley"
	"parley/internal/chatapp"
)

const (
	storedID = "01a1fb68-2f6a-7000-87d8-89526ae1d0cd"
	// What is stored, and what nodes of other versions send.
	keptOutcome = `{"Group":{"ConversationID":"` + storedID + `","NumberID":"` + storedID + `","JID":"1203@g.us","InviteLink":"https://c.example/x","Found":true},` +
		`"Added":["491"],"Invited":["492"],"InvitesSent":["493"],"NotOnChatapp":["494"]}`
	nullOutcome = `{"Group":{"ConversationID":"` + storedID + `","NumberID":"` + storedID + `","JID":"","InviteLink":"","Found":false},` +
		`"Added":null,"Invited":null,"InvitesSent":null,"NotOnChatapp":null}`
	keptRequest = `{"Name":"G","Participants":["491"],"HostID":"` + storedID + `","From":"492","SendInviteLink":true,` +
		`"ShopName":{"Set":true,"Null":false,"Value":"S"},"CustomAttributes":"{\"a\":1}","Message":"hi","Key":"k"}`
	sentRequest = `{"Method":"Send","Name":"G","JID":"1203@g.us","Phones":["491"],"Since":"2026-11-21T10:00:00Z","Admin":true,"ID":"m","Text":"hi",` +
		`"Invite":{"Code":"c","ExpiresAt":"2026-11-21T10:00:00Z"}}`
	sentAnswer = `{"Group":{"JID":"1203@g.us","Name":"G","CreatedAt":"2026-11-21T10:00:00Z"},"Results":[` +
		`{"Phone":"491","Network":"492","Outcome":2,"Code":403,"Invite":{"Code":"c","ExpiresAt":"2026-11-21T10:00:00Z"}},` +
		`{"Phone":"1","Network":"","Outcome":1,"Code":0,"Invite":{"Code":"","ExpiresAt":"0001-01-01T00:00:00Z"}},` +
		`{"Phone":"2","Network":"","Outcome":0,"Code":0,"Invite":{"Code":"","ExpiresAt":"0001-01-01T00:00:00Z"}},` +
		`{"Phone":"3","Network":"","Outcome":3,"Code":0,"Invite":{"Code":"","ExpiresAt":"0001-01-01T00:00:00Z"}},` +
		`{"Phone":"4","Network":"","Outcome":4,"Code":0,"Invite":{"Code":"","ExpiresAt":"0001-01-01T00:00:00Z"}}],` +
		`"Groups":[{"JID":"1203@g.us","Name":"G","CreatedAt":"2026-11-21T10:00:00Z"}],"Link":"https://c.example/x",` +
		`"Error":{"Known":"","Limit":{"Reason":"rate limited","Until":"2026-11-21T10:00:00Z"},"Text":"the host is rate limited until 2026-11-21T10:00:00Z"}}`
)

// full requires a value in each field of a struct, except those that are not
// stored. A round trip of a type that is copied field by field then shows a
// forgotten field.
func full(t *testing.T, value any, dropped ...string) {
	t.Helper()
	v := reflect.ValueOf(value)
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; v.Field(i).IsZero() && !slices.Contains(dropped, name) {
			t.Errorf("the sample of a %s has no %s, so nothing tells whether it is kept", v.Type(), name)
		}
	}
}

// TestStoredGroups compares rows of group requests with stored ones, and reads
// those.
func TestStoredGroups(t *testing.T) {
	id, _ := parley.ParseID(storedID)
	outcome := parley.GroupOutcome{
		Group: parley.Group{ConversationID: id, NumberID: id, JID: "1203@g.us", InviteLink: "https://c.example/x", Found: true},
		Added: []parley.Phone{"491"}, Invited: []parley.Phone{"492"}, InvitesSent: []parley.Phone{"493"},
		NotOnChatapp: []parley.Phone{"494"},
	}
	full(t, outcome)
	if text, err := packOutcome(&outcome); err != nil || text != keptOutcome {
		t.Errorf("the outcome is stored as\n%s, %v\nwant\n%s", text, err, keptOutcome)
	}
	if read, err := unpackOutcome(keptOutcome); err != nil || !reflect.DeepEqual(read, outcome) {
		t.Errorf("the outcome is read as %+v, %v", read, err)
	}
	none := parley.GroupOutcome{Group: parley.Group{ConversationID: id, NumberID: id}}
	if text, err := packOutcome(&none); err != nil || text != nullOutcome {
		t.Errorf("an empty outcome is stored as\n%s, %v\nwant\n%s", text, err, nullOutcome)
	}
	if read, err := unpackOutcome(nullOutcome); err != nil || !reflect.DeepEqual(read, none) {
		t.Errorf("an empty outcome is read as %+v, %v", read, err)
	}
	asked := NewGroup{
		Name: "G", Participants: []parley.Phone{"491"}, HostID: id, From: "492", SendInviteLink: true, ShopName: parley.Some("S"),
		CustomAttributes: `{"a":1}`, Message: "hi", Key: "k",
	}
	full(t, asked, "Fault") // an answer, not a request
	if text, err := packRequest(&asked); err != nil || text != keptRequest {
		t.Errorf("the request is stored as\n%s, %v\nwant\n%s", text, err, keptRequest)
	}
	if read, err := unpackRequest(keptRequest); err != nil || !reflect.DeepEqual(read, asked) {
		t.Errorf("the request is read as %+v, %v", read, err)
	}
}

// TestCallsBetweenNodes compares calls with those of nodes of other versions.
func TestCallsBetweenNodes(t *testing.T) {
	at := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
	invite := chatapp.Invite{Code: "c", ExpiresAt: at}
	request := callRequest{
		Method: "Send", Name: "G", JID: "1203@g.us", Phones: []parley.Phone{"491"}, Since: at, Admin: true, ID: "m", Text: "hi", Invite: callInvite(invite),
	}
	group := chatapp.Group{JID: "1203@g.us", Name: "G", CreatedAt: at}
	results := []chatapp.MemberResult{
		{Phone: "491", Network: "492", Outcome: chatapp.NeedsInvite, Code: 403, Invite: invite},
		{Phone: "1", Outcome: chatapp.Already}, {Phone: "2", Outcome: chatapp.Added}, {Phone: "3", Outcome: chatapp.NotFound}, {Phone: "4", Outcome: chatapp.Refused},
	}
	full(t, results[0])
	if n := reflect.TypeFor[chatapp.Message]().NumField(); n != 7 {
		t.Errorf("a message has %d fields; a call carries each by its name, but for the file", n)
	}
	limit := &chatapp.LimitError{Reason: chatapp.RateLimited, Until: at}
	answer := callAnswer{
		Group: callGroup(group), Results: packResults(results), Groups: packGroups([]chatapp.Group{group}), Link: "https://c.example/x", Error: packError(limit),
	}
	for want, said := range map[string]any{sentRequest: request, sentAnswer: answer} {
		if text, err := json.Marshal(said); err != nil || string(text) != want {
			t.Errorf("a node says\n%s, %v\nwant\n%s", text, err, want)
		}
	}
	var heard callRequest
	if err := json.Unmarshal([]byte(sentRequest), &heard); err != nil || !reflect.DeepEqual(heard, request) {
		t.Errorf("the request is heard as %+v, %v", heard, err)
	}
	var back callAnswer
	if err := json.Unmarshal([]byte(sentAnswer), &back); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(back.results(), results) || !reflect.DeepEqual(back.groups(), []chatapp.Group{group}) || !reflect.DeepEqual(back.Error.unpack(), error(limit)) {
		t.Errorf("the answer is heard as %+v", back)
	}
}

// TestKnownErrors compares the names by which nodes of other versions know an
// error, and takes each error to another node and back.
func TestKnownErrors(t *testing.T) {
	want := []string{
		"none of the numbers is on the messaging application", "there is no such group", "the host is not an admin of the group",
		"the number is not a member of the group", "the number is not on the messaging application", "the host is not connected",
		"the group is full", "the network refuses the name", "the network did not answer in time", "the network refuses the message",
		"the network does not have the file any more", "the file is not what its sender sent",
		"the number is paired already", "the number is not paired with this server", "the number was paired on another network",
	}
	var names []string
	for _, known := range knownErrors() {
		names = append(names, known.name)
		packed := packError(fmt.Errorf("call: %w", known.err))
		if packed.Known != known.name || !errors.Is(packed.unpack(), known.err) {
			t.Errorf("%q is sent as %+v and read as %v", known.name, packed, packed.unpack())
		}
	}
	if !slices.Equal(names, want) {
		t.Errorf("the names are %q, want %q", names, want)
	}
}

// TestOutcomeNumbers compares the numbers that nodes of other versions know.
func TestOutcomeNumbers(t *testing.T) {
	want := map[chatapp.Outcome]int{chatapp.Added: 0, chatapp.Already: 1, chatapp.NeedsInvite: 2, chatapp.NotFound: 3, chatapp.Refused: 4}
	for outcome, number := range want {
		if int(outcome) != number {
			t.Errorf("the outcome %s is %d, want %d", outcome, outcome, number)
		}
	}
}
