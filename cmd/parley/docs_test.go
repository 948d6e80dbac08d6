package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// The examples of README.md, docs/api.md and docs/widget.md run here as a
// reader would run them: the program is started with the README's own command,
// and the blocks of a document run in one shell, one after the other.
//
// A block is an example if its first line is ```sh run. Each of its calls must
// be answered with 2xx, or with one of the statuses after "run", all of which
// must occur. A block that begins with ```json answer shows the last line that
// the previous example printed: the real answer must have the same members with
// the same types; the values are free.

// readmeAddress is the server's address in the documents.
const readmeAddress = "http://127.0.0.1:8080"

func TestDocuments(t *testing.T) {
	needCurl(t)
	server := serveDocuments(t)
	t.Run("README.md", func(t *testing.T) {
		ran := runDocument(t, server, readDocument(t, "README.md"))
		if len(ran) != 1 || len(ran[0].statuses) != 5 {
			t.Errorf("README.md shows %d examples, want one of five calls: %v", len(ran), ran)
		}
		last := ran[len(ran)-1].lastLine()
		for _, content := range []string{"Where is my parcel?", "It left our warehouse this morning."} {
			if !strings.Contains(last, `"content":"`+content+`"`) {
				t.Errorf("the last call does not show the message %q: %s", content, last)
			}
		}
	})
	t.Run("docs/api.md", func(t *testing.T) {
		if ran := runDocument(t, server, readDocument(t, "docs/api.md")); len(ran) < 10 {
			t.Errorf("docs/api.md has %d examples, want 10 at least", len(ran))
		}
	})
	t.Run("docs/widget.md", func(t *testing.T) {
		if ran := runDocument(t, server, readDocument(t, "docs/widget.md")); len(ran) != 5 {
			t.Errorf("docs/widget.md has %d examples, want 5", len(ran))
		}
	})
	t.Run("what does not hold", func(t *testing.T) { findsWhatDoesNotHold(t, server) })
}

// findsWhatDoesNotHold shows that the checks in this file can fail.
func findsWhatDoesNotHold(t *testing.T, server documentServer) {
	const call = "curl -sS http://127.0.0.1:8080/v1/public/products -H \"Authorization: Bearer $KEY\""
	answer := func(shown string) string { return "```sh run\n" + call + "\n```\n```json answer\n" + shown + "\n```\n" }
	for name, document := range map[string]string{
		"a status that is no 2xx":       "```sh run\ncurl -sS http://127.0.0.1:8080/v1/public/products\n```\n",
		"a status that does not occur":  "```sh run 404\n" + call + "\n```\n",
		"a command that fails":          "```sh run\nfalse\n```\n",
		"a call that cannot be made":    "```sh run\ncurl -sS http://127.0.0.1:1/ || :\n```\n",
		"a member that is not there":    answer(`{"data": [], "has_more": true, "next": ""}`),
		"a member of another type":      answer(`{"data": [], "has_more": "no", "next_cursor": ""}`),
		"an item of another shape":      answer(`{"data": [{"id": ""}], "has_more": true, "next_cursor": ""}`),
		"an answer that is not JSON":    "```sh run\necho hello\n```\n```json answer\n{}\n```\n",
		"an answer without an example":  "```json answer\n{}\n```\n",
		"a block that nobody closed":    "```sh run\n" + call + "\n",
		"a failure before the last one": "```sh run\nfalse\n```\n```sh run\n" + call + "\n```\n",
	} {
		if _, err := server.runExamples(t.TempDir(), document); err == nil {
			t.Errorf("%s: was not found", name)
		}
	}
	if _, err := server.runExamples(t.TempDir(), answer(`{"data": [], "has_more": true, "next_cursor": ""}`)); err != nil {
		t.Errorf("an example that holds: %v", err)
	}
}

func needCurl(t *testing.T) {
	t.Helper()
	for _, name := range []string{"curl", "sh"} {
		if _, err := exec.LookPath(name); err == nil {
			continue
		}
		if os.Getenv("CI") == "true" {
			t.Fatalf("%s is missing, so the examples of the documents cannot run", name)
		}
		t.Skipf("SKIPPED: %s is missing, so nobody checks the examples of the documents", name)
	}
}

