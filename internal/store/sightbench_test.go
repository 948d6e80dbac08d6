package store_test

import (
	"errors"
	"fmt"
	"testing"

	"parley"
	"parley/internal/desk"
	"parley/internal/pgtest"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/teams"
)

// sightTeams are teams of sightConversations: one has every second conversation, one
// every ten thousandth.
var sightTeams = map[string]parley.ID{"common": {15: 4}, "rare": {15: 5}}

// sightConversations stores conversations in one workspace, of which one in openEach is open.
func sightConversations(b *testing.B, s *store.Store, count, openEach int) {
	b.Helper()
	ids, ws := parley.NewIDs(nil), benchWorkspace
	inbox := parley.Inbox{ID: ids.New(at(0)), Name: "Inbox", Channel: parley.ChannelAPI}
	contact := parley.Contact{ID: ids.New(at(0)), Name: "Customer", CreatedAt: at(0)}
	write(b, s, ws, func(tx *store.Tx) error {
		return errors.Join(tx.InsertWorkspace(&parley.Workspace{ID: ws, Name: "W", Epoch: "e"}),
			inserted(tx.InsertMember(ws, &parley.Member{ID: "usr_a", Email: "a", Name: "Ann", Role: parley.Agent})),
			tx.InsertInbox(ws, &inbox), tx.InsertContact(ws, &contact),
			teams.InsertTeam(tx, ws, &parley.Team{ID: sightTeams["rare"], Name: "Rare"}), teams.InsertTeam(tx, ws, &parley.Team{ID: sightTeams["common"], Name: "Common"}))
	})
	fill(b, s, ws, count, func(tx *store.Tx, i int) error {
		now := at(int64(i) * 1000)
		c := parley.Conversation{ID: ids.New(now), Status: parley.Resolved, LastActivityAt: now, CreatedAt: now}
		c.Contact.ID, c.Inbox.ID = contact.ID, inbox.ID
		if i%openEach == 0 {
			c.Status = parley.Open
		}
		switch {
		case i%10_000 == 0:
			c.Team.ID = sightTeams["rare"]
		case i%2 == 0:
			c.Team.ID = sightTeams["common"]
		}
		return tx.InsertConversation(ws, &c, c.LastActivityAt)
	})
}

// BenchmarkSight reads the list and the counts as members who see everything, half of the
// conversations, 20 of 200,000, and none.
func BenchmarkSight(b *testing.B) {
	engines := map[string]func(testing.TB) store.Options{"sqlite": storetest.SQLite, "postgres": func(t testing.TB) store.Options {
		o := storetest.SQLite(t)
		o.Dir, o.Database = "", pgtest.NewCluster(t).URL("postgres")
		return o
	}}
	sights := map[string]parley.Sight{"everything": {}, "nothing": {Own: &parley.Own{Member: "usr_a"}}}
	for name, team := range sightTeams {
		sights[name] = parley.Sight{Own: &parley.Own{Member: "usr_a", Teams: []parley.ID{team}}}
	}
	reads := map[string]func(v *store.View, vis parley.Visibility) error{
		"list": func(v *store.View, vis parley.Visibility) error {
			_, err := v.Conversations(vis, store.ConversationFilter{}, parley.Position{}, 50)
			return err
		},
		"open": func(v *store.View, vis parley.Visibility) error {
			_, err := v.Conversations(vis, store.ConversationFilter{Status: parley.Open}, parley.Position{}, 50)
			return err
		},
		"counts": func(v *store.View, vis parley.Visibility) error {
			_, err := desk.SelectCounts(v, vis, "usr_a")
			return err
		},
	}
	for engine, options := range engines {
		for _, openEach := range []int{1, 100} {
			o := options(b)
			if _, _, err := store.Migrate(b.Context(), o); err != nil {
				b.Fatal(err)
			}
			s := storetest.Open(b, o)
			sightConversations(b, s, 200_000, openEach)
			if err := s.Autovacuum(b.Context()); err != nil {
				b.Fatal(err)
			}
			for read, run := range reads {
				for name, sight := range sights {
					b.Run(fmt.Sprintf("%s/open1in%d/%s/%s", engine, openEach, read, name), func(b *testing.B) {
						for b.Loop() {
							if err := s.View(b.Context(), func(v *store.View) error { return run(v, sight.Visibility(benchWorkspace)) }); err != nil {
								b.Fatal(err)
							}
						}
					})
				}
			}
		}
	}
}
