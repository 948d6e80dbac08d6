package main

import (
	"os"
	"strings"
	"testing"
)

// TestNoticesAreCurrent demands a line for each module that is linked here and
// each package that the pages are built from. "make generated" compares the
// texts too, for which the packages must be there.
func TestNoticesAreCurrent(t *testing.T) {
	const root = "../.."
	text, err := os.ReadFile(root + "/THIRD_PARTY_NOTICES.txt")
	if err != nil {
		t.Fatal(err)
	}
	modules, err := goModules(root)
	if err != nil {
		t.Fatal(err)
	}
	wanted := modules
	for _, page := range []string{"web/dashboard", "web/widget"} {
		packages, err := shipped(root + "/" + page)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range packages {
			wanted = append(wanted, c)
		}
	}
	if len(wanted) < 60 {
		t.Fatalf("only %d components are known", len(wanted))
	}
	list, _, _ := strings.Cut(string(text), "----")
	for _, c := range wanted {
		if !strings.Contains(list, "\n"+c.String()+": ") {
			t.Errorf("THIRD_PARTY_NOTICES.txt does not have %s; run make notices", c)
		}
	}
}

// TestUnknownLicences refuses what no known licence covers.
func TestUnknownLicences(t *testing.T) {
	for text, want := range map[string]string{
		"Apache License\n   Version 2.0, January 2004":                                  "Apache-2.0",
		"Permission is hereby granted, free of charge, to any person\nobtaining a copy": "MIT",
		"All rights reserved.": "",
		"":                     "",
	} {
		ids, err := classify(component{name: "x", texts: []string{text}})
		if got := strings.Join(ids, ","); got != want || (err == nil) != (want != "") {
			t.Errorf("%q: %q, %v, want %q", text, got, err, want)
		}
	}
	if _, err := classify(component{name: "x"}); err == nil {
		t.Error("a component without a licence is taken")
	}
}
