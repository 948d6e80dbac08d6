package publicapi_test

import (
	"net/url"
	"strings"
	"testing"

	"parley/internal/store/storetest"
)

// FuzzCursor sends arbitrary cursors: only cursors of this list give data.
func FuzzCursor(f *testing.F) {
	for _, s := range []string{"", "x", "AQAAAaH7aC9qAaH7aC9qcACH2IlSauHQzQAAAAAAAAAAO7bRf901KE-3nA", "100", "eyJhIjoxfQ", strings.Repeat("A", 57)} {
		f.Add(s)
	}
	w := worldOf(f)
	f.Fuzz(func(t *testing.T, s string) {
		w.With(t, func() {
			got := w.Get("/v1/public/conversations?cursor=" + url.QueryEscape(s))
			if s == "" {
				got.Want(200)
			} else {
				got.Want(400)
			}
		})
	})
}

// FuzzPosition sends anything as a position of the event log.
func FuzzPosition(f *testing.F) {
	for _, s := range []string{"", "x", "a.1", "a.-1", "a.01", ".1", "a.9223372036854775807", "a.9223372036854775808", "a.b.1", "a.1.k3v9q2m", "a.1.", "a.1.K", "a.1.b.c"} {
		f.Add(s)
	}
	w := worldOf(f)
	f.Fuzz(func(t *testing.T, s string) {
		w.With(t, func() {
			got := w.Get("/v1/public/events?after=" + url.QueryEscape(s))
			switch {
			case got.Status == 400:
			case s == "":
				got.Want(200).Is("reset", "false")
			default:
				got.Want(200).Is("reset", "true")
			}
		})
	})
}

// worldOf returns a world on SQLite that exists as long as the fuzzing.
func worldOf(f *testing.F) *world {
	f.Helper()
	o := storetest.MigratedSQLite(f)
	return newWorld(f, o, worldOptions{})
}
