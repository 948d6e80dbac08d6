package store_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"testing"

	"parley"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// walk reads a list page by page, and checks that only the last page has no
// next one.
func scanInOrder[T any](t *testing.T, limit int, read func(parley.Position, int) (parley.Page[T], error)) []T {
	t.Helper()
	var all []T
	for p, pages := (parley.Position{}), 0; ; pages++ {
		page, err := read(p, limit)
		if err != nil || pages > 100 {
			t.Fatalf("page %d: %v", pages, err)
		}
		if page.HasMore && len(page.Items) != limit || page.HasMore == page.Next.IsZero() {
			t.Fatalf("page %d of %d has %d items, has_more %v, next %v", pages, limit, len(page.Items), page.HasMore, page.Next)
		}
		all = append(all, page.Items...)
		if !page.HasMore {
			return all
		}
		p = page.Next
	}
}

// checkWalk reads a list with pages of several sizes; each time, its items
// must have the ids want.
func checkWalk[T any](t *testing.T, name string, want []parley.ID, id func(*T) parley.ID, read func(parley.Position, int) (parley.Page[T], error)) {
	t.Helper()
	for _, limit := range []int{1, 2, 3, len(want), len(want) + 1} {
		var got []parley.ID
		for _, item := range scanInOrder(t, limit, read) {
			got = append(got, id(&item))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s in pages of %d gave %d items %v, want %d %v", name, limit, len(got), got, len(want), want)
		}
	}
}

