package store_test

import (
	"cmp"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/access/credential"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/later"
	"parley/internal/mail"
	"parley/internal/notices"
	"parley/internal/numbers"
	"parley/internal/reports"
	"parley/internal/search"
	"parley/internal/settings"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/teams"
)

// A read calls a method of a View, with its expected result.
type read = struct {
	call func(*store.View, parley.WorkspaceID) (any, error)
	want any
}

// reads maps each method of a View to a call of it in the workspace ws with the
// records of the world w, and to its expected result. A pair of a value and an
// error is the method's result; pages are given as their items.
func reads(w *world) map[string]read {
	start := parley.Position{}
	c := w.conversation.ID
	all := map[string]read{
		"Workspace": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.Workspace(ws) }, w.workspace},
		"PasswordReset": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return credential.SelectPasswordReset(v, ws, w.member.ID)
		}, w.reset},

		"Member": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.Member(ws, w.member.ID) }, w.member},
		"Members": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return items(v.Members(ws, start, 9)) },
			[]parley.Member{w.member}},
		"CurrentMembers": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return desk.SelectCurrentMembers(v, ws, []parley.UserID{w.former.ID, w.member.ID})
		}, []parley.UserID{w.member.ID}},
		"ExistingInboxes": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return store.ExistingInboxes(v, ws, []parley.ID{w.inbox.ID, w.contact.ID})
		}, []parley.ID{w.inbox.ID}},
		"Sights": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return notices.SelectSights(v, ws, []parley.UserID{w.former.ID, w.member.ID})
		}, map[parley.UserID]parley.Sight{w.member.ID: w.member.Sight(nil)}},
		"MemberByEmail": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return access.SelectMemberByEmail(v, ws, w.former.Email)
		}, w.former},
		"FormerMembers": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.FormerMembers(ws) }, []parley.Member{w.former}},
		"SessionsEnded": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return credential.SelectSessionsEnded(v, ws, w.member.ID)
		}, int64(0)},
		"MemberEver": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return access.SelectMemberEver(v, ws, w.former.ID)
		}, w.former},
		"PasswordSessionMembers": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return credential.SelectPasswordSessionMembers(v, ws)
		},
			[]parley.UserID{w.member.ID}},
		"Session": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return credential.SelectSession(v, ws, w.session.ID)
		}, w.session},
		"SessionsOf": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return credential.SelectSessionsOf(v, ws, w.member.ID, at(98))
		},
			[]parley.Session{w.session}},
		"Invitation": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return credential.SelectInvitation(v, ws, w.invitation.ID)
		}, w.invitation},
		"Invitations": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return credential.SelectInvitations(v, ws, at(98))
		}, []parley.Invitation{w.invitation}},
		"Mails": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return items(mail.SelectMails(v, ws, "", start, 9))
		}, []parley.Mail{w.mail}},
		"Product": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.Product(ws, w.product.ID) }, w.product},
		"Products": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return items(v.Products(ws, true, start, 9)) },
			[]parley.Product{w.product}},
		"Inbox":   {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.Inbox(ws, w.inbox.ID) }, w.inbox},
		"Inboxes": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return items(v.Inboxes(ws, start, 9)) }, []parley.Inbox{w.inbox}},
		"Team":    {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.Team(ws, w.team.ID) }, w.team},
		"Teams":   {func(v *store.View, ws parley.WorkspaceID) (any, error) { return teams.SelectTeams(v, ws) }, []parley.Team{w.staff}},
		"PresentMembers": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return teams.SelectPresentMembers(v, ws, []parley.UserID{w.former.ID, w.member.ID})
		}, []parley.UserID{w.member.ID}},
		"PresentProducts": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return teams.SelectPresentProducts(v, ws, []parley.ID{w.inbox.ID, w.product.ID})
		}, []parley.ID{w.product.ID}},
		"Company": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.Company(ws, w.company.ID) }, w.company},
		"CompanyByExternalID": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return v.CompanyByExternalID(ws, w.company.ExternalID)
		}, w.company},
		"Companies": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return items(v.Companies(ws, store.CompanyFilter{}, start, 9))
		},
			[]parley.Company{w.company}},
		"CountContacts": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return desk.CountContacts(v, ws, w.company.ID)
		}, 1},
		"CompanyContacts": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.CompanyContacts(ws, w.company.ID, 9) },
			[]parley.ID{w.contact.ID}},
		"ContactsByID": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			contacts, _, err := v.ContactsByID(ws, []parley.ID{w.company.ID, w.contact.ID})
			return contacts, err
		}, []parley.Contact{w.contact}},
		"Contact": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.Contact(ws, w.contact.ID) }, w.contact},
		"ContactByIdentifier": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return v.ContactByIdentifier(ws, w.contact.Identifier)
		}, w.contact},
		"ContactByEmail": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.ContactByEmail(ws, w.contact.Email) }, w.contact},
		"ContactByPhone": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return v.ContactByPhone(ws, w.contact.PhoneNumber)
		}, w.contact},
		"Contacts": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return items(v.Contacts(ws, store.ContactFilter{}, start, 9))
		},
			[]parley.Contact{w.contact}},
		"CountWaitingAttachments": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return desk.CountWaitingAttachments(v, ws, w.contact.ID)
		}, 0},
		"Events": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.Events(ws, 0, 9) }, []parley.Event{w.event}},
		"EventsOfTypes": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			events, _, err := v.EventsOfTypes(ws, store.EventSpan{Last: 9, Limit: 9}, []parley.EventType{w.event.Type})
			return events, err
		}, []parley.Event{w.event}},
		"EventCheck": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.EventCheck(ws, 1) }, w.event.Check},
		"LogAt": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			at, err := v.LogAt(ws, parley.LogPosition{Seq: 1})
			return at.Check, err
		}, w.event.Check},
		"OldestEvent": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.OldestEvent(ws) }, int64(1)},
		"Key":         {func(v *store.View, ws parley.WorkspaceID) (any, error) { return credential.SelectKey(v, ws, w.key.ID) }, w.key},
		"StoresCalls": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return credential.SelectStoresCalls(v, ws) }, []credential.StoresCalls{w.storesCalls}},
		"ValidCredentials": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return v.ValidCredentials(ws, []parley.Credential{{Kind: parley.CredentialMember, ID: w.session.ID}}, at(0))
		}, []parley.Credential{{Kind: parley.CredentialMember, ID: w.session.ID, Sight: w.member.SightSince}}},
		"Label": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return settings.SelectLabel(v, ws, w.label.Name)
		}, w.label},
		"Labels": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return settings.SelectLabels(v, ws) }, []parley.Label{w.label}},
		"CannedAnswer": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return settings.SelectCannedAnswer(v, ws, w.cannedAnswer.ID)
		},
			w.cannedAnswer},
		"CannedAnswerByShortcut": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return settings.SelectCannedAnswerByShortcut(v, ws, w.cannedAnswer.Shortcut)
		}, w.cannedAnswer},
		"CannedAnswers": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return settings.SelectCannedAnswers(v, ws) },
			[]parley.CannedAnswer{w.cannedAnswer}},
		"IdentityKey": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectIdentityKey(v, ws, w.identityKey.KID)
		}, w.identityKey},
		"IdentityKeys": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return customers.SelectIdentityKeys(v, ws) },
			[]parley.IdentityKey{w.identityKey}},
		"VerifyingIdentityKeys": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectVerifyingIdentityKeys(v, ws, at(0))
		}, []customers.SealedIdentityKey{{IdentityKey: w.identityKey, Sealed: w.sealed}}},
		"RejectedIdentities": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return customers.SelectRejectedIdentities(v, ws)
		},
			[]parley.RejectedIdentity{w.rejected}},
		"MergedContact": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.MergedContact(ws, w.merged) }, w.contact},
		"CountGroups":   {func(v *store.View, ws parley.WorkspaceID) (any, error) { return desk.CountGroups(v, ws, w.contact.ID) }, 1},
		"Keys":          {func(v *store.View, ws parley.WorkspaceID) (any, error) { return credential.SelectKeys(v, ws) }, []parley.Key{w.key}},
		"Answer": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return desk.SelectAnswer(v, ws, w.answer.Route, w.answer.Key)
		},
			w.answer},
		"Number": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.Number(ws, w.number.ID) }, w.number},
		"NumberByPhone": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return numbers.SelectNumberByPhone(v, ws, w.number.Phone)
		}, w.number},
		"Numbers": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return items(v.Numbers(ws, start, 9)) },
			[]parley.Number{w.number}},
		"ConnectedNumbers": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.ConnectedNumbers(ws, 9) }, []parley.Number{w.number}},
		"ConnectedInboxes": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return desk.SelectConnectedInboxes(v, ws, 9) },
			[]parley.InboxRef{{ID: w.inbox.ID, Name: w.inbox.Name, Channel: w.inbox.Channel}}},
		"Group": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.Group(ws, c) }, w.group},
		"GroupByJID": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return numbers.SelectGroupByJID(v, ws, w.number.ID, w.group.JID)
		}, w.group},
		"GroupMembers": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return numbers.SelectGroupMembers(v, ws, c) }, []numbers.GroupMember{w.groupMember}},
		"GroupRequest": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return numbers.SelectGroupRequest(v, ws, w.groupRequest.Key)
		}, w.groupRequest},
		"ReportCells": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return happened(reports.SelectReportCells(v, ws, reportDay, []reports.Items{w.report}))
		}, w.countedCells()},
		"CompaniesOf": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			companies, err := reports.SelectCompaniesOf(v, ws, []parley.ID{w.contact.ID})
			return companies[w.contact.ID], err
		}, w.contact.Company.ID},
		"ReportNames": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			names, err := reports.SelectReportNames(v, ws, parley.ByProduct, []string{w.product.ID.String()})
			return slices.Collect(maps.Values(names)), err
		}, []string{w.product.Name}},
		"FollowerPosition": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return v.FollowerPosition(ws, w.workspace.Name)
		}, w.follower},
		"Timer": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return desk.SelectTimer(v, ws, w.timer.Kind, w.timer.Name)
		}, w.timer},
		"DueTimers": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return desk.SelectDueTimers(v, ws, w.timer.Kind, w.timer.DueAt, 9)
		}, []desk.Timer{w.timer}},
		"DueKinds": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return desk.SelectDueKinds(v, ws, []string{w.timer.Kind}, w.timer.DueAt)
		}, []string{w.timer.Kind}},
		"SearchableContacts": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return search.SelectSearchableContacts(v, ws, parley.ID{}, 9)
		}, []parley.Contact{w.contact}},
		"SearchableCompanies": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return search.SelectSearchableCompanies(v, ws, parley.ID{}, 9)
		}, []parley.Company{w.company}},
		"SearchableMessages": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return search.SelectSearchableMessages(v, ws, store.SearchRef{}, 9)
		}, []parley.Message{w.message}},
		"FoundContacts": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return search.SelectFoundContacts(v, ws, []store.SearchRef{w.found(parley.SearchContact, w.contact.ID)})
		}, []parley.Contact{w.contact}},
		"FoundCompanies": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return search.SelectFoundCompanies(v, ws, []store.SearchRef{w.found(parley.SearchCompany, w.company.ID)})
		}, []parley.Company{w.company}},
		"GroupMember": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return numbers.SelectGroupMember(v, ws, c, cmp.Or(w.groupMember.Network, w.groupMember.Phone))
		}, w.groupMember},
		"Delivery": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return v.Delivery(ws, w.conversation.ID, w.message.ID)
		}, w.delivery},
		"Deliveries": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return v.Deliveries(ws, w.number.ID, at(21), 9)
		}, []store.Delivery{w.delivery}},
		"NumberByInbox": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.NumberByInbox(ws, w.inbox.ID) }, w.number},
		"NumberLease": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return numbers.SelectNumberLease(v, ws, w.number.ID)
		}, w.lease},
		"Pairing": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return numbers.SelectPairing(v, ws, w.number.ID)
		}, w.pairing},
		"Spends": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return numbers.SelectSpends(v, ws, w.number.ID, "groups", at(0))
		},
			[]numbers.Spend{w.spend}},
		"NumberBudgets": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			limits, err := numbers.SelectNumberBudgets(v, ws, w.number.ID)
			return slices.Collect(maps.Values(limits)), err
		}, []int{-1}},
		"NumberCall": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return numbers.SelectNumberCall(v, ws, w.call.ID)
		}, w.call},
		"WaitingCalls": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return numbers.SelectWaitingCalls(v, ws, w.number.ID, 9)
		}, []numbers.NumberCall{w.call}},
		"ChatsOf": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return desk.SelectChatsOf(v, ws, w.number.ID, w.chat.ConversationID)
		}, []desk.Chat{w.chat}},
		"ChatsWith": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return desk.SelectChatsWith(v, ws, w.contact.ID)
		}, []desk.Chat{w.chat}},
		"Chat": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return desk.SelectChat(v, ws, w.number.ID, w.chat.JID)
		}, w.chat},
		"NewestConversation": {func(v *store.View, ws parley.WorkspaceID) (any, error) {
			return numbers.SelectNewestConversation(v, ws, w.contact.ID, w.inbox.ID)
		}, c},
		"HasIncoming": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return numbers.HasIncoming(v, ws, c) }, true},
		"NetworkMessage": {func(v *store.View, ws parley.WorkspaceID) (any, error) { return v.NetworkMessage(ws, w.networkMessage) },
			w.networkMessage},
	}
	maps.Copy(all, frontReads(w))
	maps.Copy(all, bulkReads(w))
	maps.Copy(all, pushReads(w))
	maps.Copy(all, learnedReads(w))
	maps.Copy(all, agentReads(w))
	maps.Copy(all, modelReads(w))
	for name, r := range visibilityReads(w) {
		all[name] = read{func(v *store.View, ws parley.WorkspaceID) (any, error) { return r.call(v, parley.WholeWorkspace(ws)) }, r.want}
	}
	return all
}

