package httpjson

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// A flaw is why a valid JSON value is refused. The greatest flaw is reported.
type flaw int

const (
	none flaw = iota
	halfPair
	nul
	deep
)

// rule completes "must …".
func (f flaw) rule() string {
	switch f {
	case halfPair:
		return "not contain half of a surrogate pair"
	case nul:
		return "not contain the NUL character"
	case deep:
		return "be nested at most " + strconv.Itoa(MaxDepth) + " levels deep"
	}
	return ""
}

// A cursor walks over text that is known to be valid JSON. It does not check
// again, and it does not recurse.
type cursor struct {
	text []byte
	at   int
}

func (c *cursor) space() {
	for c.at < len(c.text) {
		switch c.text[c.at] {
		case ' ', '\t', '\n', '\r':
			c.at++
		default:
			return
		}
	}
}

// enter skips a bracket, a brace or a colon and the white space around it.
func (c *cursor) enter() {
	c.space()
	c.at++
	c.space()
}

// leave reports whether the object or array ends here; if not, it skips the
// comma, if there is one.
func (c *cursor) leave() bool {
	c.space()
	switch c.text[c.at] {
	case '}', ']':
		c.at++
		return true
	case ',':
		c.enter()
	}
	return false
}

// value returns the value that begins here and moves past it.
func (c *cursor) value() (json.RawMessage, flaw) {
	start, depth, found := c.at, 1, none // the body itself is one level
	for {
		switch c.text[c.at] {
		case '"':
			found = max(found, c.str())
		case '{', '[':
			if depth++; depth > MaxDepth {
				found = deep
			}
			c.at++
		case '}', ']':
			depth--
			c.at++
		case ',', ':', ' ', '\t', '\n', '\r':
			c.at++
		default:
			c.literal()
		}
		if depth == 1 {
			return c.text[start:c.at:c.at], found
		}
	}
}

// literal skips a number, true, false or null.
func (c *cursor) literal() {
	for c.at < len(c.text) {
		switch c.text[c.at] {
		case ',', ':', '}', ']', ' ', '\t', '\n', '\r':
			return
		}
		c.at++
	}
}

// str skips a string.
func (c *cursor) str() flaw {
	c.at++
	end := bytes.IndexByte(c.text[c.at:], '"')
	if bytes.IndexByte(c.text[c.at:c.at+end], '\\') < 0 {
		c.at += end + 1
		return none
	}
	found := none
	for c.text[c.at] != '"' {
		if c.text[c.at] != '\\' {
			c.at++
			continue
		}
		if c.text[c.at+1] != 'u' {
			c.at += 2
			continue
		}
		switch code := c.code(); {
		case code == 0:
			found = max(found, nul)
		case code >= 0xd800 && code < 0xdc00 && c.text[c.at] == '\\' && c.text[c.at+1] == 'u':
			if low := c.code(); low < 0xdc00 || low > 0xdfff {
				c.at -= 6 // not the other half; it may begin its own pair
				found = max(found, halfPair)
			}
		case code >= 0xd800 && code <= 0xdfff:
			found = max(found, halfPair)
		}
	}
	c.at++
	return found
}

// code skips an escape such as \u00e9 and returns its number.
func (c *cursor) code() uint64 {
	n, _ := strconv.ParseUint(string(c.text[c.at+2:c.at+6]), 16, 16) // four hex digits, since the JSON is valid
	c.at += 6
	return n
}

// stringOf returns the text of a JSON string, and false for any other value.
func stringOf(value json.RawMessage) (string, bool) {
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return string(value[1 : len(value)-1]), true
	}
	var s string
	err := json.Unmarshal(value, &s)
	return s, err == nil
}

// items returns the values of a JSON array, at most one more than limit, and
// false for any other value.
func items(value json.RawMessage, limit int) ([]json.RawMessage, bool) {
	if len(value) == 0 || value[0] != '[' {
		return nil, false
	}
	var all []json.RawMessage
	c := cursor{text: value}
	for c.enter(); !c.leave(); {
		item, _ := c.value() // ReadBody has reported the body's flaws
		if all = append(all, item); len(all) > limit {
			break
		}
	}
	return all, true
}
