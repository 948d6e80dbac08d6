package parley

import "time"

// A Welcome is what the guided start of a new workspace needs beside the state:
// whether it is over, and the websites that have shown a chat widget.
type Welcome struct {
	FinishedAt time.Time // zero while it is not over
	Views      []WidgetView
}

// A WidgetView is a website that has shown the chat widget of an inbox.
type WidgetView struct {
	InboxID ID
	Origin  string // such as https://shop.example, or "" if the browser did not say
	FirstAt time.Time
}

// MaxWidgetViews is how many websites are stored for each inbox. A stranger can
// load a widget under any origin, so their number has a limit.
const MaxWidgetViews = 10
