package wire_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"parley"
	"parley/internal/wire"
)

// The mirrors are the shapes as structs for encoding/json: what this package
// writes must read back as what encoding/json wrote of the mirror.
type (
	shownRef struct {
		ID   parley.ID `json:"id"`
		Name string    `json:"name"`
	}
	shownMember struct {
		ID    string `json:"id"`
		Name  string `json:"name"`
		Image string `json:"image"`
	}
	shownContactRef struct {
		ID          parley.ID `json:"id"`
		Name        string    `json:"name"`
		Email       string    `json:"email"`
		PhoneNumber *string   `json:"phoneNumber"`
		ShopName    string    `json:"shopName"`
	}
	shownAgentPart struct {
		State  string `json:"state"`
		Reason string `json:"reason"`
	}
	shownInboxRef struct {
		ID          parley.ID `json:"id"`
		Name        string    `json:"name"`
		ChannelType string    `json:"channelType"`
	}
	shownConversation struct {
		ID               parley.ID       `json:"id"`
		Status           string          `json:"status"`
		Priority         *string         `json:"priority"`
		Spam             bool            `json:"spam"`
		Labels           []string        `json:"labels"`
		UnreadCount      int             `json:"unreadCount"`
		Contact          shownContactRef `json:"contact"`
		Inbox            shownInboxRef   `json:"inbox"`
		Product          *shownRef       `json:"product"`
		Assignee         *shownMember    `json:"assignee"`
		Team             *shownRef       `json:"team"`
		Agent            shownAgentPart  `json:"agent"`
		CustomAttributes json.RawMessage `json:"customAttributes"`
		WaitingSince     *time.Time      `json:"waitingSince"`
		SnoozedUntil     *time.Time      `json:"snoozedUntil"`
		WokeAt           *time.Time      `json:"wokeAt"`
		MergedInto       *parley.ID      `json:"mergedInto"`
		SplitFrom        *parley.ID      `json:"splitFrom"`
		LastActivityAt   time.Time       `json:"lastActivityAt"`
		UpdatedAt        time.Time       `json:"updatedAt"`
		CreatedAt        time.Time       `json:"createdAt"`
	}
	shownPage struct {
		Data       []shownConversation `json:"data"`
		HasMore    bool                `json:"has_more"`
		NextCursor string              `json:"next_cursor"`
	}
	shownContact struct {
		ID               parley.ID       `json:"id"`
		Name             string          `json:"name"`
		Email            string          `json:"email"`
		PhoneNumber      *string         `json:"phoneNumber"`
		ShopName         string          `json:"shopName"`
		AvatarURL        *string         `json:"avatarUrl"`
		Identifier       string          `json:"identifier"`
		Company          *shownRef       `json:"company"`
		CompanyID        *parley.ID      `json:"companyId"`
		StoreID          *parley.ID      `json:"storeId"`
		CustomAttributes json.RawMessage `json:"customAttributes"`
		CreatedAt        time.Time       `json:"createdAt"`
		UpdatedAt        time.Time       `json:"updatedAt"`
		LastActivityAt   time.Time       `json:"lastActivityAt"`
	}
)

