package dashboard_test

import (
	"strconv"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/identity"
)

func widgetSamples(w *world) map[string]func() apitest.Sample {
	const base = "/v1/dashboard/"
	widget := func() string { return base + "inboxes/" + w.webInbox().String() + "/widget" }
	return map[string]func() apitest.Sample{
		"getWidgetSettings":    func() apitest.Sample { return apitest.NewSample(widget(), "", 200) },
		"updateWidgetSettings": func() apitest.Sample { return apitest.NewSample(widget(), `{"title":"Ask us"}`, 200) },
		"getOfficeHours": func() apitest.Sample {
			return apitest.NewSample(base+"inboxes/"+w.webInbox().String()+"/office-hours", "", 200)
		},
		"updateOfficeHours": func() apitest.Sample {
			return apitest.NewSample(base+"inboxes/"+w.webInbox().String()+"/office-hours", `{"shown":true}`, 200)
		},
		"getWidgetTexts": func() apitest.Sample {
			return apitest.NewSample(base+"inboxes/"+w.webInbox().String()+"/texts", "", 200)
		},
		"updateWidgetTexts": func() apitest.Sample {
			return apitest.NewSample(base+"inboxes/"+w.webInbox().String()+"/texts", `{"language":"de","texts":{"home.write":"Frag uns"}}`, 200)
		},
		"listContactDuplicates": func() apitest.Sample { return apitest.NewSample(base+"contact-duplicates", "", 200) },
		"dismissContactDuplicate": func() apitest.Sample {
			n := strconv.FormatInt(w.Tick(), 10)
			inbox := w.webInbox()
			w.customer(inbox, "a"+n, n+"@x.example")
			pair := w.customer(inbox, "b"+n, n+"@x.example")
			list := w.Get(base + "contact-duplicates?contactId=" + pair.Contact.ID.String()).Want(200)
			return apitest.NewSample(base+"contact-duplicates/"+list.Text("data.0.id"), "", 200)
		},
	}
}

// webInbox returns a new inbox for the web.
func (w *world) webInbox() parley.ID {
	w.T.Helper()
	inbox, err := w.Desk.CreateInbox(w.T.Context(), w.By(), desk.NewInbox{Name: "Web", Channel: parley.ChannelWeb})
	if err != nil {
		w.T.Fatal(err)
	}
	return inbox.ID
}

// customer starts the session of a customer with a signed identity.
func (w *world) customer(inbox parley.ID, subject, email string) customers.CustomerEntry {
	w.T.Helper()
	token, err := w.Customers.SignIdentity(w.T.Context(), w.Home.Workspace.ID, identity.Claims{
		Subject: subject, Email: email, EmailVerified: true, ExpiresAt: w.Now().Add(time.Hour),
	})
	if err != nil {
		w.T.Fatal(err)
	}
	widget, err := w.Customers.Widget(w.T.Context(), inbox)
	if err != nil {
		w.T.Fatal(err)
	}
	entry, err := w.Customers.StartCustomerSession(w.T.Context(), widget, customers.NewCustomerSession{Identity: parley.Some(token)})
	if err != nil {
		w.T.Fatal(err)
	}
	return entry
}
