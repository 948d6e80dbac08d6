package parley

import "time"

// Limits of a visit, in characters for texts.
const (
	MaxVisitAddress  = 2048
	MaxVisitTitle    = 300
	MaxVisitLanguage = 35 // RFC 5646, section 4.4.1
	MaxVisitZone     = 64
	MaxVisitFacts    = 20      // facts
	MaxVisitBytes    = 4 << 10 // of all facts together, as JSON
)

// A Visit is what a website says about a contact who has its page open with the chat
// widget. The browser sends it, so nothing in it is proven. It is not in the event log,
// and no model reads it.
type Visit struct {
	ContactID ID
	Page      string // address without what follows "?" and "#", except for utm_ parameters; "" if it is not known
	Title     string // of the page
	Referrer  string // page from which the visitor came to the website, like Page; "" for none
	Language  string // of the browser, such as "de-AT"
	Zone      string // time zone, such as "Europe/Berlin"
	Device    string // browser and system, such as "Firefox on Linux"
	Facts     Attributes
	UpdatedAt time.Time
}
