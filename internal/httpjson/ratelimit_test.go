package httpjson_test

import (
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/httpjson"
)

func TestParseRate(t *testing.T) {
	for text, want := range map[string]httpjson.Rate{
		"": {}, "off": {}, "100/10s": {Quota: 100, Window: 10 * time.Second}, "1/1m": {Quota: 1, Window: time.Minute}, "5/1h30m": {Quota: 5, Window: 90 * time.Minute},
	} {
		if got, err := httpjson.ParseRate(text); err != nil || got != want {
			t.Errorf("%q is %v (%v), want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"100", "/", "0/1s", "-1/1s", "x/1s", "1/s", "1/10", "1/0s", "1/500ms", "1/1500ms", "1/-1s", "1/1s/1s", " 1/1s"} {
		if got, err := httpjson.ParseRate(text); err == nil || err.Error() != "must be requests per time of whole seconds, such as 100/10s, or off" {
			t.Errorf("%q is %v (%v)", text, got, err)
		}
	}
}

func TestLimiter(t *testing.T) {
	clock := newClock()
	l := httpjson.NewLimiterOf[string](httpjson.Rate{Quota: 2, Window: 10 * time.Second}, clock.clock)
	take := func(key, wantLimit, wantMessage string) {
		t.Helper()
		h := http.Header{}
		err := l.Take(h, key)
		if got := h.Get("RateLimit-Policy"); got != `"default";q=2;w=10` {
			t.Errorf("RateLimit-Policy is %s", got)
		}
		if got := h.Get("RateLimit"); got != wantLimit {
			t.Errorf("RateLimit is %s, want %s", got, wantLimit)
		}
		if wantMessage == "" && err != nil || wantMessage != "" && (err == nil || err.Error() != wantMessage) {
			t.Errorf("the error is %v, want %q", err, wantMessage)
		}
		if err != nil {
			wantKind(t, err, parley.Limited)
		}
	}
	take("a", `"default";r=1;t=10`, "")
	clock.now = clock.now.Add(time.Millisecond)
	take("a", `"default";r=0;t=10`, "")
	clock.now = clock.now.Add(8999 * time.Millisecond)
	take("a", `"default";r=0;t=1`, "the key may send 2 requests in 10s; try again in 1 seconds")
	take("b", `"default";r=1;t=10`, "")
	clock.now = clock.now.Add(999 * time.Millisecond)
	take("a", `"default";r=0;t=1`, "the key may send 2 requests in 10s; try again in 1 seconds")
	clock.now = clock.now.Add(time.Millisecond) // the window of a ends, to the millisecond
	take("a", `"default";r=1;t=10`, "")
	take("a", `"default";r=0;t=10`, "")
	clock.now = clock.now.Add(-24 * time.Hour) // the clock is set back
	take("a", `"default";r=1;t=10`, "")
}

func TestLimiterOff(t *testing.T) {
	l := httpjson.NewLimiter(httpjson.Rate{}, newClock().clock)
	h := http.Header{}
	for range 1000 {
		if err := l.Take(h, parley.ID{1}); err != nil {
			t.Fatal(err)
		}
	}
	if len(h) > 0 {
		t.Errorf("the headers are %v", h)
	}
}

func TestLimiterTogether(t *testing.T) {
	l := httpjson.NewLimiter(httpjson.Rate{Quota: 500, Window: time.Hour}, newClock().clock)
	var all sync.WaitGroup
	var taken [2]atomic.Int64
	for i := range 16 {
		all.Go(func() {
			for range 100 {
				if l.Take(http.Header{}, parley.ID{byte(i % 2)}) == nil {
					taken[i%2].Add(1)
				}
			}
		})
	}
	all.Wait()
	if taken[0].Load() != 500 || taken[1].Load() != 500 {
		t.Errorf("of two keys %d and %d requests were taken, want 500 of each", taken[0].Load(), taken[1].Load())
	}
}

func TestLimiterForgets(t *testing.T) {
	clock := newClock()
	l := httpjson.NewLimiterOf[string](httpjson.Rate{Quota: 1, Window: time.Minute}, clock.clock)
	for i := range httpjson.MaxWindows + 1000 {
		_ = l.Take(http.Header{}, strconv.Itoa(i)) // the first of each
	}
	if got := l.Windows(); got != httpjson.MaxWindows {
		t.Errorf("%d windows are kept at once, want %d", got, httpjson.MaxWindows)
	}
	clock.now = clock.now.Add(time.Minute + time.Millisecond)
	_ = l.Take(http.Header{}, "next")
	if got := l.Windows(); got != 1 {
		t.Errorf("%d windows are kept after their end, want 1", got)
	}
}
