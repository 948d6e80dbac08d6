package publicapi

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/surface"
	"parley/internal/wire"
)

func (c *call) limit(name string, fallback int) int {
	return c.QueryInt(name, fallback, 1, parley.MaxLimit)
}

func (a *API) listConversations(c *call) (httpjson.Reply, error) {
	limit := c.limit("limit", parley.DefaultLimit)
	filter := surface.ListFilter(c.Reader)
	list := conversationList(&filter)
	after := c.cursor("cursor", list)
	if httpjson.QueryOneOf(c.Reader, "include", []string{"lastMessage"}) != "" {
		return get(c, func(p parley.Page[desk.ListedConversation]) []byte {
			return wire.AppendPage(nil, p.Items, p.HasMore, c.nextCursor(list, p.Next), listedConversation)
		}, a.desk.ListedConversations(c.visibility(), filter, after, limit))
	}
	return get(c, func(p parley.Page[parley.Conversation]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, c.nextCursor(list, p.Next), wire.AppendConversation)
	}, a.desk.Conversations(c.visibility(), filter, after, limit))
}

func listedConversation(b []byte, c *desk.ListedConversation) []byte {
	return wire.AppendListedConversation(b, &c.Conversation, c.Last)
}

func (a *API) createConversation(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	in := desk.NewConversation{
		ContactID: httpjson.Required(c.Reader, "contactId", httpjson.ID),
		InboxID:   httpjson.Default(c.Reader, "inboxId", httpjson.ID, parley.ID{}),
		ProductID: httpjson.ChangeOrNull(c.Reader, "productId", httpjson.ID),
		TeamID:    httpjson.ChangeOrNull(c.Reader, "teamId", httpjson.ID),

		Status:           httpjson.Change(c.Reader, "status", httpjson.OneOf(parley.Statuses)).Value,
		Priority:         httpjson.Change(c.Reader, "priority", httpjson.OneOf(parley.Priorities)).Value,
		Labels:           httpjson.Change(c.Reader, "labels", labels).Value,
		AssigneeID:       httpjson.Change(c.Reader, "assigneeId", httpjson.User).Value,
		CustomAttributes: httpjson.Change(c.Reader, "customAttributes", httpjson.Attributes).Value,
		CreatedAt:        httpjson.Change(c.Reader, "createdAt", httpjson.Time).Value,
	}
	return do(c, func(made parley.Conversation) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendConversation(nil, &made))
	}, func(ctx context.Context, by desk.Caller) (parley.Conversation, error) {
		return a.desk.CreateConversation(ctx, by, in)
	})
}

// labels is the rule for the labels of a new conversation.
func labels(raw json.RawMessage) ([]string, error) {
	return httpjson.ListOf(0, parley.MaxLabels, httpjson.Label)(raw)
}

// keptLabels is the rule for labels that may already be on the conversation;
// the desk refuses new ones that are not parley.Addressable.
func keptLabels(raw json.RawMessage) ([]string, error) {
	return httpjson.ListOf(0, parley.MaxLabels, httpjson.KeptLabel)(raw)
}

func (a *API) markConversationRead(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadOptionalBody()
	return do(c, func(read parley.Conversation) httpjson.Reply {
		return httpjson.OK(wire.AppendConversation(nil, &read))
	}, func(ctx context.Context, by desk.Caller) (parley.Conversation, error) {
		return a.desk.ReadConversation(ctx, by, id)
	})
}

func (a *API) addLabel(c *call) (httpjson.Reply, error)    { return a.label(c, true) }
func (a *API) removeLabel(c *call) (httpjson.Reply, error) { return a.label(c, false) }

func (a *API) label(c *call, on bool) (httpjson.Reply, error) {
	id, label := c.PathID("id"), parley.LabelName(c.PathText("label"))
	if n := utf8.RuneCountInString(label); n < 1 || n > parley.MaxLabelLength {
		c.Refuse("label", fmt.Sprintf("be 1 to %d characters, not blank", parley.MaxLabelLength))
	} else if on && !parley.Addressable(label) {
		c.Refuse("label", parley.UnaddressableRule)
	}
	return do(c, func(labelled parley.Conversation) httpjson.Reply {
		return httpjson.OK(wire.AppendConversation(nil, &labelled))
	}, func(ctx context.Context, by desk.Caller) (parley.Conversation, error) {
		return a.desk.LabelConversation(ctx, by, id, label, on)
	})
}

func (a *API) getConversation(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	limit := c.limit("messages_limit", parley.DefaultLimit)
	list := "messages of " + id.String()
	before := c.cursor("messages_cursor", list)
	return get(c, func(t desk.Thread) []byte {
		return wire.AppendThread(nil, &t.Conversation, &t.Messages, c.nextCursor(list, t.Messages.Next), a.desk.Attachments().FileSigner(c.ws))
	}, a.desk.Thread(c.visibility(), id, before, limit))
}

func (a *API) getConversationHistory(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	limit := c.limit("limit", parley.DefaultLimit)
	list := "history of " + id.String()
	after := c.cursor("cursor", list)
	return get(c, func(p parley.Page[parley.HistoryEntry]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, c.nextCursor(list, p.Next), wire.AppendHistoryEntry)
	}, a.desk.ConversationHistory(c.visibility(), id, after, limit))
}

