package wire_test

import (
	"bytes"
	"testing"
	"time"

	"parley"
	"parley/internal/wire"
)

func customerConversation() parley.CustomerConversation {
	return parley.CustomerConversation{
		ID: id(1), ContactID: id(2), InboxID: id(3), Status: parley.Open, UnreadCount: 2, LastMessage: messages()[3],
		LastActivityAt: at(3), CreatedAt: at(2),
	}
}

// customerShapes are those that customers see, and those about customers.
func customerShapes() map[string][]byte {
	c, m, person := customerConversation(), messages(), contact()
	bare := parley.CustomerConversation{ID: id(1), Status: parley.Resolved, LastActivityAt: at(2), CreatedAt: at(2)}
	settings := parley.NewWidgetSettings(id(3))
	hours := parley.OfficeHours{InboxID: id(3), Zone: "Europe/Berlin", Hours: []string{"monday 09:00-17:00"}, Holidays: []string{"2026-12-25"}, Shown: true}
	settings.Origins = []string{"https://shop.example"}
	signed := parley.CustomerSession{ID: id(20), ContactID: id(2), KID: "idk_a", ExpiresAt: at(9)}
	visitor := parley.CustomerSession{ID: id(20), ContactID: id(2), ExpiresAt: at(9)}
	team := []parley.Member{{ID: "usr_a", Email: "never@shown.example", Name: "Bo", Image: "https://img.example/bo.png"}}
	page := parley.Page[parley.Message]{Items: m[2:], HasMore: true}
	read := parley.PublishedText{ArticleID: id(41), Slug: "return-a-parcel", Language: "en", Version: 3, PublishedAt: at(4)}
	read.ArticleContent = parley.ArticleContent{Title: "Return a parcel", Description: "How to send it back.", Body: "never shown as it is", Keywords: []string{"never"}}
	return map[string][]byte{
		"widget":                    wire.AppendWidget(nil, &wire.Widget{Company: "Acme", Settings: &settings, Team: team, Articles: true}),
		"widget_hours":              wire.AppendWidget(nil, &wire.Widget{Company: "Acme", Settings: &settings, Upcoming: []wire.OfficeSpan{{Begin: at(1), End: at(2)}}}),
		"widget_texts":              wire.AppendWidgetTexts(nil, id(3), []parley.WidgetTexts{{Language: "de", Texts: map[string]string{"home.write": "Frag uns", "composer.send": "Ab & los"}}}),
		"widget_own":                wire.AppendWidget(nil, &wire.Widget{Company: "Acme", Settings: &settings, Texts: map[string]string{"home.write": "Ask us"}}),
		"office_hours":              wire.AppendOfficeHours(nil, &hours),
		"customer_article":          wire.AppendCustomerArticle(nil, &read),
		"customer_article_text":     wire.AppendCustomerArticleText(nil, &read, "<p>1 &lt; 2</p>\n"),
		"widget_settings":           wire.AppendWidgetSettings(nil, &settings),
		"customer_session":          wire.AppendCustomerSession(nil, &signed, &person, ""),
		"customer_session_new":      wire.AppendCustomerSession(nil, &visitor, &person, "cs_token"),
		"customer_conversation":     wire.AppendCustomerConversation(nil, &c),
		"customer_conversation_new": wire.AppendCustomerConversation(nil, &bare),
		"customer_thread":           wire.AppendCustomerThread(nil, &c, &page, "older"),
		"customer_started":          wire.AppendStartedConversation(nil, &bare, &m[2]),
		"customer_message_bot":      wire.AppendCustomerMessage(nil, &m[1]),
		"customer_typing":           wire.AppendCustomerTyping(nil, id(2), id(1), true),
		"member_typing":             wire.AppendMemberTyping(nil, id(1), "Bo", false),
		"company_move":              wire.AppendCompanyMove(nil, &parley.CompanyMove{ID: id(23), ContactID: id(2), From: parley.CompanyRef{ID: id(4), Name: "Acme"}, To: parley.CompanyRef{ID: id(5), Name: "Globex"}, MovedAt: at(4)}),
		"company_move_first":        wire.AppendCompanyMove(nil, &parley.CompanyMove{ID: id(24), MovedAt: at(4)}),
		"contact_visit": wire.AppendContactVisit(nil, &parley.Visit{
			ContactID: id(2), Page: "https://shop.example/cart", Title: "Your cart", Referrer: "https://search.example/", Language: "de-AT",
			Zone: "Europe/Vienna", Device: "Firefox on Linux", Facts: `{"cart":3}`, UpdatedAt: at(4),
		}, &parley.Typed{ContactID: id(2), Name: "Ada", Email: "ada@acme.example", Times: 1, UpdatedAt: at(4)}),
		"contact_visit_none": wire.AppendContactVisit(nil, &parley.Visit{}, &parley.Typed{}),
		"visited":            wire.AppendVisited(nil, id(2)),
		"bulk_job": wire.AppendBulkJob(nil, &parley.BulkJob{
			ID: id(43), Member: "usr_a", Action: parley.BulkUndo, Undoes: id(44), State: parley.BulkDone, Total: 20, Changed: 7,
			Reasons: map[parley.BulkReason]int{parley.BulkGone: 1, parley.BulkRefused: 2, parley.BulkWrote: 3}, CreatedAt: at(4), EndedAt: at(5),
		}),
		"saved_view": wire.AppendSavedView(nil, &parley.SavedView{ID: id(41), Name: "Refunds", Scope: parley.ViewAll, Owner: "usr_a", Query: "label=refund&status=open", Position: 1, Pinned: true}),
		"view_count": wire.AppendViewCount(nil, &parley.ViewCount{ID: id(41), Count: 1000, More: true}),
		"team": wire.AppendTeam(nil, &parley.Team{
			ID: id(40), Name: "Returns", Color: "teal", MemberIDs: []parley.UserID{"usr_a", "usr_b"}, InboxIDs: []parley.ID{id(3)}, CreatedAt: at(1), UpdatedAt: at(4),
		}),
		"macro": wire.AppendMacro(nil, &parley.Macro{
			ID: id(42), Name: "Refund and close", Scope: parley.MacroAll, Owner: "usr_a", Shortcut: "refund", Version: 3, Actions: parley.MacroActions{
				Note: "Refunded.", Reply: "Dear {{contact.name}}", Status: parley.Resolved, Priority: parley.MacroNone, Assignee: parley.MacroMe,
				ProductID: id(4), AddLabels: []string{"refund"}, RemoveLabels: []string{"new"},
			},
		}),
		"way":     wire.AppendWay(nil, &parley.Way{Inbox: parley.InboxRef{ID: id(3), Name: "WhatsApp", Channel: parley.ChannelChatapp}, Phone: "4915112345678"}),
		"way_web": wire.AppendWay(nil, &parley.Way{Inbox: parley.InboxRef{ID: id(3), Name: "Website", Channel: parley.ChannelWeb}}),
		"contact_duplicate": wire.AppendDuplicate(nil, &parley.ContactDuplicate{
			ID: id(21), Contact: parley.ContactRef{ID: id(2), Name: "Ada", Email: "not@shown.example"},
			Other: parley.ContactRef{ID: id(22), Name: "A.", Email: "ada@acme.example"}, Email: "Ada@acme.example", CreatedAt: at(4),
		}),
	}
}

