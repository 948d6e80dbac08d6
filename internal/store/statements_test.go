package store_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/bot/results"
	"parley/internal/desk"
	"parley/internal/merging"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/teams"
)

// postStatements is what a plain message costs inside its transaction: the head of
// the log, the conversation, the message, the activity, the event, the new head.
const postStatements = 6

// TestStatementsOfAPost counts the statements of a message: the history and the
// origin of events add nothing to a plain one, and one statement to one that
// opens its conversation.
func TestStatementsOfAPost(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		count := s.CountStatements()
		w := newWorld("x", true)
		w.insert(t, s)
		d := desk.New(desk.Options{Store: s, Clock: func() time.Time { return at(99) }, IDs: parley.NewIDs(nil), Log: storetest.Quiet()})
		by := desk.Caller{Workspace: w.ws, Actor: parley.MemberActor(&w.member)}
		inbox, err := d.CreateInbox(t.Context(), by, desk.NewInbox{Name: "API", Channel: parley.ChannelAPI})
		if err != nil {
			t.Fatal(err)
		}
		made, err := d.CreateConversation(t.Context(), by, desk.NewConversation{ContactID: w.contact.ID, InboxID: inbox.ID})
		if err != nil {
			t.Fatal(err)
		}
		cost := func(do func() error) int64 {
			t.Helper()
			before := count.Load()
			if err := do(); err != nil {
				t.Fatal(err)
			}
			return count.Load() - before
		}
		entries := func() int {
			t.Helper()
			p, err := d.ConversationHistory(parley.WholeWorkspace(w.ws), made.ID, parley.Position{}, 200).Now(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return len(p.Items)
		}
		post := func(direction parley.Direction) func() error {
			return func() error {
				_, err := d.PostMessage(t.Context(), by, made.ID, desk.NewMessage{Content: "hi", Direction: direction})
				return err
			}
		}
		if got := entries(); got != 1 {
			t.Fatalf("a new conversation has %d entries", got)
		}
		plain := cost(post(parley.Outgoing))
		t.Logf("a plain message costs %d statements, one that comes in %d", plain, cost(post(parley.Incoming)))
		if plain > postStatements {
			t.Errorf("a plain message costs %d statements, want at most %d", plain, postStatements)
		}
		if got := entries(); got != 1 {
			t.Errorf("messages made %d entries", got-1)
		}
		resolve := func(to parley.Status) func() error {
			return func() error {
				_, err := d.UpdateConversation(t.Context(), by, made.ID, desk.ConversationChange{Status: parley.Some(to)})
				return err
			}
		}
		if first, again := cost(resolve(parley.Resolved)), cost(resolve(parley.Resolved)); first <= again || entries() != 2 {
			t.Errorf("to resolve costs %d statements, again %d, and there are %d entries", first, again, entries())
		}
	})
}

// TestStatementsOfAMention counts the statements of a note: it costs what a message does,
// and one more if it names members, however many.
func TestStatementsOfAMention(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		count, home := s.CountStatements(), storetest.NewHome(t, s)
		d := desk.New(desk.Options{Store: s, Clock: func() time.Time { return at(99) }, IDs: parley.NewIDs(nil), Log: storetest.Quiet()})
		by := desk.Caller{Workspace: home.WS}
		members := make([]parley.UserID, parley.MaxMentions)
		home.Write(func(tx *store.Tx) error {
			for i := range members {
				members[i] = parley.UserID(fmt.Sprint("usr_", i))
				if err := inserted(tx.InsertMember(home.WS, &parley.Member{ID: members[i], Email: fmt.Sprint(i, "@x.example"), Role: parley.Agent})); err != nil {
					return err
				}
			}
			return nil
		})
		for named, want := range map[int]int64{0: postStatements, 1: postStatements + 1, parley.MaxMentions: postStatements + 1} {
			before := count.Load()
			note := desk.NewMessage{Content: "hi", Private: true, Mentions: members[:named]}
			if _, err := d.PostMessage(t.Context(), by, home.Conversation.ID, note); err != nil {
				t.Fatal(err)
			}
			if got := count.Load() - before; got != want {
				t.Errorf("a note for %d costs %d statements, want %d", named, got, want)
			}
		}
	})
}

