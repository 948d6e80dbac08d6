package httpjson

import (
	"encoding/json"
	"strconv"

	"parley"
)

// Language is a language tag as parley.ParseLanguage reads it.
func Language(raw json.RawMessage) (parley.Language, error) {
	s, _ := stringOf(raw)
	language, ok := parley.ParseLanguage(s)
	if !ok {
		return "", broken(parley.LanguageRule)
	}
	return language, nil
}

// MaxVersion is the largest version of a text.
const MaxVersion = 1<<53 - 1

// Version is a version of a text, or 0 for a text that does not exist yet.
func Version(raw json.RawMessage) (int64, error) {
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil || n < 0 || n > MaxVersion {
		return 0, broken("be an integer of 0 or more")
	}
	return n, nil
}

// NamesByLanguage is an object with a name for each of 1 to
// parley.MaxArticleLanguages languages.
func NamesByLanguage(raw json.RawMessage) (map[parley.Language]string, error) {
	const rule = "be an object with 1 to 20 languages such as en or pt-BR and a name for each"
	given := map[string]*string{}
	if len(raw) == 0 || raw[0] != '{' || repeats(raw) || json.Unmarshal(raw, &given) != nil || len(given) < 1 || len(given) > parley.MaxArticleLanguages {
		return nil, broken(rule)
	}
	names := map[parley.Language]string{}
	for tag, name := range given {
		language, ok := parley.ParseLanguage(tag)
		if _, twice := names[language]; !ok || twice || name == nil {
			return nil, broken(rule)
		}
		names[language] = *name
	}
	return names, nil
}
