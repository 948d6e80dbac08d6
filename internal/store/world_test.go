package store_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access/credential"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/knowledge"
	"parley/internal/later"
	"parley/internal/merging"
	"parley/internal/numbers"
	"parley/internal/reports"
	"parley/internal/settings"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/teams"
)

// odd is a text with what engines and drivers trip over.
const odd = "ä ß İ ſ 🎈 日本 ' \" \\ % _ $1 ?1 :a @b -- \r\n\t\u2028 \U0010FFFF"

var long = strings.Repeat("é", 32<<10) // 64 KiB

func at(ms int64) time.Time { return storetest.At(ms) }

// A world is a workspace with one of everything.
type world struct {
	ws             parley.WorkspaceID
	workspace      parley.Workspace
	member         parley.Member
	reset          parley.PasswordReset // of the member
	former         parley.Member        // who was removed
	session        parley.Session
	invitation     parley.Invitation
	mail           parley.Mail
	product        parley.Product
	inbox          parley.Inbox
	company        parley.Company
	contact        parley.Contact
	conversation   parley.Conversation
	message        parley.Message
	event          parley.Event
	history        parley.HistoryEntry
	key            parley.Key
	hash           [32]byte
	answer         desk.Answer
	number         parley.Number
	group          parley.Group
	groupMember    numbers.GroupMember
	groupRequest   numbers.GroupRequest
	delivery       store.Delivery
	lease          numbers.NumberLease
	pairing        numbers.StoredPairing
	spend          numbers.Spend
	call           numbers.NumberCall
	chat           desk.Chat
	networkMessage store.NetworkMessage
	sandboxGroups  string
	report         reports.Items
	identityKey    parley.IdentityKey
	sealed         []byte // secret of identityKey
	rejected       parley.RejectedIdentity
	label          parley.Label
	cannedAnswer   parley.CannedAnswer
	storesCalls    credential.StoresCalls
	follower       store.FollowerPosition
	timer          desk.Timer
	attachment     desk.Attachment
	merged         parley.ID // of a contact that became part of contact
	team           parley.TeamRef
	staff          parley.Team // the team with its members and sources
	front          front
	learned        learned
	models         modelling
	agency         agency
	labour         labour
	scheduled      later.Scheduled
}

