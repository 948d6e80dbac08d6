package httpjson

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// A flaw is why a valid JSON value is not taken; the greatest one is told.
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

// A cursor walks over text that is known to be valid JSON; it does not check
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

// enter steps over a bracket, a brace or a colon and what is blank around it.
func (c *cursor) enter() {
	c.space()
	c.at++
	c.space()
}

// leave reports whether the object or array ends here, and else steps over the
// comma, if one is here.
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

// value returns the value that begins here and steps behind it.
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

// literal steps over a number, true, false or null.
func (c *cursor) literal() {
	for c.at < len(c.text) {
		switch c.text[c.at] {
		case ',', ':', '}', ']', ' ', '\t', '\n', '\r':
			return
		}
		c.at++
	}
}

// str steps over a string.
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
				c.at -= 6 // not the other half; it may begin a pair of its own
				found = max(found, halfPair)
			}
		case code >= 0xd800 && code <= 0xdfff:
			found = max(found, halfPair)
		}
	}
	c.at++
	return found
}

// code steps over an escape such as \u00e9 and returns its number.
func (c *cursor) code() uint64 {
	n, _ := strconv.ParseUint(string(c.text[c.at+2:c.at+6]), 16, 16) // four hex digits, for the JSON is valid
	c.at += 6
	return n
}

// stringOf returns what a JSON string says, and false for another value.
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

// items returns the values of a JSON array, but no more than one over limit;
// false is for another value.
func items(value json.RawMessage, limit int) ([]json.RawMessage, bool) {
	if len(value) == 0 || value[0] != '[' {
		return nil, false
	}
	var all []json.RawMessage
	c := cursor{text: value}
	for c.enter(); !c.leave(); {
		item, _ := c.value() // the body's flaws were found by ReadBody
		if all = append(all, item); len(all) > limit {
			break
		}
	}
	return all, true
}