func readDocument(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func runDocument(t *testing.T, server documentServer, text string) []example {
	t.Helper()
	ran, err := server.runExamples(t.TempDir(), text)
	if err != nil {
		t.Fatal(err)
	}
	return ran
}

// A documentServer is the program as started by a reader of the README.
type documentServer struct{ address, key string }

// serveDocuments starts the program with the README's first command, except its
// address and data, and reads its output.
func serveDocuments(t *testing.T) documentServer {
	t.Helper()
	const program = "go run ./cmd/parley "
	line := regexp.MustCompile(`(?m)^` + program + `(.*)$`).FindStringSubmatch(readDocument(t, "README.md"))
	if line == nil {
		t.Fatalf("README.md does not say %q", program)
	}
	args := append(strings.Fields(line[1]), "--listen", "127.0.0.1:0", "--data", t.TempDir(), "--log-level", "error")
	ctx, stop := context.WithCancel(context.Background())
	printed := &announcement{done: make(chan struct{})}
	var stderr bytes.Buffer
	status := make(chan int, 1)
	go func() { status <- run(ctx, args, printed, &stderr) }()
	t.Cleanup(stop)
	select {
	case code := <-status:
		t.Fatalf("parley %s: status %d: %s", strings.Join(args, " "), code, stderr.String())
	case <-printed.done:
	case <-time.After(2 * time.Minute):
		t.Fatal("the server did not say that it serves")
	}
	t.Cleanup(func() {
		stop()
		if code := <-status; code != 0 {
			t.Errorf("parley %s: status %d: %s", strings.Join(args, " "), code, stderr.String())
		}
	})
	text := printed.String()
	// The greeting lists what there is to look at.
	for name, page := range map[string]string{"API reference": "/docs", "Demo shop": "/shop", "Help center": "/help/northwind-shop", "Demo phones": "/phone"} {
		if found := word(t, text, name+`\s+(\S+)`); found != word(t, text, `Parley serves on\s+(\S+)`)+page {
			t.Errorf("the greeting says %s %s", name, found)
		}
	}
	return documentServer{address: word(t, text, `Parley serves on\s+(\S+)`), key: word(t, text, `API key\s+(\S+)`)}
}

func word(t *testing.T, text, pattern string) string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("the server printed no %q: %s", pattern, text)
	}
	return found[1]
}

// An announcement is the server's output; done reports that it is complete.
type announcement struct {
	mu   sync.Mutex
	text strings.Builder
	once sync.Once
	done chan struct{}
}

// Write takes a part.
func (a *announcement) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.text.Write(p) // a Builder takes every write
	if strings.Contains(a.text.String(), "not shown again") {
		a.once.Do(func() { close(a.done) })
	}
	return len(p), nil
}

// String returns what was printed so far.
func (a *announcement) String() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.text.String()
}

// An example is a block of a document, and what came of it.
type example struct {
	line     int // of the document
	script   string
	expected []int  // statuses besides 2xx
	answer   string // the JSON shown behind it, "" for none

	output   string
	statuses []int // of its calls, in their order
}