// TestStatementsOfAQuestion counts the statements of a customer's message. To a product
// without the automated agent, or without a product, it costs the same, which is one
// more than an answer: the contact's activity. With the agent there are two more, which
// look for a job and store it. When it begins to answer, there are three more, for the
// event and for its report.
func TestStatementsOfAQuestion(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		count := s.CountStatements()
		home := storetest.NewHome(t, s)
		d := desk.New(desk.Options{Store: s, Clock: func() time.Time { return at(99) }, IDs: parley.NewIDs(nil), Log: storetest.Quiet()})
		by := desk.Caller{Workspace: home.WS}
		// conversation returns one about a product with an agent, or about none.
		conversation := func(mode parley.AgentMode) parley.ID {
			t.Helper()
			inbox := desk.NewInbox{Name: "API", Channel: parley.ChannelAPI}
			if mode != "" {
				p, err := d.CreateProduct(t.Context(), by, "about "+string(mode), "")
				if err != nil {
					t.Fatal(err)
				}
				p.Agent = mode
				home.Write(func(tx *store.Tx) error { return tx.UpdateProduct(home.WS, &p) })
				inbox.ProductID = p.ID
			}
			made, err := d.CreateInbox(t.Context(), by, inbox)
			if err != nil {
				t.Fatal(err)
			}
			c, err := d.CreateConversation(t.Context(), by, desk.NewConversation{ContactID: home.Contact.ID, InboxID: made.ID})
			if err != nil || c.Product.Agent.On() != mode.On() {
				t.Fatalf("the conversation is about %+v, %v", c.Product, err)
			}
			return c.ID
		}
		const plain = postStatements + 1
		for mode, want := range map[parley.AgentMode][2]int64{
			"": {plain, plain}, parley.AgentOff: {plain, plain}, parley.AgentCards: {plain + 5, plain + 2}, parley.AgentAnswers: {plain + 5, plain + 2},
		} {
			c := conversation(mode)
			for i, want := range want {
				before := count.Load()
				if _, err := d.PostMessage(t.Context(), by, c, desk.NewMessage{Content: "hi", Direction: parley.Incoming}); err != nil {
					t.Fatal(err)
				}
				if got := count.Load() - before; got != want {
					t.Errorf("with the agent %q question %d costs %d statements, want %d", mode, i+1, got, want)
				}
			}
		}
	})
}

// TestStatementsOfMany changes 200 conversations of as many contacts, which the automated
// agent has begun to answer, and counts what the transaction reads: not more than
// for one.
func TestStatementsOfMany(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		const many, most = 200, 9
		home, now := storetest.NewHome(t, s), at(99)
		d := desk.New(desk.Options{Store: s, Clock: func() time.Time { return now }, IDs: parley.NewIDs(nil), Log: storetest.Quiet()})
		by := desk.Caller{Workspace: home.WS}
		team := home.NewID(99)
		ids, err := desk.Write(t.Context(), d, by, func(t *desk.Tx) ([]parley.ID, error) {
			var ids []parley.ID
			product := t.IDs.New(t.Now)
			if err := t.InsertProduct(t.WS, &parley.Product{ID: product, Name: "Parcels"}); err != nil {
				return nil, err
			}
			if err := teams.InsertTeam(t, t.WS, &parley.Team{ID: team, Name: "Returns", Color: "red", CreatedAt: t.Now, UpdatedAt: t.Now}); err != nil {
				return nil, err
			}
			for i := range many {
				contact := parley.Contact{ID: home.NewID(int64(100 + i)), Name: "Ann", Company: home.Contact.Company, CreatedAt: t.Now}
				if err := t.InsertContact(t.WS, &contact); err != nil {
					return nil, err
				}
				c, err := t.StartConversation(home.Inbox.ID, &contact, "")
				if err != nil {
					return nil, err
				}
				c.Agent.State, c.Product.ID = parley.AgentAnswering, product
				ids = append(ids, c.ID)
				if err := errors.Join(t.UpdateConversation(t.WS, &c, t.Now), results.Begin(t, t.WS, &c, t.Now)); err != nil {
					return nil, err
				}
			}
			return ids, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		reads := s.CountReadsOfWriters()
		change := desk.ConversationChange{Status: parley.Some(parley.Resolved), AssigneeID: parley.Some(home.Member.ID), TeamID: parley.Some(team), Labels: parley.Some([]string{"x"})}
		cost := map[int]int64{}
		for _, n := range []int{1, many - 1} {
			before := reads.Load()
			if _, err := desk.Write(t.Context(), d, by, func(t *desk.Tx) (bool, error) {
				outcomes, err := t.ChangeConversations(ids[:n], func(*parley.Conversation) (desk.ConversationChange, error) { return change, nil })
				for _, o := range outcomes {
					if o.Err != nil || o.Conversation.Status != parley.Resolved || len(o.Changed) != 5 {
						return false, fmt.Errorf("%+v", o)
					}
				}
				return true, err
			}); err != nil {
				t.Fatal(err)
			}
			ids = ids[n:]
			cost[n] = reads.Load() - before
		}
		t.Logf("a change of one reads %d times, of %d %d times", cost[1], many-1, cost[many-1])
		if cost[many-1] > cost[1] || cost[1] > most {
			t.Errorf("a change of one reads %d times, of %d %d times, want at most %d", cost[1], many-1, cost[many-1], most)
		}
	})
}

