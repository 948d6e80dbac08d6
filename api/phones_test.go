package api_test

import (
	"os"
	"regexp"
	"testing"
)

// TestPhonesInAnswers requires that every phone number in the example of an
// answer has the format of answers: E.164, without the + in the members of
// groups.
func TestPhonesInAnswers(t *testing.T) {
	// Examples of answers are in JSON, those of requests in YAML's own form.
	phone := regexp.MustCompile(`"(phoneNumber|phone|added|invited|invites_sent|not_on_chatapp)": \[?"([^"]*)"`)
	kept, ofGroups := regexp.MustCompile(`^\+[1-9][0-9]{6,14}$`), regexp.MustCompile(`^[1-9][0-9]{6,14}$`)
	seen := 0
	for _, file := range []string{"openapi.yaml", "dashboard.yaml", "widget.yaml"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range phone.FindAllStringSubmatch(string(text), -1) {
			seen++
			if member, number := found[1], found[2]; !kept.MatchString(number) && (member == "phoneNumber" || !ofGroups.MatchString(number)) {
				t.Errorf("%s: %s is %q, which no answer says", file, member, number)
			}
		}
	}
	if seen < 20 {
		t.Errorf("only %d phone numbers were found", seen)
	}
}
