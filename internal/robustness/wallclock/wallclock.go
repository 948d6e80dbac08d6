// Package wallclock gives a process a wall clock that a test moves, while the rest of the
// machine, and the running time of the process, go on as they are.
//
// The program is the very one that operators run: programs ask for the time by a function
// that the kernel maps into them, the vDSO, and that function is replaced in the process
// before its first instruction. It then asks the kernel and adds a number, which the test
// writes. Where that cannot be done, as on other systems than Linux on amd64, Supported says
// why.
//
// It is only for tests and imports nothing of this module.
package wallclock

import (
	"os"
	"os/exec"
	"sync"
	"time"
)

// A Clock is the wall clock of one process at a time. Its methods may be called by many
// goroutines.
type Clock struct {
	mu     sync.Mutex
	shift  time.Duration
	memory *os.File // of the process; nil before Start
	at     int64    // where the number is in it
}

// Shift returns how far the clock is ahead of the true one; less than zero is behind.
func (c *Clock) Shift() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.shift
}

// Set sets how far the clock is ahead of the true one, in whole seconds, for the process
// that runs and for those that start later.
func (c *Clock) Set(shift time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shift = shift.Truncate(time.Second)
	return c.write()
}

// Now returns the time that the clock shows.
func (c *Clock) Now() time.Time { return time.Now().Add(c.Shift()) }

// Start starts a command whose process has this clock from its first instruction. The
// command runs the program itself, not a shell.
func (c *Clock) Start(cmd *exec.Cmd) error { return c.start(cmd) }