func items[T any](p parley.Page[T], err error) ([]T, error) { return p.Items, err }

// TestRoundTrip reads back every field of everything, and calls every method of
// a View with the ids of another workspace, which must find nothing.
func TestRoundTrip(t *testing.T) {
	for name, w := range map[string]*world{
		"empty": newWorld("", false), "plain": newWorld("x", true), "odd": newWorld(odd, true), "long": newWorld(long, true),
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, s *store.Store) {
				if name == "long" {
					w.shortenKeys()
				}
				w.insert(t, s)
				other := newWorld("other", false)
				write(t, s, other.ws, func(tx *store.Tx) error { return tx.InsertWorkspace(&other.workspace) })
				for method, read := range reads(w) { // each in the time that a read has
					view(t, s, func(v *store.View) error {
						checkRead(t, v, w, method, read.call, read.want)
						checkForeign(t, v, other.ws, method, read.call)
						return nil
					})
				}
				states, err := s.SandboxGroups(t.Context(), w.ws, w.number.Phone)
				if err != nil || len(states) != 1 || string(states[0]) != w.sandboxGroups {
					t.Errorf("SandboxGroups gave %q, %v", states, err)
				}
				if states, err := s.SandboxGroups(t.Context(), other.ws, w.number.Phone); err != nil || len(states) != 0 {
					t.Errorf("SandboxGroups of another workspace gave %q, %v", states, err)
				}
			})
		})
	}
}

