package macros

import (
	"testing"

	"parley"
	"parley/internal/lineartest"
)

// TestLinear measures the functions that read the texts of macros.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"eachVariable", "UnknownVariable", "fill"}, Run: func(text string) {
			UnknownVariable(text)
			fill(text, &parley.Conversation{}, &parley.Member{})
			fill("{{ "+text+" }}", &parley.Conversation{}, &parley.Member{})
		}},
	}, map[string]string{
		"labelled": "compares the labels of a conversation with the few of a macro",
	})
}

func TestVariables(t *testing.T) {
	c := parley.Conversation{Contact: parley.ContactRef{Name: "Ada {{me.name}}"}}
	me := parley.Member{Name: "Bo"}
	for in, want := range map[string]string{
		"Dear {{contact.name}}, {{ me.name }} here": "Dear Ada {{me.name}}, Bo here",
		"{{contact.name":         "{{contact.name",
		"contact.name}}":         "contact.name}}",
		"{{me.name}}{{me.name}}": "BoBo",
		"":                       "",
	} {
		if got := fill(in, &c, &me); got != want {
			t.Errorf("fill(%q) = %q, want %q", in, got, want)
		}
	}
	c.Contact.Name = "Visitor"
	if got := fill("Hello {{contact.name}}, welcome", &c, &me); got != "Hello, welcome" {
		t.Errorf("a visitor reads %q", got)
	}
	for in, want := range map[string]string{"{{x}}": "x", "{{contact.name}} {{contact.email}}": "contact.email", "{{ {{me.name}}": "{{me.name", "{{": "", "{{}}": ""} {
		if got := UnknownVariable(in); got != want {
			t.Errorf("UnknownVariable(%q) = %q, want %q", in, got, want)
		}
	}
}
