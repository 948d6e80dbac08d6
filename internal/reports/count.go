package reports

import (
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
	return n.count(c.OpenedAt, itemsOf(c, company, n.Member), func(h *parley.HourCounts) { h.Opened++ })
}

// StatusChanged counts a change of the status, and updates OpenedAt when a
// conversation is reopened. It must run before the conversation is stored.
func (n Counter) StatusChanged(c *parley.Conversation, before parley.Status) error {
	reopened := before == parley.Resolved && c.Status != parley.Resolved
	resolved := before != parley.Resolved && c.Status == parley.Resolved
	if !reopened && !resolved {
		return nil
	}
	contact, err := n.Tx.Contact(n.WS, c.Contact.ID)
	if err != nil {
		return err
	}
	if reopened {
		c.OpenedAt = n.Now
		return n.Opened(c, contact.Company.ID)
	}
	opened := c.OpenedAt
	if opened.IsZero() {
		opened = c.CreatedAt // created by a node of an older version
	}
	items := itemsOf(c, contact.Company.ID, n.Member)
	return n.count(n.Now, items, func(h *parley.HourCounts) { h.Resolutions.Add(n.Now.Sub(opened)) })
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
	return n.count(n.Now, items, func(h *parley.HourCounts) { h.FirstResponses.Add(n.Now.Sub(c.CreatedAt)) })
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

// count applies add to the cells of the items on the day of at. The workspace is
// locked, so no other transaction changes them in between.
func (n Counter) count(at time.Time, items Items, add func(*parley.HourCounts)) error {
	cells, err := SelectReportCells(n.Tx, n.WS, parley.DayOf(at), items)
	if err != nil {
		return err
	}
	for i := range cells {
		if err := addToCell(&cells[i], at, add); err != nil {
			return err
		}
	}
	return UpsertReportCells(n.Tx, n.WS, &cells)
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
