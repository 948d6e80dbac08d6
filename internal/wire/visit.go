package wire

import "parley"

// AppendContactVisit appends the visit of a contact, null for the zero Visit.
func AppendContactVisit(b []byte, v *parley.Visit) []byte {
	o := open(b)
	if v.ContactID.IsZero() {
		o.null("visit")
	} else {
		o.name("visit")
		o.b = AppendVisit(o.b, v)
	}
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
