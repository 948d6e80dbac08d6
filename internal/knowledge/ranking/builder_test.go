package ranking

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// heapOf returns how many bytes the heap grows by a result.
func heapOf[T any](build func() T) (T, int) {
	heap := func() int {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return int(stats.HeapAlloc)
	}
	before := heap()
	result := build()
	return result, heap() - before
}

// TestIndexKeepsNoTexts measures what an index of long texts takes, while it is
// built and afterwards, and compares its own count with that.
func TestIndexKeepsNoTexts(t *testing.T) {
	const texts, length = 300, 60 << 10
	words := large(t, 1)[0].Body
	add := func(w *Builder) {
		for i := range texts {
			body := strings.Repeat(fmt.Sprintf("word%dx ", i)+words, length/len(words)) // a string of its own
			w.Add(&Document{ID: fmt.Sprintf("%05d", i), Language: "en", Title: "A title", Body: body})
		}
	}
	w, building := heapOf(func() *Builder {
		w := NewBuilder()
		add(w)
		return w
	})
	counted := w.Size()
	x, _ := heapOf(func() *Index { return w.Index("en") })
	w = nil
	runtime.KeepAlive(w)
	if building > texts*length/4 || building > 2*counted {
		t.Errorf("a builder of %d bytes of text takes %d bytes and counts %d", texts*length, building, counted)
	}
	if x.Size() <= 0 || x.Size() > counted {
		t.Errorf("the index counts %d bytes, its builder %d", x.Size(), counted)
	}
	documents := large(t, 1000)
	y, took := heapOf(func() *Index { return New(documents, "en") })
	if y.Size() < took*2/3 || y.Size() > took*2 {
		t.Errorf("an index of 1,000 articles takes %d bytes and counts %d", took, y.Size())
	}
	if !y.Has("00007") || y.Has("7") || x.Has("01000") {
		t.Error("the index does not know its documents")
	}
	runtime.KeepAlive(documents)
}
