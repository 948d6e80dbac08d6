package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// progressInterval is the time between two lines about progress.
const progressInterval = time.Second

// A progress shows at a terminal how much of a long operation is done. It counts the
// bytes that are written to it. Without a terminal it shows nothing.
type progress struct {
	out   io.Writer // nil without a terminal
	what  string    // what was done to the bytes
	total int64     // number of bytes, 0 if unknown
	done  int64
	clock func() time.Time
	next  time.Time // when the next line is due
	shown bool
}

// progress begins one on standard error.
func (c *cli) progress(what string, total int64) *progress {
	p := &progress{what: what, total: total, clock: time.Now}
	if isTerminal(c.stderr) {
		p.out, p.next = c.stderr, p.clock().Add(progressInterval)
	}
	return p
}

// isTerminal reports whether out is a terminal.
func isTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&fs.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// Write implements io.Writer. It never fails.
func (p *progress) Write(b []byte) (int, error) {
	p.done += int64(len(b))
	if p.out == nil {
		return len(b), nil
	}
	if now := p.clock(); !now.Before(p.next) {
		p.next, p.shown = now.Add(progressInterval), true
		if p.total > 0 {
			fmt.Fprintf(p.out, "\r%d %% of %d MB %s ", p.done*100/p.total, p.total>>20, p.what)
		} else {
			fmt.Fprintf(p.out, "\r%d MB %s ", p.done>>20, p.what)
		}
	}
	return len(b), nil
}

// end clears the line. It does nothing if p is nil.
func (p *progress) end() {
	if p != nil && p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.shown = false
	}
}

// fileSize returns the size of a regular file, 0 for anything else.
func fileSize(file *os.File) int64 {
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}
