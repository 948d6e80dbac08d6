package answering

import (
	"slices"
	"strings"
	"unicode"

	"parley"
	"parley/internal/fulltext"
)

// Small talk is found by tables of folded words of the twelve languages.

const (
	maxSmall  = 200 // bytes of a message that can be small talk
	maxGreets = 12  // words of a greeting
)

// greetings are words that greet, and words of greetings of which none is
// enough in a question, by language.
var greetings = byLanguage(map[string]string{
	"en": "hi hello hey hiya howdy greetings good morning afternoon evening",
	"de": "hallo hallochen moin servus gruezi grussgott guten tag abend huhu hi hey",
	"fr": "bonjour salut bonsoir coucou",
	"es": "hola buenos buenas dias tardes noches",
	"it": "ciao salve buongiorno buonasera",
	"pt": "oi ola bom boa dia tarde noite",
	"nl": "hoi hallo goedemorgen goedemiddag goedenavond goedendag hey hi",
	"pl": "czesc witam dzien dobry wieczor hej",
	"tr": "merhaba selam gunaydin aksamlar",
	"sv": "hej hejsan tjena god morgon dag kvall",
	"da": "hej goddag hejsa godmorgen godaften god dag morgen",
	"cs": "dobry den ahoj cau zdravim",
})

// besides are the words that may stand beside a greeting.
var besides = set(`there all everyone everybody team support sir madam good day dear to you i have a question please can help me need some
	zusammen alle liebes liebe team ihr an euch sie gibt es jemand ich habe eine frage konnen konnt mir helfen bitte hilfe schonen
	a tous toutes l equipe j ai une question pouvez vous m aider s il plait besoin d aide
	a todos equipo tengo una pregunta pueden puede ayudarme ayuda necesito
	tutti tutto staff ho domanda potete aiutarmi aiuto serve un
	pessoal tudo bem tenho uma pergunta podem ajuda preciso de voce
	allemaal iedereen ik heb een vraag kunt u helpen hulp
	wam mam pytanie czy moze mi pomoc potrzebuje pomocy prosze
	herkese bir sorum var yardim yardimci olur musunuz iyi
	pa er alla jag har en fraga kan ni hjalpa mig hjalp till jeg et sporgsmal spoergsmaal du i hjaelpe hjaelp brug for
	mam dotaz muzete pomoci potrebuji pomoc prosim vam`)

// unhelped are phrases that say that an answer did not help, as they stand in a
// short message. Folded, without punctuation.
var unhelped = phrases(`did not help / didnt help / does not help / doesnt help / not helpful / that was no help / no help / doesnt answer / does not answer my / didnt answer / did not answer my / still not working / still doesnt work / not what i asked / not what i meant / wrong answer
	hat nicht geholfen / hilft nicht / hilft mir nicht / nicht hilfreich / keine hilfe / das war nicht meine frage / beantwortet meine frage nicht / falsche antwort / geht immer noch nicht
	n aide pas / ne m aide pas / n a pas aide / pas utile / ne repond pas / ce n est pas ma question / mauvaise reponse
	no me ayuda / no ayuda / no me ha ayudado / no me sirve / no sirve / no responde / no es lo que pregunte
	non mi aiuta / non aiuta / non e utile / non mi e stato / non risponde
	nao ajuda / nao ajudou / nao me ajuda / nao responde / nao e util
	helpt niet / helpt me niet / niet geholpen / niet nuttig / geen antwoord op
	nie pomaga / nie pomoglo / nie pomogla / to nie odpowiedz / nie odpowiada na
	yardimci olmadi / ise yaramadi / isime yaramadi / cevap degil
	hjalper inte / hjalpte inte / inte till hjalp / inte svar pa
	hjaelper ikke / hjalp ikke / ikke hjaelp / ikke svar pa
	nepomohlo / nepomaha / neni to odpoved / to mi nepomuze`)

// maxUnhelped is how many words a message may have that says nothing else.
const maxUnhelped = 10

// greets reports whether a message only greets, or announces a question.
func greets(text string) bool {
	if len(text) > maxSmall {
		return false
	}
	said := wordsOf(text)
	greeting := false
	for _, word := range said {
		if greetings[word] != nil {
			greeting = true
		} else if !besides[word] {
			return false
		}
	}
	return greeting && len(said) <= maxGreets
}

// idle reports whether a message asks nothing, after one that greets.
func idle(text string) bool {
	said := wordsOf(text)
	return len(text) <= maxSmall && len(said) <= maxGreets &&
		!slices.ContainsFunc(said, func(word string) bool { return greetings[word] == nil && !besides[word] })
}

// greetingLanguage returns the language of a greeting, "" if it is not clear.
func greetingLanguage(text string) parley.Language {
	points, best := map[parley.Language]int{}, parley.Language("")
	for _, word := range wordsOf(text) {
		for _, language := range greetings[word] {
			points[language]++
		}
	}
	most, twice := 0, false
	for language, n := range points {
		if n > most {
			best, most, twice = language, n, false
		} else if n == most {
			twice = true
		}
	}
	if twice {
		return ""
	}
	return best
}

// complains reports whether a message says that an answer did not help, and
// nothing else.
func complains(text string) bool {
	if len(text) > maxSmall {
		return false
	}
	said := wordsOf(text)
	if len(said) > maxUnhelped {
		return false
	}
	folded := " " + strings.Join(said, " ") + " "
	for _, phrase := range unhelped {
		if strings.Contains(folded, phrase) {
			return true
		}
	}
	return false
}

// wordsOf returns the folded words of a text.
func wordsOf(text string) []string {
	text = strings.NewReplacer("n’t", "nt", "n't", "nt").Replace(strings.ToLower(text))
	return strings.FieldsFunc(fulltext.Fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func set(words string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		all[word] = true
	}
	return all
}

func byLanguage(tables map[string]string) map[string][]parley.Language {
	all := map[string][]parley.Language{}
	for language, words := range tables {
		for word := range strings.FieldsSeq(words) {
			all[word] = append(all[word], parley.Language(language))
		}
	}
	return all
}

func phrases(lines string) []string {
	var all []string
	for line := range strings.Lines(lines) {
		for phrase := range strings.SplitSeq(line, "/") {
			all = append(all, " "+strings.TrimSpace(phrase)+" ")
		}
	}
	return all
}
