package store_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"parley"
	"parley/internal/access"
	"parley/internal/access/credential"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestFindingPlans reads the engines' plans of the queries for single records,
// and for the contacts of a company: none scans a table.
func TestFindingPlans(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("x", true)
		w.insert(t, s)
		fill(t, s, w.ws, 3000, func(tx *store.Tx, i int) error {
			k := parley.Contact{ID: ids.New(at(int64(i))), Email: fmt.Sprint(i, "@x.example"), Identifier: fmt.Sprint(i), PhoneNumber: fmt.Sprint(4900000 + i)}
			if i%30 == 0 {
				k.Company.ID = w.company.ID
			}
			m := w.message
			m.ID, m.Attachments = ids.New(at(int64(i))), nil
			return errors.Join(tx.InsertContact(w.ws, &k), tx.InsertMessage(w.ws, &m))
		})
		vacuum(t, s)
		contacts := func(f store.ContactFilter) func(v *store.View) error {
			return func(v *store.View) error {
				_, err := v.Contacts(w.ws, f, parley.Position{}, 50)
				return err
			}
		}
		for index, read := range map[string]func(v *store.View) error{
			"messages_id": func(v *store.View) error {
				_, _ = v.MessageByID(parley.WholeWorkspace(w.ws), w.message.ID) // a plan has no row
				return nil
			},
			"contacts_email":      contacts(store.ContactFilter{Email: "7@x.example"}),
			"contacts_identifier": contacts(store.ContactFilter{Identifier: "7"}),
			"contacts_phone":      contacts(store.ContactFilter{Phone: "4900007"}),
			"contacts_of_company": contacts(store.ContactFilter{CompanyID: w.company.ID}),
		} {
			view(t, s, func(v *store.View) error {
				plan, err := v.Plan(read)
				if !strings.Contains(plan, index) {
					t.Errorf("not by %s:\n%s", index, plan)
				}
				return err
			})
		}
	})
}

// TestConversationListPlan reads the engines' plans of the list of
// conversations: its pages come from the index, and nothing sorts all rows. The
// engines have the statistics that they have in production: SQLite none, and
// PostgreSQL those of its autovacuum.
func TestConversationListPlan(t *testing.T) {
	if testing.Short() {
		t.Skip("writes many rows, and nothing at once")
	}
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ws, first := found(t, s)
		const count = 3000 // enough for PostgreSQL to prefer an index
		fill(t, s, ws, count, func(tx *store.Tx, i int) error {
			c := first
			c.LastActivityAt = at(int64(i))
			c.CreatedAt = c.LastActivityAt
			c.ID = ids.New(c.LastActivityAt)
			if i%100 != 0 {
				c.Status = parley.Resolved
			}
			if i%10 == 0 {
				c.WaitingSince = c.CreatedAt
			}
			return tx.InsertConversation(ws, &c, c.LastActivityAt)
		})
		vacuum(t, s)
		for name, list := range map[string]func(v *store.View) error{
			"first page": func(v *store.View) error {
				_, err := v.Conversations(parley.WholeWorkspace(ws), store.ConversationFilter{}, parley.Position{}, 50)
				return err
			},
			"later page": func(v *store.View) error {
				_, err := v.Conversations(parley.WholeWorkspace(ws), store.ConversationFilter{}, parley.Position{At: at(1000), ID: first.ID}, 50)
				return err
			},
			"open": func(v *store.View) error {
				_, err := v.Conversations(parley.WholeWorkspace(ws), store.ConversationFilter{Status: parley.Open}, parley.Position{}, 50)
				return err
			},
			"waiting": func(v *store.View) error {
				_, err := v.Conversations(parley.WholeWorkspace(ws), store.ConversationFilter{Waiting: true}, parley.Position{}, 50)
				return err
			},
			"waiting and open, later page": func(v *store.View) error {
				_, err := v.Conversations(parley.WholeWorkspace(ws), store.ConversationFilter{Waiting: true, Status: parley.Open}, parley.Position{At: at(1000), ID: first.ID}, 5)
				return err
			},
			"updated of late": func(v *store.View) error {
				_, err := v.Conversations(parley.WholeWorkspace(ws), store.ConversationFilter{UpdatedSince: at(2990)}, parley.Position{}, 50)
				return err
			},
			"updated since the middle": func(v *store.View) error {
				_, err := v.Conversations(parley.WholeWorkspace(ws), store.ConversationFilter{UpdatedSince: at(1500)}, parley.Position{}, 50)
				return err
			},
			"updated since ever": func(v *store.View) error {
				_, err := v.Conversations(parley.WholeWorkspace(ws), store.ConversationFilter{UpdatedSince: at(1)}, parley.Position{}, 50)
				return err
			},
			"updated since ever, later page": func(v *store.View) error {
				_, err := v.Conversations(parley.WholeWorkspace(ws), store.ConversationFilter{UpdatedSince: at(1)}, parley.Position{At: at(2000), ID: first.ID}, 50)
				return err
			},
		} {
			view(t, s, func(v *store.View) error {
				plan, err := v.Plan(list)
				if err != nil {
					return err
				}
				index := "conversations_active"
				switch {
				case strings.HasPrefix(name, "waiting"):
					index = "conversations_waiting"
				case name == "open":
					index = "conversations_unresolved"
				case strings.HasPrefix(name, "updated"):
					index = "conversations_changed"
				}
				if !strings.Contains(plan, index) || strings.Contains(plan, "Seq Scan on conversations") {
					t.Errorf("%s: the page does not come from %s:\n%s", name, index, plan)
				}
				if strings.Contains(plan, "TEMP B-TREE") || strings.Contains(plan, "Sort") {
					t.Errorf("%s: rows are sorted:\n%s", name, plan)
				}
				return nil
			})
		}
	})
}

