package desk_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/bot/results"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/reports"
	"parley/internal/store"
	"parley/internal/teams"
	"parley/internal/wire"
)

// A twin is one of two equal workspaces.
type twin struct {
	*desktest.World
	by            desk.Caller
	names         *strings.Replacer // of ids
	conversations []parley.ID
	products      []parley.ID
	team          parley.ID // of the second product
	start         parley.LogPosition
}

// newTwin makes a workspace with conversations of three contacts, two of one company, and
// of two products. The automated agent is about to answer in one, and waits in another.
// The last was merged into the first.
func newTwin(w *desktest.World, name string) *twin {
	f := w.Found(name)
	tw := &twin{World: w, by: desktest.OwnerOf(f)}
	names := []string{string(f.Owner.ID), "owner", f.Workspace.ID.String(), "home", strings.ToLower(name), "twin", name, "twin"}
	must := w.Must
	for i := range 2 {
		p, err := w.Desk.CreateProduct(w.T.Context(), tw.by, fmt.Sprint("product ", i), "")
		must(err)
		names = append(names, p.ID.String(), p.Name)
		tw.products = append(tw.products, p.ID)
	}
	team, err := teams.New(w.Desk).CreateTeam(w.T.Context(), tw.by, teams.Change{
		Name: parley.Some("Returns"), Color: parley.Some[parley.LabelColor]("red"), ProductIDs: parley.Some(tw.products[1:]),
	})
	must(err)
	tw.team = team.ID
	names = append(names, team.ID.String(), "team")
	company, err := w.Desk.SaveCompany(w.T.Context(), tw.by, desk.CompanyFields{Name: parley.Some("Acme")})
	must(err)
	names = append(names, company.Record.ID.String(), "company")
	var contacts []parley.ID
	for i := range 3 {
		contact := w.Contact(tw.by, fmt.Sprint("contact ", i))
		names = append(names, contact.ID.String(), contact.Name)
		if i < 2 {
			_, err := w.Desk.UpdateContact(w.T.Context(), tw.by, contact.ID, desk.ContactFields{CompanyID: parley.Some(company.Record.ID)})
			must(err)
		}
		contacts = append(contacts, contact.ID)
	}
	for i := range 7 {
		c := w.Conversation(tw.by, contacts[i%3])
		names = append(names, c.ID.String(), fmt.Sprint("conversation ", i), c.Inbox.ID.String(), "inbox")
		tw.conversations = append(tw.conversations, c.ID)
	}
	_, err = desk.Write(w.T.Context(), w.Desk, tw.by, func(t *desk.Tx) (bool, error) {
		for i, state := range map[int]parley.AgentState{1: parley.AgentAnswering, 2: parley.AgentWaiting, 6: parley.AgentNone} {
			c, err := t.Conversation(t.Visibility, tw.conversations[i])
			if err != nil {
				return false, err
			}
			c.Agent.State, c.Product.ID = state, tw.products[0]
			if i == 6 {
				c.MergedInto, c.MergedAt = tw.conversations[0], t.Now
			} else if err := results.Begin(t, t.WS, &c, t.Now); err != nil {
				return false, err
			}
			if state == parley.AgentAnswering {
				if err := desk.InsertAgentJob(t, t.WS, desk.NewAgentJob(c.ID, c.ID, t.Now)); err != nil {
					return false, err
				}
			}
			if err := t.UpdateConversation(t.WS, &c, t.Now); err != nil {
				return false, err
			}
		}
		return true, nil
	})
	must(err)
	tw.names = strings.NewReplacer(names...)
	return tw
}

