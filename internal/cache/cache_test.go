package cache

import (
	"encoding/binary"
	"testing"
	"time"
)

// newStill returns a cache whose clock the test moves.
func newStill() (c *Cache[string], now *time.Time) {
	at := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
	return New[string](func() time.Time { return at }), &at
}

func TestLife(t *testing.T) {
	if Life >= time.Second {
		t.Errorf("a record lives for %s, and what was revoked must stop within a second", Life)
	}
	for age, known := range map[time.Duration]bool{
		0: true, Life - time.Nanosecond: true, Life: false, time.Hour: false,
		-time.Nanosecond: false, -time.Hour: false, // the clock was set back
	} {
		c, now := newStill()
		key := [32]byte{1}
		c.Put(key, "a")
		*now = now.Add(age)
		if value, ok := c.Get(key); ok != known || known && value != "a" {
			t.Errorf("after %s the cache gives %q, %t", age, value, ok)
		}
		c.Put(key, "b")
		if value, ok := c.Get(key); !ok || value != "b" {
			t.Errorf("a record that was put anew after %s is given as %q, %t", age, value, ok)
		}
	}
}

func TestForget(t *testing.T) {
	c, _ := newStill()
	c.Forget() // what holds nothing yet
	c.Put([32]byte{1}, "a")
	if _, ok := c.Get([32]byte{2}); ok {
		t.Error("another key finds the record")
	}
	c.Forget()
	if _, ok := c.Get([32]byte{1}); ok {
		t.Error("a forgotten record is known")
	}
}

func TestFullCacheStartsAnew(t *testing.T) {
	c, _ := newStill()
	keys := make([][32]byte, size+1)
	for i := range keys {
		binary.BigEndian.PutUint64(keys[i][:], uint64(i))
	}
	for _, key := range keys[:size] {
		c.Put(key, "a")
	}
	if _, ok := c.Get(keys[0]); !ok {
		t.Error("a cache that is just full has lost its first record")
	}
	c.Put(keys[size], "b")
	if _, ok := c.Get(keys[0]); ok {
		t.Error("a cache grows past its size")
	}
	if value, ok := c.Get(keys[size]); !ok || value != "b" {
		t.Errorf("the record for which the cache started anew is %q, %t", value, ok)
	}
}
