package whatsapp

import (
	"context"
	"maps"
	"time"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"go.mau.fi/whatsmeow/types"
	"go.mau.fi/whatsmeow/types/events"

	"parley"
	"parley/internal/chatapp"
)

// keptGroups is how many group names a session remembers.
const keptGroups = 10_000

// handle receives events of the library. If it returns false, a message,
// receipt or group change is not acknowledged, so the network sends it again.
func (s *session) handle(event any) bool {
	switch e := event.(type) {
	case *events.Message:
		return s.message(e)
	case *events.UndecryptableMessage:
		return s.unavailable(e)
	case *events.Receipt:
		return s.receipt(e)
	case *events.GroupInfo:
		return s.groupChange(e)
	case *events.CallOffer:
		return s.call(e.BasicCallMeta)
	case *events.CallOfferNotice:
		return s.call(e.BasicCallMeta)
	default:
		s.state(event)
	}
	return true
}

// state handles events about the number itself.
func (s *session) state(event any) {
	now := s.driver.clock.Now()
	switch e := event.(type) {
	case *events.Connected:
		s.learnNames()
		s.setConnected(true)
		s.reportState(chatapp.State{Status: parley.NumberConnected})
	case *events.Disconnected: // the library reconnects by itself
		s.interrupted()
	case *events.StreamReplaced:
		s.refuse(chatapp.State{Status: parley.NumberDisconnected, Reason: "another process connected with the same number"}, replacedPause)
	case *events.ConnectFailure:
		s.refuse(chatapp.State{Status: parley.NumberDisconnected, Reason: e.Reason.String()}, refusedPause)
	case *events.TemporaryBan:
		state := chatapp.State{Status: parley.NumberBanned, Reason: e.Code.String()}
		until := now.Add(banLimit)
		if e.Expire > 0 {
			until = now.Add(e.Expire)
			state.Until = until
		}
		s.ban(until)
		s.refuse(state, until.Sub(now))
	case *events.ClientOutdated:
		s.refuse(chatapp.State{Status: parley.NumberOutdated, Reason: "the network demands a newer version of this server"}, outdatedPause)
	case *events.LoggedOut:
		s.loggedOut(e.Reason)
	case *events.NotifyAccountReachoutTimelock:
		s.restrict(e)
	}
}

// down records that the connection is lost.
func (s *session) down(state chatapp.State) {
	s.setConnected(false)
	s.reportState(state)
}

// refuse records that the network refuses the number, and requests a reconnect
// after a pause.
func (s *session) refuse(state chatapp.State, pause time.Duration) {
	s.mu.Lock()
	s.refused = true
	s.mu.Unlock()
	s.down(state)
	s.connectAfter(pause)
}

// interrupted records that the connection is lost and the library reconnects.
// The library calls it in a goroutine of its own, so it may run after refuse,
// whose state must stay.
func (s *session) interrupted() {
	s.setConnected(false)
	s.hearing.Lock()
	defer s.hearing.Unlock()
	s.mu.Lock()
	refused := s.refused
	s.mu.Unlock()
	if !refused {
		s.reportInTurn(chatapp.State{Status: parley.NumberDisconnected})
	}
}

// learnNames copies the number's own names. It runs after login, when the
// client does not change them.
func (s *session) learnNames() {
	jid, lid := s.cli.Store.GetJID(), s.cli.Store.GetLID()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jid, s.lid = jid.ToNonAD(), lid.ToNonAD()
	maps.DeleteFunc(s.groups, func(_ types.JID, name string) bool { return name == "" })
}

// loggedOut deletes the device and ends the session, because the number must be
// paired again. The library deletes its keys at the same time, which the end of
// the session may interrupt.
func (s *session) loggedOut(reason events.ConnectFailureReason) {
	state := chatapp.State{Status: parley.NumberLoggedOut, Reason: reason.String()}
	if reason == events.ConnectFailureUnknownLogout {
		state = chatapp.State{Status: parley.NumberBanned, Reason: "the network closed the account"}
	}
	if err := s.driver.forget(s.ctx, s.host); err != nil {
		s.driver.log.Warn("whatsapp: delete of logged-out device failed", "number", s.host.NumberID, "error", err)
	}
	s.down(state)
	s.stop()
}

