package helpcenter

import (
	"context"
	"fmt"
	"sync"
	"testing"
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

// TestOneRendersForAll lets requests for the same page wait for the first.
func TestOneRendersForAll(t *testing.T) {
	c := newCache(10)
	leave, first, err := c.enter(t.Context(), "a")
	if err != nil || !first {
		t.Fatalf("the first is refused: %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, _, err := c.enter(ended, "a"); err == nil {
		t.Error("a reader who left waits on")
	}
	var others sync.WaitGroup
	for range 5 {
		others.Go(func() {
			leave, first, err := c.enter(t.Context(), "a")
			if err != nil || first && c.get("a") == nil {
				t.Errorf("a second one renders: %v", err)
				return
			}
			leave()
		})
	}
	c.put(&page{path: "a", size: 1})
	leave()
	others.Wait()
	if len(c.building) > 0 {
		t.Errorf("%d pages are rendered for ever", len(c.building))
	}
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
