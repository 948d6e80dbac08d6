package dashboard_test

import (
	"strconv"
	"time"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/identity"
)

func widgetSamples(w *world) map[string]func() sample {
	const base = "/v1/dashboard/"
	widget := func() string { return base + "inboxes/" + w.webInbox().String() + "/widget" }
	return map[string]func() sample{
		"getWidgetSettings":     func() sample { return sample{widget(), "", 200} },
		"updateWidgetSettings":  func() sample { return sample{widget(), `{"title":"Ask us"}`, 200} },
		"listContactDuplicates": func() sample { return sample{base + "contact-duplicates", "", 200} },
		"dismissContactDuplicate": func() sample {
			n := strconv.FormatInt(w.clock.Add(1), 10)
			inbox := w.webInbox()
			w.customer(inbox, "a"+n, n+"@x.example")
			pair := w.customer(inbox, "b"+n, n+"@x.example")
			list := w.get(base + "contact-duplicates?contactId=" + pair.Contact.ID.String()).want(200)
			return sample{base + "contact-duplicates/" + list.text("data.0.id"), "", 200}
		},
	}
}

// webInbox returns a new inbox for the web.
func (w *world) webInbox() parley.ID {
	w.t.Helper()
	inbox, err := w.desk.CreateInbox(w.t.Context(), w.by(), desk.NewInbox{Name: "Web", Channel: parley.ChannelWeb})
	if err != nil {
		w.t.Fatal(err)
	}
	return inbox.ID
}

// customer starts the session of a customer with a signed identity.
func (w *world) customer(inbox parley.ID, subject, email string) customers.CustomerEntry {
	w.t.Helper()
	token, err := w.customers.SignIdentity(w.t.Context(), w.home.Workspace.ID, identity.Claims{
		Subject: subject, Email: email, EmailVerified: true, ExpiresAt: w.now().Add(time.Hour),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	widget, err := w.customers.Widget(w.t.Context(), inbox)
	if err != nil {
		w.t.Fatal(err)
	}
	entry, err := w.customers.StartCustomerSession(w.t.Context(), widget, customers.NewCustomerSession{Identity: parley.Some(token)})
	if err != nil {
		w.t.Fatal(err)
	}
	return entry
}
