package desk

import (
	"time"

	"parley"
	"parley/internal/store"
)

// Reports count what happens in the transaction in which it happens, for the
// product, inbox, company and member of that moment: what changes afterwards
// does not change the past. A message other than a member's first answer costs
// reports nothing.

// countOpened counts a conversation that begins or is opened again, on the day
// of its OpenedAt: an import counts in the past.
func (t *Tx) countOpened(c *parley.Conversation, company parley.ID) error {
	return t.CountOpened(t.WS, parley.DayOf(c.OpenedAt), reportItems(c, company, t.MemberID))
}

// countStatus counts what a change of the status means, and notes when a
// conversation is opened again. It goes before the conversation is stored.
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
		opened = c.CreatedAt // a node of an older version made it
	}
	items := reportItems(c, contact.Company.ID, t.MemberID)
	return t.countTime(items, func(cell *store.ReportCell) *string { return &cell.Resolutions }, t.Now.Sub(opened))
}

// countFirstResponse counts a member's answer to a conversation where it is the
// first, and notes it there. It goes before the conversation's activity is
// stored.
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
	return t.countTime(items, func(cell *store.ReportCell) *string { return &cell.FirstResponses }, t.Now.Sub(c.CreatedAt))
}

func reportItems(c *parley.Conversation, company parley.ID, member parley.UserID) store.ReportItems {
	return store.ReportItems{Product: c.Product.ID, Inbox: c.Inbox.ID, Company: company, Member: member}
}

// countTime counts a time in today's cells of the items. The workspace is
// locked, so nobody else changes them meanwhile.
func (t *Tx) countTime(items store.ReportItems, of func(*store.ReportCell) *string, length time.Duration) error {
	cells, err := t.ReportCells(t.WS, parley.DayOf(t.Now), items)
	if err != nil {
		return err
	}
	for i := range cells {
		var times parley.Durations
		text := of(&cells[i])
		if err := times.AddText(*text); err != nil {
			return err
		}
		times.Add(length)
		*text = times.String()
	}
	return t.UpsertReportTimes(t.WS, cells)
}
