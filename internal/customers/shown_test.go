package customers_test

import (
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk/desktest"
)

// TestShownWidgetIsNeverOlderThanAChange reads a widget concurrently while its
// title counts up: a read that starts after a change sees it, whatever others
// read.
func TestShownWidgetIsNeverOlderThanAChange(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		svc, inbox := widgetOf(w)
		const changes, readers = 100, 8
		var made atomic.Int64
		var all sync.WaitGroup
		for range readers {
			all.Go(func() {
				for made.Load() < changes {
					least := made.Load()
					shown, err := svc.ShownWidget(t.Context(), inbox)
					if err != nil {
						t.Error(err)
						return
					}
					if title, _ := strconv.ParseInt(shown.Settings.Title, 10, 64); title < least {
						t.Errorf("the title is %q after %d changes", shown.Settings.Title, least)
						return
					}
				}
			})
		}
		for i := int64(1); i <= changes; i++ {
			change := customers.WidgetChange{Title: parley.Some(strconv.FormatInt(i, 10))}
			if _, err := svc.UpdateWidget(t.Context(), w.By(), inbox, change); err != nil {
				t.Error(err)
			}
			made.Store(i)
		}
		all.Wait()
	})
}

// TestOriginsAfterTheClockIsSetBack changes the origins on another node and
// sets the clock back: the cached result is then from the future and not used.
func TestOriginsAfterTheClockIsSetBack(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		svc, inbox := widgetOf(w)
		lists := func() bool {
			inboxes, err := svc.InboxesOfOrigin(t.Context(), shop)
			if err != nil {
				t.Fatal(err)
			}
			return len(inboxes) == 1
		}
		if lists() {
			t.Fatal("an origin is listed at the start")
		}
		another := customers.New(customers.Options{Desk: w.Desk})
		if _, err := another.UpdateWidget(t.Context(), w.By(), inbox, customers.WidgetChange{Origins: parley.Some([]string{shop})}); err != nil {
			t.Fatal(err)
		}
		if lists() {
			t.Fatal("the origins are not remembered")
		}
		w.Advance(-time.Hour)
		if !lists() {
			t.Error("origins from the future are used")
		}
	})
}
