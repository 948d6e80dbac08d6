//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestImageRuns lays out what the image has, and nothing else, and runs the
// server and its health check inside as the image's user: without a shell, a
// list of users, or a loader of libraries. It needs root, and compiles the
// program, so it is of the long form alone.
func TestImageRuns(t *testing.T) {
	if !torture {
		t.Skip("PARLEY_TORTURE=1 runs it")
	}
	if os.Getuid() != 0 {
		t.Skip("NOT TRIED: chroot needs root")
	}
	made := readImage(t)
	root := t.TempDir()
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	for dir := root; dir != "/"; dir = filepath.Dir(dir) { // the user must come in
		if info, err := os.Stat(dir); err == nil && info.Mode().Perm()&0o011 == 0 {
			if err := os.Chmod(dir, info.Mode().Perm()|0o011); err != nil {
				t.Fatal(err)
			}
		}
	}
	name, group, _ := strings.Cut(made.user, ":")
	uid, uidErr := strconv.Atoi(name)
	gid, gidErr := strconv.Atoi(group)
	if uidErr != nil || gidErr != nil {
		t.Fatalf("the user is %s", made.user)
	}
	for _, paths := range made.copies {
		place(t, root, paths, uid, gid)
	}
	start := func(args []string, more ...string) *exec.Cmd {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Env = append(made.env, more...)
		cmd.Dir = "/"
		cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
		return cmd
	}
	listen := "PARLEY_LISTEN=" + strings.Replace(freePort(t), "127.0.0.1", "0.0.0.0", 1)
	server := start(append(made.entry, made.arguments...), listen, "PARLEY_LOG_LEVEL=error")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Process.Kill() }()
	for deadline := time.Now().Add(time.Minute); start(made.health, listen).Run() != nil; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the image never becomes healthy")
		}
	}
	if err := start(append(made.health, "--ready"), listen).Run(); err != nil {
		t.Errorf("it is healthy and not ready: %v", err)
	}
	if err := server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("the server did not end well: %v", err)
	}
	if err := start(made.health, listen).Run(); err == nil {
		t.Error("a server that has ended is healthy")
	}
}

// place copies into a root what a line of the Dockerfile copies.
func place(t *testing.T, root string, paths []string, uid, gid int) {
	t.Helper()
	to := filepath.Join(root, paths[len(paths)-1])
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = filepath.Join("..", "..")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s %v: %v: %s", name, args, err, out)
		}
	}
	for _, from := range paths[:len(paths)-1] {
		ours, isOurs := strings.CutPrefix(from, "/src/")
		switch {
		case from == "/out/parley":
			run("sh", "scripts/compile.sh", to)
		case strings.HasPrefix(from, "/out/"): // an empty folder of the user
			if err := os.MkdirAll(to, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Chown(to, uid, gid); err != nil {
				t.Fatal(err)
			}
		case isOurs:
			run("install", "-D", "-m", "644", "-t", to, ours)
		default:
			run("install", "-D", "-m", "644", from, to)
		}
	}
}