// newWorld makes a world all of whose members have the values that text, with
// its optional members set or not.
func newWorld(text string, full bool) *world {
	w := &world{ws: parley.WorkspaceID(ids.New(at(0)))}
	website, industry, notes := text, text, text
	w.workspace = parley.Workspace{ID: w.ws, Name: text, Epoch: text, Seq: 1, CreatedAt: at(0)}
	w.member = parley.Member{
		Access: parley.AccessOwn, InboxIDs: []parley.ID{w.inbox.ID}, SightSince: 3,
		ID: ids.NewUserID(), Email: "Ann@" + text, Name: text, Image: text, Role: parley.Owner,
		PasswordHash: text, CreatedAt: at(1), UpdatedAt: at(2),
	}
	w.former = parley.Member{
		Access: parley.AccessAll,
		ID:     ids.NewUserID(), Email: "Old@" + text, Name: text, Role: parley.Agent, CreatedAt: at(1), UpdatedAt: at(2), RemovedAt: at(3),
	}
	w.session = parley.Session{
		ID: ids.New(at(32)), Workspace: w.ws, MemberID: w.member.ID, UserAgent: text, Address: text, CreatedAt: at(32), SeenAt: at(33), ExpiresAt: at(99),
	}
	w.invitation = parley.Invitation{
		Access: parley.AccessOwn, InboxIDs: []parley.ID{w.inbox.ID},
		ID: ids.New(at(34)), Workspace: w.ws, Email: text, Role: parley.Admin, CreatedAt: at(34), ExpiresAt: at(99),
	}
	w.mail = parley.Mail{
		ID: ids.New(at(35)), Kind: parley.MailInvitation, State: parley.MailFailed, InvitationID: w.invitation.ID, MemberID: w.member.ID, Attempts: 2, Problem: text,
		Resendable: true, CreatedAt: at(35), EndedAt: at(36),
	}
	w.product = parley.Product{ID: ids.New(at(3)), Name: text, Description: text, CreatedAt: at(3), UpdatedAt: at(4)}
	w.team = parley.TeamRef{ID: ids.New(at(4)), Name: text}
	w.inbox = parley.Inbox{ID: ids.New(at(5)), Name: text, Channel: parley.ChannelChatapp, CreatedAt: at(5), UpdatedAt: at(6)}
	w.staff = parley.Team{ID: w.team.ID, Name: text, Color: "teal", CreatedAt: at(4), UpdatedAt: at(5)}
	w.company = parley.Company{ID: ids.New(at(7)), Name: text, CreatedAt: at(7), UpdatedAt: at(8)}
	w.contact = parley.Contact{ID: ids.New(at(9)), Name: text, CreatedAt: at(9), UpdatedAt: at(10), LastActivityAt: at(11)}
	w.conversation = parley.Conversation{ID: ids.New(at(12)), Status: parley.Open, LastActivityAt: at(12), CreatedAt: at(12), OpenedAt: at(12)}
	w.message = parley.Message{
		ID: ids.New(at(13)), ConversationID: w.conversation.ID, Content: text, ContentType: parley.Markdown,
		Direction: parley.Incoming, Status: parley.Sent, Sender: parley.Sender{Type: parley.SenderSystem}, CreatedAt: at(13),
	}
	w.attachment = desk.Attachment{Attachment: parley.Attachment{
		ID: ids.New(at(13)), FileName: text, ContentType: text, Size: 1 << 40, CreatedAt: at(13),
	}}
	w.history = parley.HistoryEntry{
		ID: ids.New(at(15)), ConversationID: w.conversation.ID, Type: parley.ConversationUpdated, CreatedAt: at(15), Changes: []byte(text),
		Origin: parley.Origin{
			Actor: parley.Actor{Type: parley.ActorMember, ID: text, Name: text}, Cause: parley.Cause{Type: parley.MessageCreated, ID: w.message.ID}, Imported: true,
		},
	}
	w.event = parley.Event{Workspace: w.ws, Seq: 1, Type: parley.MessageCreated, CreatedAt: at(14), Data: []byte(text), Origin: parley.Origin{
		Actor: parley.Actor{Type: parley.ActorKey, ID: text, Name: text}, Cause: parley.Cause{Type: parley.ContactMerged, ID: w.contact.ID}, Imported: true,
	}}
	w.key = parley.Key{ID: ids.New(at(15)), Workspace: w.ws, Name: text, Prefix: text, LastFour: text, CreatedAt: at(15)}
	w.key.CreatedBy.Type, w.reset.By.Type = parley.ActorSystem, parley.ActorSystem
	copy(w.hash[:], w.key.ID[:])
	w.answer = desk.Answer{Route: text, Key: text, BodyHash: w.hash, Status: 201, Body: text, CreatedAt: at(16)}
	w.number = parley.Number{
		ID: ids.New(at(17)), Phone: "4915112345678", Driver: parley.DriverSandbox, Status: parley.NumberConnected,
		InboxID: w.inbox.ID, Reason: text, Device: text, CreatedAt: at(17), UpdatedAt: at(18),
	}
	w.lease = numbers.NumberLease{Owner: text, Generation: 1 << 40, Until: at(35)}
	w.pairing = numbers.StoredPairing{
		Pairing: parley.Pairing{NumberID: w.number.ID, By: text, Kind: text, Until: at(36), Reason: text, UpdatedAt: at(37)}, Sealed: []byte(text),
	}
	w.spend = numbers.Spend{Slot: at(38), Count: 7}
	w.call = numbers.NumberCall{ID: ids.New(at(39)), NumberID: w.number.ID, Request: text, Answer: text, CreatedAt: at(39)}
	w.chat = desk.Chat{NumberID: w.number.ID, JID: text, Phone: "4915187654321", ConversationID: w.conversation.ID}
	w.networkMessage = store.NetworkMessage{
		NumberID: w.number.ID, Chat: text, Sender: text, ID: text, ConversationID: w.conversation.ID, MessageID: w.message.ID,
	}
	w.group = parley.Group{ConversationID: w.conversation.ID, NumberID: w.number.ID, JID: text, InviteLink: text}
	w.groupMember = numbers.GroupMember{Phone: "4915187654321"}
	w.groupRequest = numbers.GroupRequest{
		Key: text, NumberID: w.number.ID, Name: text, StartedAt: at(19), Owner: text, LeaseUntil: at(20), Asked: text, Answer: text,
	}
	w.delivery = store.Delivery{ConversationID: w.conversation.ID, MessageID: w.message.ID, NumberID: w.number.ID, Attempts: 3, DueAt: at(21)}
	w.sandboxGroups = text
	w.report = reports.Items{Product: w.product.ID, Inbox: w.inbox.ID, Company: w.company.ID, Member: w.member.ID}
	w.identityKey = parley.IdentityKey{KID: text, Algorithm: "HS256", Kind: parley.SecretKey, CreatedAt: at(25), LastUsedAt: at(26)}
	w.sealed = []byte(text)
	w.rejected = parley.RejectedIdentity{ID: ids.New(at(35)), At: at(35), Reason: text}
	w.merged = ids.New(at(8))
	w.follower = store.FollowerPosition{
		Step: 1, Version: 7, Log: parley.LogPosition{Epoch: text, Seq: 1, Check: text}, Place: text, Missed: 1 << 40,
	}
	w.timer = desk.Timer{Kind: text, Name: text, DueAt: at(41), Attempts: 1 << 20, Owner: text}
	w.label = parley.Label{Name: text, Color: "teal", CreatedAt: at(26), UpdatedAt: at(27)}
	w.cannedAnswer = parley.CannedAnswer{ID: ids.New(at(28)), Shortcut: text, Content: text, CreatedAt: at(28), UpdatedAt: at(29)}
	w.storesCalls = credential.StoresCalls{
		KeyID: w.key.ID, LastAt: at(30), DayCalls: parley.DayCalls{Day: at(30).Truncate(24 * time.Hour), Calls: 1 << 40},
	}
	if full {
		w.invitation.MemberID, w.invitation.InvitedBy = w.member.ID, parley.MemberRef{ID: w.member.ID, Name: text}
		w.company.Website, w.company.Industry, w.company.Notes = &website, &industry, &notes
		w.company.ExternalID = text
		w.product.ArchivedAt = at(22)
		w.inbox.ProductID = w.product.ID
		w.staff.MemberIDs, w.staff.InboxIDs, w.staff.ProductIDs = []parley.UserID{w.member.ID}, []parley.ID{w.inbox.ID}, []parley.ID{w.product.ID}
		w.inbox.Team, w.product.Team = w.team, w.team
		w.contact.Email, w.contact.PhoneNumber, w.contact.Identifier = "Bob@"+text, "+49 (151) 1", text
		w.contact.ShopName, w.contact.AvatarURL, w.contact.CustomAttributes = text, text, parley.Attributes(text)
		w.contact.Company = parley.CompanyRef{ID: w.company.ID, Name: text}
		w.contact.SignedAt, w.contact.Visitor, w.company.NamedByIdentity = at(35), true, true
		w.contact.SignedFields, w.contact.IdentityValidAfter = parley.SignedName|parley.SignedAvatar, at(36)
		w.answer.ContactID = w.contact.ID
		w.conversation.Status, w.conversation.SnoozedUntil, w.conversation.WokeAt = parley.Pending, at(1<<40), at(44)
		w.conversation.Team, w.conversation.SplitFrom = w.team, ids.New(at(11))
		w.conversation.MergedAt = at(45)
		w.message.Mentions = []string{string(w.member.ID), text}
		w.event.Place = parley.Place{InboxID: w.inbox.ID, TeamID: w.team.ID, AssigneeID: w.member.ID}
		w.event.Before = parley.Some(parley.Place{TeamID: w.team.ID, AssigneeID: w.member.ID})
		w.conversation.Priority, w.conversation.Labels = parley.Urgent, []string{text, "second"}
		w.conversation.UnreadCount, w.conversation.CustomAttributes = 1<<31-1, parley.Attributes(text)
		w.conversation.Product = parley.ProductRef{ID: w.product.ID, Name: text}
		w.conversation.Assignee = parley.MemberRef{ID: w.member.ID, Name: text, Image: text}
		w.message.Private, w.message.Error = true, text
		w.message.Sender = parley.Sender{Type: parley.SenderAgent, MemberID: w.member.ID, Name: text, Image: text}
		w.attachment.Width, w.attachment.Height, w.attachment.Duration = 1<<31-1, 7, 1500*time.Millisecond
		w.attachment.ContactID, w.attachment.MessageID, w.attachment.Stored = w.contact.ID, w.message.ID, true
		w.message.Attachments = []parley.Attachment{w.attachment.Attachment, {ID: ids.New(at(14)), CreatedAt: at(14)}}
		w.event.ConversationID, w.event.Changed = w.conversation.ID, []string{"status", "labels"}
		w.key.Scopes, w.key.ExpiresAt, w.key.RevokedAt, w.key.LastUsedAt = parley.Scopes, at(23), at(24), at(25)
		w.key.CreatedBy, w.reset = parley.MemberActor(&w.member), parley.PasswordReset{At: at(37), By: parley.MemberActor(&w.member)}
		w.groupMember.Joined, w.groupMember.Admin, w.groupMember.Network = true, true, "4915187654322"
		w.group.Found = true
		w.number.Until, w.number.RestrictedUntil, w.number.Enabled, w.number.NetworkPhone = at(40), at(41), true, "4915112345679"
		w.identityKey.PublicPEM, w.identityKey.JWKSURL, w.identityKey.Issuer, w.identityKey.Audience = text, text, text, text
		w.identityKey.RetireAt = at(36)
		w.rejected.InboxID, w.rejected.KID, w.rejected.Subject, w.rejected.Origin = w.inbox.ID, text, text, text
	}
	w.conversation.Contact = parley.ContactRef{
		ID: w.contact.ID, Name: text, Email: w.contact.Email, PhoneNumber: w.contact.PhoneNumber,
		ShopName: w.contact.ShopName, AvatarURL: w.contact.AvatarURL,
	}
	w.conversation.Inbox = parley.InboxRef{ID: w.inbox.ID, Name: text, Channel: parley.ChannelChatapp}
	w.front = newFront(w, text, full)
	w.learned = newLearned(w, text, full)
	w.models = newModelling(w, text, full)
	w.agency = newAgency(w, text, full)
	w.labour = newLabour(w, text, full)
	w.scheduled = newScheduled(w, text, full)
	return w
}