func (a *API) updateConversation(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	in := desk.ConversationChange{
		If:               conversationValues(c.Reader),
		Status:           httpjson.Change(c.Reader, "status", httpjson.OneOf(parley.Statuses)),
		SnoozedUntil:     httpjson.ChangeOrNull(c.Reader, "snoozedUntil", httpjson.Time),
		Priority:         httpjson.ChangeOrNull(c.Reader, "priority", httpjson.OneOf(parley.Priorities)),
		AssigneeID:       httpjson.ChangeOrNull(c.Reader, "assigneeId", httpjson.User),
		Labels:           httpjson.Change(c.Reader, "labels", keptLabels),
		ProductID:        httpjson.ChangeOrNull(c.Reader, "productId", httpjson.ID),
		TeamID:           httpjson.ChangeOrNull(c.Reader, "teamId", httpjson.ID),
		Spam:             httpjson.Change(c.Reader, "spam", httpjson.Bool),
		CustomAttributes: httpjson.Default(c.Reader, "customAttributes", httpjson.Attributes, ""),
	}
	return do(c, func(changed parley.Conversation) httpjson.Reply {
		return httpjson.OK(wire.AppendConversation(nil, &changed))
	}, func(ctx context.Context, by desk.Caller) (parley.Conversation, error) {
		return a.desk.UpdateConversation(ctx, by, id, in)
	})
}

// conversationValues reads what the conversation must have before a change.
func conversationValues(in *httpjson.Reader) (v desk.ConversationValues) {
	httpjson.Object(in, "if", func(in *httpjson.Reader) {
		v = desk.ConversationValues{
			Status:       httpjson.Change(in, "status", httpjson.OneOf(parley.Statuses)),
			Priority:     httpjson.ChangeOrNull(in, "priority", httpjson.OneOf(parley.Priorities)),
			AssigneeID:   httpjson.ChangeOrNull(in, "assigneeId", httpjson.User),
			TeamID:       httpjson.ChangeOrNull(in, "teamId", httpjson.ID),
			ProductID:    httpjson.ChangeOrNull(in, "productId", httpjson.ID),
			Labels:       httpjson.Change(in, "labels", keptLabels),
			SnoozedUntil: httpjson.ChangeOrNull(in, "snoozedUntil", httpjson.Time),
			Spam:         httpjson.Change(in, "spam", httpjson.Bool),
		}
	})
	return v
}

func (a *API) listMessages(c *call) (httpjson.Reply, error) {
	q := desk.MessageQuery{
		ConversationID: c.PathID("id"),
		Order:          cmp.Or(httpjson.QueryOneOf(c.Reader, "order", parley.Orders), parley.Ascending),
		Limit:          c.limit("limit", parley.DefaultLimit),
		From:           c.QueryID("from"),
	}
	list := messageList(&q)
	q.After = c.cursor("cursor", list)
	return get(c, func(p parley.Page[parley.Message]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, c.nextCursor(list, p.Next), a.signedMessage(c))
	}, a.desk.Messages(c.visibility(), q))
}

func (a *API) getMessage(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return get(c, func(m parley.Message) []byte { return a.signedMessage(c)(nil, &m) },
		a.desk.Message(c.visibility(), id))
}

// signedMessage renders messages with signed file addresses.
func (a *API) signedMessage(c *call) func([]byte, *parley.Message) []byte {
	sign := a.desk.Attachments().FileSigner(c.ws)
	return func(b []byte, m *parley.Message) []byte { return wire.AppendSignedMessage(b, m, sign) }
}

// speak prevents a signed-in member from posting as somebody else.
func (c *call) speak(in *desk.NewMessage) {
	if c.member == "" || in.Direction != parley.Outgoing {
		return
	}
	if in.AgentID != "" && in.AgentID != c.member {
		c.Refuse("agentUserId", "be absent or your own id")
	}
	in.AgentID = c.member
}

func (a *API) createMessage(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	in := desk.NewMessage{
		AttachmentIDs: httpjson.Default(c.Reader, "attachmentIds", httpjson.ListOf(0, parley.MaxAttachments, httpjson.ID), nil),
		// If it is absent, the first file determines it.
		ContentType: httpjson.Default(c.Reader, "contentType", httpjson.OneOf(parley.PostedContentTypes), ""),
		Direction:   httpjson.Default(c.Reader, "role", httpjson.OneOf(parley.Directions), parley.Outgoing),
		AgentID:     httpjson.Default(c.Reader, "agentUserId", httpjson.User, ""),
		Private:     httpjson.Default(c.Reader, "isPrivate", httpjson.Bool, false),
		CreatedAt:   httpjson.Change(c.Reader, "createdAt", httpjson.Time).Value,
		Mentions:    httpjson.Default(c.Reader, "mentions", httpjson.ListOf(0, parley.MaxMentions, httpjson.User), nil),
		IfLast:      httpjson.Change(c.Reader, "ifLastMessageId", httpjson.ID).Value,
		IfStatus:    httpjson.Change(c.Reader, "ifStatus", httpjson.ListOf(1, len(parley.Statuses), httpjson.OneOf(parley.Statuses))).Value,
	}
	if len(in.AttachmentIDs) > 0 {
		in.Content = httpjson.Default(c.Reader, "content", httpjson.ContentOrNothing(parley.MaxContent), "")
	} else {
		in.Content = httpjson.Required(c.Reader, "content", httpjson.Content(parley.MaxContent))
	}
	c.speak(&in)
	c.Files = true
	return do(c, func(m parley.Message) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendMessage(nil, &m))
	}, func(ctx context.Context, by desk.Caller) (parley.Message, error) {
		return a.desk.PostMessage(ctx, by, id, in)
	})
}
