package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestProgress tells of two readings of 200 MB, one of an unknown size.
func TestProgress(t *testing.T) {
	for want, total := range map[string]int64{
		"\r25 % of 200 MB checked \r75 % of 200 MB checked \r\x1b[K": 200 << 20,
		"\r50 MB checked \r150 MB checked \r\x1b[K":                  0,
	} {
		var out bytes.Buffer
		now := time.Date(2026, 12, 1, 3, 0, 0, 0, time.UTC)
		p := &progress{out: &out, what: "checked", total: total, clock: func() time.Time { return now }, next: now}
		for range 4 {
			if n, err := p.Write(make([]byte, 50<<20)); n != 50<<20 || err != nil {
				t.Fatal(n, err)
			}
			now = now.Add(progressInterval / 2)
		}
		p.end()
		p.end()
		if out.String() != want {
			t.Errorf("it tells %q, want %q", out.String(), want)
		}
	}
	(*progress)(nil).end()
}

// TestIsTerminal asks about writers that are no terminals, and about one that is.
func TestIsTerminal(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = null.Close() }()
	if isTerminal(file) || isTerminal(null) || isTerminal(&bytes.Buffer{}) {
		t.Error("a file, nothing or memory is a terminal")
	}
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("there is no terminal: %v", err)
	}
	defer func() { _ = terminal.Close() }()
	if !isTerminal(terminal) {
		t.Error("a terminal is none")
	}
}
