package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licences are those that may be combined into a work under AGPL-3.0-or-later,
// each by words that its text alone has. The first that fits counts.
var licences = []struct{ id, words string }{
	{"GPL-3.0", "gnu general public license version 3"},
	{"MPL-2.0", "mozilla public license version 2.0"},
	{"Apache-2.0", "apache license version 2.0"},
	{"OFL-1.1", "sil open font license version 1.1"},
	{"BSD-3-Clause", "may be used to endorse or promote products"},
	{"BSD-2-Clause", "redistribution and use in source and binary forms"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software"},
	{"ISC", "permission to use, copy, modify, and distribute this software"},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"Unlicense", "this is free and unencumbered software released into the public domain"},
	{"public domain", "dedicated to the public domain"},
}

var notWords = regexp.MustCompile(`[\s*#/]+`)

// classify returns the SPDX identifiers of a component's licences. Texts that
// are no licence, such as notices and grants of patents, add none.
func classify(c component) ([]string, error) {
	var ids []string
	for _, text := range c.texts {
		words := strings.ToLower(notWords.ReplaceAllString(text, " "))
		words = strings.ReplaceAll(words, "license, version", "license version")
		for _, l := range licences {
			if strings.Contains(words, l.words) {
				if !slices.Contains(ids, l.id) {
					ids = append(ids, l.id)
				}
				break
			}
		}
	}
	if ids == nil && c.declared == "Unlicense" { // it asks for no copy of itself
		ids = []string{c.declared}
	}
	if ids == nil {
		return nil, fmt.Errorf("%s: no licence that is known here; find out whether it may be combined with AGPL-3.0-or-later", c)
	}
	return ids, nil
}

var licenceFile = regexp.MustCompile(`(?i)(licen[cs]e|^copying|^notice|^patents$|^ofl)`)

// licenceTexts returns the texts of licences in a folder, in the order of their
// files' names, with the same line ends and no blanks at line ends.
func licenceTexts(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var texts []string
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		raw, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		lines := strings.Split(strings.ReplaceAll(string(raw), "\r\n", "\n"), "\n")
		for i, line := range lines {
			lines[i] = strings.TrimRight(line, " \t\f")
		}
		texts = append(texts, strings.Trim(strings.Join(lines, "\n"), "\n"))
	}
	return texts, nil
}
