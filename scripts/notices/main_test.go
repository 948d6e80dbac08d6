package main

import (
	"encoding/json"
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
	inSBOM(t, root, wanted)
}

// inSBOM demands each component of the bill of materials too.
func inSBOM(t *testing.T, root string, wanted []component) {
	t.Helper()
	text, err := os.ReadFile(root + "/SBOM.cdx.json")
	if err != nil {
		t.Fatal(err)
	}
	var b bom
	if err := json.Unmarshal(text, &b); err != nil {
		t.Fatal(err)
	}
	refs := map[string]bool{}
	for _, part := range b.Components {
		if refs[part.Ref] {
			t.Errorf("SBOM.cdx.json has %s twice", part.Ref)
		}
		refs[part.Ref] = true
		if len(part.Licences) == 0 || part.PURL == "" && part.Name != "Go standard library" {
			t.Errorf("SBOM.cdx.json has %s without a licence or an address", part.Ref)
		}
	}
	for _, c := range wanted {
		part, err := partOf(c, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !refs[part.Ref] {
			t.Errorf("SBOM.cdx.json does not have %s; run make notices", part.Ref)
		}
	}
}

// TestPartOf writes components of each kind.
func TestPartOf(t *testing.T) {
	sum := "sha512-" + strings.Repeat("A", 86) + "=="
	for _, x := range []struct {
		c    component
		want string
	}{
		{component{name: "github.com/spf13/cobra", version: "v1.10.2"}, "pkg:golang/github.com/spf13/cobra@v1.10.2"},
		{component{name: "npm: @ariakit/react", version: "0.4.40", integrity: sum}, "pkg:npm/%40ariakit/react@0.4.40"},
		{component{name: "npm: swagger-ui-dist"}, "pkg:npm/swagger-ui-dist"},
		{component{name: "Go standard library"}, "Go standard library"},
	} {
		part, err := partOf(x.c, []string{"MIT"})
		if part.Ref != x.want || err != nil || len(part.Hashes) != strings.Count(x.c.integrity, "sha512-") {
			t.Errorf("%s: %+v, %v, want %s", x.c, part, err, x.want)
		}
	}
	if _, err := partOf(component{name: "npm: x", integrity: "sha1-AAAA"}, nil); err == nil {
		t.Error("an integrity of another kind is taken")
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
