package helpcenter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
)

// TestCacheIsBounded keeps the pages that were read last.
func TestCacheIsBounded(t *testing.T) {
	c := newCache(10)
	for i := range 5 {
		c.put(&page{path: fmt.Sprint(i), size: 3})
		c.get("0")
	}
	for path, kept := range map[string]bool{"0": true, "1": false, "2": false, "3": true, "4": true} {
		if got := c.get(path) != nil; got != kept {
			t.Errorf("page %s is kept: %v", path, got)
		}
	}
	c.put(&page{path: "0", size: 4})
	c.put(&page{path: "large", size: 11})
	if c.get("large") != nil || c.bytes != 10 || len(c.pages) != c.order.Len() {
		t.Errorf("%d bytes in %d pages are kept", c.bytes, len(c.pages))
	}
	c.put(&page{path: "0", size: 11})
	if c.get("0") != nil {
		t.Error("the former page stays for one that is too large")
	}
}

// TestOneWorksForAll lets many wait for the same work, which goes on without the
// one who began, and shares what came out, errors too.
func TestOneWorksForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var f flights[string, int]
		finish := make(chan struct{})
		gone, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		works := 0
		failed := errors.New("it failed")
		work := func(ctx context.Context) (int, error) {
			works++
			<-finish
			return works, cmp.Or(ctx.Err(), failed)
		}
		all.Go(func() {
			if _, err := f.do(gone, "a", work); !errors.Is(err, failed) {
				t.Errorf("the work ends with %v", err)
			}
		})
		synctest.Wait()
		leave()
		if _, err := f.do(gone, "a", work); !errors.Is(err, context.Canceled) {
			t.Errorf("one who left waits: %v", err)
		}
		if n, err := f.do(t.Context(), "b", func(context.Context) (int, error) { return 7, nil }); n != 7 || err != nil {
			t.Errorf("other work waits: %d, %v", n, err)
		}
		for range 5 {
			all.Go(func() {
				if n, err := f.do(t.Context(), "a", work); n != 1 || !errors.Is(err, failed) {
					t.Errorf("one who waited gets %d, %v", n, err)
				}
			})
		}
		synctest.Wait()
		close(finish)
		all.Wait()
		func() {
			defer func() { _ = recover() }()
			_, _ = f.do(t.Context(), "a", func(context.Context) (int, error) { panic("a fault") })
		}()
		if len(f.all) > 0 {
			t.Errorf("%d works never end", len(f.all))
		}
	})
}

// TestLinksAreReadable takes colors from all over the cube.
func TestLinksAreReadable(t *testing.T) {
	for r := 0; r < 256; r += 51 {
		for g := 0; g < 256; g += 51 {
			for b := 0; b < 256; b += 51 {
				color := fmt.Sprintf("#%02x%02x%02x", r, g, b)
				light, dark := contrast(shifted(color, paper, "#000000"), paper), contrast(shifted(color, night, "#ffffff"), night)
				if light < readable || dark < readable || contrast(on(color), color) < 4.5 {
					t.Errorf("%s gives the contrasts %.1f, %.1f and %.1f", color, light, dark, contrast(on(color), color))
				}
			}
		}
	}
	if got := shifted("#1d4ed8", paper, "#000000"); got != "#1d4ed8" {
		t.Errorf("a readable color becomes %s", got)
	}
}
