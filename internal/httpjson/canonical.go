package httpjson

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// BodyHash returns the SHA-256 of the body's value. White space, the order of
// members, escapes in strings and the spelling of numbers do not matter. The
// body must have passed ReadBody.
func (in *Reader) BodyHash() [32]byte {
	if len(in.raw) == 0 {
		return sha256.Sum256(nil)
	}
	decoder := json.NewDecoder(bytes.NewReader(in.raw))
	decoder.UseNumber()
	var value any
	if decoder.Decode(&value) != nil { // ReadBody refused it, and so will Err
		return sha256.Sum256(in.raw)
	}
	text, err := json.Marshal(canonical(value)) // sorts the members
	if err != nil {
		text = in.raw
	}
	return sha256.Sum256(text)
}

// canonical gives equal numbers in a value the same form. ReadBody has limited
// the depth of the value.
func canonical(value any) any {
	switch value := value.(type) {
	case json.Number:
		return canonicalNumber(value)
	case []any:
		for i := range value {
			value[i] = canonical(value[i])
		}
	case map[string]any:
		for name := range value {
			value[name] = canonical(value[name])
		}
	}
	return value
}

// canonicalNumber returns equal texts for equal numbers, with all their digits:
// both 1.50 and 15e-1 become 15e-1. A float would lose digits, and a rational
// of 1e999999999 would be huge.
func canonicalNumber(number json.Number) json.Number {
	mantissa, sign := number.String(), ""
	if mantissa[0] == '-' {
		mantissa, sign = mantissa[1:], "-"
	}
	exponent := 0
	if at := strings.IndexAny(mantissa, "eE"); at >= 0 {
		n, err := strconv.ParseInt(mantissa[at+1:], 10, 32)
		if err != nil { // nobody means such a number
			return number
		}
		mantissa, exponent = mantissa[:at], int(n)
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	exponent -= len(fraction)
	short := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(short)
	if short == "" {
		return "0"
	}
	return json.Number(sign + short + "e" + strconv.Itoa(exponent))
}

// repeats reports whether an object in a valid JSON value has a duplicate name.
// It reads the text once.
func repeats(value json.RawMessage) bool {
	var open [][]string // the names of each enclosing object or array
	c := cursor{text: value}
	for c.at < len(c.text) {
		switch c.text[c.at] {
		case '{', '[':
			open = append(open, nil)
			c.at++
		case '}', ']':
			last := len(open) - 1
			if _, twice := repeated(open[last]); twice {
				return true
			}
			open = open[:last]
			c.at++
		case '"':
			start := c.at
			c.str()
			text := c.text[start:c.at]
			if c.space(); c.at < len(c.text) && c.text[c.at] == ':' {
				name, _ := stringOf(text)
				open[len(open)-1] = append(open[len(open)-1], name)
			}
		case ',', ':', ' ', '\t', '\n', '\r':
			c.at++
		default:
			c.literal()
		}
	}
	return false
}

// repeated sorts names and returns the first duplicate.
func repeated(names []string) (name string, twice bool) {
	slices.Sort(names)
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] {
			return names[i], true
		}
	}
	return "", false
}