// state is all that changes of conversations leave.
func (tw *twin) state() string {
	var b []byte
	ws, vis := tw.by.Workspace, parley.WholeWorkspace(tw.by.Workspace)
	_, err := desk.Snapshot(tw.Desk, func(v *store.View) (bool, error) {
		for _, id := range tw.conversations {
			c, err := v.Conversation(vis, id)
			if err != nil {
				return false, err
			}
			c.UpdatedAt = time.Time{}
			b = fmt.Appendf(append(wire.AppendConversation(b, &c), '\n'), "%v %v %v\n", c.OpenedAt, c.FirstResponseAt, c.Agent)
			h, err := v.ConversationHistory(vis, id, parley.Position{}, 200)
			if err != nil {
				return false, err
			}
			for _, e := range h.Items {
				b = fmt.Appendf(b, "%s %s %v %s\n", e.Type, e.CreatedAt, e.Origin, e.Changes)
			}
			if _, err := desk.SelectAgentJob(v, ws, id); err == nil {
				b = append(b, "job\n"...)
			}
		}
		for _, label := range []string{"vip", "refund"} {
			p, err := v.ConversationIDs(vis, store.ConversationFilter{Labels: []string{label}}, parley.Position{}, 99)
			b = fmt.Appendf(b, "%s %v %v\n", label, p.Items, err)
		}
		counts, err := results.Counts(v, ws, 0, 1<<20)
		if err != nil {
			return false, err
		}
		lines := []string{}
		for _, c := range counts {
			if c.Count != 0 {
				lines = append(lines, fmt.Sprint(tw.names.Replace(c.ProductID.String()), c.Day, c.Result, c.Reason, c.Count))
			}
		}
		today := parley.DayOf(tw.Now())
		for _, by := range parley.ReportBys {
			cells, err := reports.SelectReportDays(v, vis, by, today-300, today)
			if err != nil {
				return false, err
			}
			for _, c := range cells {
				lines = append(lines, tw.names.Replace(fmt.Sprintf("%+v", c)))
			}
		}
		slices.Sort(lines)
		b = append(b, strings.Join(lines, "\n")...)
		return true, nil
	}).Now(tw.T.Context())
	tw.Must(err)
	return tw.names.Replace(string(b))
}

// told returns the events since it was called last.
func (tw *twin) told() string {
	page, err := tw.Desk.Events(tw.T.Context(), tw.by.Workspace, parley.Some(tw.start), 200)
	tw.Must(err)
	tw.start = page.Next
	text := ""
	for i := range page.Events {
		e := &page.Events[i]
		data, _, _ := strings.Cut(string(e.Data), `"updatedAt"`)
		text += fmt.Sprintf("%s %s %v %v %v %s\n", e.Type, e.ConversationID, e.Changed, e.Place, e.Before, data)
	}
	return tw.names.Replace(text)
}

// TestChangeManyIsChangeOne makes random changes of several conversations in one of two
// equal workspaces, and the same changes one by one in the other. Rows, events, history,
// counts and refusals stay equal, also where an id leads to another conversation.
func TestChangeManyIsChangeOne(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		one, many := newTwin(w, "Singly"), newTwin(w, "Together")
		random := rand.New(rand.NewPCG(1, 2))
		one.told()
		many.told()
		refused, changed := 0, 0
		for step := range 80 {
			w.Advance(time.Duration(random.IntN(20)) * time.Hour)
			order := random.Perm(len(one.conversations) + 1)[:1+random.IntN(6)]
			change := func(tw *twin) desk.ConversationChange { return tw.change(rand.New(rand.NewPCG(3, uint64(step)))) }
			got, want := []string{}, []string{}
			ids := func(tw *twin) (ids []parley.ID) {
				for _, n := range order {
					if n == len(tw.conversations) {
						ids = append(ids, parley.ID{9})
					} else {
						ids = append(ids, tw.conversations[n])
					}
				}
				return ids
			}
			for _, id := range ids(one) {
				c, err := w.Desk.UpdateConversation(t.Context(), one.by, id, change(one))
				want = append(want, one.names.Replace(fmt.Sprint(c.ID, " ", err)))
				if err != nil {
					want[len(want)-1] = one.names.Replace(err.Error())
				}
			}
			outcomes, err := desk.Write(t.Context(), w.Desk, many.by, func(t *desk.Tx) ([]desk.Outcome, error) {
				return t.ChangeConversations(ids(many), func(*parley.Conversation) (desk.ConversationChange, error) { return change(many), nil })
			})
			w.Must(err)
			for _, o := range outcomes {
				got = append(got, many.names.Replace(fmt.Sprint(o.Conversation.ID, " ", o.Err)))
				if o.Err != nil {
					refused++
					got[len(got)-1] = many.names.Replace(o.Err.Error())
				}
				changed += len(o.Changed)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("step %d: the outcomes are\n%q, one by one\n%q", step, got, want)
			}
			if got, want := many.told(), one.told(); got != want {
				t.Fatalf("step %d: the events are\n%s\none by one\n%s", step, got, want)
			}
			if got, want := many.state(), one.state(); got != want {
				t.Fatalf("step %d: the state is\n%s\none by one\n%s", step, got, want)
			}
		}
		if refused < 20 || changed < 100 {
			t.Errorf("only %d changes were refused, and %d members changed", refused, changed)
		}
	})
}

