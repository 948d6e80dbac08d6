package reranking

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestFuse orders articles that are in the order of their words.
func TestFuse(t *testing.T) {
	for _, one := range []struct {
		near, want []int
	}{
		{nil, []int{}},
		{[]int{5}, []int{0}},
		{[]int{5, 9}, []int{1, 0}}, // the sums are equal
		{[]int{5, 5}, []int{0, 1}}, // so are the meanings
		{[]int{7, 7, 7, 7}, []int{0, 1, 2, 3}},
		{[]int{9, 5, 7}, []int{0, 2, 1}},
		{[]int{1, 3, 2}, []int{1, 0, 2}},
		{[]int{3, 1, 2, 9}, []int{0, 3, 1, 2}},   // far behind by words, it does not come first
		{[]int{-unit, 0, -unit}, []int{1, 0, 2}}, // without a passage
	} {
		if got := fuse(one.near); !slices.Equal(got, one.want) {
			t.Errorf("%v: the order is %v, want %v", one.near, got, one.want)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		near := make([]int, random.IntN(9))
		for i := range near {
			near[i] = random.IntN(4)
		}
		got := fuse(near)
		if !slices.Equal(got, fuse(near)) {
			t.Fatalf("%v has two orders", near)
		}
		slices.Sort(got)
		for i := range near {
			if got[i] != i {
				t.Fatalf("%v: the order has other positions: %v", near, got)
			}
		}
	}
}

// TestDirection accepts the vectors that can be compared.
func TestDirection(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, wrong := range [][]float32{nil, {}, {0, 0}, {nan, 1}, {inf, 1}, {-inf, inf}} {
		if got := direction(wrong); got != nil {
			t.Errorf("%v has the direction %v", wrong, got)
		}
	}
	tiny, huge := direction([]float32{1e-45, 0}), direction([]float32{3e38, 3e38})
	if got := similarity(tiny, huge); got != 707107 {
		t.Errorf("half a right angle has the similarity %d", got)
	}
	if got := similarity(direction([]float32{1, 2}), direction([]float32{-2, -4})); got != -unit {
		t.Errorf("opposites have the similarity %d", got)
	}
}

// TestBeginning bounds what is embedded.
func TestBeginning(t *testing.T) {
	for text, want := range map[string]int{"": 0, "parcel": 6, strings.Repeat("a", 5000): maxBeginning, strings.Repeat("包", 5000): 3 * maxBeginning / 4, strings.Repeat("\xff", 5000): maxBeginning / 4} {
		if got := beginning(text); len(got) != want || !strings.HasPrefix(text, got) {
			t.Errorf("%.6q…: %d bytes are read, want %d", text, len(got), want)
		}
	}
}

// TestCache fills a cache beyond its size.
func TestCache(t *testing.T) {
	c := newCache(3*(overhead+8) + 1)
	at := func(text string) key { return keyOf(server{model: "embed"}, text) }
	for _, text := range []string{"a", "b", "c", "a", "b"} {
		c.put(at(text), vector{1, 2})
	}
	if c.get(at("c")) == nil || c.size != 3*(overhead+8) || len(c.all) != 3 || c.order.Len() != 3 {
		t.Fatalf("three vectors take %d bytes", c.size)
	}
	c.put(at("d"), vector{3, 4})
	for text, want := range map[string]bool{"a": false, "b": true, "c": true, "d": true} { // a is the one that nobody asked for
		if got := c.get(at(text)) != nil; got != want {
			t.Errorf("%s is there: %v", text, got)
		}
	}
	if c.get(keyOf(server{model: "other"}, "d")) != nil {
		t.Error("a vector of another model was found")
	}
	c.put(at("e"), make(vector, 10_000))
	if c.size != 0 || len(c.all) != 0 || c.order.Len() != 0 {
		t.Errorf("a vector beyond the size left %d bytes", c.size)
	}
}
