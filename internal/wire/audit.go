package wire

import (
	"strconv"
	"strings"

	"parley/internal/audit/entry"
)

// AppendAuditEntry appends an entry of the audit log. The values of a change are null
// unless the log has them.
func AppendAuditEntry(b []byte, e *entry.Entry) []byte {
	o := open(b)
	o.id("id", e.ID)
	o.time("at", e.At)
	o.text("action", string(e.Action))
	actor := o.object("actor")
	actor.text("type", string(e.ActorType))
	actor.text("id", e.ActorID)
	actor.text("name", e.ActorName)
	o.put(actor)
	if e.SubjectType == "" {
		o.null("subject")
	} else {
		subject := o.object("subject")
		subject.text("type", string(e.SubjectType))
		subject.text("id", e.SubjectID)
		subject.text("name", e.SubjectName)
		o.put(subject)
	}
	list(&o, "changes", e.Changes, appendAuditChange)
	o.integer("count", int64(e.Count))
	o.text("address", e.Address)
	o.text("userAgent", e.UserAgent)
	return o.close()
}

// AppendAuditKnownActor appends a member or a key whose entries can be asked for.
func AppendAuditKnownActor(b []byte, kind entry.Actor, id, name string, former bool) []byte {
	o := open(b)
	o.text("type", string(kind))
	o.text("id", id)
	o.text("name", name)
	o.boolean("former", former)
	return o.close()
}

func appendAuditChange(b []byte, c *entry.Change) []byte {
	o := open(b)
	o.text("field", c.Field)
	o.textOrNull("from", c.From)
	o.textOrNull("to", c.To)
	return o.close()
}

// AuditColumns are the names of the columns of [AuditCells].
var AuditColumns = []string{
	"at", "action", "actor_type", "actor_id", "actor_name", "subject_type", "subject_id", "subject_name", "changes", "count", "address",
	"user_agent", "id",
}

// AuditCells returns an entry as the cells of a table.
func AuditCells(e *entry.Entry) []string {
	changes := make([]string, len(e.Changes))
	for i, c := range e.Changes {
		changes[i] = c.Field
		if c.From != "" || c.To != "" {
			changes[i] += ": " + c.From + " → " + c.To
		}
	}
	return []string{
		e.At.UTC().Format("2006-01-02T15:04:05.000Z"), string(e.Action), string(e.ActorType), e.ActorID, e.ActorName, string(e.SubjectType),
		e.SubjectID, e.SubjectName, strings.Join(changes, "; "), strconv.Itoa(e.Count), e.Address, e.UserAgent, e.ID.String(),
	}
}
