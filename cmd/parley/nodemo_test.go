package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestWithoutDemo builds the program with the tag nodemo: it contains nothing
// of the demo, the toy model and the fake network, and reports that to users who request them.
func TestWithoutDemo(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	list, err := exec.Command("go", "list", "-tags", "nodemo", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for dependency := range strings.Lines(string(list)) {
		for _, left := range []string{"parley/internal/demo", "parley/internal/chatapp/chatsim", "parley/internal/mail/mailsim", "parley/internal/model/modelsim"} {
			if strings.HasPrefix(dependency, left) {
				t.Errorf("%s is in it", strings.TrimSpace(dependency))
			}
		}
	}
	program, data := filepath.Join(t.TempDir(), "parley"), filepath.Join(t.TempDir(), "data")
	if out, err := exec.Command("go", "build", "-tags", "nodemo", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for flag, args := range map[string][]string{
		"--demo":        {"serve", "--demo"},
		"--demo ":       {"bot", "simulate", "--workspace", someID, "--product", someID, "--demo"},
		"--chatapp-sim": {"number", "create", "--workspace", someID, "--phone", "4930555001", "--driver", "whatsapp", "--chatapp-sim"},
	} {
		out, err := exec.Command(program, append(args, "--data", data)...).CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(out), strings.TrimSpace(flag)+": is not in this build of Parley") {
			t.Errorf("%s: %v\n%s", flag, err, out)
		}
	}
	if out, err := exec.Command(program, "workspace", "create", "--name", "Acme", "--owner-email", "ann@acme.example", "--data", data).CombinedOutput(); err != nil {
		t.Errorf("it makes no store: %v\n%s", err, out)
	}
}