// insertMail stores a mail, with a stop and the key of its address.
func (w *world) insertMail(tx *store.Tx) error {
	m := &w.mail
	return errors.Join(
		store.Exec(tx, w.ws, `INSERT INTO mails (workspace_id, mail_id, kind, subject_key, to_key, contact_id, member_id, conversation_id, invitation_id, state, once,
			attempts, unknowns, problem, sealed, epoch, created_at, queued_at, ended_at) VALUES ($1, $2, $3, 'a', 'b', NULL, $4, NULL, $5, $6, FALSE, $7, 0, $8, $9, 'c', $10, $10, $11)`,
			m.ID, string(m.Kind), string(m.MemberID), m.InvitationID, string(m.State), m.Attempts, m.Problem, []byte("sealed"), m.CreatedAt, m.EndedAt),
		store.Exec(tx, w.ws, "INSERT INTO mail_stops (workspace_id, to_key, reason, created_at) VALUES ($1, 'b', 'asked', 0)"),
		store.Exec(tx, w.ws, "INSERT INTO mail_keys (workspace_id, sealed) VALUES ($1, $2)", w.sealed),
	)
}

// insert stores the world.
func (w *world) insert(t testing.TB, s *store.Store) {
	t.Helper()
	write(t, s, w.ws, func(tx *store.Tx) error {
		err := errors.Join(
			tx.InsertWorkspace(&w.workspace),
			inserted(tx.InsertMember(w.ws, &w.member)),
			credential.UpdatePasswordReset(tx, w.ws, w.member.ID, w.reset.At, parley.UserID(w.reset.By.ID)),
			inserted(tx.InsertMember(w.ws, &w.former)),
			credential.InsertSession(tx, w.ws, &w.session, w.hash),
			credential.InsertInvitation(tx, w.ws, &w.invitation, w.hash),
			w.insertMail(tx),
			tx.InsertProduct(w.ws, &w.product),
			tx.InsertInbox(w.ws, &w.inbox),
			inserted(tx.InsertCompany(w.ws, &w.company)),
			tx.InsertContact(w.ws, &w.contact),
			w.insertTeam(tx),
			tx.InsertConversation(w.ws, &w.conversation, w.conversation.CreatedAt),
			tx.UpdateConversationLabels(w.ws, w.conversation.ID, nil, w.conversation.Labels),
			tx.InsertMessage(w.ws, &w.message),
			desk.InsertAttachment(tx, w.ws, &w.attachment),
			credential.InsertKey(tx, w.ws, &w.key, w.hash),
			tx.InsertIdentityKey(w.ws, &w.identityKey, w.sealed),
			customers.InsertRejectedIdentity(tx, w.ws, &w.rejected),
			merging.InsertMergedContact(tx, w.ws, merging.Merged{ID: w.merged, Identifier: w.front.left, PhoneKey: "4915112345678"}, w.contact.ID, at(31)),
			inserted(settings.InsertLabel(tx, w.ws, &w.label)),
			inserted(settings.InsertCannedAnswer(tx, w.ws, &w.cannedAnswer)),
			credential.UpdateStoresCalls(tx, w.ws, w.key.ID, w.storesCalls.DayCalls, w.storesCalls.LastAt),
			desk.InsertAnswer(tx, w.ws, &w.answer),
			inserted(tx.InsertNumber(w.ws, &w.number)),
			numbers.InsertGroup(tx, w.ws, &w.group),
			numbers.UpsertGroupMember(tx, w.ws, w.conversation.ID, w.groupMember),
			numbers.UpsertGroupRequest(tx, w.ws, &w.groupRequest),
			tx.InsertDelivery(w.ws, &w.delivery),
			numbers.UpdateNumberLease(tx, w.ws, w.number.ID, w.lease),
			numbers.UpsertPairing(tx, w.ws, &w.pairing.Pairing, w.pairing.Sealed),
			numbers.UpsertSpend(tx, w.ws, w.number.ID, "groups", w.spend),
			numbers.UpsertNumberBudget(tx, w.ws, w.number.ID, parley.GroupsPerDay, -1),
			numbers.InsertNumberCall(tx, w.ws, &w.call),
			desk.UpsertChat(tx, w.ws, &w.chat),
			tx.InsertNetworkMessage(w.ws, &w.networkMessage),
			tx.InsertHistoryEntry(w.ws, &w.history),
			desk.MarkUnread(tx, w.ws, w.member.ID, w.conversation.ID),
			w.indexWorld(tx),
			w.insertFront(tx),
			w.learned.insert(tx, w.ws),
			knowledge.PutArticleOrigin(tx, w.ws, w.learned.article.ID, w.conversation.ID),
			w.models.insert(tx, w.ws),
			w.agency.insert(tx, w),
			w.labour.insert(tx, w.ws),
			later.InsertScheduled(tx, w.ws, &w.scheduled),
			reports.UpsertReportCells(tx, w.ws, w.countedCells()),
		)
		tx.Emit(w.ws, w.event)
		return err
	})
	view(t, s, func(v *store.View) (err error) {
		w.event.Check, err = v.EventCheck(w.ws, 1)
		return err
	})
	w.workspace.Check = w.event.Check
	if err := s.SaveSandboxGroup(t.Context(), w.ws, w.sandboxGroups, w.number.Phone, []byte(w.sandboxGroups)); err != nil {
		t.Fatal(err)
	}
}

