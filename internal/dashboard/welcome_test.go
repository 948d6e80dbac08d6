package dashboard_test

import "testing"

// TestWelcome follows the guided start of a workspace: it is over when the owner
// says so, and stays so.
func TestWelcome(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const path = "/v1/dashboard/welcome"
		w.Get(path).Want(200).Is("finishedAt", "null", "views", "[]")
		inbox := w.webInbox()
		widget, err := w.Customers.Widget(t.Context(), inbox)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Customers.RecordView(t.Context(), &widget, "https://acme.example/"); err != nil {
			t.Fatal(err)
		}
		w.Get(path).Want(200).Is("views.0.inboxId", `"`+inbox.String()+`"`, "views.0.origin", `"https://acme.example"`)
		at := w.Post(path+"/finish", "").Want(200).Text("finishedAt")
		w.Tick()
		w.Post(path+"/finish", "").Want(200).Is("finishedAt", `"`+at+`"`)
		w.Get(path).Want(200).Is("finishedAt", `"`+at+`"`)
	})
}