// shortenKeys limits indexed values to a length that PostgreSQL's indexes
// accept; the rules of the product keep them shorter still.
func (w *world) shortenKeys() {
	w.former.Email = "old"
	w.member.Email, w.company.ExternalID, w.contact.Email, w.contact.Identifier = "a", "b", "c", "d"
	w.conversation.Contact.Email, w.conversation.Labels = "c", []string{"e"}
	w.answer.Route, w.answer.Key, w.group.JID, w.groupRequest.Key, w.sandboxGroups = "f", "g", "h", "i", "j"
	w.identityKey.KID, w.label.Name, w.cannedAnswer.Shortcut = "k", "l", "m"
	w.lease.Owner, w.chat.JID = "n", "o"
	w.learned.shorten()
	w.networkMessage.Chat, w.networkMessage.Sender, w.networkMessage.ID = "p", "q", "r"
}

func checkRead(t *testing.T, v *store.View, w *world, method string, call func(*store.View, parley.WorkspaceID) (any, error), want any) {
	t.Helper()
	got, err := call(v, w.ws)
	switch {
	case slices.Contains([]string{"CompanyByExternalID", "ContactByIdentifier", "ContactByEmail", "ContactByPhone"}, method) && w.contact.Identifier == "":
		if parley.KindOf(err) != parley.NotFound {
			t.Errorf("%s of nothing gave %v, want NotFound", method, err)
		}
	case slices.Contains([]string{"CountContacts", "CompanyContacts"}, method) && w.contact.Company.ID.IsZero():
		if err != nil {
			t.Errorf("%s: %v", method, err)
		}
	case err != nil:
		t.Errorf("%s: %v", method, err)
	case !reflect.DeepEqual(got, want):
		t.Errorf("%s gave\n%.2000v, want\n%.2000v", method, got, want)
	}
}

