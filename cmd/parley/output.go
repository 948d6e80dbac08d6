package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"parley"
)

// A field is a named value in the output of a command.
type field struct {
	name  string
	value any // string, bool, time.Time (zero: null), []parley.Scope or keyMaker
}

// fields are printed as one JSON object, or as lines of a table.
type fields []field

// MarshalJSON writes the fields in order.
func (f fields) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	for i, field := range f {
		b.WriteString([]string{"{", ","}[min(i, 1)])
		value, err := json.Marshal(field.plain())
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", field.name, value)
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

func (f field) plain() any {
	if at, ok := f.value.(time.Time); ok {
		if at.IsZero() {
			return nil
		}
		return at.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	return f.value
}

func (f field) text() string {
	switch v := f.plain().(type) {
	case nil:
		return "-"
	case []parley.Scope:
		return strings.Trim(fmt.Sprint(v), "[]")
	default:
		return fmt.Sprint(v)
	}
}

// print prints one record.
func (c *cli) print(f fields) error {
	if c.json {
		return json.NewEncoder(c.stdout).Encode(f)
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, field := range f {
		fmt.Fprintf(w, "%s\t%s\n", field.name, field.text())
	}
	return w.Flush()
}

// printList prints records, as {"data": […]} or as a table.
func (c *cli) printList(rows []fields) error {
	if c.json {
		return json.NewEncoder(c.stdout).Encode(struct {
			Data []fields `json:"data"`
		}{rows})
	}
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for i, row := range rows {
		var names, values []string
		for _, field := range row {
			names, values = append(names, field.name), append(values, field.text())
		}
		if i == 0 {
			fmt.Fprintln(w, strings.Join(names, "\t"))
		}
		fmt.Fprintln(w, strings.Join(values, "\t"))
	}
	if len(rows) == 0 {
		fmt.Fprintln(w, "There are none.")
	}
	return w.Flush()
}
