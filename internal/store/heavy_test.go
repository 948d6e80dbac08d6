package store_test

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/customers"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

const (
	// heavyCount items of heavySize bytes each do not fit into one page.
	heavyCount = 40
	heavySize  = 60 << 10
	// pageSize is the most bytes in a page of more than one item.
	pageSize = 1 << 20
)

// TestHeavyPages reads every list whose items are large. No page exceeds the
// limit, unless a single item does, and no item is missing.
func TestHeavyPages(t *testing.T) {
	if testing.Short() {
		t.Skip("writes many rows, and nothing at once")
	}
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("heavy", true)
		w.insert(t, s)
		insertHeavy(t, s, w)
		lists := heavyLists(w)
		maps.Copy(lists, heavyArticles(w))
		of := reflect.TypeFor[*store.View]()
		for i := range of.NumMethod() {
			method := of.Method(i)
			if method.Type.NumOut() == 2 && strings.HasPrefix(method.Type.Out(0).Name(), "Page[") && lists[method.Name] == nil {
				t.Errorf("%s returns pages, which this test does not walk through", method.Name)
			}
		}
		for name, read := range lists {
			readHeavy(t, s, name, read)
		}
		view(t, s, func(v *store.View) error { return checkHeavyContacts(t, v, w) })
	})
}

// readHeavy reads all pages of a list, each in its own view, as requests do.
func readHeavy(t *testing.T, s *store.Store, name string, read func(*store.View, parley.Position) (heavyPage, error)) {
	t.Helper()
	seen := map[string]bool{}
	for p, pages := (parley.Position{}), 0; pages < 200; pages++ {
		var got heavyPage
		view(t, s, func(v *store.View) (err error) {
			if got, err = read(v, p); err != nil {
				err = fmt.Errorf("%s: %w", name, err)
			}
			return err
		})
		if len(got.ids) == 0 || got.more == got.next.IsZero() || len(got.ids) > 1 && got.bytes > pageSize {
			t.Fatalf("%s: page %d has %d items of %d bytes, has_more %v, next %v", name, pages, len(got.ids), got.bytes, got.more, got.next)
		}
		for _, id := range got.ids {
			if seen[id] {
				t.Errorf("%s shows %s twice", name, id)
			}
			seen[id] = true
		}
		if !got.more {
			if pages < 2 || len(seen) < heavyCount {
				t.Errorf("%s shows %d items in %d pages", name, len(seen), pages+1)
			}
			return
		}
		p = got.next
	}
	t.Errorf("%s does not end", name)
}

// insertHeavy stores items of every list. The fifth of each is larger than a
// page.
func insertHeavy(t *testing.T, s *store.Store, w *world) {
	t.Helper()
	for i := range heavyCount {
		text := strings.Repeat("x", heavySize)
		if i == 5 {
			text = strings.Repeat("x", 2*pageSize)
		}
		write(t, s, w.ws, func(tx *store.Tx) error {
			now := at(int64(1000 + i))
			p := parley.Product{ID: ids.New(now), Name: fmt.Sprint(i), Description: text, CreatedAt: now}
			in := parley.Inbox{ID: ids.New(now), Name: text, Channel: parley.ChannelAPI}
			o := parley.Company{ID: ids.New(now), Name: "c", Notes: &text}
			k := parley.Contact{ID: ids.New(now), CustomAttributes: parley.Attributes(text), LastActivityAt: now}
			k.Company.ID = w.company.ID
			c := parley.Conversation{ID: ids.New(now), LastActivityAt: now, CreatedAt: now, CustomAttributes: parley.Attributes(text)}
			c.Contact.ID, c.Inbox.ID = w.contact.ID, w.inbox.ID
			m := parley.Message{ID: ids.New(now), ConversationID: w.conversation.ID, Content: text, CreatedAt: now, Direction: parley.Incoming}
			last := m
			last.ID, last.ConversationID = ids.New(now), c.ID
			n := parley.Number{ID: ids.New(now), Phone: parley.Phone(fmt.Sprint("49000000", i)), InboxID: in.ID, Reason: text}
			h := w.history
			h.ID, h.ConversationID, h.Changes = ids.New(now), w.conversation.ID, []byte(text)
			a := parley.Member{ID: ids.NewUserID(), Email: fmt.Sprint(i), Image: text, CreatedAt: now}
			return errors.Join(tx.InsertProduct(w.ws, &p), tx.InsertInbox(w.ws, &in), inserted(tx.InsertCompany(w.ws, &o)),
				tx.InsertContact(w.ws, &k), tx.InsertConversation(w.ws, &c, c.CreatedAt), tx.InsertMessage(w.ws, &m), tx.InsertMessage(w.ws, &last),
				inserted(tx.InsertNumber(w.ws, &n)), inserted(tx.InsertMember(w.ws, &a)), tx.InsertHistoryEntry(w.ws, &h), heavyLearned(tx, w, text, i))
		})
	}
}

// A heavyPage is the part of a page that a test examines.
type heavyPage struct {
	ids   []string
	bytes int
	more  bool
	next  parley.Position
}

func pageOf[T any](p parley.Page[T], err error, look func(*T) (id string, bytes int)) (heavyPage, error) {
	got := heavyPage{more: p.HasMore, next: p.Next}
	for i := range p.Items {
		id, bytes := look(&p.Items[i])
		got.ids, got.bytes = append(got.ids, id), got.bytes+bytes
	}
	return got, err
}

