package live

import "testing"

// TestStreamsOf checks what streams leave of a process's descriptors.
func TestStreamsOf(t *testing.T) {
	for descriptors, want := range map[int]int{1: 1, 64: 16, 170: 42, 256: 128, 512: 384, 1024: 768, 65_536: 49_152} {
		if got := streamsOf(descriptors); got != want {
			t.Errorf("of %d descriptors, streams may have %d, want %d", descriptors, got, want)
		}
	}
}
