package desk

import (
	"time"

	"parley"
	"parley/internal/store"
)

// Reports count what happens in the transaction in which it happens, for the
// product, inbox, company and member of that moment. Later changes do not
// affect the past. Messages other than a member's first answer add nothing.

// countOpened counts a conversation that begins or is opened again, at the time
// of its OpenedAt: an import counts in the past.
func (t *Tx) countOpened(c *parley.Conversation, company parley.ID) error {
	return t.count(c.OpenedAt, reportItems(c, company, t.MemberID), func(h *parley.HourCounts) { h.Opened++ })
}

// countStatus counts a change of the status, and updates OpenedAt when a
// conversation is reopened. It must run before the conversation is stored.
func (t *Tx) countStatus(c *parley.Conversation, before parley.Status) error {
	reopened := before == parley.Resolved && c.Status != parley.Resolved
	resolved := before != parley.Resolved && c.Status == parley.Resolved
	if !reopened && !resolved {
		return nil
	}
	contact, err := t.Contact(t.WS, c.Contact.ID)
	if err != nil {
		return err
	}
	if reopened {
		c.OpenedAt = t.Now
		return t.countOpened(c, contact.Company.ID)
	}
	opened := c.OpenedAt
	if opened.IsZero() {
		opened = c.CreatedAt // created by a node of an older version
	}
	items := reportItems(c, contact.Company.ID, t.MemberID)
	return t.count(t.Now, items, func(h *parley.HourCounts) { h.Resolutions.Add(t.Now.Sub(opened)) })
}

// countFirstResponse counts a member's first answer to a conversation, and
// records it there. It must run before the conversation's activity is stored.
func (t *Tx) countFirstResponse(c *parley.Conversation, m *parley.Message) error {
	if !c.FirstResponseAt.IsZero() {
		return nil
	}
	contact, err := t.Contact(t.WS, c.Contact.ID)
	if err != nil {
		return err
	}
	c.FirstResponseAt = t.Now
	items := reportItems(c, contact.Company.ID, m.Sender.MemberID)
	return t.count(t.Now, items, func(h *parley.HourCounts) { h.FirstResponses.Add(t.Now.Sub(c.CreatedAt)) })
}

func reportItems(c *parley.Conversation, company parley.ID, member parley.UserID) store.ReportItems {
	return store.ReportItems{Product: c.Product.ID, Inbox: c.Inbox.ID, Company: company, Member: member}
}

// count applies add to the cells of the items on the day of at. The workspace is
// locked, so no other transaction changes them in between.
func (t *Tx) count(at time.Time, items store.ReportItems, add func(*parley.HourCounts)) error {
	cells, err := t.ReportCells(t.WS, parley.DayOf(at), items)
	if err != nil {
		return err
	}
	for i := range cells {
		if err := addToCell(&cells[i], at, add); err != nil {
			return err
		}
	}
	return t.UpsertReportCells(t.WS, cells)
}

// addToCell applies add to the cell's day and to the hour of at. The day is
// counted on its own because older versions counted no hours.
func addToCell(cell *store.CountedCell, at time.Time, add func(*parley.HourCounts)) error {
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
