package smtp

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

const (
	maxLines = 64   // lines of a reply
	maxLine  = 1000 // bytes of a line; RFC 5321, section 4.5.3.1.5, requires 512
)

var (
	errReply     = errors.New("the server's answer is not SMTP")
	errLongReply = errors.New("the server's answer is too long")
)

// A reply is what a server answers to a command (RFC 5321, section 4.2).
type reply struct {
	code  int
	lines []string // of printable characters, without the code
}

// readReply reads one reply, and no byte after it.
func readReply(r *bufio.Reader) (reply, error) {
	var got reply
	for len(got.lines) < maxLines {
		line, err := readLine(r)
		if err != nil {
			return reply{}, err
		}
		code, text, last, ok := parseLine(line)
		if !ok || got.code != 0 && got.code != code {
			return reply{}, errReply
		}
		got.code, got.lines = code, append(got.lines, printable(text))
		if last {
			return got, nil
		}
	}
	return reply{}, errLongReply
}

// readLine reads a line without its end. A bare line feed ends one too, as some
// servers write it.
func readLine(r *bufio.Reader) (string, error) {
	line := make([]byte, 0, 128)
	for len(line) <= maxLine {
		b, err := r.ReadByte()
		switch {
		case err == io.EOF && len(line) > 0:
			return "", io.ErrUnexpectedEOF
		case err != nil:
			return "", err
		case b == '\n':
			return strings.TrimSuffix(string(line), "\r"), nil
		}
		line = append(line, b)
	}
	return "", errLongReply
}

// parseLine splits "250-text", "250 text" or "250".
func parseLine(line string) (code int, text string, last, ok bool) {
	if len(line) < 3 || line[0] < '2' || line[0] > '5' || line[1] < '0' || line[1] > '9' || line[2] < '0' || line[2] > '9' {
		return 0, "", false, false
	}
	code = int(line[0]-'0')*100 + int(line[1]-'0')*10 + int(line[2]-'0')
	switch {
	case len(line) == 3:
		return code, "", true, true
	case line[3] == ' ':
		return code, line[4:], true, true
	case line[3] == '-':
		return code, line[4:], false, true
	default:
		return 0, "", false, false
	}
}

// printable replaces control characters and invalid bytes, because the text is shown
// to people and written to logs.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == utf8.RuneError {
			return '?'
		}
		return r
	}, text)
}

// maxShown is the most characters of a reply that are shown.
const maxShown = 300

// text returns the reply on one line, shortened.
func (r reply) text() string {
	line := []rune(fmt.Sprintf("%d %s", r.code, strings.Join(r.lines, " ")))
	if len(line) > maxShown {
		line = append(line[:maxShown-1], '…')
	}
	return strings.TrimSpace(string(line))
}

// noMailbox reports whether a reply to RCPT says that the address does not exist, by
// its enhanced code (RFC 3463, section 3.2). A reply without one may mean that the
// server relays for nobody.
func (r reply) noMailbox() bool {
	for _, code := range []string{"5.1.1 ", "5.1.2 ", "5.1.3 ", "5.1.6 ", "5.1.10 "} {
		if r.code >= 500 && strings.HasPrefix(r.lines[0]+" ", code) {
			return true
		}
	}
	return false
}
