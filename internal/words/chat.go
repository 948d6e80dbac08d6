package words

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed chat/*.json
var chatFiles embed.FS

// chats are the words of the chat, read once, by their languages.
var chats = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, language := range Languages {
		words, err := readChat(language)
		if err != nil {
			panic("words: " + err.Error()) // a mistake in a file of this package, which a test finds
		}
		all[language] = words
	}
	return all
})

func readChat(language string) (map[string]string, error) {
	var words map[string]string
	text, err := chatFiles.ReadFile("chat/" + language + ".json")
	if err == nil {
		err = json.Unmarshal(text, &words)
	}
	if err != nil {
		return nil, fmt.Errorf("chat in %s: %w", language, err)
	}
	return words, nil
}

// Chat returns what the chat of websites says in one of the Languages, by the keys of
// its files, or nil. Callers must not change it. The chat itself loads the file.
func Chat(language string) map[string]string { return chats()[language] }

// Places returns the names of the places in a text, sorted, and whether each brace is
// part of one.
func Places(text string) ([]string, bool) {
	var names []string
	for {
		before, rest, found := strings.Cut(text, "{")
		if strings.Contains(before, "}") {
			return nil, false
		}
		if !found {
			slices.Sort(names)
			return names, true
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed || name == "" || strings.ContainsFunc(name, func(r rune) bool { return r < 'a' || r > 'z' }) {
			return nil, false
		}
		names, text = append(names, name), after
	}
}
