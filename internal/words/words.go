// Package words has what the server itself says to people in several languages: by mail,
// on the pages that mails lead to, and where the automated agent needs no model. What
// members write is never among it.
//
// Each language is a file; a test requires that each has the same texts with the same
// places for names. The package imports nothing of this module.
package words

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

//go:embed *.json
var files embed.FS

// Languages are those that there are words in, by their tags (RFC 5646). The first is
// used where nobody knows better. The chat of websites has the same ones.
var Languages = []string{"en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "sv", "da", "cs", "ar", "he"}

// A Catalogue has the words of one language. {name} and its like are places for
// values; see [Fill].
type Catalogue struct {
	Language string `json:"-"`

	Direction                string `json:"direction"` // ltr or rtl
	InvitationSubject        string `json:"invitationSubject"`
	InvitationSubjectUnnamed string `json:"invitationSubjectUnnamed"`
	InvitationText           string `json:"invitationText"`
	InvitationAction         string `json:"invitationAction"`
	InvitationEnd            string `json:"invitationEnd"`
	ResetSubject             string `json:"resetSubject"`
	ResetText                string `json:"resetText"`
	ResetAction              string `json:"resetAction"`
	ResetEnd                 string `json:"resetEnd"`
	TestSubject              string `json:"testSubject"`
	TestText                 string `json:"testText"`
	StopTitle                string `json:"stopTitle"`
	StopText                 string `json:"stopText"`
	StopAction               string `json:"stopAction"`
	StopDone                 string `json:"stopDone"`
	StopUnknown              string `json:"stopUnknown"`
	FooterStop               string `json:"footerStop"`

	// What a customer missed. Texts of the name …Here are for websites without a name.
	MissedSubject  string `json:"missedSubject"`
	MissedText     string `json:"missedText"`
	MissedTextHere string `json:"missedTextHere"`
	MissedMore     string `json:"missedMore"`
	MissedAction   string `json:"missedAction"`
	MissedEnd      string `json:"missedEnd"`
	TypedText      string `json:"typedText"` // to an address that nobody confirmed
	TypedTextHere  string `json:"typedTextHere"`
	TypedEnd       string `json:"typedEnd"`

	// What a member was told while they were not there.
	DigestSubject   string `json:"digestSubject"`
	DigestText      string `json:"digestText"`
	DigestMentioned string `json:"digestMentioned"`
	DigestAssigned  string `json:"digestAssigned"`
	DigestAnswered  string `json:"digestAnswered"`
	DigestNote      string `json:"digestNote"`
	DigestWoke      string `json:"digestWoke"`
	DigestNobody    string `json:"digestNobody"`
	DigestMore      string `json:"digestMore"`
	DigestAction    string `json:"digestAction"`
	DigestEnd       string `json:"digestEnd"`

	// Sentences of the automated agent.
	AgentAsk      string `json:"agentAsk"`      // after a greeting
	AgentSorry    string `json:"agentSorry"`    // after an answer that did not help
	AgentCards    string `json:"agentCards"`    // before articles
	AgentHandOver string `json:"agentHandOver"` // a person answers next
	AgentMeantime string `json:"agentMeantime"` // before articles, after AgentHandOver
}

// catalogues are read once, by their languages.
var catalogues = sync.OnceValue(func() map[string]Catalogue {
	all := map[string]Catalogue{}
	for _, language := range Languages {
		c, err := read(language)
		if err != nil {
			panic("words: " + err.Error()) // a mistake in a file of this package, which a test finds
		}
		all[language] = c
	}
	return all
})

// In returns the words in a language, whatever its region, and those of the first language
// if there are none.
func In(language string) Catalogue {
	primary, _, _ := strings.Cut(language, "-")
	if c, ok := catalogues()[strings.ToLower(primary)]; ok {
		return c
	}
	return catalogues()[Languages[0]]
}

func read(language string) (Catalogue, error) {
	c := Catalogue{Language: language}
	text, err := files.ReadFile(language + ".json")
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		return c, fmt.Errorf("%s: %w", language, err)
	}
	return c, nil
}

// maxTags is how many languages of a browser are looked at.
const maxTags = 10

// Choose returns the language that a browser prefers, given its Accept-Language, or the
// first one. The order of the header counts; browsers write the best first.
func Choose(accepted string) string {
	for range maxTags {
		tag, rest, more := strings.Cut(accepted, ",")
		tag, _, _ = strings.Cut(tag, ";")
		tag, _, _ = strings.Cut(strings.TrimSpace(tag), "-")
		for _, language := range Languages {
			if strings.EqualFold(tag, language) {
				return language
			}
		}
		if !more {
			break
		}
		accepted = rest
	}
	return Languages[0]
}

// Fill puts values into the places of a text: Fill("to {name}", "name", "Ann"). A value
// is not searched for places.
func Fill(text string, values ...string) string {
	var pairs []string
	for i := 0; i+1 < len(values); i += 2 {
		pairs = append(pairs, "{"+values[i]+"}", values[i+1])
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
