package wire_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/wire"
)

var update = flag.Bool("update", false, "write the golden files anew")

func id(last byte) parley.ID {
	return parley.ID{0x01, 0x93, 0x48, 0x0f, 0x2c, 0x4a, 0x7d, 0x1e, 0x8f, 0, 0x3a, 0x5b, 0x9c, 0x2d, 0x1e, last}
}

func at(second int) time.Time {
	// A zone other than UTC and more than milliseconds, neither of which may show.
	zone := time.FixedZone("", 3600)
	return time.Date(2026, time.November, 20, 9, 15, second, 7_654_321, zone)
}

func some(s string) *string { return &s }

func conversation() parley.Conversation {
	return parley.Conversation{
		ID: id(1), Status: parley.Open, Priority: parley.Urgent, Labels: []string{"vip", `<"&">`}, UnreadCount: 2,
		Contact:          parley.ContactRef{ID: id(2), Name: "Ann", Email: "ann@acme.example", PhoneNumber: "+1 555 010 0", ShopName: "Acme"},
		Inbox:            parley.InboxRef{ID: id(3), Name: "API", Channel: parley.ChannelAPI},
		Product:          parley.ProductRef{ID: id(4), Name: "App"},
		Assignee:         parley.MemberRef{ID: "usr_a", Name: "Bo", Image: "https://img.example/bo.png"},
		CustomAttributes: `{"companyId":"mine","plan":["pro",1]}`, LastActivityAt: at(30), CreatedAt: at(1),
		UpdatedAt: at(31), WaitingSince: at(29), WokeAt: at(28),
		SnoozedUntil: at(28), // an open one does not sleep
		Team:         parley.TeamRef{ID: id(40), Name: "Returns"}, SplitFrom: id(41), MergedInto: id(42), MergedAt: at(31),
	}
}

func bareConversation() parley.Conversation {
	return parley.Conversation{
		ID: id(1), Status: parley.Pending, Contact: parley.ContactRef{ID: id(2)},
		Inbox: parley.InboxRef{ID: id(3), Name: "Web", Channel: parley.ChannelWeb}, LastActivityAt: at(2), UpdatedAt: at(2), CreatedAt: at(2), SnoozedUntil: at(59),
	}
}

func messages() []parley.Message {
	m := parley.Message{
		ID: id(10), ConversationID: id(1), ContentType: parley.Text, Direction: parley.Outgoing, Status: parley.Sent,
		CreatedAt: at(3), Content: "hello",
	}
	agent, bot, contact, system := m, m, m, m
	agent.Private, agent.Mentions = true, []string{"usr_b", id(40).String()}
	agent.Sender = parley.Sender{Type: parley.SenderAgent, MemberID: "usr_a", ContactID: id(2), Name: "Bo", Image: "https://img.example/bo.png"}
	bot.Sender = parley.Sender{Type: parley.SenderBot, Name: parley.BotName}
	bot.Status, bot.Error = parley.Failed, "the group is gone"
	contact.Sender = parley.Sender{Type: parley.SenderContact, ContactID: id(2), MemberID: "usr_a", Name: "Ann"}
	contact.Direction, contact.Error = parley.Incoming, "never shown unless it failed"
	system.Sender = parley.Sender{Type: parley.SenderSystem, MemberID: "usr_a", ContactID: id(2)}
	system.Content, system.ContentType = "line\none \u2028\u2029\x01\x7f \"q\" \\ </script> \xff", parley.Markdown
	return []parley.Message{agent, bot, contact, system}
}

func contact() parley.Contact {
	return parley.Contact{
		ID: id(2), Name: `"companyId":null`, Email: "ann@acme.example", PhoneNumber: "+1 555 010 0", ShopName: "Acme",
		AvatarURL: "https://img.example/ann.png", Identifier: "crm-7", Company: parley.CompanyRef{ID: id(5), Name: "Acme"},
		CustomAttributes: `{"companyId":"mine"}`, CreatedAt: at(1), UpdatedAt: at(2), LastActivityAt: at(3),
	}
}