// TestStatementsOfWays counts the statements for the ways to a contact's phone:
// fifty numbers need no more than one.
func TestStatementsOfWays(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ws, _ := found(t, s)
		contact := parley.Contact{ID: ids.New(at(1)), PhoneNumber: "+4915112345678", CreatedAt: at(1), UpdatedAt: at(1), LastActivityAt: at(1)}
		write(t, s, ws, func(tx *store.Tx) error { return tx.InsertContact(ws, &contact) })
		connect := func(from, to int) {
			t.Helper()
			fill(t, s, ws, to-from, func(tx *store.Tx, i int) error {
				phone := parley.Phone(fmt.Sprint(4930555000 + from + i))
				inbox := parley.Inbox{ID: ids.New(at(2)), Name: string(phone), Channel: parley.ChannelChatapp, CreatedAt: at(2), UpdatedAt: at(2)}
				number := parley.Number{
					ID: ids.New(at(2)), Phone: phone, Driver: parley.DriverSandbox, Status: parley.NumberConnected, Enabled: true,
					InboxID: inbox.ID, CreatedAt: at(2), UpdatedAt: at(2),
				}
				return errors.Join(tx.InsertInbox(ws, &inbox), inserted(tx.InsertNumber(ws, &number)))
			})
		}
		d := desk.New(desk.Options{Store: s, Clock: func() time.Time { return at(99) }, IDs: parley.NewIDs(nil), Log: storetest.Quiet()})
		count := s.CountReads()
		cost := func(want int) int64 {
			t.Helper()
			before := count.Load()
			ways, err := d.Ways(ws, contact.ID).Now(t.Context())
			if err != nil || len(ways) != want {
				t.Fatalf("there are %d ways, %v, want %d", len(ways), err, want)
			}
			for _, way := range ways {
				if way.Inbox.ID.IsZero() || way.Inbox.Name == "" || way.Inbox.Channel != parley.ChannelChatapp {
					t.Errorf("a way leads to %+v", way.Inbox)
				}
			}
			return count.Load() - before
		}
		connect(0, 1)
		one := cost(1)
		connect(1, 50)
		if many := cost(50); one == 0 || many != one {
			t.Errorf("the ways by one number cost %d statements, by fifty %d", one, many)
		}
	})
}

