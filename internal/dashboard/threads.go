package dashboard

import (
	"context"
	"net/http"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/threads"
	"parley/internal/wire"
)

func threadRoutes() []Route {
	const agent, path = parley.Agent, base + "conversations/{id}/links"
	return []Route{
		{"listLinkedConversations", methodGet, path, agent, false, listLinkedConversations},
		{"linkConversations", methodPut, path + "/{otherId}", agent, false, linkConversations},
		{"unlinkConversations", methodDelete, path + "/{otherId}", agent, false, unlinkConversations},
		{"mergeConversations", methodPost, base + "conversations/{id}/merge", agent, false, mergeConversations},
		{"splitConversation", methodPost, base + "conversations/{id}/split", agent, false, splitConversation},
		{"unmergeConversation", methodPost, base + "conversations/{id}/unmerge", agent, false, unmergeConversation},
	}
}

func listLinkedConversations(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, linkedConversations, d.work.Threads.Links(c.visibility(), c.PathID("id")))
}

func linkConversations(d *Dashboard, c *call) (httpjson.Reply, error) {
	return changeLink(d, c, d.work.Threads.Link)
}

func unlinkConversations(d *Dashboard, c *call) (httpjson.Reply, error) {
	return changeLink(d, c, d.work.Threads.Unlink)
}

func linkedConversations(found []parley.Conversation) []byte {
	return wire.AppendData(nil, found, wire.AppendConversation)
}

// changeLink makes or ends a link, and tells the members of a change who may see both. A page that misses
// the signal reads the links when it opens the conversation again.
func changeLink(d *Dashboard, c *call, change func(context.Context, desk.Caller, parley.ID, parley.ID) (threads.Linking, error)) (httpjson.Reply, error) {
	id, other := c.PathID("id"), c.PathID("otherId")
	return do(c, func(linking threads.Linking) httpjson.Reply {
		if linking.Changed {
			d.live.Signal(c.Context(), c.ws(), live.Signal{Name: "link", Data: wire.AppendLinkSignal(nil, id, other), Places: linking.Places})
		}
		return httpjson.OK(linkedConversations(linking.Links))
	}, func(ctx context.Context, by desk.Caller) (threads.Linking, error) {
		return change(ctx, by, id, other)
	})
}

func mergeConversations(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	into := httpjson.Required(c.Reader, "intoId", httpjson.ID)
	return do(c, okConversation, func(ctx context.Context, by desk.Caller) (parley.Conversation, error) {
		return d.work.Threads.Merge(ctx, by, id, into)
	})
}

func unmergeConversation(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, okConversation, func(ctx context.Context, by desk.Caller) (parley.Conversation, error) {
		return d.work.Threads.Unmerge(ctx, by, id)
	})
}

// splitConversation splits a conversation, and tells the members who see it of the link between
// the two, which stand in one place.
func splitConversation(d *Dashboard, c *call) (httpjson.Reply, error) {
	id := c.PathID("id")
	c.ReadBody()
	message := httpjson.Required(c.Reader, "messageId", httpjson.ID)
	return do(c, func(made parley.Conversation) httpjson.Reply {
		d.live.Signal(c.Context(), c.ws(), live.Signal{Name: "link", Data: wire.AppendLinkSignal(nil, made.SplitFrom, made.ID), Places: []parley.Place{made.Place()}})
		return httpjson.Reply{Status: http.StatusCreated, Body: wire.AppendConversation(nil, &made)}
	}, func(ctx context.Context, by desk.Caller) (parley.Conversation, error) {
		return d.work.Threads.Split(ctx, by, id, message)
	})
}

func okConversation(conversation parley.Conversation) httpjson.Reply {
	return httpjson.OK(wire.AppendConversation(nil, &conversation))
}