func company() parley.Company {
	return parley.Company{
		ID: id(5), Name: "Acme", Website: some("https://acme.example"), Industry: some(""), Notes: some("big"),
		ExternalID: "acc-1", CreatedAt: at(1), UpdatedAt: at(2),
	}
}

func groupOutcome() parley.GroupOutcome {
	return parley.GroupOutcome{
		Group: parley.Group{ConversationID: id(1), NumberID: id(6), JID: "120300000000000001@g.us", InviteLink: "https://chatapp.example/abc"},
		Added: []parley.Phone{"15550100", "15550199"}, Invited: []parley.Phone{"15550101"},
		InvitesSent: []parley.Phone{"15550101"}, NotOnChatapp: []parley.Phone{"15550200"},
	}
}

// shapes are the resources and answers by the names of their golden files.
func shapes() map[string][]byte {
	c, bare, m, files, person, firm := conversation(), bareConversation(), messages(), withFiles(), contact(), company()
	unknown, plain := parley.Contact{ID: id(2), CreatedAt: at(1), UpdatedAt: at(1), LastActivityAt: at(1)}, parley.Company{ID: id(5), Name: "Acme", CreatedAt: at(1), UpdatedAt: at(1)}
	active := parley.Product{ID: id(4), Name: "App", Description: "The app", CreatedAt: at(1), UpdatedAt: at(1)}
	archived := active
	archived.ArchivedAt = at(9)
	inbox := parley.Inbox{ID: id(3), Name: "API", Channel: parley.ChannelAPI, ProductID: id(4), CreatedAt: at(1), UpdatedAt: at(1)}
	unrouted := inbox
	unrouted.ProductID = parley.ID{}
	member := parley.Member{ID: "usr_a", Email: "bo@acme.example", Name: "Bo", Role: parley.Agent, PasswordHash: "never shown", CreatedAt: at(1), UpdatedAt: at(1)}
	number := parley.Number{ID: id(6), Phone: "15550109", Driver: parley.DriverSandbox, Status: parley.NumberConnected, InboxID: id(3), CreatedAt: at(1), UpdatedAt: at(1)}
	events := parley.EventPage{HasMore: true, Reset: true, Events: []parley.Event{
		{Seq: 17, Type: parley.ConversationUpdated, CreatedAt: at(4), ConversationID: id(1), Changed: []string{"status"}, Data: wire.AppendConversation(nil, &bare)},
		{
			Seq: 18, Type: parley.CompanyCreated, CreatedAt: at(5), Data: wire.AppendCompany(nil, &plain),
			Origin: parley.Origin{Actor: parley.MemberActor(&member), Cause: parley.Cause{Type: parley.MessageCreated, ID: id(7)}, Imported: true},
		},
		{Seq: 19, Type: parley.CompanyCreated, CreatedAt: at(5)},
		{Seq: 20, Type: parley.EventErased, CreatedAt: at(5), Data: []byte("never shown")},
	}}
	outcome, nobody := groupOutcome(), parley.GroupOutcome{Group: parley.Group{ConversationID: id(1), JID: "120300000000000001@g.us"}}
	all := map[string][]byte{
		"conversation":      wire.AppendConversation(nil, &c),
		"conversation_bare": wire.AppendConversation(nil, &bare),
		"conversation_read": wire.AppendThread(nil, &c, &parley.Page[parley.Message]{Items: m[:1], HasMore: true}, "older", wire.Signer{}),
		"conversation_listed": wire.AppendListedConversation(nil, &c, &parley.MessagePreview{
			ID: id(7), ConversationID: id(1), Text: "Where is my <parcel>?", ContentType: parley.Text, Direction: parley.Incoming,
			SenderType: parley.SenderContact, Attachments: 1, CreatedAt: at(4),
		}),
		"conversation_silent": wire.AppendListedConversation(nil, &bare, nil),
		"conversation_page":   wire.AppendPage(nil, []parley.Conversation{c, bare}, true, "next", wire.AppendConversation),
		"conversation_none":   wire.AppendPage[parley.Conversation](nil, nil, false, "", wire.AppendConversation),
		"message_agent":       wire.AppendMessage(nil, &m[0]),
		"message_bot_failed":  wire.AppendMessage(nil, &m[1]),
		"message_contact":     wire.AppendMessage(nil, &m[2]),
		"message_system":      wire.AppendMessage(nil, &m[3]),
		"message_files":       wire.AppendSignedMessage(nil, &files, signers[0]),
		"contact":             wire.AppendContact(nil, &person, true),
		"contact_sunset":      wire.AppendContact(nil, &person, false),
		"contact_unknown":     wire.AppendContact(nil, &unknown, true),
		"contact_list":        wire.AppendData(nil, []parley.Contact{person}, contactItem),
		"company":             wire.AppendCompany(nil, &firm),
		"company_plain":       wire.AppendCompany(nil, &plain),
		"company_read":        wire.AppendCompanyRecord(nil, &firm, 12),
		"product":             wire.AppendProduct(nil, &active),
		"product_archived":    wire.AppendProduct(nil, &archived),
		"inbox":               wire.AppendInbox(nil, &inbox),
		"inbox_unrouted":      wire.AppendInbox(nil, &unrouted),
		"member":              wire.AppendMember(nil, &member),
		"number":              wire.AppendNumber(nil, &number),
		"report":              report(),
		"event_page":          wire.AppendEventPage(nil, &events, "epoch.18"),
		"group":               wire.AppendNewGroup(nil, &outcome),
		"group_nobody":        wire.AppendNewGroup(nil, &nobody),
		"group_participants":  wire.AppendParticipants(nil, &outcome),
		"group_admin":         wire.AppendGroupAdmin(nil, "120300000000000001@g.us", "15550100", true),
	}
	maps.Copy(all, searchShapes())
	maps.Copy(all, settingShapes())
	maps.Copy(all, knowledgeShapes())
	maps.Copy(all, modelShapes())
	maps.Copy(all, agentReports())
	maps.Copy(all, memberShapes())
	maps.Copy(all, welcomeShapes())
	maps.Copy(all, customerShapes())
	maps.Copy(all, erasureShapes())
	maps.Copy(all, mailShapes())
	return all
}