func filled(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func filledTime(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	at = at.UTC().Truncate(time.Millisecond)
	return &at
}

func filledID(id parley.ID) *parley.ID {
	if id.IsZero() {
		return nil
	}
	return &id
}

func filledRef(id parley.ID, name string) *shownRef {
	if id.IsZero() {
		return nil
	}
	return &shownRef{id, name}
}

func mirrorConversation(c *parley.Conversation) shownConversation {
	shown := shownConversation{
		ID: c.ID, Status: string(c.Status), Priority: filled(string(c.Priority)), Labels: append([]string{}, c.Labels...), Spam: c.Spam,
		UnreadCount: c.UnreadCount, Agent: shownAgentPart{"off", ""},
		Contact: shownContactRef{c.Contact.ID, c.Contact.Name, c.Contact.Email, filled(c.Contact.PhoneNumber), c.Contact.ShopName},
		Inbox:   shownInboxRef{c.Inbox.ID, c.Inbox.Name, string(c.Inbox.Channel)},
		Product: filledRef(c.Product.ID, c.Product.Name), CustomAttributes: json.RawMessage(c.CustomAttributes.JSON()),
		LastActivityAt: c.LastActivityAt.UTC().Truncate(time.Millisecond), CreatedAt: c.CreatedAt.UTC().Truncate(time.Millisecond),
		UpdatedAt: c.UpdatedAt.UTC().Truncate(time.Millisecond),
	}
	shown.WaitingSince, shown.SnoozedUntil, shown.WokeAt = filledTime(c.WaitingSince), filledTime(c.Snoozed()), filledTime(c.WokeAt)
	shown.Team, shown.MergedInto, shown.SplitFrom = filledRef(c.Team.ID, c.Team.Name), filledID(c.MergedInto), filledID(c.SplitFrom)
	if c.Agent.State == parley.AgentHandedOver {
		shown.Agent = shownAgentPart{"handed_over", string(c.Agent.Reason)}
	}
	if c.Assignee.ID != "" {
		shown.Assignee = &shownMember{string(c.Assignee.ID), c.Assignee.Name, c.Assignee.Image}
	}
	return shown
}

func mirrorContact(c *parley.Contact) shownContact {
	shown := shownContact{
		ID: c.ID, Name: c.Name, Email: c.Email, PhoneNumber: filled(c.PhoneNumber), ShopName: c.ShopName,
		AvatarURL: filled(c.AvatarURL), Identifier: c.Identifier, Company: filledRef(c.Company.ID, c.Company.Name),
		CustomAttributes: json.RawMessage(c.CustomAttributes.JSON()), CreatedAt: c.CreatedAt.UTC().Truncate(time.Millisecond),
		UpdatedAt: c.UpdatedAt.UTC().Truncate(time.Millisecond), LastActivityAt: c.LastActivityAt.UTC().Truncate(time.Millisecond),
	}
	if shown.Company != nil {
		shown.CompanyID, shown.StoreID = &c.Company.ID, &c.Company.ID
	}
	return shown
}

// sameMeaning fails unless both texts decode to the same value of T, without a
// member that T does not have.
func sameMeaning[T any](t rapid.TB, got []byte, mirror T) {
	t.Helper()
	expected, err := json.Marshal(mirror)
	if err != nil {
		t.Fatalf("encoding/json: %v", err)
	}
	var values [2]T
	for i, text := range [][]byte{got, expected} {
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&values[i]); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
	}
	if !reflect.DeepEqual(values[0], values[1]) {
		t.Fatalf("got  %s\nwant %s", got, expected)
	}
	if !utf8.Valid(got) || bytes.ContainsAny(got, "<>&\u2028\u2029\n") {
		t.Fatalf("not UTF-8, or markup: %q", got)
	}
}

// bytesText draws strings of any bytes, also such that are not UTF-8.
func bytesText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
}

func drawID() *rapid.Generator[parley.ID] {
	return rapid.Custom(func(t *rapid.T) (id parley.ID) {
		if rapid.Bool().Draw(t, "given") {
			copy(id[:], rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
		}
		return id
	})
}

func drawTime() *rapid.Generator[time.Time] {
	return rapid.Map(rapid.Int64Range(-62135596800, 253402300799), func(seconds int64) time.Time {
		return time.Unix(seconds, seconds%1e9)
	})
}

func TestConversationReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, id, when := bytesText(), drawID(), drawTime()
		c := parley.Conversation{
			ID: id.Draw(t, "id"), Status: parley.Status(rapid.OneOf(text, rapid.Just("pending")).Draw(t, "status")), Priority: parley.Priority(text.Draw(t, "priority")), Spam: rapid.Bool().Draw(t, "spam"),
			Labels: rapid.SliceOf(text).Draw(t, "labels"), UnreadCount: rapid.Int().Draw(t, "unread"),
			Contact:        parley.ContactRef{ID: id.Draw(t, "contact"), Name: text.Draw(t, "name"), Email: text.Draw(t, "email"), PhoneNumber: text.Draw(t, "phone")},
			Inbox:          parley.InboxRef{ID: id.Draw(t, "inbox"), Name: text.Draw(t, "inboxName"), Channel: parley.ChannelAPI},
			Agent:          rapid.SampledFrom([]parley.AgentPart{{}, {State: parley.AgentTaken}, {State: parley.AgentHandedOver, Reason: "asked"}}).Draw(t, "agent"),
			Product:        parley.ProductRef{ID: id.Draw(t, "product"), Name: text.Draw(t, "productName")},
			Assignee:       parley.MemberRef{ID: parley.UserID(text.Draw(t, "member")), Name: text.Draw(t, "memberName"), Image: text.Draw(t, "image")},
			LastActivityAt: when.Draw(t, "active"), CreatedAt: when.Draw(t, "created"),
			UpdatedAt: when.Draw(t, "updated"), WaitingSince: when.Draw(t, "waiting"),
			Team: parley.TeamRef{ID: id.Draw(t, "team"), Name: text.Draw(t, "teamName")}, SnoozedUntil: when.Draw(t, "snoozed"), WokeAt: when.Draw(t, "woke"),
			MergedInto: id.Draw(t, "mergedInto"), SplitFrom: id.Draw(t, "splitFrom"),
		}
		sameMeaning(t, wire.AppendConversation(nil, &c), mirrorConversation(&c))
	})
}

func TestContactReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, id, when := bytesText(), drawID(), drawTime()
		c := parley.Contact{
			ID: id.Draw(t, "id"), Name: text.Draw(t, "name"), Email: text.Draw(t, "email"), PhoneNumber: text.Draw(t, "phone"),
			ShopName: text.Draw(t, "shop"), AvatarURL: text.Draw(t, "avatar"), Identifier: text.Draw(t, "identifier"),
			Company:   parley.CompanyRef{ID: id.Draw(t, "company"), Name: text.Draw(t, "companyName")},
			CreatedAt: when.Draw(t, "created"), UpdatedAt: when.Draw(t, "updated"), LastActivityAt: when.Draw(t, "active"),
		}
		if err := setAttribute(&c.CustomAttributes, text.Draw(t, "key"), text.Draw(t, "value")); err != nil {
			t.Fatal(err)
		}
		full := wire.AppendContact(nil, &c, true)
		sameMeaning(t, full, mirrorContact(&c))
		if got := wire.WithStoreID(wire.AppendContact(nil, &c, false)); !bytes.Equal(got, full) {
			t.Fatalf("WithStoreID\ngot  %s\nwant %s", got, full)
		}
	})
}

func setAttribute(a *parley.Attributes, key, value string) error {
	patch, err := json.Marshal(map[string]string{key: value})
	if err != nil {
		return err
	}
	*a, err = a.Merge(parley.Attributes(patch))
	return err
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "plain", "\"\\\x00\x1f\x7f", "</script>&", "\u2028\u2029\u2027\ufffd", "\xff\xe2\x80", "🙂\xed\xa0\x80"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		sameMeaning(t, wire.AppendGroupAdmin(nil, s, "49151", true), struct {
			JID   string `json:"group_jid"`
			Phone string `json:"phone"`
			Admin bool   `json:"is_admin"`
		}{s, "49151", true})
	})
}

func conversations(n int) []parley.Conversation {
	page := make([]parley.Conversation, n)
	for i := range page {
		page[i] = conversation()
	}
	return page
}

func BenchmarkPageOf50(b *testing.B) {
	page := conversations(50)
	b.Run("wire", func(b *testing.B) {
		b.ReportAllocs()
		var buffer []byte
		for b.Loop() {
			buffer = wire.AppendPage(buffer[:0], page, true, "next", wire.AppendConversation)
		}
		b.SetBytes(int64(len(buffer)))
	})
	b.Run("encoding/json", func(b *testing.B) {
		b.ReportAllocs()
		shown := shownPage{HasMore: true, NextCursor: "next"}
		for i := range page {
			shown.Data = append(shown.Data, mirrorConversation(&page[i]))
		}
		size := 0
		for b.Loop() {
			text, err := json.Marshal(shown)
			if err != nil {
				b.Fatal(err)
			}
			size = len(text)
		}
		b.SetBytes(int64(size))
	})
}

func BenchmarkWithStoreID(b *testing.B) {
	c := contact()
	stored := wire.AppendContact(nil, &c, false)
	b.ReportAllocs()
	for b.Loop() {
		wire.WithStoreID(stored)
	}
}