// restrict stores until when the number may not write first to strangers.
func (s *session) restrict(e *events.NotifyAccountReachoutTimelock) {
	until := e.TimeEnforcementEnds.Time.UTC()
	switch {
	case !e.IsActive:
		until = time.Time{}
	case e.TimeEnforcementEnds.Unix() <= 0: // no end given
		until = s.driver.clock.Now().Add(strangerOff).UTC()
	}
	s.mu.Lock()
	s.restricted = until
	connected := s.connected
	s.mu.Unlock()
	if connected {
		s.reportState(chatapp.State{Status: parley.NumberConnected})
	}
}

// message reports a message. Messages without content only carry keys.
func (s *session) message(e *events.Message) bool {
	chat, ok := s.chat(s.ctx, e.Info.MessageSource)
	if !ok {
		return true
	}
	in, ok := s.read(e)
	if !ok {
		return true
	}
	s.envelope(&in, chat, &e.Info)
	return s.reportMessage(in)
}

// viewOnce is the kind of messages that recipients may view only once, on a
// phone. They are not stored even if the network delivers them.
const viewOnce = "view once"

// read converts a message, including an edit that is encrypted with a secret of
// the edited message.
func (s *session) read(e *events.Message) (chatapp.Incoming, bool) {
	fetch := s.driver.media(s.host)
	switch secret := e.Message.GetSecretEncryptedMessage(); {
	case e.IsViewOnce:
		return chatapp.Incoming{Unsupported: viewOnce}, true
	case secret.GetSecretEncType() == waE2E.SecretEncryptedMessage_MESSAGE_EDIT:
		m, err := s.cli.DecryptSecretEncryptedMessage(s.ctx, e)
		if err != nil {
			s.driver.log.Info("whatsapp: decryption of edited message failed", "number", s.host.NumberID, "error", err)
			return chatapp.Incoming{Unsupported: "correction"}, true
		}
		return content(m, fetch)
	}
	return content(e.Message, fetch)
}

// call reports an incoming call. Only the phone can answer it, but the attempt
// is recorded.
func (s *session) call(c types.BasicCallMeta) bool {
	source := types.MessageSource{Chat: c.CallCreator.ToNonAD(), Sender: c.CallCreator, SenderAlt: c.CallCreatorAlt}
	if !c.GroupJID.IsEmpty() {
		source.Chat, source.IsGroup = c.GroupJID, true
	}
	chat, ok := s.chat(s.ctx, source)
	if !ok || s.isOwn(c.CallCreator) {
		return true
	}
	in := chatapp.Incoming{Unsupported: "call"}
	s.envelope(&in, chat, &types.MessageInfo{MessageSource: source, ID: c.CallID, Timestamp: c.Timestamp})
	return s.reportMessage(in)
}

// reportMessage reports a message with the name of its group.
func (s *session) reportMessage(in chatapp.Incoming) bool {
	if in.Chat.Group {
		in.Chat.Name = s.groupName(in.Chat.JID)
	}
	return s.report("message", func(ctx context.Context) error { return s.in.Message(ctx, s.host, in) })
}

// groupName returns the name of a group, or "". It is requested once; later
// changes arrive as events.
func (s *session) groupName(name string) string {
	jid, err := types.ParseJID(name)
	if err != nil {
		return ""
	}
	s.mu.Lock()
	name, known := s.groups[jid]
	s.mu.Unlock()
	if known {
		return name
	}
	info, err := request(s.ctx, s, func(ctx context.Context) (*types.GroupInfo, error) { return s.cli.GetGroupInfo(ctx, jid) })
	if err != nil {
		s.driver.log.Info("whatsapp: read of group name failed", "number", s.host.NumberID, "error", err)
		info = &types.GroupInfo{}
	}
	s.rememberGroupName(jid, info.Name)
	return info.Name
}

// rememberGroupName stores the name of a group.
func (s *session) rememberGroupName(group types.JID, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.groups) >= keptGroups {
		clear(s.groups)
	}
	s.groups[group] = name
}

// unavailable reports a message that only the phone can show. If a message
// could not be decrypted, the library asks the sender again.
func (s *session) unavailable(e *events.UndecryptableMessage) bool {
	chat, ok := s.chat(s.ctx, e.Info.MessageSource)
	if !ok || e.UnavailableType != events.UnavailableTypeViewOnce {
		return true
	}
	in := chatapp.Incoming{Unsupported: viewOnce}
	s.envelope(&in, chat, &e.Info)
	return s.reportMessage(in)
}