func checkForeign(t *testing.T, v *store.View, ws parley.WorkspaceID, method string, call func(*store.View, parley.WorkspaceID) (any, error)) {
	t.Helper()
	if method == "Workspace" {
		return // the workspace is its only argument
	}
	got, err := call(v, ws)
	value := reflect.ValueOf(got)
	switch {
	case parley.KindOf(err) == parley.NotFound:
	case err != nil:
		t.Errorf("%s in another workspace: %v", method, err)
	case value.Kind() == reflect.Slice && value.Len() == 0 || value.IsZero():
	default:
		t.Errorf("%s in another workspace gave %.2000v", method, got)
	}
}

// counts are those of the world's one conversation, for its member.
func (w *world) counts() parley.Counts {
	n := func(yes bool) int {
		if yes {
			return 1
		}
		return 0
	}
	c := w.conversation
	open := c.Status == parley.Open
	return parley.Counts{
		Open: n(open), Pending: n(c.Status == parley.Pending), Mine: n(open && c.Assignee.ID == w.member.ID),
		Unassigned: n(open && c.Assignee.ID == ""), Unread: n(open && c.UnreadCount > 0),
		Waiting: n(open && !c.WaitingSince.IsZero()), ToRead: n(open && (c.Assignee.ID == "" || c.Assignee.ID == w.member.ID)),
		Snoozed: n(c.Status == parley.Pending && !c.SnoozedUntil.IsZero()), Back: n(open && !c.WokeAt.IsZero()),
	}
}

