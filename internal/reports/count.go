package reports

import (
	"slices"
	"time"

	"parley"
	"parley/internal/store"
)

// A Counter counts what happens in a transaction, for the product, inbox,
// company and member of that moment. Later changes do not affect the past.
// Messages other than a member's first answer add nothing.
type Counter struct {
	Tx     *store.Tx
	WS     parley.WorkspaceID
	Member parley.UserID // who opens or resolves; "" for none
	Now    time.Time
}

// Opened counts a conversation that begins or is opened again, at the time of
// its OpenedAt: an import counts in the past. company is that of its contact.
func (n Counter) Opened(c *parley.Conversation, company parley.ID) error {
	return n.count([]counted{opened(c, itemsOf(c, company, n.Member))})
}

func opened(c *parley.Conversation, items Items) counted {
	return counted{c.OpenedAt, items, func(h *parley.HourCounts) { h.Opened++ }}
}

// A StatusChange is a conversation, not yet stored, that had another status before.
type StatusChange struct {
	Conversation *parley.Conversation
	Before       parley.Status
}

func (s StatusChange) reopened() bool {
	return s.Before == parley.Resolved && s.Conversation.Status != parley.Resolved
}

func (s StatusChange) resolved() bool {
	return s.Before != parley.Resolved && s.Conversation.Status == parley.Resolved
}

// StatusChanged counts a change of the status, and updates OpenedAt when a
// conversation is reopened. It must run before the conversation is stored.
func (n Counter) StatusChanged(c *parley.Conversation, before parley.Status) error {
	return n.StatusesChanged([]StatusChange{{c, before}})
}

// StatusesChanged is [Counter.StatusChanged] for many conversations, each at most once.
// It reads twice, however many they are.
func (n Counter) StatusesChanged(changes []StatusChange) error {
	changes = slices.DeleteFunc(slices.Clone(changes), func(s StatusChange) bool { return !s.reopened() && !s.resolved() })
	if len(changes) == 0 {
		return nil
	}
	contacts := make([]parley.ID, len(changes))
	for i, s := range changes {
		contacts[i] = s.Conversation.Contact.ID
	}
	companies, err := SelectCompaniesOf(n.Tx, n.WS, contacts)
	if err != nil {
		return err
	}
	all := make([]counted, len(changes))
	for i, s := range changes {
		c := s.Conversation
		items := itemsOf(c, companies[c.Contact.ID], n.Member)
		if s.reopened() {
			c.OpenedAt = n.Now
			all[i] = opened(c, items)
			continue
		}
		since := c.OpenedAt
		if since.IsZero() {
			since = c.CreatedAt // created by a node of an older version
		}
		all[i] = counted{n.Now, items, func(h *parley.HourCounts) { h.Resolutions.Add(n.Now.Sub(since)) }}
	}
	return n.count(all)
}

// Answered counts a member's first answer to a conversation, and records it
// there. It must run before the conversation's activity is stored.
func (n Counter) Answered(c *parley.Conversation, by parley.UserID) error {
	if !c.FirstResponseAt.IsZero() {
		return nil
	}
	contact, err := n.Tx.Contact(n.WS, c.Contact.ID)
	if err != nil {
		return err
	}
	c.FirstResponseAt = n.Now
	items := itemsOf(c, contact.Company.ID, by)
	return n.count([]counted{{n.Now, items, func(h *parley.HourCounts) { h.FirstResponses.Add(n.Now.Sub(c.CreatedAt)) }}})
}

// Items are the items of the dimensions that an event of a conversation counts
// for. A zero id means none.
type Items struct {
	Product parley.ID
	Inbox   parley.ID
	Company parley.ID
	Member  parley.UserID
}

func itemsOf(c *parley.Conversation, company parley.ID, member parley.UserID) Items {
	return Items{Product: c.Product.ID, Inbox: c.Inbox.ID, Company: company, Member: member}
}

// of returns the item of a dimension, in its stored form.
func (i *Items) of(by parley.ReportBy) string {
	id := parley.ID{}
	switch by {
	case parley.ByMember:
		return string(i.Member)
	case parley.ByProduct:
		id = i.Product
	case parley.ByInbox:
		id = i.Inbox
	case parley.ByCompany:
		id = i.Company
	}
	if id.IsZero() {
		return "" // none, or the dimension day, which has one item
	}
	return id.String()
}

// A counted is what happened to one conversation.
type counted struct {
	at    time.Time
	items Items
	add   func(*parley.HourCounts)
}

// count adds what happened to the cells of its items on its day, with one read for each
// day, and writes each cell once. The workspace is locked, so no other transaction
// changes them in between.
func (n Counter) count(all []counted) error {
	for len(all) > 0 {
		day := parley.DayOf(all[0].at)
		var items []Items
		later := all[:0:0]
		for _, one := range all {
			if parley.DayOf(one.at) == day {
				items = append(items, one.items)
			} else {
				later = append(later, one)
			}
		}
		cells, err := SelectReportCells(n.Tx, n.WS, day, items)
		if err != nil {
			return err
		}
		for _, one := range all {
			if parley.DayOf(one.at) != day {
				continue
			}
			for _, cell := range cells.Of(one.items) {
				if err := addToCell(cell, one.at, one.add); err != nil {
					return err
				}
			}
		}
		if err := UpsertReportCells(n.Tx, n.WS, cells.All); err != nil {
			return err
		}
		all = later
	}
	return nil
}

// addToCell applies add to the cell's day and to the hour of at. The day is
// counted on its own because older versions counted no hours.
func addToCell(cell *CountedCell, at time.Time, add func(*parley.HourCounts)) error {
	day, hours := parley.HourCounts{Opened: cell.Opened}, parley.Hours{}
	if err := day.FirstResponses.AddText(cell.FirstResponses); err != nil {
		return err
	}
	if err := day.Resolutions.AddText(cell.Resolutions); err != nil {
		return err
	}
	if err := hours.AddText(cell.Hours); err != nil {
		return err
	}
	add(&day)
	add(hours.At(at))
	cell.Opened, cell.FirstResponses, cell.Resolutions = day.Opened, day.FirstResponses.String(), day.Resolutions.String()
	cell.Hours = hours.String()
	return nil
}
