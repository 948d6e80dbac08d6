package dashboard

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/live"
	"parley/internal/notices"
	"parley/internal/wire"
)

func noticeRoutes() []Route {
	const agent, conversation = parley.Agent, base + "conversations/{id}/"
	return []Route{
		{"listNotices", methodGet, base + "notices", agent, false, listNotices},
		{"readNotices", methodPost, base + "notices/read", agent, false, readNotices},
		{"listFollowers", methodGet, conversation + "followers", agent, false, listFollowers},
		{"followConversation", methodPut, conversation + "follow", agent, false, following(true)},
		{"unfollowConversation", methodDelete, conversation + "follow", agent, false, following(false)},
	}
}

func listNotices(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, func(l notices.List) []byte { return wire.AppendNotices(nil, l.Items, l.Unread, l.Following) },
		d.work.Notices.Notices(c.visibility(), c.in.Member.ID))
}

// readNotices tells the member's other tabs. A tab that misses the signal lists the
// notices when it reconnects.
func readNotices(d *Dashboard, c *call) (httpjson.Reply, error) {
	c.ReadBody()
	which := notices.Reading{
		IDs: httpjson.Default(c.Reader, "ids", httpjson.ListOf(1, parley.MaxNotices, httpjson.ID), nil),
		All: httpjson.Default(c.Reader, "all", httpjson.Bool, false),
	}
	if err := c.Err(); err == nil && which.All == (which.IDs != nil) {
		return httpjson.Reply{}, parley.InvalidField("ids", "be given, unless all is true")
	}
	return do(c, func(unread int) httpjson.Reply {
		d.live.Signal(c.Context(), c.ws(), NoticeSignal(c.in.Member.ID))
		return httpjson.OK(wire.AppendUnreadNotices(nil, unread))
	}, func(ctx context.Context, by desk.Caller) (int, error) {
		return d.work.Notices.ReadNotices(ctx, by, which)
	})
}

// NoticeSignal tells the pages of a member that the member's notices have changed.
func NoticeSignal(member parley.UserID) live.Signal {
	return live.Signal{Name: "notice", Member: member, Data: []byte("{}")}
}

func listFollowers(d *Dashboard, c *call) (httpjson.Reply, error) {
	return get(c, followers, d.work.Notices.Followers(c.visibility(), c.PathID("id")))
}

func followers(members []parley.UserID) []byte { return wire.AppendFollowers(nil, members) }

// following makes the member follow a conversation, or leave it, and tells the member's
// other tabs.
func following(on bool) func(*Dashboard, *call) (httpjson.Reply, error) {
	return func(d *Dashboard, c *call) (httpjson.Reply, error) {
		id := c.PathID("id")
		return do(c, func(members []parley.UserID) httpjson.Reply {
			d.live.Signal(c.Context(), c.ws(), NoticeSignal(c.in.Member.ID))
			return httpjson.OK(followers(members))
		}, func(ctx context.Context, by desk.Caller) ([]parley.UserID, error) {
			return d.work.Notices.Follow(ctx, by, id, on)
		})
	}
}