// envelope sets author, chat and time of a message. A message that this server
// sent through another device of the same account gets the id that its receipts
// contain.
func (s *session) envelope(in *chatapp.Incoming, chat chatapp.Chat, info *types.MessageInfo) {
	in.ID, in.Chat, in.FromMe, in.At = info.ID, chat, info.IsFromMe, info.Timestamp.UTC()
	if info.IsFromMe {
		in.ID, in.From = callersID(info.ID, s.driver.clock.Now()), s.host.Phone
		return
	}
	in.From, in.FromName = s.phone(s.ctx, info.Sender, info.SenderAlt), info.PushName
}

// chat returns the chat of an event. Status updates, channels, bots and notes
// to self are not conversations.
func (s *session) chat(ctx context.Context, source types.MessageSource) (chatapp.Chat, bool) {
	other, alt := source.Chat.ToNonAD(), source.SenderAlt.ToNonAD()
	if source.IsFromMe {
		alt = source.RecipientAlt.ToNonAD()
	}
	switch {
	case source.Chat.Server == types.GroupServer:
		return chatapp.Chat{JID: source.Chat.String(), Group: true}, true
	case source.IsIncomingBroadcast() && !source.IsFromMe:
		other = source.Sender.ToNonAD()
	}
	if other.Server != types.DefaultUserServer && other.Server != types.HiddenUserServer || other.IsBot() || s.isOwn(other) {
		return chatapp.Chat{}, false
	}
	chat := chatapp.Chat{JID: other.String(), Phone: s.phone(ctx, other, alt)}
	if chat.Phone != "" {
		chat.JID = types.NewJID(string(chat.Phone), types.DefaultUserServer).String() // one name for all spellings
	}
	return chat, true
}

// receipt reports the delivery status of messages. Receipts from the number's
// own devices are ignored.
func (s *session) receipt(e *events.Receipt) bool {
	status, ok := receiptStatus(e.Type)
	chat, known := s.chat(s.ctx, e.MessageSource)
	if !ok || !known || e.IsFromMe {
		return true
	}
	r := chatapp.Receipt{Chat: chat, By: s.phone(s.ctx, e.Sender, e.SenderAlt), Status: status, At: e.Timestamp.UTC()}
	now := s.driver.clock.Now()
	for _, id := range e.MessageIDs {
		r.IDs = append(r.IDs, callersID(id, now))
	}
	return s.report("receipt", func(ctx context.Context) error { return s.in.Receipt(ctx, s.host, r) })
}

// receiptStatus converts the kind of a receipt. An inactive device also has the
// message.
func receiptStatus(kind types.ReceiptType) (parley.MessageStatus, bool) {
	switch kind {
	case types.ReceiptTypeDelivered, types.ReceiptTypeInactive:
		return parley.Delivered, true
	case types.ReceiptTypeRead, types.ReceiptTypePlayed:
		return parley.Read, true
	}
	return "", false
}

// groupChange reports joins, departures and new names.
func (s *session) groupChange(e *events.GroupInfo) bool {
	base := chatapp.MemberChange{JID: e.JID.String(), At: e.Timestamp.UTC()}
	if e.Sender != nil {
		var pn types.JID
		if e.SenderPN != nil {
			pn = *e.SenderPN
		}
		base.By = s.phone(s.ctx, *e.Sender, pn)
	}
	var changes []chatapp.MemberChange
	for _, one := range []struct {
		kind chatapp.MemberChangeKind
		jids []types.JID
	}{
		{chatapp.Joined, e.Join}, {chatapp.Left, e.Leave}, {chatapp.Promoted, e.Promote}, {chatapp.Demoted, e.Demote},
	} {
		change := base
		change.Kind, change.ByLink = one.kind, one.kind == chatapp.Joined && e.JoinReason == "invite"
		for _, jid := range one.jids {
			if phone := s.phone(s.ctx, jid, types.EmptyJID); phone != "" {
				change.Phones = append(change.Phones, phone)
			}
		}
		if len(change.Phones) > 0 {
			changes = append(changes, change)
		}
	}
	if e.Name != nil {
		s.rememberGroupName(e.JID, e.Name.Name)
		change := base
		change.Kind, change.Name = chatapp.Renamed, e.Name.Name
		changes = append(changes, change)
	}
	for _, change := range changes {
		if !s.report("change of a group", func(ctx context.Context) error { return s.in.Membership(ctx, s.host, change) }) {
			return false
		}
	}
	return true
}
