package publicapi_test

import (
	"math"
	"net/url"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/httpjson"
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

// FuzzForgedCursor computes cursors of any position, whose checksum has no secret, for
// each list that counts its items.
func FuzzForgedCursor(f *testing.F) {
	for _, offset := range []int64{0, 1, -1, math.MaxInt64, math.MinInt64} {
		f.Add(int64(0), offset)
		f.Add(offset, offset)
	}
	w := worldOf(f)
	article := w.Post("/v1/public/articles", `{"language":"en","title":"T"}`).Want(201).Text("id")
	w.Post("/v1/public/article-categories", `{"names":{"en":"C"}}`).Want(201)
	w.Send(apitest.Request{Method: "PUT", Path: "/v1/public/help-centers/" + w.product.ID.String(), Body: `{"slug":"s","title":"T"}`}).Want(201)
	lists := map[string]string{
		"article-categories": "article categories", "help-centers": "help centers", "companies": `companies {"" ""}`,
		"articles/" + article + "/texts/en/versions": "versions of " + article + " en",
	}
	f.Fuzz(func(t *testing.T, at, offset int64) {
		p := parley.Position{Offset: int(offset)}
		if at != 0 {
			p.At = time.UnixMilli(at)
		}
		w.With(t, func() {
			for path, name := range lists {
				got := w.Get("/v1/public/" + path + "?cursor=" + httpjson.List{Workspace: w.Home.Workspace.ID, Name: name}.Cursor(p))
				if offset < 0 {
					got.Refused(400, "cursor: must be a next_cursor of this list with the same filters")
				} else {
					got.Want(200)
				}
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
