package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// A bom is a software bill of materials in CycloneDX 1.6. It has no serial
// number and no time, so that equal contents give an equal file.
type bom struct {
	Schema      string    `json:"$schema"`
	Format      string    `json:"bomFormat"`
	SpecVersion string    `json:"specVersion"`
	Version     int       `json:"version"`
	Metadata    metadata  `json:"metadata"`
	Components  []bomPart `json:"components"`
}

type metadata struct {
	Component bomPart `json:"component"`
}

type bomPart struct {
	Type     string       `json:"type"`
	Ref      string       `json:"bom-ref"`
	Name     string       `json:"name"`
	Version  string       `json:"version,omitempty"`
	PURL     string       `json:"purl,omitempty"`
	Hashes   []bomHash    `json:"hashes,omitempty"`
	Licences []bomLicence `json:"licenses"`
}

type bomHash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type bomLicence struct {
	Licence licenceName `json:"license"`
}

// A licenceName is an identifier of SPDX, or a name where SPDX has none.
type licenceName struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name,omitempty"`
}

// writeSBOM writes the bill of materials of the repository in a folder.
func writeSBOM(w io.Writer, root string) error {
	all, err := components(root)
	if err != nil {
		return err
	}
	b := bom{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata: metadata{Component: bomPart{Type: "application", Ref: "parley", Name: "parley", Licences: licencesOf("AGPL-3.0-or-later")}},
	}
	for _, c := range all {
		ids, err := classify(c)
		if err != nil {
			return err
		}
		part, err := partOf(c, ids)
		if err != nil {
			return err
		}
		b.Components = append(b.Components, part)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(b)
}

func partOf(c component, licences []string) (bomPart, error) {
	part := bomPart{Type: "library", Name: c.name, Version: c.version, Licences: licencesOf(licences...)}
	name, isNPM := strings.CutPrefix(c.name, "npm: ")
	switch {
	case isNPM:
		part.Name, part.PURL = name, "pkg:npm/"+strings.Replace(name, "@", "%40", 1)
	case strings.Contains(c.name, "/"):
		part.PURL = "pkg:golang/" + (&url.URL{Path: c.name}).EscapedPath()
	}
	if part.PURL != "" && c.version != "" {
		part.PURL += "@" + url.QueryEscape(c.version)
	}
	part.Ref = part.PURL
	if part.Ref == "" {
		part.Ref = c.name
	}
	if c.integrity != "" {
		sum, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(c.integrity, "sha512-"))
		if err != nil || len(sum) != 64 {
			return part, fmt.Errorf("%s: its integrity %q is no SHA-512", c, c.integrity)
		}
		part.Hashes = []bomHash{{Algorithm: "SHA-512", Content: hex.EncodeToString(sum)}}
	}
	return part, nil
}

func licencesOf(ids ...string) []bomLicence {
	all := make([]bomLicence, len(ids))
	for i, id := range ids {
		switch id {
		case "GPL-3.0": // SPDX has deprecated this name
			id = "GPL-3.0-only"
		case "public domain":
			all[i].Licence.Name = id
			continue
		}
		all[i].Licence.ID = id
	}
	return all
}
