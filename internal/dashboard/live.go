package dashboard

import (
	"context"
	"slices"
	"time"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/settings"
	"parley/internal/surface"
	"parley/internal/wire"
)

func liveRoutes() []Route {
	return []Route{
		{"getState", methodGet, base + "state", parley.Agent, false, (*Dashboard).getState},
		{"getCounts", methodGet, base + "counts", parley.Agent, false, (*Dashboard).getCounts},
		{"streamEvents", methodGet, base + "events", parley.Agent, false, (*Dashboard).streamEvents},
		{"setPresence", methodPost, base + "presence", parley.Agent, false, (*Dashboard).setPresence},
		{"getUnread", methodGet, base + "unread", parley.Agent, false, (*Dashboard).getUnread},
		{"readConversation", methodPost, base + "conversations/{id}/read", parley.Agent, false, (*Dashboard).readConversation},
		{"unreadConversation", methodPost, base + "conversations/{id}/unread", parley.Agent, false, (*Dashboard).unreadConversation},
	}
}

func (d *Dashboard) getState(c *call) (httpjson.Reply, error) {
	return get(c, func(s settings.State) []byte {
		// The session's copy of the member may be slightly older than the
		// snapshot.
		me := &c.in.Member
		if i := slices.IndexFunc(s.Members, func(m parley.Member) bool { return m.ID == me.ID }); i >= 0 {
			me = &s.Members[i]
		}
		return wire.AppendState(nil, &wire.State{
			Workspace: &s.Workspace, Member: me, Members: s.Members, FormerMembers: s.FormerMembers,
			Inboxes: s.Inboxes, Products: s.Products, Labels: s.Labels, CannedAnswers: s.CannedAnswers, Numbers: s.Numbers, Teams: s.Teams,
		})
	}, d.settings.State(c.ws()))
}

func (d *Dashboard) getCounts(c *call) (httpjson.Reply, error) {
	return get(c, func(n parley.Counts) []byte { return wire.AppendCounts(nil, &n) },
		d.desk.Counts(c.visibility(), c.in.Member.ID))
}

// streamEvents turns the request into a stream of the workspace's events and
// signals.
func (d *Dashboard) streamEvents(c *call) (httpjson.Reply, error) {
	return c.Stream(live.Subscription{
		Visibility: c.visibility(), Credential: c.in.Credential(), Until: c.in.Session.ExpiresAt,
		After: httpjson.StreamPosition(c.Reader),
		Types: httpjson.QueryList(c.Reader, "types", parley.EventTypes), Signals: true, Member: c.in.Member.ID,
	})
}

// presenceTime is how long a reported presence is valid.
const presenceTime = 25 * time.Second

func (d *Dashboard) setPresence(c *call) (httpjson.Reply, error) {
	c.ReadBody()
	conversation := httpjson.ChangeOrNull(c.Reader, "conversationId", httpjson.ID)
	typing := httpjson.Default(c.Reader, "typing", httpjson.Bool, false)
	private := httpjson.Default(c.Reader, "isPrivate", httpjson.Bool, false)
	if err := c.Err(); err != nil {
		return httpjson.Reply{}, err
	}
	signal := live.Signal{Name: "presence", Key: string(c.in.Member.ID)}
	if conversation.Has() {
		places, err := surface.Places(c.Context(), d.desk, c.visibility(), conversation.Value)
		if err != nil {
			return httpjson.Reply{}, err
		}
		if len(places) == 0 { // there is none that the member may see
			conversation = parley.Null[parley.ID]()
		} else {
			signal.Stays, signal.Places, signal.Hidden = presenceTime, places, wire.AppendPresence(nil, c.in.Member.ID, parley.ID{}, false)
		}
	}
	signal.Data = wire.AppendPresence(nil, c.in.Member.ID, conversation.Value, typing && conversation.Has())
	d.live.Signal(c.Context(), c.ws(), signal)
	var typed parley.ID
	if typing && !private {
		typed = conversation.Value
	}
	d.tellCustomer(c, typed)
	return httpjson.OK([]byte("{}")), nil
}

// tellCustomer tells the customer of a conversation, unless it is zero, that
// the member is typing there, and the previously told customer that the typing
// has ended. Nobody else is told: customers must not learn who looks at a
// conversation. A failure is repaired with the next key press.
func (d *Dashboard) tellCustomer(c *call, conversation parley.ID) {
	now, before, err := d.customers.Typing(c.Context(), c.by(), conversation)
	if err != nil {
		return
	}
	tell := func(to customers.TypingTarget, typing bool) {
		if to.ConversationID.IsZero() {
			return
		}
		d.live.Signal(c.Context(), c.ws(), live.Signal{
			Name: "typing", To: to.Audience, Data: wire.AppendMemberTyping(nil, to.ConversationID, c.in.Member.Name, typing),
		})
	}
	if before != now {
		tell(before, false)
	}
	tell(now, true)
}

func (d *Dashboard) getUnread(c *call) (httpjson.Reply, error) {
	return get(c, func(u parley.Unread) []byte { return wire.AppendUnread(nil, &u) },
		d.desk.Unread(c.visibility(), c.in.Member.ID))
}

func (d *Dashboard) readConversation(c *call) (httpjson.Reply, error) {
	return d.reading(c, false, d.desk.ReadConversation)
}

func (d *Dashboard) unreadConversation(c *call) (httpjson.Reply, error) {
	return d.reading(c, true, d.desk.UnreadConversation)
}

// reading changes what the member has read, and tells the member's other tabs.
// A tab that misses the signal reads the state when it reconnects.
func (d *Dashboard) reading(c *call, unread bool, verb func(context.Context, desk.Caller, parley.ID) (parley.Conversation, error)) (httpjson.Reply, error) {
	id := c.PathID("id")
	return do(c, func(conversation parley.Conversation) httpjson.Reply {
		d.live.Signal(c.Context(), c.ws(), live.Signal{
			Name: "reading", Member: c.in.Member.ID, Data: wire.AppendReading(nil, id, unread),
		})
		return httpjson.OK(wire.AppendConversation(nil, &conversation))
	}, func(ctx context.Context, by desk.Caller) (parley.Conversation, error) {
		return verb(ctx, by, id)
	})
}