// vacuum does what PostgreSQL's autovacuum does some time after many writes.
func vacuum(t testing.TB, s *store.Store) {
	t.Helper()
	if err := s.Autovacuum(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestConversationFilterPlan reads the plans of lists with a filter. A
// selective filter uses its own index; any other reads the list in its order.
func TestConversationFilterPlan(t *testing.T) {
	if testing.Short() {
		t.Skip("writes many rows, and nothing at once")
	}
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ws, first := found(t, s)
		other, product, member := ids.New(at(0)), ids.New(at(0)), ids.NewUserID()
		const count = 3000 // enough for PostgreSQL to prefer an index
		write(t, s, ws, func(tx *store.Tx) error {
			return errors.Join(
				tx.InsertInbox(ws, &parley.Inbox{ID: other, Name: "Other", Channel: parley.ChannelAPI}),
				tx.InsertProduct(ws, &parley.Product{ID: product, Name: "Boots"}),
				inserted(tx.InsertMember(ws, &parley.Member{ID: member, Email: "a", Role: parley.Agent})))
		})
		fill(t, s, ws, count, func(tx *store.Tx, i int) error {
			c := first
			c.LastActivityAt, c.CreatedAt, c.ID = at(int64(i)), at(int64(i)), ids.New(at(int64(i)))
			c.Contact.ID = ids.New(at(int64(i)))
			if err := tx.InsertContact(ws, &parley.Contact{ID: c.Contact.ID}); err != nil {
				return err
			}
			c.Status, c.Product.ID, c.Assignee.ID = parley.Resolved, product, member
			if i%500 == 0 { // skewed: the rest have one inbox, one product and one assignee
				c.Inbox.ID, c.Product.ID, c.Assignee.ID = other, parley.ID{}, ""
			}
			return tx.InsertConversation(ws, &c, c.LastActivityAt)
		})
		vacuum(t, s)
		few, many, postgres := store.ScanLimits{First: -1, Sortable: 5000}, store.ScanLimits{First: 200}, s.Statistics()
		for _, list := range []struct {
			name   string
			filter store.ConversationFilter
			index  string
		}{
			{"contact", store.ConversationFilter{ContactID: other}, "conversations_contact"},
			{"company", store.ConversationFilter{CompanyID: other}, "contacts_of_company"},
			{"label", store.ConversationFilter{Labels: []string{"refund"}}, "conversation_labels"},
			{"label of two spellings", store.ConversationFilter{Labels: []string{"caf\u00e9"}}, "conversation_labels"},
			{"spam", store.ConversationFilter{Spam: parley.OnlySpam}, "conversations_spam"},
			{"handed over", store.ConversationFilter{HandedOver: true}, "conversations_handed_over"},
			{"snoozed", store.ConversationFilter{Snoozed: parley.Some(true)}, "conversations_snoozed"},
			{"woke", store.ConversationFilter{Woke: true}, "conversations_woke"},
			{"merged", store.ConversationFilter{Merged: true}, "conversations_merged"},
			{"team", store.ConversationFilter{TeamID: parley.Some(other)}, "conversations_team"},
			{"priority", store.ConversationFilter{Priority: parley.Some(parley.Urgent)}, "conversations_priority"},
			{"inbox", store.ConversationFilter{InboxID: other}, "conversations_inbox"},
			{"product", store.ConversationFilter{ProductID: parley.Some(other)}, "conversations_product"},
			{"no product", store.ConversationFilter{ProductID: parley.Null[parley.ID]()}, "conversations_product"},
			{"assignee", store.ConversationFilter{AssigneeID: parley.Some(parley.UserID("usr_a"))}, "conversations_assignee"},
			{"no assignee", store.ConversationFilter{AssigneeID: parley.Null[parley.UserID]()}, "conversations_assignee"},
			{"pending since", store.ConversationFilter{Status: parley.Pending, UpdatedSince: at(1)}, "conversations_unresolved"},
		} {
			plan := func(limits store.ScanLimits) (text string) {
				view(t, s, func(v *store.View) (err error) {
					text, err = v.Plan(func(v *store.View) error {
						_, err := v.ConversationsWithin(limits, parley.WholeWorkspace(ws), list.filter, parley.Position{}, 50)
						return err
					})
					return err
				})
				return text
			}
			if postgres && (list.name == "company" || list.index == "conversation_labels" || list.name == "pending since") {
				continue // their tables and indexes are empty, so every plan is as good
			}
			if text := plan(few); !strings.Contains(text, list.index) || strings.Contains(text, "conversations_active") {
				t.Errorf("%s: the few are not found by %s:\n%s", list.name, list.index, text)
			}
			if postgres {
				continue // it knows that they are few
			}
			order := "conversations_active"
			if !list.filter.UpdatedSince.IsZero() {
				order = "conversations_changed"
			}
			if text := plan(many); !strings.Contains(text, order) || strings.Contains(text, "TEMP B-TREE") {
				t.Errorf("%s: the many are not passed along %s:\n%s", list.name, order, text)
			}
		}
	})
}

