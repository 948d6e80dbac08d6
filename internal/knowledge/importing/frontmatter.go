package importing

import (
	"fmt"
	"strconv"
	"strings"
)

// A field of the front matter, before its value is read.
type field struct {
	name  string
	line  int      // where it stands, from 1
	value string   // behind the colon
	more  []string // the lines below that belong to it, trimmed
}

// fieldsOf reads the part of YAML that front matter uses: names with a text or a list of
// texts. Texts may be plain, quoted, or a block behind | or >; lists may have a line for
// each item, or stand in brackets. The time it takes is linear in the length of the text,
// which no parser of all of YAML promises.
func fieldsOf(matter string) ([]field, error) {
	var fields []field
	seen := map[string]bool{}
	n := 1 // the line "---"
	for line := range strings.Lines(matter) {
		n++
		line = strings.TrimRight(line, " \t\n")
		text := strings.TrimLeft(line, " \t")
		switch {
		case text == "" || text[0] == '#':
			continue
		case text != line || strings.HasPrefix(text, "- ") || text == "-" || strings.HasPrefix(text, "]"):
			if len(fields) == 0 {
				return nil, fmt.Errorf("front matter: line %d must be a name and a value, such as title: Return a parcel", n)
			}
			last := &fields[len(fields)-1]
			last.more = append(last.more, strings.TrimSpace(text))
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if name = unquoted(strings.TrimSpace(name)); !ok || name == "" || value != "" && value[0] != ' ' && value[0] != '\t' {
			return nil, fmt.Errorf("front matter: line %d must be a name and a value, such as title: Return a parcel", n)
		}
		if seen[name] {
			return nil, fmt.Errorf("front matter: line %d repeats %q", n, name)
		}
		seen[name] = true
		fields = append(fields, field{name: name, line: n, value: strings.TrimSpace(value)})
	}
	return fields, nil
}

func unquoted(name string) string {
	if len(name) >= 2 && (name[0] == '"' || name[0] == '\'') && name[len(name)-1] == name[0] {
		return name[1 : len(name)-1]
	}
	return name
}

// fault returns the error for a value that cannot be read.
func (f *field) fault(rule string) error {
	return fmt.Errorf("%s: must %s (line %d)", f.name, rule, f.line)
}

// text returns the value as one line.
func (f *field) text() (string, error) {
	switch f.value {
	case "|", "|-", "|+", ">", ">-", ">+":
		return strings.Join(f.more, " "), nil
	}
	text, rest, err := scalar(f.joined(), "")
	if err == nil && rest != "" || len(f.more) > 0 && isItem(f.more[0]) {
		err = errScalar
	}
	if err != nil {
		return "", f.fault("be a text; put it in quotes if it begins or ends with a sign")
	}
	return text, nil
}

// joined returns all lines of a value as one.
func (f *field) joined() string {
	return strings.TrimSpace(f.value + " " + strings.Join(f.more, " "))
}

func isItem(line string) bool { return line == "-" || strings.HasPrefix(line, "- ") }

// list returns the values of a list. A text is split at its commas.
func (f *field) list() ([]string, error) {
	switch {
	case f.value == "" && len(f.more) > 0 && isItem(f.more[0]):
		return f.items()
	case strings.HasPrefix(f.value, "["):
		return f.bracketed()
	}
	text, err := f.text()
	return strings.Split(text, ","), err
}

func (f *field) items() ([]string, error) {
	var items []string
	for i := 0; i < len(f.more); {
		item := field{name: f.name, line: f.line, value: strings.TrimSpace(f.more[i][1:])}
		for i++; i < len(f.more) && !isItem(f.more[i]); i++ {
			item.more = append(item.more, f.more[i])
		}
		text, err := item.text()
		if err != nil {
			return nil, err
		}
		items = append(items, text)
	}
	return items, nil
}

func (f *field) bracketed() ([]string, error) {
	var items []string
	for rest := f.joined()[1:]; ; {
		rest = strings.TrimLeft(rest, " \t")
		if after, ok := strings.CutPrefix(rest, "]"); ok {
			if after = strings.TrimSpace(after); after != "" && after[0] != '#' {
				break
			}
			return items, nil
		}
		text, after, err := scalar(rest, ",]")
		if err != nil || after == "" {
			break
		}
		items = append(items, text)
		rest = strings.TrimPrefix(after, ",")
	}
	return nil, f.fault("be a list such as [wrong size, \"too small, too big\"]")
}

// scalar reads a text from the beginning of a line, up to one of some ends, and returns what
// follows it. A comment behind it is dropped.
func scalar(line, ends string) (text, rest string, err error) {
	switch {
	case line == "" || line[0] == '#':
		return "", "", nil
	case line[0] == '\'':
		text, rest, err = singleQuoted(line[1:])
	case line[0] == '"':
		text, rest, err = doubleQuoted(line[1:])
	case strings.ContainsRune("[]{}&*!|>%@`", rune(line[0])):
		return "", "", errScalar
	default:
		return plain(line, ends)
	}
	rest = strings.TrimLeft(rest, " \t")
	if strings.HasPrefix(rest, "#") {
		rest = ""
	}
	if err == nil && rest != "" && !strings.ContainsRune(ends, rune(rest[0])) {
		err = errScalar
	}
	return text, rest, err
}

func plain(line, ends string) (text, rest string, err error) {
	if i := strings.IndexAny(line, ends); ends != "" && i >= 0 {
		line, rest = line[:i], line[i:]
	}
	if before, _, ok := strings.Cut(line, " #"); ok {
		line = before
	}
	if line = strings.TrimSpace(line); line == "~" || line == "null" {
		line = ""
	}
	return line, rest, nil
}

func singleQuoted(s string) (text, rest string, err error) {
	var b strings.Builder
	for {
		before, after, ok := strings.Cut(s, "'")
		if !ok {
			return "", "", errScalar
		}
		b.WriteString(before)
		if !strings.HasPrefix(after, "'") {
			return b.String(), after, nil
		}
		b.WriteByte('\'')
		s = after[1:]
	}
}

func doubleQuoted(s string) (text, rest string, err error) {
	var b strings.Builder
	for s != "" {
		switch i := strings.IndexAny(s, `"\`); {
		case i < 0:
			return "", "", errScalar
		case i > 0:
			b.WriteString(s[:i])
			s = s[i:]
		case s[0] == '"':
			return b.String(), s[1:], nil
		case strings.HasPrefix(s, `\/`):
			b.WriteByte('/')
			s = s[2:]
		default:
			r, _, after, err := strconv.UnquoteChar(s, '"')
			if err != nil {
				return "", "", errScalar
			}
			b.WriteRune(r)
			s = after
		}
	}
	return "", "", errScalar
}