// change returns a random change. One that depends on the values before is never made
// twice for one conversation.
func (tw *twin) change(random *rand.Rand) (in desk.ConversationChange) {
	draw := func(n int) bool { return random.IntN(n) == 0 }
	if draw(2) {
		in.Status = parley.Some(parley.Statuses[random.IntN(len(parley.Statuses))])
	}
	if draw(3) {
		in.Priority = parley.Some(parley.Priorities[random.IntN(len(parley.Priorities))])
	}
	if draw(3) {
		in.AssigneeID = []parley.Optional[parley.UserID]{parley.Null[parley.UserID](), parley.Some(tw.by.Member), parley.Some(parley.UserID("usr_nobody"))}[random.IntN(3)]
	}
	if draw(3) {
		in.Labels = parley.Some([][]string{nil, {"vip"}, {"refund", "vip"}}[random.IntN(3)])
	}
	if draw(3) {
		in.ProductID = parley.Some(tw.products[random.IntN(2)])
	}
	if draw(6) {
		in.Spam = parley.Some(draw(2))
	}
	if draw(3) {
		in.TeamID = []parley.Optional[parley.ID]{parley.Null[parley.ID](), parley.Null[parley.ID](), parley.Some(tw.team), parley.Some(parley.ID{9})}[random.IntN(4)]
	}
	if !in.Priority.Set && draw(3) {
		in.If.Priority = parley.Some(parley.Priorities[random.IntN(len(parley.Priorities))])
	}
	return in
}

// TestConversationNow follows a merged conversation in every verb, and no further than to
// the one that it was merged into.
func TestConversationNow(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		contact := w.Contact(w.By(), "Ann")
		source, target := w.Conversation(w.By(), contact.ID), w.Conversation(w.By(), contact.ID)
		_, err := desk.Write(t.Context(), w.Desk, w.By(), func(t *desk.Tx) (bool, error) {
			source.MergedInto, source.MergedAt, source.Status = target.ID, t.Now, parley.Resolved
			return true, t.UpdateConversation(t.WS, &source, t.Now)
		})
		w.Must(err)
		if m := w.Post(w.By(), source.ID, "hi", false); m.ConversationID != target.ID {
			t.Errorf("the message is in %s, want the target", m.ConversationID)
		}
		for name, do := range map[string]func() (parley.Conversation, error){
			"change": func() (parley.Conversation, error) {
				return w.Desk.UpdateConversation(t.Context(), w.By(), source.ID, desk.ConversationChange{Priority: parley.Some(parley.Urgent)})
			},
			"label": func() (parley.Conversation, error) {
				return w.Desk.LabelConversation(t.Context(), w.By(), source.ID, "vip", true)
			},
			"read":   func() (parley.Conversation, error) { return w.Desk.ReadConversation(t.Context(), w.By(), source.ID) },
			"unread": func() (parley.Conversation, error) { return w.Desk.UnreadConversation(t.Context(), w.By(), source.ID) },
		} {
			if c, err := do(); err != nil || c.ID != target.ID {
				t.Errorf("%s leads to %s (%v), want the target", name, c.ID, err)
			}
		}
	})
}
