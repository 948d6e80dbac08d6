package helpcenter

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"parley"
)

// maxAccepted is the most languages of a header Accept-Language that count.
const maxAccepted = 20

// chosen returns the language of a help center that a reader prefers (RFC 9110,
// section 12.5.4), or the default, which is the first.
func chosen(languages []parley.Language, h http.Header) parley.Language {
	best, weight := languages[0], 0.0
	for i, part := range strings.SplitN(h.Get("Accept-Language"), ",", maxAccepted+1) {
		if i == maxAccepted {
			break
		}
		tag, parameter, _ := strings.Cut(part, ";")
		q := 1.0
		if text, ok := strings.CutPrefix(strings.TrimSpace(parameter), "q="); ok {
			q, _ = strconv.ParseFloat(text, 64) // 0 if it is malformed
		}
		if q <= weight || q > 1 {
			continue
		}
		if match, ok := matching(languages, strings.TrimSpace(tag)); ok {
			best, weight = match, q
		}
	}
	return best
}

// matching returns the language with a tag, or one of the same base.
func matching(languages []parley.Language, tag string) (parley.Language, bool) {
	wanted, ok := parley.ParseLanguage(tag)
	if !ok { // such as zh-Hant-TW
		base, _, _ := strings.Cut(tag, "-")
		if wanted, ok = parley.ParseLanguage(base); !ok {
			return "", false
		}
	}
	if slices.Contains(languages, wanted) {
		return wanted, true
	}
	i := slices.IndexFunc(languages, func(l parley.Language) bool { return l.Base() == wanted.Base() })
	if i < 0 {
		return "", false
	}
	return languages[i], true
}

// chooseLanguage leads to the home page in the reader's best language.
func (s *Site) chooseLanguage(w http.ResponseWriter, r *http.Request, slug string) error {
	center, err := s.center(r.Context(), slug)
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Location", "/help/"+center.Slug+"/"+string(chosen(center.Languages, r.Header)))
	h.Set("Vary", "Accept-Language")
	h.Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusFound)
	return nil
}

// directionOf returns in which direction a language is written.
func directionOf(language parley.Language) string {
	switch language.Base() {
	case "ar", "fa", "he", "ur", "yi", "ps", "sd", "ug":
		return "rtl"
	}
	return "ltr"
}

// nameOf returns the name of a language in itself, or its tag.
func nameOf(language parley.Language) string {
	name, ok := names[language]
	if !ok {
		if name, ok = names[language.Base()]; !ok {
			return string(language)
		}
		_, region, _ := strings.Cut(string(language), "-")
		return name + " (" + region + ")"
	}
	return name
}

var names = map[parley.Language]string{
	"ar": "العربية", "bg": "Български", "ca": "Català", "cs": "Čeština", "da": "Dansk", "de": "Deutsch", "el": "Ελληνικά", "en": "English",
	"es": "Español", "et": "Eesti", "eu": "Euskara", "fa": "فارسی", "fi": "Suomi", "fr": "Français", "gl": "Galego", "he": "עברית",
	"hi": "हिन्दी", "hr": "Hrvatski", "hu": "Magyar", "id": "Indonesia", "is": "Íslenska", "it": "Italiano", "ja": "日本語", "ko": "한국어",
	"lt": "Lietuvių", "lv": "Latviešu", "ms": "Melayu", "nb": "Norsk bokmål", "nl": "Nederlands", "no": "Norsk", "pl": "Polski",
	"pt": "Português", "pt-BR": "Português (Brasil)", "ro": "Română", "ru": "Русский", "sk": "Slovenčina", "sl": "Slovenščina", "sr": "Српски",
	"sv": "Svenska", "th": "ไทย", "tr": "Türkçe", "uk": "Українська", "ur": "اردو", "vi": "Tiếng Việt", "zh": "中文", "zh-TW": "繁體中文",
}