func contactItem(b []byte, c *parley.Contact) []byte { return wire.AppendContact(b, c, true) }

func TestGolden(t *testing.T) {
	made := shapes()
	for name, got := range made {
		t.Run(name, func(t *testing.T) {
			var shown bytes.Buffer
			if err := json.Indent(&shown, got, "", "  "); err != nil {
				t.Fatalf("no JSON: %v\n%s", err, got)
			}
			shown.WriteByte('\n')
			path := filepath.Join("testdata", name+".json")
			if *update {
				if err := os.WriteFile(path, shown.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(shown.Bytes(), want) {
				t.Errorf("got\n%s\nwant (%s; -update writes it anew)\n%s", shown.Bytes(), path, want)
			}
		})
	}
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) != len(made) {
		t.Errorf("%d golden files for %d shapes, error %v", len(files), len(made), err)
	}
}

// The contents of the buffer stay, because the functions append.
func TestAppends(t *testing.T) {
	c := conversation()
	got := wire.AppendConversation([]byte("data: "), &c)
	if want := append([]byte("data: "), wire.AppendConversation(nil, &c)...); !bytes.Equal(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestWithStoreID(t *testing.T) {
	linked := contact()
	unlinked, tricky, bare := linked, linked, linked
	unlinked.Company = parley.CompanyRef{}
	tricky.Name, tricky.Company.Name, tricky.Identifier = "companyId", `\","companyId":null,`, `"companyId`
	bare.CustomAttributes = ""
	for name, c := range map[string]parley.Contact{"linked": linked, "unlinked": unlinked, "tricky": tricky, "bare": bare} {
		stored := wire.AppendContact(nil, &c, false)
		before := bytes.Clone(stored)
		got, want := wire.WithStoreID(stored), wire.AppendContact(nil, &c, true)
		if !bytes.Equal(got, want) {
			t.Errorf("%s: got  %s\nwant %s", name, got, want)
		}
		if !bytes.Equal(stored, before) {
			t.Errorf("%s: the stored text was changed to %s", name, stored)
		}
		if again := wire.WithStoreID(got); !bytes.Equal(again, want) {
			t.Errorf("%s: a second time gave %s", name, again)
		}
	}
	for _, other := range []string{"", "{}", "null", `{"companyId":`, `{"companyId":null}`} {
		if got := wire.WithStoreID([]byte(other)); string(got) != other {
			t.Errorf("%s became %s", other, got)
		}
	}
}

func TestTimes(t *testing.T) {
	for _, text := range []string{
		"2026-11-20T08:15:30.123Z", "1970-01-01T00:00:00.000Z", "2024-02-29T23:59:59.999Z",
		"0001-01-01T00:00:00.000Z", "9999-12-31T00:00:00.010Z",
	} {
		at, err := time.Parse(time.RFC3339Nano, text)
		if err != nil {
			t.Fatal(err)
		}
		got := wire.AppendProduct(nil, &parley.Product{CreatedAt: at.Add(999 * time.Microsecond)})
		if !bytes.Contains(got, []byte(`"createdAt":"`+text+`"`)) {
			t.Errorf("%s is not in %s", text, got)
		}
	}
	late := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	if got := wire.AppendProduct(nil, &parley.Product{CreatedAt: late}); !json.Valid(got) {
		t.Errorf("no JSON: %s", got)
	}
}

// A JSON text is never markup, whatever it holds.
func TestNeverMarkup(t *testing.T) {
	for name, text := range shapes() {
		if i := bytes.IndexAny(text, "<>&\u2028\u2029"); i >= 0 {
			t.Errorf("%s holds %q", name, text[i:min(i+10, len(text))])
		}
	}
}

func TestNoAllocations(t *testing.T) {
	c, m, person, firm, outcome := conversation(), messages(), contact(), company(), groupOutcome()
	page := []parley.Conversation{c, c, c}
	thread := parley.Page[parley.Message]{Items: m, HasMore: true}
	event := parley.Event{Seq: 17, Type: parley.ContactUpdated, CreatedAt: at(4), Changed: []string{"name"}, Data: []byte("{}")}
	b := make([]byte, 0, 1<<16)
	for name, write := range map[string]func(){
		"conversation": func() { wire.AppendConversation(b, &c) },
		"thread":       func() { wire.AppendThread(b, &c, &thread, "x", wire.Signer{}) },
		"page":         func() { wire.AppendPage(b, page, true, "x", wire.AppendConversation) },
		"message":      func() { wire.AppendMessage(b, &m[3]) },
		"contact":      func() { wire.AppendContact(b, &person, true) },
		"company":      func() { wire.AppendCompanyRecord(b, &firm, 3) },
		"event":        func() { wire.AppendEvent(b, &event) },
		"group":        func() { wire.AppendNewGroup(b, &outcome) },
	} {
		if n := testing.AllocsPerRun(100, write); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

// TestJSONSize compares the counted size of a text with the written one.
func TestJSONSize(t *testing.T) {
	texts := []string{"", "Zoë", "😀", "\u2028\u2029\u202a", "\ufffd", "\xff", "\xef", "\xef\xbf", "a\x80b", "\x7f"}
	for c := range 128 {
		texts = append(texts, string(rune(c)))
	}
	texts = append(texts, strings.Join(texts, "-"))
	empty := len(wire.AppendGroupAdmin(nil, "", "", true))
	for _, text := range texts {
		written := wire.AppendGroupAdmin(nil, text, "", true)
		if got, want := parley.JSONSize(text), len(written)-empty; got != want {
			t.Errorf("%q counts %d bytes, and takes %d", text, got, want)
		}
	}
}
