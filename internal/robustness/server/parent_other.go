//go:build !linux

package server

import "syscall"

// diesWithParent does nothing: only Linux ends a process with the one that started it.
func diesWithParent(a *syscall.SysProcAttr) *syscall.SysProcAttr { return a }
