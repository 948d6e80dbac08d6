package whatsapp

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"go.mau.fi/util/jsontime"
	"go.mau.fi/whatsmeow"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"

	"parley"
	"parley/internal/chatapp"
)

// A notebook is an Inbound that records messages, receipts and states.
type notebook struct {
	messages []chatapp.Incoming
	receipts []chatapp.Receipt
	states   []chatapp.State
}

func (n *notebook) Message(_ context.Context, _ chatapp.Host, m chatapp.Incoming) error {
	n.messages = append(n.messages, m)
	return nil
}

func (n *notebook) Receipt(_ context.Context, _ chatapp.Host, r chatapp.Receipt) error {
	n.receipts = append(n.receipts, r)
	return nil
}

func (n *notebook) Membership(context.Context, chatapp.Host, chatapp.MemberChange) error { return nil }

func (n *notebook) State(_ context.Context, _ chatapp.Host, s chatapp.State) error {
	n.states = append(n.states, s)
	return nil
}

// quietSession is a session without a connection.
func quietSession(t *testing.T) (*session, *notebook) {
	in := &notebook{}
	driver := &Driver{clock: func() time.Time { return noon }, log: slog.New(slog.DiscardHandler)}
	s := &session{
		driver: driver, in: in, host: chatapp.Host{Phone: "15550100"}, connected: true,
		jid: types.NewJID("15550100", types.DefaultUserServer), lid: types.NewJID("9001", types.HiddenUserServer),
		groups: map[types.JID]string{types.NewJID("1203", types.GroupServer): "Team"},
		next:   make(chan time.Duration, 1), changed: make(chan struct{}), cuts: map[*context.CancelCauseFunc]struct{}{},
	}
	s.ctx, s.stop = context.WithCancel(t.Context())
	return s, in
}

// The library tells of an interruption and of a refusal in goroutines of their
// own, so the interruption may come last.
func TestLateInterruption(t *testing.T) {
	for name, refusal := range map[string]any{
		"outdated": &events.ClientOutdated{}, "banned": &events.TemporaryBan{Expire: time.Hour},
		"replaced": &events.StreamReplaced{}, "refused": &events.ConnectFailure{Reason: 400},
	} {
		t.Run(name, func(t *testing.T) {
			s, in := quietSession(t)
			s.handle(refusal)
			s.handle(&events.Disconnected{})
			if len(in.states) != 1 || in.states[0].Reason == "" && in.states[0].Status == parley.NumberDisconnected {
				t.Errorf("the states are %+v, want only the refusal", in.states)
			}
			s.setConnected(true)
			s.handle(&events.Disconnected{})
			if n := len(in.states); n != 2 || in.states[n-1] != (chatapp.State{Status: parley.NumberDisconnected}) {
				t.Errorf("after the next interruption the states are %+v", in.states)
			}
		})
	}
}

// The library may tell of an interruption after it has made the next connection,
// on which it would repeat a request.
func TestOnceEndsBeforeTheNextConnection(t *testing.T) {
	s, _ := quietSession(t)
	once, done := s.once(t.Context())
	defer done()
	var cause error
	client := s.cuttingClient(&http.Client{Transport: roundTrip(func(*http.Request) { cause = context.Cause(once) })})
	if _, err := client.Get("https://network.example/"); err == nil || !errors.Is(cause, errCut) {
		t.Errorf("when the next connection is made, the request has ended for %v, want %v", cause, errCut)
	}
}

type roundTrip func(*http.Request)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) {
	f(r)
	return nil, errors.New("unreachable")
}