// TestNoStatementWalksItsWorkspace reads SQLite's plans of all statements that views
// and writers run: a statement with a condition besides the workspace uses an index for
// it, and any other reads a page in the order of an index. SQLite assumes that a
// workspace is small unless the store tells it otherwise. The cascades of a deleted
// contact are part of the plan.
func TestNoStatementWalksItsWorkspace(t *testing.T) {
	s := storetest.Open(t, storetest.MigratedSQLite(t))
	seen := s.Statements()
	w, changed := newWorld("x", true), newWorld(odd, false)
	w.insert(t, s)
	changed.like(w)
	d := desk.New(desk.Options{Store: s, Clock: func() time.Time { return at(99) }, IDs: parley.NewIDs(nil), Log: storetest.Quiet()})
	by := desk.Caller{Workspace: w.ws, Actor: parley.MemberActor(&w.member)}
	var people [2]parley.ID
	for i := range people {
		saved, err := d.SaveContact(t.Context(), by, desk.ContactFields{Email: parley.Some(fmt.Sprint(i, "@twice.example"))})
		if err != nil {
			t.Fatal(err)
		}
		people[i] = saved.Record.ID
	}
	if _, err := merging.New(d).MergeContacts(t.Context(), by, people[0], people[1]); err != nil {
		t.Fatal(err)
	}
	visible := parley.CustomerSession{Workspace: w.ws, ContactID: w.contact.ID, InboxID: w.inbox.ID}.Visibility()
	view(t, s, func(v *store.View) error {
		for _, read := range reads(w) {
			_, _ = read.call(v, w.ws) // only the statements matter
		}
		_, _ = v.MessageByID(visible, w.message.ID)
		_, _ = v.Conversations(visible, store.ConversationFilter{}, parley.Position{}, 50)
		return nil
	})
	write(t, s, w.ws, func(tx *store.Tx) error { return errors.Join(changed.update(tx, w), w.remove(tx)) })

	excused := []string{
		"UPDATE messages SET sender_contact_id", // in the groups, of which a workspace has few
		"NOT by_provider ORDER BY member_id",    // once, when a workspace demands its provider: of members, who are few
		"min(seq)",                              // the first row of the index
		"FROM conversations c WHERE c.workspace_id = $1 AND c.merged_into IS NULL) c", // a customer's threads, which this test reads as a member
	}
	view(t, s, func(v *store.View) error {
		for statement := range seen.Range {
			sql := statement.(string)
			if verb, _, _ := strings.Cut(strings.TrimSpace(sql), " "); !slices.Contains([]string{"SELECT", "UPDATE", "DELETE", "WITH"}, verb) {
				continue
			}
			steps, err := v.PlanOf(sql)
			if err != nil {
				t.Errorf("%v:\n%s", err, sql)
			}
			if strings.Contains(sql, "LIMIT") && !slices.Contains(steps, "USE TEMP B-TREE FOR ORDER BY") {
				continue // a page
			}
			for _, step := range steps {
				_, name, scan := strings.Cut(step, "SCAN ")
				if scan && slices.Contains(steps, "CO-ROUTINE "+name) {
					continue // of rows that another step found
				}
				if walks(sql, step) && !slices.ContainsFunc(excused, func(part string) bool { return strings.Contains(sql, part) }) {
					t.Errorf("all rows of a workspace: %s\n%s", step, sql)
				}
			}
		}
		return nil
	})
}

// walks reports whether a step of a plan reads all rows of a workspace in a table
// that grows with the number of its customers.
func walks(sql, step string) bool {
	whole := regexp.MustCompile(`^(?:SCAN ([a-z_]+)$|(?:SEARCH|SCAN) ([a-z_]+) .*\(workspace_id=\?\)$)`).FindStringSubmatch(step)
	if whole == nil {
		return false
	}
	name := whole[1] + whole[2]
	if table := regexp.MustCompile(`(?:FROM|JOIN|UPDATE) ([a-z_]+) (?:AS )?` + name + `\b`).FindStringSubmatch(sql); table != nil {
		name = table[1]
	}
	return !strings.Contains(step, " attachments_waiting ") && slices.Contains([]string{ // few uploads wait
		"attachments", "companies", "company_moves", "contact_duplicates", "contacts", "conversation_history", "conversation_labels", "conversations",
		"customer_sessions", "deliveries", "events", "idempotency_keys", "merged_contacts", "messages", "read_marks", "search_words",
		"sessions", "identity_sources", "chatapp_chats", "chatapp_groups", "chatapp_messages", "group_members", "timers", "agent_jobs", "visits", "contact_addresses",
	}, name)
}
