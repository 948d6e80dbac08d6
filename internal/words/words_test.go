package words

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLanguages requires that each language has each text, with the places of the first.
func TestLanguages(t *testing.T) {
	places := regexp.MustCompile(`\{[a-z]+\}`)
	found := func(text string) []string {
		all := places.FindAllString(text, -1)
		slices.Sort(all)
		return all
	}
	first := reflect.ValueOf(In(Languages[0]))
	for _, language := range Languages {
		c, err := read(language)
		if err != nil {
			t.Fatal(err)
		}
		all := reflect.ValueOf(c)
		for i := range all.NumField() {
			text, name := all.Field(i).String(), all.Type().Field(i).Name
			if text == "" || strings.ContainsAny(text, "\r\n") || !slices.Equal(found(text), found(first.Field(i).String())) && name != "Language" {
				t.Errorf("%s: %s is %q", language, name, text)
			}
		}
		if c.Direction != "ltr" && c.Direction != "rtl" {
			t.Errorf("%s is written %s", language, c.Direction)
		}
	}
	entries, err := files.ReadDir(".")
	if err != nil || len(entries) != len(Languages) {
		t.Errorf("%d files, %v", len(entries), err)
	}
}

// TestChoose reads what browsers send.
func TestChoose(t *testing.T) {
	for accepted, want := range map[string]string{
		"": "en", "de": "de", "de-AT,de;q=0.9,en;q=0.8": "de", "fr-CH, fr;q=0.9, DE;q=0.8": "de", "xx": "en", "en-US,de": "en", ";;,,": "en",
		strings.Repeat("xx,", 50) + "de": "en",
	} {
		if got := Choose(accepted); got != want {
			t.Errorf("%q is %s", accepted, got)
		}
	}
	if In("xx").Language != "en" || In("../de").Language != "en" {
		t.Error("an unknown language is not the first one")
	}
	if got := Fill("{a} and {b}", "a", "{b}", "b", "c"); got != "{b} and c" {
		t.Error(got)
	}
}
