package visitors

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"parley"
)

// Address returns the part of a page's address that members may read: without the
// fragment, user and password, and of the query only the parameters utm_*, because links
// of shops carry tokens there. It is "" for anything but an address of the web.
func Address(text string) string {
	text, _, _ = strings.Cut(text, "#")
	page, query, _ := strings.Cut(text, "?")
	u, err := url.Parse(page)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return ""
	}
	u.User = nil
	shown, mark := u.String(), "?"
	for part := range strings.SplitSeq(query, "&") {
		if strings.HasPrefix(part, "utm_") && !strings.ContainsFunc(part, func(r rune) bool { return r <= ' ' }) {
			shown, mark = shown+mark+part, "&"
		}
	}
	if utf8.RuneCountInString(shown) > parley.MaxVisitAddress {
		return u.Scheme + "://" + u.Host // escaping made it longer than it came
	}
	return shown
}
