package dashboard

import (
	"net/http"
	"strconv"
	"strings"

	"parley/internal/assets"
)

// languageCookie is set by the member's profile. Scripts set it, so it is not
// HttpOnly; it only selects a page.
const languageCookie = "parley_language"

// english is the language of index.html.
const english = "en"

// indexesOf returns the dashboard's page in each of its languages.
func indexesOf(files map[string]assets.File) map[string]assets.File {
	indexes := map[string]assets.File{english: files["/index.html"]}
	for name, file := range files {
		if language, found := strings.CutPrefix(name, "/index."); found && language != "html" {
			indexes[strings.TrimSuffix(language, ".html")] = file
		}
	}
	for language, file := range indexes {
		indexes[language] = file.VaryingBy("Accept-Language, Cookie")
	}
	return indexes
}

// languageOf selects the language of the page: the member's choice, else what
// the browser prefers (RFC 9110, section 12.5.4), else English.
func languageOf(r *http.Request, indexes map[string]assets.File) string {
	if chosen, err := r.Cookie(languageCookie); err == nil {
		if _, found := indexes[chosen.Value]; found {
			return chosen.Value
		}
	}
	best, weight := english, 0.0
	for accepted := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		tag, parameters, _ := strings.Cut(accepted, ";")
		language, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(tag)), "-")
		q := 1.0
		if _, text, found := strings.Cut(parameters, "q="); found {
			parsed, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil {
				continue
			}
			q = parsed
		}
		if _, found := indexes[language]; found && q > weight {
			best, weight = language, q
		}
	}
	return best
}