func inserted(ok bool, err error) error { return storetest.Did(ok, err) }

// insertTeam stores the team of the world's conversation. A former member in it does
// not count.
func (w *world) insertTeam(tx *store.Tx) error {
	err := errors.Join(teams.InsertTeam(tx, w.ws, &w.staff), teams.InsertTeamMember(tx, w.ws, w.team.ID, w.former.ID, at(6)))
	for _, id := range w.staff.MemberIDs {
		err = errors.Join(err, teams.InsertTeamMember(tx, w.ws, w.team.ID, id, at(6)))
	}
	for _, id := range w.staff.InboxIDs {
		err = errors.Join(err, teams.PutRoute(tx, w.ws, w.team.ID, id, "inbox"))
	}
	for _, id := range w.staff.ProductIDs {
		err = errors.Join(err, teams.PutRoute(tx, w.ws, w.team.ID, id, "product"))
	}
	return err
}

// preview is what a list shows of the world's message.
func (w *world) preview() parley.MessagePreview {
	m := &w.message
	p := parley.MessagePreview{
		ID: m.ID, ConversationID: m.ConversationID, Text: m.Content, ContentType: m.ContentType, Direction: m.Direction,
		Private: m.Private, SenderType: m.Sender.Type, Attachments: len(m.Attachments), CreatedAt: m.CreatedAt,
	}
	if words := []rune(p.Text); len(words) > parley.MaxPreview {
		p.Text = string(words[:parley.MaxPreview])
	}
	if p.Text == "" && len(m.Attachments) > 0 {
		p.Text = m.Attachments[0].FileName
	}
	return p
}