func TestCalls(t *testing.T) {
	s, in := quietSession(t)
	ann, group := types.NewJID("15550150", types.DefaultUserServer), types.NewJID("1203", types.GroupServer)
	hidden := types.NewJID("9002", types.HiddenUserServer)
	rings := func(c types.BasicCallMeta) any {
		c.Timestamp = noon
		return &events.CallOffer{BasicCallMeta: c}
	}
	for _, event := range []any{
		rings(types.BasicCallMeta{CallID: "one", CallCreator: ann}),
		rings(types.BasicCallMeta{CallID: "two", CallCreator: hidden, CallCreatorAlt: ann}),
		&events.CallOfferNotice{BasicCallMeta: types.BasicCallMeta{CallID: "three", CallCreator: ann, GroupJID: group, Timestamp: noon}},
		rings(types.BasicCallMeta{CallID: "own", CallCreator: s.lid}),
		rings(types.BasicCallMeta{CallID: "own in a group", CallCreator: s.jid, GroupJID: group}),
	} {
		if !s.handle(event) {
			t.Errorf("%+v was not kept", event)
		}
	}
	if len(in.messages) != 3 {
		t.Fatalf("%+v", in.messages)
	}
	for i, want := range []chatapp.Incoming{
		{ID: "one", Chat: chatapp.Chat{JID: "15550150@s.whatsapp.net", Phone: "15550150"}},
		{ID: "two", Chat: chatapp.Chat{JID: "15550150@s.whatsapp.net", Phone: "15550150"}},
		{ID: "three", Chat: chatapp.Chat{JID: "1203@g.us", Group: true, Name: "Team"}},
	} {
		want.From, want.Unsupported, want.At = "15550150", "call", noon
		if in.messages[i] != want {
			t.Errorf("%+v, want %+v", in.messages[i], want)
		}
	}
}

// Messages outside of conversations are not delivered.
func TestNoConversations(t *testing.T) {
	s, in := quietSession(t)
	ann := types.NewJID("15550150", types.DefaultUserServer)
	for _, source := range []types.MessageSource{
		{Chat: types.StatusBroadcastJID, Sender: ann},
		{Chat: types.NewJID("1", types.NewsletterServer), Sender: types.NewJID("1", types.NewsletterServer)},
		{Chat: types.MetaAIJID, Sender: types.MetaAIJID},
		{Chat: s.jid, Sender: s.jid, IsFromMe: true},
		{Chat: s.lid, Sender: s.lid, IsFromMe: true},
	} {
		e := &events.Message{Info: types.MessageInfo{MessageSource: source, ID: "1"}, Message: said("hello")}
		if !s.handle(e) {
			t.Errorf("%+v comes again", source)
		}
	}
	if len(in.messages) != 0 {
		t.Errorf("%+v", in.messages)
	}
	list := types.MessageSource{Chat: types.NewJID("77", types.BroadcastServer), Sender: ann}
	s.handle(&events.Message{Info: types.MessageInfo{MessageSource: list, ID: "2"}, Message: said("news")})
	if len(in.messages) != 1 || in.messages[0].Chat.Phone != "15550150" {
		t.Errorf("from a list of receivers: %+v", in.messages)
	}
}

// A receipt of another device of the number says nothing about the receiver.
func TestReceiptsOfOwnDevices(t *testing.T) {
	s, in := quietSession(t)
	ann := types.NewJID("15550150", types.DefaultUserServer)
	for _, own := range []bool{true, false} {
		source := types.MessageSource{Chat: ann, Sender: ann, IsFromMe: own}
		s.handle(&events.Receipt{MessageSource: source, MessageIDs: []string{"1"}, Type: types.ReceiptTypeRead, Timestamp: noon})
	}
	if len(in.receipts) != 1 || in.receipts[0].By != "15550150" || in.receipts[0].Status != parley.Read {
		t.Errorf("%+v", in.receipts)
	}
}

