package knowledge

import (
	"strings"
	"testing"

	"parley"
)

// TestDraft makes a draft from people who say too much, and looks for all of it.
// What must remain is the control.
func TestDraft(t *testing.T) {
	r := newRedactor([]string{"Ann van Lindqvist", "Bo Meyer", "Will Stone", "Çelik"})
	say := func(sender parley.SenderType, private bool, text string) parley.Message {
		return parley.Message{Content: text, Private: private, Sender: parley.Sender{Type: sender}, ContentType: parley.Text}
	}
	d := draftOf([]parley.Message{
		say(parley.SenderSystem, false, "secret-system"),
		say(parley.SenderContact, false, "Hi Bo,\r\nI am Ann Lindqvist, order #A-1042 from 12 High Street. How long may I send a jacket back? Call +49 (151) 234-567 89!\nBest regards\nAnn"),
		say(parley.SenderContact, false, "second question?"),
		say(parley.SenderAgent, true, "secret-note"),
		say(parley.SenderBot, false, "secret-bot"),
		say(parley.SenderAgent, false, "Dear Ms Lindqvist,\n\nyou have 30 days. Go to https://shop.example/returns and print the label:\n\n"+
			"1. Open https://shop.example/o?id=77&mail=x\n2. Write to ann@acme.example, ANN, or Bo's colleague Çelik\n- it is €49.90, or 1,299.00 in 2026; IBAN DE89 3704 0044 0532; Lindenstraße 12a\n\nKind regards,\nBo Meyer\nsecret-signature"),
		say(parley.SenderAgent, false, "  \n"),
		say(parley.SenderAgent, false, "It will be free if Will sends order 10423."),
	}, r)
	if want := "How long may I send a jacket back?"; d.Title != want {
		t.Errorf("the title is %q, want %q", d.Title, want)
	}
	want := "you have 30 days. Go to https://shop.example/returns and print the label:\n\n1. Open …\n2. Write to …, …, or … colleague …\n" +
		"- it is €49.90, or … in 2026; IBAN …\n\nIt will be free if … sends order …."
	if d.Body != want {
		t.Errorf("the body is\n%s\nwant\n%s", d.Body, want)
	}
	for _, secret := range []string{"secret", "lindqvist", "meyer", "1042", "High Street", "151", "acme", "id=77", "3704", "DE89", "Linden", "Çelik"} {
		if strings.Contains(strings.ToLower(d.Title+d.Body), strings.ToLower(secret)) {
			t.Errorf("the draft has %q", secret)
		}
	}
	for text, title := range map[string]string{
		"":                                "",
		"Hello!":                          "",
		"Where is it":                     "Where is it",
		"Hello, where is it? And why?":    "where is it?",
		"It broke. Can it be mended? Bye": "Can it be mended?",
		strings.Repeat("é", 300):          strings.Repeat("é", parley.MaxArticleTitle),
		"Guten Tag Frau Meyer,\nwie lange dauert es?\nViele Grüße": "wie lange dauert es?",
	} {
		if d := draftOf([]parley.Message{say(parley.SenderContact, false, text)}, r); d.Title != title {
			t.Errorf("%q gives the title %q, want %q", text, d.Title, title)
		}
	}
}
