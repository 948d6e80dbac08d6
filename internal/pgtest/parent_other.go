//go:build !linux

package pgtest

import "syscall"

// diesWithParent does nothing: only Linux ends a process with the one that started it.
func diesWithParent(a *syscall.SysProcAttr) *syscall.SysProcAttr { return a }