// TestCustomerMessageOf makes a customer's message of what the log keeps.
func TestCustomerMessageOf(t *testing.T) {
	for i, m := range messages() {
		m.Attachments = []parley.Attachment{{ID: id(30), FileName: `a "b" </script>.png`, ContentType: "image/png", Size: 5, Width: 2, Duration: time.Second, CreatedAt: at(1)}}
		got, shown := wire.AppendCustomerMessageOf([]byte("x"), wire.AppendMessage(nil, &m), m.ConversationID)
		if shown == m.Private {
			t.Errorf("message %d is shown: %t", i, shown)
		}
		want := []byte("x")
		if shown {
			want = wire.AppendCustomerMessage(want, &m)
		}
		// A text that is no UTF-8 was made one when it was written first.
		if !bytes.Equal(got, want) {
			t.Errorf("message %d is\n%s, want\n%s", i, got, want)
		}
	}
	for _, odd := range []string{"", "null", "{}", "[]", `{"isPrivate":null}`, `{"isPrivate":"false"}`, `{"id":"x"}`, `{"isPrivate":true}`} {
		if got, shown := wire.AppendCustomerMessageOf(nil, []byte(odd), id(1)); shown || len(got) > 0 {
			t.Errorf("%s is shown as %s", odd, got)
		}
	}
}

// TestDeletedConversationOf reads whose conversation was deleted.
func TestDeletedConversationOf(t *testing.T) {
	if contact, ok := wire.DeletedConversationOf(wire.AppendDeletedConversation(nil, id(1), id(2))); !ok || contact != id(2) {
		t.Errorf("the contact is %s, %t", contact, ok)
	}
	for _, odd := range []string{"", "{}", `{"contactId":1}`, `{"id":"x"}`} {
		if contact, ok := wire.DeletedConversationOf([]byte(odd)); ok {
			t.Errorf("%s is of %s", odd, contact)
		}
	}
}

func TestMergeTarget(t *testing.T) {
	if into, ok := wire.MergeTarget(wire.AppendMerge(nil, id(1), id(2))); !ok || into != id(2) {
		t.Errorf("the target is %s, %t", into, ok)
	}
	for _, odd := range []string{"", "{}", `{"intoId":1}`, `{"intoId":"x"}`} {
		if into, ok := wire.MergeTarget([]byte(odd)); ok {
			t.Errorf("%s leads to %s", odd, into)
		}
	}
}
