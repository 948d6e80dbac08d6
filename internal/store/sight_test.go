package store_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/desk"
	"parley/internal/notices"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/teams"
)

// TestListsOfMembers lists conversations as members who see some, in each way of reading
// a list, page by page, and compares with those among all that they see.
func TestListsOfMembers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := storetest.NewHome(t, s)
		random := rand.New(rand.NewPCG(1, 2))
		inboxes, groups := []parley.ID{h.Inbox.ID, {15: 21}, {15: 22}}, []parley.ID{{}, {15: 31}, {15: 32}}
		people := []parley.UserID{"", h.Member.ID, "usr_b"}
		write(t, s, h.WS, func(tx *store.Tx) error {
			for _, id := range inboxes[1:] {
				if err := tx.InsertInbox(h.WS, &parley.Inbox{ID: id, Name: "In", Channel: parley.ChannelAPI}); err != nil {
					return err
				}
			}
			for i, id := range groups[1:] {
				if err := teams.InsertTeam(tx, h.WS, &parley.Team{ID: id, Name: []string{"A", "B"}[i]}); err != nil {
					return err
				}
			}
			return inserted(tx.InsertMember(h.WS, &parley.Member{ID: people[2], Email: "b@home.example", Name: "Bo", Role: parley.Agent}))
		})
		fill(t, s, h.WS, 90, func(tx *store.Tx, i int) error {
			c := h.Conversation
			c.ID, c.LastActivityAt = parley.ID{14: 9, 15: byte(i)}, at(int64(i))
			c.Inbox.ID, c.Team.ID, c.Assignee.ID = inboxes[random.IntN(3)], groups[random.IntN(3)], people[random.IntN(3)]
			return tx.InsertConversation(h.WS, &c, c.LastActivityAt)
		})
		sights := map[string]parley.Own{
			"nothing": {}, "an inbox": {Inboxes: inboxes[:1]}, "a team": {Teams: groups[1:2]}, "both": {Inboxes: inboxes[:1], Teams: groups[1:2]},
			"all inboxes": {Inboxes: inboxes}, "all teams": {Teams: groups[1:]}, "another inbox": {Inboxes: []parley.ID{{15: 99}}},
		}
		ways := map[string]store.ScanLimits{
			"few": {First: -1, Sortable: 1000, Last: -1}, "in order": {First: 1000, Sortable: -1, Last: -1}, "to an end": {First: 5, Sortable: -1, Last: 40}, "usual": {First: 200, Sortable: 5000, Last: 10000},
		}
		view(t, s, func(v *store.View) error {
			all, err := items(v.Conversations(parley.WholeWorkspace(h.WS), store.ConversationFilter{}, parley.Position{}, 200))
			if err != nil {
				return err
			}
			for name, own := range sights {
				for _, own.Member = range []parley.UserID{h.Member.ID, "usr_else"} {
					vis := parley.Sight{Own: &own}.Visibility(h.WS)
					var want []parley.ID
					for i := range all {
						if vis.IncludesPlace(all[i].Place()) {
							want = append(want, all[i].ID)
						}
					}
					for way, limits := range ways {
						if got := listed(t, v, limits, vis); !slices.Equal(got, want) {
							t.Errorf("%s of %s, %s: %d conversations, want %d", name, own.Member, way, len(got), len(want))
						}
					}
				}
			}
			return nil
		})
	})
}

// listed returns a list that is read in a way, in pages of seven.
func listed(t *testing.T, v *store.View, limits store.ScanLimits, vis parley.Visibility) (ids []parley.ID) {
	t.Helper()
	for after := (parley.Position{}); ; {
		page, err := v.ConversationsWithin(limits, vis, store.ConversationFilter{}, after, 7)
		if err != nil {
			t.Fatal(err)
		}
		for i := range page.Items {
			ids = append(ids, page.Items[i].ID)
		}
		if after = page.Next; !page.HasMore {
			return ids
		}
	}
}

