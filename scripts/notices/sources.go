package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A goPackage is what "go list -json" tells of a package.
type goPackage struct {
	Dir    string
	Module *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// goModules returns Go's own library and the modules that are linked into the
// binary on the platforms that it is built for.
func goModules(root string) ([]component, error) {
	own, err := goRoot(root)
	if err != nil {
		return nil, err
	}
	modules := map[string]*component{}
	seen := map[string]bool{}
	for _, platform := range []string{"linux", "darwin", "windows"} {
		packages, err := linked(root, platform)
		if err != nil {
			return nil, err
		}
		for _, p := range packages {
			if p.Module == nil || p.Module.Main {
				continue
			}
			c := modules[p.Module.Path]
			if c == nil {
				c = &component{name: p.Module.Path, version: p.Module.Version}
				modules[p.Module.Path] = c
			}
			if err := addTexts(c, seen, p.Dir, p.Module.Dir); err != nil {
				return nil, err
			}
		}
	}
	all := make([]component, 0, len(modules)+1)
	for _, c := range modules {
		all = append(all, *c)
	}
	return append([]component{own}, sorted(all)...), nil
}

// addTexts adds the licences beside a package, and those of the folders above
// it in its module: parts of a module may have a licence of their own.
func addTexts(c *component, seen map[string]bool, dir, top string) error {
	for ; !seen[dir]; dir = filepath.Dir(dir) {
		seen[dir] = true
		texts, err := licenceTexts(dir)
		if err != nil {
			return err
		}
		if dir == top { // the module's own come first
			c.texts = append(texts, c.texts...)
			return nil
		}
		c.texts = append(c.texts, texts...)
	}
	return nil
}

func goRoot(root string) (component, error) {
	dir, err := output(root, nil, "go", "env", "GOROOT")
	if err != nil {
		return component{}, err
	}
	texts, err := licenceTexts(strings.TrimSpace(string(dir)))
	return component{name: "Go standard library", texts: texts}, err
}

// linked returns the packages of the binary on a platform.
func linked(root, platform string) ([]goPackage, error) {
	list, err := output(root, []string{"GOOS=" + platform, "CGO_ENABLED=0"}, "go", "list", "-deps", "-json=Dir,Module", "./cmd/parley")
	if err != nil {
		return nil, err
	}
	var all []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(list))); ; {
		var p goPackage
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

func output(dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env, cmd.Stderr = dir, append(os.Environ(), env...), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", strings.Join(cmd.Args, " "), err)
	}
	return out, nil
}

// A lock is a package-lock.json.
type lock struct {
	Packages map[string]struct {
		Version   string
		License   string
		Integrity string
		Dev       bool
		Optional  bool
	}
}

// shipped returns the folders and versions of the packages that a page is built
// from: those that its lock does not have for development alone, without those of
// types, of which nothing is built.
func shipped(page string) (map[string]component, error) {
	raw, err := os.ReadFile(filepath.Join(page, "package-lock.json"))
	if err != nil {
		return nil, err
	}
	var l lock
	if err := json.Unmarshal(raw, &l); err != nil {
		return nil, err
	}
	all := map[string]component{}
	for place, p := range l.Packages {
		at := strings.LastIndex(place, "node_modules/")
		if at < 0 || p.Dev || p.Optional {
			continue
		}
		name := place[at+len("node_modules/"):]
		if typesAlone := strings.HasPrefix(name, "@types/") || name == "csstype"; !typesAlone {
			all[place] = component{name: "npm: " + name, version: p.Version, declared: p.License, integrity: p.Integrity}
		}
	}
	return all, nil
}

// npmPackages returns the packages in the built pages.
func npmPackages(root string) ([]component, error) {
	var all []component
	for _, page := range []string{"web/dashboard", "web/widget"} {
		page = filepath.Join(root, page)
		packages, err := shipped(page)
		if err != nil {
			return nil, err
		}
		for place, c := range packages {
			if c.texts, err = licenceTexts(filepath.Join(page, place)); err != nil {
				return nil, err
			}
			all = append(all, c)
		}
	}
	return slices.CompactFunc(sorted(all), func(a, b component) bool { return a.String() == b.String() }), nil
}

// viewer returns the viewer of the API reference, which is kept with its
// licences.
func viewer(root string) ([]component, error) {
	texts, err := licenceTexts(filepath.Join(root, "internal/reference/viewer"))
	return []component{{name: "npm: swagger-ui-dist", texts: texts}}, err
}

// passwords returns the list of common passwords, which is kept with its
// licence.
func passwords(root string) ([]component, error) {
	texts, err := licenceTexts(filepath.Join(root, "internal/access/guessable/list"))
	return []component{{name: "npm: @zxcvbn-ts/language-common", version: "4.1.3", texts: texts}}, err
}

func sorted(all []component) []component {
	slices.SortFunc(all, func(a, b component) int { return cmp.Compare(a.String(), b.String()) })
	return all
}
