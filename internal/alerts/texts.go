package alerts

import (
	"cmp"
	"strings"

	"parley/internal/words"
)

// A catalogue has the texts of one language. {workspace} and its like are places for values.
type catalogue struct {
	language string

	password, factorSet, factorGone, codes, browser string

	when, with, from, who string
	on                    string // a browser on a system
	unknownDevice         string
	unknown               string // an address
	operator              string // who has the command line of the server
	you, notYou           string
	notExpected, why      string
	action                string
}

var english = catalogue{
	language:      "en",
	password:      "Your password at {workspace} was changed",
	factorSet:     "A second factor was set up for your account at {workspace}",
	factorGone:    "The second factor of your account at {workspace} was removed",
	codes:         "You have new recovery codes at {workspace}",
	browser:       "Your account at {workspace} was signed in to from a new browser",
	when:          "When: {time}",
	with:          "With: {device}",
	from:          "Network address: {address}",
	who:           "By: {name}",
	on:            "{browser} on {system}",
	unknownDevice: "an unknown program",
	unknown:       "unknown",
	operator:      "the operator of the server",
	you:           "If this was you, there is nothing to do.",
	notYou: "If it was not you: sign in, change your password, and choose “Sign out everywhere” in your profile. If you cannot sign in, ask for a " +
		"new password on the page where you sign in, or ask an owner of your workspace. Tell the owner in any case.",
	notExpected: "If you did not expect it, ask an owner of your workspace.",
	why:         "Such mails protect your account. They cannot be turned off, and never ask for a password or a code.",
	action:      "Open your profile",
}

var german = catalogue{
	language:      "de",
	password:      "Ihr Passwort bei {workspace} wurde geändert",
	factorSet:     "Für Ihr Konto bei {workspace} wurde ein zweiter Faktor eingerichtet",
	factorGone:    "Der zweite Faktor Ihres Kontos bei {workspace} wurde entfernt",
	codes:         "Sie haben neue Wiederherstellungscodes bei {workspace}",
	browser:       "Bei Ihrem Konto bei {workspace} hat sich ein neuer Browser angemeldet",
	when:          "Wann: {time}",
	with:          "Womit: {device}",
	from:          "Netzwerkadresse: {address}",
	who:           "Durch: {name}",
	on:            "{browser} auf {system}",
	unknownDevice: "ein unbekanntes Programm",
	unknown:       "unbekannt",
	operator:      "den Betreiber des Servers",
	you:           "Wenn Sie das waren, brauchen Sie nichts zu tun.",
	notYou: "Wenn Sie das nicht waren: Melden Sie sich an, ändern Sie Ihr Passwort und wählen Sie in Ihrem Profil „Überall abmelden“. Wenn Sie sich nicht anmelden " +
		"können, fordern Sie auf der Anmeldeseite ein neues Passwort an oder wenden Sie sich an jemanden, dem Ihr Arbeitsbereich gehört. Sagen Sie dort auf jeden Fall Bescheid.",
	notExpected: "Wenn Sie das nicht erwartet haben, fragen Sie jemanden, dem Ihr Arbeitsbereich gehört.",
	why:         "Solche Mails schützen Ihr Konto. Sie lassen sich nicht abbestellen und fragen nie nach einem Passwort oder Code.",
	action:      "Profil öffnen",
}

// in returns the texts in a language, English ones if there are none.
func in(language string) *catalogue {
	if primary, _, _ := strings.Cut(language, "-"); strings.EqualFold(primary, german.language) {
		return &german
	}
	return &english
}

// browsers and systems are the ones that a mail names, by what their User-Agents contain.
// The first that fits counts: most browsers name others, too.
var (
	browsers = [][2]string{
		{"Edg/", "Edge"}, {"EdgA/", "Edge"}, {"EdgiOS/", "Edge"}, {"OPR/", "Opera"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"},
		{"Chrome/", "Chrome"}, {"CriOS/", "Chrome"}, {"Chromium/", "Chrome"}, {"Safari/", "Safari"},
	}
	systems = [][2]string{
		{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"Macintosh", "macOS"}, {"Mac OS X", "macOS"},
		{"CrOS", "ChromeOS"}, {"Linux", "Linux"}, {"X11", "Linux"},
	}
)

// device names a browser and its system. It repeats nothing of the header, which anybody can
// choose.
func (c *catalogue) device(agent string) string {
	browser, system := first(browsers, agent), first(systems, agent)
	if browser != "" && system != "" {
		return words.Fill(c.on, "browser", browser, "system", system)
	}
	return cmp.Or(browser, system, c.unknownDevice)
}

func first(names [][2]string, agent string) string {
	for _, name := range names {
		if strings.Contains(agent, name[0]) {
			return name[1]
		}
	}
	return ""
}
