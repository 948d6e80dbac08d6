package publicapi

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/knowledge"
)

// TestNamesOfLists compares the names of lists with those that are bound to
// cursors in use. A name must not change.
func TestNamesOfLists(t *testing.T) {
	id, _ := parley.ParseID("01a1fb68-2f6a-7000-87d8-89526ae1d0cd")
	const (
		none = "00000000-0000-0000-0000-000000000000"
		some = "01a1fb68-2f6a-7000-87d8-89526ae1d0cd"
	)
	for _, row := range []struct{ name, want string }{
		{
			conversationList(&desk.ConversationFilter{}),
			"conversations { " + none + " " + none + " " + none + " {false false " + none + "} {false false }  0001-01-01 00:00:00 +0000 UTC false}",
		},
		{
			conversationList(&desk.ConversationFilter{
				Status: parley.Open, InboxID: id, ContactID: id, CompanyID: id, ProductID: parley.Some(id), AssigneeID: parley.Some(parley.UserID("usr_a")),
				Labels: []string{"vip"}, UpdatedSince: time.Date(2026, time.November, 21, 10, 0, 0, 120e6, time.UTC), Waiting: true,
			}),
			"conversations {open " + some + " " + some + " " + some + " {true false " + some + "} {true false usr_a} vip 2026-11-21 10:00:00.12 +0000 UTC true}",
		},
		{
			conversationList(&desk.ConversationFilter{ProductID: parley.Null[parley.ID](), AssigneeID: parley.Null[parley.UserID]()}),
			"conversations { " + none + " " + none + " " + none + " {true true " + none + "} {true true }  0001-01-01 00:00:00 +0000 UTC false}",
		},
		{contactList(&desk.ContactFilter{}), `contacts {"" "" "" "` + none + `"}`},
		{contactList(&desk.ContactFilter{Email: "é@b.example", Identifier: `a"b`, Phone: "49", CompanyID: id}), `contacts {"é@b.example" "a\"b" "49" "` + some + `"}`},
		{companyList(&desk.CompanyFilter{Search: "a b", ExternalID: "x\u2028"}), `companies {"a b" "x\u2028"}`},
		{articleList(&knowledge.ArticleFilter{}), "articles {{false false " + none + "} {false false " + none + "}   0001-01-01 00:00:00 +0000 UTC}"},
		{
			articleList(&knowledge.ArticleFilter{
				ProductID: parley.Some(id), CategoryID: parley.Null[parley.ID](), State: parley.ArticleDraft, Language: "pt-BR",
				UpdatedSince: time.Date(2026, time.November, 21, 10, 0, 0, 120e6, time.UTC),
			}),
			"articles {{true false " + some + "} {true true " + none + "} draft pt-BR 2026-11-21 10:00:00.12 +0000 UTC}",
		},
		{messageList(&desk.MessageQuery{ConversationID: id, Order: "newest"}), "messages of " + some + " newest"},
	} {
		if row.name != row.want {
			t.Errorf("the name is\n%s\nwant\n%s", row.name, row.want)
		}
	}
}

// TestNamesHoldEveryFilter sets each field of the filters: a list with another
// filter is another list.
func TestNamesHoldEveryFilter(t *testing.T) {
	internal := []string{"IDs", "AnyMerged"} // no request sets them
	check := func(filter reflect.Value, name func() string) {
		t.Helper()
		plain := name()
		for i := range filter.NumField() {
			if slices.Contains(internal, filter.Type().Field(i).Name) {
				continue
			}
			filter.SetZero()
			field := filter.Field(i)
			switch set := field.Addr().Interface().(type) {
			case *string:
				*set = "x"
			case *bool:
				*set = true
			case *parley.ID:
				set[0] = 1
			case *parley.Status:
				*set = parley.Open
			case *parley.ArticleState:
				*set = parley.ArticleDraft
			case *parley.Language:
				*set = "en"
			case *parley.SpamChoice:
				*set = parley.OnlySpam
			case *time.Time:
				*set = time.Unix(1, 0)
			case *parley.Optional[parley.ID]:
				set.Set = true
			case *parley.Optional[parley.UserID]:
				set.Set = true
			case *parley.Optional[parley.Priority]:
				set.Set = true
			case *parley.Optional[bool]:
				set.Set = true
			case *[]string:
				*set = []string{"x"}
			default:
				t.Fatalf("%s has a field %s of a type that this test does not set", filter.Type(), filter.Type().Field(i).Name)
			}
			if name() == plain {
				t.Errorf("the name of a list does not tell the filter %s of %s", filter.Type().Field(i).Name, filter.Type())
			}
		}
	}
	var conversations desk.ConversationFilter
	check(reflect.ValueOf(&conversations).Elem(), func() string { return conversationList(&conversations) })
	var contacts desk.ContactFilter
	check(reflect.ValueOf(&contacts).Elem(), func() string { return contactList(&contacts) })
	var articles knowledge.ArticleFilter
	check(reflect.ValueOf(&articles).Elem(), func() string { return articleList(&articles) })
	var companies desk.CompanyFilter
	check(reflect.ValueOf(&companies).Elem(), func() string { return companyList(&companies) })
}
