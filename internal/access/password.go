package access

import (
	"strings"
	"unicode/utf8"

	"parley"
	"parley/internal/access/guessable"
)

// Limits of a chosen password, in characters.
const (
	minPassword = 12
	maxPassword = 128
)

// checkPassword refuses a password that a member chose if it is too short, or
// if somebody who knows these texts of the member would guess it early. The
// program's own passwords are random, and need no check.
func checkPassword(field, password string, known ...string) error {
	if n := utf8.RuneCountInString(password); n < minPassword || n > maxPassword || strings.TrimSpace(password) == "" {
		return parley.InvalidField(field, "be 12 to 128 characters, not blank")
	}
	switch guessable.Find(password, known...) {
	case guessable.Common:
		return parley.InvalidField(field, "not be a common password, also doubled or with digits or other characters around it")
	case guessable.Pattern:
		return parley.InvalidField(field, "not be a sequence or a repetition of a few characters")
	case guessable.Personal:
		return parley.InvalidField(field, "not be mostly your name, your e-mail address or the name of the workspace")
	default:
		return nil
	}
}
