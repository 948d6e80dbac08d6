package wire

import "parley"

// AppendMail appends a mail, without its contents.
func AppendMail(b []byte, m *parley.Mail) []byte {
	o := open(b)
	o.id("id", m.ID)
	o.text("kind", string(m.Kind))
	o.text("state", string(m.State))
	o.textOrNull("memberId", string(m.MemberID))
	o.idOrNull("contactId", m.ContactID)
	o.idOrNull("invitationId", m.InvitationID)
	o.integer("attempts", int64(m.Attempts))
	o.text("problem", m.Problem)
	o.boolean("resendable", m.Resendable)
	o.time("createdAt", m.CreatedAt)
	o.timeOrNull("endedAt", m.EndedAt)
	return o.close()
}

// AppendMails appends a page of mails, with the sender that mails show; "" if the
// server sends none.
func AppendMails(b []byte, sender string, p parley.Page[parley.Mail], cursor string) []byte {
	o := open(b)
	o.textOrNull("sender", sender)
	list(&o, "data", p.Items, AppendMail)
	o.boolean("has_more", p.HasMore)
	o.text("next_cursor", cursor)
	return o.close()
}

// AppendMailTrial appends what became of a mail that tests the mail server.
func AppendMailTrial(b []byte, sent bool, steps []string) []byte {
	o := open(b)
	o.boolean("sent", sent)
	list(&o, "steps", steps, func(b []byte, step *string) []byte { return appendText(b, *step) })
	return o.close()
}
