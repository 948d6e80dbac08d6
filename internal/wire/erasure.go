package wire

import "parley"

// AppendErasure appends an erasure.
func AppendErasure(b []byte, e *parley.Erasure) []byte {
	o := open(b)
	o.id("id", e.ID)
	o.text("kind", string(e.Kind))
	o.idOrNull("subjectId", e.SubjectID)
	o.text("askedBy", string(e.AskedBy))
	counts := o.object("counts")
	counts.integer("conversations", int64(e.Counts.Conversations))
	counts.integer("messages", int64(e.Counts.Messages))
	counts.integer("groupMessages", int64(e.Counts.GroupMessages))
	counts.integer("files", int64(e.Counts.Files))
	counts.integer("events", int64(e.Counts.Events))
	o.put(counts)
	o.time("createdAt", e.CreatedAt)
	o.timeOrNull("finishedAt", e.FinishedAt)
	o.olderBackups(&e.Backups)
	return o.close()
}

// AppendErasurePreview appends what the erasure of a person would delete.
func AppendErasurePreview(b []byte, p *parley.ErasurePreview) []byte {
	o := open(b)
	o.id("contactId", p.ContactID)
	o.integer("mergedContacts", int64(p.Merged))
	o.integer("conversations", int64(p.Conversations))
	o.integer("messages", int64(p.Messages))
	o.integer("groups", int64(p.Groups))
	o.integer("groupMessages", int64(p.GroupMessages))
	o.integer("files", int64(p.Files))
	o.integer("sessions", int64(p.Sessions))
	o.olderBackups(&p.Backups)
	return o.close()
}

func (o *object) olderBackups(older *parley.OlderBackups) {
	backups := o.object("backups")
	backups.boolean("scheduled", older.Scheduled)
	backups.boolean("unknown", older.Unknown)
	backups.timeOrNull("newestAt", older.NewestAt)
	backups.timeOrNull("endAt", older.EndAt)
	o.put(backups)
}

// AppendRetention appends how long the conversations of an inbox are kept.
func AppendRetention(b []byte, r *parley.Retention) []byte {
	o := open(b)
	o.id("inboxId", r.InboxID)
	if r.Days == 0 {
		o.null("days")
	} else {
		o.integer("days", int64(r.Days))
	}
	o.integer("due", int64(r.Due))
	return o.close()
}
