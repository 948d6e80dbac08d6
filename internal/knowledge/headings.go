package knowledge

import "strings"

// headings counts what may be headings of a text in Markdown: lines that begin with one to six
// "#" and a space, and lines with a line of "=" or "-" below them. Lines in a fenced block
// of code do not count.
func headings(body string) int {
	n, fence, previous := 0, "", ""
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(line, fence) {
				fence = ""
			}
		case strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~"):
			fence = line[:3]
		case hashes(line), underline(line) && previous != "":
			n++
		}
		previous = line
	}
	return n
}

// hashes reports whether a line is a heading by its first characters.
func hashes(line string) bool {
	rest := strings.TrimLeft(line, "#")
	level := len(line) - len(rest)
	return level >= 1 && level <= 6 && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

// underline reports whether a line makes a heading of the line above it.
func underline(line string) bool {
	return line != "" && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}