// TestSightOf reads what a member sees with the member's teams, and notices that it is
// another one.
func TestSightOf(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := storetest.NewHome(t, s)
		team, other := parley.Team{ID: parley.ID{15: 31}, Name: "A"}, parley.ID{15: 32}
		limited := parley.Member{ID: "usr_l", Email: "l@home.example", Name: "Lo", Role: parley.Agent, Access: parley.AccessOwn, InboxIDs: []parley.ID{h.Inbox.ID}, SightSince: 3}
		write(t, s, h.WS, func(tx *store.Tx) error {
			return errors.Join(inserted(tx.InsertMember(h.WS, &limited)), teams.InsertTeam(tx, h.WS, &team),
				teams.InsertTeam(tx, h.WS, &parley.Team{ID: other, Name: "B"}), teams.InsertTeamMember(tx, h.WS, team.ID, limited.ID, at(1)),
				teams.InsertTeamMember(tx, h.WS, other, h.Member.ID, at(1)))
		})
		view(t, s, func(v *store.View) error {
			got, err := v.SightOf(h.WS, &limited)
			want := parley.Sight{Own: &parley.Own{Member: limited.ID, Inboxes: limited.InboxIDs, Teams: []parley.ID{team.ID}}, Since: 3}
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("the member sees %+v, %v, want %+v", got, err, want)
			}
			sights, err := notices.SelectSights(v, h.WS, []parley.UserID{limited.ID, h.Member.ID, "usr_none"})
			if all := map[parley.UserID]parley.Sight{limited.ID: want, h.Member.ID: h.Member.Sight(nil)}; err != nil || !reflect.DeepEqual(sights, all) {
				t.Errorf("members see %+v, %v, want %+v", sights, err, all)
			}
			if err := store.CheckSight(v, h.WS, limited.ID, 3); err != nil {
				t.Error(err)
			}
			if err := store.CheckSight(v, h.WS, limited.ID, 2); !errors.Is(err, parley.ErrSightChanged) {
				t.Errorf("a sight from before gives %v", err)
			}
			if err := store.CheckSight(v, parley.WorkspaceID{15: 99}, limited.ID, 3); parley.KindOf(err) != parley.NotFound {
				t.Errorf("another workspace gives %v", err)
			}
			return nil
		})
	})
}

// TestCountPlansOfMembers reads the engines' plans of the counts and lists of a member who
// sees few of many open conversations: they come from the indexes of what the member sees.
func TestCountPlansOfMembers(t *testing.T) {
	if testing.Short() {
		t.Skip("writes many rows, and nothing at once")
	}
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := storetest.NewHome(t, s)
		inbox, team := parley.ID{15: 21}, parley.ID{15: 31}
		write(t, s, h.WS, func(tx *store.Tx) error {
			return errors.Join(tx.InsertInbox(h.WS, &parley.Inbox{ID: inbox, Name: "In", Channel: parley.ChannelAPI}),
				teams.InsertTeam(tx, h.WS, &parley.Team{ID: team, Name: "A"}))
		})
		fill(t, s, h.WS, 3000, func(tx *store.Tx, i int) error {
			c := h.Conversation
			c.ID, c.LastActivityAt, c.WaitingSince = ids.New(at(int64(i))), at(int64(i)), at(1)
			c.Status = []parley.Status{parley.Open, parley.Pending}[i%2]
			switch i % 300 {
			case 0, 1:
				c.Inbox.ID = inbox
			case 2, 3:
				c.Team.ID = team
			}
			return tx.InsertConversation(h.WS, &c, c.LastActivityAt)
		})
		vacuum(t, s)
		vis := parley.Sight{Own: &parley.Own{Member: "usr_few", Inboxes: []parley.ID{inbox}, Teams: []parley.ID{team}}}.Visibility(h.WS)
		for name, read := range map[string]func(v *store.View) error{
			"counts": func(v *store.View) error {
				_, _ = desk.SelectCounts(v, vis, "usr_few") // a plan has no row, and ends with the first count
				return nil
			},
			"unread": func(v *store.View) error {
				_, err := desk.SelectUnread(v, vis, "usr_few")
				return err
			},
		} {
			view(t, s, func(v *store.View) error {
				plan, err := v.Plan(read)
				for _, index := range []string{"conversations_inbox_unresolved", "conversations_team", "conversations_assignee"} {
					if !strings.Contains(plan, index) {
						t.Errorf("%s: not by %s:\n%s", name, index, plan)
					}
				}
				for _, whole := range []string{"conversations_unresolved", "conversations_active", "conversations_waiting", "Seq Scan on conversations", "SCAN o\n"} {
					if strings.Contains(plan, whole) {
						t.Errorf("%s: reads what the member does not see, by %s:\n%s", name, whole, plan)
					}
				}
				return err
			})
		}
	})
}
