package wire

import "parley"

// AppendContactVisit appends what is known of a contact in front of a widget: the visit, null
// for the zero Visit, and what the visitor typed, null for the zero Typed.
func AppendContactVisit(b []byte, v *parley.Visit, typed *parley.Typed) []byte {
	o := open(b)
	if v.ContactID.IsZero() {
		o.null("visit")
	} else {
		o.name("visit")
		o.b = AppendVisit(o.b, v)
	}
	if typed.ContactID.IsZero() {
		o.null("typed")
	} else {
		o.name("typed")
		o.b = AppendTyped(o.b, typed)
	}
	return o.close()
}

// AppendTyped appends what a visitor typed.
func AppendTyped(b []byte, t *parley.Typed) []byte {
	o := open(b)
	o.text("name", t.Name)
	o.text("email", t.Email)
	o.time("updatedAt", t.UpdatedAt)
	return o.close()
}

// AppendVisit appends a visit.
func AppendVisit(b []byte, v *parley.Visit) []byte {
	o := open(b)
	o.text("page", v.Page)
	o.text("title", v.Title)
	o.text("referrer", v.Referrer)
	o.text("language", v.Language)
	o.text("zone", v.Zone)
	o.text("device", v.Device)
	o.attributes("facts", v.Facts)
	o.time("updatedAt", v.UpdatedAt)
	return o.close()
}

// AppendVisited appends the signal that a contact's visit has changed.
func AppendVisited(b []byte, contact parley.ID) []byte {
	o := open(b)
	o.id("contactId", contact)
	return o.close()
}