func heavyLists(w *world) map[string]func(*store.View, parley.Position) (heavyPage, error) {
	ofMessage := func(m *parley.Message) (string, int) { return m.ID.String(), len(m.Content) }
	return map[string]func(*store.View, parley.Position) (heavyPage, error){
		"Products": func(v *store.View, p parley.Position) (heavyPage, error) {
			page, err := v.Products(w.ws, true, p, 200)
			return pageOf(page, err, func(p *parley.Product) (string, int) { return p.ID.String(), len(p.Description) })
		},
		"Inboxes": func(v *store.View, p parley.Position) (heavyPage, error) {
			page, err := v.Inboxes(w.ws, p, 200)
			return pageOf(page, err, func(i *parley.Inbox) (string, int) { return i.ID.String(), len(i.Name) })
		},
		"Companies": func(v *store.View, p parley.Position) (heavyPage, error) {
			page, err := v.Companies(w.ws, store.CompanyFilter{}, p, 200)
			return pageOf(page, err, func(c *parley.Company) (string, int) { return c.ID.String(), len(*c.Notes) })
		},
		"Contacts": func(v *store.View, p parley.Position) (heavyPage, error) {
			page, err := v.Contacts(w.ws, store.ContactFilter{}, p, 200)
			return pageOf(page, err, func(c *parley.Contact) (string, int) { return c.ID.String(), len(c.CustomAttributes) })
		},
		"Conversations": func(v *store.View, p parley.Position) (heavyPage, error) {
			page, err := v.Conversations(parley.WholeWorkspace(w.ws), store.ConversationFilter{}, p, 200)
			return pageOf(page, err, func(c *parley.Conversation) (string, int) { return c.ID.String(), len(c.CustomAttributes) })
		},
		"ConversationsToPreview": func(v *store.View, p parley.Position) (heavyPage, error) {
			page, err := v.ConversationsToPreview(parley.WholeWorkspace(w.ws), store.ConversationFilter{}, p, 200)
			return pageOf(page, err, func(c *parley.Conversation) (string, int) { return c.ID.String(), len(c.CustomAttributes) })
		},
		"ConversationIDs": func(v *store.View, p parley.Position) (heavyPage, error) {
			page, err := v.ConversationIDs(parley.WholeWorkspace(w.ws), store.ConversationFilter{}, p, heavyCount/3)
			return pageOf(page, err, func(id *parley.ID) (string, int) { return id.String(), 0 })
		},
		"CustomerConversations": func(v *store.View, p parley.Position) (heavyPage, error) {
			page, err := customers.SelectCustomerConversations(v, parley.CustomerSession{Workspace: w.ws, ContactID: w.contact.ID, InboxID: w.inbox.ID}.Visibility(), p, 200)
			return pageOf(page, err, func(c *parley.CustomerConversation) (string, int) { return c.ID.String(), len(c.LastMessage.Content) })
		},
		"Messages": func(v *store.View, p parley.Position) (heavyPage, error) {
			page, err := v.Messages(parley.WholeWorkspace(w.ws), w.conversation.ID, p, 200)
			return pageOf(page, err, ofMessage)
		},
		"MessagesInOrder": func(v *store.View, p parley.Position) (heavyPage, error) {
			page, err := v.MessagesInOrder(parley.WholeWorkspace(w.ws), store.MessageQuery{ConversationID: w.conversation.ID, Order: parley.Ascending, After: p, Limit: 200})
			return pageOf(page, err, ofMessage)
		},
		"ConversationHistory": func(v *store.View, p parley.Position) (heavyPage, error) {
			page, err := v.ConversationHistory(parley.WholeWorkspace(w.ws), w.conversation.ID, p, 200)
			return pageOf(page, err, func(e *parley.HistoryEntry) (string, int) { return e.ID.String(), len(e.Changes) })
		},
		"ConversationsWithin": func(v *store.View, p parley.Position) (heavyPage, error) {
			filter := store.ConversationFilter{ContactID: w.contact.ID}
			page, err := v.ConversationsWithin(store.ScanLimits{First: -1, Sortable: 1000}, parley.WholeWorkspace(w.ws), filter, p, 200)
			return pageOf(page, err, func(c *parley.Conversation) (string, int) { return c.ID.String(), len(c.CustomAttributes) })
		},
		"PublicMessages": func(v *store.View, p parley.Position) (heavyPage, error) {
			page, err := v.PublicMessages(parley.WholeWorkspace(w.ws), w.conversation.ID, p, 200)
			return pageOf(page, err, ofMessage)
		},
		"Numbers": func(v *store.View, p parley.Position) (heavyPage, error) {
			page, err := v.Numbers(w.ws, p, 200)
			return pageOf(page, err, func(n *parley.Number) (string, int) { return n.ID.String(), len(n.Reason) })
		},
		"Members": func(v *store.View, p parley.Position) (heavyPage, error) {
			page, err := v.Members(w.ws, p, 200)
			return pageOf(page, err, func(m *parley.Member) (string, int) { return string(m.ID), len(m.Image) })
		},
	}
}

// checkHeavyContacts reads a company's contacts in batches.
func checkHeavyContacts(t *testing.T, v *store.View, w *world) error {
	all, err := v.CompanyContacts(w.ws, w.company.ID, 200)
	if err != nil {
		return err
	}
	var got []parley.ID
	pieces := 0
	for rest := all; len(rest) > 0; pieces++ {
		contacts, taken, err := v.ContactsByID(w.ws, rest)
		if err != nil {
			return err
		}
		bytes := 0
		for _, c := range contacts {
			got, bytes = append(got, c.ID), bytes+len(c.CustomAttributes)
		}
		if taken < 1 || len(contacts) > 1 && bytes > pageSize {
			t.Fatalf("a piece of %d has %d bytes", taken, bytes)
		}
		rest = rest[taken:]
	}
	if !slices.Equal(got, all) || len(got) < heavyCount || pieces < 3 {
		t.Errorf("%d contacts of %d in %d pieces", len(got), len(all), pieces)
	}
	return nil
}
