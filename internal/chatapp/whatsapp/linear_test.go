package whatsapp

import (
	"testing"
	"time"

	"go.mau.fi/whatsmeow/proto/waE2E"
	"google.golang.org/protobuf/proto"

	"parley/internal/lineartest"
)

// TestLinear measures the functions that read strangers' messages.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"content", "location", "textOf"}, Run: func(text string) {
			content(&waE2E.Message{Conversation: proto.String(text)}, nil)
			content(&waE2E.Message{LocationMessage: &waE2E.LocationMessage{Name: proto.String(text), Address: proto.String(text)}}, nil)
			content(&waE2E.Message{ContactMessage: &waE2E.ContactMessage{DisplayName: proto.String(text), Vcard: proto.String(text)}}, nil)
		}},
		{Functions: []string{"inWords"}, Run: func(text string) { inWords(text) }},
		{Functions: []string{"callersID"}, Run: func(text string) { callersID(text, time.Unix(0, 0)) }},
	}, map[string]string{
		"FindGroups": "goes through the groups of a number",
		"SetAdmin":   "goes through the members of a group",
		"execute":    "goes through a fixed list of statements",
		"keep":       "goes through 250 answers at most",
		"line":       "goes through the arguments of a line of the log",
	})
}