// TestReadsAreComplete fails if TestRoundTrip does not cover a method of View,
// or a reading function of a file *sql.go.
func TestReadsAreComplete(t *testing.T) {
	known := reads(newWorld("", false))
	names := readsOfPackages(t)
	view := reflect.TypeFor[*store.View]()
	for i := range view.NumMethod() {
		names = append(names, view.Method(i).Name)
	}
	for _, name := range names {
		across := slices.Contains([]string{
			"KeyByHash", "SessionByHash", "InvitationByHash", "LoginsByEmail", "Workspaces", "DueNumbers", "Waiting", "FreeNumbers", "NewestChange",
			"MisdatedWorkspaces", "NumbersHeld", "CalledNumbers", "WorkspacesBehind", "WorkspacesDue", "WorkspacesWithoutTimer", "UntimedUploads",
			"MisdatedTimers", "Waits", "LogHeads", "CustomerSessionByHash", "WorkspaceOfInbox", "WidgetsWithOrigins", "HelpCenterBySlug", "PictureByID", "WorkspacesAsking", "StatesAcross", "WorkspacesDueAcross", "WaitingAcross", "LagsAcross", "LogLengthAcross",
		}, name) // over all workspaces
		helper := slices.Contains([]string{"Int", "Text", "Plan", "PlanOf", "Run", "ConversationsWithin"}, name) // of the tests
		ownTest := slices.Contains([]string{"Duplicate", "Duplicates", "PairKnown", "OldestUpload", "WaitingBytes", "TeamWaitingBytes", "Parts", "SightOf"}, name)
		if _, ok := known[name]; !ok && !across && !helper && !ownTest {
			t.Errorf("nothing calls %s", name)
		}
	}
}

