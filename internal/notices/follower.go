package notices

import (
	"bytes"
	"context"
	"slices"

	"parley"
	"parley/internal/desk"
	"parley/internal/follow"
)

// turnFacts is the most facts of a turn, each of which many members may be told: so its
// transaction is short.
const turnFacts = 100

// ofLog returns the follower that writes notices. It has no past: who starts it is not
// told what happened before.
func (svc *Service) ofLog() follow.Follower {
	return follow.Follower{
		Name: "notices", Version: 1,
		Lost:   func(follow.Loss) follow.Start { return follow.FromEnd },
		Events: svc.turn,
	}
}

// turn prepares the notices of events.
func (svc *Service) turn(_ context.Context, ws parley.WorkspaceID, events []parley.Event) (follow.Step, error) {
	var facts []fact
	read := 0
	for i := range events {
		if len(facts) == turnFacts {
			break
		}
		f, matters, err := factOf(&events[i])
		if err != nil {
			return follow.Step{}, err
		}
		if matters {
			facts = append(facts, f)
		}
		read++
	}
	if len(facts) == 0 {
		return follow.Step{Events: read}, nil
	}
	var told []parley.UserID
	return follow.Step{
		Events: read,
		Store: func(t *desk.Tx) (err error) {
			told, err = svc.store(t, facts)
			return err
		},
		After: func(ctx context.Context) {
			for _, member := range told {
				svc.tell(ctx, ws, member)
			}
		},
	}, nil
}

// A key is what a member has at most one unread notice of.
type key struct {
	member       parley.UserID
	conversation parley.ID
	kind         parley.NoticeKind
}

// An outcome is what facts mean for the members, while they are gone through in their
// order.
type outcome struct {
	known map[parley.ID]*known
	made  map[key]*parley.MemberNotice
	order []key // of made
	reads []key // kind "": every kind
	joins []Follow
}

// A known is what the store has about a conversation.
type known struct {
	place     parley.Place
	followers []Follow
	marks     map[parley.UserID]parley.ID // up to where members have read
}

// store stores what facts mean, and returns which members' notices have changed.
func (svc *Service) store(t *desk.Tx, facts []fact) ([]parley.UserID, error) {
	o := outcome{made: map[key]*parley.MemberNotice{}}
	if err := o.read(t, facts); err != nil {
		return nil, err
	}
	for i := range facts {
		o.apply(&facts[i])
	}
	return svc.write(t, &o)
}

// read reads what is stored about the conversations of facts. Those that were erased,
// merged, or are spam are unknown.
func (o *outcome) read(t *desk.Tx, facts []fact) error {
	var ids []parley.ID
	for i := range facts {
		ids = append(ids, facts[i].conversation)
	}
	slices.SortFunc(ids, func(a, b parley.ID) int { return bytes.Compare(a[:], b[:]) })
	ids = slices.Compact(ids)
	conversations, err := t.ConversationsOf(t.Visibility, ids)
	if err != nil {
		return err
	}
	follows, err := SelectFollows(t, t.Visibility, ids)
	if err != nil {
		return err
	}
	marks, err := SelectMarks(t, t.Visibility, ids)
	if err != nil {
		return err
	}
	o.known = make(map[parley.ID]*known, len(conversations))
	for i := range conversations {
		if c := &conversations[i]; !c.Spam && c.MergedInto.IsZero() {
			o.known[c.ID] = &known{place: c.Place(), marks: map[parley.UserID]parley.ID{}}
		}
	}
	for _, f := range follows {
		if k := o.known[f.Conversation]; k != nil {
			k.followers = append(k.followers, f)
		}
	}
	for _, m := range marks {
		if k := o.known[m.Conversation]; k != nil {
			k.marks[m.Member] = m.Message
		}
	}
	return nil
}

// apply goes on with a fact.
func (o *outcome) apply(f *fact) {
	k := o.known[f.conversation]
	if k == nil {
		return
	}
	if f.reads {
		for _, member := range f.own {
			o.forget(key{member: member, conversation: f.conversation})
		}
	}
	if f.former != "" {
		o.forget(key{member: f.former, conversation: f.conversation, kind: parley.NoticeAssigned})
	}
	for _, member := range f.named {
		o.join(k, Follow{Conversation: f.conversation, Member: member, On: true, Since: f.at})
		o.tell(f, k, member, f.kind)
	}
	if f.toAll == "" {
		return
	}
	if f.assignee != "" && !slices.Contains(f.named, f.assignee) {
		o.tell(f, k, f.assignee, f.toAll)
	}
	for _, other := range k.followers {
		if other.On && other.Member != f.assignee && !slices.Contains(f.named, other.Member) {
			o.tell(f, k, other.Member, f.toAll)
		}
	}
}

