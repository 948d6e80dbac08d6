package main

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"parley"
	"parley/internal/vault"
)

// A checked is the value of a flag that is parsed when it is set, by the
// command line, the environment or the settings file. An invalid value is a
// usage error before anything is opened.
type checked[T any] struct {
	to    *T
	text  string
	parse func(string) (T, error)
}

func (v *checked[T]) String() string { return v.text }

func (v *checked[T]) Type() string { return "string" }

func (v *checked[T]) Set(text string) error {
	parsed, err := v.parse(text)
	if err == nil {
		*v.to, v.text = parsed, text
	}
	return err
}

// repeated returns a parser that appends the values of a repeated flag.
func repeated[T any](parse func(string) ([]T, error)) func(string) ([]T, error) {
	var all []T
	return func(text string) ([]T, error) {
		more, err := parse(text)
		all = append(all, more...)
		return all, err
	}
}

// A flagOf describes a flag whose value is a T.
type flagOf[T any] struct {
	name, usage string
	initial     string // the default; "" for the zero value
	parse       func(string) (T, error)
	field       string // the name of the field in the desk's errors, if it differs
}

// fieldNote is the annotation with flagOf.field.
const fieldNote = "parley-field"

// addFlag adds a flag to a command and returns a pointer to its value.
func addFlag[T any](cmd *cobra.Command, f flagOf[T]) *T {
	v := &checked[T]{to: new(T), parse: f.parse}
	if f.initial != "" {
		if err := v.Set(f.initial); err != nil {
			panic("parley: the initial value of --" + f.name + ": " + err.Error()) // a mistake in the table of commands
		}
	}
	flag := cmd.Flags().VarPF(v, f.name, "", f.usage)
	if f.field != "" {
		flag.Annotations = map[string][]string{fieldNote: {f.field}}
	}
	return v.to
}

// workspaceFlag adds the flag --workspace.
func workspaceFlag(cmd *cobra.Command) *parley.WorkspaceID {
	ws := addFlag(cmd, flagOf[parley.WorkspaceID]{name: "workspace", usage: "id of the workspace", parse: func(text string) (parley.WorkspaceID, error) {
		ws, ok := parley.ParseWorkspaceID(text)
		if !ok {
			return ws, errors.New("must be a UUID; 'parley workspace list' shows them")
		}
		return ws, nil
	}})
	required(cmd, "workspace")
	return ws
}

// idFlag adds a flag that holds a UUID.
func idFlag(cmd *cobra.Command, name, usage string) *parley.ID {
	return addFlag(cmd, flagOf[parley.ID]{name: name, usage: usage, field: name + "Id", parse: parseID})
}

func parseID(text string) (parley.ID, error) {
	id, ok := parley.ParseID(text)
	if !ok {
		return id, errors.New("must be a UUID")
	}
	return id, nil
}

// parseSwitch parses "on" and "off".
func parseSwitch(text string) (bool, error) {
	if text != "on" && text != "off" {
		return false, errors.New("must be on or off")
	}
	return text == "on", nil
}

func parseName(text string) (string, error) {
	if !parley.ValidName(text) {
		return "", errors.New("must " + parley.NameRule)
	}
	return text, nil
}

// parseOwnID parses an id that a company gave to a record.
func parseOwnID(text string) (string, error) {
	if !parley.ValidName(text) || strings.ContainsAny(text, "\r\n") {
		return "", errors.New("must " + parley.NameRule + ", on one line")
	}
	return text, nil
}

func parseEmail(text string) (string, error) {
	if !parley.ValidEmail(text) {
		return "", errors.New("must " + parley.EmailRule)
	}
	return text, nil
}

func parsePhone(text string) (parley.Phone, error) {
	phone, ok := parley.ParsePhone(text)
	if !ok {
		return "", errors.New("must " + parley.PhoneRule)
	}
	return phone, nil
}

