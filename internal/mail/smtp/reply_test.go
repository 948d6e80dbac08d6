package smtp

import (
	"bufio"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzReply reads what a server might answer: whatever it is, a reply is short and
// printable, its code is one of SMTP, and the bytes behind it are left.
func FuzzReply(f *testing.F) {
	for _, seed := range []string{"250 ok\r\n", "250-a\r\n250-b\n250 c\r\nrest", "250\r\n", "250-a\r\n251 b\r\n", "99 x\r\n", "250", "250-a\r\n", "\r\n",
		"250 \x00\x1b[31m\xff\r\n", "354 go\r\n250 ok\r\n", strings.Repeat("250-x\r\n", 100), strings.Repeat("2", 5000), "2x0 a\r\n", "250_a\r\n", "600 a\r\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		in := bufio.NewReader(strings.NewReader(text))
		got, err := readReply(in)
		if err != nil {
			return
		}
		if got.code < 200 || got.code > 599 || len(got.lines) == 0 || len(got.lines) > maxLines {
			t.Errorf("read %+v", got)
		}
		shown := got.text()
		if strings.ContainsFunc(shown, func(r rune) bool { return r < ' ' || r == 0x7f }) || utf8.RuneCountInString(shown) > maxShown {
			t.Errorf("shown is %q", shown)
		}
		_ = got.noMailbox()
		if left := in.Buffered(); len(text)-left > (maxLine+2)*maxLines || left < len(text) && left > 0 && text[len(text)-left-1] != '\n' && len(text) < 4096 {
			t.Errorf("%d bytes of %d are left", left, len(text))
		}
	})
}
