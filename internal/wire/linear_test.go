package wire

import (
	"testing"

	"parley"
	"parley/internal/lineartest"
)

// TestLinear measures the functions that write people's texts, and those that
// insert into rendered JSON.
func TestLinear(t *testing.T) {
	sign := Signer{Origin: "https://support.example", Query: func(parley.ID) string { return "e=1&s=2" }}
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"appendText", "texts", "list"}, Run: func(text string) {
			AppendMessage(nil, &parley.Message{Content: text, Sender: parley.Sender{Name: text}})
		}},
		{Functions: []string{"SignFiles"}, Run: func(text string) {
			SignFiles([]byte(text), sign)
			SignFiles(append([]byte(addressName), text...), sign)
			SignFiles(AppendMessage(nil, &parley.Message{Content: text, Attachments: []parley.Attachment{{FileName: text}}}), sign)
		}},
		{Functions: []string{"WithStoreID"}, Run: func(text string) {
			WithStoreID([]byte(text))
			WithStoreID(AppendContact(nil, &parley.Contact{Name: text}, false))
		}},
		{Functions: []string{"attributes"}, Run: func(text string) {
			raw := appendText([]byte(`{"a":`), text)
			AppendContact(nil, &parley.Contact{CustomAttributes: parley.Attributes(append(raw, '}'))}, false)
		}},
		{Functions: []string{"AppendChanges"}, Run: func(text string) {
			for _, data := range [][]byte{[]byte(text), AppendConversation(nil, &parley.Conversation{Labels: []string{text}})} {
				_, _ = AppendChanges(nil, &parley.Event{Type: parley.ConversationUpdated, Changed: []string{"labels"}, Data: data})
			}
		}},
	}, map[string]string{
		"textsByKey":              "writes each text once, by appendText",
		"AppendArticleCategory":   "goes through the languages of a category",
		"AppendBulkJob":           "goes through the few reasons",
		"AppendCompanyMove":       "goes through the contacts that moved",
		"AppendMacro":             "goes through the few fields of the actions",
		"AppendNoticePreferences": "goes through the few kinds of notices",
		"AppendScheduledMessage":  "goes through the members that a note names",
	})
}
