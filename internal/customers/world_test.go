package customers_test

import (
	"testing"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// shop is the origin of a page with a widget.
const shop = "https://shop.example"

// widgetOf returns a service and a new inbox for the web.
func widgetOf(w *desktest.World) (*customers.Service, parley.ID) {
	w.T.Helper()
	inbox, err := w.Desk.CreateInbox(w.T.Context(), w.By(), desk.NewInbox{Name: "Web", Channel: parley.ChannelWeb})
	w.Must(err)
	return customers.New(customers.Options{Desk: w.Desk}), inbox.ID
}