// When the library gives up, the session reconnects after a while, and calls do
// not wait for that.
func TestComesBack(t *testing.T) {
	for _, c := range []struct {
		event  any
		status parley.NumberStatus
		pause  time.Duration
		limit  bool
	}{
		{&events.StreamReplaced{}, parley.NumberDisconnected, replacedPause, false},
		{&events.ConnectFailure{Reason: 499}, parley.NumberDisconnected, refusedPause, false},
		{&events.ClientOutdated{}, parley.NumberOutdated, outdatedPause, false},
		{&events.TemporaryBan{Code: events.TempBanCreatedTooManyGroups, Expire: 2 * time.Hour}, parley.NumberBanned, 2 * time.Hour, true},
		{&events.TemporaryBan{Code: events.TempBanCreatedTooManyGroups}, parley.NumberBanned, banLimit, true},
	} {
		s, in := quietSession(t)
		s.handle(c.event)
		if len(in.states) != 1 || in.states[0].Status != c.status || in.states[0].Reason == "" {
			t.Errorf("%T: %+v", c.event, in.states)
		}
		select {
		case pause := <-s.next:
			if pause != c.pause {
				t.Errorf("%T: again after %s, want %s", c.event, pause, c.pause)
			}
		default:
			t.Errorf("%T: it does not come back", c.event)
		}
		var limit *chatapp.LimitError
		err := s.waitConnected(t.Context())
		if errors.As(err, &limit) != c.limit || !c.limit && !errors.Is(err, chatapp.ErrNotConnected) || c.limit && !limit.Until.Equal(noon.Add(c.pause)) {
			t.Errorf("%T: %v", c.event, err)
		}
	}
}

// A restriction without a known end lasts for a while.
func TestRestrictionWithoutEnd(t *testing.T) {
	s, in := quietSession(t)
	s.handle(&events.NotifyAccountReachoutTimelock{IsActive: true, TimeEnforcementEnds: jsontime.UnixString{Time: time.Unix(0, 0)}})
	s.handle(&events.NotifyAccountReachoutTimelock{})
	if len(in.states) != 2 || !in.states[0].RestrictedUntil.Equal(noon.Add(strangerOff)) || !in.states[1].RestrictedUntil.IsZero() {
		t.Errorf("%+v", in.states)
	}
}

// A session that has ended delivers and acknowledges nothing.
func TestAfterTheEnd(t *testing.T) {
	s, in := quietSession(t)
	s.stop()
	ann := types.NewJID("15550150", types.DefaultUserServer)
	source := types.MessageSource{Chat: ann, Sender: ann}
	if s.handle(&events.Message{Info: types.MessageInfo{MessageSource: source, ID: "1"}, Message: said("hello")}) {
		t.Error("a message was acknowledged")
	}
	s.reportState(chatapp.State{Status: parley.NumberConnected})
	if len(in.messages)+len(in.states) != 0 {
		t.Errorf("%+v", in)
	}
}

// Each way in which a pairing can end has a message that a person can act on.
func TestPairingSteps(t *testing.T) {
	p := &pairing{driver: &Driver{clock: func() time.Time { return noon }, log: slog.New(slog.DiscardHandler)}, by: chatapp.PairByQR, ctx: t.Context()}
	for _, c := range []struct {
		item whatsmeow.QRChannelItem
		want chatapp.PairStep // a Kind of "" for none
	}{
		{whatsmeow.QRChannelItem{Event: whatsmeow.QRChannelEventCode, Code: "x", Timeout: time.Minute}, chatapp.PairStep{Kind: chatapp.QRCode, Code: "x", Until: noon.Add(time.Minute)}},
		{whatsmeow.QRChannelTimeout, chatapp.PairStep{Kind: chatapp.PairExpired}},
		{whatsmeow.QRChannelClientOutdated, chatapp.PairStep{Kind: chatapp.PairRefused, Reason: "the network demands a newer version of this server"}},
		{whatsmeow.QRChannelItem{Event: whatsmeow.QRChannelEventPasskeyRequest}, chatapp.PairStep{Kind: chatapp.PairRefused, Reason: "this account asks for a passkey, which this server cannot give; use another number"}},
		{whatsmeow.QRChannelItem{Event: whatsmeow.QRChannelEventError, Error: errors.New("dial tcp 10.0.0.7:443: refused")}, chatapp.PairStep{Kind: chatapp.PairRefused, Reason: "the pairing failed; try again"}},
		{whatsmeow.QRChannelScannedWithoutMultidevice, chatapp.PairStep{}},
		{whatsmeow.QRChannelErrUnexpectedEvent, chatapp.PairStep{Kind: chatapp.PairRefused, Reason: "the network ended the pairing: " + whatsmeow.QRChannelErrUnexpectedEvent.Event}},
	} {
		if got, ok := p.step(c.item); got != c.want || ok != (c.want.Kind != "") {
			t.Errorf("%s: %+v", c.item.Event, got)
		}
	}
}
