package alerts

import (
	"reflect"
	"slices"
	"testing"

	"parley/internal/words"
)

// TestTexts requires that both languages have each text, with the same places.
func TestTexts(t *testing.T) {
	en, de := reflect.ValueOf(english), reflect.ValueOf(german)
	for i := range en.NumField() {
		name, a, b := en.Type().Field(i).Name, en.Field(i).String(), de.Field(i).String()
		of, wellFormed := words.Places(a)
		also, alsoWellFormed := words.Places(b)
		if a == "" || b == "" || a == b && name != "language" || !wellFormed || !alsoWellFormed || !slices.Equal(of, also) {
			t.Errorf("%s is %q and %q", name, a, b)
		}
	}
	for tag, want := range map[string]string{"de": "de", "DE-at": "de", "en": "en", "fr": "en", "": "en"} {
		if got := in(tag).language; got != want {
			t.Errorf("in %q the texts are %s", tag, got)
		}
	}
}

// TestDevice names browsers and systems by their headers, and nothing of the headers
// themselves.
func TestDevice(t *testing.T) {
	for agent, want := range map[string]string{
		"Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0":                                                                 "Firefox on Linux",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0":          "Edge on Windows",
		"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36":                        "Chrome on Android",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15":                  "Safari on macOS",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1": "Chrome on iPhone",
		"curl/8.5.0": "an unknown program", "": "an unknown program", "call +1 555 0100 at once": "an unknown program", "Linux": "Linux",
	} {
		if got := english.device(agent); got != want {
			t.Errorf("%q is %q, want %q", agent, got, want)
		}
	}
}
