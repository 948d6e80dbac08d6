package widget_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/customers"
)

// TestFirstViewIsRecorded loads the frame as pages of websites do. Each website
// counts once, the preview and a chat of its own never, and strangers cannot
// make the list long.
func TestFirstViewIsRecorded(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		h := pagesOf(t, w)
		frame := "/widget/frame?inbox=" + w.inbox.String()
		views := func() (seen []string) {
			t.Helper()
			got, err := w.Customers.Welcome(w.Home.Workspace.ID).Now(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, view := range got.Views {
				if view.InboxID != w.inbox || view.FirstAt.IsZero() {
					t.Errorf("the view %+v", view)
				}
				seen = append(seen, view.Origin)
			}
			return seen
		}
		const iframe, dest = "iframe", "Sec-Fetch-Dest"
		page(h, frame)
		page(h, frame, dest, "document", "Referer", "https://acme.example/")
		page(h, frame+"&preview", dest, iframe, "Referer", "https://parley.example/settings")
		page(h, "/widget/frame?inbox="+w.Home.Inbox.ID.String(), dest, iframe, "Referer", "https://acme.example/")
		if seen := views(); len(seen) > 0 {
			t.Errorf("no website has shown the widget, but %q", seen)
		}
		for range 2 {
			page(h, frame, dest, iframe, "Referer", "https://acme.example/some/page")
		}
		if seen := views(); !slices.Equal(seen, []string{"https://acme.example"}) {
			t.Errorf("the websites are %q", seen)
		}
		_, err := w.Customers.UpdateWidget(t.Context(), w.By(), w.inbox, customers.WidgetChange{Origins: parley.Some([]string{"https://shop.example:443"})})
		if err != nil {
			t.Fatal(err)
		}
		page(h, frame, dest, iframe, "Referer", "https://other.example/")
		page(h, frame, dest, iframe, "Referer", "https://shop.example/")
		if seen := views(); len(seen) != 2 || !slices.Contains(seen, "https://shop.example") {
			t.Errorf("with a list of websites they are %q", seen)
		}
		if _, err := w.Customers.UpdateWidget(t.Context(), w.By(), w.inbox, customers.WidgetChange{Origins: parley.Some([]string{})}); err != nil {
			t.Fatal(err)
		}
		for i := range 2 * parley.MaxWidgetViews {
			page(h, frame, dest, iframe, "Referer", fmt.Sprintf("https://s%d.example/", i))
		}
		page(h, frame, dest, iframe, "Referer", "https://"+strings.Repeat("x", 300)+"<script>/")
		if seen := views(); len(seen) != parley.MaxWidgetViews {
			t.Errorf("%d websites are stored: %q", len(seen), seen)
		}
	})
}

// TestFirstViewOfAPageWithoutAddress counts a page that is opened as a file.
func TestFirstViewOfAPageWithoutAddress(t *testing.T) {
	w := onSQLite(t)
	page(pagesOf(t, w), "/widget/frame?inbox="+w.inbox.String(), "Sec-Fetch-Dest", "iframe")
	got, err := w.Customers.Welcome(w.Home.Workspace.ID).Now(t.Context())
	if err != nil || len(got.Views) != 1 || got.Views[0].Origin != "" {
		t.Errorf("%+v, %v", got, err)
	}
}
