package guessable

// shortestRun is the number of characters from which on a run counts as a
// sequence. A sequence counts as sequenceWeight characters: where it begins, and
// how it goes on.
const shortestRun, sequenceWeight = 3, 2

// A step is a set of ways in which one character may follow another.
type step uint8

const (
	same step = 1 << iota
	up
	down
	right
	left
)

// rows returns the characters of keyboards that people drag a finger along:
// those of English, German and French ones, and slanted columns.
func rows() []string {
	return []string{
		"1234567890", "!@#$%^&*()", `!"§$%&/()=`, "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "qsdfghjklm",
		"zxcvbnm", "yxcvbnm", "wxcvbn", "1qaz", "2wsx", "3edc", "4rfv", "5tgb", "6yhn", "7ujm", "1qay", "6zhn",
	}
}

// A pair are two characters, one after the other.
type pair struct{ first, second rune }

// neighbours returns the pairs of all rows, with the direction from the first
// to the second.
func neighbours() map[pair]step {
	all := map[pair]step{}
	for _, row := range rows() {
		keys := []rune(row)
		for i := range len(keys) - 1 {
			all[pair{keys[i], keys[i+1]}] |= right
			all[pair{keys[i+1], keys[i]}] |= left
		}
	}
	return all
}

// withoutSequences returns how many characters a text has if each of its
// sequences counts as two.
func withoutSequences(text []rune) int {
	near := neighbours()
	n, run, ways := 0, 0, step(0)
	end := func() {
		if run >= shortestRun {
			run = sequenceWeight
		}
		n += run
	}
	for i, r := range text {
		if i > 0 && run > 0 {
			next := stepBetween(text[i-1], r, near)
			if run > 1 {
				next &= ways
			}
			if next != 0 {
				ways = next
				run++
				continue
			}
		}
		end()
		run = 1
	}
	end()
	return n
}

func stepBetween(a, b rune, near map[pair]step) step {
	s := near[pair{a, b}]
	switch b - a {
	case 0:
		s |= same
	case 1:
		s |= up
	case -1:
		s |= down
	}
	return s
}

// period returns the length of the shortest part that a text repeats, at least
// twice; the last repetition may be cut off. It is the length of the text if it
// repeats nothing.
func period(text []rune) int {
	// borders[i] is the length of the longest proper prefix of text[:i+1] that
	// is also its suffix.
	borders := make([]int, len(text))
	for i := 1; i < len(text); i++ {
		n := borders[i-1]
		for n > 0 && text[i] != text[n] {
			n = borders[n-1]
		}
		if text[i] == text[n] {
			n++
		}
		borders[i] = n
	}
	if len(text) == 0 {
		return 0
	}
	if p := len(text) - borders[len(text)-1]; 2*p <= len(text) {
		return p
	}
	return len(text)
}
