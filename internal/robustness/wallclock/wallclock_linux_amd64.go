package wallclock

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// function is what the kernel calls the function that tells the time.
const function = "__vdso_clock_gettime"

// Supported returns an error where a clock cannot be moved.
func Supported() error {
	var c Clock
	if err := c.Set(-time.Hour); err != nil {
		return err
	}
	cmd := exec.Command("/proc/self/exe", "-test.run=^$")
	if err := c.Start(cmd); err != nil {
		return err
	}
	return cmd.Wait()
}

// start lets the process stop at its first instruction, replaces the function, and lets it
// go on.
func (c *Clock) start(cmd *exec.Cmd) error {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Ptrace = true
	runtime.LockOSThread() // only this thread may let the process go on
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return err
	}
	var status syscall.WaitStatus
	_, err := syscall.Wait4(cmd.Process.Pid, &status, 0, nil)
	if err == nil && !status.Stopped() {
		err = fmt.Errorf("the process did not stop at its first instruction: %v", status)
	}
	if err == nil {
		err = c.attach(cmd.Process.Pid)
	}
	if err == nil {
		err = syscall.PtraceDetach(cmd.Process.Pid)
	}
	if err != nil {
		_ = cmd.Process.Kill() // it may be over
		_ = cmd.Wait()         // it was killed
	}
	return err
}

// attach replaces the function in a process that stands still.
func (c *Clock) attach(pid int) error {
	from, to, err := mapped(pid)
	if err != nil {
		return err
	}
	memory, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", pid), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.memory != nil {
		_ = c.memory.Close() // its process is over
	}
	c.memory = memory
	image := make([]byte, to-from)
	if _, err := memory.ReadAt(image, from); err != nil {
		return err
	}
	symbol, err := find(image)
	if err != nil {
		return err
	}
	start := from + int64(symbol.Value)
	code, number := replacement(start)
	if symbol.Size < uint64(len(code)) {
		return fmt.Errorf("%s has only %d bytes", function, symbol.Size)
	}
	if _, err := memory.WriteAt(code, start); err != nil {
		return err
	}
	c.at = number
	return c.write()
}

// mapped returns where the kernel's functions are in a process.
func mapped(pid int) (from, to int64, err error) {
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return 0, 0, err
	}
	for line := range strings.Lines(string(maps)) {
		if strings.HasSuffix(strings.TrimSpace(line), "[vdso]") {
			_, err := fmt.Sscanf(line, "%x-%x", &from, &to)
			return from, to, err
		}
	}
	return 0, 0, errors.New("the kernel maps no functions into processes")
}

func find(image []byte) (elf.Symbol, error) {
	file, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return elf.Symbol{}, err
	}
	symbols, err := file.DynamicSymbols()
	n := slices.IndexFunc(symbols, func(s elf.Symbol) bool { return s.Name == function })
	if n < 0 {
		return elf.Symbol{}, errors.Join(err, errors.New("the kernel maps no "+function))
	}
	return symbols[n], nil
}

// replacement returns a function that begins at an address, and where it reads the number
// of seconds that it adds to the wall clock. It lies where a write of it cannot be seen half.
func replacement(start int64) (code []byte, number int64) {
	code = []byte{
		0xb8, 0xe4, 0, 0, 0, // mov eax, 228: clock_gettime
		0x0f, 0x05, // syscall
		0x85, 0xff, // test edi, edi: the wall clock is 0
		0x75, 0x0a, // jne to the end
		0x48, 0x8b, 0x0d, 0, 0, 0, 0, // mov rcx, [rip + distance]
		0x48, 0x01, 0x0e, // add [rsi], rcx: the seconds
		0xc3, // ret
	}
	const distance, next = 14, 18 // where it is in the code, and what it is counted from
	number = (start + int64(len(code)) + 7) &^ 7
	binary.LittleEndian.PutUint32(code[distance:], uint32(number-start-next))
	return append(code, make([]byte, number+8-start-int64(len(code)))...), number
}

// write writes the number, if there is a process.
func (c *Clock) write() error {
	if c.memory == nil {
		return nil
	}
	_, err := c.memory.WriteAt(binary.LittleEndian.AppendUint64(nil, uint64(c.shift/time.Second)), c.at)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil // it has ended; the next one gets the number
	}
	return err
}
