package visitors

import "strings"

// A mark is a part of a User-Agent that names a program. The first that is found counts,
// because most programs also pretend to be others.
type mark struct{ part, name string }

var browsers = []mark{
	{"Edg/", "Edge"}, {"EdgA/", "Edge"}, {"EdgiOS/", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"},
	{"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"}, {"Chrome/", "Chrome"}, {"CriOS/", "Chrome"}, {"Chromium/", "Chrome"}, {"Safari/", "Safari"},
}

var systems = []mark{
	{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"Windows", "Windows"}, {"Macintosh", "Mac"}, {"Mac OS X", "Mac"},
	{"CrOS", "ChromeOS"}, {"Linux", "Linux"}, {"X11", "Linux"},
}

// Device returns the browser and the system of a User-Agent, as in "Firefox on Linux", or
// the one that it finds. It is "" if it finds neither.
func Device(userAgent string) string {
	browser, system := find(browsers, userAgent), find(systems, userAgent)
	if browser == "" || system == "" {
		return browser + system
	}
	return browser + " on " + system
}

func find(marks []mark, text string) string {
	for _, m := range marks {
		if strings.Contains(text, m.part) {
			return m.name
		}
	}
	return ""
}