// oneOf parses one of several words.
func oneOf[T ~string](words []T) func(string) (T, error) {
	return func(text string) (T, error) {
		if !slices.Contains(words, T(text)) {
			return "", errors.New("must be " + enumerate(words, "or"))
		}
		return T(text), nil
	}
}

// enumerate returns "a, b or c".
func enumerate[T ~string](words []T, last string) string {
	names := make([]string, len(words))
	for i, word := range words {
		names[i] = string(word)
	}
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + last + " " + names[len(names)-1]
}

func parseScopes(text string) ([]parley.Scope, error) {
	return parseAll(text, "of "+enumerate(parley.Scopes, "and"), func(word string) (parley.Scope, bool) {
		return parley.Scope(word), slices.Contains(parley.Scopes, parley.Scope(word))
	})
}

// parseAll parses values separated by commas; kind says in an error what they are.
func parseAll[T any](text, kind string, parse func(string) (T, bool)) (all []T, err error) {
	for word := range strings.SplitSeq(text, ",") {
		one, ok := parse(strings.TrimSpace(word))
		if !ok {
			return nil, errors.New("must be " + kind + ", with commas between")
		}
		all = append(all, one)
	}
	return all, nil
}

func parseFuture(text string) (time.Time, error) {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, errors.New("must be a time such as 2027-01-31T00:00:00Z")
	}
	if !at.After(time.Now()) {
		return at, errors.New("must be in the future")
	}
	return at, nil
}

func parseDatabase(text string) (string, error) {
	if text != "" && !strings.HasPrefix(text, "postgres://") && !strings.HasPrefix(text, "postgresql://") {
		return "", errors.New("must be a postgres:// URL")
	}
	return text, nil
}

func parseMasterKey(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	if _, err := vault.FromBase64(text); err != nil {
		return "", errors.New("must be 32 bytes in base64")
	}
	return text, nil
}

// parsePublicURL parses the origin under which clients reach the server.
func parsePublicURL(text string) (string, error) {
	u, err := url.Parse(text)
	if text != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || text != u.Scheme+"://"+u.Host || !validHost(u)) {
		return "", errors.New("must be an http or https address without a path, such as https://support.example")
	}
	return text, nil
}

// validHost reports whether the host of an address is valid, and its port if
// there is one. url.Parse accepts quotes and any number.
func validHost(u *url.URL) bool {
	name, port := u.Hostname(), u.Port()
	if _, err := strconv.ParseUint(port, 10, 16); err != nil && port != "" || strings.HasSuffix(u.Host, ":") {
		return false
	}
	if strings.HasPrefix(u.Host, "[") || strings.Contains(name, ":") {
		_, err := netip.ParseAddr(name)
		return err == nil
	}
	return parley.WellFormedHost(name)
}

// checkListen refuses an address that cannot be listened on.
func checkListen(name, address string) error {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		if _, err = strconv.ParseUint(port, 10, 16); err != nil {
			_, err = net.LookupPort("tcp", port)
		}
	}
	if err != nil {
		return fmt.Errorf("--%s: must be an address and a port, such as 127.0.0.1:8080", name)
	}
	return nil
}

func required(cmd *cobra.Command, names ...string) *cobra.Command {
	for _, name := range names {
		_ = cmd.MarkFlagRequired(name) // fails only for an unknown flag
	}
	return cmd
}

// flagError returns the error for a wrong flag on the command line.
func flagError(_ *cobra.Command, err error) error {
	var wrong *pflag.InvalidValueError
	if errors.As(err, &wrong) {
		return fmt.Errorf("--%s: %s", wrong.GetFlag().Name, ruleOf(wrong))
	}
	return err
}

// ruleOf returns the rule for the value of a flag.
func ruleOf(wrong *pflag.InvalidValueError) string {
	switch wrong.GetFlag().Value.Type() {
	case "bool":
		return "must be true or false"
	case "int":
		return "must be a whole number"
	case "duration":
		return "must be a time such as 1h30m"
	default:
		return wrong.Unwrap().Error()
	}
}
