package parley_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// logForm is the form of a log message: the part of the server, then what
// happened. Names of headers are in upper case.
var logForm = regexp.MustCompile(`^[a-z]+: (?:…|(?:[a-z]|X-)[^%"]*[^.!%" ])$`)

// logMessages returns the literal messages that a file logs, and the places
// where a message is not a literal. A literal that an expression continues is
// returned with "…" in its place.
func logMessages(t *testing.T, file string, source any) (messages, faults []string) {
	t.Helper()
	positions := token.NewFileSet()
	parsed, err := parser.ParseFile(positions, file, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		argument, ok := loggedArgument(call)
		if !ok {
			return true
		}
		var rest string
		if sum, ok := argument.(*ast.BinaryExpr); ok {
			argument, rest = sum.X, "…"
		}
		literal, ok := argument.(*ast.BasicLit)
		if !ok {
			faults = append(faults, positions.Position(call.Pos()).String()+" logs a message that is not a literal")
			return true
		}
		message, err := strconv.Unquote(literal.Value)
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, message+rest)
		return true
	})
	return messages, faults
}

// loggedArgument returns the message of a call that logs. A logger is known by
// its name, which ends with "log" or "logger".
func loggedArgument(call *ast.CallExpr) (ast.Expr, bool) {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil, false
	}
	var receiver string
	switch x := method.X.(type) {
	case *ast.Ident:
		receiver = x.Name
	case *ast.SelectorExpr:
		receiver = x.Sel.Name
	}
	if receiver = strings.ToLower(receiver); !strings.HasSuffix(receiver, "log") && !strings.HasSuffix(receiver, "logger") {
		return nil, false
	}
	place := slices.IndexFunc([][]string{
		{"Debug", "Info", "Warn", "Error"},
		{"DebugContext", "InfoContext", "WarnContext", "ErrorContext"},
		{"Log", "LogAttrs"},
	}, func(names []string) bool { return slices.Contains(names, method.Sel.Name) })
	if place < 0 || place >= len(call.Args) {
		return nil, false
	}
	return call.Args[place], true
}

// passesOn lists the files that pass on the messages of a library.
func passesOn() []string {
	return []string{filepath.FromSlash("internal/chatapp/whatsapp/log.go"), filepath.FromSlash("internal/chatapp/chatsim/phone.go")}
}

// TestLogMessages requires that operators can search for the messages of the
// log: each is a literal that begins with the part of the server, and
// everything variable is in the attributes. Each message that the documents
// quote must exist.
func TestLogMessages(t *testing.T) {
	var messages []string
	var code strings.Builder
	for _, file := range sources(t) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = code.Write(text)
		logged, faults := logMessages(t, file, text)
		if !slices.Contains(passesOn(), file) {
			for _, fault := range faults {
				t.Error(fault)
			}
		}
		for _, message := range logged {
			if !logForm.MatchString(message) {
				t.Errorf("%s logs %q; want \"part: what happened\"", file, message)
			}
		}
		messages = append(messages, logged...)
	}
	if len(messages) < 80 {
		t.Errorf("only %d messages were found", len(messages))
	}
	for _, file := range quotingDocuments(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, quote := range missingQuotes(string(text), messages, code.String()) {
			t.Errorf("%s quotes `%s`, which is logged nowhere", file, quote)
		}
	}
}

// quotingDocuments returns the documents for people who run a server.
func quotingDocuments(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("docs/*.md")
	if err != nil || len(files) < 5 {
		t.Fatalf("the documents are %v, %v", files, err)
	}
	return append(files, "README.md", "SECURITY.md")
}

// missingQuotes returns the quoted log messages of a document that do not
// exist. A quote may be the beginning of a message. What follows "log: " in a
// table may also be the text of an error, with "…" for what varies.
func missingQuotes(document string, messages []string, code string) []string {
	isBeginning := func(quote string) bool {
		return slices.ContainsFunc(messages, func(message string) bool {
			return strings.HasPrefix(message, strings.TrimSuffix(quote, "…"))
		})
	}
	var missing []string
	for _, found := range regexp.MustCompile("(log: |msg=)?[`\"]([^`\"\n]+)[`\"]").FindAllStringSubmatch(document, -1) {
		lead, quote := found[1], found[2]
		part, _, ok := strings.Cut(quote, ": ")
		isMessage := ok && slices.ContainsFunc(messages, func(message string) bool { return strings.HasPrefix(message, part+": ") })
		switch {
		case isMessage && !isBeginning(quote), lead == "msg=" && !isMessage:
			missing = append(missing, quote)
		case lead == "log: " && !isMessage:
			for piece := range strings.SplitSeq(quote, "…") {
				if piece = strings.TrimSpace(piece); !strings.Contains(code, piece) {
					missing = append(missing, quote)
					break
				}
			}
		}
	}
	return missing
}

// TestLogMessageFaults checks what TestLogMessages refuses.
func TestLogMessageFaults(t *testing.T) {
	const source = `package p
func f() {
	log.Warn("store: read failed, retrying", "error", err)
	s.svc.log.Info("access: "+what)
	o.Logger.Log(ctx, level, "no part is named")
	slog.ErrorContext(ctx, "Store: failed.")
	log.Warn(fmt.Sprintf("store: %s", name))
	t.Log("no logger")
}`
	messages, faults := logMessages(t, "p.go", source)
	wellFormed := slices.DeleteFunc(slices.Clone(messages), func(m string) bool { return !logForm.MatchString(m) })
	if len(messages) != 4 || len(faults) != 1 || !slices.Equal(wellFormed, []string{"store: read failed, retrying", "access: …"}) {
		t.Errorf("messages %q, of which %q are well-formed; faults %q", messages, wellFormed, faults)
	}
	const document = "log: `store: read failed`, log: `store: not ready`, `other: text`, log: `4 files … deleted`, log: `lost … text`, `access: …`"
	want := []string{"store: not ready", "lost … text"}
	if got := missingQuotes(document, messages, "4 files of x cannot be deleted"); !slices.Equal(got, want) {
		t.Errorf("missing are %q, want %q", got, want)
	}
}