// TestPages reads every list. Many of the items have the same time, so that
// their order depends on the id.
func TestPages(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		const count = 7
		w := newWorld("first", true)
		w.insert(t, s)
		var products, inboxes, companies, contacts, conversations, messages, numbers []parley.ID
		var members []parley.UserID
		write(t, s, w.ws, func(tx *store.Tx) error {
			var errs []error
			for i := range count {
				now := at(int64(1000 + i/3))
				p := parley.Product{ID: ids.New(now), CreatedAt: now}
				if i%2 == 0 {
					p.ArchivedAt = now
				}
				in := parley.Inbox{ID: ids.New(now), Channel: parley.ChannelAPI}
				o := parley.Company{ID: ids.New(now), Name: "c"}
				k := parley.Contact{ID: ids.New(now)}
				c := parley.Conversation{ID: ids.New(now), LastActivityAt: now, CreatedAt: now}
				c.Contact.ID, c.Inbox.ID = k.ID, in.ID
				m := parley.Message{ID: ids.New(now), ConversationID: w.conversation.ID, CreatedAt: now}
				n := parley.Number{ID: ids.New(now), Phone: parley.Phone(fmt.Sprint("49000000", i)), InboxID: in.ID}
				a := parley.Member{ID: ids.NewUserID(), Email: fmt.Sprint(i), CreatedAt: at(int64(1000 + i))}
				errs = append(errs, tx.InsertProduct(w.ws, &p), tx.InsertInbox(w.ws, &in), inserted(tx.InsertCompany(w.ws, &o)),
					tx.InsertContact(w.ws, &k), tx.InsertConversation(w.ws, &c, c.LastActivityAt), tx.InsertMessage(w.ws, &m),
					inserted(tx.InsertNumber(w.ws, &n)), inserted(tx.InsertMember(w.ws, &a)))
				products, inboxes, companies = append(products, p.ID), append(inboxes, in.ID), append(companies, o.ID)
				contacts, conversations = append(contacts, k.ID), append(conversations, c.ID)
				messages, numbers, members = append(messages, m.ID), append(numbers, n.ID), append(members, a.ID)
			}
			return errors.Join(errs...)
		})
		newest := func(first parley.ID, rest []parley.ID) []parley.ID {
			all := append([]parley.ID{first}, rest...)
			slices.Reverse(all)
			return all
		}
		oldest := func(first parley.ID, rest []parley.ID) []parley.ID { return append([]parley.ID{first}, rest...) }
		view(t, s, func(v *store.View) error {
			checkWalk(t, "Products", oldest(w.product.ID, products), func(p *parley.Product) parley.ID { return p.ID },
				func(p parley.Position, n int) (parley.Page[parley.Product], error) {
					return v.Products(w.ws, true, p, n)
				})
			checkWalk(t, "active Products", []parley.ID{products[1], products[3], products[5]}, func(p *parley.Product) parley.ID { return p.ID },
				func(p parley.Position, n int) (parley.Page[parley.Product], error) {
					return v.Products(w.ws, false, p, n)
				})
			checkWalk(t, "Inboxes", oldest(w.inbox.ID, inboxes), func(i *parley.Inbox) parley.ID { return i.ID },
				func(p parley.Position, n int) (parley.Page[parley.Inbox], error) { return v.Inboxes(w.ws, p, n) })
			checkWalk(t, "Numbers", oldest(w.number.ID, numbers), func(n *parley.Number) parley.ID { return n.ID },
				func(p parley.Position, n int) (parley.Page[parley.Number], error) { return v.Numbers(w.ws, p, n) })
			checkWalk(t, "Companies", newest(w.company.ID, companies), func(c *parley.Company) parley.ID { return c.ID },
				func(p parley.Position, n int) (parley.Page[parley.Company], error) {
					return v.Companies(w.ws, store.CompanyFilter{}, p, n)
				})
			checkWalk(t, "Companies with c", newest(companies[0], companies[1:]), func(c *parley.Company) parley.ID { return c.ID },
				func(p parley.Position, n int) (parley.Page[parley.Company], error) {
					return v.Companies(w.ws, store.CompanyFilter{Search: "C"}, p, n)
				})
			checkWalk(t, "Contacts", newest(w.contact.ID, contacts), func(c *parley.Contact) parley.ID { return c.ID },
				func(p parley.Position, n int) (parley.Page[parley.Contact], error) {
					return v.Contacts(w.ws, store.ContactFilter{}, p, n)
				})
			checkWalk(t, "Conversations", newest(w.conversation.ID, conversations), func(c *parley.Conversation) parley.ID { return c.ID },
				func(p parley.Position, n int) (parley.Page[parley.Conversation], error) {
					return v.Conversations(parley.WholeWorkspace(w.ws), store.ConversationFilter{}, p, n)
				})
			checkMessages(t, v, w, append([]parley.ID{w.message.ID}, messages...))
			var got []parley.UserID
			for _, m := range scanInOrder(t, 3, func(p parley.Position, n int) (parley.Page[parley.Member], error) { return v.Members(w.ws, p, n) }) {
				got = append(got, m.ID)
			}
			if want := append([]parley.UserID{w.member.ID}, members...); !slices.Equal(got, want) {
				t.Errorf("Members gave %v, want %v", got, want)
			}
			return nil
		})
	})
}

// checkMessages reads messages backwards, in pages that are in the order of
// writing.
func checkMessages(t *testing.T, v *store.View, w *world, want []parley.ID) {
	t.Helper()
	for _, limit := range []int{1, 3, 8, 9} {
		var all []parley.ID
		scanInOrder(t, limit, func(p parley.Position, n int) (parley.Page[parley.Message], error) {
			page, err := v.Messages(parley.WholeWorkspace(w.ws), w.conversation.ID, p, n)
			var ids []parley.ID
			for _, m := range page.Items {
				ids = append(ids, m.ID)
			}
			all = append(ids, all...)
			return page, err
		})
		if !slices.Equal(all, want) {
			t.Errorf("Messages in pages of %d gave %v, want %v", limit, all, want)
		}
	}
}

