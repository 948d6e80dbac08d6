package worktest_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/bulk"
	"parley/internal/desk"
	"parley/internal/teams"
)

// filterOf reads the queries of jobs: the label of open conversations.
func filterOf(query string, _ parley.UserID) (desk.ConversationFilter, error) {
	label, ok := strings.CutPrefix(query, "label=")
	if !ok {
		return desk.ConversationFilter{}, errors.New("no filter")
	}
	return desk.ConversationFilter{Status: parley.Open, Labels: []string{label}}, nil
}

// founds makes the teams of the desk.
func (y *year) founds() {
	for _, name := range []string{"Billing", "Shipping"} {
		made, err := y.node().teams.CreateTeam(y.t.Context(), y.owner(), teams.Change{Name: parley.Some(name)})
		y.must(err)
		y.teams = append(y.teams, made.ID)
	}
}

// routes gives a conversation to a team, or to none.
func (y *year) routes(k *talk, who colleague) string {
	at := y.random.IntN(len(y.teams) + 1)
	in := desk.ConversationChange{TeamID: parley.Null[parley.ID]()}
	if k.team = (parley.ID{}); at < len(y.teams) {
		k.team = y.teams[at]
		in.TeamID = parley.Some(k.team)
	}
	y.change(k, who, in)
	return fmt.Sprint("gives it to the team ", at)
}

// selects changes all open conversations with a label, or some that were chosen.
func (y *year) selects(k *talk, who colleague) string {
	in, chosen := bulk.Request{Query: "label=vip"}, func(o *talk) bool {
		return o.status == parley.Open && !o.spam && slices.Contains(o.labels, "vip")
	}
	if y.random.IntN(2) == 0 {
		in, chosen = bulk.Request{IDs: []parley.ID{k.id}}, func(o *talk) bool { return o == k }
	}
	var did string
	var do func(*talk)
	switch y.random.IntN(3) {
	case 0:
		did, in.Do.Label, do = "labels", "swept", func(o *talk) { o.label("swept", true) }
	case 1:
		did, do = "assigns", func(o *talk) { o.assignee = who.id }
		in.Do.Change.AssigneeID = parley.Some(who.id)
	default:
		did, do = "resolves", func(o *talk) { o.leaves(parley.Resolved) }
		in.Do.Change.Status = parley.Some(parley.Resolved)
	}
	_, err := y.node().bulk.Start(y.t.Context(), y.by(who.id), in)
	y.must(err)
	count := 0
	for _, o := range y.talks {
		if chosen(o) {
			do(o)
			count++
		}
	}
	y.run()
	return fmt.Sprint(did, " ", count, " at once")
}

// A named is what a member has at most one unread notice of: a conversation with notes that
// name the member.
type named struct {
	member parley.UserID
	talk   parley.ID
}

// A told is the unread notice of notes.
type told struct {
	count  int
	latest parley.ID // message
	at     time.Time
}

// fresh reports whether a notice stays at least a day longer, whenever the hourly sweep is.
func (y *year) fresh(n told) bool {
	return y.now().Sub(n.at) < parley.NoticeRetention-24*time.Hour
}

// mentions lets a member name two others in a note.
func (y *year) mentions(k *talk, who colleague) string {
	content, others := fmt.Sprint("note ", y.step), []parley.UserID{y.team[y.random.IntN(len(y.team))].id, who.id}
	at := named{others[0], k.id}
	if before, ok := y.told[at]; ok && !y.fresh(before) {
		return "names nobody"
	}
	m, err := y.node().desk.PostMessage(y.t.Context(), y.by(who.id), k.id, desk.NewMessage{
		Content: content, ContentType: parley.Text, Direction: parley.Outgoing, AgentID: who.id, Private: true, Mentions: desk.Unique(others),
	})
	y.must(err)
	k.said = append(k.said, content)
	if others[0] != who.id && !k.spam {
		y.told[at] = told{y.told[at].count + 1, m.ID, y.now()}
	}
	return content
}

// heeds ends what a member was told of a conversation, which answering does. Nobody is told
// anything of spam, nor that it was answered.
func (y *year) heeds(k *talk, member parley.UserID) {
	if !k.spam {
		delete(y.told, named{member, k.id})
	}
}

// forgets ends what was told of a conversation, or to a member.
func (y *year) forgets(which func(named) bool) {
	for at := range y.told {
		if which(at) {
			delete(y.told, at)
		}
	}
}

// checkNotices requires that each note that names a member is told exactly once, or with a
// later one, until the member answers or it is too old.
func (y *year) checkNotices() {
	y.t.Helper()
	for _, who := range y.team {
		list, err := y.node().notices.Notices(y.owner().Visibility(), who.id).Now(y.t.Context())
		y.must(err)
		if len(list.Items) == parley.MaxNotices {
			y.t.Fatalf("%s has more notices than a list shows; let fewer things be done", who.id)
		}
		var got, want []string
		for _, n := range list.Items {
			if n.Kind == parley.NoticeMentioned && n.ReadAt.IsZero() && y.fresh(told{at: n.UpdatedAt}) {
				got = append(got, fmt.Sprint(n.ConversationID, n.Count, n.MessageID))
			}
		}
		for _, k := range y.talks {
			if t, ok := y.told[named{who.id, k.id}]; ok && !k.spam && y.fresh(t) {
				want = append(want, fmt.Sprint(k.id, t.count, t.latest))
			}
		}
		y.same("mentions of a member", got, want)
	}
	y.forgets(func(at named) bool { return y.now().Sub(y.told[at].at) > parley.NoticeRetention+7*24*time.Hour })
}