// TestTimersPlan reads the engines' plans of the look for what is due: many timers
// that are not due, or are due in one workspace, cost nothing.
func TestTimersPlan(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ws, _ := found(t, s)
		fill(t, s, ws, 3000, func(tx *store.Tx, i int) error {
			return desk.InsertTimer(tx, ws, []string{"k", "m", "n"}[i%3], fmt.Sprint(i), at(int64(i)))
		})
		vacuum(t, s)
		for index, reads := range map[string][]func(v *store.View) error{
			"timers_due": {
				func(v *store.View) error {
					_, err := desk.SelectWorkspacesDue(v, []string{"k", "l"}, at(20))
					return err
				},
				func(v *store.View) error {
					_, err := desk.SelectWaits(v, at(20))
					return err
				},
			},
			"timers_kind": {
				func(v *store.View) error {
					_, err := desk.SelectDueKinds(v, ws, []string{"k", "l"}, at(20))
					return err
				},
				func(v *store.View) error {
					_, err := desk.SelectDueTimers(v, ws, "k", at(2000), 20)
					return err
				},
			},
		} {
			for i, read := range reads {
				view(t, s, func(v *store.View) error {
					plan, err := v.Plan(read)
					by := strings.Contains(plan, index) || index == "timers_due" && skips(t, v) && strings.Contains(plan, "Index Only Scan using timers_kind")
					if !by || strings.Contains(plan, "Seq Scan on timers") || strings.Contains(plan, "Sort Key: due_at") {
						t.Errorf("%d: not by %s:\n%s", i, index, plan)
					}
					return err
				})
			}
		}
	})
}

// skips reports whether the engine finds what is due by an index that has the kind first: it
// looks up each kind, as PostgreSQL does since version 18. Others would read all kinds.
func skips(t *testing.T, v *store.View) bool {
	t.Helper()
	if !strings.HasSuffix(t.Name(), "/postgres") {
		return false
	}
	versions, err := store.ManyAcross(v, store.Only[string], "SELECT current_setting('server_version_num')")
	if err != nil {
		t.Fatal(err)
	}
	return versions[0] >= "180000"
}