// readsOfPackages returns the exported functions of files *sql.go that take a
// store.Reader, without the word Select.
func readsOfPackages(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../*/*sql.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files *sql.go: %v", err)
	}
	var names []string
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() || len(fn.Type.Params.List) == 0 {
				continue
			}
			if reader, ok := fn.Type.Params.List[0].Type.(*ast.SelectorExpr); ok && reader.Sel.Name == "Reader" {
				names = append(names, strings.TrimPrefix(fn.Name.Name, "Select"))
			}
		}
	}
	return names
}

// TestUpdates changes everything that can change, in a world beside another one
// that must stay as it is.
func TestUpdates(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w, bystander := newWorld("x", true), newWorld("x", true)
		w.insert(t, s)
		bystander.insert(t, s)
		changed := newWorld(odd, false)
		changed.like(w)
		write(t, s, w.ws, func(tx *store.Tx) error { return changed.update(tx, w) })
		view(t, s, func(v *store.View) error {
			for method, read := range reads(changed) {
				if slices.Contains([]string{"ConnectedNumbers", "ConnectedInboxes", "WaitingCalls", "Views"}, method) {
					continue // already deleted; the member left the team that has the view
				}
				checkRead(t, v, changed, method, read.call, read.want)
			}
			for method, read := range reads(bystander) {
				checkRead(t, v, bystander, method, read.call, read.want)
			}
			return nil
		})
		write(t, s, w.ws, func(tx *store.Tx) error { return w.remove(tx) })
		view(t, s, func(v *store.View) error {
			for _, method := range append([]string{"Delivery", "Deliveries", "GroupRequest", "Answer", "Labels", "CannedAnswers", "IdentityKeys", "RejectedIdentities",
				"Scheduled", "ScheduledOf", "Pairing", "Chat", "Spends", "NumberBudgets", "NumberCall", "GroupMembers", "AgentJob", "DueJobs", "Team", "Teams"}, slices.Concat(modelsRemoved, learnedRemoved, labourRemoved)...) {
				checkForeign(t, v, w.ws, method, reads(w)[method].call) // deleted, so not found, like in another workspace
				checkRead(t, v, bystander, method, reads(bystander)[method].call, reads(bystander)[method].want)
			}
			return nil
		})
	})
}

// update gives the records of w the values of c.
func (c *world) update(tx *store.Tx, w *world) error {
	return errors.Join(
		tx.UpdateMember(w.ws, &c.former),
		credential.UpdateSessionSeen(tx, w.ws, &c.session),
		tx.UpdateProduct(w.ws, &c.product),
		tx.UpdateCompany(w.ws, &c.company),
		tx.UpdateContact(w.ws, &c.contact),
		tx.UpdateContactActivity(w.ws, &c.contact),
		tx.UpdateConversation(w.ws, &c.conversation, at(50)),
		tx.UpdateConversationLabels(w.ws, w.conversation.ID, w.conversation.Labels, c.conversation.Labels),
		tx.UpdateConversationActivity(w.ws, &c.conversation, at(50)),
		tx.UpdateMessageStatus(w.ws, &c.message),
		credential.UpdateKeyRevoked(tx, w.ws, w.key.ID, time.Time{}),
		credential.UpdateKey(tx, w.ws, &c.key),
		credential.UpdateKeyUsed(tx, w.ws, w.key.ID, at(60), w.key.LastUsedAt.Add(-time.Millisecond)), // too soon
		credential.UpdateKeyUsed(tx, w.ws, w.key.ID, c.key.LastUsedAt, w.key.LastUsedAt),
		credential.UpdateStoresCalls(tx, w.ws, w.key.ID, parley.DayCalls{Day: w.storesCalls.Day, Calls: 2}, at(70)),
		credential.UpdateStoresCalls(tx, w.ws, w.key.ID, parley.DayCalls{Day: w.storesCalls.Day, Calls: 1}, at(1)), // late
		customers.UpdateIdentityKeyRetire(tx, w.ws, w.identityKey.KID, at(71)),
		customers.UpdateIdentityKeyUsed(tx, w.ws, w.identityKey.KID, at(73), w.identityKey.LastUsedAt.Add(-time.Millisecond)), // too soon
		customers.UpdateIdentityKeyUsed(tx, w.ws, w.identityKey.KID, at(72), w.identityKey.LastUsedAt),
		customers.UpdateCustomerSessionSeen(tx, w.ws, &c.front.session),
		customers.PutWidgetSettings(tx, w.ws, &c.front.settings, at(66)),
		customers.PutOfficeHours(tx, w.ws, &c.front.hours, at(66)),
		customers.PutWidgetTexts(tx, w.ws, &c.front.texts, at(66)),
		customers.DeleteWidgetTexts(tx, w.ws, w.inbox.ID, "xx"), // another language
		settings.UpdateLabel(tx, w.ws, &c.label),
		settings.UpdateCannedAnswer(tx, w.ws, &c.cannedAnswer),
		tx.UpdateInbox(w.ws, &c.inbox),
		teams.UpdateTeam(tx, w.ws, &c.staff),
		teams.DeleteTeamMembers(tx, w.ws, w.team.ID),
		teams.PutRoute(tx, w.ws, w.team.ID, w.inbox.ID, "inbox"), // as it is
		desk.InsertAnswer(tx, w.ws, &c.answer),
		tx.UpdateNumber(w.ws, &c.number),
		tx.UpdateNumberDevice(w.ws, w.number.ID, c.number.Device),
		numbers.UpdateNumberLease(tx, w.ws, w.number.ID, c.lease),
		numbers.UpsertPairing(tx, w.ws, &c.pairing.Pairing, c.pairing.Sealed),
		numbers.UpsertSpend(tx, w.ws, w.number.ID, "groups", numbers.Spend{Slot: w.spend.Slot, Count: -2}),
		numbers.UpdateNumberCall(tx, w.ws, &c.call),
		desk.UpsertChat(tx, w.ws, &c.chat),
		numbers.DeleteNumberBudget(tx, w.ws, w.number.ID, parley.GroupsPerHour), // another one
		numbers.UpdateGroup(tx, w.ws, &c.group),
		numbers.UpsertGroupMember(tx, w.ws, w.conversation.ID, numbers.GroupMember{Phone: w.groupMember.Phone}), // stays joined and admin
		numbers.UpdateGroupAdmin(tx, w.ws, w.conversation.ID, w.groupMember.Phone, false),
		numbers.UpsertGroupRequest(tx, w.ws, &c.groupRequest),
		tx.UpdateDelivery(w.ws, &c.delivery),
		desk.UpdateTimer(tx, w.ws, &c.timer),
		c.learned.update(tx, w.ws),
		c.models.update(tx, w.ws),
		c.agency.update(tx, c),
		c.labour.update(tx, w.ws),
		later.UpdateScheduled(tx, w.ws, &c.scheduled),
	)
}

// remove deletes what statements delete by themselves.
func (w *world) remove(tx *store.Tx) error {
	return errors.Join(
		tx.DeleteDelivery(w.ws, w.conversation.ID, w.message.ID),
		numbers.DeletePairing(tx, w.ws, w.number.ID),
		desk.DeleteChat(tx, w.ws, w.number.ID, w.chat.JID),
		numbers.DeleteSpends(tx, w.ws, at(39)),
		numbers.DeleteNumberBudget(tx, w.ws, w.number.ID, parley.GroupsPerDay),
		numbers.DeleteNumberCall(tx, w.ws, w.call.ID),
		numbers.DeleteGroupMember(tx, w.ws, w.conversation.ID, w.groupMember.Phone),
		numbers.DeleteGroupRequest(tx, w.ws, w.groupRequest.Key),
		settings.DeleteLabel(tx, w.ws, w.label.Name),
		settings.DeleteCannedAnswer(tx, w.ws, w.cannedAnswer.ID),
		customers.DeleteIdentityKey(tx, w.ws, w.identityKey.KID),
		customers.DeleteOldRejectedIdentities(tx, w.ws, 0),
		desk.DeleteAnswers(tx, w.ws, at(60).Add(time.Millisecond)),
		credential.DeleteTeamMemberships(tx, w.ws, w.member.ID),
		teams.DeleteRoutes(tx, w.ws, w.team.ID),
		teams.HideTeam(tx, w.ws, w.team.ID, at(66)),
		teams.DeleteTeam(tx, w.ws, w.team.ID),
		w.learned.remove(tx, w.ws),
		w.models.remove(tx, w.ws),
		w.agency.remove(tx, w.ws),
		w.labour.remove(tx, w.ws),
		later.DeleteScheduled(tx, w.ws, w.scheduled.ID),
	)
}

// like returns a world with only different values, except the ids and the fixed
// members of w.
func (c *world) like(w *world) {
	c.history, c.reset = w.history, w.reset // they never change
	c.learned.like(&w.learned)
	c.models.like(&w.models)
	workspace, member, event, key, inbox := w.workspace, w.member, w.event, w.key, w.inbox
	c.ws, c.workspace, c.member, c.event, c.key, c.inbox, c.hash = w.ws, workspace, member, event, key, inbox, w.hash
	c.key.RevokedAt, c.key.LastUsedAt, c.key.Name, c.key.Scopes = time.Time{}, at(61), odd, parley.Scopes[:1]
	c.inbox.Name, c.inbox.ProductID, c.inbox.UpdatedAt = odd, parley.ID{}, at(62)
	c.staff, c.team = w.staff, parley.TeamRef{ID: w.team.ID, Name: odd}
	c.staff.Name, c.staff.Color, c.staff.UpdatedAt, c.staff.MemberIDs = odd, "pink", at(62), nil
	c.inbox.Team, c.product.Team = c.team, c.team
	c.former, c.session, c.invitation = w.former, w.session, w.invitation
	c.former.Email, c.former.Image, c.former.Role, c.former.PasswordHash, c.former.UpdatedAt = "OLD@X", odd, parley.Admin, odd, at(63)
	c.session.SeenAt, c.session.ExpiresAt = at(64), at(199)
	c.identityKey, c.sealed, c.rejected = w.identityKey, w.sealed, w.rejected
	c.merged, c.storesCalls = w.merged, w.storesCalls
	c.identityKey.RetireAt, c.identityKey.LastUsedAt = at(71), at(72)
	c.follower, c.timer = w.follower, w.timer
	c.timer.DueAt, c.timer.Attempts, c.timer.Owner = at(42), 0, ""
	c.storesCalls.Calls, c.storesCalls.LastAt = w.storesCalls.Calls+3, at(70)
	c.front, c.attachment = w.front, w.attachment
	c.front.session.SeenAt, c.front.session.ExpiresAt = at(65), at(199)
	c.front.move.From.Name = odd // the company's
	c.front.settings.Title, c.front.settings.Origins, c.front.settings.Identity = odd, nil, parley.IdentityOff
	c.label.Name, c.label.CreatedAt, c.label.Color = w.label.Name, w.label.CreatedAt, "pink"
	c.cannedAnswer.ID, c.cannedAnswer.CreatedAt = w.cannedAnswer.ID, w.cannedAnswer.CreatedAt
	c.product.ID, c.product.CreatedAt = w.product.ID, w.product.CreatedAt
	c.company.ID, c.company.CreatedAt = w.company.ID, w.company.CreatedAt
	c.contact.ID, c.contact.CreatedAt, c.contact.LastActivityAt = w.contact.ID, w.contact.CreatedAt, at(40)
	c.contact.Identifier, c.contact.Email, c.contact.PhoneNumber = "new", "new", "77"
	c.company.ExternalID = "new"
	created := w.conversation
	c.conversation.ID, c.conversation.CreatedAt, c.conversation.Inbox = created.ID, created.CreatedAt, created.Inbox
	c.conversation.Inbox.Name = odd
	c.conversation.Labels, c.conversation.LastActivityAt, c.conversation.UnreadCount = []string{"b", odd}, at(41), 2
	c.conversation.Status, c.conversation.Assignee = parley.Resolved, parley.MemberRef{ID: w.member.ID, Name: w.member.Name, Image: w.member.Image}
	c.conversation.Contact = parley.ContactRef{ID: w.contact.ID, Name: c.contact.Name, Email: "new", PhoneNumber: "77"}
	c.conversation.OpenedAt, c.conversation.FirstResponseAt = at(42), at(43)
	c.report = w.report
	message := w.message
	message.Status, message.Error = parley.Failed, odd
	c.message = message
	c.agency.like(&w.agency, c)
	c.labour.like(&w.labour)
	c.mail = w.mail
	likeScheduled(&c.scheduled, &w.scheduled)
	c.answer.Route, c.answer.Key, c.answer.CreatedAt, c.answer.Status = w.answer.Route, w.answer.Key, at(60), 200
	number := w.number
	number.Status, number.UpdatedAt = parley.NumberDisconnected, at(61)
	number.Until, number.RestrictedUntil, number.Reason, number.Enabled = time.Time{}, at(62), odd, false
	number.Device, number.NetworkPhone = odd, ""
	c.number = number
	c.lease.Owner = odd
	c.pairing.NumberID, c.pairing.Kind = number.ID, odd
	c.spend.Slot, c.spend.Count = w.spend.Slot, w.spend.Count-2
	c.call, c.networkMessage = w.call, w.networkMessage
	c.call.BegunBy, c.call.Answer = odd, odd
	c.chat = w.chat
	c.chat.Phone = ""
	c.group.ConversationID, c.group.NumberID, c.group.JID = w.group.ConversationID, w.group.NumberID, w.group.JID
	c.groupMember = numbers.GroupMember{Phone: w.groupMember.Phone, Network: w.groupMember.Network, Joined: true}
	request := w.groupRequest
	request.Owner, request.LeaseUntil, request.Asked, request.Answer = odd, time.Time{}, odd, ""
	c.groupRequest = request
	c.delivery.ConversationID, c.delivery.MessageID, c.delivery.NumberID = w.delivery.ConversationID, w.delivery.MessageID, w.number.ID
	c.delivery.Attempts, c.delivery.DueAt = 4, at(20)
}