// runExamples runs the examples of a document in one shell.
func (s documentServer) runExamples(dir, document string) ([]example, error) {
	examples, err := parseDocument(document)
	if err != nil {
		return nil, err
	}
	script := &strings.Builder{}
	// The documents' calls use this function, which ends each answer with a
	// newline and records its status; 000 without an answer.
	fmt.Fprintf(script, "curl() { command curl --max-time 60 -w '\\n%%{stderr}\\n%%{http_code}\\n' \"$@\" 2>>%s/$BLOCK.statuses; }\n", dir)
	for i, e := range examples {
		fmt.Fprintf(script, "BLOCK=%d\nexec >%s/$BLOCK.out\n%s\n", i, dir, strings.ReplaceAll(e.script, readmeAddress, s.address))
	}
	file := filepath.Join(dir, "examples.sh")
	if err := os.WriteFile(file, []byte(script.String()), 0o600); err != nil {
		return nil, err
	}
	shell := exec.Command("sh", "-eu", file)
	shell.Env = append(os.Environ(), "KEY="+s.key, "NO_PROXY=127.0.0.1", "no_proxy=127.0.0.1")
	said, shellErr := shell.CombinedOutput()
	for i := range examples {
		e := &examples[i]
		output, err := os.ReadFile(filepath.Join(dir, strconv.Itoa(i)+".out"))
		if err != nil {
			return examples, fmt.Errorf("line %d did not run: %w: %s", e.line, shellErr, said)
		}
		e.output = string(output)
		last := shellErr != nil && !exists(filepath.Join(dir, strconv.Itoa(i+1)+".out"))
		if err := e.judge(filepath.Join(dir, strconv.Itoa(i)+".statuses")); err != nil || last {
			return examples, fmt.Errorf("line %d: %w: %s\n%s\nprinted\n%s", e.line, errors.Join(err, shellErr), said, e.script, e.output)
		}
	}
	return examples, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// parseDocument finds the examples of a document.
func parseDocument(document string) ([]example, error) {
	var examples []example
	info, start := "", 0
	var block []string
	for i, line := range strings.Split(document, "\n") {
		switch fence, rest, _ := strings.Cut(line, "```"); {
		case start == 0 && fence == "" && strings.HasPrefix(line, "```"):
			info, start, block = strings.TrimSpace(rest), i+1, nil
		case start > 0 && line == "```":
			var err error
			if examples, err = addBlock(examples, info, start, strings.Join(block, "\n")); err != nil {
				return nil, err
			}
			start = 0
		case start > 0:
			block = append(block, line)
		}
	}
	if start > 0 {
		return nil, fmt.Errorf("line %d: the block has no end", start)
	}
	return examples, nil
}

func addBlock(examples []example, info string, line int, text string) ([]example, error) {
	words := strings.Fields(info)
	switch {
	case len(words) >= 2 && words[0] == "sh" && words[1] == "run":
		e := example{line: line, script: text}
		for _, word := range words[2:] {
			status, err := strconv.Atoi(word)
			if err != nil {
				return nil, fmt.Errorf("line %d: %q is no status", line, word)
			}
			e.expected = append(e.expected, status)
		}
		return append(examples, e), nil
	case slices.Equal(words, []string{"json", "answer"}):
		if len(examples) == 0 || examples[len(examples)-1].answer != "" {
			return nil, fmt.Errorf("line %d: shows the answer of no example", line)
		}
		examples[len(examples)-1].answer = text
	}
	return examples, nil
}

func (e *example) lastLine() string {
	lines := strings.Split(strings.TrimSpace(e.output), "\n")
	return lines[len(lines)-1]
}

// judge checks the statuses of the example's calls and everything that the
// document says about them.
func (e *example) judge(statusFile string) error {
	text, err := os.ReadFile(statusFile)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	for _, field := range regexp.MustCompile(`(?m)^\d{3}$`).FindAllString(string(text), -1) {
		status, err := strconv.Atoi(field)
		if err != nil {
			return err
		}
		e.statuses = append(e.statuses, status)
	}
	for _, status := range e.statuses {
		if (status < 200 || status > 299) && !slices.Contains(e.expected, status) {
			return fmt.Errorf("a call was answered with %d: %s", status, text)
		}
	}
	for _, status := range e.expected {
		if !slices.Contains(e.statuses, status) {
			return fmt.Errorf("no call was answered with %d but with %v", status, e.statuses)
		}
	}
	if e.answer == "" {
		return nil
	}
	var shown, got any
	if err := json.Unmarshal([]byte(e.answer), &shown); err != nil {
		return fmt.Errorf("the answer shown is not JSON: %w", err)
	}
	if err := json.Unmarshal([]byte(e.lastLine()), &got); err != nil {
		return fmt.Errorf("the last line printed is not JSON: %w: %s", err, e.lastLine())
	}
	return sameShape("", shown, got)
}

// sameShape reports where two JSON values differ in their members or types.
// Null matches any type, and so does the content of an empty array. The content
// of customAttributes is free.
func sameShape(path string, shown, got any) error {
	if shown == nil || got == nil || strings.HasSuffix(path, ".customAttributes") {
		return nil
	}
	switch s := shown.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			break
		}
		names, there := slices.Sorted(maps.Keys(s)), slices.Sorted(maps.Keys(g))
		if !slices.Equal(names, there) {
			return fmt.Errorf("the answer shown has %s%v, the real one %v", path, names, there)
		}
		for _, name := range names {
			if err := sameShape(path+"."+name, s[name], g[name]); err != nil {
				return err
			}
		}
		return nil
	case []any:
		g, ok := got.([]any)
		if !ok {
			break
		}
		if len(s) == 0 || len(g) == 0 {
			return nil
		}
		return sameShape(path+"[]", s[0], g[0])
	default:
		if fmt.Sprintf("%T", shown) == fmt.Sprintf("%T", got) {
			return nil
		}
	}
	return fmt.Errorf("the answer shown has at %q a %T, the real one a %T", path, shown, got)
}
