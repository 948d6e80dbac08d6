// Command notices writes THIRD_PARTY_NOTICES.txt: what Parley's binary contains
// of others, and their licences. With the argument sbom it writes SBOM.cdx.json,
// the same for programs, in CycloneDX. It reads the modules that are linked into
// cmd/parley on any platform, the npm packages that the built pages are made of,
// the viewer of the API reference, and the list of common passwords. It fails on a licence that it does not
// know, so that a person decides.
//
// It imports nothing of Parley. "make notices" runs it.
package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	run := run
	if len(os.Args) == 2 && os.Args[1] == "sbom" {
		run = writeSBOM
	}
	if err := run(os.Stdout, "."); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

// A component is a piece of software of others.
type component struct {
	name, version string
	declared      string   // the licence that its package names, or ""
	integrity     string   // of its package, as npm writes it, or ""
	texts         []string // of its licences and notices
}

func (c component) String() string { return strings.TrimSpace(c.name + " " + c.version) }

// run writes the notices of the repository in a folder.
func run(w io.Writer, root string) error {
	all, err := components(root)
	if err != nil {
		return err
	}
	return write(w, all)
}

func components(root string) ([]component, error) {
	var all []component
	for _, part := range []func(string) ([]component, error){goModules, npmPackages, viewer, passwords} {
		found, err := part(root)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

const introduction = `THIRD-PARTY NOTICES

The binary of Parley contains the software listed here, under the licences
whose texts follow. Parley itself is under the licence in LICENSE.
"make notices" writes this file; do not edit it.

`

// write prints the list of components, then each text once, with those that it
// belongs to.
func write(w io.Writer, all []component) error {
	var list, body strings.Builder
	var texts []string
	owners := map[string][]string{}
	for _, c := range all {
		licences, err := classify(c)
		if err != nil {
			return err
		}
		fmt.Fprintf(&list, "%s: %s\n", c, strings.Join(licences, ", "))
		for _, text := range c.texts {
			if owners[text] == nil {
				texts = append(texts, text)
			}
			if !slices.Contains(owners[text], c.String()) {
				owners[text] = append(owners[text], c.String())
			}
		}
	}
	for _, text := range texts {
		rule := strings.Repeat("-", 79)
		fmt.Fprintf(&body, "\n%s\n%s\n%s\n\n%s\n", rule, strings.Join(owners[text], "\n"), rule, text)
	}
	_, err := io.WriteString(w, introduction+list.String()+body.String())
	return err
}