// TestPageInsideWrite reads a page that is not the last, in a transaction where
// a failed statement would fail the closure.
func TestPageInsideWrite(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("w", true)
		w.insert(t, s)
		write(t, s, w.ws, func(tx *store.Tx) error {
			second := w.inbox
			second.ID, second.CreatedAt = ids.New(at(2000)), at(2000)
			return tx.InsertInbox(w.ws, &second)
		})
		write(t, s, w.ws, func(tx *store.Tx) error {
			page, err := tx.Inboxes(w.ws, parley.Position{}, 1)
			if len(page.Items) != 1 || !page.HasMore {
				t.Errorf("the page is %+v, want one inbox of two", page)
			}
			return errors.Join(err, tx.UpdateInbox(w.ws, &w.inbox))
		})
	})
}

// TestConversationFilters reads every combination of the filters, and compares
// it with the same filters applied in Go to all conversations, for each way in
// which a list is read.
func TestConversationFilters(t *testing.T) {
	if testing.Short() {
		t.Skip("writes many rows, and nothing at once")
	}
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := newWorld("a", true), newWorld("b", false)
		b.ws, b.number.Phone = a.ws, "4999"
		a.insert(t, s)
		write(t, s, a.ws, func(tx *store.Tx) error {
			return errors.Join(tx.InsertInbox(a.ws, &b.inbox), tx.InsertContact(a.ws, &b.contact))
		})
		type row struct {
			parley.Conversation
			company parley.ID
		}
		rows := []row{{a.conversation, a.company.ID}}
		write(t, s, a.ws, func(tx *store.Tx) error {
			var errs []error
			for i := range 32 { // the bits of i choose
				c := a.conversation
				c.ID, c.CreatedAt, c.LastActivityAt = ids.New(at(100)), at(100), at(int64(200+i%5))
				r := row{c, a.company.ID}
				if i&1 != 0 {
					r.Status = parley.Resolved
				}
				if i&2 != 0 {
					r.Inbox.ID = b.inbox.ID
				}
				if i&4 != 0 {
					r.Contact.ID, r.company = b.contact.ID, parley.ID{}
				}
				if i&8 != 0 {
					r.Product = parley.ProductRef{}
				}
				if i&16 != 0 {
					r.Assignee, r.Labels = parley.MemberRef{}, nil
				}
				r.Spam = i%7 == 3
				if r.Agent.State = parley.AgentWaiting; i%5 < 2 {
					r.Agent.State = parley.AgentHandedOver
				}
				errs = append(errs, tx.InsertConversation(a.ws, &r.Conversation, r.CreatedAt), tx.UpdateConversationLabels(a.ws, r.ID, nil, r.Labels))
				if i%3 == 0 {
					errs = append(errs, tx.UpdateConversation(a.ws, &r.Conversation, at(int64(300+i%2))))
				}
				rows = append(rows, r)
			}
			return errors.Join(errs...)
		})
		sorted := func(byActivity bool) []row {
			return slices.SortedFunc(slices.Values(rows), func(x, y row) int {
				if byActivity {
					return cmp.Or(y.LastActivityAt.Compare(x.LastActivityAt), slices.Compare(y.ID[:], x.ID[:]))
				}
				return cmp.Or(x.UpdatedAt.Compare(y.UpdatedAt), slices.Compare(x.ID[:], y.ID[:]))
			})
		}
		var choices []func(*store.ConversationFilter) func(row) bool
		add := func(choice func(*store.ConversationFilter) func(row) bool) { choices = append(choices, choice) }
		add(func(f *store.ConversationFilter) func(row) bool {
			f.Status = parley.Open
			return func(r row) bool { return r.Status == parley.Open }
		})
		add(func(f *store.ConversationFilter) func(row) bool {
			f.InboxID = b.inbox.ID
			return func(r row) bool { return r.Inbox.ID == b.inbox.ID }
		})
		add(func(f *store.ConversationFilter) func(row) bool {
			f.ContactID = a.contact.ID
			return func(r row) bool { return r.Contact.ID == a.contact.ID }
		})
		add(func(f *store.ConversationFilter) func(row) bool {
			f.CompanyID = a.company.ID
			return func(r row) bool { return r.company == a.company.ID }
		})
		add(func(f *store.ConversationFilter) func(row) bool {
			f.ProductID = parley.Some(a.product.ID)
			return func(r row) bool { return r.Product.ID == a.product.ID }
		})
		add(func(f *store.ConversationFilter) func(row) bool {
			f.ProductID = parley.Null[parley.ID]()
			return func(r row) bool { return r.Product.ID.IsZero() }
		})
		add(func(f *store.ConversationFilter) func(row) bool {
			f.AssigneeID = parley.Some(a.member.ID)
			return func(r row) bool { return r.Assignee.ID == a.member.ID }
		})
		add(func(f *store.ConversationFilter) func(row) bool {
			f.AssigneeID = parley.Null[parley.UserID]()
			return func(r row) bool { return r.Assignee.ID == "" }
		})
		add(func(f *store.ConversationFilter) func(row) bool {
			f.Labels = []string{"second"}
			return func(r row) bool { return slices.Contains(r.Labels, "second") }
		})
		add(func(f *store.ConversationFilter) func(row) bool {
			f.UpdatedSince = at(300)
			return func(r row) bool { return !r.UpdatedAt.Before(at(300)) }
		})
		add(func(f *store.ConversationFilter) func(row) bool {
			f.Spam = parley.OnlySpam
			return func(r row) bool { return r.Spam }
		})
		found := 0
		for set := range 1 << len(choices) {
			if set>>4&3 == 3 || set>>6&3 == 3 {
				continue // a product and none
			}
			var f store.ConversationFilter
			want, got := []parley.ID{}, []parley.ID{}
			var tests []func(row) bool
			for i, choice := range choices {
				if set>>i&1 == 1 {
					tests = append(tests, choice(&f))
				}
			}
			switch { // neither has an index, so they need no combinations of their own
			case f.Spam == "" && set&1 == 1:
				f.Spam = parley.AnySpam
			case f.Spam == "" && f.UpdatedSince.IsZero(): // what changed is told of all
				tests = append(tests, func(r row) bool { return !r.Spam })
			}
			if set%3 == 1 { // among the combinations, without ones of its own
				f.HandedOver = true
				tests = append(tests, func(r row) bool { return r.Agent.State == parley.AgentHandedOver })
			}
			for _, r := range sorted(f.UpdatedSince.IsZero()) {
				if !slices.ContainsFunc(tests, func(test func(row) bool) bool { return !test(r) }) {
					want = append(want, r.ID)
				}
			}
			for _, limits := range []store.ScanLimits{
				{First: -1, Sortable: 1000, Last: -1}, // the matches are sorted
				{First: 1000, Sortable: -1, Last: -1}, // all rows are passed
				{First: 5, Sortable: -1, Last: 12},    // some rows are passed, then more, and then the matches are sorted
			} {
				got = got[:0]
				for _, c := range scanInOrder(t, 7, func(p parley.Position, n int) (list parley.Page[parley.Conversation], err error) {
					view(t, s, func(v *store.View) error {
						list, err = v.ConversationsWithin(limits, parley.WholeWorkspace(a.ws), f, p, n)
						return err
					})
					return list, err
				}) {
					got = append(got, c.ID)
				}
				if !slices.Equal(got, want) {
					t.Errorf("filter %+v within %+v gave %v, want %v", f, limits, got, want)
				}
			}
			found += len(want)
		}
		if found < 500 {
			t.Errorf("the filters found %d conversations in all: they prove little", found)
		}
	})
}