// join adds a follower, unless the member has decided about it before.
func (o *outcome) join(k *known, f Follow) {
	if slices.ContainsFunc(k.followers, func(before Follow) bool { return before.Member == f.Member }) {
		return
	}
	o.joins, k.followers = append(o.joins, f), append(k.followers, f)
}

// forget ends the unread notices of a key.
func (o *outcome) forget(which key) {
	o.order = slices.DeleteFunc(o.order, func(k key) bool {
		ends := k.member == which.member && k.conversation == which.conversation && (which.kind == "" || which.kind == k.kind)
		if ends {
			delete(o.made, k)
		}
		return ends
	})
	o.reads = append(o.reads, which)
}

// tell adds a notice, unless the member has done it or has read the message.
func (o *outcome) tell(f *fact, k *known, member parley.UserID, kind parley.NoticeKind) {
	if slices.Contains(f.own, member) {
		return
	}
	if mark, ok := k.marks[member]; ok && !f.message.IsZero() && bytes.Compare(mark[:], f.message[:]) >= 0 {
		return
	}
	at := key{member: member, conversation: f.conversation, kind: kind}
	n := o.made[at]
	if n == nil {
		n = &parley.MemberNotice{MemberID: member, ConversationID: f.conversation, Kind: kind, CreatedAt: f.at}
		o.made[at] = n
		o.order = append(o.order, at)
	}
	n.Actor, n.MessageID, n.UpdatedAt = f.actor, f.message, f.at
	n.Count++
}

// limit takes away what concerns members who were removed, and the joins and notices of
// those who do not see the conversation.
func (o *outcome) limit(t *desk.Tx) error {
	var members []parley.UserID
	for _, f := range o.joins {
		members = append(members, f.Member)
	}
	for _, k := range append(slices.Clone(o.reads), o.order...) {
		members = append(members, k.member)
	}
	slices.Sort(members)
	if members = slices.Compact(members); len(members) == 0 {
		return nil
	}
	sights, err := SelectSights(t, t.WS, members)
	if err != nil {
		return err
	}
	blind := func(member parley.UserID, conversation parley.ID) bool {
		sight, current := sights[member]
		return !current || !sight.Visibility(t.WS).IncludesPlace(o.known[conversation].place)
	}
	o.joins = slices.DeleteFunc(o.joins, func(f Follow) bool { return blind(f.Member, f.Conversation) })
	o.reads = slices.DeleteFunc(o.reads, func(k key) bool { _, current := sights[k.member]; return !current })
	o.order = slices.DeleteFunc(o.order, func(k key) bool { return blind(k.member, k.conversation) })
	return nil
}

// write stores an outcome, and returns which members' notices or follows have changed.
func (svc *Service) write(t *desk.Tx, o *outcome) ([]parley.UserID, error) {
	if err := o.limit(t); err != nil {
		return nil, err
	}
	var told []parley.UserID
	for _, f := range o.joins {
		if err := InsertFollow(t, t.WS, f); err != nil {
			return nil, err
		}
		told = append(told, f.Member)
	}
	for _, k := range o.reads {
		if err := readKey(t, k); err != nil {
			return nil, err
		}
		told = append(told, k.member)
	}
	for _, k := range o.order {
		told = append(told, k.member)
	}
	slices.Sort(told)
	if told = slices.Compact(told); len(told) == 0 {
		return nil, nil
	}
	w, err := t.Workspace(t.WS)
	if err != nil {
		return nil, err
	}
	for _, k := range o.order {
		o.made[k].ID = t.IDs.New(t.Now)
		n, err := PutNotice(t, t.WS, o.made[k], w.Epoch)
		if err != nil {
			return nil, err
		}
		for _, told := range svc.told {
			if err := told(t, &n); err != nil {
				return nil, err
			}
		}
	}
	return told, nil
}

func readKey(t *desk.Tx, k key) error {
	if k.kind == "" {
		return desk.ReadNotices(t, t.WS, k.member, k.conversation, t.Now)
	}
	return ReadNoticesOfKind(t, t.WS, readBy{k.member, t.Now}, k.conversation, k.kind)
}
