package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// progressPause is the time between two lines about progress.
const progressPause = time.Second

// A progress tells a person at a terminal how much of something long is done. It
// counts what is written to it. Where nobody looks, it tells nothing.
type progress struct {
	out   io.Writer // nil: nobody looks
	what  string    // was done to those bytes
	total int64     // of them, 0 if unknown
	done  int64
	clock func() time.Time
	next  time.Time // of a line
	shown bool
}

// progress begins one on stderr.
func (c *cli) progress(what string, total int64) *progress {
	p := &progress{what: what, total: total, clock: time.Now}
	if isTerminal(c.stderr) {
		p.out, p.next = c.stderr, p.clock().Add(progressPause)
	}
	return p
}

// isTerminal reports whether a person sees what is written to out.
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
		p.next, p.shown = now.Add(progressPause), true
		if p.total > 0 {
			fmt.Fprintf(p.out, "\r%d %% of %d MB %s ", p.done*100/p.total, p.total>>20, p.what)
		} else {
			fmt.Fprintf(p.out, "\r%d MB %s ", p.done>>20, p.what)
		}
	}
	return len(b), nil
}

// end makes room for other lines. It does nothing if p is nil.
func (p *progress) end() {
	if p != nil && p.shown {
		fmt.Fprint(p.out, "\r\x1b[K") // clears the line
		p.shown = false
	}
}

// fileSize returns the size of a file on a disk, 0 for anything else.
func fileSize(file *os.File) int64 {
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}
