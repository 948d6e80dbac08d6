package guessable

import (
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	known := []string{"anna.schmidt@parley-house.example", "Anna Schmidt", "Schmidt & Söhne Werkzeuge"}
	cases := map[Reason][]string{
		Common: {
			"password1234", "Password1234!", "passwordpassword", "PasswordPassword", "1234password", "p@ssw0rd!!!!", "dragon123456", "dragon1dragon1",
			"pass word 1234", "p-a-s-s-w-o-r-d", "monkeymonkey99", "1qaz2wsx3edc", "123412341234", "qwertyuiop[]", "112233445566", "iloveyou!!!!", "  letmein  2026 ", "love90210731",
		},
		Pattern: {
			"abcdefghijkl", "ABCDEFGHIJKL", "aaaaaaaaaaaa", "lkjihgfedcba", "xkq7xkq7xkq7", "qwertyuiopas", "qwertzuiopas", "asdfghjklöä#",
			"yxcvbnmasdfg", "4rfv5tgb6yhn", "a-b-c-d-e-f-g-h", "9-8-7-6-5-4-3-2-1", "!@#$%^&*()!@", "aaaaaaaabbbbbbbb", "tagtagtagtagta", "éééééééééééé", "mnbvcxzlkjhgfdsa",
		},
		Personal: {
			"anna.schmidt1", "AnnaSchmidt!!", "schmidtanna99", "Parley-House-7", "anna.schmidt@parley-house.example", "Söhne+Werkzeuge", "xk4schmidtundanna",
		},
		None: {
			"correct horse battery", "a long password", "a good password", "a long enough password", "hijacked river stones", "k!3$z&9-q#t+", "!(-;+~=:%abcd", "7fq2m9-x0d4kz",
			"vergnügte Katze tanzt", "пароль для собаки", "anna likes her green boat", "correct horse battery correct horse battery", "0rx8g2kq7v1z",
		},
	}
	for want, passwords := range cases {
		for _, password := range passwords {
			if got := Find(password, known...); got != want {
				t.Errorf("%q: %q, want %q", password, got, want)
			}
		}
	}
}

// TestKnownWordsAreLongEnough does not refuse a password for the letters of a
// short name.
func TestKnownWordsAreLongEnough(t *testing.T) {
	if got := Find("bobobe rides far", "Bo", "bo@b.io", ""); got != None {
		t.Error(got)
	}
}

func TestList(t *testing.T) {
	all := list()
	if len(all) != 49233 || !slices.IsSorted(all) || all[0] == "" {
		t.Errorf("%d passwords, sorted: %v", len(all), slices.IsSorted(all))
	}
	for _, password := range all {
		if password != strings.ToLower(password) || len(password) < 3 {
			t.Errorf("%q is not in small letters, or too short", password)
		}
	}
	if len(packed) > 200_000 {
		t.Errorf("the list takes %d bytes of the program", len(packed))
	}
}

func TestPeriod(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "ab": 2, "aa": 1, "abab": 2, "ababa": 2, "aba": 3, "abcab": 5, "abcabcab": 3} {
		if got := period([]rune(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestWithoutSequences(t *testing.T) {
	for text, want := range map[string]int{"": 0, "a": 1, "ab": 2, "abc": 2, "abcx": 3, "abcba": 4, "aaa": 2, "abxyz": 4, "321qwe": 4, "asz": 3} {
		if got := withoutSequences([]rune(text)); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