// TestLookupPlans reads the engines' plans of what every request under a
// session, and every try to sign in, asks for.
func TestLookupPlans(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("x", true)
		w.insert(t, s)
		const count = 2000 // enough for PostgreSQL to prefer an index
		fill(t, s, w.ws, count, func(tx *store.Tx, i int) error {
			m, session, invitation := w.member, w.session, w.invitation
			m.ID, m.Email = ids.NewUserID(), "m"+strconv.Itoa(i)+"@x"
			session.ID, session.MemberID, invitation.ID = ids.New(at(40)), m.ID, ids.New(at(40))
			hash := [32]byte{byte(i), byte(i >> 8), 1}
			return errors.Join(inserted(tx.InsertMember(w.ws, &m)), credential.InsertSession(tx, w.ws, &session, hash),
				credential.InsertInvitation(tx, w.ws, &invitation, hash))
		})
		vacuum(t, s)
		for index, read := range map[string]func(*store.View) error{
			"members_login": func(v *store.View) error { _, err := access.SelectLoginsByEmail(v, "m7@x", 20); return err },
			"sessions_token": func(v *store.View) error {
				_, err := credential.SelectSessionByHash(v, [32]byte{7, 0, 1})
				return notFound(err)
			},
			"sessions_member": func(v *store.View) error {
				_, err := credential.SelectSessionsOf(v, w.ws, w.member.ID, at(0))
				return err
			},
			"invitations_token": func(v *store.View) error {
				_, err := credential.SelectInvitationByHash(v, [32]byte{7, 0, 1})
				return notFound(err)
			},
		} {
			view(t, s, func(v *store.View) error {
				plan, err := v.Plan(read)
				if !strings.Contains(plan, index) {
					t.Errorf("the rows do not come from %s:\n%s", index, plan)
				}
				return err
			})
		}
	})
}

// notFound passes over that a plan's statement was not run.
func notFound(err error) error {
	if parley.KindOf(err) == parley.NotFound {
		return nil
	}
	return err
}

// TestPlansAfterManyChanges reads plans of a store whose conversations were all open when
// PostgreSQL looked at them last, and were nearly all resolved since. The list of those
// that are open reads no others, on every page, and previews read no messages but theirs.
func TestPlansAfterManyChanges(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("x", true)
		w.insert(t, s)
		all := []parley.ID{w.conversation.ID}
		fill(t, s, w.ws, 3000, func(tx *store.Tx, i int) error {
			c, m := w.conversation, w.message
			c.ID, c.Status, c.LastActivityAt = ids.New(at(int64(i))), parley.Open, at(int64(i))
			m.ID, m.ConversationID, m.Attachments = ids.New(at(int64(i))), c.ID, nil
			all = append(all, c.ID)
			return errors.Join(tx.InsertConversation(w.ws, &c, c.LastActivityAt), tx.InsertMessage(w.ws, &m))
		})
		vacuum(t, s)
		write(t, s, w.ws, func(tx *store.Tx) error {
			return tx.Exec("UPDATE conversations SET status = 'resolved' WHERE workspace_id = $1 AND conversation_id > $2", w.ws, all[50])
		})
		vis := parley.WholeWorkspace(w.ws)
		open := func(f store.ConversationFilter, after parley.Position) func(v *store.View) error {
			return func(v *store.View) error {
				f.Status = parley.Open
				_, err := v.Conversations(vis, f, after, 20)
				return err
			}
		}
		for name, c := range map[string]struct {
			read      func(v *store.View) error
			want, not []string
		}{
			"open":       {open(store.ConversationFilter{}, parley.Position{}), []string{"conversations_unresolved"}, []string{"conversations_active"}},
			"later page": {open(store.ConversationFilter{}, parley.Position{At: at(40), ID: all[40]}), []string{"conversations_unresolved", "last_activity_at"}, []string{"conversations_active"}},
			"before":     {open(store.ConversationFilter{ActiveBefore: at(40)}, parley.Position{}), []string{"conversations_unresolved", "last_activity_at"}, []string{"conversations_active"}},
			"previews": {func(v *store.View) error {
				_, err := v.MessagePreviews(vis, all[:50])
				return err
			}, nil, []string{"Seq Scan", "Hash", "SCAN g", "SCAN m"}},
			"after": {open(store.ConversationFilter{ActiveAfter: at(10)}, parley.Position{}), []string{"conversations_unresolved", "last_activity_at"}, []string{"conversations_active"}},
		} {
			view(t, s, func(v *store.View) error {
				plan, err := v.Plan(c.read)
				for _, part := range c.want {
					if !strings.Contains(plan, part) {
						t.Errorf("%s: without %s:\n%s", name, part, plan)
					}
				}
				for _, part := range c.not {
					if strings.Contains(plan, part) {
						t.Errorf("%s: with %s:\n%s", name, part, plan)
					}
				}
				return err
			})
		}
	})
}
