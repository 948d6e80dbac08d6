package wire

import "parley"

// AppendWelcome appends how far the guided start of a workspace is.
func AppendWelcome(b []byte, w *parley.Welcome) []byte {
	o := open(b)
	o.timeOrNull("finishedAt", w.FinishedAt)
	list(&o, "views", w.Views, appendWidgetView)
	return o.close()
}

func appendWidgetView(b []byte, v *parley.WidgetView) []byte {
	o := open(b)
	o.id("inboxId", v.InboxID)
	o.textOrNull("origin", v.Origin)
	o.time("firstAt", v.FirstAt)
	return o.close()
}
