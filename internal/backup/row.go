package backup

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"parley"
	"parley/internal/store/schema"
)

// appendRow appends a row as a JSON array and a line feed. Texts are strings, ids are
// strings in their usual form, bytes are strings in base64.
func appendRow(b []byte, values []any) ([]byte, error) {
	b = append(b, '[')
	for i, value := range values {
		if i > 0 {
			b = append(b, ',')
		}
		switch v := value.(type) {
		case nil:
			b = append(b, "null"...)
		case string:
			var err error
			if b, err = appendText(b, v); err != nil {
				return b, fmt.Errorf("column %d: %w", i+1, err)
			}
		case int64:
			b = strconv.AppendInt(b, v, 10)
		case bool:
			b = strconv.AppendBool(b, v)
		case parley.ID:
			b = append(v.Append(append(b, '"')), '"')
		case []byte:
			b = append(base64.StdEncoding.AppendEncode(append(b, '"'), v), '"')
		default:
			return b, fmt.Errorf("column %d: unsupported type %T", i+1, value)
		}
	}
	return append(b, ']', '\n'), nil
}

// appendText appends a JSON string. It refuses a text that is not UTF-8, because JSON
// could not preserve it.
func appendText(b []byte, text string) ([]byte, error) {
	if isPlain(text) {
		return append(append(append(b, '"'), text...), '"'), nil
	}
	if !utf8.ValidString(text) {
		return b, errors.New("the text is not UTF-8")
	}
	encoder := json.NewEncoder((*appender)(&b))
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		return b, err
	}
	return b[:len(b)-1], nil // without the line feed
}

// isPlain reports whether a text needs no escapes. Most do not.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// An appender is an io.Writer that appends to a slice.
type appender []byte

func (a *appender) Write(b []byte) (int, error) {
	*a = append(*a, b...)
	return len(b), nil
}

// parseRow parses a line that appendRow wrote for a row of the table.
func parseRow(t *schema.Table, line []byte, values []any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var raw []any
	if err := d.Decode(&raw); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more data follows the row")
	}
	if len(raw) != len(t.Columns) {
		return fmt.Errorf("it has %d values, and the table has %d columns", len(raw), len(t.Columns))
	}
	for i, c := range t.Columns {
		value, ok := parseValue(c, raw[i])
		if !ok {
			return fmt.Errorf("the value of %s does not have the type %s", c.Name, c.Type)
		}
		values[i] = value
	}
	return nil
}

func parseValue(c schema.Column, raw any) (value any, ok bool) {
	switch v := raw.(type) {
	case nil:
		return nil, c.Null
	case bool:
		return v, c.Type == schema.BooleanColumn
	case json.Number:
		n, err := v.Int64()
		return n, err == nil && c.Type == schema.IntegerColumn
	case string:
		switch c.Type {
		case schema.TextColumn:
			return v, true
		case schema.UUIDColumn:
			return parley.ParseID(v)
		case schema.BytesColumn:
			b, err := base64.StdEncoding.DecodeString(v)
			return b, err == nil
		}
	}
	return nil, false
}
