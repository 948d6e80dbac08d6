package wallclock_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"parley/internal/robustness/wallclock"
)

// asked makes the test's program tell the time instead of testing.
const asked = "WALLCLOCK_TELLS"

func TestMain(m *testing.M) {
	if os.Getenv(asked) == "" {
		os.Exit(m.Run())
	}
	begun := time.Now()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		fmt.Println(time.Now().UnixMilli(), int64(time.Since(begun)))
	}
}

// TestClockIsMoved moves the wall clock of a process, which starts in the past, ahead and
// back. Its running time does not change.
func TestClockIsMoved(t *testing.T) {
	if err := wallclock.Supported(); err != nil {
		t.Skipf("SKIPPED: no clock can be moved here: %v", err)
	}
	var c wallclock.Clock
	cmd := exec.Command("/proc/self/exe")
	cmd.Env = append(os.Environ(), asked+"=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	for n, shift := range []time.Duration{-24 * time.Hour, time.Hour, -2 * time.Hour, 720 * time.Hour, 0} {
		if err := c.Set(shift); err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			if err := c.Start(cmd); err != nil {
				t.Fatal(err)
			}
		}
		var now, lived int64
		_, err := fmt.Fprintln(in, "?")
		if err == nil {
			_, err = fmt.Fscan(out, &now, &lived)
		}
		off := time.UnixMilli(now).Sub(c.Now())
		if err != nil || off.Abs() > time.Minute || lived < 0 || time.Duration(lived) > time.Since(begun) {
			t.Errorf("with a clock that is %s ahead, the process is %s off and has run for %s, %v", shift, off, time.Duration(lived), err)
		}
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
