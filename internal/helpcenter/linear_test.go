package helpcenter

import (
	"net/http"
	"strings"
	"testing"

	"parley"
	"parley/internal/lineartest"
)

// TestLinear measures the functions that read what readers send.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"chosen", "matching"}, Run: func(text string) {
			chosen([]parley.Language{"en", "de"}, http.Header{"Accept-Language": {text}})
		}},
		{Functions: []string{"route"}, Run: func(text string) {
			_, _ = new(Site).route(strings.Split("help/"+text, "/")) // only its cost counts
		}},
	}, map[string]string{
		"find":         "goes through the languages of a search",
		"center":       "repeats while a slug changes hands",
		"categoryPage": "goes through the languages of a help center",
		"languagesOf":  "goes through the languages of a help center",
		"voter":        "hashes an address and the name of a browser",
		"articlePage":  "goes through the languages of an article",
		"sitemaps":     "goes through the languages of a help center",
		"shifted":      "reads a color",
		"mix":          "reads a color",
		"channels":     "reads a color",
		"luminance":    "reads a color",
	})
}
