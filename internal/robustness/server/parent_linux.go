package server

import "syscall"

// diesWithParent makes a process end when the one that started it is killed.
func diesWithParent(a *syscall.SysProcAttr) *syscall.SysProcAttr {
	a.Pdeathsig = syscall.SIGKILL
	return a
}
