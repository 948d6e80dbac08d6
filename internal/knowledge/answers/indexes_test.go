package answers

import (
	"testing"
	"time"

	"parley"
)

// TestIndexesAreDropped drops the indexes that nobody asks, and the longest
// unused ones while there are too many texts.
func TestIndexesAreDropped(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	x := indexes{all: map[key]*entry{}, sweeping: true} // without a timer
	keyOf := func(i byte) key { return key{product: parley.ID{i}} }
	use := func(i byte, texts int) {
		now = now.Add(time.Minute)
		x.entry(keyOf(i), clock).state.Store(&state{texts: make([]version, texts)})
	}
	has := func(want string) {
		t.Helper()
		got := ""
		for i := byte(1); i < 9; i++ {
			if x.all[keyOf(i)] != nil {
				got += string('0' + rune(i))
			}
		}
		if got != want {
			t.Errorf("the indexes are %s, want %s", got, want)
		}
	}
	use(1, 10_000)
	use(2, 10_000)
	use(1, 10_000)
	use(3, 10_000)
	has("123") // what is being built does not count yet
	use(4, 1)
	has("134")
	use(5, 3*maxTexts)
	use(5, 3*maxTexts)
	has("5")
	use(6, 1)
	has("6")
	now = now.Add(maxIdle)
	x.sweep(clock)
	has("")
	if x.sweeping {
		t.Error("a timer waits for no index")
	}
}
