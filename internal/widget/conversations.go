package widget

import (
	"context"

	"parley"
	"parley/internal/bot"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/surface"
	"parley/internal/wire"
)

func (a *API) listConversations(c *call) (httpjson.Reply, error) {
	limit := c.QueryInt("limit", parley.DefaultLimit, 1, parley.MaxLimit)
	list := c.list("conversations")
	after := c.QueryCursor("cursor", list)
	return get(c, func(p parley.Page[parley.CustomerConversation]) []byte {
		return wire.AppendPage(nil, p.Items, p.HasMore, list.Cursor(p.Next), wire.AppendCustomerConversation)
	}, a.customers.CustomerConversations(c.session, after, limit))
}

// list names a list of the customer.
func (c *call) list(name string) httpjson.List {
	return httpjson.List{Workspace: c.session.Workspace, Name: "customer's " + name + " of " + c.session.ContactID.String()}
}

// readMessage reads the customer's message from the body.
func (c *call) readMessage() customers.CustomerMessage {
	c.ReadBody()
	in := customers.CustomerMessage{
		AttachmentIDs: httpjson.Default(c.Reader, "attachmentIds", httpjson.ListOf(0, parley.MaxAttachments, httpjson.ID), nil),
	}
	if len(in.AttachmentIDs) > 0 {
		in.Content = httpjson.Default(c.Reader, "content", httpjson.ContentOrNothing(parley.MaxContent), "")
	} else {
		in.Content = httpjson.Required(c.Reader, "content", httpjson.Content(parley.MaxContent))
	}
	return in
}

func (a *API) startConversation(c *call) (httpjson.Reply, error) {
	in := c.readMessage()
	if err := a.keep(c, in.Content); err != nil {
		return httpjson.Reply{}, err
	}
	return doOnce(c, func(s customers.StartedConversation) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendStartedConversation(nil, &s.Conversation, &s.Message))
	}, func(ctx context.Context, once *desk.Once) (customers.StartedConversation, error) {
		return a.customers.StartCustomerConversation(ctx, c.session, once, in)
	})
}

func (a *API) getConversation(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	limit := c.QueryInt("messages_limit", parley.DefaultLimit, 1, parley.MaxLimit)
	list := c.list("messages in " + id.String())
	before := c.QueryCursor("messages_cursor", list)
	return get(c, func(t customers.CustomerThread) []byte {
		return wire.AppendCustomerThread(nil, &t.Conversation, &t.Messages, list.Cursor(t.Messages.Next))
	}, a.customers.CustomerThread(c.session, id, before, limit))
}

func (a *API) postMessage(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	in := c.readMessage()
	if err := a.keep(c, in.Content); err != nil {
		return httpjson.Reply{}, err
	}
	return doOnce(c, func(m parley.Message) httpjson.Reply {
		return httpjson.Saved(true, wire.AppendCustomerMessage(nil, &m))
	}, func(ctx context.Context, once *desk.Once) (parley.Message, error) {
		return a.customers.PostCustomerMessage(ctx, c.session, once, id, in)
	})
}

func (a *API) readConversation(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, func(read parley.CustomerConversation) httpjson.Reply {
		return httpjson.OK(wire.AppendCustomerConversation(nil, &read))
	}, func(ctx context.Context) (parley.CustomerConversation, error) {
		return a.customers.ReadCustomerConversation(ctx, c.session, id)
	})
}

// askForPerson hands the conversation over from the automated agent to a person.
func (a *API) askForPerson(c *call) (httpjson.Reply, error) {
	return a.change(c, bot.AskForPerson)
}

// markHelped records that an answer of the automated agent helped.
func (a *API) markHelped(c *call) (httpjson.Reply, error) {
	message := c.PathID("messageId")
	return a.change(c, func(t *desk.Tx, conversation *parley.Conversation) error {
		return bot.Helped(t, conversation, message)
	})
}

// change makes a change in a conversation of the customer.
func (a *API) change(c *call, change func(*desk.Tx, *parley.Conversation) error) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, func(changed parley.CustomerConversation) httpjson.Reply {
		return httpjson.OK(wire.AppendCustomerConversation(nil, &changed))
	}, func(ctx context.Context) (parley.CustomerConversation, error) {
		return a.customers.ChangeCustomerConversation(ctx, c.session, id, change)
	})
}

// setTyping tells the members whether the customer is typing. Nothing is
// stored.
func (a *API) setTyping(c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	typing := httpjson.Required(c.Reader, "typing", httpjson.Bool)
	return do(c, func(own parley.CustomerConversation) httpjson.Reply {
		places, err := surface.Places(c.Context(), a.desk, c.session.Visibility(), own.ID)
		if err == nil { // otherwise the next key press tells them
			a.live.Signal(c.Context(), c.session.Workspace, live.Signal{
				Name: "presence", Key: own.ContactID.String(), Data: wire.AppendCustomerTyping(nil, own.ContactID, own.ID, typing), Places: places,
			})
		}
		return httpjson.OK([]byte("{}"))
	}, func(ctx context.Context) (parley.CustomerConversation, error) {
		return a.customers.CustomerConversation(ctx, c.session, id)
	})
}