func TestCompanySearch(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("w", false)
		w.insert(t, s)
		website := "https://EXAMPLE.de/100%_sure"
		write(t, s, w.ws, func(tx *store.Tx) error {
			var errs []error
			for _, name := range []string{"Ärzte", "Straße", `C:\dir`, "50% off", "snake_case", "snakeXcase", "ΣΊΣΥΦΟΣ", "日本"} {
				errs = append(errs, inserted(tx.InsertCompany(w.ws, &parley.Company{ID: ids.New(at(100)), Name: name})))
			}
			return errors.Join(append(errs, inserted(tx.InsertCompany(w.ws, &parley.Company{ID: ids.New(at(100)), Name: "site", Website: &website})))...)
		})
		view(t, s, func(v *store.View) error {
			for search, want := range map[string][]string{
				"ärz": {"Ärzte"}, "ÄRZ": {"Ärzte"}, "STRAß": {"Straße"}, "straẞe": {"Straße"},
				"a":       {"Straße", "site", "snakeXcase", "snake_case", "Ärzte"}, // site by its example.de
				"STRASSE": {"Straße"}, "A\u0308rz": {"Ärzte"}, "arzte": {"Ärzte"}, "σισυφος": {"ΣΊΣΥΦΟΣ"},
				`\`: {`C:\dir`}, `:\D`: {`C:\dir`}, "%": {"50% off", "site"}, "_": {"site", "snake_case"}, "e_c": {"snake_case"},
				"0%_S": {"site"}, "example": {"site"}, "σίσυφος": {"ΣΊΣΥΦΟΣ"}, "本": {"日本"}, "%%": nil, "nothing": nil, "'": nil,
			} {
				page, err := v.Companies(w.ws, store.CompanyFilter{Search: search}, parley.Position{}, 99)
				var got []string
				for _, c := range page.Items {
					got = append(got, c.Name)
				}
				slices.Sort(got)
				slices.Sort(want)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("search %q gave %q, %v, want %q", search, got, err, want)
				}
			}
			return nil
		})
	})
}

// TestLabelInBothSpellings lists conversations that have a label in composed
// and in decomposed form, by every filter and order, whichever way the list is
// read.
func TestLabelInBothSpellings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("a", true)
		w.insert(t, s)
		const composed, apart = "caf\u00e9", "cafe\u0301"
		want := map[parley.ID]bool{}
		write(t, s, w.ws, func(tx *store.Tx) error {
			var errs []error
			for i, labels := range [][]string{{composed}, {composed, apart}, {apart}, {"x"}, {apart, composed, "x"}} {
				now := at(int64(200 + i))
				c := w.conversation
				c.ID, c.CreatedAt, c.LastActivityAt, c.WaitingSince, c.Status = ids.New(now), now, now, now, parley.Open
				errs = append(errs, tx.InsertConversation(w.ws, &c, now), tx.UpdateConversationLabels(w.ws, c.ID, nil, labels))
				want[c.ID] = len(labels) > 1 || labels[0] != "x"
			}
			return errors.Join(errs...)
		})
		for name, f := range map[string]store.ConversationFilter{
			"plain": {}, "status": {Status: parley.Open}, "changed": {UpdatedSince: at(200)}, "waiting": {Waiting: true},
			"changed with a status": {UpdatedSince: at(200), Status: parley.Open}, "inbox": {InboxID: w.inbox.ID},
		} {
			f.Labels = []string{composed}
			for _, limits := range []store.ScanLimits{{First: -1, Sortable: 1000, Last: -1}, {First: 1000, Sortable: -1, Last: -1}} {
				seen := map[parley.ID]bool{}
				for _, c := range scanInOrder(t, 1, func(p parley.Position, n int) (list parley.Page[parley.Conversation], err error) {
					view(t, s, func(v *store.View) error {
						list, err = v.ConversationsWithin(limits, parley.WholeWorkspace(w.ws), f, p, n)
						return err
					})
					return list, err
				}) {
					if seen[c.ID] || !want[c.ID] {
						t.Errorf("%s, %+v: %v is listed, twice %t", name, limits, c.Labels, seen[c.ID])
					}
					seen[c.ID] = true
				}
				if len(seen) != 4 {
					t.Errorf("%s, %+v: %d conversations are listed, want 4", name, limits, len(seen))
				}
			}
		}
	})
}
